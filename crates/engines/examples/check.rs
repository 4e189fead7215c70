//! A throw-away driver: verifies a file and prints the verdict.

use base::Budget;
use engines::bmc::{Analyses, Bmc, Options, Outcome};
use sema::types::DataModel;
use std::time::{Duration, Instant};
use task::Property;

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, engine, model, property, seconds, file] = arguments.as_slice() else { panic!("usage") };
    let data_model = if model == "ILP32" { DataModel::Ilp32 } else { DataModel::Lp64 };
    let options = frontend::Options { files: vec![file.into()], data_model, preprocessor: vec![] };
    let start = Instant::now();
    let loaded = frontend::load(&options).unwrap_or_else(|error| panic!("{error}"));
    let program = &loaded.program;
    let text = std::fs::read_to_string(property).expect("property file");
    let property = Property::parse(&text).expect("property");
    let budget = Budget::unlimited().with_time(Duration::from_secs_f64(seconds.parse().expect("seconds")));
    let analyses = Analyses::new(program);
    let outcome = match engine.as_str() {
        "bmc" => Bmc::new(program, &analyses, &property.goals, Options::default(), &budget).run(),
        _ => engines::kinduction::run(program, &analyses, &property.goals, &Options::default(), &budget),
    };
    eprintln!("{:?}", start.elapsed());
    match outcome {
        Outcome::True => println!("TRUE"),
        Outcome::False { goal, .. } => println!("FALSE({goal})"),
        Outcome::Unknown { bound, reason } => {
            if let engines::bmc::Reason::Obstacle { edge, .. } = reason {
                eprintln!("at {}", cfa::text::edge_text(program, program.edges[edge]));
            }
            println!("UNKNOWN {bound:?} {reason:?}");
        }
    }
    std::process::exit(0);
}

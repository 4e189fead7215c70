//! Unwinds a program without solving anything: what it costs, and what is in the way.

use base::Budget;
use cfa::loops::Loops;
use cfa::pointsto::PointsTo;
use cfa::weak_order::WeakOrder;
use encode::Encoder;
use engines::unwind::{Bounds, Unwinder};
use sema::types::DataModel;
use std::time::{Duration, Instant};

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let data_model = if arguments[1] == "ILP32" { DataModel::Ilp32 } else { DataModel::Lp64 };
    let options = frontend::Options::new(vec![arguments[2].clone().into()], data_model);
    let loaded = frontend::load(&options).unwrap_or_else(|error| panic!("{error}"));
    let program = &loaded.program;
    let start = Instant::now();
    let points_to = PointsTo::compute(program);
    let loops = Loops::new(program);
    let order = WeakOrder::new(program, &loops);
    eprintln!("analyses {:?}", start.elapsed());
    let encoder = Encoder::new(program, &points_to, []);
    let errors =
        ["reach_error", "__VERIFIER_error"].iter().filter_map(|n| program.function_named(n)).collect();
    let bounds = Bounds {
        all: 0,
        recursion: 0,
        loops: Default::default(),
        searches: Default::default(),
        free: 1000,
        free_steps: u64::MAX,
    };
    let mut unwinder = Unwinder::new(encoder, &loops, &order, errors, bounds);
    let budget = Budget::unlimited().with_time(Duration::from_secs(20));
    for k in 0..10 {
        unwinder.bounds.all = k;
        let stopped = unwinder.run(&budget).is_err();
        println!(
            "k={k} steps={} terms={} targets={} suspended={} obstacles={} {:?}{}",
            unwinder.steps,
            unwinder.encoder.pool.len(),
            unwinder.targets.len(),
            unwinder.suspended.len(),
            unwinder.obstacles.len(),
            start.elapsed(),
            if stopped { " STOPPED" } else { "" }
        );
        for obstacle in unwinder.obstacles.drain(..) {
            let position = program.sources.position(program.edges[obstacle.edge].span);
            println!("  {} at {}", obstacle.what, position.map_or("?".into(), |p| p.to_string()));
        }
        let paths = std::mem::take(&mut unwinder.suspended);
        if paths.is_empty() || stopped {
            break;
        }
        unwinder.resume(paths);
    }
}

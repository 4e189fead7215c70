//! The tables of the paper on large-block encoding, for the engine `predicate`: single or large blocks, Cartesian
//! or Boolean abstraction.
//! `cargo run --release -p proviso-bench --bin blocks`, or with `--table FILE --root FOLDER`, where the table has
//! a column with the program's file, as tab-separated values.
//!
//! Without a table, programs with locks are generated: each iteration takes any of `n` locks and gives back those
//! that it has taken. The paths through an iteration double with each lock. Times are CPU time.

use base::Budget;
use bench::usage::own_time;
use clap::Parser;
use engines::predicate::{AbstractionKind, Blocks, Options, Statistics};
use engines::{Analyses, Outcome, Task};
use sema::types::DataModel;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;
use task::Goal;

#[derive(Parser)]
struct Arguments {
    /// A table of programs, instead of generated ones
    #[arg(long)]
    table: Option<PathBuf>,
    /// The folder that the table's files are in
    #[arg(long, default_value = ".")]
    root: PathBuf,
    /// Blocks and abstraction of each run
    #[arg(long, value_delimiter = ',', default_values = ["sbe/cartesian", "sbe/boolean", "lbe/cartesian", "lbe/boolean"])]
    runs: Vec<String>,
    /// Seconds for each run
    #[arg(long, default_value_t = 10)]
    seconds: u64,
    /// Also print the size of the graph, refinements and predicates
    #[arg(long)]
    details: bool,
}

/// Resident memory of the whole process.
const MOST_MEMORY: u64 = 3 << 30;

/// One program with one configuration.
struct Measured {
    verdict: &'static str,
    seconds: f64,
    statistics: Statistics,
}

fn main() -> Result<(), String> {
    let arguments = Arguments::parse();
    let runs = arguments.runs.iter().map(|run| configuration(run)).collect::<Result<Vec<_>, _>>()?;
    println!("{}", head(&arguments));
    let mut totals: Vec<Vec<Measured>> = runs.iter().map(|_| Vec::new()).collect();
    for (name, loaded) in programs(&arguments)? {
        let measured: Vec<Measured> =
            runs.iter().map(|options| measure(&loaded.program, options, arguments.seconds)).collect();
        println!("{}", row(&name, &measured, arguments.details));
        totals.iter_mut().zip(measured).for_each(|(total, measured)| total.push(measured));
    }
    for (run, total) in arguments.runs.iter().zip(&totals) {
        println!("{run}: {}", summary(total));
    }
    Ok(())
}

fn configuration(text: &str) -> Result<Options, String> {
    let (blocks, abstraction) = text.split_once('/').ok_or("expected BLOCKS/ABSTRACTION")?;
    let abstraction = match abstraction {
        "cartesian" => AbstractionKind::Cartesian,
        "boolean" => AbstractionKind::Boolean,
        _ => return Err("expected the abstraction 'boolean' or 'cartesian'".into()),
    };
    Ok(Options { blocks: blocks.parse::<Blocks>()?, abstraction, ..Options::default() })
}

type Named = (String, frontend::Loaded);

fn programs(arguments: &Arguments) -> Result<Vec<Named>, String> {
    let Some(table) = &arguments.table else {
        let generated = (1..=15).map(|count| {
            let loaded = frontend::load_text("locks.c", &locks(count), DataModel::Ilp32);
            Ok((format!("{count} locks"), loaded.map_err(|error| error.to_string())?))
        });
        return generated.collect();
    };
    let text = std::fs::read_to_string(table).map_err(|error| format!("{}: {error}", table.display()))?;
    let mut found = Vec::new();
    for line in text.lines().skip(1) {
        let file = line.split('\t').map(|field| arguments.root.join(field)).find(|path| path.is_file());
        if let Some(file) = file {
            found.push(load(&file)?);
        }
    }
    Ok(found)
}

fn load(file: &Path) -> Result<Named, String> {
    let name = file.file_name().map_or(String::new(), |name| name.to_string_lossy().into());
    let files = vec![file.to_path_buf()];
    let options = frontend::Options::new(files, DataModel::Ilp32);
    Ok((name, frontend::load(&options).map_err(|error| error.to_string())?))
}

fn measure(program: &cfa::Program, options: &Options, seconds: u64) -> Measured {
    let goals = ["reach_error", "__VERIFIER_error"].map(|name| Goal::UnreachableCall(name.into()));
    let begun = own_time();
    let analyses = Analyses::new(program);
    let budget = Budget::unlimited().with_time(Duration::from_secs(seconds)).with_memory(MOST_MEMORY);
    let task = Task { program, analyses: &analyses, goals: &goals, condition: None, budget: &budget };
    let (findings, statistics) = engines::predicate::run(task, options, &engines::Options::default());
    let verdict = match findings.outcome {
        Outcome::True => "TRUE",
        Outcome::False { .. } => "FALSE",
        Outcome::Unknown { .. } => "–",
    };
    Measured { verdict, seconds: (own_time() - begun).as_secs_f64(), statistics }
}

fn head(arguments: &Arguments) -> String {
    let mut line = String::from("| program |");
    let mut rule = String::from("|---|");
    for run in &arguments.runs {
        // Writing to a string cannot fail.
        let _ = write!(line, " {run} |");
        rule.push_str("--:|");
        if arguments.details {
            line.push_str(" states | refinements | predicates: all | average | most |");
            rule.push_str("--:|--:|--:|--:|--:|");
        }
    }
    format!("{line}\n{rule}")
}

fn row(name: &str, measured: &[Measured], details: bool) -> String {
    let mut line = format!("| {name} |");
    for run in measured {
        let _ = match run.verdict {
            "–" => write!(line, " – |"),
            verdict => write!(line, " {verdict} {:.2} |", run.seconds),
        };
        if details {
            let of = &run.statistics;
            let average = of.predicates as f64 / of.locations.max(1) as f64;
            let _ = write!(
                line,
                " {} | {} | {} | {average:.1} | {} |",
                of.reached, of.refinements, of.predicates, of.most_predicates
            );
        }
    }
    line
}

/// How many were solved, in which time, and how much of it outside of the SAT solver.
fn summary(runs: &[Measured]) -> String {
    let solved: Vec<&Measured> = runs.iter().filter(|run| run.verdict != "–").collect();
    let seconds: f64 = solved.iter().map(|run| run.seconds).sum();
    let sum = |part: fn(&Statistics) -> Duration| -> f64 {
        runs.iter().map(|run| part(&run.statistics).as_secs_f64()).sum()
    };
    let (total, sat) = (sum(|of| of.total).max(1e-9), sum(|of| of.sat));
    format!(
        "{} of {} solved in {seconds:.1} s; of the time of all runs {:.0} % outside of the SAT solver; post {:.1} s, \
         abstraction {:.1} s, feasibility {:.1} s, refinement {:.1} s",
        solved.len(),
        runs.len(),
        100.0 * (total - sat) / total,
        sum(|of| of.post),
        sum(|of| of.abstraction),
        sum(|of| of.feasibility),
        sum(|of| of.refinement),
    )
}

/// A loop that takes any of so many locks, and gives back those that it has taken.
fn locks(count: u32) -> String {
    let mut text = String::from(
        "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);\nint main(void) {\n",
    );
    for lock in 0..count {
        let _ = writeln!(text, "  int wanted{lock}, held{lock};");
    }
    text.push_str("  while (__VERIFIER_nondet_int()) {\n");
    for lock in 0..count {
        let _ = writeln!(text, "    wanted{lock} = __VERIFIER_nondet_int(); held{lock} = 0;");
    }
    for lock in 0..count {
        let _ = writeln!(text, "    if (wanted{lock}) held{lock} = 1;");
    }
    for lock in 0..count {
        let _ =
            writeln!(text, "    if (wanted{lock}) {{ if (held{lock} != 1) reach_error(); held{lock} = 0; }}");
    }
    text.push_str("  }\n  return 0;\n}\n");
    text
}

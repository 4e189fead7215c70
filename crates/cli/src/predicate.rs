//! The engine `predicate` on the command line: its options and statistics.

use crate::arguments::{AbstractionName, VerifyArguments};
use cfa::loops::LoopId;
use engines::predicate::{AbstractionKind, Options, Statistics};
use engines::{Findings, Task};

pub fn run(task: Task<'_>, arguments: &VerifyArguments, unwinding: &engines::Options) -> Findings {
    let abstraction = match arguments.abstraction {
        AbstractionName::Boolean => AbstractionKind::Boolean,
        AbstractionName::Cartesian => AbstractionKind::Cartesian,
    };
    let (findings, statistics) = engines::predicate::run(task, &Options { abstraction }, unwinding);
    if arguments.statistics {
        eprintln!("{}", describe(&statistics));
        for (location, text) in &statistics.texts {
            eprintln!("{}: {text}", task.analyses.loops.loops[LoopId(*location as u32)].name);
        }
    }
    findings
}

fn describe(statistics: &Statistics) -> String {
    let average = statistics.predicates as f64 / statistics.locations.max(1) as f64;
    format!(
        "predicate: {} locations, {} abstract states found, {} in the end, {} paths, {} refinements, \
         {} predicates (average {average:.1}, most {}), {} queries; post {:.3} s, abstraction {:.3} s \
         (solver {:.3} s), feasibility {:.3} s, refinement {:.3} s",
        statistics.locations,
        statistics.regions,
        statistics.reached,
        statistics.paths_checked,
        statistics.refinements,
        statistics.predicates,
        statistics.most_predicates,
        statistics.queries,
        statistics.post.as_secs_f64(),
        statistics.abstraction.as_secs_f64(),
        statistics.solver.as_secs_f64(),
        statistics.feasibility.as_secs_f64(),
        statistics.refinement.as_secs_f64(),
    )
}

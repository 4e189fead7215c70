//! The engine `predicate` on the command line: its options and statistics.

use crate::arguments::{AbstractionName, RefinementName, ScopeName, VerifyArguments};
use domains::monitors::Limits;
use engines::predicate::{AbstractionKind, Options, Precision, RefinementKind, Scope, Statistics};
use engines::{Findings, Task};
use std::path::Path;

pub fn run(
    task: Task<'_>,
    arguments: &VerifyArguments,
    unwinding: &engines::Options,
    limits: Limits,
) -> Result<Findings, String> {
    let abstraction = match arguments.abstraction {
        AbstractionName::Boolean => AbstractionKind::Boolean,
        AbstractionName::Cartesian => AbstractionKind::Cartesian,
    };
    let scope = match arguments.precision_scope {
        ScopeName::Location => Scope::Location,
        ScopeName::Function => Scope::Function,
        ScopeName::Global => Scope::Global,
    };
    let precision = arguments.precision_in.as_deref().map(read_precision).transpose()?;
    let refinement = match arguments.refinement {
        RefinementName::Core => RefinementKind::Core,
        RefinementName::Interpolation => RefinementKind::Interpolation,
    };
    let blocks = arguments.blocks;
    let options = Options { blocks, abstraction, refinement, scope, precision, limits, is_coarse: false };
    let (findings, statistics) = engines::predicate::run(task, &options, unwinding);
    if arguments.statistics {
        eprintln!("{}", describe(&statistics));
        for (location, text) in &statistics.texts {
            eprintln!("{location}: {text}");
        }
    }
    if let Some(path) = &arguments.precision_out {
        let text = Precision::new(&statistics.texts).write();
        std::fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    Ok(findings)
}

fn read_precision(path: &Path) -> Result<Precision, String> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    Precision::parse(&text).map_err(|error| format!("{}: {error}", path.display()))
}

fn describe(statistics: &Statistics) -> String {
    let average = statistics.predicates as f64 / statistics.locations.max(1) as f64;
    format!(
        "predicate: {} locations, {} jumps, {} returns, {} ends in {} terms, {} abstract states found, {} in the end, {} paths, {} refinements, \
         {} predicates (average {average:.1}, most {}), {} queries, {} from the cache; post {:.3} s, abstraction {:.3} s \
         (solver {:.3} s), feasibility {:.3} s, refinement {:.3} s; SAT solver {:.3} s of {:.3} s",
        statistics.locations,
        statistics.blocks.0,
        statistics.blocks.1,
        statistics.blocks.2,
        statistics.terms,
        statistics.states,
        statistics.reached,
        statistics.paths_checked,
        statistics.refinements,
        statistics.predicates,
        statistics.most_predicates,
        statistics.queries,
        statistics.cached,
        statistics.post.as_secs_f64(),
        statistics.abstraction.as_secs_f64(),
        statistics.solver.as_secs_f64(),
        statistics.feasibility.as_secs_f64(),
        statistics.refinement.as_secs_f64(),
        statistics.sat.as_secs_f64(),
        statistics.total.as_secs_f64(),
    )
}

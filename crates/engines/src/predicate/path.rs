//! Is an abstract path real?
//!
//! The program is executed from its start, exactly, along the loops that the path comes back to:
//! everything else stays suspended. That is more than the one path of blocks, and all of it is real: a
//! violation found on the way counts, whether the path meant it or not; if there is none, the path
//! does not exist.

use super::blocks::Shape;
use crate::bmc::{is_satisfiable, unwinder};
use crate::counterexample::{read_model, violated};
use crate::options::Options;
use crate::outcome::{Outcome, Reason, Task};
use crate::solver::Solver;
use crate::unwind::{Bounded, Bounds, Suspended, Unwinder};
use cfa::loops::LoopId;
use smt::Check;
use term::TermId;

/// Follows the loops in the order in which a path comes back to them. `None` if the path is not real;
/// an error if it goes deeper into a recursion than the bound allows.
pub fn follow(
    task: Task<'_>,
    options: &Options,
    loops: &[LoopId],
    bounds: &Bounds,
    shape: Shape,
) -> Result<Option<Outcome>, Reason> {
    let mut unwinder = unwinder(&task, options);
    unwinder.bounds = bounds.clone();
    unwinder.encoder.approximates = shape.approximates;
    unwinder.encoder.is_coarse = shape.is_coarse;
    unwinder.run(task.budget).map_err(Reason::Stopped)?;
    for &id in loops {
        let suspended = std::mem::take(&mut unwinder.suspended);
        let (next, rest): (Vec<Suspended>, Vec<Suspended>) =
            suspended.into_iter().partition(|path| path.by == Bounded::Loop(id));
        unwinder.suspended = rest;
        unwinder.resume(next);
        unwinder.run(task.budget).map_err(Reason::Stopped)?;
    }
    decide(task, options, &mut unwinder)
}

fn decide(task: Task<'_>, options: &Options, unwinder: &mut Unwinder<'_>) -> Result<Option<Outcome>, Reason> {
    let mut solver = Solver::start(options).map_err(Reason::Solver)?;
    let targets: Vec<TermId> = unwinder.targets.iter().map(|target| target.guard).collect();
    let any = unwinder.encoder.pool.or_all(targets);
    if is_satisfiable(solver.check(&unwinder.encoder.pool, &[any], task.budget))? {
        let found = read_model(&mut unwinder.encoder, &mut solver).map_err(Reason::Solver)?;
        let ending = found.replay(task.program, task.goals, task.budget, &mut replay::Silent);
        return match violated(task.goals, &ending) {
            Some(goal) => Ok(Some(Outcome::False { goal, counterexample: found })),
            None => Err(Reason::NotConfirmed(ending.to_string())),
        };
    }
    for obstacle in std::mem::take(&mut unwinder.obstacles) {
        if is_satisfiable(solver.check(&unwinder.encoder.pool, &[obstacle.guard], task.budget))? {
            return Err(Reason::Obstacle { what: obstacle.what, edge: obstacle.edge });
        }
    }
    let recursive = unwinder.suspended.iter().filter(|path| matches!(path.by, Bounded::Recursion(_)));
    let guards: Vec<TermId> = recursive.map(|path| path.guard()).collect();
    let any = unwinder.encoder.pool.or_all(guards);
    match is_satisfiable(solver.check(&unwinder.encoder.pool, &[any], task.budget))? {
        true => Err(Reason::BoundReached),
        false => Ok(None),
    }
}

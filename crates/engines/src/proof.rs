//! Checking proofs: everything is built once more, in one piece, and decided by a fresh solver.
//!
//! The search has come to its proof in many small steps, with a solver that remembers all of them. The
//! check shares the encoding of the program with it and nothing else: no bound but the last one, no
//! clause that was learnt or excluded before, and no operation that is left out.

use crate::bmc::Bmc;
use crate::kinduction::StepCase;
use crate::options::Options;
use crate::outcome::{Findings, Outcome, Proof, Reason, Task};
use invariants::LoopFacts;

/// Whether the proof of an outcome holds; if not, why.
pub fn check(task: Task<'_>, options: &Options, findings: &Findings) -> Result<(), Reason> {
    let options = Options { restart: false, refinement: false, ..options.clone() };
    match &findings.proof {
        Some(Proof::Unwinding { bound }) => check_unwinding(task, &options, *bound),
        Some(Proof::Induction { depth, invariants }) => check_induction(task, &options, *depth, invariants),
        Some(Proof::Predicates(invariants)) => crate::predicate::check(task, &options, invariants),
        None => Err(Reason::NoProof("there is none")),
    }
}

/// Unwinds to the bound at once. A path that the search has followed on its own may have iterations there
/// that nothing depends on, and which do not count, while here all paths go together and choose: it may
/// take more rounds.
fn check_unwinding(task: Task<'_>, options: &Options, bound: u32) -> Result<(), Reason> {
    let mut base = base_case(task, options)?;
    for bound in bound..=bound.saturating_add(options.free).saturating_add(MOST) {
        match base.round(bound)? {
            Some(Outcome::True) => return Ok(()),
            Some(_) => return Err(Reason::NoProof("there is a violation")),
            None => {}
        }
    }
    Err(Reason::NoProof("not everything is unwound"))
}

/// Rounds beyond the bound, and the iterations that did not count, before the check gives up.
const MOST: u32 = 1000;

fn check_induction(
    task: Task<'_>,
    options: &Options,
    depth: u32,
    invariants: &[LoopFacts],
) -> Result<(), Reason> {
    match base_case(task, options)?.round(depth)? {
        Some(Outcome::True) => return Ok(()),
        Some(_) => return Err(Reason::NoProof("the base case does not hold")),
        None => {}
    }
    let step = || StepCase::with_invariants(task, options, invariants).map_err(Reason::Solver);
    if !step()?.invariants_hold()? {
        return Err(Reason::NoProof("the invariants do not hold"));
    }
    let mut step = step()?;
    match step.holds(depth, &Default::default(), task.budget)? {
        Some(_) => Ok(()),
        None => Err(Reason::NoProof("the step case does not hold")),
    }
}

/// A base case that has not looked at anything yet.
fn base_case<'p>(task: Task<'p>, options: &'p Options) -> Result<Bmc<'p>, Reason> {
    let mut base = Bmc::new(task, options).map_err(Reason::Solver)?;
    base.skip_covered()?;
    Ok(base)
}

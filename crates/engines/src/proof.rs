//! Checking proofs: everything is built once more, in one piece, and decided by a fresh solver.
//!
//! The search has come to its proof in many small steps, with a solver that remembers all of them. The
//! check shares the encoding of the program with it and nothing else: no bound but the last one, no
//! clause that was learnt or excluded before, and no operation that is left out.
//!
//! Paths that the search has followed one after the other meet where everything is built at once. What was
//! constant on each of them depends on a choice then, and memory that was filled in different ways is unknown. Where
//! a proof is lost in this way, the rounds of the search are repeated.

use crate::bmc::Bmc;
use crate::kinduction::StepCase;
use crate::options::Options;
use crate::outcome::{Findings, Outcome, Proof, Reason, Task};
use base::Budget;
use invariants::LoopFacts;
use std::ops::RangeInclusive;

/// Whether the proof of an outcome holds; if not, why.
pub fn check(task: Task<'_>, options: &Options, findings: &Findings) -> Result<(), Reason> {
    let options = Options { restart: false, refinement: false, ..options.clone() };
    match &findings.proof {
        Some(Proof::Unwinding { bound, together }) => check_unwinding(task, &options, *bound, *together),
        Some(Proof::Induction { depth, invariants }) => check_induction(task, &options, *depth, invariants),
        Some(Proof::Predicates(invariants)) => crate::predicate::check(task, &options, invariants),
        None => Err(Reason::NoProof("there is none")),
    }
}

/// Unwinds to the bound at once, and a little further.
fn check_unwinding(task: Task<'_>, options: &Options, bound: u32, together: bool) -> Result<(), Reason> {
    for rounds in [bound..=bound.saturating_add(ROUNDS_BEYOND), 0..=bound] {
        if is_unwound(base_case(task, options, together)?, rounds)? {
            return Ok(());
        }
    }
    Err(Reason::NoProof("not everything is unwound"))
}

const ROUNDS_BEYOND: u32 = 20;

fn is_unwound(mut base: Bmc<'_>, rounds: RangeInclusive<u32>) -> Result<bool, Reason> {
    for bound in rounds {
        match base.round(bound)? {
            Some(Outcome::True) => return Ok(true),
            Some(_) => return Err(Reason::NoProof("there is a violation")),
            None => {}
        }
    }
    Ok(false)
}

fn check_induction(
    task: Task<'_>,
    options: &Options,
    depth: u32,
    invariants: &[LoopFacts],
) -> Result<(), Reason> {
    match base_case(task, options, false)?.round(depth)? {
        Some(Outcome::True) => return Ok(()),
        Some(_) => return Err(Reason::NoProof("the base case does not hold")),
        None => {}
    }
    let step = || StepCase::with_invariants(task, options, invariants).map_err(Reason::Solver);
    if !step()?.invariants_hold()? {
        return Err(Reason::NoProof("the invariants do not hold"));
    }
    for depths in [depth..=depth, 0..=depth] {
        if holds_at_last(step()?, depths, task.budget)? {
            return Ok(());
        }
    }
    Err(Reason::NoProof("the step case does not hold"))
}

/// Whether the step case holds after these rounds.
fn holds_at_last(
    mut step: StepCase<'_>,
    depths: RangeInclusive<u32>,
    budget: &Budget,
) -> Result<bool, Reason> {
    for depth in depths {
        if step.holds(depth, &Default::default(), budget)?.is_some() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// A base case that has not looked at anything yet.
fn base_case<'p>(task: Task<'p>, options: &'p Options, together: bool) -> Result<Bmc<'p>, Reason> {
    let base = Bmc::new(task, options)?;
    let mut base = if together { base.counting_together() } else { base };
    base.skip_covered()?;
    Ok(base)
}

//! The proof of a TRUE: what is reached at every loop head, as an invariant, and the check of it.

use super::abstraction::Abstraction;
use super::template::Template;
use crate::options::Options;
use crate::outcome::{Reason, Task};
use crate::solver::Solver;
use smt::{Check, CheckResult};
use std::rc::Rc;
use term::print::c::CPrinter;
use term::{TermId, TermPool};

/// For each loop a term over what can be observed at its head, that holds whenever a path has come back.
#[derive(Clone)]
pub struct Invariants {
    pool: Rc<TermPool>,
    formulas: Vec<TermId>,
    /// No recursion goes deeper.
    recursion: u32,
}

impl std::fmt::Debug for Invariants {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.expressions()).finish()
    }
}

impl Invariants {
    pub(super) fn new(mut template: Template<'_>, abstraction: &Abstraction) -> Self {
        let recursion = template.unwinder.bounds.recursion;
        let mut formulas = vec![TermPool::FALSE; template.locations.len()];
        for id in abstraction.alive() {
            let region = abstraction.region(id);
            let pool = template.pool();
            let mut formula = TermPool::TRUE;
            for (&predicate, &truth) in abstraction.precision[region.location].iter().zip(&region.truth) {
                let literal = match truth {
                    Some(true) => predicate,
                    Some(false) => pool.not(predicate),
                    None => TermPool::TRUE,
                };
                formula = pool.and(formula, literal);
            }
            formulas[region.location] = pool.or(formulas[region.location], formula);
        }
        Self { pool: Rc::new(std::mem::take(template.pool())), formulas, recursion }
    }

    /// As C expressions, by the number of the loop.
    pub fn expressions(&self) -> Vec<String> {
        self.formulas.iter().map(|&formula| expression(&self.pool, formula)).collect()
    }
}

/// A term over placeholders as a C expression over what they stand for.
pub(super) fn expression(pool: &TermPool, term: TermId) -> String {
    let Some(text) = CPrinter::new().print(pool, term) else { return "...".into() };
    let mut parts = text.split('@');
    let first = parts.next().unwrap_or_default().to_string();
    parts.fold(first, |text, part| text + part.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.'))
}

/// Whether the invariants hold and exclude every violation: all blocks are executed anew and a fresh
/// solver, which leaves out nothing, decides it in one question.
pub fn check(task: Task<'_>, options: &Options, invariants: &Invariants) -> Result<(), Reason> {
    let mut template = Template::new(task, options, invariants.recursion, Some((*invariants.pool).clone()))?;
    if template.locations.len() != invariants.formulas.len() {
        return Err(Reason::NoProof("the invariants are those of another program"));
    }
    let mut assumptions = template.choices();
    for jump in 0..template.jumps.len() {
        let holds = template.at_jump(jump, invariants.formulas[template.jumps[jump].location]);
        let assumed = template.jumps[jump].assumed;
        assumptions.push(template.pool().implies(assumed, holds));
    }
    let mut wrong: Vec<TermId> = template.ends.iter().map(|end| end.guard).collect();
    for number in 0..template.returns.len() {
        let holds = template.at_return(number, invariants.formulas[template.returns[number].location]);
        let path = template.returns[number].path;
        let pool = template.pool();
        let fails = pool.not(holds);
        wrong.push(pool.and(path, fails));
    }
    let wrong = template.pool().or_all(wrong);
    assumptions.push(wrong);
    let mut solver = Solver::start(options).map_err(Reason::Solver)?;
    match solver.check(template.pool(), &assumptions, task.budget).map_err(Reason::Solver)? {
        CheckResult::Unsat => Ok(()),
        CheckResult::Sat => Err(Reason::NoProof("the invariants do not hold, or do not exclude a violation")),
        CheckResult::Unknown(reason) => Err(Reason::Stopped(reason)),
    }
}

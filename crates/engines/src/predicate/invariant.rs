//! The proof of a TRUE: what is reached at every loop head, as an invariant, and the check of it.

use super::abstraction::Abstraction;
use super::blocks::Shape;
use super::regions::Region;
use super::template::Template;
use crate::options::Options;
use crate::outcome::{Reason, Task};
use crate::solver::Solver;
use rustc_hash::FxHashMap;
use smt::{Check, CheckResult};
use std::rc::Rc;
use term::print::c::CPrinter;
use term::{TermId, TermPool};

/// For each jump, a term over what can be observed at its location that holds whenever a path gets there.
#[derive(Clone)]
pub struct Invariants {
    pool: Rc<TermPool>,
    formulas: Vec<TermId>,
    /// For each location its name, and what holds there in every context.
    locations: Vec<(String, TermId)>,
    printer: Rc<CPrinter>,
    shape: Shape,
}

impl std::fmt::Debug for Invariants {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.expressions()).finish()
    }
}

impl Invariants {
    pub(super) fn new(mut template: Template<'_>, abstraction: &Abstraction, shape: Shape) -> Self {
        let mut formulas = Vec::new();
        let mut locations: Vec<(String, TermId)> =
            template.locations.iter().map(|location| (location.name.clone(), TermPool::FALSE)).collect();
        for jump in 0..template.jumps.len() {
            let (region, location) = (abstraction.region_at(jump), template.jumps[jump].location);
            let formula = formula(template.pool(), &abstraction.precision[location], region);
            formulas.push(formula);
            locations[location].1 = template.pool().or(locations[location].1, formula);
        }
        let printer = Rc::new(printer(&template));
        let pool = Rc::new(std::mem::take(template.pool()));
        Self { pool, formulas, locations, printer, shape }
    }

    /// Of a formula over the placeholders of each location, which holds there in every context.
    pub(crate) fn with(mut template: Template<'_>, formulas: &[TermId], shape: Shape) -> Self {
        let names = template.locations.iter().map(|location| location.name.clone());
        let locations = names.zip(formulas.iter().copied()).collect();
        let formulas = template.jumps.iter().map(|jump| formulas[jump.location]).collect();
        let printer = Rc::new(printer(&template));
        let pool = Rc::new(std::mem::take(template.pool()));
        Self { pool, formulas, locations, printer, shape }
    }

    /// As C expressions, with the names of the locations where they hold.
    pub fn expressions(&self) -> Vec<(String, String)> {
        let text = |(name, formula): &(String, TermId)| {
            let text = expression(&self.pool, &self.printer, *formula);
            (name.clone(), text.unwrap_or_else(|| "...".into()))
        };
        self.locations.iter().map(text).collect()
    }
}

/// What a region says of its predicates.
// Regions are hashed by their node, which never changes.
#[allow(clippy::mutable_key_type)]
pub(super) fn formula(pool: &mut TermPool, predicates: &[TermId], region: &Region) -> TermId {
    fn of(
        pool: &mut TermPool,
        predicates: &[TermId],
        region: &Region,
        known: &mut FxHashMap<Region, TermId>,
    ) -> TermId {
        if let Some(&term) = known.get(region) {
            return term;
        }
        let term = match region.decision() {
            None if region.is_nothing() => TermPool::FALSE,
            None => TermPool::TRUE,
            Some(decision) => {
                let then = of(pool, predicates, &decision.then, known);
                let otherwise = of(pool, predicates, &decision.otherwise, known);
                pool.ite(predicates[decision.predicate], then, otherwise)
            }
        };
        known.insert(region.clone(), term);
        term
    }
    of(pool, predicates, region, &mut FxHashMap::default())
}

/// A term over placeholders as a C expression over what they stand for.
pub(super) fn expression(pool: &TermPool, printer: &CPrinter, term: TermId) -> Option<String> {
    let text = printer.print(pool, term)?;
    let mut parts = text.split('@');
    let first = parts.next().unwrap_or_default().to_string();
    let number = |c: char| c.is_ascii_digit() || c == '.';
    Some(parts.fold(first, |text, part| text + part.trim_start_matches(number)))
}

/// Knows which placeholders have a signed type.
pub(super) fn printer(template: &Template<'_>) -> CPrinter {
    let mut printer = CPrinter::new();
    for location in &template.locations {
        let known = location.placeholders.iter().zip(&location.observed);
        let signed = known.filter(|(_, watched)| watched.signed).filter_map(|(placeholder, _)| *placeholder);
        signed.for_each(|placeholder| printer.declare_signed(placeholder));
    }
    printer
}

/// Whether the invariants hold and exclude every violation: all blocks are executed anew and a fresh
/// solver, which leaves out nothing, decides it in one question.
pub fn check(task: Task<'_>, options: &Options, invariants: &Invariants) -> Result<(), Reason> {
    let mut template = Template::new(task, options, invariants.shape, Some((*invariants.pool).clone()))?;
    if template.jumps.len() != invariants.formulas.len() {
        return Err(Reason::NoProof("the invariants are those of another program"));
    }
    let mut assumptions = template.choices();
    for jump in 0..template.jumps.len() {
        let holds = template.at_jump(jump, invariants.formulas[jump]);
        let assumed = template.jumps[jump].assumed;
        assumptions.push(template.pool().implies(assumed, holds));
    }
    let mut wrong: Vec<TermId> = template.ends.iter().map(|end| end.guard).collect();
    for number in 0..template.returns.len() {
        // What cannot be gone on from, as something is not modelled there, is an end already.
        let Some(jump) = template.returns[number].jump else { continue };
        let holds = template.at_return(number, invariants.formulas[jump]);
        let path = template.returns[number].path;
        let pool = template.pool();
        let fails = pool.not(holds);
        wrong.push(pool.and(path, fails));
    }
    let wrong = template.pool().or_all(wrong);
    assumptions.push(wrong);
    let mut solver = Solver::start(options)?;
    match solver.check(template.pool(), &assumptions, task.budget)? {
        CheckResult::Unsat => Ok(()),
        CheckResult::Sat => Err(Reason::NoProof("the invariants do not hold, or do not exclude a violation")),
        CheckResult::Unknown(reason) => Err(Reason::Stopped(reason)),
    }
}

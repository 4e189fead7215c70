//! Refinement by Craig interpolation, to compare with linking by predicates only.
//!
//! The blocks that lead to an error are a tree: each depends on those whose states it starts from. What is
//! observed where two blocks meet is, bit by bit, the interface between the part of the tree below the
//! meeting and the rest; so the interpolant there is a formula over bits of the observables, and a
//! predicate of the location. All of them come from one proof on the bit-blasted blocks, so abstraction with
//! them does not find this way to the error again. They say what is needed for this way, and not more: on
//! machine arithmetic they seldom hold for a whole loop.

use super::abstraction::Reached;
use super::copies::Copies;
use super::refine::{Derivation, Refinement};
use super::template::Template;
use crate::outcome::Reason;
use base::Budget;
use rustc_hash::{FxHashMap, FxHashSet};
use smt::interpolation::Parts;
use smt::sat::Literal;
use smt::{BitBlaster, CheckResult};
use term::{Op, Sort, TermId, TermPool};

/// A way with more blocks, those that several depend on counted as often, is not refined.
const MOST_PARTS: usize = 600;

/// A larger formula is not made a predicate.
const LARGEST: usize = 20_000;

#[derive(Default)]
pub struct Interpolation {}

/// A block in the tree, behind all that are below it.
struct Part {
    step: usize,
    /// The first part below it.
    first: usize,
    /// Jumps, with the parts that they start from.
    below: Vec<(usize, usize)>,
}

impl Refinement for Interpolation {
    fn refine(
        &mut self,
        template: &mut Template<'_>,
        precision: &[Vec<TermId>],
        derivation: &Derivation,
        budget: &Budget,
    ) -> Result<Vec<(usize, TermId)>, Reason> {
        let mut parts = Vec::new();
        let last = derivation.steps.len() - 1;
        if !unroll(derivation, last, &mut parts) {
            return Err(Reason::Open("too many blocks on a way that is not real".into()));
        }
        let mut blocks = Blocks::new(template, derivation, &parts, budget)?;
        for index in 0..parts.len() {
            blocks.add(index)?;
        }
        blocks.predicates(precision)
    }
}

/// The tree of blocks below a step, in post-order. False if it is too large.
fn unroll(derivation: &Derivation, step: usize, parts: &mut Vec<Part>) -> bool {
    let first = parts.len();
    let mut below = Vec::new();
    for &(jump, before) in &derivation.steps[step].jumps {
        if !unroll(derivation, before, parts) {
            return false;
        }
        below.push((jump, parts.len() - 1));
    }
    parts.push(Part { step, first, below });
    parts.len() <= MOST_PARTS
}

/// All blocks in one solver, and what they share.
struct Blocks<'a, 'p> {
    template: &'a mut Template<'p>,
    derivation: &'a Derivation,
    parts: &'a [Part],
    budget: &'a Budget,
    solver: BitBlaster<Parts>,
    copies: Copies,
    /// For each part: its observables' bits, as literals and as terms over placeholders.
    interfaces: Vec<Vec<(Literal, TermId)>>,
}

impl<'a, 'p> Blocks<'a, 'p> {
    fn new(
        template: &'a mut Template<'p>,
        derivation: &'a Derivation,
        parts: &'a [Part],
        budget: &'a Budget,
    ) -> Result<Self, Reason> {
        let mut solver = BitBlaster::with_sat_solver(Parts::new());
        let truth = solver.literal(template.pool(), TermPool::TRUE, budget)?;
        solver.sat().set_truth(truth);
        let (copies, interfaces) = (Copies::default(), Vec::new());
        Ok(Self { template, derivation, parts, budget, solver, copies, interfaces })
    }

    /// Adds a block, and links it to those below.
    fn add(&mut self, index: usize) -> Result<(), Reason> {
        self.budget.check_now().map_err(Reason::Stopped)?;
        let (part, derivation) = (&self.parts[index], self.derivation);
        let step = &derivation.steps[part.step];
        self.solver.sat().set_part(Some(index as u32));
        self.copies.add(self.template, step);
        for condition in self.copies.conditions(self.template, index, step) {
            let literal = self.literal(condition)?;
            self.solver.add_clause(&[literal]);
        }
        for &(jump, below) in &part.below {
            let bits = self.interfaces[below].clone();
            for (shared, predicate) in bits {
                let here = self.template.at_jump(jump, predicate);
                self.link(index, shared, here)?;
            }
        }
        let mut interface = Vec::new();
        if let Reached::Return(number) = step.reached {
            for predicate in self.observed_bits(self.template.returns[number].location) {
                let shared = self.solver.sat().interface(index as u32);
                let here = self.template.at_return(number, predicate);
                self.link(index, shared, here)?;
                interface.push((shared, predicate));
            }
        }
        self.interfaces.push(interface);
        Ok(())
    }

    fn literal(&mut self, term: TermId) -> Result<Literal, Reason> {
        let pool = &self.template.unwinder.encoder.pool;
        Ok(self.solver.literal(pool, term, self.budget)?)
    }

    fn link(&mut self, index: usize, shared: Literal, term: TermId) -> Result<(), Reason> {
        let here = self.copies.copy(self.template, index, term);
        let here = self.literal(here)?;
        self.solver.add_clause(&[!shared, here]);
        self.solver.add_clause(&[shared, !here]);
        Ok(())
    }

    /// Every bit that can be observed at a location.
    fn observed_bits(&mut self, location: usize) -> Vec<TermId> {
        let placeholders: Vec<TermId> =
            self.template.locations[location].placeholders.iter().flatten().copied().collect();
        let pool = self.template.pool();
        let mut bits = Vec::new();
        for placeholder in placeholders {
            let word = match pool.sort(placeholder) {
                Sort::BitVec(_) => placeholder,
                Sort::Float(_) => pool.float_to_bits(placeholder),
                _ => continue,
            };
            bits.extend((0..pool.width(word)).map(|index| pool.bit(word, index)));
        }
        bits
    }

    /// The interpolants of all meetings.
    fn predicates(mut self, precision: &[Vec<TermId>]) -> Result<Vec<(usize, TermId)>, Reason> {
        self.solver.sat().set_part(None);
        match self.solver.check_literals(&[], self.budget) {
            CheckResult::Unsat => {}
            CheckResult::Unknown(reason) => return Err(Reason::Stopped(reason)),
            CheckResult::Sat => {
                let why = "what can be observed does not tell a way that is not real from a real one";
                return Err(Reason::Open(why.into()));
            }
        }
        let lost = || Reason::Open("no proof by resolution for a way that is not real".into());
        let found = self.solver.sat().refute(self.budget).map_err(Reason::Stopped)?.ok_or_else(lost)?;
        let mut new = Vec::new();
        let mut known: FxHashSet<(usize, TermId)> = FxHashSet::default();
        for (index, part) in self.parts.iter().enumerate() {
            let Some(location) = self.derivation.steps[part.step].location else { continue };
            let terms: FxHashMap<Literal, TermId> = self.interfaces[index].iter().copied().collect();
            let pool = &mut self.template.unwinder.encoder.pool;
            let range = (part.first as u32, index as u32);
            let interpolant = found.interpolant(range, &terms, pool, self.budget).map_err(Reason::Stopped)?;
            let predicate = positive(pool, interpolant.ok_or_else(lost)?);
            let is_new = !pool.is_constant(predicate) && !precision[location].contains(&predicate);
            if is_new && known.insert((location, predicate)) {
                if pool.dag_size(&[predicate]) > LARGEST {
                    return Err(Reason::Open("an interpolant is too large".into()));
                }
                new.push((location, predicate));
            }
        }
        Ok(new)
    }
}

fn positive(pool: &TermPool, predicate: TermId) -> TermId {
    match pool.op(predicate) {
        Op::Not => pool.children(predicate)[0],
        _ => predicate,
    }
}

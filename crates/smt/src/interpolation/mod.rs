//! Craig interpolation for trees of formulas, from a resolution proof over their clauses.
//!
//! The formulas are *parts*, the nodes of a tree in post-order: a part comes behind all parts below it.
//! Each part has variables of its own, and shares the [interface](Parts::interface) with the part above it.
//! If all together have no model, the interpolant of a part follows from the parts at and below it,
//! contradicts the rest, and speaks of the part's interface only.
//! (McMillan: "Interpolation and SAT-Based Model Checking", CAV 2003. Interpolants of all parts come
//! from one proof, so that those of the parts below imply, with a part, its own.)

mod refutation;

use crate::CheckResult;
use crate::sat::{Cadical, Literal, SatSolver};
use base::{Budget, StopReason};
use refutation::{Refutation, refute};
use rustc_hash::FxHashMap;
use term::{TermId, TermPool};

/// Where a variable occurs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Owner {
    /// In a lemma whose part is not known yet.
    Nobody,
    Part(u32),
    /// In a part and the one above it.
    Interface(u32),
}

/// A SAT solver that remembers which part of a formula every clause is from.
pub struct Parts {
    sat: Cadical,
    clauses: Vec<(u32, Vec<Literal>)>,
    /// By variable.
    owners: Vec<Owner>,
    /// The part that is added to; none while lemmas are found, which belong where their variables do.
    current: Option<u32>,
    /// A literal that is true, in no part.
    truth: Option<Literal>,
    /// A clause has no part, so there is nothing to be said.
    is_lost: bool,
}

impl Default for Parts {
    fn default() -> Self {
        Self::new()
    }
}

impl Parts {
    pub fn new() -> Self {
        let sat = Cadical::without_preprocessing();
        let (clauses, owners) = (Vec::new(), vec![Owner::Nobody]);
        Self { sat, clauses, owners, current: None, truth: None, is_lost: false }
    }

    /// What comes from now on belongs to a part, or where its variables belong.
    pub fn set_part(&mut self, part: Option<u32>) {
        self.current = part;
    }

    /// The literal that stands for truth, whatever the part.
    pub fn set_truth(&mut self, literal: Literal) {
        self.truth = Some(literal);
        self.clauses.retain(|(_, clause)| !clause.contains(&literal));
    }

    /// A variable that a part shares with the one above it.
    pub fn interface(&mut self, part: u32) -> Literal {
        let literal = self.sat.new_variable();
        self.owners.push(Owner::Interface(part));
        literal
    }

    fn owner(&self, literal: Literal) -> Owner {
        self.owners[literal.to_dimacs().unsigned_abs() as usize]
    }

    fn part_of(&mut self, clause: &[Literal]) -> Option<u32> {
        let owners = clause.iter().map(|&literal| self.owner(literal));
        let owned = owners.filter_map(|owner| if let Owner::Part(part) = owner { Some(part) } else { None });
        let part = self.current.or(owned.min())?;
        for literal in clause {
            let owner = &mut self.owners[literal.to_dimacs().unsigned_abs() as usize];
            if *owner == Owner::Nobody {
                *owner = Owner::Part(part);
            }
        }
        Some(part)
    }

    /// Refutes all parts together, as often as needed to ask for interpolants. `None` if no proof is found
    /// whose clauses all have their part.
    pub fn refute(&self, budget: &Budget) -> Result<Option<Interpolation<'_>>, StopReason> {
        if self.is_lost {
            return Ok(None);
        }
        let clauses = self.clauses.iter().map(|(_, clause)| clause.clone());
        let Some(refutation) = refute(self.owners.len() - 1, clauses, budget)? else { return Ok(None) };
        let needed = needed(&refutation);
        Ok(Some(Interpolation { parts: self, refutation, needed }))
    }
}

impl SatSolver for Parts {
    fn new_variable(&mut self) -> Literal {
        self.owners.push(self.current.map_or(Owner::Nobody, Owner::Part));
        self.sat.new_variable()
    }

    fn add_clause(&mut self, clause: &[Literal]) {
        self.sat.add_clause(clause);
        if self.truth.is_some_and(|truth| clause.contains(&truth)) {
            return;
        }
        let clause: Vec<Literal> =
            clause.iter().copied().filter(|&literal| Some(!literal) != self.truth).collect();
        match self.part_of(&clause) {
            Some(part) => self.clauses.push((part, clause)),
            None => self.is_lost |= self.truth.is_some(),
        }
    }

    fn solve(&mut self, assumptions: &[Literal], budget: &Budget) -> CheckResult {
        self.sat.solve(assumptions, budget)
    }

    fn value(&mut self, literal: Literal) -> bool {
        self.sat.value(literal)
    }

    fn failed(&mut self, assumption: Literal) -> bool {
        self.sat.failed(assumption)
    }

    fn limit_conflicts(&mut self, conflicts: i32) {
        self.sat.limit_conflicts(conflicts);
    }

    fn growth(&self) -> u64 {
        self.sat.growth()
    }
}

/// The clauses that the empty one is derived from.
fn needed(refutation: &Refutation) -> Vec<bool> {
    let mut needed = vec![false; refutation.clauses.len()];
    if let Some(last) = needed.last_mut() {
        *last = true;
    }
    for id in (0..needed.len()).rev().filter(|&id| id >= refutation.given) {
        if needed[id] {
            refutation.clauses[id].chain.iter().for_each(|&(used, _)| needed[used as usize] = true);
        }
    }
    needed
}

/// A proof that the parts have no model together.
pub struct Interpolation<'a> {
    parts: &'a Parts,
    refutation: Refutation,
    needed: Vec<bool>,
}

impl Interpolation<'_> {
    /// The resolutions of the proof.
    pub fn size(&self) -> usize {
        let used = self.refutation.clauses.iter().zip(&self.needed).filter(|&(_, &needed)| needed);
        used.map(|(clause, _)| clause.chain.len().saturating_sub(1)).sum()
    }

    /// The interpolant of part `last`, where the parts below it are `first..last`. `terms` tells what the
    /// variables of its interface are. `None` if lemmas mixed the parts.
    pub fn interpolant(
        &self,
        (first, last): (u32, u32),
        terms: &FxHashMap<Literal, TermId>,
        pool: &mut TermPool,
        budget: &Budget,
    ) -> Result<Option<TermId>, StopReason> {
        let is_below = |part: u32| (first..=last).contains(&part);
        let is_local = |variable: u32| match self.parts.owners[variable as usize] {
            Owner::Nobody => false,
            Owner::Part(part) => is_below(part),
            Owner::Interface(part) => is_below(part) && part != last,
        };
        let mut partial: FxHashMap<u32, TermId> = FxHashMap::default();
        let mut result = TermPool::TRUE;
        for (id, clause) in self.refutation.clauses.iter().enumerate().filter(|&(id, _)| self.needed[id]) {
            budget.check()?;
            result = match self.parts.clauses.get(id).filter(|_| id < self.refutation.given) {
                Some(&(part, _)) if is_below(part) => {
                    let Some(shared) = self.shared(&clause.literals, last, terms, pool) else {
                        return Ok(None);
                    };
                    shared
                }
                Some(_) => TermPool::TRUE,
                None => {
                    let mut interpolant = partial[&clause.chain[0].0];
                    for &(other, pivot) in &clause.chain[1..] {
                        interpolant = match is_local(pivot) {
                            true => pool.or(interpolant, partial[&other]),
                            false => pool.and(interpolant, partial[&other]),
                        };
                    }
                    interpolant
                }
            };
            partial.insert(id as u32, result);
        }
        Ok(Some(result))
    }

    /// What a clause says of the interface.
    fn shared(
        &self,
        clause: &[Literal],
        part: u32,
        terms: &FxHashMap<Literal, TermId>,
        pool: &mut TermPool,
    ) -> Option<TermId> {
        let mut result = TermPool::FALSE;
        for &literal in clause {
            if self.parts.owner(literal) == Owner::Interface(part) {
                let term = match terms.get(&literal) {
                    Some(&term) => term,
                    None => {
                        let positive = *terms.get(&!literal)?;
                        pool.not(positive)
                    }
                };
                result = pool.or(result, term);
            }
        }
        Some(result)
    }
}

//! Refinement: predicates that rule out a way to an error that is not real.
//!
//! *Linking by predicates only.* Every block of the way gets its own copy of the state at its two ends.
//! Where two blocks meet, the copies are not equated; only the truth values of candidate predicates
//! are, under one literal per predicate and location that all meetings there share: what works at every
//! visit of a loop head is what generalises. If that cannot be satisfied, abstraction with the predicates
//! in the core refutes the way. Candidates come in ranks, the general ones first; the last rank has
//! single bits, which equate whatever can be observed. Of each rank only those are given to the solver
//! that tell the two sides of a meeting apart in a model which is still possible.

use super::abstraction::Reached;
use super::candidates::Candidates;
use super::interpolation::Interpolation;
use super::samples::Samples;
use super::template::Template;
use crate::outcome::Reason;
use base::Budget;
use rustc_hash::{FxHashMap, FxHashSet};
use smt::sat::Cadical;
use smt::{BitBlaster, Check, CheckResult, Model, UnsatCore};
use std::time::Duration;
use term::{Op, Sort, TermId, TermPool};

/// A block on the way to an error.
pub struct Step {
    pub reached: Reached,
    /// The location that is reached; none for an error.
    pub location: Option<usize>,
    /// Jumps in the block, in order, with the step that each starts from.
    pub jumps: Vec<(usize, usize)>,
}

/// All blocks that lead to an error, each behind those that it depends on, the error last.
pub struct Derivation {
    pub steps: Vec<Step>,
}

impl Derivation {
    /// The steps of the way itself, from the start: a block continues what its last jump starts from.
    pub fn main_path(&self) -> Vec<&Step> {
        let mut steps: Vec<&Step> = self.steps.last().into_iter().collect();
        while let Some(&(_, before)) = steps.last().and_then(|step| step.jumps.last()) {
            steps.extend(self.steps.get(before));
        }
        steps.reverse();
        steps
    }

    pub fn locations(&self) -> Vec<usize> {
        let locations: FxHashSet<usize> = self.steps.iter().filter_map(|step| step.location).collect();
        let mut locations: Vec<usize> = locations.into_iter().collect();
        locations.sort_unstable();
        locations
    }
}

/// Finds predicates that rule out what is not real.
pub trait Refinement {
    /// New predicates with their locations, such that abstraction with them does not find this way again.
    fn refine(
        &mut self,
        template: &mut Template<'_>,
        precision: &[Vec<TermId>],
        derivation: &Derivation,
        budget: &Budget,
    ) -> Result<Vec<(usize, TermId)>, Reason>;
}

/// How predicates are found.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum RefinementKind {
    /// Blocks are linked by candidate predicates; the minimised core is taken.
    #[default]
    Core,
    /// Craig interpolation on the bit-blasted blocks.
    Interpolation,
}

impl RefinementKind {
    pub fn refinement(self) -> Box<dyn Refinement> {
        match self {
            Self::Core => Box::<Linking>::default(),
            Self::Interpolation => Box::<Interpolation>::default(),
        }
    }
}

/// See the head of this file.
#[derive(Default)]
pub struct Linking {
    /// As soon as they are needed.
    samples: Option<Samples>,
}

impl Refinement for Linking {
    fn refine(
        &mut self,
        template: &mut Template<'_>,
        precision: &[Vec<TermId>],
        derivation: &Derivation,
        budget: &Budget,
    ) -> Result<Vec<(usize, TermId)>, Reason> {
        let mut links = Links::new(template, derivation, budget)?;
        for &location in &derivation.locations() {
            for &predicate in &precision[location] {
                let equal = links.equal(location, predicate);
                links.assert(equal)?;
            }
        }
        let mut candidates = Candidates::new(links.template, precision, derivation);
        if let Some(core) = links.refuted()? {
            return links.minimise(core);
        }
        while let Some(rank) = candidates.next_rank(links.template, &mut self.samples, budget)? {
            for (location, predicate) in rank {
                links.offer(location, predicate)?;
            }
            while links.add_useful()? {
                if let Some(core) = links.refuted()? {
                    return links.minimise(core);
                }
            }
        }
        Err(Reason::Open("no predicates over what can be observed rule out a way that is not real".into()))
    }
}

/// A solver with a copy of every block, and what links them.
struct Links<'a, 'p> {
    template: &'a mut Template<'p>,
    derivation: &'a Derivation,
    budget: &'a Budget,
    solver: BitBlaster,
    /// For each step, from terms of the template to those of its copy.
    copies: Vec<FxHashMap<TermId, TermId>>,
    links: Vec<Link>,
    /// Candidates that the solver does not know of.
    offered: Vec<Link>,
}

/// So many candidates are given to the solver at once.
const AT_ONCE: usize = 6;

/// A question of the minimisation that takes longer is answered by keeping the predicate.
const PATIENCE: Duration = Duration::from_millis(100);

#[derive(Clone, Copy)]
struct Link {
    location: usize,
    predicate: TermId,
    /// It is the same on both sides of every meeting.
    equal: TermId,
    active: TermId,
}

impl<'a, 'p> Links<'a, 'p> {
    fn new(
        template: &'a mut Template<'p>,
        derivation: &'a Derivation,
        budget: &'a Budget,
    ) -> Result<Self, Reason> {
        let solver = BitBlaster::with_sat_solver(Cadical::without_preprocessing());
        let copies = derivation.steps.iter().map(|step| template.fixed(&step.jumps)).collect();
        let mut links =
            Self { template, derivation, budget, solver, copies, links: Vec::new(), offered: Vec::new() };
        for (index, step) in derivation.steps.iter().enumerate() {
            budget.check().map_err(Reason::Stopped)?;
            links.add_block(index, step)?;
        }
        Ok(links)
    }

    /// A copy of the block, through the same jumps and no others.
    fn add_block(&mut self, index: usize, step: &Step) -> Result<(), Reason> {
        let condition = match step.reached {
            Reached::Return(number) => self.template.returns[number].path,
            Reached::End(number) => self.template.ends[number].guard,
        };
        let condition = self.copy(index, condition);
        self.assert(condition)?;
        for &(jump, _) in &step.jumps {
            let taken = self.copy(index, self.template.jumps[jump].path);
            self.assert(taken)?;
        }
        Ok(())
    }

    fn assert(&mut self, term: TermId) -> Result<(), Reason> {
        let pool = &self.template.unwinder.encoder.pool;
        let literal = self.solver.literal_within(pool, term, self.budget)?;
        self.solver.add_clause(&[literal]);
        Ok(())
    }

    /// A term in the copy of a step.
    fn copy(&mut self, step: usize, term: TermId) -> TermId {
        let (pool, copies) = (&mut self.template.unwinder.encoder.pool, &mut self.copies[step]);
        let variables = pool.reachable(&[term], |part| copies.contains_key(&part));
        for variable in variables {
            if pool.op(variable) == Op::Variable {
                let fresh = pool.fresh_variable("copy", pool.sort(variable));
                copies.insert(variable, fresh);
            }
        }
        pool.substitute_cached(term, copies)
    }

    /// Wherever two blocks meet at the location, the predicate is the same on both sides.
    fn equal(&mut self, location: usize, predicate: TermId) -> TermId {
        let mut result = TermPool::TRUE;
        let derivation = self.derivation;
        for (index, step) in derivation.steps.iter().enumerate() {
            for &(jump, before) in &step.jumps {
                let Reached::Return(number) = derivation.steps[before].reached else { continue };
                if derivation.steps[before].location != Some(location) {
                    continue;
                }
                let left = self.template.at_return(number, predicate);
                let left = self.copy(before, left);
                let right = self.template.at_jump(jump, predicate);
                let right = self.copy(index, right);
                let pool = self.template.pool();
                let same = pool.iff(left, right);
                result = pool.and(result, same);
            }
        }
        result
    }

    fn offer(&mut self, location: usize, predicate: TermId) -> Result<(), Reason> {
        self.budget.check().map_err(Reason::Stopped)?;
        let equal = self.equal(location, predicate);
        if equal != TermPool::TRUE {
            let active = self.template.pool().fresh_variable("link", Sort::Bool);
            self.offered.push(Link { location, predicate, equal, active });
        }
        Ok(())
    }

    /// Adds the first candidates that rule out the solver's model. False if there is none.
    fn add_useful(&mut self) -> Result<bool, Reason> {
        let pool = &self.template.unwinder.encoder.pool;
        let mut useful = Vec::new();
        for (index, link) in self.offered.iter().enumerate() {
            let value = self.solver.value(pool, link.equal).map_err(Reason::Solver)?;
            if value.as_bool() == Some(false) {
                useful.push(index);
                if useful.len() == AT_ONCE {
                    break;
                }
            }
        }
        for &index in useful.iter().rev() {
            let link = self.offered.remove(index);
            let linked = self.template.pool().implies(link.active, link.equal);
            self.links.push(link);
            self.assert(linked)?;
        }
        Ok(!useful.is_empty())
    }

    /// The links that refute the way, if all together do.
    fn refuted(&mut self) -> Result<Option<Vec<Link>>, Reason> {
        let all = self.links.clone();
        self.core(&all, self.budget)
    }

    fn core(&mut self, links: &[Link], budget: &Budget) -> Result<Option<Vec<Link>>, Reason> {
        let assumptions: Vec<TermId> = links.iter().map(|link| link.active).collect();
        let pool = &self.template.unwinder.encoder.pool;
        match self.solver.check(pool, &assumptions, budget).map_err(Reason::Solver)? {
            CheckResult::Unknown(reason) => Err(Reason::Stopped(reason)),
            CheckResult::Sat => Ok(None),
            CheckResult::Unsat => {
                let core: FxHashSet<TermId> = self.solver.unsat_core().iter().copied().collect();
                Ok(Some(links.iter().copied().filter(|link| core.contains(&link.active)).collect()))
            }
        }
    }

    /// Drops links while the others still refute, the least general first.
    fn minimise(&mut self, mut core: Vec<Link>) -> Result<Vec<(usize, TermId)>, Reason> {
        // Candidates are numbered from the general to the special ones.
        core.sort_by_key(|link| link.active);
        let mut next = core.len();
        while next > 0 {
            next -= 1;
            let mut rest = core.clone();
            rest.remove(next);
            self.budget.check_now().map_err(Reason::Stopped)?;
            if let Ok(Some(smaller)) = self.core(&rest, &self.budget.clone().with_time(PATIENCE)) {
                next = next.min(smaller.len());
                core = smaller;
            }
        }
        Ok(core.into_iter().map(|link| (link.location, link.predicate)).collect())
    }
}

//! Refinement by *linking by predicates only*.
//!
//! Every block of the way gets its own copy of the state at its two ends.
//! Where two blocks meet, the copies are not equated; only the truth values of candidate predicates
//! are, under one literal per predicate and location that all meetings there share: what works at every
//! visit of a loop head is what generalises. If that cannot be satisfied, abstraction with the predicates
//! in the core refutes the way. Candidates come in ranks, the general ones first; the last rank has
//! single bits, which equate whatever can be observed. Of each rank only those are given to the solver
//! that tell the two sides of a meeting apart in a model which is still possible. Which of several cores is
//! taken is a matter of [`policy`](super::policy).

use super::abstraction::Reached;
use super::candidates::{Candidate, Candidates};
use super::copies::Copies;
use super::refine::{Derivation, Refinement};
use super::samples::Samples;
use super::template::Template;
use crate::outcome::Reason;
use base::Budget;
use rustc_hash::FxHashSet;
use smt::sat::Cadical;
use smt::sat::SatSolver;
use smt::{BitBlaster, Check, CheckResult, Model, UnsatCore};
use std::time::Duration;
use term::{Sort, TermId, TermPool};

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
            for candidate in rank {
                links.offer(candidate)?;
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
    /// Of each step.
    copies: Copies,
    /// Candidates that the solver knows.
    accepted: Vec<Link>,
    /// Candidates that the solver does not know of.
    offered: Vec<Link>,
}

/// So many candidates are given to the solver at once.
const AT_ONCE: usize = 6;

/// A question of the minimisation that takes more conflicts, or far too long, is answered by keeping the
/// predicate.
const PATIENCE: i32 = 2_000;
const LONGEST: Duration = Duration::from_secs(1);

#[derive(Clone, Copy)]
struct Link {
    candidate: Candidate,
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
        let (copies, accepted, offered) = (Copies::default(), Vec::new(), Vec::new());
        let mut links = Self { template, derivation, budget, solver, copies, accepted, offered };
        for (index, step) in derivation.steps.iter().enumerate() {
            budget.check().map_err(Reason::Stopped)?;
            links.copies.add(links.template, step);
            for condition in links.copies.conditions(links.template, index, step) {
                links.assert(condition)?;
            }
        }
        Ok(links)
    }

    fn assert(&mut self, term: TermId) -> Result<(), Reason> {
        let pool = &self.template.unwinder.encoder.pool;
        let literal = self.solver.literal(pool, term, self.budget)?;
        self.solver.add_clause(&[literal]);
        Ok(())
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
                let left = self.copies.copy(self.template, before, left);
                let right = self.template.at_jump(jump, predicate);
                let right = self.copies.copy(self.template, index, right);
                let pool = self.template.pool();
                let same = pool.iff(left, right);
                result = pool.and(result, same);
            }
        }
        result
    }

    fn offer(&mut self, candidate: Candidate) -> Result<(), Reason> {
        self.budget.check().map_err(Reason::Stopped)?;
        let equal = self.equal(candidate.location, candidate.predicate);
        if equal != TermPool::TRUE {
            let active = self.template.pool().fresh_variable("link", Sort::Bool);
            self.offered.push(Link { candidate, equal, active });
        }
        Ok(())
    }

    /// Adds the first candidates that rule out the solver's model. False if there is none.
    fn add_useful(&mut self) -> Result<bool, Reason> {
        let pool = &self.template.unwinder.encoder.pool;
        let mut useful = Vec::new();
        for (index, link) in self.offered.iter().enumerate() {
            let value = self.solver.value(pool, link.equal)?;
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
            self.accepted.push(link);
            self.assert(linked)?;
        }
        Ok(!useful.is_empty())
    }

    /// The links that refute the way, if all together do.
    fn refuted(&mut self) -> Result<Option<Vec<Link>>, Reason> {
        let all = self.accepted.clone();
        self.core(&all, self.budget)
    }

    fn core(&mut self, links: &[Link], budget: &Budget) -> Result<Option<Vec<Link>>, Reason> {
        let assumptions: Vec<TermId> = links.iter().map(|link| link.active).collect();
        let pool = &self.template.unwinder.encoder.pool;
        match self.solver.check(pool, &assumptions, budget)? {
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
        core.sort_by_key(|link| (link.candidate.generality, link.active));
        let mut next = core.len();
        while next > 0 {
            next -= 1;
            let mut rest = core.clone();
            rest.remove(next);
            self.budget.check_now().map_err(Reason::Stopped)?;
            self.solver.sat().limit_conflicts(PATIENCE);
            if let Ok(Some(smaller)) = self.core(&rest, &self.budget.clone().with_time(LONGEST)) {
                next = next.min(smaller.len());
                core = smaller;
            }
        }
        Ok(core.into_iter().map(|link| (link.candidate.location, link.candidate.predicate)).collect())
    }
}

//! Boolean predicate abstraction of the whole program, in one incremental SAT solver.
//!
//! What is reached at a location is a set of *regions*: conjunctions of predicates and their negations.
//! A model of the blocks that comes back to a location in no known region is a new one, and a clause
//! makes sure that no later model is in it (AllSAT). When there is none any more, the new regions
//! become states that blocks start from: breadth first, so that paths are as short as they can be.
//! Every region knows the model that it comes from, which makes the regions an abstract reachability
//! tree; refinement removes the subtrees of locations that get new predicates, and nothing else.

use super::statistics::Statistics;
use super::template::Template;
use crate::outcome::Reason;
use base::Budget;
use smt::sat::{Cadical, Literal};
use smt::{BitBlaster, Check, CheckResult, SolverError};
use std::time::Instant;
use term::TermId;

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct RegionId(pub u32);

/// The way that a model takes: where it ends, and the regions that it starts from or goes through.
#[derive(Clone, Debug)]
pub struct Origin {
    pub reached: Reached,
    /// Jumps on the way, the first one first, and the region that each is in.
    pub jumps: Vec<(usize, RegionId)>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reached {
    Return(usize),
    End(usize),
}

/// A set of states of a location.
pub struct Region {
    pub location: usize,
    /// The truth of the location's first predicates.
    pub truth: Vec<Option<bool>>,
    pub origin: Origin,
    is_alive: bool,
    /// True as long as the region is known.
    alive: Literal,
    /// For each jump to the location: the jump is to this region.
    selected: Vec<(usize, Literal)>,
}

pub struct Abstraction {
    solver: BitBlaster,
    pub regions: Vec<Region>,
    /// Found, and not started from yet.
    pending: Vec<RegionId>,
    /// The predicates of each location.
    pub precision: Vec<Vec<TermId>>,
    jumps: Vec<Jump>,
    returns: Vec<Return>,
    ends: Vec<Literal>,
    /// Something new is reached.
    anything: Literal,
    is_cartesian: bool,
    budget: Budget,
}

struct Jump {
    location: usize,
    path: Literal,
    /// The jump is to a region that is still to come.
    other: Literal,
    predicates: Vec<Literal>,
}

struct Return {
    location: usize,
    jumps_before: usize,
    /// It comes back to a state in no known region.
    is_new: Literal,
    predicates: Vec<Literal>,
}

impl Abstraction {
    pub fn new(template: &mut Template<'_>, is_cartesian: bool, budget: &Budget) -> Result<Self, Reason> {
        let budget = budget.clone();
        let mut solver = BitBlaster::with_sat_solver(Cadical::without_preprocessing());
        for choice in template.choices() {
            solver.assert(template.pool(), choice).map_err(Reason::Solver)?;
        }
        let anything = solver.new_literal();
        let precision = vec![Vec::new(); template.locations.len()];
        let (regions, pending) = (Vec::new(), Vec::new());
        let (jumps, returns, ends) = (Vec::new(), Vec::new(), Vec::new());
        let mut abstraction = Self {
            solver,
            regions,
            pending,
            precision,
            jumps,
            returns,
            ends,
            anything,
            is_cartesian,
            budget,
        };
        abstraction.add_jumps(template)?;
        abstraction.add_returns(template)?;
        abstraction.add_ends(template)?;
        let mut clause = vec![!anything];
        clause.extend(abstraction.returns.iter().map(|visit| visit.is_new));
        clause.extend(&abstraction.ends);
        abstraction.solver.add_clause(&clause);
        Ok(abstraction)
    }

    fn literal(&mut self, template: &Template<'_>, term: TermId) -> Result<Literal, Reason> {
        self.solver.literal_within(&template.unwinder.encoder.pool, term, &self.budget).map_err(|error| {
            match error {
                SolverError::Stopped(reason) => Reason::Stopped(reason),
                error => Reason::Solver(error),
            }
        })
    }

    fn add_jumps(&mut self, template: &Template<'_>) -> Result<(), Reason> {
        for visit in &template.jumps {
            let (path, assumed) =
                (self.literal(template, visit.path)?, self.literal(template, visit.assumed)?);
            let other = self.solver.new_literal();
            self.solver.add_clause(&[!assumed, other]);
            self.jumps.push(Jump { location: visit.location, path, other, predicates: Vec::new() });
        }
        Ok(())
    }

    fn add_returns(&mut self, template: &Template<'_>) -> Result<(), Reason> {
        for visit in &template.returns {
            let path = self.literal(template, visit.path)?;
            let is_new = self.solver.new_literal();
            self.solver.add_clause(&[!is_new, path]);
            let (location, jumps_before) = (visit.location, visit.jumps_before);
            self.returns.push(Return { location, jumps_before, is_new, predicates: Vec::new() });
        }
        Ok(())
    }

    fn add_ends(&mut self, template: &Template<'_>) -> Result<(), Reason> {
        for end in &template.ends {
            let guard = self.literal(template, end.guard)?;
            self.ends.push(guard);
        }
        Ok(())
    }

    /// Adds predicates to locations, and removes what was reached with fewer.
    pub fn refine(
        &mut self,
        template: &mut Template<'_>,
        predicates: &[(usize, TermId)],
    ) -> Result<(), Reason> {
        for &(location, predicate) in predicates {
            self.precision[location].push(predicate);
            for number in 0..self.jumps.len() {
                if self.jumps[number].location != location {
                    continue;
                }
                let term = template.at_jump(number, predicate);
                let literal = self.literal(template, term)?;
                self.jumps[number].predicates.push(literal);
            }
            for number in 0..self.returns.len() {
                if self.returns[number].location != location {
                    continue;
                }
                let term = template.at_return(number, predicate);
                let literal = self.literal(template, term)?;
                self.returns[number].predicates.push(literal);
            }
        }
        let changed = |region: &Region| predicates.iter().any(|&(location, _)| location == region.location);
        let removed: Vec<RegionId> = self.alive().filter(|&id| changed(self.region(id))).collect();
        self.remove(&removed);
        Ok(())
    }

    pub fn region(&self, id: RegionId) -> &Region {
        &self.regions[id.0 as usize]
    }

    pub fn alive(&self) -> impl Iterator<Item = RegionId> + '_ {
        (0..self.regions.len() as u32).map(RegionId).filter(|&id| self.region(id).is_alive)
    }

    /// Removes regions and all that was reached from them.
    fn remove(&mut self, roots: &[RegionId]) {
        let mut removed = vec![false; self.regions.len()];
        for root in roots {
            removed[root.0 as usize] = true;
        }
        for index in 0..self.regions.len() {
            let region = &mut self.regions[index];
            removed[index] |= region.origin.jumps.iter().any(|(_, parent)| removed[parent.0 as usize]);
            if removed[index] && region.is_alive {
                region.is_alive = false;
                self.solver.add_clause(&[!region.alive]);
                for &(_, selected) in &region.selected {
                    self.solver.add_clause(&[!selected]);
                }
            }
        }
        self.pending.retain(|id| !removed[id.0 as usize]);
    }

    /// Explores until everything is known, or an end is reached: by the way that is returned.
    pub fn explore(
        &mut self,
        statistics: &mut Statistics,
        budget: &Budget,
    ) -> Result<Option<Origin>, Reason> {
        let before = Instant::now();
        let result = self.explore_layers(statistics, budget);
        statistics.abstraction += before.elapsed();
        result
    }

    fn explore_layers(
        &mut self,
        statistics: &mut Statistics,
        budget: &Budget,
    ) -> Result<Option<Origin>, Reason> {
        loop {
            budget.check().map_err(Reason::Stopped)?;
            let before = Instant::now();
            let assumptions = self.assumptions();
            let answer = self.solver.check_literals(&assumptions, budget);
            statistics.solver += before.elapsed();
            statistics.queries += 1;
            match answer {
                CheckResult::Unknown(reason) => return Err(Reason::Stopped(reason)),
                CheckResult::Sat => {
                    if let Some(end) = self.read_model() {
                        return Ok(Some(end));
                    }
                }
                CheckResult::Unsat if self.pending.is_empty() => return Ok(None),
                CheckResult::Unsat => self.start_from_pending(),
            }
        }
    }

    fn assumptions(&self) -> Vec<Literal> {
        let mut assumptions = vec![self.anything];
        assumptions.extend(self.jumps.iter().map(|jump| !jump.other));
        assumptions.extend(self.alive().map(|id| self.region(id).alive));
        assumptions
    }

    /// A way to an end, or a new region.
    fn read_model(&mut self) -> Option<Origin> {
        for end in 0..self.ends.len() {
            if self.solver.is_true(self.ends[end]) {
                return Some(Origin {
                    reached: Reached::End(end),
                    jumps: self.jumps_taken(self.jumps.len()),
                });
            }
        }
        let number = (0..self.returns.len()).find(|&r| self.solver.is_true(self.returns[r].is_new))?;
        let (location, jumps_before) = (self.returns[number].location, self.returns[number].jumps_before);
        let origin = Origin { reached: Reached::Return(number), jumps: self.jumps_taken(jumps_before) };
        let literals = self.returns[number].predicates.clone();
        let truth = literals.into_iter().map(|literal| Some(self.solver.is_true(literal))).collect();
        self.add_region(location, truth, origin);
        None
    }

    /// The jumps on the way of the model, among the first ones.
    fn jumps_taken(&mut self, first: usize) -> Vec<(usize, RegionId)> {
        let mut taken = Vec::new();
        for jump in 0..first {
            if self.solver.is_true(self.jumps[jump].path)
                && let Some(region) = self.region_of_jump(jump)
            {
                taken.push((jump, region));
            }
        }
        taken
    }

    fn region_of_jump(&mut self, jump: usize) -> Option<RegionId> {
        for index in 0..self.regions.len() {
            let region = &self.regions[index];
            let selected = region.selected.iter().find(|&&(other, _)| other == jump).map(|&(_, s)| s);
            if region.is_alive && selected.is_some_and(|selected| self.solver.is_true(selected)) {
                return Some(RegionId(index as u32));
            }
        }
        None
    }

    fn add_region(&mut self, location: usize, mut truth: Vec<Option<bool>>, origin: Origin) {
        if self.is_cartesian {
            self.widen(location, &mut truth);
        }
        let alive = self.solver.new_literal();
        for number in 0..self.returns.len() {
            if self.returns[number].location == location {
                let visit = &self.returns[number];
                let mut clause = vec![!alive, !visit.is_new];
                clause.extend(literals(&visit.predicates, &truth).map(|literal| !literal));
                self.solver.add_clause(&clause);
            }
        }
        let id = RegionId(self.regions.len() as u32);
        let (is_alive, selected) = (true, Vec::new());
        self.regions.push(Region { location, truth, origin, is_alive, alive, selected });
        self.pending.push(id);
    }

    /// Cartesian abstraction: one region for each location, with what all its states have in common.
    fn widen(&self, location: usize, truth: &mut [Option<bool>]) {
        let others = self.alive().map(|id| self.region(id)).filter(|region| region.location == location);
        for other in others {
            for (index, truth) in truth.iter_mut().enumerate() {
                if other.truth.get(index).copied().flatten() != *truth {
                    *truth = None;
                }
            }
        }
    }

    fn start_from_pending(&mut self) {
        for id in std::mem::take(&mut self.pending) {
            let region = &mut self.regions[id.0 as usize];
            for (number, jump) in self.jumps.iter_mut().enumerate() {
                if jump.location != region.location {
                    continue;
                }
                let (selected, other) = (self.solver.new_literal(), self.solver.new_literal());
                self.solver.add_clause(&[!jump.other, selected, other]);
                for literal in literals(&jump.predicates, &region.truth) {
                    self.solver.add_clause(&[!selected, literal]);
                }
                jump.other = other;
                region.selected.push((number, selected));
            }
        }
    }
}

/// The conjuncts of a region in a visit.
fn literals<'a>(predicates: &'a [Literal], truth: &'a [Option<bool>]) -> impl Iterator<Item = Literal> + 'a {
    let known = predicates.iter().zip(truth).filter_map(|(&literal, &truth)| Some((literal, truth?)));
    known.map(|(literal, truth)| literal.negated_if(!truth))
}

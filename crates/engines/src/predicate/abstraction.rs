//! The abstract reachability graph, and predicate abstraction in one incremental SAT solver.
//!
//! An abstract state belongs to a jump of the template (a location and the calls and loops around it) and is
//! a region: a BDD over the predicates of the location. All blocks are in one solver, switched by
//! literals. A model that comes back to a jump in no known region leads to a new state:
//! - *Boolean abstraction*: all combinations of predicates that are reached from the same states by the
//!   same block, one model each (AllSAT), with a clause that excludes the combination from then on;
//! - *Cartesian abstraction*: the conjunction of the predicates, or their negations, that hold in all models.
//!
//! What a new state does not add to the union of the known ones is never found: coverage. The search is
//! breadth first, so that paths are as short as they can be. Every state knows the states that it comes
//! from; refinement removes the subtrees below locations that get new predicates, and nothing else.

use super::implied::{Comparer, Implied};
use super::regions::{Region, Regions};
use super::statistics::Statistics;
use super::template::Template;
use crate::outcome::Reason;
use base::{Budget, StopReason};
use domains::monitors::{Limit, Limits};
use rustc_hash::FxHashMap;
use smt::sat::{Cadical, Literal};
use smt::{BitBlaster, Check, CheckResult};
use std::collections::VecDeque;
use std::collections::hash_map::Entry;
use std::time::Instant;
use term::TermId;

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct StateId(pub u32);

/// The way that a model takes: where it ends, and the states that it starts from or goes through.
#[derive(Clone, Debug)]
pub struct Origin {
    pub reached: Reached,
    /// Jumps on the way, the first one first, and the state at each.
    pub jumps: Vec<(usize, StateId)>,
}

/// One combination of predicates of a state, on the way to an end.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Stop {
    pub state: StateId,
    truth: Vec<Option<bool>>,
}

/// A block on the way to an end, and where it starts.
#[derive(Debug)]
pub struct Passage {
    pub reached: Reached,
    /// Jumps on the way, the first one first, with the passage that leads there; none from the start.
    pub jumps: Vec<(usize, usize)>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reached {
    Return(usize),
    End(usize),
}

/// A node of the abstract reachability graph.
pub struct AbstractState {
    pub jump: usize,
    pub region: Region,
    /// None for the start of the program.
    pub origin: Option<Origin>,
    is_alive: bool,
    /// Nothing is followed from here: see [`Abstraction::give_up`].
    pub is_given_up: bool,
    /// The jump is to this state; none before the state is started from.
    selected: Option<Literal>,
}

pub struct Abstraction {
    solver: BitBlaster,
    pub regions: Regions,
    pub states: Vec<AbstractState>,
    /// Found, and not started from yet: those that are looked at now, and those behind one more return of a
    /// loop.
    pending: VecDeque<StateId>,
    next: VecDeque<StateId>,
    /// The state that is started from, where blocks are looked at one by one.
    current: Option<StateId>,
    /// Those that have been started from since the solver found nothing last, where it looks at all blocks.
    started: Vec<StateId>,
    /// The predicates of each location.
    pub precision: Vec<Vec<TermId>>,
    implied: Vec<Implied>,
    comparer: Comparer,
    jumps: Vec<Jump>,
    returns: Vec<Return>,
    ends: Vec<Literal>,
    /// What can be asked for at once: everything, or what blocks from each jump lead to.
    questions: Vec<Question>,
    is_exclusive: bool,
    is_cartesian: bool,
    /// What blocks are known to reach from regions, with so many predicates.
    cache: FxHashMap<Post, Region>,
    /// Since states were removed last, so many layers have been looked at without finding an end.
    layers: u32,
    /// No execution in which loops come back to their heads less often than this, in all, reaches an end.
    pub verified: u32,
    has_given_up: bool,
    pub limits: Limits,
    budget: Budget,
}

/// A block, the regions that it starts from, and the number of predicates where it ends.
type Post = (usize, Vec<(usize, Region)>, usize);

struct Jump {
    location: usize,
    path: Literal,
    /// The jump is to a state that is still to come.
    other: Literal,
    predicates: Vec<Literal>,
    /// While this is true, states that are known at the jump are not found again.
    known: Literal,
    /// The union of these.
    reached: Region,
}

struct Return {
    jump: Option<usize>,
    comes_back: bool,
    jumps_before: usize,
    path: Literal,
    /// It comes back to a state in no known region.
    is_new: Literal,
    predicates: Vec<Literal>,
}

struct Question {
    /// One of the returns is new, or one of the ends is reached.
    anything: Literal,
    returns: Vec<usize>,
    ends: Vec<usize>,
    /// Other jumps that the same returns and ends can be reached from, switched off.
    off: Vec<Literal>,
    /// Jumps that the returns lead to.
    targets: Vec<usize>,
}

impl Abstraction {
    pub fn new(
        template: &mut Template<'_>,
        regions: Regions,
        is_cartesian: bool,
        budget: &Budget,
    ) -> Result<Self, Reason> {
        let mut solver = BitBlaster::with_sat_solver(Cadical::without_preprocessing());
        for choice in template.choices() {
            solver.assert(template.pool(), choice, budget)?;
        }
        let mut abstraction = Self {
            solver,
            regions,
            states: Vec::new(),
            pending: VecDeque::new(),
            next: VecDeque::new(),
            current: None,
            started: Vec::new(),
            precision: vec![Vec::new(); template.locations.len()],
            implied: template.locations.iter().map(|_| Implied::default()).collect(),
            comparer: Comparer::new(budget),
            jumps: Vec::new(),
            returns: Vec::new(),
            ends: Vec::new(),
            questions: Vec::new(),
            is_exclusive: template.is_exclusive,
            is_cartesian,
            cache: FxHashMap::default(),
            layers: 0,
            verified: 0,
            has_given_up: false,
            limits: Limits::default(),
            budget: budget.clone(),
        };
        let assumed = abstraction.add_jumps(template)?;
        abstraction.add_returns(template)?;
        abstraction.add_ends(template)?;
        abstraction.add_questions(template, &assumed);
        if abstraction.is_exclusive {
            let region = abstraction.regions.everything();
            abstraction.jumps[0].reached = region.clone();
            abstraction.add_state(0, region, None, false);
        }
        Ok(abstraction)
    }

    fn literal(&mut self, template: &Template<'_>, term: TermId) -> Result<Literal, Reason> {
        let pool = &template.unwinder.encoder.pool;
        Ok(self.solver.literal(pool, term, &self.budget)?)
    }

    /// Returns what is assumed at each jump.
    fn add_jumps(&mut self, template: &Template<'_>) -> Result<Vec<Literal>, Reason> {
        let mut all = Vec::new();
        for visit in &template.jumps {
            let path = self.literal(template, visit.path)?;
            let assumed = self.literal(template, visit.assumed)?;
            let (other, known) = (self.solver.new_literal(), self.solver.new_literal());
            if !self.is_exclusive {
                self.solver.add_clause(&[!assumed, other]);
            }
            let (location, predicates, reached) = (visit.location, Vec::new(), self.regions.nothing());
            self.jumps.push(Jump { location, path, other, predicates, known, reached });
            all.push(assumed);
        }
        Ok(all)
    }

    fn add_returns(&mut self, template: &Template<'_>) -> Result<(), Reason> {
        for visit in &template.returns {
            let path = self.literal(template, visit.path)?;
            let is_new = self.solver.new_literal();
            self.solver.add_clause(&[!is_new, path]);
            let (jump, jumps_before, predicates) = (visit.jump, visit.jumps_before, Vec::new());
            let comes_back = visit.comes_back.is_some();
            self.returns.push(Return { jump, comes_back, jumps_before, path, is_new, predicates });
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

    fn add_questions(&mut self, template: &Template<'_>, assumed: &[Literal]) {
        // What cannot be gone on from (something there is not modelled) is an end already.
        let returns: Vec<usize> =
            (0..self.returns.len()).filter(|&r| self.returns[r].jump.is_some()).collect();
        let ends: Vec<usize> = (0..self.ends.len()).collect();
        if !self.is_exclusive {
            return self.add_question(returns, ends, Vec::new());
        }
        let starts = template.starts();
        for (jump, _) in template.jumps.iter().enumerate() {
            let returns: Vec<usize> =
                returns.iter().copied().filter(|&r| starts.of_returns[r].contains(&jump)).collect();
            let ends: Vec<usize> =
                ends.iter().copied().filter(|&e| starts.of_ends[e].contains(&jump)).collect();
            let of_returns = returns.iter().flat_map(|&r| &starts.of_returns[r]);
            let others = of_returns.chain(ends.iter().flat_map(|&e| &starts.of_ends[e])).copied();
            let mut others: Vec<usize> = others.filter(|&other| other != jump).collect();
            others.sort_unstable();
            others.dedup();
            let off = others.into_iter().map(|other| !assumed[other]).collect();
            self.add_question(returns, ends, off);
        }
    }

    fn add_question(&mut self, returns: Vec<usize>, ends: Vec<usize>, off: Vec<Literal>) {
        let anything = self.solver.new_literal();
        let mut clause = vec![!anything];
        clause.extend(returns.iter().map(|&number| self.returns[number].is_new));
        clause.extend(ends.iter().map(|&number| self.ends[number]));
        self.solver.add_clause(&clause);
        let mut targets: Vec<usize> =
            returns.iter().filter_map(|&number| self.returns[number].jump).collect();
        targets.sort_unstable();
        targets.dedup();
        self.questions.push(Question { anything, returns, ends, off, targets });
    }

    /// Adds predicates to locations, and removes what was reached with fewer.
    pub fn refine(
        &mut self,
        template: &mut Template<'_>,
        predicates: &[(usize, TermId)],
    ) -> Result<(), Reason> {
        for &(location, predicate) in predicates {
            let (pool, others) = (&template.unwinder.encoder.pool, &self.precision[location]);
            self.implied[location].add(pool, &mut self.comparer, others, predicate);
            self.precision[location].push(predicate);
            for number in 0..self.jumps.len() {
                if self.jumps[number].location == location {
                    let term = template.at_jump(number, predicate);
                    let literal = self.literal(template, term)?;
                    self.jumps[number].predicates.push(literal);
                }
            }
            for number in 0..self.returns.len() {
                if template.returns[number].location == location {
                    let term = template.at_return(number, predicate);
                    let literal = self.literal(template, term)?;
                    self.returns[number].predicates.push(literal);
                }
            }
        }
        let changed = |state: &AbstractState| {
            let at = self.jumps[state.jump].location;
            state.origin.is_some() && predicates.iter().any(|&(location, _)| location == at)
        };
        let removed: Vec<StateId> = self.alive().filter(|&id| changed(self.state(id))).collect();
        self.remove(&removed)
    }

    /// The model of the last question.
    pub fn model(&mut self) -> &mut BitBlaster {
        &mut self.solver
    }

    pub fn state(&self, id: StateId) -> &AbstractState {
        &self.states[id.0 as usize]
    }

    pub fn alive(&self) -> impl Iterator<Item = StateId> + '_ {
        (0..self.states.len() as u32).map(StateId).filter(|&id| self.state(id).is_alive)
    }

    /// Removes states and all that was reached from them.
    fn remove(&mut self, roots: &[StateId]) -> Result<(), Reason> {
        let mut removed = vec![false; self.states.len()];
        for root in roots {
            removed[root.0 as usize] = true;
        }
        let mut changed = vec![false; self.jumps.len()];
        for index in 0..self.states.len() {
            let state = &mut self.states[index];
            let mut parents = state.origin.iter().flat_map(|origin| &origin.jumps);
            removed[index] |= parents.any(|(_, parent)| removed[parent.0 as usize]);
            if removed[index] && state.is_alive {
                state.is_alive = false;
                changed[state.jump] = true;
                if let Some(selected) = state.selected {
                    self.solver.add_clause(&[!selected]);
                }
            }
        }
        self.pending.retain(|id| !removed[id.0 as usize]);
        self.next.retain(|id| !removed[id.0 as usize]);
        self.layers = 0;
        for jump in (0..self.jumps.len()).filter(|&jump| changed[jump]) {
            self.find_again(jump)?;
        }
        if self.is_exclusive {
            self.look_again(&changed);
        }
        Ok(())
    }

    /// What was removed may have covered what other states lead to.
    fn look_again(&mut self, changed: &[bool]) {
        self.current = None;
        let leads_there = |id: &StateId| {
            let question = &self.questions[self.state(*id).jump];
            let is_open = self.pending.contains(id) || self.next.contains(id) || self.state(*id).is_given_up;
            !is_open && question.targets.iter().any(|&target| changed[target])
        };
        let again: Vec<StateId> = self.alive().filter(leads_there).collect();
        again.into_iter().rev().for_each(|id| self.pending.push_front(id));
    }

    /// Follows nothing from the last state on a way any more, as it cannot be refined.
    pub fn give_up(&mut self, way: &Origin) {
        self.has_given_up = true;
        if let Some(&(_, id)) = way.jumps.last() {
            let state = &mut self.states[id.0 as usize];
            state.is_given_up = true;
            if let Some(selected) = state.selected {
                self.solver.add_clause(&[!selected]);
            }
        }
        self.current = None;
    }

    /// Makes the clauses of a jump's states anew, without those of states that were removed.
    fn find_again(&mut self, jump: usize) -> Result<(), Reason> {
        let old = std::mem::replace(&mut self.jumps[jump].known, self.solver.new_literal());
        self.solver.add_clause(&[!old]);
        let here: Vec<Region> = self
            .alive()
            .map(|id| self.state(id))
            .filter(|state| state.jump == jump)
            .map(|state| state.region.clone())
            .collect();
        let mut reached = self.regions.nothing();
        for region in here {
            reached = self.regions.union(&reached, &region)?;
        }
        for cube in self.regions.cubes(&reached) {
            self.exclude(jump, &cube);
        }
        self.jumps[jump].reached = reached;
        Ok(())
    }

    /// Explores until everything is known, or an end is reached: by the way that is returned.
    pub fn explore(&mut self, statistics: &mut Statistics) -> Result<Option<Origin>, Reason> {
        let before = Instant::now();
        let result = self.explore_all(statistics);
        statistics.abstraction += before.elapsed();
        result
    }

    fn explore_all(&mut self, statistics: &mut Statistics) -> Result<Option<Origin>, Reason> {
        loop {
            self.budget.check().map_err(Reason::Stopped)?;
            self.check_limits()?;
            let found = match self.question() {
                Some(question) => {
                    let assumptions = self.assumptions(question);
                    self.ask(&assumptions, statistics)?.then(|| self.read_model(question))
                }
                None => None,
            };
            match found {
                Some(origin) if matches!(origin.reached, Reached::End(_)) => return Ok(Some(origin)),
                Some(origin) => self.add_successor(origin, statistics)?,
                None if self.advance() => {}
                None => return Ok(None),
            }
        }
    }

    fn check_limits(&self) -> Result<(), Reason> {
        let measured =
            [(Limit::States, self.states.len() as u64), (Limit::RepeatLocations, u64::from(self.layers))];
        match measured.into_iter().find(|&(limit, measure)| self.limits.exceeded(limit, measure)) {
            Some((limit, _)) => Err(Reason::Stopped(StopReason::Limit(self.limits.text(limit)))),
            None => Ok(()),
        }
    }

    /// What to ask next: the number of the question.
    fn question(&self) -> Option<usize> {
        match self.is_exclusive {
            true => self.current.map(|id| self.state(id).jump),
            false => Some(0),
        }
    }

    /// Goes on to states that have not been started from. False if there are none.
    fn advance(&mut self) -> bool {
        self.current = None;
        if self.pending.is_empty() {
            self.layers += 1;
            if !self.has_given_up {
                self.verified = self.verified.max(self.layers);
            }
            std::mem::swap(&mut self.pending, &mut self.next);
        }
        let is_done = self.pending.is_empty();
        if self.is_exclusive {
            self.current = self.pending.pop_front();
            self.current.into_iter().for_each(|id| self.start_from(id));
        } else {
            self.started = std::mem::take(&mut self.pending).into();
            self.started.clone().into_iter().for_each(|id| self.start_from(id));
        }
        !is_done
    }

    fn ask(&mut self, assumptions: &[Literal], statistics: &mut Statistics) -> Result<bool, Reason> {
        let before = Instant::now();
        let answer = self.solver.check_literals(assumptions, &self.budget);
        statistics.solver += before.elapsed();
        statistics.queries += 1;
        match answer {
            CheckResult::Unknown(reason) => Err(Reason::Stopped(reason)),
            answer => Ok(answer == CheckResult::Sat),
        }
    }

    fn assumptions(&self, question: usize) -> Vec<Literal> {
        let question = &self.questions[question];
        let mut assumptions = vec![question.anything];
        assumptions.extend(&question.off);
        assumptions.extend(question.targets.iter().map(|&target| self.jumps[target].known));
        match self.current.and_then(|id| self.state(id).selected) {
            Some(selected) => assumptions.push(selected),
            None => assumptions.extend(self.jumps.iter().map(|jump| !jump.other)),
        }
        assumptions
    }

    /// The way of the model.
    fn read_model(&mut self, question: usize) -> Origin {
        let (ends, returns) =
            (self.questions[question].ends.clone(), self.questions[question].returns.clone());
        let end = ends.into_iter().find(|&end| self.solver.is_true(self.ends[end]));
        let reached = match end {
            Some(end) => Reached::End(end),
            None => {
                let found =
                    returns.into_iter().find(|&number| self.solver.is_true(self.returns[number].is_new));
                Reached::Return(found.unwrap_or(0))
            }
        };
        let jumps = match (reached, self.current) {
            (_, Some(id)) => vec![(self.state(id).jump, id)],
            (Reached::Return(number), None) => self.jumps_taken(self.returns[number].jumps_before),
            (Reached::End(_), None) => self.jumps_taken(self.jumps.len()),
        };
        Origin { reached, jumps }
    }

    /// The jumps on the way of the model, among the first ones.
    fn jumps_taken(&mut self, first: usize) -> Vec<(usize, StateId)> {
        let taken: Vec<bool> = (0..first).map(|jump| self.solver.is_true(self.jumps[jump].path)).collect();
        let mut found: Vec<Option<StateId>> = vec![None; first];
        for index in 0..self.states.len() {
            let (jump, selected) = (self.states[index].jump, self.states[index].selected);
            if self.states[index].is_alive
                && taken.get(jump) == Some(&true)
                && found[jump].is_none()
                && selected.is_some_and(|selected| self.solver.is_true(selected))
            {
                found[jump] = Some(StateId(index as u32));
            }
        }
        found.into_iter().enumerate().filter_map(|(jump, state)| Some((jump, state?))).collect()
    }

    /// Adds the state that a block leads to from the same states as the model does.
    fn add_successor(&mut self, origin: Origin, statistics: &mut Statistics) -> Result<(), Reason> {
        let Reached::Return(number) = origin.reached else { return Ok(()) };
        let Some(jump) = self.returns[number].jump else { return Ok(()) };
        let first = self.truth(number);
        let parents = origin.jumps.iter().map(|&(jump, id)| (jump, self.state(id).region.clone()));
        let post: Post = (number, parents.collect(), first.len());
        let fixed = self.same_way(&origin, number);
        let region = match self.is_cartesian {
            true => self.cartesian(number, post, first, fixed, statistics)?,
            false => self.boolean(number, post, first, fixed, statistics)?,
        };
        debug_assert!(!self.regions.implies(&region, &self.jumps[jump].reached)?, "the state is covered");
        self.jumps[jump].reached = self.regions.union(&self.jumps[jump].reached, &region)?;
        let comes_back = self.returns[number].comes_back;
        self.add_state(jump, region, Some(origin), comes_back);
        Ok(())
    }

    fn truth(&mut self, number: usize) -> Vec<Option<bool>> {
        let literals = self.returns[number].predicates.clone();
        literals.into_iter().map(|literal| Some(self.solver.is_true(literal))).collect()
    }

    /// Assumptions under which models go the same way.
    fn same_way(&self, origin: &Origin, number: usize) -> Vec<Literal> {
        let mut fixed: Vec<Literal> =
            origin.jumps.iter().filter_map(|&(_, id)| self.state(id).selected).collect();
        if self.is_exclusive {
            fixed.extend(origin.jumps.iter().flat_map(|&(jump, _)| &self.questions[jump].off));
            return fixed;
        }
        for (jump, info) in self.jumps[..self.returns[number].jumps_before].iter().enumerate() {
            let is_taken = origin.jumps.iter().any(|&(taken, _)| taken == jump);
            fixed.push(info.path.negated_if(!is_taken));
        }
        fixed
    }

    /// All combinations of the predicates behind a block that are not known yet.
    fn boolean(
        &mut self,
        number: usize,
        post: Post,
        first: Vec<Option<bool>>,
        mut fixed: Vec<Literal>,
        statistics: &mut Statistics,
    ) -> Result<Region, Reason> {
        let Some(jump) = self.returns[number].jump else { return Ok(self.regions.nothing()) };
        let mut region = self.regions.cube(&first)?;
        self.exclude(jump, &first);
        if let Some(known) = self.cache.get(&post) {
            statistics.cached += 1;
            let known = known.clone();
            region = self.regions.union(&region, &known)?;
            let uncovered = self.regions.without(&known, &self.jumps[jump].reached)?;
            for cube in self.regions.cubes(&uncovered) {
                self.exclude(jump, &cube);
            }
        }
        fixed.extend([self.returns[number].is_new, self.jumps[jump].known]);
        while !first.is_empty() && self.ask(&fixed, statistics)? {
            let truth = self.truth(number);
            let cube = self.regions.cube(&truth)?;
            region = self.regions.union(&region, &cube)?;
            self.exclude(jump, &truth);
        }
        let known = self.cache.entry(post).or_insert_with(|| region.clone());
        *known = self.regions.union(known, &region)?;
        Ok(region)
    }

    /// What holds of each predicate behind a block.
    fn cartesian(
        &mut self,
        number: usize,
        post: Post,
        mut truth: Vec<Option<bool>>,
        fixed: Vec<Literal>,
        statistics: &mut Statistics,
    ) -> Result<Region, Reason> {
        let Some(jump) = self.returns[number].jump else { return Ok(self.regions.nothing()) };
        if let Some(known) = self.cache.get(&post) {
            statistics.cached += 1;
            let known = known.clone();
            for cube in self.regions.cubes(&known) {
                self.exclude(jump, &cube);
            }
            return Ok(known);
        }
        for index in 0..truth.len() {
            let Some(value) = truth[index] else { continue };
            let mut assumptions = fixed.clone();
            let literal = self.returns[number].predicates[index];
            assumptions.extend([self.returns[number].path, literal.negated_if(value)]);
            if self.ask(&assumptions, statistics)? {
                let other = self.truth(number);
                truth
                    .iter_mut()
                    .zip(other)
                    .filter(|(one, other)| *one != other)
                    .for_each(|(one, _)| *one = None);
            }
        }
        let region = self.regions.cube(&truth)?;
        self.exclude(jump, &truth);
        self.cache.insert(post, region.clone());
        Ok(region)
    }

    /// No return to the jump is new in a combination of predicates. What others of them imply is left out.
    fn exclude(&mut self, jump: usize, truth: &[Option<bool>]) {
        let location = self.jumps[jump].location;
        let needed = self.implied[location].needed(truth);
        for number in 0..self.returns.len() {
            let visit = &self.returns[number];
            if visit.jump == Some(jump) {
                let mut clause = vec![!self.jumps[jump].known, !visit.is_new];
                clause.extend(literals(&visit.predicates, &needed).map(|literal| !literal));
                self.solver.add_clause(&clause);
            }
        }
    }

    fn add_state(&mut self, jump: usize, region: Region, origin: Option<Origin>, comes_back: bool) {
        let id = StateId(self.states.len() as u32);
        let (is_alive, is_given_up, selected) = (true, false, None);
        self.states.push(AbstractState { jump, region, origin, is_alive, is_given_up, selected });
        let queue = if comes_back { &mut self.next } else { &mut self.pending };
        queue.push_back(id);
    }

    /// Makes blocks start from a state, too.
    fn start_from(&mut self, id: StateId) {
        if self.state(id).selected.is_some() {
            return;
        }
        let (jump, region) = (self.state(id).jump, self.state(id).region.clone());
        let selected = self.solver.new_literal();
        self.constrain(jump, selected, &region);
        if !self.is_exclusive {
            let other = self.solver.new_literal();
            self.solver.add_clause(&[!self.jumps[jump].other, selected, other]);
            self.jumps[jump].other = other;
        }
        self.states[id.0 as usize].selected = Some(selected);
    }

    /// Clauses such that the literal implies that the jump is to the region: one literal for each decision.
    // Regions are hashed by their node, which never changes.
    #[allow(clippy::mutable_key_type)]
    fn constrain(&mut self, jump: usize, selected: Literal, region: &Region) {
        if region.is_nothing() {
            return self.solver.add_clause(&[!selected]);
        }
        let mut known: FxHashMap<Region, Literal> = FxHashMap::from_iter([(region.clone(), selected)]);
        let mut work = vec![region.clone()];
        while let Some(region) = work.pop() {
            let Some(decision) = region.decision() else { continue };
            let (here, predicate) = (known[&region], self.jumps[jump].predicates[decision.predicate]);
            for (next, literal) in [(decision.then, predicate), (decision.otherwise, !predicate)] {
                if next.is_nothing() {
                    self.solver.add_clause(&[!here, !literal]);
                } else if next.decision().is_some() {
                    let solver = &mut self.solver;
                    let below = *known.entry(next.clone()).or_insert_with(|| {
                        work.push(next);
                        solver.new_literal()
                    });
                    self.solver.add_clause(&[!here, !literal, below]);
                }
            }
        }
    }

    /// The blocks that lead to an end that has just been found, each behind those that it depends on, the end
    /// last. Two blocks that start from different combinations of one state depend on different passages.
    pub fn passages(&mut self, end: &Origin, statistics: &mut Statistics) -> Result<Vec<Passage>, Reason> {
        let last = self.stops(end);
        let mut known: FxHashMap<Stop, Vec<Stop>> = FxHashMap::default();
        let mut work = last.clone();
        while let Some(stop) = work.pop() {
            if let Entry::Vacant(entry) = known.entry(stop) {
                let before = self.stops_before(entry.key(), statistics)?;
                work.extend(before.iter().cloned());
                entry.insert(before);
            }
        }
        let mut order: Vec<&Stop> = known.keys().collect();
        // States are numbered in the order in which they were found.
        order.sort_by(|a, b| (a.state, &a.truth).cmp(&(b.state, &b.truth)));
        order.retain(|stop| self.state(stop.state).origin.is_some());
        let positions: FxHashMap<&Stop, usize> =
            order.iter().enumerate().map(|(at, &stop)| (stop, at)).collect();
        let passage = |origin: &Origin, stops: &[Stop]| {
            let jumps = origin.jumps.iter().zip(stops);
            let jumps = jumps.filter_map(|(&(jump, _), stop)| Some((jump, *positions.get(stop)?)));
            Passage { reached: origin.reached, jumps: jumps.collect() }
        };
        let mut result = Vec::new();
        for &stop in &order {
            result.extend(self.state(stop.state).origin.as_ref().map(|origin| passage(origin, &known[stop])));
        }
        result.push(passage(end, &last));
        Ok(result)
    }

    /// The combinations of predicates at the jumps of the model's way.
    fn stops(&mut self, way: &Origin) -> Vec<Stop> {
        let mut stops = Vec::new();
        for &(jump, state) in &way.jumps {
            let literals = self.jumps[jump].predicates.clone();
            let truth = literals.into_iter().map(|literal| Some(self.solver.is_true(literal))).collect();
            stops.push(Stop { state, truth });
        }
        stops
    }

    fn stops_before(&mut self, stop: &Stop, statistics: &mut Statistics) -> Result<Vec<Stop>, Reason> {
        let Some(origin) = self.state(stop.state).origin.clone() else { return Ok(Vec::new()) };
        let Reached::Return(number) = origin.reached else { return Ok(Vec::new()) };
        let mut assumptions = self.same_way(&origin, number);
        assumptions.push(self.returns[number].path);
        let combination: Vec<Literal> = literals(&self.returns[number].predicates, &stop.truth).collect();
        let exact = [&assumptions[..], &combination].concat();
        // Cartesian abstraction has combinations that no block leads to.
        if self.ask(&exact, statistics)? || self.ask(&assumptions, statistics)? {
            return Ok(self.stops(&origin));
        }
        let anything = |&(_, state): &(usize, StateId)| Stop { state, truth: Vec::new() };
        Ok(origin.jumps.iter().map(anything).collect())
    }

    /// States from which something may not have been looked at.
    pub fn open(&self) -> impl Iterator<Item = &AbstractState> {
        let waiting = self.pending.iter().chain(&self.next).chain(&self.current).chain(&self.started);
        let given_up = self.states.iter().filter(|state| state.is_given_up);
        waiting.map(|&id| self.state(id)).chain(given_up).filter(|state| state.is_alive)
    }

    /// All that is known at a jump.
    pub fn region_at(&self, jump: usize) -> &Region {
        &self.jumps[jump].reached
    }
}

/// The conjuncts of a combination in a visit.
fn literals<'a>(predicates: &'a [Literal], truth: &'a [Option<bool>]) -> impl Iterator<Item = Literal> + 'a {
    let known = predicates.iter().zip(truth).filter_map(|(&literal, &truth)| Some((literal, truth?)));
    known.map(|(literal, truth)| literal.negated_if(!truth))
}

//! Invariants for the step case of k-induction.
//!
//! Symbolic abstraction (Reps, Sagiv, Yorsh: "Symbolic implementation of the best transformer",
//! VMCAI 2004), for all loops at once. The step case at depth 0 has every way from a loop head to the
//! next one: from the program's start, or from an arbitrary state at a head, to all heads that a path
//! comes back to. So facts that hold wherever a path comes back, given that they held where it
//! started, hold in every state that a jump stands for. The facts start with no state at all; a
//! solver finds states that are not covered and they grow by these, until none is found.
//!
//! What is not seen at depth 0, because it is recursive or cannot be encoded, must be unreachable
//! under the facts; otherwise there are none.

use crate::bmc::is_satisfiable;
use crate::options::Options;
use crate::outcome::Reason;
use crate::solver::Solver;
use crate::unwind::{Unwinder, Visit};
use base::Budget;
use cfa::loops::LoopId;
use invariants::{Candidates, LoopFacts, Surroundings};
use smt::{Check, Model};
use term::{TermId, TermPool, Value};

/// After so many states, joint values that still change are not told apart any more.
const MOST_STATES: u32 = 1500;

/// The part of the time that is left that may go into finding invariants.
const SHARE: f64 = 0.5;

/// How far the invariants are.
pub struct Strengthening {
    /// What is being searched.
    facts: Invariants,
    /// The last ones that were found, and behind how many jumps they are asserted.
    found: Option<Invariants>,
    asserted: usize,
    /// Jumps at depth 0, and conditions under which something was not encoded there.
    jumps: usize,
    blind: Vec<TermId>,
    /// For all searches together.
    budget: Option<Budget>,
    /// The solver of the last search, if that was interrupted: it goes on from what it has learnt.
    interrupted: Option<Solver>,
    is_over: bool,
}

/// What may go into finding invariants.
fn share_of(whole: &Budget) -> Budget {
    match whole.remaining() {
        Some(left) => whole.clone().with_time(left.mul_f64(SHARE)),
        None => whole.clone(),
    }
}

/// A budget that ends with another one, at the latest.
fn narrowed(budget: &Budget, other: &Budget) -> Budget {
    match other.remaining() {
        Some(left) => budget.clone().with_time(left),
        None => budget.clone(),
    }
}

impl Strengthening {
    pub fn new(facts: Invariants) -> Self {
        let (found, blind, budget, interrupted) = (None, Vec::new(), None, None);
        Self { facts, found, asserted: 0, jumps: 0, blind, budget, interrupted, is_over: false }
    }

    /// Depth 0 has been unwound: that is what invariants will be learnt from.
    pub fn begin(&mut self, unwinder: &Unwinder<'_>, blind: &[TermId]) {
        self.jumps = unwinder.watch.jumps.len();
        self.blind = blind.to_vec();
    }

    /// Whether invariants have been looked for, or were given.
    pub fn has_ended(&self) -> bool {
        self.is_over || self.found.is_some()
    }

    /// Whether a search for invariants is to go on.
    pub fn is_unfinished(&self) -> bool {
        self.interrupted.is_some()
    }

    /// Looks for invariants, or for stronger ones that exclude what the solver has just found.
    /// False if there is nothing new. A search that is stopped because its turn is over goes on in
    /// the next one.
    pub fn advance(
        &mut self,
        unwinder: &mut Unwinder<'_>,
        solver: &mut Solver,
        options: &Options,
        [whole, turn]: [&Budget; 2],
    ) -> Result<bool, Reason> {
        let is_new = self.interrupted.is_none();
        if self.is_over || (is_new && self.found.is_some() && !self.facts.refine(unwinder, solver)?) {
            return Ok(false);
        }
        let share = self.budget.get_or_insert_with(|| share_of(whole));
        let budget = &narrowed(turn, share);
        let (jumps, blind) = (self.jumps, &self.blind[..]);
        let invariants = &mut self.facts;
        let mut searcher = self.interrupted.take().map_or_else(|| start_searcher(options), Ok)?;
        let found = Search { unwinder, invariants, jumps, blind, budget }.run(&mut searcher);
        if let Err(Reason::Stopped(reason)) = &found
            && share.check_now().is_ok()
        {
            self.interrupted = Some(searcher);
            return Err(Reason::Stopped(reason.clone()));
        }
        self.is_over = !matches!(found, Ok(true));
        match found {
            Err(Reason::Stopped(_)) => turn.check_now().map_err(Reason::Stopped)?,
            Err(reason) => return Err(reason),
            Ok(_) => {}
        }
        if !self.is_over {
            self.found = Some(self.facts.clone());
            self.asserted = 0;
            self.apply(unwinder, solver, whole)?;
        }
        Ok(!self.is_over)
    }

    /// The facts of each loop that have been found to be invariants; empty if there are none.
    pub fn found(&self) -> Vec<LoopFacts> {
        self.found.as_ref().map_or(Vec::new(), |found| found.facts.clone())
    }

    /// Takes facts for invariants, and looks for no others.
    pub fn set_found(&mut self, facts: &[LoopFacts]) {
        self.is_over = true;
        self.found = (!facts.is_empty()).then(|| Invariants { facts: facts.to_vec(), has_pairs: true });
    }

    /// Whether what has been found, or was given, are invariants.
    pub fn check(
        &mut self,
        unwinder: &mut Unwinder<'_>,
        options: &Options,
        budget: &Budget,
    ) -> Result<bool, Reason> {
        let Some(invariants) = &mut self.found else { return Ok(true) };
        let missing = |visit: &Visit| {
            let facts = invariants.of(LoopId(visit.point));
            (0..visit.terms.len()).any(|index| visit.terms[index].is_none() && facts.knows(index))
        };
        if unwinder.watch.returns.iter().any(missing) {
            return Ok(false);
        }
        let (jumps, blind) = (self.jumps, &self.blind[..]);
        let mut solver = Solver::start(options)?;
        Ok(Search { unwinder, invariants, jumps, blind, budget }.uncovered_states(&mut solver)?.is_none())
    }

    /// Asserts what is known behind the jumps that are new.
    pub fn apply(
        &mut self,
        unwinder: &mut Unwinder<'_>,
        solver: &mut Solver,
        budget: &Budget,
    ) -> Result<(), Reason> {
        let Some(found) = &self.found else { return Ok(()) };
        for visit in unwinder.watch.jumps[self.asserted..].iter().filter(|visit| visit.is_known) {
            let pool = &mut unwinder.encoder.pool;
            let known = found.formula(pool, visit);
            let known = pool.implies(visit.assumed, known);
            solver.assert(pool, known, budget)?;
        }
        self.asserted = unwinder.watch.jumps.len();
        Ok(())
    }
}

/// The facts of every loop.
#[derive(Clone)]
pub struct Invariants {
    pub facts: Vec<LoopFacts>,
    /// The joint values of each two observables are told apart, not just where it has turned out to
    /// be useful.
    has_pairs: bool,
}

impl Invariants {
    /// Facts that no state satisfies yet.
    pub fn new(around: Surroundings<'_>) -> Self {
        let candidates = Candidates::new(around);
        let ids = around.loops.loops.ids();
        let facts = ids.map(|id| {
            let (watched, related) = candidates.at(id);
            LoopFacts::new(watched, &related)
        });
        Self { facts: facts.collect(), has_pairs: false }
    }

    fn of(&self, id: LoopId) -> &LoopFacts {
        &self.facts[id.0 as usize]
    }

    /// All facts of a loop as a condition on a visit.
    pub fn formula(&self, pool: &mut TermPool, visit: &Visit) -> TermId {
        let facts = self.of(LoopId(visit.point));
        if !facts.is_reached() {
            return TermPool::FALSE;
        }
        let mut formula = TermPool::TRUE;
        for fact in 0..facts.fact_count() {
            let term = facts.formula(pool, fact, &visit.terms);
            formula = pool.and(formula, term);
        }
        formula
    }
}

impl Invariants {
    /// Looks closer at the loops that the solver's model jumps to. True if there is more to look at;
    /// then all facts start anew.
    pub fn refine(&mut self, unwinder: &Unwinder<'_>, solver: &mut Solver) -> Result<bool, Reason> {
        let mut refined = false;
        for visit in &unwinder.watch.jumps {
            let pool = &unwinder.encoder.pool;
            if solver.value(pool, visit.path)? == Value::Bool(true) {
                let state = read_state(solver, pool, visit)?;
                refined |= self.facts[visit.point as usize].refine(&state);
            }
        }
        if !refined && !self.has_pairs {
            self.has_pairs = true;
            refined = true;
            self.facts.iter_mut().for_each(LoopFacts::add_pairs);
        }
        if refined {
            self.facts.iter_mut().for_each(LoopFacts::restart);
        }
        Ok(refined)
    }
}

/// The values of a visit's observables in the solver's model.
fn read_state(solver: &mut Solver, pool: &TermPool, visit: &Visit) -> Result<Vec<Option<u64>>, Reason> {
    let mut state = Vec::with_capacity(visit.terms.len());
    for term in &visit.terms {
        let value = term.map(|term| solver.value(pool, term)).transpose()?;
        state.push(value.and_then(|value| value.as_bitvec()?.to_u64()));
    }
    Ok(state)
}

/// Formulas of the facts at one visit, kept as long as the facts stay what they are.
struct Formulas {
    kept: Vec<Option<(u32, TermId)>>,
}

impl Formulas {
    fn new(facts: &LoopFacts) -> Self {
        Self { kept: vec![None; facts.fact_count()] }
    }

    fn all(&mut self, facts: &LoopFacts, pool: &mut TermPool, terms: &[Option<TermId>]) -> Vec<TermId> {
        if !facts.is_reached() {
            return vec![TermPool::FALSE];
        }
        for (fact, kept) in self.kept.iter_mut().enumerate() {
            let revision = facts.revision(fact);
            if kept.is_none_or(|(of, _)| of != revision) {
                *kept = Some((revision, facts.formula(pool, fact, terms)));
            }
        }
        self.kept.iter().flatten().map(|&(_, term)| term).filter(|&term| term != TermPool::TRUE).collect()
    }
}

/// The search for facts that cover all states.
pub struct Search<'a, 'p> {
    pub unwinder: &'a mut Unwinder<'p>,
    pub invariants: &'a mut Invariants,
    /// As many jumps as there were at depth 0.
    pub jumps: usize,
    /// Conditions under which the program does something that was not encoded.
    pub blind: &'a [TermId],
    pub budget: &'a Budget,
}

/// A solver for many easy questions: simplifying in between would cost more than all the answers.
fn start_searcher(options: &Options) -> Result<Solver, Reason> {
    let options = Options { preprocessing: false, ..options.clone() };
    Solver::start(&options).map_err(Reason::Solver)
}

impl Search<'_, '_> {
    /// Makes the facts grow until they are invariants. False if they cannot be.
    pub fn run(&mut self, solver: &mut Solver) -> Result<bool, Reason> {
        self.ignore_what_is_missing();
        let mut states = 0;
        let mut formulas = self.formulas();
        while let Some(uncovered) = self.next_uncovered(solver, &mut formulas)? {
            states += 1;
            if !self.learn(solver, &uncovered, states > MOST_STATES)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// For each return, when it is in a state that the facts do not cover, if that can be.
    fn uncovered_states(&mut self, solver: &mut Solver) -> Result<Option<Vec<TermId>>, Reason> {
        let mut formulas = self.formulas();
        self.next_uncovered(solver, &mut formulas)
    }

    fn formulas(&self) -> [Vec<Formulas>; 2] {
        let watch = &self.unwinder.watch;
        let of = |visits: &[Visit]| {
            visits.iter().map(|v| Formulas::new(self.invariants.of(LoopId(v.point)))).collect()
        };
        [of(&watch.jumps[..self.jumps]), of(&watch.returns)]
    }

    fn next_uncovered(
        &mut self,
        solver: &mut Solver,
        [at_jumps, at_returns]: &mut [Vec<Formulas>; 2],
    ) -> Result<Option<Vec<TermId>>, Reason> {
        let mut assumptions = self.assumptions(at_jumps);
        let uncovered = self.uncovered(at_returns);
        let pool = &mut self.unwinder.encoder.pool;
        let any = pool.or_all(uncovered.iter().chain(self.blind).copied());
        assumptions.push(any);
        let possible = is_satisfiable(solver.check(pool, &assumptions, self.budget))?;
        Ok(possible.then_some(uncovered))
    }

    fn ignore_what_is_missing(&mut self) {
        for visit in &self.unwinder.watch.returns {
            let facts = &mut self.invariants.facts[visit.point as usize];
            for (index, _) in visit.terms.iter().enumerate().filter(|(_, term)| term.is_none()) {
                facts.ignore(index);
            }
        }
    }

    /// What holds behind each jump, and that the depth of the induction is 0. Paths that could jump
    /// and do not are left out: what they do next is done from the state of the jump, too.
    fn assumptions(&mut self, formulas: &mut [Formulas]) -> Vec<TermId> {
        let pool = &mut self.unwinder.encoder.pool;
        let mut assumptions = self.unwinder.watch.choices.clone();
        for (visit, formulas) in self.unwinder.watch.jumps[..self.jumps].iter().zip(formulas) {
            for fact in formulas.all(self.invariants.of(LoopId(visit.point)), pool, &visit.terms) {
                assumptions.push(pool.implies(visit.assumed, fact));
            }
        }
        if let Some(induction) = &self.unwinder.induction {
            for (depth, &literal) in induction.active.iter().enumerate() {
                assumptions.push(if depth == 0 { literal } else { pool.not(literal) });
            }
        }
        assumptions
    }

    /// For each return, when it is in a state that the facts do not cover.
    fn uncovered(&mut self, formulas: &mut [Formulas]) -> Vec<TermId> {
        let pool = &mut self.unwinder.encoder.pool;
        let mut result = Vec::new();
        for (visit, formulas) in self.unwinder.watch.returns.iter().zip(formulas) {
            let facts = formulas.all(self.invariants.of(LoopId(visit.point)), pool, &visit.terms);
            let covered = pool.and_all(facts);
            let not_covered = pool.not(covered);
            result.push(pool.and(visit.path, not_covered));
        }
        result
    }

    /// Adds the states of the solver's model. False if the model is about something else.
    fn learn(&mut self, solver: &mut Solver, uncovered: &[TermId], impatient: bool) -> Result<bool, Reason> {
        let pool = &self.unwinder.encoder.pool;
        let mut learnt = false;
        for (visit, &condition) in self.unwinder.watch.returns.iter().zip(uncovered) {
            if solver.value(pool, condition)? != Value::Bool(true) {
                continue;
            }
            let state = read_state(solver, pool, visit)?;
            let facts = &mut self.invariants.facts[visit.point as usize];
            if impatient {
                facts.forget_what_changes(&state);
            }
            facts.observe(&state);
            learnt = true;
        }
        Ok(learnt)
    }
}

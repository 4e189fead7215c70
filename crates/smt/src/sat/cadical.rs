//! CaDiCaL as a [`SatSolver`].
//!
//! Clauses are kept back until they are needed, and taken in together: that is part of solving, also in
//! the statistics. Its inprocessing stays on: CaDiCaL brings eliminated variables back by itself when a later
//! clause or assumption mentions them, so nothing has to be frozen. The budget is asked from
//! CaDiCaL's terminator, which it calls all through search and inprocessing; but not while it collects garbage, and
//! that takes seconds when there are millions of clauses. So such a solver works on a thread of its own ([`Aside`]).
//!
//! CaDiCaL has a block of its own for each clause, which the C library's allocator is slow with: a large solver took
//! seconds to drop. With mimalloc for C++ (`native/heap.cpp`) it takes next to no time, and solving becomes up to a
//! quarter faster. The Rust half stays with the system's allocator, which small programs are done sooner with.

use super::aside::Aside;
use super::{Literal, SatSolver};
use crate::CheckResult;
use base::{Budget, StopReason};
use cadical_sys::{CaDiCal, Status, Terminator};
use mimalloc as _;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// So many clauses are kept back at most.
const MOST_KEPT: usize = 1 << 14;

/// With so many clauses, CaDiCaL may take longer to stop than anybody wants to wait.
const MANY_CLAUSES: usize = 1 << 20;

/// What CaDiCaL's tables take for a variable, or a little more.
const BYTES_OF_A_VARIABLE: u64 = 150;

/// What the terminator asks, and what it found.
struct Watch {
    budget: Budget,
    reason: Option<StopReason>,
}

impl Watch {
    fn new(budget: Budget) -> Self {
        Self { budget, reason: None }
    }

    /// Between two calls there may be hundreds of decisions, each with all that follows from it.
    fn look(&mut self) -> bool {
        if self.reason.is_none() {
            self.reason = self.budget.check_now().err();
        }
        self.reason.is_some()
    }
}

#[derive(Clone)]
struct SharedWatch(Arc<Mutex<Watch>>);

impl SharedWatch {
    fn lock(&self) -> MutexGuard<'_, Watch> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Terminator for SharedWatch {
    fn terminated(&mut self) -> bool {
        self.lock().look()
    }
}

/// CaDiCaL, and what it found last.
struct Search {
    solver: CaDiCal,
    watch: SharedWatch,
    status: Status,
}

// SAFETY: CaDiCaL has no state that belongs to a thread, and one thread at a time has the solver. Of what is connected
// to it there is only the watch, which threads may share.
#[allow(unsafe_code)]
unsafe impl Send for Search {}

impl Search {
    fn new() -> Self {
        let mut solver = CaDiCal::new();
        let watch = SharedWatch(Arc::new(Mutex::new(Watch::new(Budget::unlimited()))));
        solver.connect_terminator(watch.clone());
        Self { solver, watch, status: Status::UNKNOWN }
    }

    fn prepare(&mut self, assumptions: &[Literal], conflicts: Option<i32>, budget: &Budget) {
        *self.watch.lock() = Watch::new(budget.clone());
        for assumption in assumptions {
            self.solver.assume(assumption.to_dimacs());
        }
        if let Some(conflicts) = conflicts {
            self.solver.limit("conflicts", conflicts);
        }
    }

    fn run(&mut self) {
        self.status = self.solver.solve();
        if self.status == Status::SATISFIABLE && self.solver.vars() > 0 {
            // The first value that is asked for makes a model of the formula as it was given.
            self.solver.val(1);
        }
    }

    fn result(&self) -> CheckResult {
        match self.status {
            Status::SATISFIABLE => CheckResult::Sat,
            Status::UNSATISFIABLE => CheckResult::Unsat,
            Status::UNKNOWN => {
                let reason = self.watch.lock().reason.take();
                CheckResult::Unknown(reason.unwrap_or(StopReason::Cancelled))
            }
        }
    }
}

/// The default SAT solver.
pub struct Cadical {
    search: Aside<Search>,
    variables: i32,
    /// Clauses that CaDiCaL has not seen yet, one behind the other.
    clauses: Vec<i32>,
    /// Where each of them ends.
    ends: Vec<usize>,
    /// How many clauses CaDiCaL has seen.
    taken_in: usize,
    /// After how many conflicts the next search gives up.
    patience: Option<i32>,
}

impl Default for Cadical {
    fn default() -> Self {
        Self::new()
    }
}

impl Cadical {
    pub fn new() -> Self {
        Self::with(Search::new())
    }

    /// One that searches only, and does not simplify the formula: for many short questions. Trying simple
    /// assignments first took longer than all the rest of most questions.
    pub fn without_preprocessing() -> Self {
        let mut search = Search::new();
        search.solver.configure("plain");
        search.solver.set("lucky", 0);
        search.solver.set("phase", 0);
        Self::with(search)
    }

    fn with(search: Search) -> Self {
        let (clauses, ends) = (Vec::new(), Vec::new());
        Self { search: Aside::new(search), variables: 0, clauses, ends, taken_in: 0, patience: None }
    }

    /// Later, if the solver is still at work.
    fn take_in_clauses(&mut self) {
        let Some(Search { solver, .. }) = self.search.here() else { return };
        let begun = Instant::now();
        if solver.vars() == 0 {
            // So the tables have the size of a power of two, and not one that the first clause says.
            solver.resize(1);
        }
        let mut begin = 0;
        for &end in &self.ends {
            solver.clause6(&self.clauses[begin..end]);
            begin = end;
        }
        self.taken_in += self.ends.len();
        self.clauses.clear();
        self.ends.clear();
        super::spend(begun);
    }

    fn search(&mut self, assumptions: &[Literal], budget: &Budget) -> Result<CheckResult, StopReason> {
        self.search.fetch(budget)?;
        self.take_in_clauses();
        let begun = Instant::now();
        let search = self.search.fetch(budget)?;
        search.prepare(assumptions, self.patience.take(), budget);
        let result = if self.taken_in < MANY_CLAUSES {
            search.run();
            Ok(search.result())
        } else {
            self.search.work(budget, Search::run).map(|search| search.result())
        };
        super::spend(begun);
        result
    }

    /// The solver as it is after the last answer.
    fn answered(&mut self) -> &mut CaDiCal {
        &mut self.search.here().expect("a solver that has answered is not at work").solver
    }
}

impl SatSolver for Cadical {
    fn new_variable(&mut self) -> Literal {
        self.variables += 1;
        Literal::from_dimacs(self.variables).expect("at most 2^31 variables")
    }

    fn add_clause(&mut self, clause: &[Literal]) {
        self.clauses.extend(clause.iter().map(|literal| literal.to_dimacs()));
        self.ends.push(self.clauses.len());
        if self.ends.len() >= MOST_KEPT {
            self.take_in_clauses();
        }
    }

    fn solve(&mut self, assumptions: &[Literal], budget: &Budget) -> CheckResult {
        if let Err(reason) = budget.check_now() {
            return CheckResult::Unknown(reason);
        }
        self.search(assumptions, budget).unwrap_or_else(CheckResult::Unknown)
    }

    fn value(&mut self, literal: Literal) -> bool {
        // CaDiCaL answers with the literal of the variable that is true.
        self.answered().val(literal.to_dimacs()) == literal.to_dimacs()
    }

    fn failed(&mut self, assumption: Literal) -> bool {
        self.answered().failed(assumption.to_dimacs())
    }

    fn limit_conflicts(&mut self, conflicts: i32) {
        self.patience = Some(conflicts);
    }

    fn growth(&self) -> u64 {
        let next = self.variables.unsigned_abs() + 1;
        if next.is_power_of_two() { 2 * u64::from(next) * BYTES_OF_A_VARIABLE } else { 0 }
    }
}

//! CaDiCaL as a [`SatSolver`].
//!
//! Clauses are kept back until they are needed, and taken in together: that is part of solving, also in
//! the statistics. Its inprocessing stays on: CaDiCaL brings eliminated variables back by itself when a later
//! clause or assumption mentions them, so nothing has to be frozen. The budget is asked from
//! CaDiCaL's terminator, which it calls all through search and inprocessing.
//!
//! CaDiCaL has a block of its own for each clause, which the C library's allocator is slow with: a large solver took
//! seconds to drop. With mimalloc for C++ (`native/heap.cpp`) it takes next to no time, and solving becomes up to a
//! quarter faster. The Rust half stays with the system's allocator, which small programs are done sooner with.

use super::{Literal, SatSolver};
use crate::CheckResult;
use base::{Budget, StopReason};
use cadical_sys::{CaDiCal, Status, Terminator};
use mimalloc as _;
use std::cell::RefCell;
use std::rc::Rc;
use std::time::Instant;

/// So many clauses are kept back at most.
const MOST_KEPT: usize = 1 << 14;

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

struct WatchTerminator(Rc<RefCell<Watch>>);

impl Terminator for WatchTerminator {
    fn terminated(&mut self) -> bool {
        self.0.borrow_mut().look()
    }
}

/// The default SAT solver.
pub struct Cadical {
    solver: CaDiCal,
    variables: i32,
    watch: Rc<RefCell<Watch>>,
    /// Clauses that CaDiCaL has not seen yet, one behind the other.
    clauses: Vec<i32>,
    /// Where each of them ends.
    ends: Vec<usize>,
}

impl Default for Cadical {
    fn default() -> Self {
        Self::new()
    }
}

impl Cadical {
    pub fn new() -> Self {
        let mut solver = CaDiCal::new();
        let watch = Rc::new(RefCell::new(Watch::new(Budget::unlimited())));
        solver.connect_terminator(WatchTerminator(watch.clone()));
        Self { solver, variables: 0, watch, clauses: Vec::new(), ends: Vec::new() }
    }

    /// One that searches only, and does not simplify the formula: for many short questions. Trying simple
    /// assignments first took longer than all the rest of most questions.
    pub fn without_preprocessing() -> Self {
        let mut solver = Self::new();
        solver.solver.configure("plain");
        solver.solver.set("lucky", 0);
        solver.solver.set("phase", 0);
        solver
    }

    fn take_in_clauses(&mut self) {
        let begun = Instant::now();
        if self.solver.vars() == 0 {
            // So the tables have the size of a power of two, and not one that the first clause says.
            self.solver.resize(1);
        }
        let mut begin = 0;
        for &end in &self.ends {
            self.solver.clause6(&self.clauses[begin..end]);
            begin = end;
        }
        self.clauses.clear();
        self.ends.clear();
        super::spend(begun);
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
        *self.watch.borrow_mut() = Watch::new(budget.clone());
        self.take_in_clauses();
        for assumption in assumptions {
            self.solver.assume(assumption.to_dimacs());
        }
        let begun = Instant::now();
        let status = self.solver.solve();
        if status == Status::SATISFIABLE && self.variables > 0 {
            // The first value that is asked for makes a model of the formula as it was given.
            self.solver.val(1);
        }
        super::spend(begun);
        match status {
            Status::SATISFIABLE => CheckResult::Sat,
            Status::UNSATISFIABLE => CheckResult::Unsat,
            Status::UNKNOWN => {
                let reason = self.watch.borrow_mut().reason.take();
                CheckResult::Unknown(reason.unwrap_or(StopReason::Cancelled))
            }
        }
    }

    fn value(&mut self, literal: Literal) -> bool {
        // CaDiCaL answers with the literal of the variable that is true.
        self.solver.val(literal.to_dimacs()) == literal.to_dimacs()
    }

    fn failed(&mut self, assumption: Literal) -> bool {
        self.solver.failed(assumption.to_dimacs())
    }

    fn limit_conflicts(&mut self, conflicts: i32) {
        self.solver.limit("conflicts", conflicts);
    }

    fn growth(&self) -> u64 {
        let next = self.variables.unsigned_abs() + 1;
        if next.is_power_of_two() { 2 * u64::from(next) * BYTES_OF_A_VARIABLE } else { 0 }
    }
}

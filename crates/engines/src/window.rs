//! Refuting the violations of a round by its last iterations alone.
//!
//! The formula of a round reaches back to the start of the program, and a solver that has all of it wanders
//! through all of it. But most violations are impossible whatever happened long ago: the iterations before
//! have not violated anything, and that is enough. Terms are numbered in the order in which they were made,
//! so taking all terms from before an iteration for unknowns (in their ranges) cuts the formula there. If what remains
//! cannot be true, neither can the whole; if it can, that says nothing, and the next window is longer.
//! A window is of the same size in every round, which makes the cost of a round constant.

use crate::bmc::is_satisfiable;
use crate::options::Options;
use crate::outcome::Reason;
use crate::solver::own;
use base::{Budget, StopReason};
use smt::{BitBlaster, Check, Ranges};
use std::time::Duration;
use term::{TermId, TermPool};

/// Questions that take less than this are not worth a second way to answer them.
const CHEAP: Duration = Duration::from_millis(50);

/// Windows that do not help may cost this part of the time of the other questions.
const SHARE: u32 = 3;

#[derive(Default)]
pub struct Window {
    /// The first term of each round.
    rounds: Vec<TermId>,
    /// Conditions that are never true, by age.
    refuted: Vec<TermId>,
    /// What is known of the terms before a window.
    ranges: Ranges,
    /// Rounds that the window is long.
    length: usize,
    /// The time taken by windows that did not help, and by the questions about everything.
    lost: Duration,
    whole: Duration,
}

impl Window {
    /// All terms that are made from now on belong to the next round.
    pub fn begin_round(&mut self, pool: &TermPool) {
        self.rounds.push(TermId(pool.len() as u32));
    }

    pub fn refuted(&mut self, condition: TermId) {
        self.refuted.push(condition);
    }

    /// The solver that knows everything has been asked for this long.
    pub fn asked_whole(&mut self, took: Duration) {
        self.whole += took;
    }

    /// Whether the condition cannot be true because of the last rounds alone.
    pub fn refutes(
        &mut self,
        pool: &mut TermPool,
        condition: TermId,
        options: &Options,
        budget: &Budget,
    ) -> Result<bool, Reason> {
        let length = self.length.max(1);
        let allowed = (self.whole / SHARE).saturating_sub(self.lost);
        if allowed < CHEAP || 2 * length > self.rounds.len() {
            return Ok(false);
        }
        let turn = budget.clone().with_time(allowed);
        let begun = budget.elapsed();
        let answer = self.ask(pool, condition, options, &turn, length);
        budget.check_now().map_err(Reason::Stopped)?;
        let took = budget.elapsed().saturating_sub(begun);
        match answer {
            Ok(false) => return Ok(true),
            Ok(true) => self.length = 2 * length,
            Err(Reason::Stopped(StopReason::TimeLimit(_))) => {}
            Err(reason) => return Err(reason),
        }
        self.lost += took;
        Ok(false)
    }

    /// Whether the condition can be true where everything before the last rounds is unknown.
    fn ask(
        &mut self,
        pool: &mut TermPool,
        condition: TermId,
        options: &Options,
        turn: &Budget,
        length: usize,
    ) -> Result<bool, Reason> {
        let first = self.rounds[self.rounds.len() - length];
        self.ranges.learn_below(pool, condition, turn).map_err(Reason::Stopped)?;
        let mut solver = own(options);
        solver.forget_before(first, std::mem::take(&mut self.ranges));
        let answer = self.ask_solver(&mut solver, pool, condition, first, turn);
        self.ranges = solver.into_ranges();
        answer
    }

    fn ask_solver(
        &self,
        solver: &mut BitBlaster,
        pool: &mut TermPool,
        condition: TermId,
        first: TermId,
        turn: &Budget,
    ) -> Result<bool, Reason> {
        for &refuted in self.refuted.iter().filter(|&&refuted| refuted >= first) {
            let never = pool.not(refuted);
            solver.assert(pool, never, turn)?;
        }
        is_satisfiable(solver.check(pool, &[condition], turn))
    }
}

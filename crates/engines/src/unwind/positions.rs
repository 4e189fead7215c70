//! Where the automata of a condition are behind an abstraction point.
//!
//! After any number of iterations, or behind a cut, the automata may be anywhere. So their position is a number that
//! becomes arbitrary there, like a variable of the program that a loop changes, and can be observed like one: a
//! predicate on it says what is still open. Only positions count that know the next decision of the program;
//! from all others nothing is verified any more.

use super::{Positions, Unwinder};
use cfa::{Callee, EdgeKind, LocationId};
use domains::automaton::AutomatonState;
use encode::State;
use rustc_hash::FxHashMap;
use std::rc::Rc;
use task::condition::automaton::is_decision;
use term::{Sort, TermId};

/// What the automata of a condition can be at, for each location where that was asked.
#[derive(Default)]
pub struct Tracked {
    /// All that there is; `None` before it is asked for.
    all: Option<Vec<AutomatonState>>,
    at: FxHashMap<LocationId, Rc<[AutomatonState]>>,
}

/// More positions than these are not told apart at one location, and more than these are not looked at in all.
const MOST_HERE: usize = 100;
const MOST: usize = 50_000;

/// The width of a position.
const WIDTH: u32 = 8;

/// A line of the program without decisions is followed so far.
const LONGEST_LINE: usize = 10_000;

/// What comes next at a location.
enum NextDecision {
    At(LocationId),
    /// The program ends, or is never decided on again.
    Nothing,
    /// It depends on the caller.
    Unknown,
}

impl Unwinder<'_> {
    /// Follows automata behind abstraction points, too.
    pub fn track_automata(&mut self) {
        self.tracked = self.automata.is_some().then(Tracked::default);
    }

    pub(super) fn is_tracking(&self) -> bool {
        self.tracked.is_some()
    }

    /// Positions that matter at a location; none if there are too many, or automata are not followed.
    fn tracked_at(&mut self, location: LocationId) -> Rc<[AutomatonState]> {
        let Some(mut tracked) = self.tracked.take() else { return Rc::new([]) };
        let Some(mut automata) = self.automata.take() else { return Rc::new([]) };
        let all = tracked.all.get_or_insert_with(|| automata.reachable(MOST));
        let here = tracked.at.entry(location).or_insert_with(|| {
            let mut here = match self.next_decision(location) {
                NextDecision::At(next) => {
                    let knows = |&state: &AutomatonState| {
                        automata.edges(state).any(|edge| self.program.edges[edge].from == next)
                    };
                    all.iter().copied().filter(knows).collect()
                }
                NextDecision::Nothing => Vec::new(),
                NextDecision::Unknown => all.clone(),
            };
            if here.len() > MOST_HERE {
                here.clear();
            }
            here.into()
        });
        let here = here.clone();
        (self.tracked, self.automata) = (Some(tracked), Some(automata));
        here
    }

    /// Where the program decides next, on the way from a location.
    fn next_decision(&self, mut location: LocationId) -> NextDecision {
        let mut calls: Vec<LocationId> = Vec::new();
        for _ in 0..LONGEST_LINE {
            let function = self.program.locations[location].function;
            let is_exit =
                self.program.functions[function].body.as_ref().is_some_and(|body| body.exit == location);
            if is_exit {
                match calls.pop() {
                    Some(behind) => location = behind,
                    None => return NextDecision::Unknown,
                }
                continue;
            }
            let mut edges = self.program.leaving_ids(location);
            let (Some(edge), None) = (edges.next(), edges.next()) else {
                let is_end = self.program.leaving_ids(location).next().is_none();
                return if is_end { NextDecision::Nothing } else { NextDecision::At(location) };
            };
            if is_decision(self.program, edge) {
                return NextDecision::At(location);
            }
            location = self.program.edges[edge].to;
            if let EdgeKind::Call(call) = self.program.edges[edge].kind
                && let Callee::Direct(function) = self.program.calls[call].callee
                && let Some(body) = &self.program.functions[function].body
            {
                calls.push(location);
                location = body.entry;
            }
        }
        NextDecision::Unknown
    }

    /// Where the automata are, as a number that can be observed at a location.
    pub(super) fn position_at(&mut self, location: LocationId, positions: &Positions) -> Option<TermId> {
        let tracked = self.tracked_at(location);
        if tracked.is_empty() {
            return None;
        }
        let mut number = self.encoder.pool.bitvec(WIDTH, 0);
        for (index, state) in tracked.iter().enumerate() {
            if let Some(&(_, condition)) = positions.iter().find(|(position, _)| position == state) {
                let value = self.encoder.pool.bitvec(WIDTH, index as u64 + 1);
                number = self.encoder.pool.ite(condition, value, number);
            }
        }
        Some(number)
    }

    /// Lets the automata be anywhere that they can be at a location; returns the number of where they are, too.
    pub(super) fn any_position(
        &mut self,
        location: LocationId,
        state: &mut State,
    ) -> (Positions, Option<TermId>) {
        let tracked = self.tracked_at(location);
        if tracked.is_empty() {
            return (Positions::new(), None);
        }
        let pool = &mut self.encoder.pool;
        let number = pool.fresh_variable("automaton", Sort::BitVec(WIDTH));
        let end = pool.bitvec(WIDTH, tracked.len() as u64 + 1);
        let exists = pool.ult(number, end);
        state.guard = state.guard.and(pool, exists);
        let mut positions = Positions::new();
        for (index, &position) in tracked.iter().enumerate() {
            let value = pool.bitvec(WIDTH, index as u64 + 1);
            positions.push((position, pool.eq(number, value)));
        }
        (positions, Some(number))
    }
}

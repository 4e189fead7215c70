//! Loops that search tables.
//!
//! Such a loop ends at the end of the table at the latest, so it is unwound that often at once, whatever the bound is:
//! otherwise each round would find new ways out of all searches that were made so far, and repeat all that comes behind them.
//!
//! What comes behind a search looks up what was found: with a known index, these are constants, and with one that
//! depends on where the search ended, products of unknown factors. So the ways out of a search
//! meet where its counter is not read any more. Those that took longer go first: then each
//! that comes to the others differs from them by one condition, that the search ended there.

use super::{JUMPED, Lap, Unwinder};
use cfa::liveness::Liveness;
use cfa::loops::LoopId;
use cfa::{LocationId, VariableId};
use smallvec::SmallVec;
use std::ops::{Deref, DerefMut};

/// What is known of a loop that searches a table.
#[derive(Clone, Copy, Debug)]
pub struct Search {
    /// Where in the table it is.
    pub counter: VariableId,
    /// It does not come back more often than this.
    pub length: u32,
}

/// Ways out of searches, one behind the other, are kept apart up to this number.
const MOST: u32 = 256;

/// How often each loop around a location has come back to its head, outermost first; and where the searches before it ended.
#[derive(Clone, PartialEq, Eq, Default)]
pub(super) struct Iterations {
    laps: SmallVec<[Lap; 2]>,
    found: SmallVec<[Found; 1]>,
}

/// The end of a search whose counter is still read.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Found {
    counter: VariableId,
    length: u32,
    count: u32,
}

impl Iterations {
    /// Of a single loop, and no search.
    pub fn of(lap: Lap) -> Self {
        Self { laps: SmallVec::from_elem(lap, 1), found: SmallVec::new() }
    }

    /// The end of a key: nodes that are executed first have smaller ones.
    pub fn order(&self) -> impl Iterator<Item = u32> {
        self.found.iter().map(|found| u32::MAX - found.count)
    }
}

impl Deref for Iterations {
    type Target = SmallVec<[Lap; 2]>;

    fn deref(&self) -> &Self::Target {
        &self.laps
    }
}

impl DerefMut for Iterations {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.laps
    }
}

impl Unwinder<'_> {
    /// Notes in `behind` where searches have ended on the way from one location to another, in these iterations.
    pub(super) fn note_searches(
        &self,
        iterations: &Iterations,
        (from, to): (LocationId, LocationId),
        behind: &mut Iterations,
    ) {
        if self.bounds.searches.is_empty() {
            return;
        }
        behind.found = iterations.found.clone();
        for id in self.loops.enclosing(from).filter(|&id| !self.loops.contains(id, to)) {
            behind.found.extend(self.ended(iterations, id));
        }
        let liveness = self.liveness.get_or_init(|| Liveness::new(self.program));
        behind.found.retain(|found| liveness.is_live(to, found.counter));
        while behind.found.iter().map(|found| found.length).product::<u32>() > MOST {
            behind.found.remove(0);
        }
    }

    /// What the end of a loop is the end of, if it is a search.
    fn ended(&self, iterations: &Iterations, id: LoopId) -> Option<Found> {
        let &Search { counter, length } = self.bounds.searches.get(&id)?;
        let count = iterations[self.loops.loops[id].depth as usize - 1].count;
        (count < JUMPED).then_some(Found { counter, length, count })
    }
}

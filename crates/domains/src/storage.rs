//! Assumption storage: under which assumptions something has been left out.
//!
//! (The CPA for assumption storage of "Conditional Model Checking".) A state of this component is an
//! assumption about the concrete states: *true* unless something is left out. Where a monitor gives up a path,
//! where the program does what is not modelled, and where an error cannot be excluded, strengthening makes it
//! an assumption that excludes the path. As in the paper, nothing follows such a state: so those that are
//! followed have the assumption *true*, which needs no room, and the others are ends of paths. Equal assumptions
//! are stored once. The post-processing reads them to say what a condition leaves open.

use crate::monitors::Limit;
use cfa::{EdgeId, LocationId};
use rustc_hash::FxHashMap;

/// At this location the path does not go on: `pc = at ⇒ false`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Excluded {
    pub at: LocationId,
    pub because: Because,
}

/// What an assumption leaves out.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Because {
    /// The path is beyond a limit.
    Limit(Limit),
    /// What happens next is not modelled.
    Unsupported(&'static str),
    /// The edge calls a function that must not be called.
    Error(EdgeId),
    /// Something that the edge computes may overflow, and must not.
    Overflow(EdgeId),
}

impl Because {
    /// The edge that violates the property, if it is taken.
    pub fn alarm(self) -> Option<EdgeId> {
        match self {
            Because::Error(edge) | Because::Overflow(edge) => Some(edge),
            Because::Limit(_) | Because::Unsupported(_) => None,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct AssumptionId(u32);

#[derive(Default)]
pub struct AssumptionStorage {
    stored: Vec<Excluded>,
    ids: FxHashMap<Excluded, AssumptionId>,
}

impl AssumptionStorage {
    /// Strengthens *true* to an assumption under which nothing follows.
    pub fn exclude(&mut self, at: LocationId, because: Because) -> AssumptionId {
        let (excluded, fresh) = (Excluded { at, because }, AssumptionId(self.stored.len() as u32));
        let id = *self.ids.entry(excluded).or_insert(fresh);
        if id == fresh {
            self.stored.push(excluded);
        }
        id
    }

    pub fn get(&self, id: AssumptionId) -> Excluded {
        self.stored[id.0 as usize]
    }

    /// The conjunction of assumptions: each that is among them, once, in the order of the program.
    pub fn conjunction(&self, ids: impl Iterator<Item = AssumptionId>) -> Vec<Excluded> {
        let mut is_among = vec![false; self.stored.len()];
        ids.for_each(|id| is_among[id.0 as usize] = true);
        let among = self.stored.iter().zip(is_among).filter_map(|(&excluded, is)| is.then_some(excluded));
        let mut found: Vec<Excluded> = among.collect();
        found.sort_unstable();
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_assumptions_are_stored_once() {
        let mut storage = AssumptionStorage::default();
        let first = storage.exclude(LocationId(3), Because::Limit(Limit::PathLength));
        let other = storage.exclude(LocationId(4), Because::Limit(Limit::PathLength));
        assert_ne!(first, other);
        assert_eq!(storage.exclude(LocationId(3), Because::Limit(Limit::PathLength)), first);
        assert_eq!(storage.get(other).at, LocationId(4));
    }

    #[test]
    fn a_conjunction_has_each_once_and_no_others() {
        let mut storage = AssumptionStorage::default();
        let [late, early, unused] =
            [9, 2, 5].map(|at| storage.exclude(LocationId(at), Because::Error(EdgeId(at))));
        let found = storage.conjunction([late, early, late].into_iter());
        assert_eq!(found.iter().map(|excluded| excluded.at.0).collect::<Vec<_>>(), [2, 9]);
        assert!(!found.contains(&storage.get(unused)));
    }

    #[test]
    fn alarms_are_told_from_what_was_given_up() {
        assert_eq!(Because::Overflow(EdgeId(1)).alarm(), Some(EdgeId(1)));
        assert_eq!(Because::Error(EdgeId(2)).alarm(), Some(EdgeId(2)));
        assert_eq!(Because::Unsupported("inline assembly").alarm(), None);
        assert_eq!(Because::Limit(Limit::States).alarm(), None);
    }
}

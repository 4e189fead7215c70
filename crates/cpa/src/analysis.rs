//! What Algorithm 1 needs to know of an analysis.

use base::StopReason;
use std::fmt::Debug;
use std::hash::Hash;

pub trait Analysis {
    /// Small and cheap to copy: large contents are shared by id.
    type State: Copy + Debug;
    /// One of the ways on from a state: an edge, or a straight line of edges that starts with it.
    type Choice: Copy + Debug;
    /// States of different partitions are never compared: location, call stack, and whatever else must be
    /// equal for one state to cover another. The finer, the faster.
    type Partition: Eq + Hash;
    /// How a path ends other than by being covered.
    type End: Clone + Debug;

    fn partition(&self, state: &Self::State) -> Self::Partition;

    /// The ways on from a state, in the order in which they are to be taken.
    fn choices(&mut self, state: &Self::State, choices: &mut Vec<Self::Choice>);

    /// The transfer relation, with strengthening and precision adjustment applied.
    fn successor(&mut self, state: &Self::State, choice: Self::Choice) -> Successor<Self::State, Self::End>;

    /// The state to put in the place of `reached`, if `new` is to be merged into it.
    fn merge(&mut self, new: &Self::State, reached: &Self::State) -> Option<Self::State> {
        let _ = (new, reached);
        None
    }

    /// Everything that `new` stands for, `reached` stands for, too. Both are of the same partition.
    fn is_covered(&self, new: &Self::State, reached: &Self::State) -> bool;

    /// For waitlists that go by it: the lowest first.
    fn rank(&self, state: &Self::State) -> u64 {
        let _ = state;
        0
    }

    /// Whether there may be more than so many states; asked before each is looked at.
    fn limit(&mut self, states: usize) -> Result<(), StopReason> {
        let _ = states;
        Ok(())
    }

    /// Whether the algorithm shall pause after such an end, for an alarm to be looked at.
    fn pauses(&self, end: &Self::End) -> bool;
}

/// What follows a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Successor<S, E> {
    State(S),
    /// The choice is infeasible, or the program ends.
    Nothing,
    /// The path is not followed further, for this reason.
    End(E),
}

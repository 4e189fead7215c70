//! Components: analyses of one aspect each, and their product, the composite of the paper.
//!
//! ("Conditional Model Checking", section III.B.) A component works on one state at a time: it *loads* its
//! part of a state, takes steps along a path, and *stores* what has become of it. The transfer relation of a
//! product is the product of the transfer relations; after each step, components are *strengthened* by the
//! facts that others know. A path goes on only if all components let it.

use std::fmt::Debug;
use std::hash::Hash;

/// An abstract domain with its operators, for steps of kind `S`, strengthened by facts of kind `F`.
pub trait Component<S, F: ?Sized> {
    /// Small and cheap to copy: large contents are shared by id.
    type State: Copy + Debug;
    /// What has to be equal for one state to cover another. It is nothing for monitors: whether a state is
    /// covered does not depend on how it was reached.
    type Key: Eq + Hash;
    /// Why a path is given up.
    type Reason;

    /// Goes back to a state.
    fn load(&mut self, state: Self::State);

    /// The transfer relation: takes a step.
    fn transfer(&mut self, step: &S) -> Onward<Self::Reason>;

    /// Learns what others know behind the step.
    fn strengthen(&mut self, step: &S, facts: &F) -> Onward<Self::Reason> {
        let _ = (step, facts);
        Onward::On
    }

    /// The state that the steps since the last one have led to.
    fn store(&mut self) -> Self::State;

    fn key(&self, state: Self::State) -> Self::Key;
}

/// Whether a path goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Onward<R> {
    On,
    /// Nothing that follows needs to be looked at.
    Verified,
    /// It is not followed further, though something may follow.
    GivenUp(R),
}

/// Two components side by side.
pub struct Product<A, B> {
    pub first: A,
    pub second: B,
}

impl<S, F: ?Sized, A, B> Component<S, F> for Product<A, B>
where
    A: Component<S, F>,
    B: Component<S, F, Reason = A::Reason>,
{
    type State = (A::State, B::State);
    type Key = (A::Key, B::Key);
    type Reason = A::Reason;

    #[inline]
    fn load(&mut self, state: Self::State) {
        self.first.load(state.0);
        self.second.load(state.1);
    }

    #[inline]
    fn transfer(&mut self, step: &S) -> Onward<A::Reason> {
        match self.first.transfer(step) {
            Onward::On => self.second.transfer(step),
            other => other,
        }
    }

    #[inline]
    fn strengthen(&mut self, step: &S, facts: &F) -> Onward<A::Reason> {
        match self.first.strengthen(step, facts) {
            Onward::On => self.second.strengthen(step, facts),
            other => other,
        }
    }

    #[inline]
    fn store(&mut self) -> Self::State {
        (self.first.store(), self.second.store())
    }

    #[inline]
    fn key(&self, state: Self::State) -> Self::Key {
        (self.first.key(state.0), self.second.key(state.1))
    }
}

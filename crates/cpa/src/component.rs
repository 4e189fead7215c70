//! Analyses of one aspect, and their product.
//!
//! The composite of the paper: the transfer relation of a product is the product of the transfer
//! relations, followed by strengthening, in which each side sees what the other one has found out.

use std::fmt::Debug;
use std::hash::Hash;

/// An abstract domain with its operators, for steps of kind `S`.
pub trait Component<S> {
    type State: Clone + Eq + Hash + Debug;
    /// What others may know of a state.
    type Fact: Clone;

    fn initial(&self) -> Self::State;

    /// Adds the states that follow.
    fn transfer(&mut self, state: &Self::State, step: &S, successors: &mut Vec<Self::State>);

    /// What this component tells the others about a state.
    fn facts(&self, state: &Self::State) -> Vec<Self::Fact>;

    /// Makes a state more precise by what another component knows; false if nothing is left of it.
    fn strengthen(&mut self, state: &mut Self::State, facts: &[Self::Fact]) -> bool {
        let _ = (state, facts);
        true
    }

    /// The state that takes the place of `reached`; `reached` itself unless the domain joins.
    fn merge(&mut self, new: &Self::State, reached: &Self::State) -> Self::State {
        let _ = new;
        reached.clone()
    }

    fn is_covered(&self, new: &Self::State, reached: &Self::State) -> bool {
        new == reached
    }

    /// Precision adjustment: a coarser state, with as much detail as the precision asks for.
    fn adjust(&mut self, state: Self::State) -> Self::State {
        state
    }
}

/// Two components side by side.
pub struct Product<A, B> {
    pub first: A,
    pub second: B,
}

impl<S, F, A, B> Component<S> for Product<A, B>
where
    F: Clone,
    A: Component<S, Fact = F>,
    B: Component<S, Fact = F>,
{
    type State = (A::State, B::State);
    type Fact = F;

    fn initial(&self) -> Self::State {
        (self.first.initial(), self.second.initial())
    }

    fn transfer(&mut self, state: &Self::State, step: &S, successors: &mut Vec<Self::State>) {
        let (mut first, mut second) = (Vec::new(), Vec::new());
        self.first.transfer(&state.0, step, &mut first);
        self.second.transfer(&state.1, step, &mut second);
        for left in &first {
            for right in &second {
                let (mut left, mut right) = (left.clone(), right.clone());
                let (told, heard) = (self.first.facts(&left), self.second.facts(&right));
                if self.first.strengthen(&mut left, &heard) && self.second.strengthen(&mut right, &told) {
                    successors.push((self.first.adjust(left), self.second.adjust(right)));
                }
            }
        }
    }

    fn facts(&self, state: &Self::State) -> Vec<F> {
        let mut facts = self.first.facts(&state.0);
        facts.extend(self.second.facts(&state.1));
        facts
    }

    fn strengthen(&mut self, state: &mut Self::State, facts: &[F]) -> bool {
        self.first.strengthen(&mut state.0, facts) && self.second.strengthen(&mut state.1, facts)
    }

    /// As in the paper, the sides are merged only together: merging one and not the other would lose how
    /// they belong together.
    fn merge(&mut self, new: &Self::State, reached: &Self::State) -> Self::State {
        let merged = (self.first.merge(&new.0, &reached.0), self.second.merge(&new.1, &reached.1));
        let covers = self.first.is_covered(&new.0, &merged.0) && self.second.is_covered(&new.1, &merged.1);
        if covers { merged } else { reached.clone() }
    }

    fn is_covered(&self, new: &Self::State, reached: &Self::State) -> bool {
        self.first.is_covered(&new.0, &reached.0) && self.second.is_covered(&new.1, &reached.1)
    }
}

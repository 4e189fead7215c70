//! A product of two toy domains of one integer: its sign, and whether it is even. What one finds out helps
//! the other: zero is even, and what is odd is not zero.

use crate::{Component, Product};

#[derive(Clone, Copy)]
enum Step {
    Increment,
    Double,
    AssumeZero,
}

#[derive(Clone, PartialEq, Debug)]
enum Fact {
    Zero,
    Odd,
}

/// The least value that is possible, up to 2.
struct Least;

impl Component<Step> for Least {
    type State = u8;
    type Fact = Fact;

    fn initial(&self) -> u8 {
        0
    }

    fn transfer(&mut self, state: &u8, step: &Step, successors: &mut Vec<u8>) {
        match step {
            Step::Increment => successors.push((state + 1).min(2)),
            Step::Double => successors.push((state * 2).min(2)),
            Step::AssumeZero if *state > 0 => {}
            Step::AssumeZero => successors.push(0),
        }
    }

    fn facts(&self, _: &u8) -> Vec<Fact> {
        Vec::new()
    }

    fn strengthen(&mut self, state: &mut u8, facts: &[Fact]) -> bool {
        if facts.contains(&Fact::Odd) {
            *state = (*state).max(1);
        }
        !(facts.contains(&Fact::Zero) && *state > 0)
    }

    fn merge(&mut self, new: &u8, reached: &u8) -> u8 {
        *new.min(reached)
    }

    fn is_covered(&self, new: &u8, reached: &u8) -> bool {
        new >= reached
    }
}

/// Whether the number is odd, if that is known.
struct Parity;

impl Component<Step> for Parity {
    type State = Option<bool>;
    type Fact = Fact;

    fn initial(&self) -> Option<bool> {
        None
    }

    fn transfer(&mut self, state: &Option<bool>, step: &Step, successors: &mut Vec<Option<bool>>) {
        match (step, state) {
            (Step::Increment, state) => successors.push(state.map(|odd| !odd)),
            (Step::Double, _) => successors.push(Some(false)),
            (Step::AssumeZero, Some(true)) => {}
            (Step::AssumeZero, _) => successors.push(Some(false)),
        }
    }

    fn facts(&self, state: &Option<bool>) -> Vec<Fact> {
        if *state == Some(true) { vec![Fact::Odd] } else { Vec::new() }
    }
}

fn after(steps: &[Step]) -> Vec<(u8, Option<bool>)> {
    let mut product = Product { first: Least, second: Parity };
    let mut states = vec![product.initial()];
    for step in steps {
        let mut next = Vec::new();
        states.iter().for_each(|state| product.transfer(state, step, &mut next));
        states = next;
    }
    states
}

#[test]
fn components_tell_each_other_what_they_know() {
    assert_eq!(after(&[Step::Double, Step::Increment]), [(1, Some(true))]);
    assert!(after(&[Step::Double, Step::Increment, Step::AssumeZero]).is_empty());
    assert_eq!(after(&[Step::AssumeZero]), [(0, Some(false))]);
}

#[test]
fn products_merge_both_sides_or_none() {
    let mut product = Product { first: Least, second: Parity };
    // Parities are not joined, so states that differ in them stay apart.
    assert_eq!(product.merge(&(1, Some(true)), &(2, Some(false))), (2, Some(false)));
    assert_eq!(product.merge(&(1, Some(true)), &(2, Some(true))), (1, Some(true)));
    assert!(product.is_covered(&(2, Some(true)), &(1, Some(true))));
    assert!(!product.is_covered(&(2, Some(true)), &(1, Some(false))));
}

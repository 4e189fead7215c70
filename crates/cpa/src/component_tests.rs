//! A product of two toy components: a counter that gives up above a limit, and a parity that is told by
//! others whether something is even.

use crate::{Component, Onward, Product};

/// Counts steps; a monitor, so that its counts do not tell states apart.
struct Counter {
    limit: u32,
    count: u32,
}

impl Component<u32, bool> for Counter {
    type State = u32;
    type Key = ();
    type Reason = &'static str;

    fn load(&mut self, state: u32) {
        self.count = state;
    }

    fn transfer(&mut self, step: &u32) -> Onward<&'static str> {
        self.count += step;
        if self.count > self.limit { Onward::GivenUp("too far") } else { Onward::On }
    }

    fn store(&mut self) -> u32 {
        self.count
    }

    fn key(&self, _: u32) {}
}

/// Whether the steps so far were odd in number; all that follows two odd facts in a row is verified.
struct Parity {
    odd: bool,
}

impl Component<u32, bool> for Parity {
    type State = bool;
    type Key = bool;
    type Reason = &'static str;

    fn load(&mut self, state: bool) {
        self.odd = state;
    }

    fn transfer(&mut self, _: &u32) -> Onward<&'static str> {
        self.odd = !self.odd;
        Onward::On
    }

    fn strengthen(&mut self, _: &u32, even: &bool) -> Onward<&'static str> {
        if self.odd && *even { Onward::Verified } else { Onward::On }
    }

    fn store(&mut self) -> bool {
        self.odd
    }

    fn key(&self, state: bool) -> bool {
        state
    }
}

fn product() -> Product<Counter, Parity> {
    Product { first: Counter { limit: 3, count: 0 }, second: Parity { odd: false } }
}

#[test]
fn all_components_take_each_step() {
    let mut product = product();
    assert_eq!([product.transfer(&1), product.transfer(&1), product.transfer(&1)], [Onward::On; 3]);
    assert_eq!(product.store(), (3, true));
    product.load((1, false));
    assert_eq!(product.transfer(&1), Onward::On);
    assert_eq!(product.store(), (2, true));
}

#[test]
fn one_that_gives_up_ends_the_path_for_all() {
    let mut product = product();
    assert_eq!(product.transfer(&4), Onward::GivenUp("too far"));
    // The second one has not been asked any more.
    assert!(!product.second.odd);
}

#[test]
fn facts_of_others_strengthen() {
    let mut product = product();
    product.transfer(&1);
    assert_eq!(product.strengthen(&1, &false), Onward::On);
    assert_eq!(product.strengthen(&1, &true), Onward::Verified);
}

#[test]
fn monitors_do_not_tell_states_apart() {
    let product = product();
    assert!(product.key((1, true)) == product.key((2, true)));
    assert!(product.key((1, true)) != product.key((1, false)));
}

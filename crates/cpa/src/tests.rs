//! The algorithm on a toy: counters modulo a number on a small graph, checked against a plain search.

use super::*;
use base::Budget;
use std::collections::BTreeSet;

/// A graph with a value: each edge adds something; `bound` cuts paths where the value gets large.
struct Toy {
    edges: Vec<(u32, u32, u32)>,
    modulus: u32,
    joins: bool,
    error: u32,
    /// Steps until the next stop.
    left: u32,
}

/// A location, and the set of values as bits.
type State = (u32, u64);

impl Analysis for Toy {
    type State = State;
    type Choice = usize;
    type Partition = u32;
    type End = u32;

    fn partition(&self, state: &State) -> u32 {
        state.0
    }

    fn choices(&mut self, state: &State, choices: &mut Vec<usize>) {
        choices.extend((0..self.edges.len()).filter(|&edge| self.edges[edge].0 == state.0));
    }

    fn successor(&mut self, state: &State, choice: usize) -> Successor<State, u32> {
        let (_, to, plus) = self.edges[choice];
        if to == self.error {
            return Successor::End(to);
        }
        let values = (0..self.modulus).filter(|value| state.1 >> value & 1 == 1);
        let moved = values.fold(0, |set, value| set | 1 << ((value + plus) % self.modulus));
        Successor::State((to, moved))
    }

    fn merge(&mut self, new: &State, reached: &State) -> Option<State> {
        let joined = (reached.0, reached.1 | new.1);
        (self.joins && joined != *reached).then_some(joined)
    }

    fn is_covered(&self, new: &State, reached: &State) -> bool {
        new.1 & !reached.1 == 0
    }

    fn rank(&self, state: &State) -> u64 {
        state.0.into()
    }

    fn limit(&mut self, _: usize) -> Result<(), base::StopReason> {
        self.left = self.left.checked_sub(1).ok_or(base::StopReason::Cancelled)?;
        Ok(())
    }

    fn pauses(&self, _: &u32) -> bool {
        true
    }
}

fn toy(seed: u64, joins: bool) -> Toy {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = |bound: u32| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((state >> 33) as u32) % bound
    };
    let edges = (0..12).map(|_| (next(6), next(7), next(4))).collect();
    Toy { edges, modulus: 5, joins, error: 6, left: u32::MAX }
}

/// All (location, value) pairs that a plain search finds.
fn expected(toy: &Toy) -> BTreeSet<(u32, u32)> {
    let mut seen = BTreeSet::from([(0, 0)]);
    let mut open = vec![(0, 0)];
    while let Some((location, value)) = open.pop() {
        for &(from, to, plus) in &toy.edges {
            let next = (to, (value + plus) % toy.modulus);
            if from == location && to != toy.error && seen.insert(next) {
                open.push(next);
            }
        }
    }
    seen
}

fn found(reached: &Reached<Toy>) -> BTreeSet<(u32, u32)> {
    let values =
        |&(location, set): &State| (0..5).filter(move |v| set >> v & 1 == 1).map(move |v| (location, v));
    reached.nodes().flat_map(|node| values(reached.state(node)).collect::<Vec<_>>()).collect()
}

fn waitlists() -> Vec<Box<dyn Waitlist>> {
    vec![Box::new(DepthFirst::default()), Box::new(BreadthFirst::default()), Box::new(Priority::default())]
}

#[test]
fn every_order_reaches_the_same_states() {
    for seed in 0..200 {
        for joins in [false, true] {
            for mut waitlist in waitlists() {
                let mut analysis = toy(seed, joins);
                let mut reached = Reached::default();
                waitlist.push(reached.add(&analysis, (0, 1), None), 0);
                let budget = Budget::unlimited();
                while run(&mut analysis, &mut reached, waitlist.as_mut(), &budget) == Ok(Pause::End) {}
                assert_eq!(found(&reached), expected(&analysis), "seed {seed}");
                let reaches_error = expected(&analysis).iter().any(|&(l, _)| {
                    analysis.edges.iter().any(|&(from, to, _)| from == l && to == analysis.error)
                });
                assert_eq!(!reached.ends.is_empty(), reaches_error);
                assert!(waitlist.nodes().is_empty());
            }
        }
    }
}

#[test]
fn a_stopped_run_goes_on_where_it_was() {
    for seed in 0..100 {
        let mut analysis = toy(seed, false);
        let (mut reached, mut waitlist) = (Reached::default(), DepthFirst::default());
        waitlist.push(reached.add(&analysis, (0, 1), None), 0);
        let mut steps = 0;
        loop {
            analysis.left = 1;
            match run(&mut analysis, &mut reached, &mut waitlist, &Budget::unlimited()) {
                Ok(Pause::Done) => break,
                _ => steps += 1,
            }
            assert!(steps < 1000);
        }
        assert_eq!(found(&reached), expected(&analysis));
    }
}

#[test]
fn the_graph_can_be_printed() {
    let mut analysis = Toy {
        edges: vec![(0, 1, 1), (1, 0, 4), (1, 6, 0)],
        modulus: 5,
        joins: false,
        error: 6,
        left: u32::MAX,
    };
    let (mut reached, mut waitlist) = (Reached::default(), DepthFirst::default());
    waitlist.push(reached.add(&analysis, (0, 1), None), 0);
    let result = run(&mut analysis, &mut reached, &mut waitlist, &Budget::unlimited());
    assert_eq!(result, Ok(Pause::End));
    let text = dot(&reached, |s| format!("{s:?}"), |c| c.to_string(), |e| format!("error \"{e}\""));
    assert!(
        text.contains("n0 -> n1") && text.contains("style=dashed") && text.contains("error \\\"6\\\""),
        "{text}"
    );
    let text = json(&reached, |s| format!("{s:?}"), |c| c.to_string(), u32::to_string);
    assert!(text.contains("{\"from\": 1, \"choice\": \"1\", \"to\": 0}"), "{text}");
    assert_eq!(reached.path(NodeId(1)), vec![(NodeId(0), 0)]);
}

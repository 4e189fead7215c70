//! How the analysis is put together: limits, order, merging.

use cpa::{BreadthFirst, DepthFirst, Priority, Waitlist};
use domains::monitors::Limits;

#[derive(Clone, Debug)]
pub struct Options {
    pub limits: Limits,
    pub order: Order,
    pub merge: Merge,
    /// A condition tells at most so many nodes of the graph apart, counted from the start of the program;
    /// what lies behind them is open.
    pub condition_nodes: usize,
    /// TRUE is only said with a proof that can be checked.
    pub proof: bool,
}

impl Default for Options {
    fn default() -> Self {
        let (limits, condition_nodes) = (Limits::default(), 1_000_000);
        Self { limits, order: Order::DepthFirst, merge: Merge::Separate, condition_nodes, proof: false }
    }
}

/// In which order states are looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    DepthFirst,
    BreadthFirst,
    /// Called functions first, and in each function what comes first in a weak topological order.
    Topological,
}

impl Order {
    pub(super) fn waitlist(self) -> Box<dyn Waitlist> {
        match self {
            Order::DepthFirst => Box::new(DepthFirst::default()),
            Order::BreadthFirst => Box::new(BreadthFirst::default()),
            Order::Topological => Box::new(Priority::default()),
        }
    }
}

/// What becomes of states that meet at a location, with the same call stack.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Merge {
    /// They stay apart.
    Separate,
    /// What they have in common is kept.
    Join,
}

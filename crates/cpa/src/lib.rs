//! Configurable program analysis (Beyer, Henzinger and Théoduloz, CAV 2007; section II of "Conditional
//! Model Checking").
//!
//! An [`Analysis`] says what its abstract states are, what follows them, which may be merged and which
//! cover others; [`run`] is Algorithm 1, which builds the [`Reached`] set with its abstract reachability
//! graph. No domain is known here. [`Component`]s are analyses of one aspect, put together by [`Product`].

mod algorithm;
mod analysis;
mod by_node;
mod component;
mod print;
mod reached;
mod waitlist;

pub use algorithm::{Pause, run};
pub use analysis::{Analysis, Successor};
pub use by_node::ByNode;
pub use component::{Component, Onward, Product};
pub use print::{dot, json};
pub use reached::{End, NodeId, Reached, Way};
pub use waitlist::{BreadthFirst, DepthFirst, Priority, Waitlist};

#[cfg(test)]
mod tests;

#[cfg(test)]
mod component_tests;

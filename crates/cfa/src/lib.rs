//! Control-flow automata: the program model that all engines work on, and the analyses on it.
//!
//! [`program`] holds the data; everything else either makes it, asks it, or prints it.

pub mod callgraph;
pub mod graph;
pub mod library;
pub mod liveness;
pub mod loops;
pub mod pointsto;
pub mod program;
pub mod reachable;
pub mod slice;
pub mod summary;
pub mod usage;

pub use program::*;

#[cfg(test)]
mod testing;

//! Control-flow automata: the program model that all engines work on, and the analyses on it.
//!
//! [`program`] holds the data; everything else either makes it, asks it, or prints it.

pub mod callgraph;
pub mod dot;
pub mod expression;
mod finish;
pub mod format;
pub mod graph;
pub mod json;
pub mod lengths;
pub mod library;
pub mod liveness;
pub mod loops;
pub mod lower;
pub mod number;
pub mod pointsto;
pub mod program;
pub mod reachable;
pub mod slice;
pub mod summary;
pub mod text;
pub mod type_name;
pub mod unmodelled;
pub mod usage;
pub mod validate;
pub mod weak_order;

pub use lengths::lengths;
pub use lower::{Lives, Options, lower, lower_with};
pub use program::*;

#[cfg(test)]
mod testing;

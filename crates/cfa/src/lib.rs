//! Control-flow automata: the program model that all engines work on, and the analyses on it.
//!
//! [`program`] holds the data; everything else either makes it, asks it, or prints it.

pub mod dot;
pub mod expression;
mod finish;
pub mod json;
pub mod library;
pub mod lower;
pub mod number;
pub mod program;
pub mod text;
pub mod type_name;
pub mod validate;

pub use lower::lower;
pub use program::*;

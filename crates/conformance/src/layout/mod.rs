//! Random structures and unions, and a C program that prints how they lie in memory: the C compiler
//! and the tool must print the same. Offsets of bit-fields cannot be asked for, so the program sets
//! one bit-field after the other to all ones and prints the bytes of the object.

mod program;
mod types;

pub use program::program;
pub use types::{Aggregate, aggregates};

//! Tests of the `proviso` binary from outside. Everything here talks to the tool by its command line
//! only, and compares it with what the head of a C program promises or with what a C compiler does,
//! so that no mistake of the tool's own code can hide in the test that should find it.
//!
//! The order of the modules is that of a check: a program states an expectation, is compiled or
//! interpreted in a process with limits, and the outcome is held against the expectation.

pub mod compiler;
pub mod corpus;
pub mod csmith;
pub mod expectation;
pub mod fuzz;
pub mod interpreter;
pub mod layout;
pub mod model;
pub mod outcome;
pub mod parallel;
pub mod passed;
pub mod process;
pub mod random;
pub mod renewal;
pub mod scratch;
pub mod tool;

pub use expectation::Expectation;
pub use model::DataModel;
pub use outcome::Outcome;
pub use random::Random;

//! The engines: each takes a task and hands in an outcome, whatever happens.

pub mod bmc;
mod changes;
pub mod combination;
pub mod compare;
pub mod counterexample;
pub mod explicit;
pub mod kinduction;
mod nests;
mod options;
mod outcome;
pub mod predicate;
pub mod proof;
mod properties;
mod runs;
mod solver;
mod strategy;
mod strengthen;
pub mod unwind;
mod window;

pub use options::{Options, Strategy};
pub use outcome::{Analyses, Findings, Outcome, Proof, PropertyVerdict, Reason, Status, Task};

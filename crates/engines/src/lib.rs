//! The engines: each takes a task and hands in an outcome, whatever happens.

pub mod bmc;
mod changes;
pub mod counterexample;
pub mod kinduction;
pub mod unwind;

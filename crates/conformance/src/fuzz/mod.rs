//! A fuzzer of the front end: whatever the bytes, `proviso cfa --quiet` must end soon, within its
//! memory, and with an answer or a diagnostic, never with a panic.
//!
//! Inputs come from two sources in turn: C files that exist, mutated ([`mutation`]), and text from a
//! grammar of C ([`grammar`]). One process for each input, so that nothing is missed and nothing of
//! one run can hide in the next.

pub mod findings;
pub mod grammar;
pub mod inputs;
pub mod minimise;
pub mod mutation;
pub mod tokens;
pub mod trial;

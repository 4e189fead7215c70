//! The engines.

pub mod unwind;

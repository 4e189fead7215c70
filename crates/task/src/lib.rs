//! What is to be verified: properties, and later conditions, verdicts and outcomes.

pub mod property;

pub use property::{Coverage, Goal, Property, PropertyError};

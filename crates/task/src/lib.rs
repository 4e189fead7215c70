//! What is to be verified, and what has been: properties and conditions.

pub mod condition;
pub mod property;

pub use condition::{Condition, ConditionError, LoopBounds};
pub use property::{Coverage, Goal, Property, PropertyError, lives};

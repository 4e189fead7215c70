//! What the encoder takes for granted about the world outside of the program.
//!
//! Each assumption is noted when an encoded edge relies on it, so that an outcome can list exactly
//! those that it rests on.

use std::collections::BTreeSet;
use std::fmt;

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Assumption {
    /// A function without a body returns any value and changes nothing that the program can see.
    UndefinedFunction(String),
    /// A pointer from outside is null or points to memory of its own.
    OutsidePointer(String),
    /// Allocation succeeds.
    AllocationSucceeds,
    /// The numeric values of addresses are those of one memory layout.
    AddressValues,
    /// What happens after an access outside of all objects is not looked at.
    ValidMemory,
}

impl fmt::Display for Assumption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Assumption::UndefinedFunction(name) => {
                write!(
                    f,
                    "{name}(), which has no body, returns any value and writes nothing that the program reads"
                )
            }
            Assumption::OutsidePointer(name) => {
                write!(f, "the pointer from {name} is null or points to memory of its own")
            }
            Assumption::AllocationSucceeds => write!(f, "memory allocation succeeds"),
            Assumption::AddressValues => write!(f, "the numeric values of addresses do not matter"),
            Assumption::ValidMemory => write!(f, "no access outside of live objects goes unnoticed before"),
        }
    }
}

/// The assumptions relied on so far.
#[derive(Clone, Default, Debug)]
pub struct Environment {
    assumptions: BTreeSet<Assumption>,
}

impl Environment {
    pub fn rely_on(&mut self, assumption: Assumption) {
        self.assumptions.insert(assumption);
    }

    pub fn iter(&self) -> impl Iterator<Item = &Assumption> {
        self.assumptions.iter()
    }
}

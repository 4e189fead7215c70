//! CFA edges to terms.
//!
//! The encoder executes edges symbolically. A [`State`] maps every variable and object to terms over
//! the run's inputs, under a guard that says when the program is in that state; [`Encoder::step`]
//! takes a state along an edge, [`Encoder::merge`] joins two states of one location. There are no
//! equations to assert: whatever a formula needs is a term, and what it does not need never reaches
//! the solver, which is all the slicing that bounded model checking asks for.

mod arithmetic;
mod calls;
mod cells;
mod classes;
mod convert;
mod encoder;
mod environment;
mod expression;
mod float;
mod forget;
mod grid;
mod guard;
mod jumped;
mod known;
mod layout;
mod leak;
mod library;
mod lifetime;
mod linear;
mod made;
mod memory;
mod objects;
mod pointer;
mod reach;
mod room;
mod rounding;
mod settle;
mod several;
mod state;
mod step;
mod written;
mod zone;

pub use encoder::{Encoder, Fresh, FreshContents, Input, Obligation, UnknownMemory};
pub use environment::{Assumption, Environment};
pub use forget::{Changes, Extent};
pub use grid::{Grid, Shape};
pub use guard::Guard;
pub use known::KnownState;
pub use made::{Made, Moment};
pub use objects::{Object, ObjectId, ObjectKind, Size};
pub use reach::{FEW_OFFSETS, MOST_OFFSETS};
pub use state::{Frame, State};
pub use step::Step;

/// A construct that the encoder has no exact terms for, in plain words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unsupported(pub &'static str);

/// What can go wrong in a step, apart from calls to error functions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Check {
    SignedOverflow,
    DivisionByZero,
    /// An index outside of its array.
    IndexRange,
    InvalidDereference,
    InvalidFree,
    /// Memory that is left and that nothing points to when the program ends.
    LostMemory,
    /// Memory that is left when the program ends.
    MemoryLeft,
    ShiftRange,
    UninitialisedUse,
}

impl std::fmt::Display for Check {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Check::SignedOverflow => "signed overflow",
            Check::DivisionByZero => "division by zero",
            Check::IndexRange => "index out of range",
            Check::InvalidDereference => "invalid dereference",
            Check::InvalidFree => "invalid free",
            Check::LostMemory => "memory that nothing points to",
            Check::MemoryLeft => "memory that is not freed",
            Check::ShiftRange => "shift out of range",
            Check::UninitialisedUse => "use of something uninitialised",
        })
    }
}

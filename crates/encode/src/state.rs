//! Symbolic states.

use crate::cells::Cells;
use crate::guard::Guard;
use base::PersistentVec;
use std::rc::Rc;
use term::TermId;

/// Where the program may be, and what its memory holds there.
#[derive(Clone)]
pub struct State {
    /// When the program is in this state: a condition on the inputs.
    pub guard: Guard,
    /// By [`ObjectId`](crate::ObjectId).
    pub(crate) store: PersistentVec<Content>,
}

#[derive(Clone, Debug)]
pub(crate) enum Content {
    /// A scalar variable that nothing points to; of a variable-length array, the address.
    Scalar(TermId),
    Cells(Rc<Cells>),
}

impl Default for State {
    fn default() -> Self {
        Self::new()
    }
}

impl State {
    /// Every run is in it, and nothing is in memory yet.
    pub fn new() -> Self {
        Self { guard: Guard::TRUE, store: PersistentVec::default() }
    }
}

/// The activation of a function that is executed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Frame {
    /// How many other activations of the same function are below it on the stack.
    pub depth: u32,
    /// Index of the variadic arguments in the encoder's table; 0 for none.
    pub variadic: u32,
}

impl Frame {
    pub const OUTERMOST: Frame = Frame { depth: 0, variadic: 0 };
}

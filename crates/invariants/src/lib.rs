//! Facts about loop heads, learnt from states.
//!
//! What is looked at are [observables](Observable): variables and other places, differences and
//! comparisons of two of them, chosen from what the program itself compares ([`candidates`]). Of
//! each loop the [facts](LoopFacts) say which values every observable takes (a small set, beyond that
//! a range between constants of the program), which values each two of them take together, so
//! that `pc == 1 => x == y` is a fact, too, and which affine relations modulo 2ⁿ hold between
//! those that arithmetic is done with.
//!
//! Facts only know how to grow by a state that they have not seen yet, and how to be written down as
//! a term. Whoever wants invariants asks a solver for a state that can follow and is not covered,
//! until there is none: symbolic abstraction (Reps, Sagiv, Yorsh, "Symbolic implementation of the
//! best transformer", 2004). There are no transfer functions that could be wrong, machine
//! arithmetic is exact, and checking facts is asking the same question once more.

mod affine;
mod candidates;
mod facts;
mod observable;
mod text;
mod values;

pub use candidates::{Candidates, Surroundings};
pub use facts::{FactId, LoopFacts, Observation};
pub use observable::{Observable, Source, Watched};
pub use text::observable as text_of;
pub use values::Values;

//! Explicit values: which variables hold which numbers.
//!
//! Memory is cut into *cells*, one for each scalar, each with a *slot* in a dense vector: first those of
//! global variables, then those of the functions on the call stack, frame by frame. A slot holds a number,
//! or only that it is not zero, or only what it has in common with others ([`symbols`]), or nothing. Pointers are numbers, too: every object has an address.
//! Expressions and edges are compiled beforehand to code on slots ([`code`]). Vectors are kept in the
//! reached set in collapsed form ([`collapse`]): chunks of eight slots are interned, chunks of chunk numbers
//! again, so that states share what they have in common, and equal states have equal numbers.
//!
//! Sound by construction: whatever is not tracked (large arrays, long double, most of the heap) or not computed
//! reads as unknown; a write through an unknown pointer forgets all that the points-to analysis says it
//! could reach.

pub mod code;
pub mod collapse;
mod compile;
mod evaluate;
mod execute;
mod heap;
mod intervals;
mod join;
pub mod layout;
mod observe;
mod operators;
mod place;
mod ranges;
mod symbols;

pub use code::{Code, NodeId};
pub use collapse::{Chunks, Vector};
pub use evaluate::Value;
pub use execute::{Effect, Machine, Precision};
pub use observe::Seen;

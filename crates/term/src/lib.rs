//! Terms: the formulas that engines build and solvers decide.
//!
//! Terms live in a [`TermPool`] and are named by a [`TermId`]. The pool's builder methods
//! (`pool.add(a, b)`, `pool.ite(c, a, b)`, …) rewrite while they build and share equal terms, so
//! that ids are equal whenever the terms were easily seen to be. Sorts are Booleans, bit-vectors of
//! any width, arrays of bit-vectors, IEEE 754 floats of any format, and mathematical integers.
//!
//! ```
//! use term::{Sort, TermPool};
//! let mut pool = TermPool::new();
//! let x = pool.variable("x", Sort::BitVec(32));
//! let one = pool.bitvec(32, 1);
//! let next = pool.add(x, one);
//! assert_eq!(pool.sub(next, one), x);
//! assert_eq!(pool.eq(x, next), TermPool::FALSE);
//! ```
//!
//! Nothing here recurses over the depth of a term: a million nested operations are fine.

pub mod array_value;
pub mod bitvec;
pub mod evaluate;
pub mod float;
pub mod op;
pub mod pool;
pub mod print;
mod rewrite;
pub mod sort;
pub mod traverse;
pub mod value;

pub use array_value::ArrayValue;
pub use bitvec::BitVec;
pub use evaluate::Assignment;
pub use float::FloatValue;
pub use op::{Op, RoundingMode};
pub use pool::{TermId, TermPool};
pub use sort::{FloatFormat, Sort};
pub use value::Value;

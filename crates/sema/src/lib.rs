//! Syntax trees to a typed program: names resolved, types computed, layout fixed, every conversion
//! written out, initialisers flattened, several files linked into one.
//!
//! What comes out ([`hir::Program`]) still has C's structured statements and side effects inside
//! expressions; taking those apart is the work of `cfa`.

pub mod hir;
pub mod types;

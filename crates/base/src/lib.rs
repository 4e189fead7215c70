//! What every other crate stands on: typed ids and arenas, interned names, source positions,
//! diagnostics, and budgets. Nothing here knows C or logic.

pub mod arena;
pub mod budget;
pub mod diagnostic;
pub mod memory;
pub mod persistent;
pub mod progress;
pub mod source;
pub mod symbol;

pub use arena::{Arena, ListPool, Range};
pub use budget::{Budget, StopReason};
pub use diagnostic::{Diagnostic, Diagnostics, Severity};
pub use persistent::PersistentVec;
pub use progress::Watcher;
pub use source::{FileId, Position, SourceMap, Span};
pub use symbol::{Interner, Symbol};

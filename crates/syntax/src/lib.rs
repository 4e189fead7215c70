//! C text to syntax trees: lexer, recursive-descent parser, preprocessing by the system's compiler.
//!
//! The parser accepts C11 with the GNU dialect. It knows which names are typedefs (it has to), and
//! nothing else about meaning: that is the work of `sema`.
//!
//! [`preprocess::load`] brings a file into a [`SourceMap`](base::SourceMap), [`parse`] makes a tree
//! of it, [`dump::dump`] shows the tree.

pub mod ast;
pub mod dump;
mod lexer;
mod parser;
pub mod preprocess;

pub use ast::Ast;
#[doc(hidden)]
pub use parser::count_tokens;
pub use parser::{CHAIN_LIMIT, NESTING_LIMIT, parse};

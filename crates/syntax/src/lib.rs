//! C text to syntax trees: lexer, recursive-descent parser, preprocessing by the system's compiler.
//!
//! The parser accepts C11 with the GNU dialect. It knows which names are typedefs (it has to), and
//! nothing else about meaning: that is the work of `sema`.

pub mod ast;

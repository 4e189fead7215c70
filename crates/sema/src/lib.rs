//! Syntax trees to a typed program: names resolved, types computed, layout fixed, every conversion
//! written out, initialisers flattened, several files linked into one.
//!
//! What comes out ([`hir::Program`]) still has C's structured statements and side effects inside
//! expressions; taking those apart is the work of `cfa`.

mod assembly;
mod atomics;
mod attributes;
mod builtins;
mod calls;
mod compatible;
mod constants;
mod context;
mod conversions;
mod declarations;
mod display;
mod dump;
mod expressions;
mod floats;
pub mod hir;
mod initializers;
mod layout;
mod library;
mod linking;
mod names;
mod object_size;
mod operators;
mod precision;
mod scope;
mod specifiers;
mod statements;
mod tags;
pub mod types;

use base::{Diagnostics, Interner, SourceMap};
use context::Analyzer;
use syntax::ast::Ast;
use types::DataModel;

/// Links the syntax trees of the files of a program into one typed program. There is a program only
/// if there are no errors.
pub fn analyze(
    units: &[Ast],
    data_model: DataModel,
    interner: &mut Interner,
    sources: &SourceMap,
) -> (Option<hir::Program>, Diagnostics) {
    let nothing = Ast::default();
    let mut analyzer = Analyzer::new(&nothing, data_model, interner, sources);
    analyzer.make_room(units);
    for unit in units {
        analyzer.ast = unit;
        analyzer.unit();
    }
    analyzer.finish_program();
    let Analyzer { program, diagnostics, .. } = analyzer;
    (Some(program).filter(|_| !diagnostics.has_errors()), diagnostics)
}

//! C text to automata, for tests.

use base::{Interner, SourceMap};
use cfa::Program;
use sema::types::DataModel;

/// The automata of a source, or the messages about it.
pub fn program(source: &str) -> Result<Program, String> {
    let mut sources = SourceMap::default();
    let mut names = Interner::default();
    let file = sources.add("a.c", source.as_bytes()).map_err(|error| format!("{error:?}"))?;
    let (ast, diagnostics) = syntax::parse(&mut sources, file, &mut names);
    if diagnostics.has_errors() {
        return Err(diagnostics.iter().map(|diagnostic| diagnostic.render(&sources)).collect());
    }
    let (hir, diagnostics) = sema::analyze(&[ast], DataModel::Lp64, &mut names, &sources);
    match hir {
        Some(hir) => Ok(cfa::lower(hir, names, sources)),
        None => Err(diagnostics.iter().map(|diagnostic| diagnostic.render(&sources)).collect()),
    }
}

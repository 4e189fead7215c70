//! What all tests share: C text in, the dump of the typed program or the messages out.

#![allow(dead_code, unused_imports)]

use base::{Diagnostics, Interner, SourceMap};
use sema::hir::Program;
pub use sema::types::DataModel::{self, Ilp32, Lp64};

pub struct Analysis {
    pub program: Option<Program>,
    pub diagnostics: Diagnostics,
    pub interner: Interner,
    pub sources: SourceMap,
}

pub fn analyze(files: &[&str], model: DataModel) -> Analysis {
    let (mut sources, mut interner) = (SourceMap::default(), Interner::default());
    let mut units = Vec::new();
    for (index, text) in files.iter().enumerate() {
        let name = format!("{}.c", char::from(b'a' + index as u8));
        let file = sources.add(&name, text.as_bytes()).unwrap();
        let (unit, diagnostics) = syntax::parse(&mut sources, file, &mut interner);
        let messages: Vec<_> = diagnostics.iter().map(|d| d.render(&sources)).collect();
        assert!(messages.is_empty(), "{}", messages.concat());
        units.push(unit);
    }
    let (program, diagnostics) = sema::analyze(&units, model, &mut interner, &sources);
    Analysis { program, diagnostics, interner, sources }
}

/// The dump of a program that must be right.
pub fn dump_files(files: &[&str], model: DataModel) -> String {
    let analysis = analyze(files, model);
    let messages: Vec<_> = analysis.diagnostics.iter().map(|d| d.render(&analysis.sources)).collect();
    assert!(messages.is_empty(), "{}\n{}", files.join("\n"), messages.concat());
    sema::hir::dump(&analysis.program.unwrap(), &analysis.interner)
}

pub fn dump(source: &str, model: DataModel) -> String {
    dump_files(&[source], model)
}

/// Lines without indentation and without the empty ones.
fn lines(text: &str) -> Vec<&str> {
    text.lines().map(str::trim).filter(|line| !line.is_empty()).collect()
}

/// The dump contains these lines, one after the other.
pub fn check_in(model: DataModel, source: &str, expected: &str) {
    let dump = dump(source, model);
    check_lines(&dump, source, expected);
}

pub fn check_lines(dump: &str, source: &str, expected: &str) {
    let (all, wanted) = (lines(dump), lines(expected));
    let found = all.windows(wanted.len().max(1)).any(|window| window == wanted);
    assert!(found, "--- source\n{source}\n--- expected\n{expected}\n--- dump\n{dump}");
}

pub fn check(source: &str, expected: &str) {
    check_in(Ilp32, source, expected);
}

/// The messages, as `line:column: text`, notes indented below.
pub fn messages(files: &[&str]) -> Vec<String> {
    let analysis = analyze(files, Ilp32);
    let place = |span| match analysis.sources.position(span) {
        Some(position) => format!("{}:{}", position.line, position.column),
        None => "?".into(),
    };
    let mut all = Vec::new();
    for diagnostic in analysis.diagnostics.iter() {
        all.push(format!("{}: {}", place(diagnostic.span), diagnostic.message));
        all.extend(diagnostic.notes.iter().map(|(span, note)| format!("  {}: {note}", place(*span))));
    }
    all
}

pub fn check_errors(source: &str, expected: &[&str]) {
    assert_eq!(messages(&[source]), expected, "{source}");
}

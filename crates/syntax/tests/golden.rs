//! Small sources beside the tree or the errors that they give, in `tests/golden/*.test`.
//!
//! A case is a title after `===`, the source, `---`, and what is expected: the dump of the tree, or
//! the messages if there are any. `RENEW=1 cargo test -p proviso-syntax --test golden` writes what
//! is given now; read the difference before you commit it.

use base::{Interner, SourceMap};
use std::fmt::Write;
use std::path::Path;

fn outcome(source: &str) -> String {
    let mut sources = SourceMap::default();
    let mut interner = Interner::default();
    let file = sources.add("a.c", source.as_bytes()).expect("it is small");
    let (ast, diagnostics) = syntax::parse(&mut sources, file, &mut interner);
    let messages: String = diagnostics.iter().map(|diagnostic| diagnostic.render(&sources)).collect();
    if messages.is_empty() { syntax::dump::dump(&ast, &interner, &sources) } else { messages }
}

/// Checks all cases of a file, or writes them anew.
fn check_file(path: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(path).expect("golden file is readable");
    let mut renewed = String::new();
    let mut failures = Vec::new();
    for case in text.split("=== ").filter(|case| !case.is_empty()) {
        let (title, rest) = case.split_once('\n').expect("a title ends with its line");
        let (source, expected) = rest.split_once("---\n").expect("--- ends the source");
        let actual = outcome(source);
        if actual.trim_end() != expected.trim_end() {
            failures.push(format!("{title}:\n{source}expected:\n{expected}actual:\n{actual}"));
        }
        writeln!(renewed, "=== {title}\n{source}---\n{actual}").expect("a string can be written to");
    }
    if std::env::var_os("RENEW").is_some() {
        std::fs::write(path, renewed).expect("golden file is writable");
        return Vec::new();
    }
    failures
}

#[test]
fn trees_and_messages_are_as_expected() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let mut paths: Vec<_> = std::fs::read_dir(directory)
        .expect("tests/golden exists")
        .map(|entry| entry.expect("entry is readable").path())
        .collect();
    paths.sort();
    let failures: Vec<_> = paths.iter().flat_map(|path| check_file(path)).collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

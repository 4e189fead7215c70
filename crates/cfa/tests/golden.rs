//! Small sources beside the automata that they give, in `tests/golden/*.test`.
//!
//! A case is a title after `===`, the source, `---`, and the listing of its functions (and of the
//! entry, if the title starts with `entry:`). All of them are validated too.
//! `RENEW=1 cargo test -p proviso-cfa --test golden` writes what is given now; read the difference
//! before you commit it.

mod front_end;

use cfa::text;
use std::fmt::Write;
use std::path::Path;

fn outcome(title: &str, source: &str) -> String {
    let program = match front_end::program(source) {
        Ok(program) => program,
        Err(messages) => return messages,
    };
    if let Err(violation) = cfa::validate::validate(&program) {
        return format!("violation: {violation}\n");
    }
    let mut out = String::new();
    for (id, ..) in program.defined_functions() {
        if id != program.entry || title.starts_with("entry:") {
            out.push_str(&text::function_listing(&program, id));
        }
    }
    out
}

/// Checks all cases of a file, or writes them anew.
fn check_file(path: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(path).expect("golden file is readable");
    let mut renewed = String::new();
    let mut failures = Vec::new();
    for case in text.split("=== ").filter(|case| !case.is_empty()) {
        let (title, rest) = case.split_once('\n').expect("a title ends with its line");
        let (source, expected) = rest.split_once("---\n").expect("--- ends the source");
        let actual = outcome(title, source);
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
fn automata_are_as_expected() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let mut paths: Vec<_> = std::fs::read_dir(directory)
        .expect("tests/golden exists")
        .map(|entry| entry.expect("entry is readable").path())
        .collect();
    paths.sort();
    let failures: Vec<_> = paths.iter().flat_map(|path| check_file(path)).collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

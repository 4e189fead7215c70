//! C text to a finished run, for tests.

#![allow(dead_code)]

use base::{Interner, SourceMap};
use cfa::Program;
use replay::{Ending, Inputs, Observer, Options, Printer, Run, Zeros};
use sema::types::DataModel;

pub fn program(source: &str, model: DataModel) -> Program {
    let mut sources = SourceMap::default();
    let mut names = Interner::default();
    let file = sources.add("a.c", source.as_bytes()).unwrap();
    let (ast, diagnostics) = syntax::parse(&mut sources, file, &mut names);
    let messages = |diagnostics: &base::Diagnostics| -> String {
        diagnostics.iter().map(|diagnostic| diagnostic.render(&sources)).collect()
    };
    assert!(!diagnostics.has_errors(), "{}", messages(&diagnostics));
    let (hir, diagnostics) = sema::analyze(&[ast], model, &mut names, &sources);
    let hir = hir.unwrap_or_else(|| panic!("{}", messages(&diagnostics)));
    cfa::lower(hir, names, sources)
}

pub fn run(source: &str, model: DataModel, inputs: &mut dyn Inputs, options: &Options) -> (Run, String) {
    let program = program(source, model);
    let mut printer = Printer { output: Vec::new(), error: std::io::sink() };
    let run = replay::run(&program, inputs, options, &mut printer);
    (run, String::from_utf8_lossy(&printer.output).into_owned())
}

pub fn observed(
    source: &str,
    inputs: &mut dyn Inputs,
    options: &Options,
    observer: &mut dyn Observer,
) -> Run {
    replay::run(&program(source, DataModel::Lp64), inputs, options, observer)
}

/// The program exits with status 0 and prints the same in both data models.
pub fn check(source: &str, output: &str) {
    check_in(DataModel::Ilp32, source, output);
    check_in(DataModel::Lp64, source, output);
}

pub fn check_in(model: DataModel, source: &str, output: &str) {
    let (run, printed) = run(source, model, &mut Zeros, &Options::default());
    assert_eq!(printed, output, "{model:?}, ended: {}", run.ending);
    assert_eq!(run.ending, Ending::Exit(0), "{model:?}");
}

/// How the program ends, in words, with the line.
pub fn ending(source: &str, inputs: &mut dyn Inputs, options: &Options) -> String {
    let program = program(source, DataModel::Lp64);
    let run = replay::run(&program, inputs, options, &mut replay::Silent);
    let position = run.ending.span().and_then(|span| program.sources.position(span));
    match position {
        Some(position) => format!("{}: {}", position.line, run.ending),
        None => run.ending.to_string(),
    }
}

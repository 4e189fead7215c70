//! Programs of the corpus, with an exit status that depends on all they print.

#![allow(dead_code, reason = "not every test changes the programs")]

use cfa::Program;
use replay::{Ending, Options, Silent, Zeros};
use sema::types::DataModel;
use std::path::{Path, PathBuf};

/// Constants of the observer: what `opaque_zero` can be at most, two statuses, and whether they are wanted.
pub const HIGHEST: u64 = 75319864;
pub const STATUSES: [u64; 2] = [324508639, 453186207];
pub const IS_ONE_OF_THESE: u64 = 86420135;

/// Runs take no more steps.
pub const STEPS: u64 = 200_000;

/// Functions of the observer itself.
pub const OBSERVER: [&str; 7] =
    ["main", "see", "see_text", "see_bytes", "observe", "observe_text", "observe_character"];

/// Programs whose status C does not determine when `main` has another name, or that end elsewhere.
const OTHERS: [&str; 4] =
    ["control-main-without-return", "function-noreturn", "function-varargs-copy", "library-exit"];

pub fn programs() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpus");
    let entries = std::fs::read_dir(folder).expect("the corpus is part of the project");
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "c"));
    files.retain(|path| !OTHERS.iter().any(|name| path.file_stem() == Some(name.as_ref())));
    files.sort();
    files
}

/// Puts other numbers in the place of the observer's constants.
pub fn put(program: &mut Program, constants: &[(u64, u64)]) {
    for expr in program.exprs.iter_mut() {
        if let cfa::ExprKind::Int(bits) = &mut expr.kind
            && let Some(&(_, number)) = constants.iter().find(|(constant, _)| constant == bits)
        {
            *bits = number;
        }
    }
}

/// The program, if it has one run that ends, with its exit status.
pub fn load(path: &Path, data_model: DataModel) -> Option<(Program, i32)> {
    let program = load_any(path, data_model)?;
    let options = Options { step_limit: STEPS, ..Options::default() };
    let run = replay::run(&program, &mut Zeros, &options, &mut Silent);
    match run.ending {
        Ending::Exit(status) if run.steps.inputs == 1 => Some((program, status)),
        _ => None,
    }
}

pub fn load_any(path: &Path, data_model: DataModel) -> Option<Program> {
    let observer = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/observer/observer.c");
    let names =
        ["-Dmain=program_main", "-Dprintf=observe", "-Dputs=observe_text", "-Dputchar=observe_character"];
    let preprocessor = names.iter().map(Into::into).collect();
    let options =
        frontend::Options { preprocessor, ..frontend::Options::new(vec![path.into(), observer], data_model) };
    Some(frontend::load(&options).ok()?.program)
}

/// Takes the input away: its variable stays zero.
pub fn without_input(program: &mut Program) {
    for edge in program.edges.iter_mut() {
        if matches!(edge.kind, cfa::EdgeKind::Input { .. }) {
            edge.kind = cfa::EdgeKind::Skip;
        }
    }
}

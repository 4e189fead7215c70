//! From C files to a program, in one call: preprocess, parse, analyse, link, lower.
//!
//! Each stage is a crate of its own; this one only passes the data on, collects the messages, and
//! gives the stages a stack on which deeply nested input cannot hurt.

use base::{Diagnostics, Interner, Severity, SourceMap};
use cfa::{Environment, Lives, Program};
use sema::hir::Function;
use sema::types::DataModel;
use std::ffi::OsString;
use std::path::PathBuf;
use syntax::ast::Ast;
use syntax::preprocess::{LoadError, PreprocessOptions, Target};

/// What shall become a program, and how.
#[derive(Clone, Debug)]
pub struct Options {
    /// `-` is standard input. Several files are linked into one program.
    pub files: Vec<PathBuf>,
    pub data_model: DataModel,
    /// `-D`, `-U`, `-I`, `-include` for the preprocessor.
    pub preprocessor: Vec<OsString>,
    /// [`Lives::Pointing`] to see where memory is lost.
    pub lives: Lives,
    pub environment: Environment,
    /// The function that the program starts with.
    pub entry: String,
}

impl Options {
    pub fn new(files: Vec<PathBuf>, data_model: DataModel) -> Self {
        Self {
            files,
            data_model,
            preprocessor: Vec::new(),
            lives: Lives::default(),
            environment: Environment::default(),
            entry: MAIN.into(),
        }
    }
}

#[derive(Debug, thiserror::Error)]
pub enum FrontEndError {
    #[error(transparent)]
    Load(#[from] LoadError),
    #[error("the text is too large")]
    TooLarge,
    /// The messages are rendered, with source lines and carets.
    #[error("{messages}{}", summary(*errors))]
    Invalid { messages: String, errors: usize },
}

fn summary(errors: usize) -> String {
    if errors == 1 { "1 error".into() } else { format!("{errors} errors") }
}

/// A program and the warnings on the way to it.
pub struct Loaded {
    pub program: Program,
    pub warnings: String,
}

/// What programs start with unless told otherwise.
const MAIN: &str = "main";

/// Stack for the stages. Only what is touched takes memory.
const STACK: usize = 1 << 30;

pub fn load(options: &Options) -> Result<Loaded, FrontEndError> {
    on_large_stack(|| load_here(options))
}

/// Runs something that may recurse deeply: the front end, or a walk over what it made.
///
/// On the same thread: another one would cost as much as reading a small program, and would have its
/// own heap.
pub fn on_large_stack<T>(work: impl FnOnce() -> T) -> T {
    stacker::grow(STACK, work)
}

/// A program of one file that is at hand as text and needs no preprocessing.
pub fn load_text(name: &str, text: &str, data_model: DataModel) -> Result<Loaded, FrontEndError> {
    on_large_stack(|| {
        let mut sources = SourceMap::default();
        let file = sources.add(name, text).map_err(|_| FrontEndError::TooLarge)?;
        let mut names = Interner::default();
        let (unit, diagnostics) = syntax::parse(&mut sources, file, &mut names);
        let options = Options::new(Vec::new(), data_model);
        analyse(vec![unit], &options, names, sources, diagnostics)
    })
}

fn load_here(options: &Options) -> Result<Loaded, FrontEndError> {
    let mut sources = SourceMap::default();
    let mut names = Interner::default();
    let mut diagnostics = Diagnostics::default();
    let preprocess = PreprocessOptions {
        compiler: None,
        target: match options.data_model {
            DataModel::Ilp32 => Target::Ilp32,
            DataModel::Lp64 => Target::Lp64,
        },
        arguments: options.preprocessor.clone(),
    };
    let mut units = Vec::new();
    for path in &options.files {
        let file = syntax::preprocess::load(path, &preprocess, &mut sources, &mut diagnostics)?;
        let (unit, messages) = syntax::parse(&mut sources, file, &mut names);
        diagnostics.append(messages);
        units.push(unit);
    }
    analyse(units, options, names, sources, diagnostics)
}

fn analyse(
    units: Vec<Ast>,
    options: &Options,
    mut names: Interner,
    sources: SourceMap,
    mut diagnostics: Diagnostics,
) -> Result<Loaded, FrontEndError> {
    stop_on_errors(&diagnostics, &sources)?;
    let (typed, messages) = sema::analyze(&units, options.data_model, &mut names, &sources);
    drop(units);
    diagnostics.append(messages);
    stop_on_errors(&diagnostics, &sources)?;
    let mut typed = typed.expect("a program without errors is complete");
    if options.entry != MAIN {
        let is_entry =
            |function: &Function| function.body.is_some() && names.resolve(function.name) == options.entry;
        typed.main = typed.functions.enumerated().find(|(_, function)| is_entry(function)).map(|(id, _)| id);
    }
    let warnings = render(&diagnostics, &sources, Severity::Warning);
    let lowering = cfa::Options { lives: options.lives, environment: options.environment };
    Ok(Loaded { program: cfa::lower_with(typed, names, sources, lowering), warnings })
}

fn stop_on_errors(diagnostics: &Diagnostics, sources: &SourceMap) -> Result<(), FrontEndError> {
    if !diagnostics.has_errors() {
        return Ok(());
    }
    let messages = render(diagnostics, sources, Severity::Error);
    Err(FrontEndError::Invalid { messages, errors: diagnostics.error_count() })
}

fn render(diagnostics: &Diagnostics, sources: &SourceMap, severity: Severity) -> String {
    diagnostics.iter().filter(|message| message.severity == severity).map(|m| m.render(sources)).collect()
}

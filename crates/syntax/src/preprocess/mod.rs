//! From a path to text that the parser can read.
//!
//! Text that has been preprocessed already is taken as it is and needs no compiler. Text with
//! directives in it (`#include`, `#define`, `#if`, …) goes through the system's compiler with `-E`,
//! which keeps line markers, so that messages still name the original lines.

mod compiler;
mod detect;

pub use detect::needs_preprocessing;

use base::{Diagnostics, FileId, SourceMap};
use std::ffi::OsString;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// The sizes of `long` and of pointers, as far as the preprocessor cares.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Target {
    /// `-m32`
    Ilp32,
    /// `-m64`
    #[default]
    Lp64,
}

/// How to preprocess, if it is needed.
#[derive(Clone, Default, Debug)]
pub struct PreprocessOptions {
    /// The compiler with its first arguments; by default what `$CC` says, or else `cc`.
    pub compiler: Option<String>,
    pub target: Target,
    /// `-D`, `-U`, `-I`, `-include`, … as the compiler takes them, in the order given.
    pub arguments: Vec<OsString>,
}

impl PreprocessOptions {
    /// Whether the arguments change text that has no directive of its own.
    fn defines_something(&self) -> bool {
        let defines = |argument: &OsString| {
            let argument = argument.to_string_lossy();
            ["-D", "-U", "-include"].iter().any(|option| argument.starts_with(option))
        };
        self.arguments.iter().any(defines)
    }
}

/// Why a file could not be loaded.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    #[error("{0}: no such file")]
    Missing(PathBuf),
    #[error("{0}: is a directory, not a file")]
    Directory(PathBuf),
    #[error("{path}: cannot be read: {source}")]
    Unreadable { path: PathBuf, source: io::Error },
    #[error("{0}: is empty")]
    Empty(PathBuf),
    #[error("{0}: is not a text file")]
    Binary(PathBuf),
    #[error("{0}: is too large (input may have 4 GiB altogether)")]
    TooLarge(PathBuf),
    #[error(
        "{path}: needs a C preprocessor, none found (tried {tried}): install gcc or clang, set CC, or give \
         an already preprocessed .i file"
    )]
    NoPreprocessor { path: PathBuf, tried: String },
    #[error("{path}: a header is missing:\n{message}\nhint: give its directory with -I")]
    MissingHeader { path: PathBuf, message: String },
    #[error("{path}: {compiler} cannot preprocess it:\n{message}")]
    PreprocessorFailed { path: PathBuf, compiler: String, message: String },
}

/// Reads a file (`-` is standard input), preprocesses it if it needs that, and adds it to the map.
/// Warnings go to `diagnostics`.
pub fn load(
    path: &Path,
    options: &PreprocessOptions,
    sources: &mut SourceMap,
    diagnostics: &mut Diagnostics,
) -> Result<FileId, LoadError> {
    let text = read(path)?;
    let text = if needs_preprocessing(&text) || options.defines_something() && !is_preprocessed(path) {
        compiler::preprocess(path, text, options, diagnostics)?
    } else {
        text
    };
    let name = if is_standard_input(path) { "<stdin>".into() } else { path.to_string_lossy() };
    sources.add(&name, text).map_err(|_| LoadError::TooLarge(path.into()))
}

/// By its name.
fn is_preprocessed(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "i")
}

fn is_standard_input(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// The text of a file, if it is text.
fn read(path: &Path) -> Result<Vec<u8>, LoadError> {
    let text = if is_standard_input(path) { read_standard_input() } else { std::fs::read(path) };
    let text = text.map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => LoadError::Missing(path.into()),
        io::ErrorKind::IsADirectory => LoadError::Directory(path.into()),
        _ => LoadError::Unreadable { path: path.into(), source: error },
    })?;
    if text.iter().all(u8::is_ascii_whitespace) {
        return Err(LoadError::Empty(path.into()));
    }
    if is_binary(&text) {
        return Err(LoadError::Binary(path.into()));
    }
    Ok(text)
}

fn read_standard_input() -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    io::stdin().lock().read_to_end(&mut text)?;
    Ok(text)
}

/// No C text has zero bytes near its start.
fn is_binary(text: &[u8]) -> bool {
    const LOOK_AT: usize = 8192;
    text[..text.len().min(LOOK_AT)].contains(&0)
}

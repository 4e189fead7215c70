//! Running the system's compiler as a preprocessor.

use super::{LoadError, PreprocessOptions, Target, is_standard_input};
use base::{Diagnostics, Span};
use std::ffi::OsStr;
use std::io::{self, Write};
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// Lines of the compiler's messages that are passed on.
const MOST_LINES: usize = 12;

/// Compilers to try when nobody has chosen one.
const COMPILERS: [&str; 3] = ["cc", "gcc", "clang"];

/// The standard whose predefined macros are wanted; newer compilers would choose newer ones.
const STANDARD: &str = "-std=gnu11";

pub(super) fn preprocess(
    path: &Path,
    text: Vec<u8>,
    options: &PreprocessOptions,
    diagnostics: &mut Diagnostics,
) -> Result<Vec<u8>, LoadError> {
    let job = Job { path, text: &text, options, compiler: find_compiler(path, options)? };
    let model = match options.target {
        Target::Ilp32 => "-m32",
        Target::Lp64 => "-m64",
    };
    let first = job.run(Some(model))?;
    if first.status.success() {
        return Ok(first.stdout);
    }
    // Either the compiler does not know the flag (no 32-bit mode, or not an x86), or the headers for
    // that mode are not installed, or the error has nothing to do with it.
    let second = job.run(None)?;
    if !second.status.success() {
        return Err(job.failure(&second));
    }
    if options.target == Target::Ilp32 {
        diagnostics.warning(Span::NONE, job.fallback_warning(&first));
    }
    Ok(second.stdout)
}

struct Job<'a> {
    path: &'a Path,
    text: &'a [u8],
    options: &'a PreprocessOptions,
    compiler: String,
}

impl Job<'_> {
    fn run(&self, model: Option<&'static str>) -> Result<Output, LoadError> {
        run(&self.compiler, self.arguments(model), self.standard_input()).map_err(|error| {
            match error.kind() {
                io::ErrorKind::NotFound => no_preprocessor(self.path, &self.compiler),
                _ => self.failed(error.to_string()),
            }
        })
    }

    fn arguments(&self, model: Option<&'static str>) -> Vec<&OsStr> {
        let mut arguments: Vec<&OsStr> = vec!["-E".as_ref(), STANDARD.as_ref()];
        arguments.extend(model.map(OsStr::new));
        arguments.extend(self.options.arguments.iter().map(|argument| argument.as_os_str()));
        // The language is said explicitly: by its suffix, `.i` would not be preprocessed.
        arguments.extend([OsStr::new("-x"), OsStr::new("c"), self.path.as_os_str()]);
        arguments
    }

    fn standard_input(&self) -> Option<&[u8]> {
        is_standard_input(self.path).then_some(self.text)
    }

    fn failure(&self, output: &Output) -> LoadError {
        let message = first_errors(output);
        if missing_header(&message).is_some() {
            return LoadError::MissingHeader { path: self.path.into(), message };
        }
        self.failed(message)
    }

    fn failed(&self, message: String) -> LoadError {
        let compiler = self.compiler.clone();
        LoadError::PreprocessorFailed { path: self.path.into(), compiler, message }
    }

    fn fallback_warning(&self, output: &Output) -> String {
        let message = first_errors(output);
        let reason = missing_header(&message).unwrap_or(message.lines().next().unwrap_or_default());
        format!(
            "{}: {} cannot preprocess for a 32-bit machine ({}): the headers and predefined macros used are \
             those of its own machine, so that LONG_MAX or size_t may be wrong; install the 32-bit headers \
             (gcc-multilib) or give an already preprocessed .i file",
            self.path.display(),
            self.compiler,
            reason.trim()
        )
    }
}

/// The compiler that was asked for, or the first one that can be started.
fn find_compiler(path: &Path, options: &PreprocessOptions) -> Result<String, LoadError> {
    let chosen = options.compiler.clone().or_else(|| std::env::var("CC").ok());
    if let Some(compiler) = chosen.filter(|compiler| !compiler.trim().is_empty()) {
        return Ok(compiler);
    }
    let found =
        COMPILERS.into_iter().find(|compiler| run(compiler, vec!["--version".as_ref()], None).is_ok());
    found.map(str::to_owned).ok_or_else(|| no_preprocessor(path, &COMPILERS.join(", ")))
}

fn no_preprocessor(path: &Path, tried: &str) -> LoadError {
    LoadError::NoPreprocessor { path: path.into(), tried: tried.to_owned() }
}

/// Runs a compiler, which may be given with arguments of its own (`ccache gcc`).
fn run(compiler: &str, arguments: Vec<&OsStr>, input: Option<&[u8]>) -> io::Result<Output> {
    let mut words = compiler.split_ascii_whitespace();
    let mut child = Command::new(words.next().unwrap_or_default())
        .args(words)
        .args(arguments)
        // Messages are searched for English text.
        .env("LC_ALL", "C")
        .stdin(if input.is_some() { Stdio::piped() } else { Stdio::null() })
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    let pipe = child.stdin.take();
    std::thread::scope(|scope| {
        if let (Some(mut pipe), Some(input)) = (pipe, input) {
            // A compiler that does not read to the end has said why in its messages.
            scope.spawn(move || drop(pipe.write_all(input)));
        }
        child.wait_with_output()
    })
}

/// The compiler's errors without its warnings and remarks, or all it said if none looks like one.
fn first_errors(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stderr);
    let errors: Vec<&str> = text.lines().filter(|line| line.contains("error")).take(MOST_LINES).collect();
    if !errors.is_empty() {
        return errors.join("\n");
    }
    match text.trim() {
        "" => format!("it ended with {} and said nothing", output.status),
        said => said.lines().take(MOST_LINES).collect::<Vec<_>>().join("\n"),
    }
}

/// The line that says that a header is missing, in the words of gcc or clang.
fn missing_header(message: &str) -> Option<&str> {
    message.lines().find(|line| {
        line.contains("fatal error") && (line.contains("No such file") || line.contains("file not found"))
    })
}

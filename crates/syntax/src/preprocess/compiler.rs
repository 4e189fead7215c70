//! Running the system's compiler as a preprocessor.

use super::{LoadError, PreprocessOptions, Target, is_standard_input};
use base::{Diagnostics, Span};
use std::ffi::OsStr;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
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
    let compiler = find_compiler(path, options)?;
    let job = Job { path, text: &text, options, compiler, file_argument: file_argument(path) };
    let model = match options.target {
        Target::Ilp32 => "-m32",
        Target::Lp64 => "-m64",
    };
    let first = job.run(Some(model))?;
    if first.status.success() {
        return Ok(first.stdout);
    }
    if !is_fault_of_model(&first, model) {
        return Err(job.failure(&first));
    }
    let second = job.run(None)?;
    if !second.status.success() {
        return Err(job.failure(&second));
    }
    if native_target(&job.compiler) != Some(options.target) {
        diagnostics.warning(Span::NONE, job.fallback_warning(&first));
    }
    Ok(second.stdout)
}

/// Whether it may be the flag that went wrong: the compiler does not know it (it has no such mode, or
/// is not for x86), or the headers for that mode are not installed.
fn is_fault_of_model(output: &Output, model: &str) -> bool {
    let message = first_errors(output);
    message.contains(model) || missing_header(&message).is_some()
}

/// What the compiler compiles for when it is not told, if we have a name for it.
fn native_target(compiler: &str) -> Option<Target> {
    let arguments = ["-E", "-P", "-x", "c", "-"].map(OsStr::new).to_vec();
    let output = run(compiler, arguments, Some(b"__SIZEOF_POINTER__ __SIZEOF_LONG__\n")).ok()?;
    let text = String::from_utf8_lossy(&output.stdout);
    match text.split_ascii_whitespace().collect::<Vec<_>>().as_slice() {
        ["4", "4"] => Some(Target::Ilp32),
        ["8", "8"] => Some(Target::Lp64),
        _ => None,
    }
}

struct Job<'a> {
    path: &'a Path,
    text: &'a [u8],
    options: &'a PreprocessOptions,
    compiler: String,
    /// The path in a form that cannot be taken for an option.
    file_argument: PathBuf,
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
        arguments.extend([OsStr::new("-x"), OsStr::new("c"), self.file_argument.as_os_str()]);
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
        let (bits, remedy) = match self.options.target {
            Target::Ilp32 => (32, "install the 32-bit headers (gcc-multilib)"),
            Target::Lp64 => (64, "install a compiler for 64 bits"),
        };
        format!(
            "{}: {} cannot preprocess for a {bits}-bit machine ({}): the headers and predefined macros used \
             are those of its own machine, so that LONG_MAX or size_t may be wrong; {remedy} or give an \
             already preprocessed .i file",
            self.path.display(),
            self.compiler,
            reason.trim()
        )
    }
}

/// A file whose name starts with `-` is not an option; `-` alone is standard input.
fn file_argument(path: &Path) -> PathBuf {
    let looks_like_option = path.as_os_str().as_encoded_bytes().starts_with(b"-");
    if looks_like_option && !is_standard_input(path) { Path::new(".").join(path) } else { path.into() }
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

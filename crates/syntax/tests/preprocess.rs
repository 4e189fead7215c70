//! Loading files, with shell scripts in the place of a compiler.
#![cfg(unix)]

use base::{Diagnostics, SourceMap};
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use syntax::preprocess::{LoadError, PreprocessOptions, Target, load};

/// A directory for one test, removed at its end.
struct Directory(PathBuf);

impl Directory {
    fn new() -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("proviso-preprocess-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&path).expect("the temporary directory is writable");
        Self(path)
    }

    fn file(&self, name: &str, text: &[u8]) -> PathBuf {
        let path = self.0.join(name);
        std::fs::write(&path, text).expect("the temporary directory is writable");
        path
    }

    /// A compiler that runs `body`; it is started through the shell, so that no test has to wait for
    /// another one that is just writing its script.
    fn compiler(&self, body: &str) -> PreprocessOptions {
        let path = self.file("fake-cc", body.as_bytes());
        PreprocessOptions { compiler: Some(format!("sh {}", path.display())), ..Default::default() }
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The text that was loaded, and the warnings.
fn load_text(
    path: &std::path::Path,
    options: &PreprocessOptions,
) -> Result<(String, Vec<String>), LoadError> {
    let mut sources = SourceMap::default();
    let mut diagnostics = Diagnostics::default();
    let file = load(path, options, &mut sources, &mut diagnostics)?;
    let text = String::from_utf8_lossy(&sources.text(file)).into_owned();
    Ok((text, diagnostics.iter().map(|diagnostic| diagnostic.message.clone()).collect()))
}

fn load_error(path: &std::path::Path, options: &PreprocessOptions) -> LoadError {
    load_text(path, options).expect_err("loading must fail")
}

#[test]
fn preprocessed_text_needs_no_compiler() {
    let directory = Directory::new();
    let path = directory.file("a.i", b"# 1 \"a.c\"\nint x;\n");
    let options = directory.compiler("exit 1");
    assert_eq!(load_text(&path, &options).unwrap().0, "# 1 \"a.c\"\nint x;\n");
}

#[test]
fn macros_from_outside_reach_text_without_directives() {
    let directory = Directory::new();
    let text = b"int x = A;\n";
    let [plain, preprocessed] = ["a.c", "a.i"].map(|name| directory.file(name, text));
    let mut options = directory.compiler("echo 'int x = 2;'");
    options.arguments = vec!["-Iheaders".into()];
    assert_eq!(load_text(&plain, &options).unwrap().0, "int x = A;\n");
    options.arguments.push("-DA=2".into());
    assert_eq!(load_text(&plain, &options).unwrap().0, "int x = 2;\n");
    assert_eq!(load_text(&preprocessed, &options).unwrap().0, "int x = A;\n");
}

#[test]
fn options_reach_the_compiler_in_order() {
    let directory = Directory::new();
    let path = directory.file("a.c", b"#define A 1\nint x = A;\n");
    let mut options = directory.compiler("echo \"$@\"");
    options.arguments = ["-DB=2", "-I", "dir", "-include", "h.h", "-UC"].map(Into::into).into();
    let expected =
        |model| format!("-E -std=gnu11 {model} -DB=2 -I dir -include h.h -UC -x c {}\n", path.display());
    assert_eq!(load_text(&path, &options).unwrap(), (expected("-m64"), vec![]));
    options.target = Target::Ilp32;
    assert_eq!(load_text(&path, &options).unwrap(), (expected("-m32"), vec![]));
}

#[test]
fn without_32_bit_headers_there_is_a_warning() {
    let directory = Directory::new();
    let path = directory.file("a.c", b"#include <limits.h>\n");
    let mut options = directory.compiler(
        "case \"$*\" in *-m32*) echo 'x.h:1:2: fatal error: gnu/stubs-32.h: No such file or directory' >&2; \
         exit 1;; esac; echo 'int x;'",
    );
    options.target = Target::Ilp32;
    let (text, warnings) = load_text(&path, &options).unwrap();
    assert_eq!(text, "int x;\n");
    assert_eq!(warnings.len(), 1);
    assert!(warnings[0].contains("gnu/stubs-32.h: No such file"), "{warnings:?}");
    assert!(warnings[0].contains("gcc-multilib"), "{warnings:?}");
    options.target = Target::Lp64;
    assert_eq!(load_text(&path, &options).unwrap(), ("int x;\n".into(), vec![]));
}

#[test]
fn errors_that_have_nothing_to_do_with_the_data_model_are_final() {
    let directory = Directory::new();
    let path = directory.file("a.c", b"#error no\n");
    let mut options = directory.compiler(
        "case \"$*\" in *-m32*) echo 'a.c:1:2: error: #error no' >&2; exit 1;; esac; echo 'int x;'",
    );
    options.target = Target::Ilp32;
    assert!(matches!(load_error(&path, &options), LoadError::PreprocessorFailed { .. }));
}

#[test]
fn compilers_that_do_not_know_m64_are_asked_without() {
    let directory = Directory::new();
    let path = directory.file("a.c", b"#define A\n");
    let options = directory.compiler(
        "case \"$*\" in *-m64*) echo \"error: unrecognized option '-m64'\" >&2; exit 1;; *-P*) echo 8 8;; \
         *) echo 'int x;';; esac",
    );
    assert_eq!(load_text(&path, &options).unwrap(), ("int x;\n".into(), vec![]));
}

#[test]
fn a_missing_header_is_named() {
    let directory = Directory::new();
    let path = directory.file("a.c", b"#include \"none.h\"\n");
    for message in [
        "a.c:1:10: fatal error: none.h: No such file or directory",
        "a.c:1:10: fatal error: 'none.h' file not found",
    ] {
        let options = directory.compiler(&format!("echo 'warning: w' >&2; echo \"{message}\" >&2; exit 1"));
        let error = load_error(&path, &options);
        assert!(matches!(error, LoadError::MissingHeader { .. }));
        let expected =
            format!("{}: a header is missing:\n{message}\nhint: give its directory with -I", path.display());
        assert_eq!(error.to_string(), expected);
    }
}

#[test]
fn errors_of_the_compiler_are_passed_on() {
    let directory = Directory::new();
    let path = directory.file("a.c", b"#error no\n");
    let options = directory.compiler("echo 'a.c:1:2: error: #error no' >&2; exit 1");
    let error = load_error(&path, &options);
    assert!(matches!(error, LoadError::PreprocessorFailed { .. }));
    assert!(error.to_string().ends_with("cannot preprocess it:\na.c:1:2: error: #error no"), "{error}");
    let silent = directory.compiler("exit 3");
    assert!(load_error(&path, &silent).to_string().contains("said nothing"));
}

#[test]
fn a_missing_compiler_is_explained() {
    let directory = Directory::new();
    let path = directory.file("a.c", b"#define A\n");
    let options = PreprocessOptions { compiler: Some("/no/such/compiler".into()), ..Default::default() };
    let error = load_error(&path, &options);
    let expected = format!(
        "{}: needs a C preprocessor, none found (tried /no/such/compiler): install gcc or clang, set CC, or \
         give an already preprocessed .i file",
        path.display()
    );
    assert_eq!(error.to_string(), expected);
}

#[test]
fn files_that_are_no_text_are_refused() {
    let directory = Directory::new();
    let options = PreprocessOptions::default();
    let check = |path: PathBuf, expected: &str| {
        assert_eq!(load_error(&path, &options).to_string(), format!("{}: {expected}", path.display()));
    };
    check(directory.0.join("absent.c"), "no such file");
    check(directory.0.clone(), "is a directory, not a file");
    check(directory.file("empty.c", b" \n"), "is empty");
    check(directory.file("binary.c", b"\x7fELF\0\0"), "is not a text file");
}

#[test]
fn unreadable_files_are_refused() {
    let directory = Directory::new();
    let path = directory.file("secret.c", b"int x;");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o000)).expect("it is our own file");
    // Whoever runs the tests as root can read everything.
    if std::fs::read(&path).is_err() {
        let error = load_error(&path, &PreprocessOptions::default());
        assert!(matches!(error, LoadError::Unreadable { .. }), "{error}");
    }
}

//! What a new user meets: the examples, mistakes on the command line, files that are no C.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn project() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn proviso(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_proviso"))
        .args(arguments)
        .current_dir(project())
        .output()
        .expect("the binary can be started")
}

/// A file of this test run with the given content.
fn file(name: &str, content: &[u8]) -> String {
    let path = std::env::temp_dir().join(format!("proviso-cli-{}-{name}", std::process::id()));
    std::fs::write(&path, content).expect("the temporary folder can be written to");
    path.to_str().expect("a plain path").into()
}

/// Checks the exit code, and that standard error contains some words.
fn check_error(arguments: &[&str], exit: i32, words: &[&str]) {
    let output = proviso(arguments);
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(exit), "{arguments:?}: {text}");
    for word in words {
        assert!(text.contains(word), "{arguments:?}: '{word}' is missing in: {text}");
    }
}

fn last_line(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stdout);
    text.lines().last().unwrap_or_default().to_string()
}

#[test]
fn bad_files_get_a_clear_error() {
    check_error(&["cfa", "no-such-file.c"], 6, &["no-such-file.c", "no such file"]);
    check_error(&["cfa", "examples"], 6, &["examples", "directory"]);
    check_error(&["cfa", &file("empty.c", b"")], 6, &["is empty"]);
    check_error(&["run", &file("binary.c", &[0x7f, b'E', b'L', b'F', 0, 1, 2])], 6, &["not a text file"]);
    let syntax = file("syntax.c", b"int main(void) {\n    return 0\n}\n");
    check_error(&["verify", &syntax], 6, &["syntax.c:2:13: error: expected ';'", "    return 0", "^"]);
    let name = file("name.c", b"int main(void) { return x; }\n");
    check_error(&["verify", &name], 6, &["name.c:1:25: error: use of undeclared identifier 'x'"]);
}

#[test]
fn preprocessing_needs_a_compiler_and_says_so() {
    let source = file("header.c", b"#include \"nowhere.h\"\nint main(void) { return 0; }\n");
    let mut command = Command::new(env!("CARGO_BIN_EXE_proviso"));
    let output = command.args(["cfa", &source]).env("CC", "/no/such/compiler").output().expect("it starts");
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(6));
    assert!(text.contains("needs a C preprocessor") && text.contains("CC"), "{text}");
}

#[test]
fn mistakes_on_the_command_line_are_usage_errors() {
    check_error(&[], 1, &["Usage: proviso"]);
    check_error(&["cfa"], 1, &["<FILE>..."]);
    check_error(&["cfa", "--nonsense", "a.c"], 1, &["--nonsense"]);
    check_error(&["verify", "--time-limit", "soon", "a.c"], 1, &["10s"]);
    check_error(&["verify", "--property", "nonsense", "examples/overrun.c"], 6, &["unreach-call"]);
    check_error(&["verify", "--property", "termination", "examples/overrun.c"], 6, &["not checked yet"]);
}

#[test]
fn help_has_examples() {
    for command in ["verify", "cfa", "run"] {
        let output = proviso(&[command, "--help"]);
        assert_eq!(output.status.code(), Some(0));
        assert!(String::from_utf8_lossy(&output.stdout).contains("Examples:"), "{command}");
    }
}

#[test]
fn verdicts_are_the_last_line_and_the_exit_code() {
    let safe = file(
        "safe.c",
        b"void reach_error(void); int main(void) { int x = 1; while (1) if (x != 1) reach_error(); }",
    );
    let output = proviso(&["verify", &safe]);
    assert_eq!((output.status.code(), last_line(&output).as_str()), (Some(0), "TRUE"));

    let wrong = file(
        "wrong.c",
        b"int __VERIFIER_nondet_int(void); void reach_error(void);\nint main(void) { if (__VERIFIER_nondet_int() == 42) reach_error(); }",
    );
    let output = proviso(&["verify", &wrong]);
    assert_eq!((output.status.code(), last_line(&output).as_str()), (Some(10), "FALSE(unreach-call)"));
    assert!(String::from_utf8_lossy(&output.stdout).contains("= 42"));

    let open = file("open.c", b"int __VERIFIER_nondet_int(void); void reach_error(void); unsigned x;\nint main(void) { while (__VERIFIER_nondet_int()) x += 2; if (x == 7) reach_error(); }");
    let output = proviso(&["verify", "--unwind", "3", &open]);
    assert_eq!((output.status.code(), last_line(&output).as_str()), (Some(5), "UNKNOWN"));
    assert!(String::from_utf8_lossy(&output.stdout).contains("no loop comes back more than 3 times"));
}

#[test]
fn several_files_are_one_program() {
    let one = file(
        "one.c",
        b"int shared; int twice(int); static int own = 1; int main(void) { shared = own; return twice(3); }",
    );
    let two = file(
        "two.c",
        b"extern int shared; static int own = 10; int twice(int x) { return 2 * x + own + shared; }",
    );
    let output = proviso(&["run", &one, &two]);
    assert_eq!(String::from_utf8_lossy(&output.stderr).lines().last(), Some("ended: exit status 17"));
    let output = proviso(&["run", &one]);
    assert_eq!(output.status.code(), Some(0), "an undefined function is an input");
    let again = file("again.c", b"int twice(int x) { return x; }");
    check_error(&["run", &one, &two, &again], 6, &["redefinition of 'twice'"]);
}

#[test]
fn the_environment_may_be_hostile() {
    let source = file(
        "hostile.c",
        b"void *malloc(unsigned long); void reach_error(void); volatile int port = 1;
int main(void) {
    if (port == 5)
        if (!malloc(4)) reach_error();
}",
    );
    assert_eq!(last_line(&proviso(&["verify", &source])), "TRUE");
    let output = proviso(&["verify", "--environment", "hostile", &source]);
    assert_eq!((output.status.code(), last_line(&output).as_str()), (Some(10), "FALSE(unreach-call)"));
    let text = String::from_utf8_lossy(&output.stdout);
    for line in ["hostile.c:3: input port = 5", "hostile.c:4: [malloc(4)] false"] {
        assert!(text.contains(line), "{text}");
    }
    // Inputs are zero unless told otherwise, and nothing happens then.
    let output = proviso(&["run", "--environment", "hostile", &source]);
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn checks_beside_the_property() {
    let text: &[u8] = b"int a[3]; int main(int argc, char **argv) { return a[argc & 3] / argc; }\n";
    let source = file("checks.c", text);
    assert_eq!(last_line(&proviso(&["verify", &source])), "TRUE");
    assert_eq!(last_line(&proviso(&["verify", "--check", "bounds", &source])), "FALSE(valid-index)");
    assert_eq!(
        last_line(&proviso(&["verify", "--check", "division,shift", &source])),
        "FALSE(valid-division)"
    );
    let leak = file(
        "leak.c",
        b"void *malloc(unsigned long); int main(void) { int *p = malloc(4); *p = 1; return 0; }\n",
    );
    let memory = ["verify", "--property", "valid-memsafety", &leak];
    assert_eq!(last_line(&proviso(&memory)), "FALSE(valid-memtrack)");
    assert_eq!(last_line(&proviso(&["verify", "--check", "pointer,free", &leak])), "TRUE");
    check_error(&["verify", "--property", "termination", &source], 6, &["not checked yet"]);
}

/// A program that unwinding comes to no end with.
const ENDLESS: &[u8] = b"int __VERIFIER_nondet_int(void); void reach_error(void); int main(void) {
    unsigned i = 0; while (__VERIFIER_nondet_int()) { i += 2; if (i == 7) reach_error(); } }";

#[test]
fn results_are_data_on_request() {
    let output = proviso(&["verify", "--json", "examples/gearbox.c"]);
    let found: serde_json::Value = serde_json::from_slice(&output.stdout).expect("it is JSON");
    assert_eq!(found["verdict"], "FALSE(unreach-call)");
    assert!(found["trace"].as_array().is_some_and(|trace| !trace.is_empty()));
    let endless = file("endless.c", ENDLESS);
    let output = proviso(&["verify", "--json", "--engine", "bmc", "--unwind", "1", &endless]);
    let found: serde_json::Value = serde_json::from_slice(&output.stdout).expect("it is JSON");
    assert_eq!(found["verdict"], "UNKNOWN");
    assert_eq!(found["condition"]["covered"][0]["loop-bounds"]["every_loop"], 1);
}

/// Interrupting a run, and running out of time, end in the condition, and soon.
#[cfg(unix)]
#[test]
fn a_run_that_is_interrupted_says_what_it_has_verified() {
    let endless = file("interrupted.c", ENDLESS);
    for signal in ["-INT", "-TERM"] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_proviso"));
        command.args(["verify", "--engine", "bmc", &endless]).stdout(std::process::Stdio::piped());
        let run = command.spawn().expect("the binary can be started");
        std::thread::sleep(std::time::Duration::from_millis(700));
        let sent = Command::new("kill").args([signal, &run.id().to_string()]).status();
        assert!(sent.is_ok_and(|status| status.success()));
        let start = std::time::Instant::now();
        let output = run.wait_with_output().expect("it ends");
        assert!(start.elapsed().as_secs() < 5, "{:?}", start.elapsed());
        assert_eq!(output.status.code(), Some(5));
        assert_eq!(last_line(&output), "UNKNOWN");
        assert!(String::from_utf8_lossy(&output.stdout).contains("verified: all runs in which"));
    }
}

#[test]
fn the_middle_of_a_long_trace_is_left_out() {
    let source =
        "void reach_error(void); int main(void) { int x = 0; while (x < 20000) x++; reach_error(); }";
    let path = file("long.c", source.as_bytes());
    let lines = |detail: &str| {
        let output = proviso(&["verify", "--engine", "bmc", "--trace", detail, &path]);
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(text.ends_with("FALSE(unreach-call)\n"), "{text}");
        assert_eq!(text.contains("steps are not shown"), detail == "short", "{text}");
        text.lines().count()
    };
    let (short, full) = (lines("short"), lines("full"));
    assert!(short < 20_000 && full > 40_000, "{short} and {full} lines");
}

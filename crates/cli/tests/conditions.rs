//! Conditions on the command line: written, taken up, compared, refused.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, Instant};

const SOURCE: &str = "int __VERIFIER_nondet_int(void); void reach_error(void);
int main(void) {
  int p = __VERIFIER_nondet_int();
  if (p) {
    int i = 0;
    while (i < 300) { i++; }
    if (i != 300) { reach_error(); }
  } else {
    if (p != 0) { reach_error(); }
  }
  return 0;
}
";

/// A folder of its own for each test.
fn folder(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("proviso-conditions-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&path).expect("the temporary folder can be written to");
    std::fs::write(path.join("a.c"), SOURCE).expect("it can");
    path
}

fn proviso(folder: &Path, arguments: &[&str]) -> (String, Option<i32>, String) {
    let Output { stdout, status, stderr } = Command::new(env!("CARGO_BIN_EXE_proviso"))
        .args(arguments)
        .current_dir(folder)
        .output()
        .expect("the binary runs");
    (String::from_utf8_lossy(&stdout).into(), status.code(), String::from_utf8_lossy(&stderr).into())
}

#[test]
fn each_form_is_taken_up() {
    let folder = folder("forms");
    for form in ["c.txt", "c.json", "c.spc"] {
        let limited =
            ["verify", "--engine", "explicit", "--limit", "path-length=40", "--condition-out", form, "a.c"];
        let (out, code, _) = proviso(&folder, &limited);
        assert_eq!(code, Some(5), "{out}");
        assert!(
            out.contains("stopped: limit path-length=40\n") && out.contains("open: from main:6"),
            "{out}"
        );
        let (out, code, error) =
            proviso(&folder, &["verify", "--engine", "explicit", "--condition-in", form, "a.c"]);
        assert_eq!((code, out.lines().last()), (Some(0), Some("TRUE")), "{out}{error}");
    }
    let _ = std::fs::remove_dir_all(folder);
}

#[test]
fn more_work_gives_a_weaker_condition() {
    let folder = folder("compare");
    for (limit, file) in [("path-length=2", "short"), ("path-length=60", "long")] {
        proviso(
            &folder,
            &["verify", "--engine", "explicit", "--limit", limit, "--condition-out", file, "a.c"],
        );
    }
    let (out, code, error) = proviso(&folder, &["compare", "short", "long", "a.c"]);
    assert_eq!(code, Some(0), "{error}");
    assert_eq!(out.lines().last(), Some("B is weaker: it covers more than A"), "{out}");
    let (out, ..) = proviso(&folder, &["compare", "long", "short", "a.c"]);
    assert_eq!(out.lines().last(), Some("A is weaker: it covers more than B"), "{out}");
    let (out, ..) = proviso(&folder, &["compare", "long", "long", "a.c"]);
    assert_eq!(out.lines().last(), Some("A and B cover the same"), "{out}");
    let _ = std::fs::remove_dir_all(folder);
}

/// Bounds of loops and automata are different ways to say what is covered.
#[test]
fn conditions_of_different_engines_are_compared() {
    let folder = folder("mixed");
    let source =
        SOURCE.replace("i < 300", "__VERIFIER_nondet_int() && i < 300").replace("i != 300", "i > 300");
    std::fs::write(folder.join("a.c"), source).expect("it can");
    let verify = |engine: &str, option: [&str; 2], file: &str| {
        proviso(
            &folder,
            &["verify", "--engine", engine, option[0], option[1], "--condition-out", file, "a.c"],
        )
    };
    verify("bmc", ["--unwind", "2"], "two");
    verify("bmc", ["--unwind", "5"], "five");
    verify("explicit", ["--limit", "path-length=2"], "early");
    verify("explicit", ["--limit", "path-length=60"], "late");
    let last = |a: &str, b: &str| {
        let (out, code, error) = proviso(&folder, &["compare", a, b, "a.c"]);
        assert_eq!(code, Some(0), "{error}");
        (out.lines().last().unwrap_or_default().to_string(), out)
    };
    assert_eq!(last("two", "five").0, "B is weaker: it covers more than A");
    assert_eq!(last("five", "two").0, "A is weaker: it covers more than B");
    assert_eq!(last("five", "five").0, "A and B cover the same");
    // Where little is verified by values, bounds cover more, and the other way round.
    assert_eq!(last("early", "two").0, "B is weaker: it covers more than A");
    let (verdict, text) = last("late", "two");
    assert_eq!(verdict, "A is weaker: it covers more than B", "{text}");
    assert!(text.contains("A is verified and B open on a path to") && text.contains(" edges, "), "{text}");
    let _ = std::fs::remove_dir_all(folder);
}

#[test]
fn graphs_orders_and_proofs() {
    let folder = folder("graphs");
    for order in ["dfs", "bfs", "topological"] {
        let arguments = ["verify", "--engine", "explicit", "--order", order, "--check-proof", "a.c"];
        let (out, _, error) = proviso(&folder, &arguments);
        assert_eq!(out.lines().last(), Some("TRUE"), "{out}{error}");
    }
    for file in ["g.dot", "g.json"] {
        let arguments = ["verify", "--engine", "explicit", "--merge", "join", "--arg-out", file, "a.c"];
        let (out, _, error) = proviso(&folder, &arguments);
        assert!(out.lines().last().is_some(), "{error}");
        let text = std::fs::read_to_string(folder.join(file)).expect("it was written");
        assert!(text.starts_with(if file == "g.dot" { "digraph" } else { "{" }), "{text}");
        assert!(text.contains("main:6") && text.contains("[!(p)]"), "{text}");
    }
    let _ = std::fs::remove_dir_all(folder);
}

#[test]
fn what_is_no_condition_of_this_program_is_refused() {
    let folder = folder("refused");
    proviso(
        &folder,
        &["verify", "--engine", "explicit", "--limit", "states=3", "--condition-out", "c", "a.c"],
    );
    std::fs::write(folder.join("b.c"), SOURCE.replace("300", "301")).expect("it can");
    std::fs::write(folder.join("junk"), "hello").expect("it can");
    for (condition, file, expected) in
        [("c", "b.c", "another program"), ("junk", "a.c", "condition"), ("nowhere", "a.c", "nowhere")]
    {
        let arguments = ["verify", "--engine", "explicit", "--condition-in", condition, file];
        let (out, code, error) = proviso(&folder, &arguments);
        assert_eq!(code, Some(6), "{out}");
        assert!(error.contains(expected), "{error}");
    }
    let _ = std::fs::remove_dir_all(folder);
}

#[test]
fn a_limit_that_nobody_would_look_at_is_refused() {
    let folder = folder("limits");
    let of_engine =
        |engine, limit| proviso(&folder, &["verify", "--engine", engine, "--limit", limit, "a.c"]);
    for engine in ["auto", "bmc", "kinduction", "explicit", "predicate"] {
        let (_, code, error) = of_engine(engine, "speed=3");
        assert!(code == Some(1) && error.contains("unknown limit 'speed'"), "{error}");
        let (_, code, error) = of_engine(engine, "path-length=30");
        let has_none = error.contains("has no limit 'path-length'");
        assert_eq!(
            (code == Some(6), has_none),
            (engine != "explicit", engine != "explicit"),
            "{engine}: {error}"
        );
    }
    let (_, code, error) = proviso(&folder, &["verify", "--limit", "help"]);
    assert!(code == Some(1) && error.contains("path-length") && error.contains("refine-time"), "{error}");
    let _ = std::fs::remove_dir_all(folder);
}

/// Loops with a branch that inputs decide; the second violates its assertion at the very end.
const LONG_RUNS: [(&str, &str, &str); 2] =
    [("safe.c", "j < 5", "TRUE"), ("bad.c", "j != 3", "FALSE(unreach-call)")];

fn long_run(holds: &str) -> String {
    format!(
        "int __VERIFIER_nondet_int(void); void reach_error(void);
int main(void) {{
  unsigned i = 0, j = 0;
  while (i < 9000) {{ if (__VERIFIER_nondet_int()) {{ j = (j + i) % 5; }} i++; }}
  if (i != 9000 || !({holds})) {{ reach_error(); }}
  return 0;
}}
"
    )
}

/// Interrupted or asked to terminate at no particular moment, the tool hands in a condition that is
/// well-formed, and a run that takes it up comes to the verdict of an undisturbed one. `PROVISO_ROUNDS` sets
/// the number of rounds.
#[test]
fn a_signal_does_not_lose_what_was_verified() {
    let rounds = std::env::var("PROVISO_ROUNDS").ok().and_then(|text| text.parse().ok()).unwrap_or(8u64);
    let folder = folder("signals");
    let (mut random, mut stopped) = (7u64, 0);
    for (file, holds, verdict) in LONG_RUNS {
        std::fs::write(folder.join(file), long_run(holds)).expect("it can");
        let begun = Instant::now();
        let (out, ..) = proviso(&folder, &["verify", "--engine", "explicit", file]);
        assert_eq!(out.lines().last(), Some(verdict));
        let length = begun.elapsed().as_micros() as u64;
        for round in 0..rounds / 2 {
            random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let delay = Duration::from_micros(20_000 + (random >> 33) % length);
            let text = signalled(&folder, file, delay, ["-INT", "-TERM"][round as usize % 2]);
            // Before the tool listens to signals there is nothing that could be lost.
            let Some(text) = text.filter(|text| !text.ends_with(&format!("{verdict}\n"))) else { continue };
            stopped += 1;
            assert!(text.contains("stopped: interrupted\n") && text.ends_with("UNKNOWN\n"), "{text}");
            let (out, code, error) = proviso(&folder, &["compare", "c", "c", file]);
            assert_eq!((code, out.lines().last()), (Some(0), Some("A and B cover the same")), "{error}");
            let (out, _, error) =
                proviso(&folder, &["verify", "--engine", "explicit", "--condition-in", "c", file]);
            assert_eq!(out.lines().last(), Some(verdict), "after {delay:?}: {out}{error}");
        }
    }
    println!("{stopped} of {rounds} runs were stopped");
    assert!(stopped > 0);
    let _ = std::fs::remove_dir_all(folder);
}

/// What a run prints that gets a signal after some time; `None` if it was not listening yet.
fn signalled(folder: &Path, file: &str, delay: Duration, signal: &str) -> Option<String> {
    let child = Command::new(env!("CARGO_BIN_EXE_proviso"))
        .args(["verify", "--engine", "explicit", "--condition-out", "c", file])
        .current_dir(folder)
        .stdout(std::process::Stdio::piped())
        .spawn()
        .expect("the binary runs");
    std::thread::sleep(delay);
    let _ = Command::new("kill").args([signal, &child.id().to_string()]).status();
    let output = child.wait_with_output().expect("it ends");
    output.status.code().map(|_| String::from_utf8_lossy(&output.stdout).into())
}

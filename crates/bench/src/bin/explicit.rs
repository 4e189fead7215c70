//! Speed and memory of the engine `explicit`, and how they grow with the program:
//! `cargo run --release -p proviso-bench --bin explicit`, or with C files as arguments.
//!
//! Without files, rings of threads are generated: each thread waits for its event, passes it on to the next
//! and goes back to sleep, and a scheduler picks any thread that can run, as in the field's models of SystemC
//! designs. The number of states doubles with each thread; successors per second and bytes per state should
//! not change. Speed and memory are those of the exploration alone, repeated where it is short; the verdict is
//! that of the whole engine, which also checks alarms.

use base::Budget;
use engines::explicit::{Options, Statistics};
use engines::{Analyses, Outcome, Task};
use sema::types::DataModel;
use std::fmt::Write;
use std::path::PathBuf;
use std::time::Duration;
use task::Goal;

fn main() -> Result<(), String> {
    let files: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    println!(
        "{:30} {:>9} {:>11} {:>14} {:>12}  verdict",
        "program", "states", "successors", "successors/s", "bytes/state"
    );
    if files.is_empty() {
        for threads in (2..=14).step_by(2) {
            let text = ring(threads);
            let loaded = frontend::load_text("ring.c", &text, DataModel::Ilp32);
            measure(
                &format!("ring of {threads} threads"),
                &loaded.map_err(|error| error.to_string())?.program,
            );
        }
    }
    for file in files {
        let name = file.file_name().map_or(String::new(), |name| name.to_string_lossy().into());
        let options = frontend::Options::new(vec![file], DataModel::Ilp32);
        let loaded = frontend::load(&options).map_err(|error| error.to_string())?;
        measure(&name, &loaded.program);
    }
    Ok(())
}

/// The exploration is repeated until it has taken so long.
const ENOUGH: Duration = Duration::from_millis(200);

fn measure(name: &str, program: &cfa::Program) {
    let analyses = Analyses::new(program);
    let goals = ["reach_error", "__VERIFIER_error"].map(|name| Goal::UnreachableCall(name.into()));
    let budget = Budget::unlimited().with_time(Duration::from_secs(20));
    let task = Task { program, analyses: &analyses, goals: &goals, condition: None, budget: &budget };
    let (findings, _) = engines::explicit::run(task, &Options::default());
    let verdict = match findings.outcome {
        Outcome::True => "TRUE",
        Outcome::False { .. } => "FALSE",
        Outcome::Unknown { .. } => "UNKNOWN",
    };
    let budget = Budget::unlimited().with_time(Duration::from_secs(20));
    let task = Task { budget: &budget, ..task };
    let Statistics { states, steps, memory, time, .. } =
        engines::explicit::explore(task, &Options::default(), ENOUGH);
    let (speed, bytes) = (steps as f64 / time.as_secs_f64().max(1e-9), memory as f64 / states.max(1) as f64);
    println!("{name:30} {states:>9} {steps:>11} {speed:>14.0} {bytes:>12.0}  {verdict}");
}

/// A ring of threads; each passes the token on, incremented, and the last one checks the sum.
fn ring(threads: usize) -> String {
    let mut text = String::from(
        "extern void reach_error(void); extern int __VERIFIER_nondet_int(void);\nint token; int start;\n",
    );
    // Writing to a string cannot fail.
    for thread in 0..threads {
        let _ = writeln!(text, "int pc{thread}; int st{thread}; int ev{thread} = 2;");
    }
    for thread in 0..threads {
        thread_text(&mut text, thread, threads);
    }
    text.push_str("int runnable(void) {\n");
    for thread in 0..threads {
        let _ = writeln!(text, "  if (st{thread} == 0) return 1;");
    }
    text.push_str("  return 0;\n}\nvoid wake(void) {\n");
    for thread in 0..threads {
        let _ = writeln!(text, "  if (ev{thread} == 1) {{ st{thread} = 0; ev{thread} = 2; }}");
    }
    text.push_str("}\nint main(void) {\n  start = __VERIFIER_nondet_int(); token = start;\n  while (1) {\n");
    text.push_str("    while (runnable()) {\n");
    for thread in 0..threads {
        let _ = writeln!(
            text,
            "      if (st{thread} == 0) {{ if (__VERIFIER_nondet_int()) {{ st{thread} = 1; run{thread}(); }} }}"
        );
    }
    text.push_str(
        "      wake();\n    }\n    if (__VERIFIER_nondet_int()) return 0;\n    ev0 = 1; wake();\n  }\n}\n",
    );
    text
}

fn thread_text(text: &mut String, thread: usize, threads: usize) {
    let _ = writeln!(
        text,
        "void run{thread}(void) {{\n  if (pc{thread} == 0) {{ pc{thread} = 1; st{thread} = 2; return; }}"
    );
    if thread + 1 == threads {
        let _ = writeln!(text, "  if (token != start + {thread}) reach_error();\n  token = start;");
    } else {
        let _ = writeln!(text, "  token = token + 1;\n  ev{} = 1;", thread + 1);
    }
    let _ = writeln!(text, "  st{thread} = 2;\n}}");
}

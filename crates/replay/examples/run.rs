//! Runs a C program: `run FILE [ILP32|LP64] [--trace|--full] [--check] [--seed N] [--inputs FILE] [--runs N]`.
//!
//! What the program prints goes to where it would; how it ended goes to standard error. The exit
//! status is the program's, or 99 if it ended in another way.

use base::{Interner, SourceMap};
use replay::{Detail, Ending, Inputs, LeakCheck, List, Options, Printer, Random, Run, Trace, Zeros};
use sema::types::DataModel;
use std::io::Write;
use std::process::Command;

fn main() {
    // As deep as the parser lets programs be nested, in any build profile.
    let work = std::thread::Builder::new().stack_size(64 << 20).spawn(execute);
    let status = work.ok().and_then(|thread| thread.join().ok()).unwrap_or(98);
    std::process::exit(status);
}

fn execute() -> i32 {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let has = |name: &str| arguments.iter().any(|argument| argument == name);
    let after = |name: &str| arguments.iter().skip_while(|a| *a != name).nth(1);
    let model = if has("ILP32") { DataModel::Ilp32 } else { DataModel::Lp64 };
    let Some(program) = arguments.first().and_then(|path| load(path, model)) else { return 97 };
    let mut options = Options { arguments: Some(vec!["program".into()]), ..Options::default() };
    if has("--check") {
        options.checks.signed_overflow = true;
        options.checks.shift_range = true;
        options.checks.uninitialised_use = true;
        options.checks.leaks = LeakCheck::Unreachable;
    }
    options.checks.signed_overflow |= has("--overflow");
    let seed = after("--seed").and_then(|seed| seed.parse().ok());
    let list = after("--inputs").and_then(|path| std::fs::read_to_string(path).ok());
    let mut inputs: Box<dyn Inputs> = match (seed, list.map(|text| List::parse(&text))) {
        (Some(seed), _) => Box::new(Random::new(seed)),
        (None, Some(Ok(list))) => Box::new(list),
        (None, _) => Box::new(Zeros),
    };
    if let Some(runs) = after("--runs").and_then(|runs| runs.parse().ok()) {
        return many(&program, options, runs);
    }
    let started = std::time::Instant::now();
    let run = if has("--trace") || has("--full") {
        traced(&program, &mut *inputs, &options, has("--full"))
    } else {
        let output = std::io::BufWriter::new(std::io::stdout());
        let mut printer = Printer { output, error: std::io::stderr() };
        let run = replay::run(&program, &mut *inputs, &options, &mut printer);
        let _ = printer.output.flush();
        run
    };
    let seconds = started.elapsed().as_secs_f64();
    let place = run.ending.span().and_then(|span| program.sources.position(span));
    let place = place.map_or(String::new(), |place| format!("{place}: "));
    eprintln!("{place}{}", run.ending);
    if has("--time") {
        let speed = run.steps.edges as f64 / seconds / 1e6;
        eprintln!("{:?} in {seconds:.3} s: {speed:.1} million edges per second", run.steps);
    }
    match run.ending {
        Ending::Exit(status) => status & 0xff,
        _ => 99,
    }
}

/// Random runs, and how many of them ended in which way.
fn many(program: &cfa::Program, mut options: Options, runs: u64) -> i32 {
    options.step_limit = 2_000_000;
    options.budget = options.budget.with_time(std::time::Duration::from_secs(3));
    let mut endings = std::collections::BTreeMap::<String, u64>::new();
    for seed in 0..runs {
        let mut inputs = Random::new(seed);
        let ending = replay::run(program, &mut inputs, &options, &mut replay::Silent).ending;
        let place = ending.span().and_then(|span| program.sources.position(span));
        let line = place.map_or(0, |place| place.line);
        let text = match ending {
            Ending::Exit(_) => "exit".into(),
            ending => format!("{line}: {ending}"),
        };
        *endings.entry(text).or_default() += 1;
    }
    for (ending, count) in endings {
        println!("{count} {ending}");
    }
    0
}

fn traced(program: &cfa::Program, inputs: &mut dyn Inputs, options: &Options, full: bool) -> Run {
    let detail = if full { Detail::Full } else { Detail::Short };
    let mut trace = Trace::new(detail).with_limit(100_000);
    let run = replay::run(program, inputs, options, &mut trace);
    for line in trace.lines() {
        println!("{line}");
    }
    run
}

/// Through the C preprocessor, unless the file has been there, and the front end.
fn load(path: &str, model: DataModel) -> Option<cfa::Program> {
    let text = if path.ends_with(".i") { std::fs::read(path).ok()? } else { preprocess(path, model)? };
    let mut sources = SourceMap::default();
    let mut names = Interner::default();
    let file = sources.add(path, text).ok()?;
    let (ast, diagnostics) = syntax::parse(&mut sources, file, &mut names);
    if diagnostics.has_errors() {
        diagnostics.iter().for_each(|message| eprint!("{}", message.render(&sources)));
        return None;
    }
    let (hir, diagnostics) = sema::analyze(&[ast], model, &mut names, &sources);
    match hir {
        Some(hir) => Some(cfa::lower(hir, names, sources)),
        None => {
            diagnostics.iter().for_each(|message| eprint!("{}", message.render(&sources)));
            None
        }
    }
}

fn preprocess(path: &str, model: DataModel) -> Option<Vec<u8>> {
    let width = if model == DataModel::Ilp32 { "-m32" } else { "-m64" };
    let include = std::env::var("INCLUDE").unwrap_or_else(|_| ".".into());
    let output = Command::new("cc").args(["-E", width, "-I", &include, path]).output().ok()?;
    output.status.success().then_some(output.stdout)
}

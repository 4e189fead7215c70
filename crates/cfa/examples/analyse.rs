//! Runs all analyses on files and says how long each took and what it found.
//!
//! `analyse FILE…`, or a list on standard input with a file and its data model on each line. Options:
//! `--each` one line per file, `--ilp32` for files given as arguments, `--calls` says what calls
//! through pointers call.

use base::{Interner, SourceMap};
use cfa::callgraph::CallGraph;
use cfa::liveness::Liveness;
use cfa::loops::Loops;
use cfa::pointsto::PointsTo;
use cfa::reachable::Reachable;
use cfa::slice::{Criterion, Facts, Slice};
use cfa::summary::{Boundaries, Summary};
use cfa::{Callee, EdgeKind, Program};
use sema::types::DataModel;
use std::io::BufRead;
use std::time::{Duration, Instant};

const STAGES: [&str; 8] =
    ["front end", "loops", "points-to", "call graph", "reachable", "liveness", "slice", "summary"];

fn main() {
    let (options, paths): (Vec<String>, Vec<String>) =
        std::env::args().skip(1).partition(|argument| argument.starts_with("--"));
    let run = std::thread::Builder::new().stack_size(64 << 20).spawn(move || run(&options, &paths));
    if run.map(std::thread::JoinHandle::join).is_err() {
        eprintln!("no thread could be started");
    }
}

fn run(options: &[String], paths: &[String]) {
    let has = |name: &str| options.iter().any(|option| option == name);
    let model = if has("--ilp32") { DataModel::Ilp32 } else { DataModel::Lp64 };
    let mut files: Vec<(String, DataModel)> = paths.iter().map(|path| (path.clone(), model)).collect();
    if files.is_empty() {
        files = std::io::stdin().lock().lines().map_while(Result::ok).map(|line| listed(&line)).collect();
    }
    let mut totals = [Duration::ZERO; STAGES.len()];
    let mut slowest = [Duration::ZERO; STAGES.len()];
    for (path, model) in &files {
        match analyse(path, *model, has("--calls")) {
            Ok((times, facts)) => {
                if has("--each") {
                    let times: Vec<String> =
                        times.iter().map(|t| format!("{:.1}", t.as_secs_f64() * 1e3)).collect();
                    println!("{path}\t{}\t{facts}", times.join("\t"));
                }
                for stage in 0..STAGES.len() {
                    totals[stage] += times[stage];
                    slowest[stage] = slowest[stage].max(times[stage]);
                }
            }
            Err(message) => eprintln!("{path}: {message}"),
        }
    }
    for (stage, name) in STAGES.iter().enumerate() {
        println!(
            "{name}: {:.3} s, at most {:.3} s",
            totals[stage].as_secs_f64(),
            slowest[stage].as_secs_f64()
        );
    }
}

fn listed(line: &str) -> (String, DataModel) {
    let (path, model) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    (path.into(), if model.trim() == "ILP32" { DataModel::Ilp32 } else { DataModel::Lp64 })
}

fn build(path: &str, model: DataModel) -> Result<Program, String> {
    let text = std::fs::read(path).map_err(|error| error.to_string())?;
    let (mut sources, mut names) = (SourceMap::default(), Interner::default());
    let file = sources.add(path, text).map_err(|_| "too large".to_string())?;
    let (ast, diagnostics) = syntax::parse(&mut sources, file, &mut names);
    if diagnostics.has_errors() {
        return Err(diagnostics.iter().map(|diagnostic| diagnostic.render(&sources)).collect());
    }
    let (hir, diagnostics) = sema::analyze(&[ast], model, &mut names, &sources);
    let hir = hir.ok_or_else(|| diagnostics.iter().map(|d| d.render(&sources)).collect::<String>())?;
    Ok(cfa::lower(hir, names, sources))
}

fn timed<T>(times: &mut Vec<Duration>, work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = work();
    times.push(start.elapsed());
    result
}

fn analyse(path: &str, model: DataModel, show_calls: bool) -> Result<(Vec<Duration>, String), String> {
    let mut times = Vec::new();
    let mut program = timed(&mut times, || build(path, model))?;
    let loops = timed(&mut times, || Loops::new(&program));
    let points_to = timed(&mut times, || PointsTo::compute(&program));
    let calls = timed(&mut times, || CallGraph::new(&program, &points_to));
    let reachable = timed(&mut times, || Reachable::new(&program, &calls));
    timed(&mut times, || Liveness::new(&program));
    let slice = timed(&mut times, || {
        let facts = Facts { program: &program, points_to: &points_to, calls: &calls, loops: &loops };
        Slice::new(facts, &criterion(&program, &calls))
    });
    let blocks: usize = timed(&mut times, || {
        let summarise = |body| Summary::new(&program, body, &Boundaries::of_function(&program, body, None));
        program.defined_functions().map(|(_, _, body)| summarise(body).edges.len()).sum()
    });
    if show_calls {
        print_calls(&program, &points_to);
    }
    let functions = program.defined_functions().filter(|(f, ..)| reachable.function(*f)).count();
    let statistics = points_to.statistics();
    let (edges, relevant) = (program.edges.len(), slice.count());
    cfa::slice::apply(&mut program, &slice);
    cfa::validate::validate(&program).map_err(|violation| format!("the slice: {violation}"))?;
    let facts = format!(
        "{edges} edges, {relevant} relevant, {} sliced, {blocks} blocks, {functions} functions, {} loops, {statistics:?}",
        program.edges.len(),
        loops.loops.len(),
    );
    Ok((times, facts))
}

fn criterion(program: &Program, calls: &CallGraph) -> Criterion {
    let names = ["reach_error", "__VERIFIER_error", "__assert_fail", "abort"];
    let function =
        names.iter().find_map(|name| program.function_named(name).filter(|&f| !calls.sites(f).is_empty()));
    function.map_or_else(Criterion::default, |function| Criterion::calls_to(calls, function))
}

fn print_calls(program: &Program, points_to: &PointsTo) {
    for (id, edge) in program.edges.enumerated() {
        let EdgeKind::Call(call) = edge.kind else { continue };
        if let Callee::Indirect(_) = program.calls[call].callee {
            let callees = points_to.callees(id).iter().map(|&f| program.function_name(f));
            let unknown = if points_to.may_call_unknown(id) { " and unknown" } else { "" };
            let line = program.sources.position(edge.span).map_or(0, |position| position.line);
            println!("line {line}: {}{unknown}", callees.collect::<Vec<_>>().join(", "));
        }
    }
}

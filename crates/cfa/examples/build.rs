//! Runs the whole front end on files and says what came out, and how fast.
//!
//! `build FILE…`, or a list on standard input with a file and its data model on each line. Options:
//! `--text`, `--dot`, `--json` print the automata; `--ilp32` for files given as arguments.

use base::{Interner, SourceMap};
use cfa::{EdgeKind, Program};
use sema::types::DataModel;
use std::collections::BTreeMap;
use std::io::BufRead;
use std::time::{Duration, Instant};

#[derive(Default)]
struct Totals {
    files: usize,
    failed: usize,
    bytes: usize,
    locations: usize,
    edges: usize,
    temporaries: usize,
    /// Files and edges by what is not modelled.
    unsupported: BTreeMap<&'static str, (usize, usize)>,
    parsing: Duration,
    checking: Duration,
    lowering: Duration,
}

fn main() {
    let (options, paths): (Vec<String>, Vec<String>) =
        std::env::args().skip(1).partition(|argument| argument.starts_with("--"));
    // As deep as the parser lets programs be nested, in any build profile.
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
    let mut totals = Totals::default();
    for (path, model) in &files {
        match build(path, *model, &mut totals) {
            Ok(program) => {
                totals.add(&program);
                show(&program, &has);
            }
            Err(message) => {
                totals.failed += 1;
                eprintln!("{path}: {message}");
            }
        }
    }
    totals.print();
}

fn listed(line: &str) -> (String, DataModel) {
    let (path, model) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    (path.into(), if model.trim() == "ILP32" { DataModel::Ilp32 } else { DataModel::Lp64 })
}

fn build(path: &str, model: DataModel, totals: &mut Totals) -> Result<Program, String> {
    let text = std::fs::read(path).map_err(|error| error.to_string())?;
    totals.files += 1;
    totals.bytes += text.len();
    let mut sources = SourceMap::default();
    let mut names = Interner::default();
    let file = sources.add(path, text).map_err(|_| "too large".to_string())?;
    let messages = |diagnostics: &base::Diagnostics, sources: &SourceMap| {
        diagnostics.iter().map(|diagnostic| diagnostic.render(sources)).collect::<String>()
    };
    let start = Instant::now();
    let (ast, diagnostics) = syntax::parse(&mut sources, file, &mut names);
    totals.parsing += start.elapsed();
    if diagnostics.has_errors() {
        return Err(messages(&diagnostics, &sources));
    }
    let start = Instant::now();
    let (hir, diagnostics) = sema::analyze(&[ast], model, &mut names, &sources);
    totals.checking += start.elapsed();
    let Some(hir) = hir else { return Err(messages(&diagnostics, &sources)) };
    let start = Instant::now();
    let program = cfa::lower(hir, names, sources);
    totals.lowering += start.elapsed();
    cfa::validate::validate(&program).map_err(|violation| format!("violation: {violation}"))?;
    Ok(program)
}

fn show(program: &Program, has: &impl Fn(&str) -> bool) {
    if has("--text") {
        print!("{}", cfa::text::listing(program));
    }
    if has("--dot") {
        print!("{}", cfa::dot::dot(program));
    }
    if has("--json") {
        print!("{}", cfa::json::json(program, None));
    }
}

impl Totals {
    fn add(&mut self, program: &Program) {
        self.locations += program.locations.len();
        self.edges += program.edges.len();
        let is_temporary = |kind| matches!(kind, cfa::VariableKind::Temporary(_));
        self.temporaries += program.variables.iter().filter(|variable| is_temporary(variable.kind)).count();
        let mut found = BTreeMap::<&str, usize>::new();
        for edge in program.edges.iter() {
            if let EdgeKind::Unsupported(what) = edge.kind {
                *found.entry(what).or_default() += 1;
            }
        }
        for (what, edges) in found {
            let entry = self.unsupported.entry(what).or_default();
            entry.0 += 1;
            entry.1 += edges;
        }
    }

    fn print(&self) {
        println!("{} files, {} failed, {} bytes", self.files, self.failed, self.bytes);
        println!("{} locations, {} edges, {} temporaries", self.locations, self.edges, self.temporaries);
        for (what, (files, edges)) in &self.unsupported {
            println!("unsupported in {files} files, {edges} edges: {what}");
        }
        let speed = |time: Duration| self.bytes as f64 / 1e6 / time.as_secs_f64();
        println!(
            "parse {:.1} MB/s, check {:.1} MB/s, lower {:.1} MB/s, together {:.1} MB/s in {:.2} s",
            speed(self.parsing),
            speed(self.checking),
            speed(self.lowering),
            speed(self.parsing + self.checking + self.lowering),
            (self.parsing + self.checking + self.lowering).as_secs_f64(),
        );
        if let Some(memory) = base::memory::resident() {
            println!("{} MiB resident at the end", memory >> 20);
        }
    }
}

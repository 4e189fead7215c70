//! Parses and analyses the files given as arguments (`--lp64` for those that follow, `--list FILE`
//! for a tab-separated task list beside its files) and prints how many errors there were and how
//! fast it went. `--dump` shows the typed program, `--link` takes all files as one program.

use base::{Diagnostics, Interner, SourceMap};
use sema::types::DataModel;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

#[derive(Default)]
struct Totals {
    files: usize,
    failed: usize,
    errors: usize,
    bytes: usize,
    parse: Duration,
    analyze: Duration,
}

fn main() {
    // As the tool does: deep nesting needs a deep stack.
    let thread = std::thread::Builder::new().stack_size(1 << 30).spawn(run);
    thread.expect("a thread").join().expect("no panic");
}

fn run() {
    let (mut tasks, mut model) = (Vec::new(), DataModel::Ilp32);
    let (mut dump, mut link, mut repeat) = (false, false, 1);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--lp64" => model = DataModel::Lp64,
            "--ilp32" => model = DataModel::Ilp32,
            "--dump" => dump = true,
            "--link" => link = true,
            "--repeat" => repeat = arguments.next().and_then(|n| n.parse().ok()).unwrap_or(1),
            "--list" => tasks.extend(arguments.next().map(|list| read_list(&list)).unwrap_or_default()),
            _ => tasks.push((PathBuf::from(argument), model)),
        }
    }
    let mut totals = Totals::default();
    if link {
        let paths: Vec<&Path> = tasks.iter().map(|(path, _)| path.as_path()).collect();
        analyze(&paths, model, dump, &mut totals);
    } else {
        for (path, model) in tasks.iter().flat_map(|task| std::iter::repeat_n(task, repeat)) {
            analyze(&[path], *model, dump, &mut totals);
        }
    }
    let speed = |time: Duration| totals.bytes as f64 / 1e6 / time.as_secs_f64();
    println!(
        "{} files, {} with errors ({} errors), {} bytes; parser {:.0} MB/s, sema {:.0} MB/s, both {:.0} MB/s",
        totals.files,
        totals.failed,
        totals.errors,
        totals.bytes,
        speed(totals.parse),
        speed(totals.analyze),
        speed(totals.parse + totals.analyze)
    );
}

/// Columns `file` and `data_model` of a list with a head line.
fn read_list(list: &str) -> Vec<(PathBuf, DataModel)> {
    let text = std::fs::read_to_string(list).unwrap_or_default();
    let folder = Path::new(list).parent().unwrap_or(Path::new("."));
    let mut lines = text.lines().map(|line| line.split('\t').collect::<Vec<_>>());
    let head = lines.next().unwrap_or_default();
    let column = |name| head.iter().position(|&title| title == name);
    let (Some(file), Some(model)) = (column("file"), column("data_model")) else { return Vec::new() };
    let rows = lines.filter_map(|row| Some((*row.get(file)?, *row.get(model)?)));
    let model = |name| if name == "LP64" { DataModel::Lp64 } else { DataModel::Ilp32 };
    rows.map(|(file, name)| (folder.join(file), model(name))).collect()
}

fn analyze(paths: &[&Path], model: DataModel, dump: bool, totals: &mut Totals) {
    let mut sources = SourceMap::default();
    let mut interner = Interner::default();
    let mut units = Vec::new();
    for path in paths {
        let text = match std::fs::read(path) {
            Ok(text) => text,
            Err(error) => return eprintln!("{}: {error}", path.display()),
        };
        totals.files += 1;
        totals.bytes += text.len();
        let Ok(file) = sources.add(&path.to_string_lossy(), text) else { return };
        let start = Instant::now();
        let (unit, diagnostics) = syntax::parse(&mut sources, file, &mut interner);
        totals.parse += start.elapsed();
        report(&diagnostics, &sources, totals);
        units.push(unit);
    }
    let start = Instant::now();
    let (program, diagnostics) = sema::analyze(&units, model, &mut interner, &sources);
    totals.analyze += start.elapsed();
    report(&diagnostics, &sources, totals);
    if let (true, Some(program)) = (dump, program) {
        print!("{}", sema::hir::dump(&program, &interner));
    }
}

fn report(diagnostics: &Diagnostics, sources: &SourceMap, totals: &mut Totals) {
    if diagnostics.has_errors() {
        totals.failed += 1;
        totals.errors += diagnostics.error_count();
    }
    for diagnostic in diagnostics.iter().take(3) {
        eprint!("{}", diagnostic.render(sources));
    }
}

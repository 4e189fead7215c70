//! Parses the files given as arguments (or listed on standard input, one per line), shows the first
//! errors of each, and says how fast it went, reading and preprocessing aside. `--lex` runs the lexer
//! alone, `--repeat N` measures longer, `--dump` prints the trees.

use base::{Diagnostics, Interner, SourceMap};
use std::io::BufRead;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};
use syntax::preprocess::{LoadError, PreprocessOptions, load};

#[derive(Default)]
struct Options {
    repeat: u32,
    lex_only: bool,
    dump: bool,
    paths: Vec<String>,
}

#[derive(Default)]
struct Totals {
    bytes: usize,
    errors: usize,
    failed: usize,
}

fn main() {
    let options = options();
    let mut texts = Vec::new();
    for path in &options.paths {
        match read(path) {
            Ok(text) => texts.push((path, text)),
            Err(error) => eprintln!("{error}"),
        }
    }
    let mut totals = Totals::default();
    let (wall, processor) = (Instant::now(), processor_time());
    for round in 0..options.repeat {
        for (path, text) in &texts {
            run(path, text, round, &options, &mut totals);
        }
    }
    let wall = wall.elapsed();
    println!(
        "{} files, {} with errors ({} errors), {} bytes",
        texts.len(),
        totals.failed,
        totals.errors,
        totals.bytes
    );
    let speed = |time: Duration| totals.bytes as f64 / 1e6 / time.as_secs_f64();
    println!("{:.0} MB/s by the clock", speed(wall));
    if let (Some(start), Some(end)) = (processor, processor_time()) {
        println!("{:.0} MB/s of processor time", speed(end.saturating_sub(start)));
    }
}

/// The processor time of this thread where Linux tells it (to some milliseconds), so that other
/// programs on the machine do not count.
fn processor_time() -> Option<Duration> {
    let statistics = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    statistics.split_ascii_whitespace().next()?.parse().ok().map(Duration::from_nanos)
}

/// The text of a file, preprocessed if it needs that.
fn read(path: &str) -> Result<Arc<Vec<u8>>, LoadError> {
    let mut sources = SourceMap::default();
    let mut diagnostics = Diagnostics::default();
    let file = load(Path::new(path), &PreprocessOptions::default(), &mut sources, &mut diagnostics)?;
    diagnostics.iter().for_each(|diagnostic| eprint!("{}", diagnostic.render(&sources)));
    Ok(sources.text(file))
}

fn options() -> Options {
    let mut options = Options { repeat: 1, ..Options::default() };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--repeat" => options.repeat = arguments.next().and_then(|n| n.parse().ok()).unwrap_or(1),
            "--lex" => options.lex_only = true,
            "--dump" => options.dump = true,
            _ => options.paths.push(argument),
        }
    }
    if options.paths.is_empty() {
        options.paths = std::io::stdin().lock().lines().map_while(Result::ok).collect();
    }
    options
}

fn run(path: &str, text: &[u8], round: u32, options: &Options, totals: &mut Totals) {
    let mut sources = SourceMap::default();
    let mut interner = Interner::default();
    let Ok(file) = sources.add(path, text) else { return eprintln!("{path}: too large") };
    totals.bytes += text.len();
    if options.lex_only {
        std::hint::black_box(syntax::count_tokens(&mut sources, file, &mut interner));
        return;
    }
    let (ast, diagnostics) = syntax::parse(&mut sources, file, &mut interner);
    if round > 0 {
        return;
    }
    if options.dump {
        print!("{}", syntax::dump::dump(&ast, &interner, &sources));
    }
    if diagnostics.has_errors() {
        totals.failed += 1;
        totals.errors += diagnostics.error_count();
        for diagnostic in diagnostics.iter().take(3) {
            eprint!("{}", diagnostic.render(&sources));
        }
    }
}

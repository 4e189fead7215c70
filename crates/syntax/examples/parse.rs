//! Parses the files given as arguments (or listed on standard input, one per line), shows the first
//! errors of each, and says how fast it went, preprocessing aside. `--lex` runs the lexer alone, `--repeat N` measures
//! longer, `--dump` prints the trees.

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
    time: Duration,
}

fn main() {
    let options = options();
    let mut totals = Totals::default();
    for path in &options.paths {
        match read(path) {
            Ok(text) => (0..options.repeat).for_each(|round| run(path, &text, round, &options, &mut totals)),
            Err(error) => eprintln!("{error}"),
        }
    }
    let speed = totals.bytes as f64 / 1e6 / totals.time.as_secs_f64();
    println!(
        "{} files, {} with errors ({} errors), {} bytes, {speed:.0} MB/s",
        options.paths.len(),
        totals.failed,
        totals.errors,
        totals.bytes
    );
}

/// Measures the processor time of this thread where Linux tells it, so that other programs on the
/// machine do not count; else the time on the wall.
struct Clock {
    wall: Instant,
    processor: Option<Duration>,
}

impl Clock {
    fn start() -> Self {
        Self { wall: Instant::now(), processor: processor_time() }
    }

    fn elapsed(&self) -> Duration {
        match (self.processor, processor_time()) {
            (Some(start), Some(end)) => end.saturating_sub(start),
            _ => self.wall.elapsed(),
        }
    }
}

fn processor_time() -> Option<Duration> {
    let statistics = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    statistics.split_ascii_whitespace().next()?.parse().ok().map(Duration::from_nanos)
}

/// The text of a file, preprocessed if it needs that.
fn read(path: &str) -> Result<Arc<[u8]>, LoadError> {
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

fn run(path: &str, text: &Arc<[u8]>, round: u32, options: &Options, totals: &mut Totals) {
    let mut sources = SourceMap::default();
    let mut interner = Interner::default();
    let Ok(file) = sources.add(path, text.clone()) else { return eprintln!("{path}: too large") };
    totals.bytes += text.len();
    let clock = Clock::start();
    if options.lex_only {
        std::hint::black_box(syntax::count_tokens(&mut sources, file, &mut interner));
        totals.time += clock.elapsed();
        return;
    }
    let (ast, diagnostics) = syntax::parse(&mut sources, file, &mut interner);
    totals.time += clock.elapsed();
    if round == 0 && options.dump {
        print!("{}", syntax::dump::dump(&ast, &interner, &sources));
    }
    if round == 0 && diagnostics.has_errors() {
        totals.failed += 1;
        totals.errors += diagnostics.error_count();
        for diagnostic in diagnostics.iter().take(3) {
            eprint!("{}", diagnostic.render(&sources));
        }
    }
}

//! Parses the files given as arguments (or listed on standard input, one per line) and prints how
//! many errors there were and how fast it went. `--lex` is not needed: see `--repeat N`.

use base::{Interner, SourceMap};
use std::io::BufRead;
use std::time::{Duration, Instant};

fn main() {
    let mut repeat = 1;
    let mut paths = Vec::new();
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--repeat" => repeat = arguments.next().and_then(|n| n.parse().ok()).unwrap_or(1),
            _ => paths.push(argument),
        }
    }
    if paths.is_empty() {
        paths = std::io::stdin().lock().lines().map_while(Result::ok).collect();
    }
    let (mut bytes, mut errors, mut failed, mut time) = (0, 0, 0, Duration::ZERO);
    for path in &paths {
        let text = match std::fs::read(path) {
            Ok(text) => text,
            Err(error) => {
                eprintln!("{path}: {error}");
                continue;
            }
        };
        for round in 0..repeat {
            let mut sources = SourceMap::default();
            let mut interner = Interner::default();
            let Ok(file) = sources.add(path, text.clone()) else { continue };
            let start = Instant::now();
            let (ast, diagnostics) = syntax::parse(&mut sources, file, &mut interner);
            time += start.elapsed();
            bytes += text.len();
            std::hint::black_box(ast);
            if round == 0 && diagnostics.has_errors() {
                failed += 1;
                errors += diagnostics.error_count();
                for diagnostic in diagnostics.iter().take(3) {
                    eprint!("{}", diagnostic.render(&sources));
                }
            }
        }
    }
    let speed = bytes as f64 / 1e6 / time.as_secs_f64();
    println!("{} files, {failed} with errors ({errors} errors), {bytes} bytes, {speed:.0} MB/s", paths.len());
}

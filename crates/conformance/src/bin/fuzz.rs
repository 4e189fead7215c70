//! Fuzzes the front end of proviso for a given time.

use clap::Parser;
use conformance::fuzz::findings::Findings;
use conformance::fuzz::grammar::Grammar;
use conformance::fuzz::trial::{self, Finding};
use conformance::fuzz::{minimise, mutation};
use conformance::{Random, parallel, tool};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};
use std::{env, fs};

/// Feed mutated and generated C to `proviso cfa --quiet` and look for panics, hangs and memory.
#[derive(Parser)]
#[command(after_help = "Example: fuzz --seconds 600 --seed 7 --corpus tests/corpus")]
struct Arguments {
    #[arg(long, default_value_t = 60)]
    seconds: u64,
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Directories with C files to mutate; the project's own corpus when none is given.
    #[arg(long, num_args = 1..)]
    corpus: Vec<PathBuf>,
    /// Where failing inputs are kept.
    #[arg(long)]
    keep: Option<PathBuf>,
    /// Only write the inputs that would be tried to this directory.
    #[arg(long)]
    write_inputs: Option<PathBuf>,
}

/// Inputs that are made and tried together.
const BATCH: u64 = 64;
/// Larger files are left out: a mutation in them is lost, and they are slow to copy.
const LARGEST_FILE: u64 = 200_000;

struct Fuzzer {
    grammar: Grammar,
    files: Vec<Vec<u8>>,
    seed: u64,
}

impl Fuzzer {
    /// The input of a number: mutation and grammar in turn, a third of the latter confused.
    fn input(&self, number: u64) -> Vec<u8> {
        let mut random = Random::new(self.seed.wrapping_mul(0x1_0000_0001).wrapping_add(number));
        if number % 2 == 0 && !self.files.is_empty() {
            let text = &self.files[random.below(self.files.len())];
            let other = &self.files[random.below(self.files.len())];
            return mutation::mutated(text, other, &mut random);
        }
        let confusion = if random.chance(33) { random.between(1, 20) } else { 0 };
        let text = self.grammar.text(&mut random, confusion).into_bytes();
        if random.chance(33) { mutation::mutated(&text, &text, &mut random) } else { text }
    }
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let corpus = if arguments.corpus.is_empty() {
        vec![tool::workspace().join("tests/corpus")]
    } else {
        arguments.corpus.clone()
    };
    let fuzzer = Fuzzer { grammar: Grammar::c(), files: read_files(&corpus), seed: arguments.seed };
    println!("{} files to mutate, seed {}", fuzzer.files.len(), fuzzer.seed);
    if let Some(directory) = &arguments.write_inputs {
        return write_inputs(&fuzzer, directory);
    }
    let Some(proviso) = tool::proviso() else {
        return ExitCode::from(6);
    };
    let directory = arguments.keep.unwrap_or_else(|| env::temp_dir().join("proviso-fuzz"));
    run(&fuzzer, proviso, &directory, Duration::from_secs(arguments.seconds))
}

fn run(fuzzer: &Fuzzer, proviso: &Path, directory: &Path, time: Duration) -> ExitCode {
    let start = Instant::now();
    let mut findings = Findings::new(directory);
    let mut number = 0;
    while start.elapsed() < time {
        let batch: Vec<u64> = (number..number + BATCH).collect();
        let results = parallel::map(&batch, |number| trial::run(proviso, &fuzzer.input(*number)));
        for (number, result) in batch.iter().zip(results) {
            match result {
                Ok(Some(finding)) => report(fuzzer, proviso, *number, &finding, &mut findings),
                Ok(None) => {}
                Err(error) => println!("input {number}: {error}"),
            }
        }
        number += BATCH;
    }
    println!(
        "{number} inputs in {} s, {} causes of failure",
        start.elapsed().as_secs(),
        findings.counts().len()
    );
    for (finding, count) in findings.counts() {
        println!("{count:6} {finding:?}");
    }
    if findings.counts().is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn report(fuzzer: &Fuzzer, proviso: &Path, number: u64, finding: &Finding, findings: &mut Findings) {
    if !findings.is_new(finding) {
        return;
    }
    let same = |text: &[u8]| matches!(trial::run(proviso, text), Ok(Some(found)) if found == *finding);
    let text = fuzzer.input(number);
    // Each trial of a hang takes the whole time limit, so these are kept as they are.
    let small = if *finding == Finding::Hang { text } else { minimise::minimised(&text, same) };
    match findings.keep(finding, number, &small) {
        Ok(path) => println!("{finding:?}: input {number}, {}", path.display()),
        Err(error) => println!("{finding:?}: input {number}, cannot be kept: {error}"),
    }
}

fn write_inputs(fuzzer: &Fuzzer, directory: &Path) -> ExitCode {
    let write = |number: u64| fs::write(directory.join(format!("{number}.i")), fuzzer.input(number));
    let result = fs::create_dir_all(directory).and_then(|()| (0..BATCH).try_for_each(write));
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            println!("{}: {error}", directory.display());
            ExitCode::FAILURE
        }
    }
}

/// The preprocessed C files below the directories, in a fixed order.
fn read_files(directories: &[PathBuf]) -> Vec<Vec<u8>> {
    let mut paths = Vec::new();
    directories.iter().for_each(|directory| collect(directory, &mut paths));
    paths.sort();
    paths.iter().filter_map(|path| fs::read(path).ok()).filter(|text| is_preprocessed(text)).collect()
}

fn collect(directory: &Path, paths: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, paths);
        } else if path.extension().is_some_and(|extension| extension == "c" || extension == "i")
            && entry.metadata().is_ok_and(|metadata| metadata.len() <= LARGEST_FILE)
        {
            paths.push(path);
        }
    }
}

/// The fuzzer is after the front end, not after the compiler's preprocessor.
fn is_preprocessed(text: &[u8]) -> bool {
    !String::from_utf8_lossy(text).lines().any(|line| {
        let line = line.trim_start();
        ["#include", "#define", "#if"].iter().any(|directive| line.starts_with(directive))
    })
}

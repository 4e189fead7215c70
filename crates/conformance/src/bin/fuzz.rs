//! Fuzzes the front end of proviso for a given time.

use clap::Parser;
use conformance::fuzz::findings::Findings;
use conformance::fuzz::inputs::Inputs;
use conformance::fuzz::minimise;
use conformance::fuzz::trial::{self, Finding};
use conformance::{parallel, tool};
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
    /// Also look for inputs that proviso refuses and the C compiler takes, and the other way round.
    #[arg(long)]
    compare: bool,
    /// Where failing inputs are kept.
    #[arg(long)]
    keep: Option<PathBuf>,
    /// Only write the inputs that would be tried to this directory.
    #[arg(long)]
    write_inputs: Option<PathBuf>,
}

/// Inputs that are made and tried together.
const BATCH: u64 = 64;

/// What to do with an input.
type Check<'a> = dyn Fn(&[u8]) -> Result<Option<Finding>, String> + Sync + 'a;

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let corpus = if arguments.corpus.is_empty() {
        vec![tool::workspace().join("tests/corpus")]
    } else {
        arguments.corpus.clone()
    };
    let inputs = Inputs::new(&corpus, arguments.seed);
    println!("{} files to mutate, seed {}", inputs.files(), arguments.seed);
    if let Some(directory) = &arguments.write_inputs {
        return write_inputs(&inputs, directory);
    }
    let Some(proviso) = tool::proviso() else {
        return ExitCode::from(6);
    };
    let directory = arguments.keep.unwrap_or_else(|| env::temp_dir().join("proviso-fuzz"));
    let try_out = if arguments.compare { trial::run_beside_compiler } else { trial::run };
    let check = |text: &[u8]| try_out(proviso, text);
    run(&inputs, &check, &directory, Duration::from_secs(arguments.seconds))
}

fn run(inputs: &Inputs, check: &Check, directory: &Path, time: Duration) -> ExitCode {
    let start = Instant::now();
    let mut findings = Findings::new(directory);
    let mut number = 0;
    while start.elapsed() < time {
        let batch: Vec<u64> = (number..number + BATCH).collect();
        let results = parallel::map(&batch, |number| check(&inputs.input(*number)));
        for (number, result) in batch.iter().zip(results) {
            match result {
                Ok(Some(finding)) => report(inputs, check, *number, &finding, &mut findings),
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

fn report(inputs: &Inputs, check: &Check, number: u64, finding: &Finding, findings: &mut Findings) {
    if !findings.is_new(finding) {
        return;
    }
    let same = |text: &[u8]| matches!(check(text), Ok(Some(found)) if found == *finding);
    let text = inputs.input(number);
    // Each trial of a hang takes the whole time limit, so these are kept as they are.
    let small = if *finding == Finding::Hang { text } else { minimise::minimised(&text, same) };
    match findings.keep(finding, number, &small) {
        Ok(path) => println!("{finding:?}: input {number}, {}", path.display()),
        Err(error) => println!("{finding:?}: input {number}, cannot be kept: {error}"),
    }
}

fn write_inputs(inputs: &Inputs, directory: &Path) -> ExitCode {
    let write = |number: u64| fs::write(directory.join(format!("{number}.i")), inputs.input(number));
    let result = fs::create_dir_all(directory).and_then(|()| (0..BATCH).try_for_each(write));
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            println!("{}: {error}", directory.display());
            ExitCode::FAILURE
        }
    }
}

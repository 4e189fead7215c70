//! The suite of small loop programs in `tests/loops` with each kind of refinement, as a table of refinements,
//! predicates and time: `cargo run --release -p proviso-bench --bin loops`.

use base::Budget;
use clap::Parser;
use engines::predicate::{Options, RefinementKind, Statistics};
use engines::{Analyses, Outcome, Task};
use sema::types::DataModel;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};
use task::Goal;

/// Compare ways of refinement on small loop programs; proofs are checked.
#[derive(Parser)]
#[command(after_help = "Examples:
  loops
  loops --only two_ --time-limit 20")]
struct Arguments {
    /// The folder with the folders 'safe' and 'unsafe'.
    #[arg(long, default_value = "tests/loops")]
    suite: PathBuf,
    /// Only programs whose names contain this.
    #[arg(long, default_value = "")]
    only: String,
    /// Seconds for one run.
    #[arg(long, default_value_t = 5)]
    time_limit: u64,
}

const KINDS: [(&str, RefinementKind); 2] =
    [("core", RefinementKind::Core), ("interpolation", RefinementKind::Interpolation)];

/// One run, or the sum of several.
#[derive(Clone, Copy, Default)]
struct Row {
    solved: usize,
    wrong: usize,
    refinements: u32,
    predicates: usize,
    time: Duration,
}

impl Row {
    fn add(&mut self, other: &Row) {
        self.solved += other.solved;
        self.wrong += other.wrong;
        self.refinements += other.refinements;
        self.predicates += other.predicates;
        self.time += other.time;
    }

    fn text(&self) -> String {
        let time = self.time.as_secs_f64();
        format!("{:>6} {:>11} {:>10} {time:>8.2}", self.solved, self.refinements, self.predicates)
    }
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(wrong) => {
            eprintln!("loops: {wrong} wrong answers");
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("loops: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Prints the table; the number of wrong answers.
fn run(arguments: &Arguments) -> Result<usize, String> {
    let head = "solved refinements predicates   time s";
    println!("{:32} | {:38} | {:38}", "", KINDS[0].0, KINDS[1].0);
    println!("{:32} | {head} | {head}", "program");
    let mut wrong = 0;
    for (folder, is_safe) in [("safe", true), ("unsafe", false)] {
        let mut sums = [Row::default(); 2];
        let mut both = [Row::default(); 2];
        let files = programs(&arguments.suite.join(folder), &arguments.only)?;
        for file in &files {
            let rows = [
                measure(file, is_safe, KINDS[0].1, arguments)?,
                measure(file, is_safe, KINDS[1].1, arguments)?,
            ];
            let name = file.file_stem().map_or(String::new(), |name| name.to_string_lossy().into());
            println!("{name:32} | {} | {}", rows[0].text(), rows[1].text());
            for (index, row) in rows.iter().enumerate() {
                sums[index].add(row);
                if rows.iter().all(|row| row.solved == 1) {
                    both[index].add(row);
                }
            }
        }
        println!("{:32} | {} | {}", format!("{folder}: {}", files.len()), sums[0].text(), sums[1].text());
        println!("{:32} | {} | {}", "solved by both", both[0].text(), both[1].text());
        wrong += sums[0].wrong + sums[1].wrong;
    }
    Ok(wrong)
}

fn programs(folder: &Path, only: &str) -> Result<Vec<PathBuf>, String> {
    let entries = std::fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.retain(|file| file.file_name().is_some_and(|name| name.to_string_lossy().contains(only)));
    files.sort();
    Ok(files)
}

fn measure(
    file: &Path,
    is_safe: bool,
    refinement: RefinementKind,
    arguments: &Arguments,
) -> Result<Row, String> {
    let options = frontend::Options::new(vec![file.into()], DataModel::Ilp32);
    let program = frontend::load(&options).map_err(|error| error.to_string())?.program;
    let begun = Instant::now();
    let analyses = Analyses::new(&program);
    let goals = [Goal::UnreachableCall("reach_error".into())];
    let budget = Budget::unlimited().with_time(Duration::from_secs(arguments.time_limit));
    let task =
        Task { program: &program, analyses: &analyses, goals: &goals, condition: None, budget: &budget };
    let (options, unwinding) = (Options { refinement, ..Options::default() }, engines::Options::default());
    let (findings, statistics) = engines::predicate::run(task, &options, &unwinding);
    let time = begun.elapsed();
    let unlimited = Budget::unlimited();
    let verdict = match &findings.outcome {
        Outcome::True => {
            engines::proof::check(Task { budget: &unlimited, ..task }, &unwinding, &findings)
                .map_err(|reason| format!("{}: the proof does not hold: {reason:?}", file.display()))?;
            Some(true)
        }
        Outcome::False { .. } => Some(false),
        Outcome::Unknown { .. } => None,
    };
    let Statistics { refinements, predicates, .. } = statistics;
    let solved = usize::from(verdict == Some(is_safe));
    let wrong = usize::from(verdict == Some(!is_safe));
    Ok(Row { solved, wrong, refinements, predicates, time })
}

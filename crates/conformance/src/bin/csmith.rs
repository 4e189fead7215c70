//! Runs many random programs of csmith under proviso, compares their checksums with those of the
//! compiled programs, and asks bounded model checking whether they can be others; or gives them an input, and asks
//! several engines.

use clap::Parser;
use conformance::csmith::{self, Check, Settings, Verdict};
use conformance::process::Limits;
use conformance::{DataModel, compiler, parallel};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;

/// Compare proviso with the C compiler on random programs of csmith.
#[derive(Parser)]
#[command(after_help = "Example: csmith --count 1000 --first-seed 1 --data-model LP64 -- --builtins --float")]
struct Arguments {
    #[arg(long, default_value_t = 100)]
    count: u64,
    #[arg(long, default_value_t = 1)]
    first_seed: u64,
    /// ILP32 or LP64; both when it is not given.
    #[arg(long, ignore_case = true)]
    data_model: Option<DataModel>,
    /// Smaller programs, whose checksum depends on an input.
    #[arg(long)]
    with_input: bool,
    #[arg(long, default_value_t = 100_000_000)]
    step_limit: u64,
    /// Seconds for a run of proviso.
    #[arg(long, default_value_t = 60)]
    time_limit: u64,
    /// Seconds for a run of the compiled program; csmith's programs need not end.
    #[arg(long, default_value_t = 10)]
    compiled_limit: u64,
    /// Where the programs with differences are kept.
    #[arg(long)]
    keep: Option<PathBuf>,
    /// Further options for csmith.
    #[arg(last = true)]
    options: Vec<String>,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let Some(include) = csmith::installation() else {
        println!("skipped: csmith is not installed, or its headers are not found (CSMITH_INCLUDE)");
        return ExitCode::SUCCESS;
    };
    let defaults = Settings::default();
    let settings = Settings {
        compiled: Limits::seconds(arguments.compiled_limit),
        interpreted: Limits::seconds(arguments.time_limit),
        step_limit: arguments.step_limit,
        options: arguments.options,
        kept: arguments.keep.unwrap_or(defaults.kept.clone()),
        ..defaults
    };
    let models = arguments.data_model.map_or(DataModel::ALL.to_vec(), |model| vec![model]);
    let seeds = arguments.first_seed..arguments.first_seed + arguments.count;
    let runs: Vec<(u64, DataModel)> =
        seeds.flat_map(|seed| models.iter().map(move |model| (seed, *model))).collect();
    let check: Check = if arguments.with_input { csmith::check_with_input } else { csmith::check };
    let verdicts = parallel::map(&runs, |(seed, model)| {
        if !compiler::available(*model) {
            return Verdict::Skipped("no compiler".to_string());
        }
        let verdict = check(*seed, *model, &include, &settings);
        if let Verdict::Different(text) = &verdict {
            println!("DIFFERENT {text}\n");
        }
        verdict
    });
    summarise(&verdicts)
}

fn summarise(verdicts: &[Verdict]) -> ExitCode {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for verdict in verdicts {
        let kind = match verdict {
            Verdict::Same => "same".to_string(),
            Verdict::Skipped(reason) => format!("skipped: {}", reason.lines().next().unwrap_or_default()),
            Verdict::Different(_) => "different".to_string(),
        };
        *counts.entry(kind).or_default() += 1;
    }
    counts.iter().for_each(|(kind, count)| println!("{count:6} {kind}"));
    if counts.contains_key("different") { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

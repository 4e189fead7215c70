//! Times bounded model checking and induction with and without what makes them fast: incremental
//! solving, slicing, preprocessing, refinement. All variants of a task go to the same bound: the one that
//! the incremental run reaches in a given time.

use bench::tasks::{self, Input};
use bench::{controller, measure};
use clap::Parser;
use conformance::scratch::Scratch;
use conformance::tool;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Instant;

/// Time unwinding with one thing switched off at a time.
#[derive(Parser)]
#[command(after_help = "Examples:
  unwinding --tasks tasks.tsv --only systemc --warm-up 5
  unwinding --tasks tasks.tsv --only eca --engine kinduction --variants restart
  unwinding --growth 1,10,20,30,40,50")]
struct Arguments {
    /// A list of tasks.
    #[arg(long)]
    tasks: Option<PathBuf>,
    /// Only files whose path contains this.
    #[arg(long, default_value = "")]
    only: String,
    /// At most so many tasks, evenly spread.
    #[arg(long, default_value_t = usize::MAX, hide_default_value = true)]
    sample: usize,
    #[arg(long, default_value = "bmc")]
    engine: String,
    /// Seconds in which the incremental run goes as far as it can, which is the bound for all.
    #[arg(long, default_value_t = 3)]
    warm_up: u32,
    /// Unwind no more than so many times.
    #[arg(long, default_value_t = 50)]
    bound: u32,
    /// Options to compare with; 'plain' is none of them.
    #[arg(long, value_delimiter = ',', default_values_t = ["restart", "no-slicing", "no-preprocessing", "no-refinement"].map(String::from))]
    variants: Vec<String>,
    /// Seconds for one run.
    #[arg(long, default_value_t = 60)]
    time_limit: u32,
    /// Instead of tasks, a generated controller, unwound so many times.
    #[arg(long, value_delimiter = ',')]
    growth: Vec<u32>,
    /// The controller's seed.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Only blocks of discrete control: no look-up tables, no floating point.
    #[arg(long)]
    discrete: bool,
    /// Modules of the controller.
    #[arg(long, default_value_t = 3)]
    modules: u64,
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("unwinding: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &Arguments) -> Result<(), String> {
    let proviso = tool::proviso().ok_or("there is no proviso binary")?;
    if arguments.growth.is_empty() { compare(proviso, arguments) } else { grow(proviso, arguments) }
}

/// A row for each task with the seconds of each variant, and the geometric means of the ratios.
fn compare(proviso: &Path, arguments: &Arguments) -> Result<(), String> {
    let inputs = inputs(arguments)?;
    println!("| task | bound | incremental | {} |", arguments.variants.join(" | "));
    println!("|---|{}", "---|".repeat(arguments.variants.len() + 2));
    let mut ratios = vec![Vec::new(); arguments.variants.len()];
    for input in &inputs {
        let Some(reach) = reach(proviso, input, arguments)? else { continue };
        let base = time(proviso, input, arguments, &reach, None)?;
        let others =
            arguments.variants.iter().map(|variant| time(proviso, input, arguments, &reach, Some(variant)));
        let others: Vec<Time> = others.collect::<Result<_, _>>()?;
        if others.iter().chain([&base]).all(|time| time.seconds < SHORTEST) {
            continue;
        }
        let mut cells = vec![reach.to_string(), base.to_string()];
        for (other, ratios) in others.iter().zip(&mut ratios) {
            if !base.is_over {
                ratios.push(other.seconds / base.seconds);
            }
            cells.push(other.to_string());
        }
        let name = input.path.file_name().unwrap_or_default().to_string_lossy();
        println!("| {name} | {} |", cells.join(" | "));
    }
    let means: Vec<String> = ratios.iter().map(|ratios| mean(ratios)).collect();
    println!("| geometric mean of the ratios | | 1 | {} |", means.join(" | "));
    Ok(())
}

fn inputs(arguments: &Arguments) -> Result<Vec<Input>, String> {
    let list = arguments.tasks.as_deref().ok_or("give --tasks or --growth")?;
    let mut inputs = tasks::read(list)?;
    inputs.retain(|input| input.path.to_string_lossy().contains(&arguments.only));
    let step = inputs.len().div_ceil(arguments.sample.max(1)).max(1);
    Ok(inputs.into_iter().step_by(step).collect())
}

/// A run of a task.
fn verify(proviso: &Path, input: &Input, arguments: &Arguments, seconds: u32) -> Command {
    let mut command = Command::new(proviso);
    command.args(["verify", "--data-model", input.model.name(), "--engine", &arguments.engine]);
    command.args(["--time-limit", &format!("{seconds}s")]).arg(&input.path);
    command
}

/// How far a run comes.
enum Reach {
    /// `together` if reactive loops were counted as one.
    Bound { bound: u32, together: bool },
    /// To an answer: all variants go on until they have it.
    Decided,
}

impl Reach {
    /// Options with which other runs go as far.
    fn options(&self) -> Vec<String> {
        let Reach::Bound { bound, together } = *self else { return Vec::new() };
        let strategy = if together { "together" } else { "auto" };
        ["--unwind", &bound.to_string(), "--unwind-strategy", strategy].map(String::from).into()
    }
}

impl std::fmt::Display for Reach {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Reach::Bound { bound, together: false } => write!(f, "{bound}"),
            Reach::Bound { bound, together: true } => write!(f, "{bound} together"),
            Reach::Decided => f.write_str("decided"),
        }
    }
}

/// Seconds; runs that are shorter do nothing but start.
const SHORTEST: f64 = 0.05;

/// What the incremental run reaches in its time; nothing if that is less than two unwindings.
fn reach(proviso: &Path, input: &Input, arguments: &Arguments) -> Result<Option<Reach>, String> {
    let mut command = verify(proviso, input, arguments, arguments.warm_up);
    let output = command.output().map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&output.stdout);
    if text.lines().last().is_some_and(|verdict| verdict.starts_with("TRUE") || verdict.starts_with("FALSE"))
    {
        return Ok(Some(Reach::Decided));
    }
    let after = text.split("comes back more than ").nth(1);
    let bound: Option<u32> = after.and_then(|rest| rest.split_whitespace().next()?.parse().ok());
    let together = text.contains("taken together");
    let bound = bound.map(|bound| bound.min(arguments.bound)).filter(|&bound| bound > 1);
    Ok(bound.map(|bound| Reach::Bound { bound, together }))
}

/// Seconds of processor time, or the limit if the bound was not reached within it: ratios are larger than what they are
/// taken for then.
struct Time {
    seconds: f64,
    is_over: bool,
}

impl std::fmt::Display for Time {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.is_over { write!(f, "> {:.0}", self.seconds) } else { write!(f, "{:.2}", self.seconds) }
    }
}

fn time(
    proviso: &Path,
    input: &Input,
    arguments: &Arguments,
    reach: &Reach,
    variant: Option<&str>,
) -> Result<Time, String> {
    let mut command = verify(proviso, input, arguments, arguments.time_limit);
    command.args(reach.options());
    if let Some(variant) = variant {
        command.arg(format!("--{variant}"));
    }
    let start = Instant::now();
    let measured = measure::run(&mut command).map_err(|error| error.to_string())?;
    let is_over = start.elapsed().as_secs_f64() > 0.97 * f64::from(arguments.time_limit);
    let seconds = if is_over { f64::from(arguments.time_limit) } else { measured.processor.as_secs_f64() };
    Ok(Time { seconds, is_over })
}

fn mean(ratios: &[f64]) -> String {
    let logarithms: f64 = ratios.iter().map(|ratio| ratio.ln()).sum();
    format!("{:.2} ({} tasks)", (logarithms / ratios.len().max(1) as f64).exp(), ratios.len())
}

/// How the time grows with the bound.
fn grow(proviso: &Path, arguments: &Arguments) -> Result<(), String> {
    let scratch = Scratch::new("unwinding").map_err(|error| error.to_string())?;
    let path = scratch.join("controller.c");
    generate(&path, arguments).map_err(|error| error.to_string())?;
    println!("| unwindings | seconds | MB |\n|---|---|---|");
    for bound in &arguments.growth {
        let mut command = Command::new(proviso);
        command.args(["verify", "--engine", &arguments.engine, "--unwind", &bound.to_string()]).arg(&path);
        let measured = measure::run(&mut command).map_err(|error| error.to_string())?;
        println!("| {bound} | {:.2} | {} |", measured.processor.as_secs_f64(), measured.peak >> 20);
    }
    Ok(())
}

fn generate(path: &Path, arguments: &Arguments) -> std::io::Result<()> {
    let extent = controller::Extent::Modules(arguments.modules);
    let (seed, discrete) = (arguments.seed, arguments.discrete);
    let plan = controller::Plan { extent, seed, discrete, bug: None };
    let mut output = BufWriter::new(File::create(path)?);
    controller::write(&plan, &mut output)?;
    output.flush()
}

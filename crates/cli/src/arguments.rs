//! The command line: what there is, with its defaults and its help.

use cfa::Environment;
use clap::{Args, Parser, Subcommand, ValueEnum};
use engines::predicate::Blocks;
use sema::types::DataModel;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

/// A software model checker for C that always gives an answer.
#[derive(Parser, Debug)]
#[command(name = "proviso", version, arg_required_else_help = true)]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand, Debug)]
pub enum Command {
    /// Verify a program against a property
    Verify(Box<VerifyArguments>),
    /// Show the control-flow automata of a program
    Cfa(CfaArguments),
    /// Execute a program and say how it ended
    Run(RunArguments),
    /// Compare two conditions: which covers more, and what each leaves open
    Compare(CompareArguments),
}

impl Command {
    /// The program's files.
    pub fn files(&self) -> &[PathBuf] {
        match self {
            Command::Verify(command) => &command.program.files,
            Command::Cfa(command) => &command.program.files,
            Command::Run(command) => &command.program.files,
            Command::Compare(command) => &command.program.files,
        }
    }
}

/// Compilers write `-include`; here, words have two dashes.
pub fn normal_spelling(word: OsString) -> OsString {
    if word == "-include" { "--include".into() } else { word }
}

/// The program, and how to read it.
#[derive(Args, Debug)]
pub struct ProgramArguments {
    /// C files; several are linked into one program, '-' is standard input
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Sizes of int, long and pointers
    #[arg(long, value_enum, default_value_t = Model::Lp64, ignore_case = true, value_name = "MODEL")]
    pub data_model: Model,

    /// What the world around the program does
    #[arg(long, value_enum, default_value_t = EnvironmentName::Benign, value_name = "KIND")]
    pub environment: EnvironmentName,

    /// Define a macro, for files that need preprocessing
    #[arg(short = 'D', value_name = "NAME[=VALUE]", help_heading = "Preprocessing")]
    define: Vec<OsString>,

    /// Undefine a macro
    #[arg(short = 'U', value_name = "NAME", help_heading = "Preprocessing")]
    undefine: Vec<OsString>,

    /// Look for headers here
    #[arg(short = 'I', value_name = "DIR", help_heading = "Preprocessing")]
    include_directory: Vec<OsString>,

    /// Include this file before all others
    #[arg(long = "include", value_name = "FILE", help_heading = "Preprocessing")]
    include: Vec<OsString>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum Model {
    #[value(name = "ILP32")]
    Ilp32,
    #[value(name = "LP64")]
    Lp64,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum EnvironmentName {
    /// What verification tasks mean: memory does not run out, functions without a body write nothing, pointers
    /// from outside point to memory of their own
    Benign,
    /// None of this; and volatile objects have any value whenever they are read
    Hostile,
}

impl ProgramArguments {
    pub fn options(&self) -> frontend::Options {
        let data_model = match self.data_model {
            Model::Ilp32 => DataModel::Ilp32,
            Model::Lp64 => DataModel::Lp64,
        };
        frontend::Options {
            environment: match self.environment {
                EnvironmentName::Benign => Environment::Benign,
                EnvironmentName::Hostile => Environment::Hostile,
            },
            preprocessor: self.preprocessor(),
            ..frontend::Options::new(self.files.clone(), data_model)
        }
    }

    fn preprocessor(&self) -> Vec<OsString> {
        let groups = [
            ("-D", &self.define),
            ("-U", &self.undefine),
            ("-I", &self.include_directory),
            ("-include", &self.include),
        ];
        let flags =
            groups.into_iter().flat_map(|(flag, values)| values.iter().map(move |value| (flag, value)));
        flags.flat_map(|(flag, value)| [OsString::from(flag), value.clone()]).collect()
    }
}

/// Compare two conditions of a program.
#[derive(Args, Debug)]
#[command(after_help = "Example:
  proviso compare short.condition long.condition a.c")]
pub struct CompareArguments {
    /// A condition, as --condition-out writes it
    #[arg(value_name = "A")]
    pub first: PathBuf,

    /// Another one of the same program
    #[arg(value_name = "B")]
    pub second: PathBuf,

    #[command(flatten)]
    pub program: ProgramArguments,
}

/// Show the control-flow automata of a program.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  proviso cfa examples/counter.c                     what the program becomes, as text
  proviso cfa --function main --dot a.c | dot -Tsvg  a picture of one function
  proviso cfa --loops a.c                            the loops, with the names that options take
  proviso cfa --summarise a.c                        large blocks: loops and calls only")]
pub struct CfaArguments {
    #[command(flatten)]
    pub program: ProgramArguments,

    /// Print Graphviz text
    #[arg(long, group = "format")]
    pub dot: bool,

    /// Print JSON
    #[arg(long, group = "format")]
    pub json: bool,

    /// List the loops with their names
    #[arg(long, group = "format")]
    pub loops: bool,

    /// Build the automata and print nothing
    #[arg(long, group = "format")]
    pub quiet: bool,

    /// Merge edges into large blocks (Rules 0, 1 and 2 of large-block encoding)
    #[arg(long, conflicts_with_all = ["json", "loops", "quiet"])]
    pub summarise: bool,

    /// Only this function
    #[arg(long, value_name = "NAME")]
    pub function: Option<String>,
}

/// Verify a program against a property.
#[derive(Args, Debug)]
#[command(
    after_help = "The last line on standard output is the verdict: TRUE, FALSE(property) or UNKNOWN. Exit code: 0 for
TRUE, 10 for FALSE, 5 for UNKNOWN, 6 for bad input.

Examples:
  proviso verify a.c                                reach_error() is never called
  proviso verify --property no-overflow a.c         no signed overflow
  proviso verify --check pointer,free,leak a.c      memory safety, beside reach_error()
  proviso verify --property task.prp --time-limit 60s --data-model ILP32 a.i
  proviso verify --environment hostile a.c          memory may run out, volatile objects change by themselves
  proviso verify --engine bmc --unwind 10 a.c       look at ten unwindings, prove nothing more
  proviso verify --unwind-loop main:12=5 a.c        look at five iterations of one loop
  proviso verify --time-limit 10s --condition-out done.txt a.c
  proviso verify --condition-in done.txt a.c        go on where that run has stopped
  proviso verify --engine explicit --limit repeat-locations=5 --condition-out done.txt a.c
  proviso verify --engine explicit --order topological --merge join --arg-out graph.dot a.c"
)]
pub struct VerifyArguments {
    #[command(flatten)]
    pub program: ProgramArguments,

    /// A property file, or the name of a common property
    #[arg(long, value_name = "FILE|NAME", default_value = "unreach-call")]
    pub property: String,

    /// Check this, too
    #[arg(long, value_enum, value_delimiter = ',', value_name = "CHECK")]
    pub check: Vec<crate::checks::Check>,

    /// How to go about it
    #[arg(long, value_enum, default_value_t = EngineName::Auto, value_name = "ENGINE")]
    pub engine: EngineName,

    /// Read what has been verified before, and do not look at it again
    #[arg(long, value_name = "FILE")]
    pub condition_in: Option<PathBuf>,

    /// Write what has been verified: JSON if FILE ends in .json, CPAchecker's language if in .spc
    #[arg(long, value_name = "FILE")]
    pub condition_out: Option<PathBuf>,

    /// Print what was found as JSON
    #[arg(long)]
    pub json: bool,

    /// Check the proof of a TRUE with a fresh solver
    #[arg(long)]
    pub check_proof: bool,

    /// Stop after this time, such as 500ms, 10s, 2min
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub time_limit: Option<Duration>,

    /// Stop before this much memory is in use, such as 500MB, 16GB [default: 4GB, or less if there is less]
    #[arg(long, value_name = "SIZE", value_parser = memory_size)]
    pub memory_limit: Option<u64>,

    /// Give up parts of the search at a limit of the engine 'explicit' or 'predicate' (repeatable);
    /// '--limit help' lists them
    #[arg(long, value_name = "NAME=VALUE", value_parser = crate::limits::parse)]
    pub limit: Vec<String>,

    /// Say how much work it was, on standard error
    #[arg(long)]
    pub statistics: bool,

    /// How much to tell of a run that violates the property; of a long one, 'short' leaves out the middle
    #[arg(long, value_enum, value_name = "DETAIL", default_value_t = TraceDetail::Short)]
    pub trace: TraceDetail,

    #[command(flatten)]
    pub unwinding: UnwindingArguments,

    #[command(flatten)]
    pub explicit: crate::explicit::ExplicitArguments,

    /// One step of the engine 'predicate': a single operation (sbe), what has no loop (lbe), so many operations
    /// (abe=N), or from loop head to loop head, calls included (loops)
    #[arg(long, help_heading = "Predicates", value_name = "BLOCKS", default_value_t = Blocks::default())]
    pub blocks: Blocks,

    /// Where the engine 'predicate' uses a predicate that it has found
    #[arg(long, help_heading = "Predicates", value_enum, value_name = "SCOPE", default_value_t = ScopeName::Location)]
    pub precision_scope: ScopeName,

    /// Start the engine 'predicate' with the predicates of this file
    #[arg(long, help_heading = "Predicates", value_name = "FILE")]
    pub precision_in: Option<PathBuf>,

    /// Write the predicates of the engine 'predicate' to this file
    #[arg(long, help_heading = "Predicates", value_name = "FILE")]
    pub precision_out: Option<PathBuf>,

    /// How the engine 'predicate' combines its predicates
    #[arg(long, help_heading = "Predicates", value_enum, value_name = "KIND", default_value_t = AbstractionName::Boolean)]
    pub abstraction: AbstractionName,

    /// How the engine 'predicate' finds its predicates
    #[arg(long, help_heading = "Predicates", value_enum, value_name = "KIND", default_value_t = RefinementName::Core)]
    pub refinement: RefinementName,
}

/// How bounded model checking and induction go about it.
#[derive(Args, Debug)]
#[command(next_help_heading = "Unwinding")]
pub struct UnwindingArguments {
    /// Unwind loops and recursion at most so many times
    #[arg(long, value_name = "N")]
    pub unwind: Option<u32>,

    /// Unwind this loop at most so many times; `proviso cfa --loops` lists the names
    #[arg(long, value_name = "LOOP=N", value_parser = loop_limit)]
    pub unwind_loop: Vec<(String, u32)>,

    /// Which loops go first where there are several
    #[arg(long, value_enum, value_name = "STRATEGY", default_value_t = StrategyName::Auto)]
    pub unwind_strategy: StrategyName,

    /// Go on after a violation, and give each place where the property can be violated its own verdict
    #[arg(long)]
    pub all_properties: bool,

    /// Use an SMT-LIB 2 solver: z3, cvc5, bitwuzla, or any command that reads from a pipe
    #[arg(long, value_name = "NAME|COMMAND")]
    pub solver: Option<String>,

    /// Build everything anew for each bound, to see what incremental solving gains
    #[arg(long)]
    pub restart: bool,

    /// Give the solver also what the question does not depend on
    #[arg(long)]
    pub no_slicing: bool,

    /// Do not let the SAT solver simplify the formula
    #[arg(long)]
    pub no_preprocessing: bool,

    /// Encode expensive operations at once, not when the answer depends on them
    #[arg(long)]
    pub no_refinement: bool,

    /// Do not tell states at loop heads apart where all values are constants
    #[arg(long)]
    pub no_states: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum StrategyName {
    /// Inner loops that count to a constant first, the others one step at a time; 'together' where that saves work and no
    /// bound is given
    Auto,
    /// An inner loop is unwound to its end before the loop around it goes on
    InnerFirst,
    /// All loops one step at a time
    AllLoops,
    /// Loops that read inputs and are inside of each other count as one, the others as in 'auto'
    Together,
}

/// `main:12=5`
fn loop_limit(text: &str) -> Result<(String, u32), String> {
    let parts = text.rsplit_once('=').and_then(|(name, limit)| Some((name.to_string(), limit.parse().ok()?)));
    parts.ok_or_else(|| "expected a loop and a number, such as main:12=5".into())
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum EngineName {
    /// Induction and explicit values in turns
    Auto,
    /// Incremental bounded model checking
    Bmc,
    /// The same, and induction over all loops beside it
    Kinduction,
    /// Explicit values, depth first
    Explicit,
    /// Predicate abstraction of large blocks, refined by counterexamples
    Predicate,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum AbstractionName {
    /// All combinations of the predicates that are reached
    Boolean,
    /// What is known of each predicate by itself
    Cartesian,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum ScopeName {
    /// At the location that it was found for
    Location,
    /// At all locations of the function
    Function,
    /// Wherever it can be said
    Global,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum RefinementName {
    /// Blocks are linked by candidate predicates, and those that are needed are kept
    Core,
    /// Craig interpolation on the bits of what can be observed
    Interpolation,
}

/// `500MB`, `4GB`, or a plain number of bytes.
fn memory_size(text: &str) -> Result<u64, String> {
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let number: u64 = number.parse().map_err(|_| "expected a size such as 500MB or 4GB".to_string())?;
    let factor = match unit {
        "" | "B" => 1,
        "kB" | "KB" | "K" => 1 << 10,
        "MB" | "M" => 1 << 20,
        "GB" | "G" => 1 << 30,
        _ => return Err(format!("unknown unit '{unit}': use kB, MB or GB")),
    };
    number.checked_mul(factor).ok_or_else(|| "the size is too large".into())
}

/// Execute a program on its automata and say how it ended.
#[derive(Args, Debug)]
#[command(
    after_help = "The last line on standard error says how the run ended. Exit code: 0 if the program came to an
end, 10 if it violated something, 5 if a limit was reached or something is not modelled, 6 for bad
input.

Examples:
  proviso run a.c                       inputs are all zero
  proviso run --seed 7 a.c              pseudo-random inputs
  proviso run --inputs values.txt a.c   one number for each __VERIFIER_nondet_…() call, in order
  proviso run --trace short a.c         what the run did, with source lines
  proviso run --check none a.c          signed overflow wraps, as with gcc -fwrapv"
)]
pub struct RunArguments {
    #[command(flatten)]
    pub program: ProgramArguments,

    /// Take inputs from this file: numbers, decimal or 0x…, '#' starts a comment
    #[arg(long, value_name = "FILE")]
    pub inputs: Option<PathBuf>,

    /// Take pseudo-random inputs
    #[arg(long, value_name = "N", conflicts_with = "inputs")]
    pub seed: Option<u64>,

    /// Stop after so many steps
    #[arg(long, value_name = "N")]
    pub step_limit: Option<u64>,

    /// Stop after this time, such as 500ms, 10s, 2min
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub time_limit: Option<Duration>,

    /// Print what happens instead of what the program prints
    #[arg(long, value_enum, value_name = "DETAIL")]
    pub trace: Option<TraceDetail>,

    /// What ends the run, beside what always does (error calls, bad memory access, division by zero)
    #[arg(long, value_enum, value_delimiter = ',', value_name = "CHECK", default_value = "overflow")]
    pub check: Vec<CheckName>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum TraceDetail {
    /// Inputs, branches, and what the source assigns
    Short,
    /// Everything
    Full,
}

impl From<TraceDetail> for replay::Detail {
    fn from(detail: TraceDetail) -> Self {
        match detail {
            TraceDetail::Short => replay::Detail::Short,
            TraceDetail::Full => replay::Detail::Full,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum CheckName {
    /// Signed overflow; it wraps otherwise
    Overflow,
    /// Indices outside of their arrays
    Bounds,
    /// Shift counts that are negative or too large
    Shift,
    /// Reading what was never written
    Uninitialised,
    /// Memory that is still allocated at the end
    Leak,
    /// Nothing more
    None,
}

/// `10s`, `500ms`, `2min`, `1h`, or a plain number of seconds.
fn duration(text: &str) -> Result<Duration, String> {
    let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let number: f64 = number.parse().map_err(|_| "expected a time such as 10s, 500ms or 2min".to_string())?;
    let seconds = match unit {
        "" | "s" => number,
        "ms" => number / 1000.0,
        "min" | "m" => number * 60.0,
        "h" => number * 3600.0,
        _ => return Err(format!("unknown unit '{unit}': use ms, s, min or h")),
    };
    Duration::try_from_secs_f64(seconds).map_err(|_| "the time is too long".into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn times_have_units() {
        assert_eq!(duration("10s"), Ok(Duration::from_secs(10)));
        assert_eq!(duration("1.5"), Ok(Duration::from_millis(1500)));
        assert_eq!(duration("250ms"), Ok(Duration::from_millis(250)));
        assert_eq!(duration("2min"), Ok(Duration::from_secs(120)));
        assert!(duration("5 apples").is_err());
        assert!(duration("s").is_err());
    }

    #[test]
    fn sizes_have_units() {
        assert_eq!(memory_size("4GB"), Ok(4 << 30));
        assert_eq!(memory_size("1000"), Ok(1000));
        assert!(memory_size("4 houses").is_err());
        assert!(memory_size("99999999999999GB").is_err());
    }
}

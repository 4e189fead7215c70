//! Writes a generated controller to standard output.

use bench::controller::{self, Extent, Plan};
use bench::size;
use clap::Parser;
use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

/// Generate a controller in C, a verification task of any size.
///
/// Without --bug it is safe. It is preprocessed C, and calls reach_error() where an assertion fails.
#[derive(Parser)]
#[command(after_help = "Example: controller --size 10MB > controller.c")]
struct Arguments {
    /// Modules in the program.
    #[arg(long, default_value_t = 3, conflicts_with = "size")]
    modules: u64,
    /// Generate modules until the text has this size: 500kB, 10MB.
    #[arg(long, value_parser = size::parse)]
    size: Option<u64>,
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Only blocks of discrete control: no look-up tables, no floating point.
    #[arg(long)]
    discrete: bool,
    /// Plant an error that can be reached in this round of the main loop and not before.
    #[arg(long, value_name = "DEPTH", value_parser = clap::value_parser!(u64).range(1..))]
    bug: Option<u64>,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let extent = arguments.size.map_or(Extent::Modules(arguments.modules), Extent::Bytes);
    let (seed, discrete, bug) = (arguments.seed, arguments.discrete, arguments.bug);
    let plan = Plan { extent, seed, discrete, bug };
    let mut output = BufWriter::new(io::stdout().lock());
    match controller::write(&plan, &mut output).and_then(|_| output.flush()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("controller: {error}");
            ExitCode::FAILURE
        }
    }
}

//! Checks programs of the corpus one by one, or renews their expectation lines: the tool for whoever
//! writes such a program. The same checks run as tests (`cargo test -p proviso-conformance`).

use clap::Parser;
use conformance::corpus::{self, Program};
use conformance::{compiler, parallel, renewal, tool};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Check programs of the corpus, or write their expectation lines from what the C compiler does.
#[derive(Parser)]
#[command(after_help = "Example: corpus --renew tests/corpus/integer-promotion.c")]
struct Arguments {
    /// Write the Exit, Ended and Output lines anew.
    #[arg(long)]
    renew: bool,
    /// Only compare with the C compiler, not with proviso.
    #[arg(long)]
    compiler_only: bool,
    /// Programs; all of the corpus when none is named.
    programs: Vec<PathBuf>,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let paths = if arguments.programs.is_empty() { corpus::paths() } else { arguments.programs.clone() };
    let results = parallel::map(&paths, |path| {
        let result = if arguments.renew { renew(path) } else { check(path, arguments.compiler_only) };
        result.map_err(|error| format!("{}:\n  {error}", path.display()))
    });
    let failures: Vec<String> = results.into_iter().filter_map(Result::err).collect();
    failures.iter().for_each(|failure| println!("{failure}"));
    println!("{} programs, {} failures", paths.len(), failures.len());
    if failures.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn renew(path: &Path) -> Result<(), String> {
    let text = fs::read_to_string(path).map_err(|error| error.to_string())?;
    let renewed = renewal::renewed(path, &text)?;
    if renewed != text {
        fs::write(path, renewed).map_err(|error| error.to_string())?;
    }
    Ok(())
}

fn check(path: &Path, compiler_only: bool) -> Result<(), String> {
    let program = Program::read(path.to_path_buf())?;
    for model in program.expectation.models.clone() {
        if compiler::available(model) {
            corpus::check_compiled(&program, model).map_err(|error| format!("compiled, {model}: {error}"))?;
        }
        if !compiler_only && tool::proviso().is_some() {
            corpus::check_interpreted(&program, model)
                .map_err(|error| format!("interpreted, {model}: {error}"))?;
        }
    }
    Ok(())
}

//! The `proviso` binary: arguments in, one library call, output and exit code out.

mod arguments;
mod cfa_command;
mod checks;
mod compare_command;
mod explicit;
mod heap;
mod limits;
mod output;
mod predicate;
mod progress;
mod report;
mod run_command;
mod verify_command;

use arguments::{Arguments, Command};
use clap::Parser;
use std::process::ExitCode;

/// Exit codes as users of other verifiers script them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Exit {
    /// Done; for a verification, the program is safe.
    Success = 0,
    /// The command line makes no sense.
    Usage = 1,
    /// A limit was reached, or the program does something that is not modelled.
    Inconclusive = 5,
    /// Bad input, or a fault of the tool.
    Error = 6,
    /// The property is violated.
    Violated = 10,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit as u8)
    }
}

fn main() -> ExitCode {
    let arguments = match Arguments::try_parse_from(std::env::args_os().map(arguments::normal_spelling)) {
        Ok(arguments) => arguments,
        Err(error) => return usage_error(&error),
    };
    heap::prepare(arguments.command.files());
    let result = match arguments.command {
        Command::Cfa(command) => cfa_command::run(&command),
        Command::Verify(command) => verify_command::run(&command),
        Command::Run(command) => run_command::run(&command),
        Command::Compare(command) => compare_command::run(&command),
    };
    match result {
        Ok(exit) => exit.into(),
        Err(message) => {
            eprintln!("{}", message.trim_end());
            Exit::Error.into()
        }
    }
}

/// `--help` and `--version` arrive here as well, and are no errors.
fn usage_error(error: &clap::Error) -> ExitCode {
    // Nothing can be done about a closed terminal.
    let _ = error.print();
    if error.use_stderr() { Exit::Usage.into() } else { Exit::Success.into() }
}

//! The command line: what there is, with its defaults and its help.

use clap::{Args, Parser, Subcommand, ValueEnum};
use sema::types::DataModel;
use std::ffi::OsString;
use std::path::PathBuf;

/// A software model checker for C that always gives an answer.
#[derive(Parser, Debug)]
#[command(name = "proviso", version, arg_required_else_help = true)]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand, Debug)]
pub enum Command {
    /// Show the control-flow automata of a program
    Cfa(CfaArguments),
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

impl ProgramArguments {
    pub fn options(&self) -> frontend::Options {
        let data_model = match self.data_model {
            Model::Ilp32 => DataModel::Ilp32,
            Model::Lp64 => DataModel::Lp64,
        };
        frontend::Options { files: self.files.clone(), data_model, preprocessor: self.preprocessor() }
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

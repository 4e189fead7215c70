//! The engine `explicit` on the command line: its options and statistics.

use crate::arguments::VerifyArguments;
use clap::{Args, ValueEnum};
use domains::monitors::Limits;
use engines::explicit::{Form, Merge, Options, Order, Statistics};
use engines::{Findings, Task};
use std::path::{Path, PathBuf};

/// How the engine 'explicit' goes about it.
#[derive(Args, Debug)]
#[command(next_help_heading = "Explicit values")]
pub struct ExplicitArguments {
    /// In which order states are looked at
    #[arg(long, value_enum, value_name = "ORDER", default_value_t = OrderName::Dfs)]
    pub order: OrderName,

    /// What becomes of states that meet at a location
    #[arg(long, value_enum, value_name = "HOW", default_value_t = MergeName::Sep)]
    pub merge: MergeName,

    /// Write the abstract reachability graph: JSON if FILE ends in .json, Graphviz text otherwise
    #[arg(long, value_name = "FILE")]
    pub arg_out: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum OrderName {
    /// Depth first: the newest
    Dfs,
    /// Breadth first: the oldest
    Bfs,
    /// What comes first in the text, loops to their end before what follows them
    Topological,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum MergeName {
    /// They stay separate
    Sep,
    /// What they have in common is kept
    Join,
}

pub fn run(task: Task<'_>, arguments: &VerifyArguments, limits: Limits) -> Result<Findings, String> {
    let options = Options { limits, proof: arguments.check_proof, ..options(&arguments.explicit) };
    let form = arguments.explicit.arg_out.as_deref().map(form_of);
    let (findings, statistics, graph) = engines::explicit::run_and_draw(task, &options, form);
    if let (Some(path), Some(graph)) = (&arguments.explicit.arg_out, graph) {
        std::fs::write(path, graph).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    if arguments.statistics {
        eprintln!("{}", describe(&statistics));
    }
    Ok(findings)
}

fn options(arguments: &ExplicitArguments) -> Options {
    let order = match arguments.order {
        OrderName::Dfs => Order::DepthFirst,
        OrderName::Bfs => Order::BreadthFirst,
        OrderName::Topological => Order::Topological,
    };
    let merge = match arguments.merge {
        MergeName::Sep => Merge::Separate,
        MergeName::Join => Merge::Join,
    };
    Options { order, merge, ..Options::default() }
}

fn form_of(path: &Path) -> Form {
    if path.extension().is_some_and(|extension| extension == "json") { Form::Json } else { Form::Dot }
}

fn describe(statistics: &Statistics) -> String {
    let Statistics { states, steps, alarms, memory, time } = *statistics;
    let seconds = time.as_secs_f64().max(1e-9);
    format!(
        "explicit: {states} states, {steps} successors ({:.2} million a second), {alarms} alarms, \
         {:.0} bytes a state, {seconds:.3} s",
        steps as f64 / seconds / 1e6,
        memory as f64 / states.max(1) as f64,
    )
}

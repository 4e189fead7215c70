//! Times `proviso cfa --quiet` beside `gcc -fsyntax-only` on the same files, one process at a time, and
//! shows how time and memory grow with generated controllers.

use bench::controller::{self, Extent, Plan};
use bench::measure::{self, Measurement};
use bench::table::{self, Row};
use bench::tasks::{self, Input};
use bench::usage;
use clap::Parser;
use conformance::scratch::Scratch;
use conformance::{DataModel, tool};
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// Time the front end against gcc -fsyntax-only.
#[derive(Parser)]
#[command(after_help = "Example: frontend --tasks tasks.tsv --growth 1,10,50")]
struct Arguments {
    /// A list of tasks; a row of the table for each set.
    #[arg(long)]
    tasks: Option<PathBuf>,
    /// A row for every file of the tasks.
    #[arg(long)]
    each: bool,
    /// Sizes in MB of generated controllers.
    #[arg(long, value_delimiter = ',', default_values_t = [1u64, 10, 50])]
    growth: Vec<u64>,
    #[arg(long, ignore_case = true, default_value = "LP64")]
    data_model: DataModel,
    /// Runs of each command, of which the fastest counts.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..))]
    runs: u8,
    /// Files to time, a row for each.
    files: Vec<PathBuf>,
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("frontend: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &Arguments) -> Result<(), String> {
    let built = tool::proviso().ok_or("there is no proviso binary")?;
    let scratch = Scratch::new("frontend").map_err(|error| error.to_string())?;
    let proviso = install(built, &scratch).map_err(|error| error.to_string())?;
    let bench = Bench { proviso, scratch, runs: usize::from(arguments.runs) };
    println!("{}", table::head());
    let inputs = inputs(arguments)?;
    bench.rows(&inputs)?;
    in_one_process(&inputs)?;
    bench.growth(&arguments.growth, arguments.data_model)
}

/// The front end alone: text to automata, without the start of a process for each file, which on small
/// files takes longer than the work.
fn in_one_process(inputs: &[Input]) -> Result<(), String> {
    let start = usage::own_time();
    let mut bytes = 0;
    for input in inputs {
        let data_model = match input.model {
            DataModel::Ilp32 => sema::types::DataModel::Ilp32,
            DataModel::Lp64 => sema::types::DataModel::Lp64,
        };
        let options = frontend::Options::new(vec![input.path.clone()], data_model);
        frontend::load(&options).map_err(|error| error.to_string())?;
        bytes += measure::size(&input.path).map_err(|error| error.to_string())?;
    }
    let seconds = (usage::own_time() - start).as_secs_f64();
    let megabytes = bytes as f64 / 1e6;
    println!("in one process: {megabytes:.3} MB in {seconds:.3} s, {:.1} MB/s", megabytes / seconds);
    Ok(())
}

/// A copy, as an installed program is one, and as gcc is: what the linker has just written lies in small
/// pieces in the system's cache, so that starting it takes a tenth of a millisecond longer.
fn install(built: &Path, scratch: &Scratch) -> io::Result<PathBuf> {
    let installed = scratch.join("proviso");
    std::fs::copy(built, &installed)?;
    Ok(installed)
}

fn inputs(arguments: &Arguments) -> Result<Vec<Input>, String> {
    let mut inputs = arguments.tasks.as_deref().map_or(Ok(Vec::new()), tasks::read)?;
    if arguments.each {
        inputs.iter_mut().for_each(|input| input.group = name(&input.path));
    }
    let plain = |path: &PathBuf| Input { group: name(path), path: path.clone(), model: arguments.data_model };
    inputs.extend(arguments.files.iter().map(plain));
    Ok(inputs)
}

fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

struct Bench {
    proviso: PathBuf,
    scratch: Scratch,
    runs: usize,
}

impl Bench {
    /// One row for each run of inputs of the same group, and the sum.
    fn rows(&self, inputs: &[Input]) -> Result<(), String> {
        let mut total = Row { name: "total".to_string(), ..Row::default() };
        for group in inputs.chunk_by(|first, second| first.group == second.group) {
            let mut row = Row { name: group[0].group.clone(), ..Row::default() };
            for input in group {
                self.measure(&mut row, &input.path, input.model)
                    .map_err(|error| format!("{}: {error}", input.path.display()))?;
            }
            println!("{}", table::line(&row));
            total.merge(&row);
        }
        if total.files > 1 {
            println!("{}", table::line(&total));
        }
        Ok(())
    }

    fn growth(&self, sizes: &[u64], model: DataModel) -> Result<(), String> {
        let path = self.scratch.join("controller.c");
        for size in sizes {
            let mut row = Row { name: format!("controller, {size} MB, {model}"), ..Row::default() };
            generate(&path, *size)
                .and_then(|()| self.measure(&mut row, &path, model))
                .map_err(|error| error.to_string())?;
            println!("{}", table::line(&row));
        }
        Ok(())
    }

    fn measure(&self, row: &mut Row, path: &Path, model: DataModel) -> io::Result<()> {
        row.files += 1;
        row.bytes += measure::size(path)?;
        row.proviso.add(&self.proviso(path, model)?);
        row.compiler.add(&self.compiler(path, model)?);
        Ok(())
    }

    fn proviso(&self, path: &Path, model: DataModel) -> io::Result<Measurement> {
        let mut command = Command::new(&self.proviso);
        command.args(["cfa", "--quiet", "--data-model", model.name()]).arg(path);
        measure::best(&mut command, self.runs)
    }

    /// The language is named, as gcc does not take every task's extension for C.
    fn compiler(&self, path: &Path, model: DataModel) -> io::Result<Measurement> {
        let mut command = Command::new("gcc");
        command.args(["-fsyntax-only", "-w", "-std=gnu11", "-x", "c"]).args(model.compiler_flags()).arg(path);
        measure::best(&mut command, self.runs)
    }
}

fn generate(path: &Path, megabytes: u64) -> io::Result<()> {
    let mut output = BufWriter::new(File::create(path)?);
    let plan = Plan { extent: Extent::Bytes(megabytes * 1_000_000), seed: 1, discrete: false, bug: None };
    controller::write(&plan, &mut output)?;
    output.flush()
}

//! Random C programs from csmith (Yang, Chen, Eide, Regehr, PLDI 2011): free of undefined behaviour,
//! and each prints a checksum of its global variables, which must be that of the compiled program when it
//! is interpreted, and the only one that bounded model checking finds possible.

mod inputs;

pub use inputs::check_with_input;

use crate::interpreter::{self, Request};
use crate::process::{self, Ending, Limits};
use crate::scratch::Scratch;
use crate::{DataModel, Outcome, compiler, tool};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

pub struct Settings {
    pub generated: Limits,
    pub compiled: Limits,
    pub interpreted: Limits,
    pub step_limit: u64,
    /// Seconds for each question to an engine.
    pub verified: u64,
    /// For csmith itself, after those that the seed chooses.
    pub options: Vec<String>,
    /// Where programs are kept on which compiler and interpreter differ.
    pub kept: PathBuf,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            generated: Limits::seconds(20),
            compiled: Limits::seconds(10),
            interpreted: Limits::seconds(60),
            step_limit: 100_000_000,
            verified: 10,
            options: Vec::new(),
            kept: env::temp_dir().join("proviso-csmith"),
        }
    }
}

/// What came of one seed in one data model.
#[derive(Debug)]
pub enum Verdict {
    Same,
    /// Neither right nor wrong: a limit was reached, or there is nothing to compare with.
    Skipped(String),
    Different(String),
}

/// What is done with a seed, in a data model and with csmith's headers.
pub type Check = fn(u64, DataModel, &Path, &Settings) -> Verdict;

/// Where csmith's headers are; none if csmith is not installed.
pub fn installation() -> Option<PathBuf> {
    // csmith leaves a file where it runs, whatever it is asked for.
    let mut command = Command::new("csmith");
    command.arg("--version").current_dir(env::temp_dir());
    let version = process::run(&command, Limits::seconds(10)).ok()?;
    if version.ending != Ending::Exit(0) {
        return None;
    }
    let roots = env::var_os("CSMITH_INCLUDE").map(PathBuf::from).into_iter();
    let usual = ["/usr/include", "/usr/local/include"].map(PathBuf::from);
    roots.chain(usual).find_map(|root| header_directory(&root))
}

fn header_directory(root: &Path) -> Option<PathBuf> {
    if root.join("csmith.h").exists() {
        return Some(root.to_path_buf());
    }
    let mut directories: Vec<PathBuf> = fs::read_dir(root)
        .ok()?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.join("csmith.h").exists())
        .collect();
    directories.sort();
    directories.pop()
}

/// csmith's own choices for every other seed, smaller programs for the rest.
fn options(seed: u64) -> &'static [&'static str] {
    if seed.is_multiple_of(2) { &[] } else { &["--max-funcs", "4", "--max-block-depth", "3"] }
}

/// Generates, compiles, runs and interprets the program of a seed.
pub fn check(seed: u64, model: DataModel, include: &Path, settings: &Settings) -> Verdict {
    attempt(seed, model, include, settings).unwrap_or_else(Verdict::Skipped)
}

/// An error is a reason to skip the seed.
fn attempt(seed: u64, model: DataModel, include: &Path, settings: &Settings) -> Result<Verdict, String> {
    let scratch = Scratch::new("csmith").map_err(|error| error.to_string())?;
    let program = scratch.join(format!("csmith-{seed}.c"));
    generate(seed, options(seed), &program, settings)?;
    let expected = compiler::outcome(model, &flags(&[include])?, &program, "", settings.compiled)?;
    expect_exit(&expected)?;
    if tool::proviso().is_none() {
        return Err("there is no proviso binary".to_string());
    }
    let request = Request {
        program: &program,
        model,
        inputs: None,
        include: Some(include),
        step_limit: Some(settings.step_limit),
        limits: settings.interpreted,
    };
    let difference = match interpreter::run(&request) {
        Ok(interpreted) if interpreted.outcome == expected => {
            match wrong_verdict(&program, &expected.output, model, include, settings)? {
                None => return Ok(Verdict::Same),
                Some(difference) => difference,
            }
        }
        Ok(interpreted) if interpreted.outcome.ended.starts_with("step limit") => {
            return Err("interpreted: step limit".to_string());
        }
        Ok(interpreted) => format!("compiled: {expected:?}\ninterpreted: {:?}", interpreted.outcome),
        Err(error) if error.contains("TimeOut") => return Err("interpreted: time-out".to_string()),
        Err(error) => error,
    };
    different(seed, model, &program, &difference, settings)
}

/// For the compiler.
fn flags<'a>(include: &[&'a Path]) -> Result<Vec<&'a str>, String> {
    let mut flags = vec!["-O0"];
    for directory in include {
        flags.extend(["-I", directory.to_str().ok_or("the path of csmith's headers is not UTF-8")?]);
    }
    Ok(flags)
}

fn expect_exit(compiled: &Outcome) -> Result<(), String> {
    let has_ended = compiled.ended.starts_with("exit status");
    if has_ended { Ok(()) } else { Err(format!("compiled: {}", compiled.ended)) }
}

/// What is said of the claim that the checksum is another one, and of its opposite, if that is wrong.
fn wrong_verdict(
    program: &Path,
    output: &str,
    model: DataModel,
    include: &Path,
    settings: &Settings,
) -> Result<Option<String>, String> {
    let checksum = checksum(output)?;
    let text = fs::read_to_string(program).map_err(|error| error.to_string())?;
    for (operator, mistaken) in [("!=", "FALSE"), ("==", "TRUE")] {
        let path = write_claim(program, &text, &format!("(unsigned)({CHECKSUM}) {operator} 0x{checksum}u"))?;
        let verdict = Question { program: &path, engine: "bmc", model, include: &[include] }.ask(settings)?;
        if verdict.starts_with(mistaken) {
            return Ok(Some(format!("checksum {operator} {checksum}: verified as {verdict}")));
        }
    }
    Ok(None)
}

/// How programs compute their checksum in the end.
const CHECKSUM: &str = "crc32_context ^ 0xFFFFFFFFUL";

/// The checksum that a program has printed.
fn checksum(output: &str) -> Result<&str, String> {
    output.trim().strip_prefix("checksum = ").ok_or("there is no checksum".to_string())
}

/// Writes a program with an error under a condition, where it would print its checksum, beside the program itself.
fn write_claim(program: &Path, text: &str, condition: &str) -> Result<PathBuf, String> {
    let last_call = format!("platform_main_end({CHECKSUM}, print_hash_value);");
    let claimed = text.replace(&last_call, &format!("if ({condition}) reach_error();"));
    if claimed == text {
        return Err("the checksum is not printed as usual".to_string());
    }
    let path = program.with_extension("claim.c");
    fs::write(&path, format!("void reach_error(void);\n{claimed}")).map_err(|error| error.to_string())?;
    Ok(path)
}

/// What `proviso verify` is asked.
struct Question<'a> {
    program: &'a Path,
    engine: &'a str,
    model: DataModel,
    include: &'a [&'a Path],
}

impl Question<'_> {
    /// The verdict.
    fn ask(&self, settings: &Settings) -> Result<String, String> {
        let mut command = Command::new(tool::proviso().ok_or("there is no proviso binary")?);
        command.args(["verify", "--engine", self.engine, "--data-model", self.model.name(), "--time-limit"]);
        command.arg(format!("{}s", settings.verified));
        for directory in self.include {
            command.arg("-I").arg(directory);
        }
        command.arg(self.program);
        let limit = Limits::seconds(settings.verified + 10);
        let finished = process::run(&command, limit).map_err(|error| error.to_string())?;
        let output = String::from_utf8_lossy(&finished.stdout);
        output.lines().last().map(str::to_string).ok_or("verified: no verdict".to_string())
    }
}

/// csmith leaves a file `platform.info` where it runs, hence the directory.
fn generate(seed: u64, options: &[&str], program: &Path, settings: &Settings) -> Result<(), String> {
    let mut command = Command::new("csmith");
    command.arg("--seed").arg(seed.to_string()).args(options).args(&settings.options);
    command.arg("--output").arg(program);
    command.current_dir(program.parent().unwrap_or(Path::new(".")));
    match process::run(&command, settings.generated).map_err(|error| error.to_string())?.ending {
        Ending::Exit(0) => Ok(()),
        ending => Err(format!("csmith ended with {ending:?}")),
    }
}

/// Keeps the program, and says where.
fn different(
    seed: u64,
    model: DataModel,
    program: &Path,
    difference: &str,
    settings: &Settings,
) -> Result<Verdict, String> {
    let kept = keep(program, settings).map_err(|error| format!("cannot keep the program: {error}"))?;
    Ok(Verdict::Different(format!("seed {seed}, {model}, {}\n{difference}", kept.display())))
}

fn keep(program: &Path, settings: &Settings) -> std::io::Result<PathBuf> {
    fs::create_dir_all(&settings.kept)?;
    let kept = settings.kept.join(program.file_name().unwrap_or_default());
    fs::copy(program, &kept)?;
    Ok(kept)
}

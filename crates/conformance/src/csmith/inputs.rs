//! Programs of csmith that depend on an input: it chooses which of a few global variables start with another
//! value. What the checksum is for each choice is known from the compiled program.

use super::{
    CHECKSUM, Question, Settings, Verdict, checksum, different, expect_exit, flags, generate, write_claim,
};
use crate::random::Random;
use crate::scratch::Scratch;
use crate::{DataModel, compiler, tool};
use std::fs;
use std::path::Path;

const ENGINES: [&str; 3] = ["bmc", "kinduction", "predicate"];
/// Small, as every engine gets every program.
const OPTIONS: [&str; 8] =
    ["--max-funcs", "3", "--max-block-depth", "3", "--max-array-dim", "2", "--max-array-len-per-dim", "4"];
/// An input has a bit for each of so many variables at most.
const MOST_VARIABLES: usize = 3;
/// What such a variable is changed by.
const CHANGES: [u64; 6] = [1, 2, 0x80, 0xff, 0x5bd1_e995, u64::MAX];
/// The call that does all that csmith's programs do.
const FIRST_CALL: &str = "    func_1();";

/// Generates the program of a seed, gives it an input, and asks whether its checksums can be others.
pub fn check_with_input(seed: u64, model: DataModel, include: &Path, settings: &Settings) -> Verdict {
    attempt(seed, model, include, settings).unwrap_or_else(Verdict::Skipped)
}

/// An error is a reason to skip the seed.
fn attempt(seed: u64, model: DataModel, include: &Path, settings: &Settings) -> Result<Verdict, String> {
    let scratch = Scratch::new("csmith").map_err(|error| error.to_string())?;
    let program = scratch.join(format!("csmith-input-{seed}.c"));
    generate(seed, &OPTIONS, &program, settings)?;
    let text = fs::read_to_string(&program).map_err(|error| error.to_string())?;
    let mut random = Random::new(seed);
    let (text, choices) = with_input(&text, &mut random)?;
    fs::write(&program, &text).map_err(|error| error.to_string())?;
    let headers = tool::workspace().join("tests/corpus/support/csmith");
    let include = [headers.as_path(), include];
    let right = checksums(&program, choices, model, &include, settings)?;
    let mut wrong = right.clone();
    wrong[random.below(choices)] ^= 1 << random.below(64);
    let mut silent = Vec::new();
    for (checksums, answer, mistake) in [(right, "TRUE", "FALSE"), (wrong, "FALSE", "TRUE")] {
        let path = write_claim(&program, &text, &is_another(&checksums))?;
        for engine in ENGINES {
            let verdict = Question { program: &path, engine, model, include: &include }.ask(settings)?;
            if verdict.starts_with(mistake) {
                return different(seed, model, &path, &format!("{engine}: {verdict}"), settings);
            }
            if !verdict.starts_with(answer) {
                silent.push(engine);
            }
        }
    }
    if silent.is_empty() { Ok(Verdict::Same) } else { Err(format!("no answer: {}", silent.join(", "))) }
}

/// The program with an input, and how many choices that has.
fn with_input(text: &str, random: &mut Random) -> Result<(String, usize), String> {
    let mut variables: Vec<&str> = text.lines().filter_map(integer_variable).collect();
    if variables.is_empty() {
        return Err("there is no global variable to change".to_string());
    }
    let mut changes = String::new();
    let count = variables.len().min(MOST_VARIABLES);
    for bit in 0..count {
        let variable = variables.swap_remove(random.below(variables.len()));
        let change = random.choose(&CHANGES);
        changes += &format!("    if (choice >> {bit} & 1) {variable} ^= {change:#x}ull;\n");
    }
    let input = format!("    unsigned choice = __VERIFIER_nondet_uint() % {}u;\n", 1 << count);
    let with_input = text.replacen(FIRST_CALL, &format!("{input}{changes}{FIRST_CALL}"), 1);
    if with_input == text {
        return Err("the program does not begin as usual".to_string());
    }
    Ok((format!("unsigned __VERIFIER_nondet_uint(void);\n{with_input}"), 1 << count))
}

/// The name in a line such as `static volatile uint16_t g_7 = 65528UL;`.
fn integer_variable(line: &str) -> Option<&str> {
    let declaration = line.strip_prefix("static ")?;
    let declaration = declaration.strip_prefix("volatile ").unwrap_or(declaration);
    let (ty, rest) = declaration.split_once(' ')?;
    let is_integer =
        ["int8_t", "int16_t", "int32_t", "int64_t"].contains(&ty.strip_prefix('u').unwrap_or(ty));
    let (name, _) = rest.split_once(" = ")?;
    let is_plain = name.starts_with("g_") && name[2..].bytes().all(|byte| byte.is_ascii_digit());
    (is_integer && is_plain).then_some(name)
}

/// The checksum for each choice, as the compiled program computes it.
fn checksums(
    program: &Path,
    choices: usize,
    model: DataModel,
    include: &[&Path],
    settings: &Settings,
) -> Result<Vec<u64>, String> {
    let binary = program.with_extension("binary");
    compiler::build(model, &flags(include)?, &[program, compiler::support_object(model)?], &binary)?;
    let run = |choice: usize| {
        let outcome = compiler::run_on(&binary, &choice.to_string(), settings.compiled)?;
        expect_exit(&outcome)?;
        u64::from_str_radix(checksum(&outcome.output)?, 16).map_err(|error| error.to_string())
    };
    (0..choices).map(run).collect()
}

/// That the checksum of some choice is not the one that is given here.
fn is_another(checksums: &[u64]) -> String {
    let differs = |(choice, checksum)| format!("choice == {choice} && ({CHECKSUM}) != {checksum:#x}ull");
    checksums.iter().enumerate().map(differs).collect::<Vec<_>>().join(" || ")
}

//! Random structures and unions lie in memory as the C compiler lays them out, in both data models.
//!
//! PROVISO_LAYOUT_TYPES (200) and PROVISO_LAYOUT_SEED (1) choose how many and which.

use conformance::interpreter::{self, Request};
use conformance::process::Limits;
use conformance::scratch::Scratch;
use conformance::{DataModel, Random, compiler, layout, parallel, tool};
use std::{env, fs};

/// Types in one program: few enough that a program that fails is still readable.
const TYPES_PER_PROGRAM: usize = 50;
/// Differences to show of a program; the rest usually has the same cause.
const SHOWN_DIFFERENCES: usize = 5;

fn number(name: &str, default: u64) -> u64 {
    env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

fn check(seed: u64, model: DataModel) -> Result<(), String> {
    let types = layout::aggregates(TYPES_PER_PROGRAM, &mut Random::new(seed));
    let scratch = Scratch::new("layout").map_err(|error| error.to_string())?;
    let path = scratch.join("layout.c");
    let text = layout::program(&types);
    fs::write(&path, &text).map_err(|error| error.to_string())?;
    let expected = compiler::outcome(model, &[], &path, "", Limits::seconds(20))?;
    if expected.ended != "exit status 0" {
        return Err(format!("the compiled program ended with {}", expected.ended));
    }
    if tool::proviso().is_none() {
        return Ok(());
    }
    let limits = Limits::seconds(60);
    let request = Request { program: &path, model, inputs: None, include: None, step_limit: None, limits };
    let actual = interpreter::run(&request)?.outcome;
    if actual == expected { Ok(()) } else { Err(differences(&text, &expected.output, &actual.output)) }
}

/// The lines that differ, and the definition of the first type concerned.
fn differences(text: &str, expected: &str, actual: &str) -> String {
    let pairs = expected.lines().zip(actual.lines().chain(std::iter::repeat("(no more lines)")));
    let different: Vec<_> = pairs.filter(|(expected, actual)| expected != actual).collect();
    let mut report = format!("{} lines differ\n", different.len());
    for (expected, actual) in different.iter().take(SHOWN_DIFFERENCES) {
        report += &format!("  compiler: {expected}\n  proviso:  {actual}\n");
    }
    let tag = different.first().and_then(|(line, _)| line.split(['.', ' ']).next()).unwrap_or_default();
    report + &definition(text, tag)
}

fn definition(text: &str, tag: &str) -> String {
    let head = format!(" {tag} {{");
    let starts = text.lines().skip_while(|line| !line.ends_with(&head) || line.starts_with(' '));
    starts.take_while(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
}

fn check_all(model: DataModel) {
    if !compiler::available(model) {
        return;
    }
    let programs = number("PROVISO_LAYOUT_TYPES", 200).div_ceil(TYPES_PER_PROGRAM as u64);
    let first = number("PROVISO_LAYOUT_SEED", 1);
    let seeds: Vec<u64> = (0..programs).map(|index| first + index).collect();
    let results = parallel::map(&seeds, |seed| {
        check(*seed, model).map_err(|error| format!("PROVISO_LAYOUT_SEED={seed} ({model}): {error}"))
    });
    let failures: Vec<String> = results.into_iter().filter_map(Result::err).collect();
    assert!(failures.is_empty(), "{} of {programs} programs\n\n{}\n", failures.len(), failures.join("\n\n"));
}

#[test]
fn ilp32() {
    check_all(DataModel::Ilp32);
}

#[test]
fn lp64() {
    check_all(DataModel::Lp64);
}

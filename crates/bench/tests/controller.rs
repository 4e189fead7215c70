//! Generated controllers compile, keep to their ranges on random inputs, and have the error that was
//! planted, not before its round.

use bench::controller::{self, Extent, Plan};
use conformance::process::Limits;
use conformance::scratch::Scratch;
use conformance::{DataModel, compiler, parallel};
use std::fs;

/// Ends the program after so many inputs; every nondet function returns random values, and the
/// switches are on more often than not, so that a bug of a few rounds is found.
const DRIVER: &str = r#"
#include <stdio.h>
#include <stdlib.h>
static unsigned long long state = 42;
static int count;
static unsigned next(void) {
  if (count++ == 200000) exit(0);
  state = state * 6364136223846793005ull + 1442695040888963407ull;
  return state >> 40;
}
short __VERIFIER_nondet_short(void) { return next() % 3 ? next() : next() % 2 ? 32767 : -32768; }
unsigned char __VERIFIER_nondet_uchar(void) { return next() % 8 ? 1 : 0; }
void reach_error(void) { exit(10); }
"#;

const SANITIZED: [&str; 3] = ["-O1", "-fsanitize=undefined", "-fno-sanitize-recover=all"];

fn ended(plan: Plan) -> String {
    let scratch = Scratch::new("controller").unwrap();
    let (program, driver) = (scratch.join("controller.c"), scratch.join("driver.c"));
    let mut text = Vec::new();
    controller::write(&plan, &mut text).unwrap();
    fs::write(&program, text).unwrap();
    fs::write(&driver, DRIVER).unwrap();
    let binary = scratch.join("controller");
    compiler::build(DataModel::Lp64, &SANITIZED, &[&program, &driver], &binary).unwrap();
    compiler::run(&std::process::Command::new(&binary), Limits::seconds(20)).unwrap().ended
}

#[test]
fn safe_controllers_keep_to_their_ranges() {
    if !compiler::available(DataModel::Lp64) {
        return;
    }
    let seeds: Vec<u64> = (1..=8).collect();
    let ends = parallel::map(&seeds, |seed| {
        ended(Plan { extent: Extent::Modules(8), seed: *seed, discrete: *seed % 2 == 0, bug: None })
    });
    for (seed, end) in seeds.iter().zip(ends) {
        assert_eq!(end, "exit status 0", "seed {seed}");
    }
}

#[test]
fn a_planted_bug_is_reached_in_its_round() {
    if !compiler::available(DataModel::Lp64) {
        return;
    }
    let seeds: Vec<u64> = (1..=4).collect();
    let ends = parallel::map(&seeds, |seed| {
        ended(Plan { extent: Extent::Modules(2), seed: *seed, discrete: *seed % 2 == 0, bug: Some(5) })
    });
    assert!(ends.iter().all(|end| end == "exit status 10"), "{ends:?}");
    let late = Plan { extent: Extent::Modules(2), seed: 1, discrete: false, bug: Some(1_000_000) };
    assert_eq!(ended(late), "exit status 0", "the inputs end before the bug's round");
}

#[test]
fn the_same_plan_gives_the_same_text() {
    let text = |seed| {
        let mut text = Vec::new();
        controller::write(
            &Plan { extent: Extent::Bytes(100_000), seed, discrete: false, bug: None },
            &mut text,
        )
        .unwrap();
        text
    };
    assert_eq!(text(7), text(7));
    assert_ne!(text(7), text(8));
    assert!((100_000..150_000).contains(&text(7).len()));
}

//! A few random programs of csmith give the checksum of the compiled program, and are proved to, also where it depends
//! on an input; the binary `csmith` of this crate runs as many as there is time for.

use conformance::csmith::{self, Check, Settings, Verdict};
use conformance::process::Limits;
use conformance::{DataModel, compiler, parallel, tool};

/// Seeds whose programs end soon, when compiled.
const SEEDS: [u64; 8] = [1, 2, 3, 4, 5, 6, 8, 9];

fn check_all(check: Check, model: DataModel) {
    let Some(include) = csmith::installation() else {
        eprintln!("skipped: csmith is not installed");
        return;
    };
    if tool::proviso().is_none() || !compiler::available(model) {
        return;
    }
    let settings = Settings {
        interpreted: Limits::seconds(10),
        step_limit: 20_000_000,
        verified: 5,
        ..Settings::default()
    };
    let verdicts = parallel::map(&SEEDS, |seed| check(*seed, model, &include, &settings));
    let mut different = Vec::new();
    for (seed, verdict) in SEEDS.iter().zip(verdicts) {
        match verdict {
            Verdict::Same => {}
            Verdict::Skipped(reason) => eprintln!("skipped: seed {seed} ({model}): {reason}"),
            Verdict::Different(text) => different.push(text),
        }
    }
    assert!(different.is_empty(), "{} programs differ\n\n{}\n", different.len(), different.join("\n\n"));
}

#[test]
fn ilp32() {
    check_all(csmith::check, DataModel::Ilp32);
}

#[test]
fn lp64() {
    check_all(csmith::check, DataModel::Lp64);
}

#[test]
fn ilp32_with_input() {
    check_all(csmith::check_with_input, DataModel::Ilp32);
}

#[test]
fn lp64_with_input() {
    check_all(csmith::check_with_input, DataModel::Lp64);
}

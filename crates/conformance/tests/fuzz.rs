//! A short run of the fuzzer with a fixed seed; the binary `fuzz` of this crate goes on for hours.

use conformance::fuzz::inputs::Inputs;
use conformance::fuzz::trial;
use conformance::{parallel, tool};

const SEED: u64 = 2026;
const INPUTS: u64 = 400;

#[test]
fn the_front_end_survives_odd_inputs() {
    let Some(proviso) = tool::proviso() else { return };
    let inputs = Inputs::new(&[tool::workspace().join("tests/corpus")], SEED);
    let numbers: Vec<u64> = (0..INPUTS).collect();
    let results = parallel::map(&numbers, |number| trial::run(proviso, &inputs.input(*number)));
    let failures: Vec<String> = numbers
        .iter()
        .zip(results)
        .filter(|(_, result)| *result != Ok(None))
        .map(|(number, result)| format!("input {number} of seed {SEED}: {result:?}"))
        .collect();
    assert!(failures.is_empty(), "{} of {INPUTS} inputs\n{}\n", failures.len(), failures.join("\n"));
}

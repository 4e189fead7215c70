//! Random programs, executed on all inputs that they can have.

use crate::generator::{INPUTS, VALUES};
use cfa::Program;
use replay::{Ending, List, Options, Silent};

pub fn all_inputs() -> impl Iterator<Item = Vec<u128>> {
    (0..VALUES.pow(INPUTS))
        .map(|number| (0..INPUTS).map(|input| u128::from(number / VALUES.pow(input) % VALUES)).collect())
}

#[allow(dead_code, reason = "not every test has its inputs from 0 on")]
/// Whether some inputs lead to the error; `None` if a run ends in a way that says nothing.
pub fn brute_force(program: &Program) -> Option<bool> {
    brute_force_from(program, 0)
}

/// The same for inputs that are all above a number.
pub fn brute_force_from(program: &Program, least: u128) -> Option<bool> {
    let mut reached = false;
    for mut values in all_inputs() {
        values.iter_mut().for_each(|value| *value += least);
        let options = Options { step_limit: 100_000, ..Options::default() };
        match replay::run(program, &mut List::of_bits(values), &options, &mut Silent).ending {
            Ending::Exit(_) => {}
            Ending::ErrorCall { .. } => reached = true,
            _ => return None,
        }
    }
    Some(reached)
}

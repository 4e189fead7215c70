//! Random programs, executed on all inputs that they can have.

use crate::generator::{INPUTS, VALUES};
use cfa::Program;
use replay::{Ending, List, Options, Silent};

pub fn all_inputs() -> impl Iterator<Item = Vec<u128>> {
    (0..VALUES.pow(INPUTS))
        .map(|number| (0..INPUTS).map(|input| u128::from(number / VALUES.pow(input) % VALUES)).collect())
}

/// Whether some inputs lead to the error; `None` if a run ends in a way that says nothing.
pub fn brute_force(program: &Program) -> Option<bool> {
    let mut reached = false;
    for values in all_inputs() {
        let options = Options { step_limit: 100_000, ..Options::default() };
        match replay::run(program, &mut List::of_bits(values), &options, &mut Silent).ending {
            Ending::Exit(_) => {}
            Ending::ErrorCall { .. } => reached = true,
            _ => return None,
        }
    }
    Some(reached)
}

//! Expensive operations, left out until the answer depends on them.
//!
//! The result of a multiplication, a division or a float operation is at first a word of fresh inputs
//! (an over-approximation), with a few facts that are cheap. The circuit is built, but gets no clauses.
//! When the SAT solver has found an assignment, the circuits are evaluated under it; where a result is
//! wrong, that operation gets its clauses, and the solver is asked again. An assignment that all
//! circuits agree with is a model, and an assignment that cannot be refuted without a circuit never
//! pays for it. Operations that nothing in the formula uses are never looked at.
//!
//! The clauses of a circuit make the search hard, but if there is a model, there is often one in which the operands
//! are small numbers, or floats with few digits. So that is assumed at first (an under-approximation), which
//! makes most of the circuit constant; where no model is found soon, it is given up.

use super::aig::{Aig, Bit};
use super::word::Word;
use rustc_hash::FxHashMap;

/// One operation.
struct Operation {
    output: Word,
    exact: Word,
    is_exact: bool,
    /// Bits of the operands that are false in simple cases.
    unlikely: Word,
}

/// What to do about results that are wrong.
#[derive(Default)]
pub struct Refinement {
    /// Must hold.
    pub facts: Vec<Bit>,
    /// False in simple cases.
    pub unlikely: Vec<Bit>,
}

/// All operations that were left out; operands before what is made of them.
#[derive(Default)]
pub struct Lazy {
    operations: Vec<Operation>,
    /// The exact bit behind an input that stands for it, by node.
    exact: FxHashMap<usize, Bit>,
}

impl Lazy {
    /// Stands in for the result of a circuit, in simple cases of which some bits of the operands are false.
    pub fn leave_out(&mut self, aig: &mut Aig, exact: Word, unlikely: Word) -> Word {
        if exact.iter().all(|bit| bit.is_constant() || aig.operands(*bit).is_none()) {
            return exact;
        }
        let output = aig.input_word(exact.len());
        for (&bit, &value) in output.iter().zip(&exact) {
            self.exact.insert(bit.node(), value);
        }
        self.operations.push(Operation { output: output.clone(), exact, is_exact: false, unlikely });
        output
    }

    /// For the results that are wrong in an assignment; nothing if all are right. `known` tells the
    /// value of nodes that the SAT solver knows.
    pub fn refine(&mut self, aig: &mut Aig, known: &mut dyn FnMut(Bit) -> Option<bool>) -> Refinement {
        let mut refinement = Refinement::default();
        let mut values = FxHashMap::default();
        for operation in self.operations.iter_mut().filter(|operation| !operation.is_exact) {
            let wrong = operation.output.iter().zip(&operation.exact).any(|(&bit, &exact)| {
                known(bit).is_some_and(|value| value != evaluate(aig, &self.exact, exact, known, &mut values))
            });
            if wrong {
                operation.is_exact = true;
                refinement.facts.push(aig.equal_words(&operation.output, &operation.exact));
                refinement.unlikely.append(&mut operation.unlikely);
            }
        }
        refinement
    }
}

/// The value of a bit under an assignment of the inputs. An input that the SAT solver does not know
/// is what its circuit says, and false if it has none.
fn evaluate(
    aig: &Aig,
    exact: &FxHashMap<usize, Bit>,
    bit: Bit,
    known: &mut dyn FnMut(Bit) -> Option<bool>,
    values: &mut FxHashMap<usize, bool>,
) -> bool {
    let mut stack = vec![bit.negated_if(bit.is_negated())];
    while let Some(&next) = stack.last() {
        let node = next.node();
        if values.contains_key(&node) || next.is_constant() {
            stack.pop();
            continue;
        }
        let value_of = |bit: Bit, values: &FxHashMap<usize, bool>| match bit.is_constant() {
            true => Some(bit == Bit::TRUE),
            false => values.get(&bit.node()).map(|&value| value != bit.is_negated()),
        };
        let operands = match (known(next), aig.operands(next), exact.get(&node)) {
            (Some(value), ..) => {
                values.insert(node, value);
                continue;
            }
            (None, Some((a, b)), _) => [a, b],
            (None, None, Some(&inner)) => [inner, Bit::TRUE],
            (None, None, None) => {
                values.insert(node, false);
                continue;
            }
        };
        match operands.map(|operand| value_of(operand, values)) {
            [Some(a), Some(b)] => {
                values.insert(node, a && b);
            }
            found => stack.extend(
                operands
                    .iter()
                    .zip(found)
                    .filter(|(_, found)| found.is_none())
                    .map(|(&operand, _)| operand.negated_if(operand.is_negated())),
            ),
        }
    }
    if bit.is_constant() { bit == Bit::TRUE } else { values[&bit.node()] != bit.is_negated() }
}

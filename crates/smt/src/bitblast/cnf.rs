//! From gates to clauses (Tseitin), only for the gates that are asked for, and each once.
//!
//! Exclusive-ors and multiplexers are recognised and get their own clauses, without variables for
//! the gates that they are made of. Trees of and-gates that nothing else uses become one wide gate.

use super::aig::{Aig, Bit, Shape};
use crate::sat::{Literal, SatSolver};
use base::{Budget, StopReason};

/// Which SAT variable stands for which node.
#[derive(Default)]
pub struct Encoder {
    /// DIMACS variable by node, or 0.
    variables: Vec<i32>,
    clause: Vec<Literal>,
    wide: Vec<Bit>,
}

/// A wide gate has at most so many inputs.
const WIDEST: usize = 64;

impl Encoder {
    pub fn new() -> Self {
        Self::default()
    }

    /// The literal of a bit that has been encoded.
    pub fn known(&self, bit: Bit) -> Option<Literal> {
        let variable = self.variables.get(bit.node()).copied().unwrap_or(0);
        Literal::from_dimacs(variable).map(|literal| literal.negated_if(bit.is_negated()))
    }

    fn define(&mut self, node: usize, sat: &mut impl SatSolver) -> Literal {
        if self.variables.len() <= node {
            self.variables.resize(node + 1, 0);
        }
        let literal = sat.new_variable();
        self.variables[node] = literal.to_dimacs();
        literal
    }

    /// The literal of a bit, after adding the clauses that define it. Gates that were done before the
    /// budget ran out stay done.
    pub fn literal(
        &mut self,
        aig: &Aig,
        bit: Bit,
        sat: &mut impl SatSolver,
        budget: &Budget,
    ) -> Result<Literal, StopReason> {
        let mut stack = vec![bit.node()];
        while let Some(&node) = stack.last() {
            budget.check()?;
            budget.check_room(sat.growth())?;
            if self.variables.get(node).is_some_and(|&variable| variable != 0) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            let inputs = self.inputs(aig, node);
            stack.extend(
                inputs
                    .iter()
                    .map(|input| input.node())
                    .filter(|&input| self.variables.get(input).is_none_or(|&variable| variable == 0)),
            );
            if stack.len() == before {
                stack.pop();
                self.encode(aig, node, &inputs, sat);
            }
            self.wide = inputs;
        }
        Ok(self.known(bit).expect("the bit has just been encoded"))
    }

    /// The bits that the clauses of a node mention.
    fn inputs(&mut self, aig: &Aig, node: usize) -> Vec<Bit> {
        let mut inputs = std::mem::take(&mut self.wide);
        inputs.clear();
        match aig.shape(node) {
            Shape::Input => {}
            Shape::Xor(a, b) => inputs.extend([a, b]),
            Shape::Mux(c, a, b) => inputs.extend([c, a, b]),
            Shape::And(a, b) => collect_conjunction(aig, &[a, b], &mut inputs),
        }
        inputs
    }

    fn encode(&mut self, aig: &Aig, node: usize, inputs: &[Bit], sat: &mut impl SatSolver) {
        let output = self.define(node, sat);
        if node == Bit::FALSE.node() {
            sat.add_clause(&[!output]);
            return;
        }
        let known = |bit: Bit| self.known(bit).expect("inputs are encoded before outputs");
        match aig.shape(node) {
            Shape::Input => {}
            Shape::Xor(a, b) => {
                let (a, b) = (known(a), known(b));
                sat.add_clause(&[!output, a, b]);
                sat.add_clause(&[!output, !a, !b]);
                sat.add_clause(&[output, !a, b]);
                sat.add_clause(&[output, a, !b]);
            }
            Shape::Mux(c, a, b) => {
                let (c, a, b) = (known(c), known(a), known(b));
                sat.add_clause(&[!output, !c, a]);
                sat.add_clause(&[output, !c, !a]);
                sat.add_clause(&[!output, c, b]);
                sat.add_clause(&[output, c, !b]);
                // Implied, but propagation needs them.
                sat.add_clause(&[output, !a, !b]);
                sat.add_clause(&[!output, a, b]);
            }
            Shape::And(..) => {
                let mut clause = std::mem::take(&mut self.clause);
                clause.clear();
                clause.push(output);
                for &input in inputs {
                    let literal = self.known(input).expect("inputs are encoded before outputs");
                    sat.add_clause(&[!output, literal]);
                    clause.push(!literal);
                }
                sat.add_clause(&clause);
                self.clause = clause;
            }
        }
    }

    /// Makes a bit true, without a variable for it where that can be avoided.
    pub fn assert(
        &mut self,
        aig: &Aig,
        bit: Bit,
        sat: &mut impl SatSolver,
        budget: &Budget,
    ) -> Result<(), StopReason> {
        let mut stack = vec![bit];
        while let Some(bit) = stack.pop() {
            if bit == Bit::TRUE {
                continue;
            }
            if bit == Bit::FALSE {
                sat.add_clause(&[]);
                continue;
            }
            match aig.shape(bit.node()) {
                Shape::And(a, b) if !bit.is_negated() => stack.extend([a, b]),
                Shape::And(a, b) if self.known(bit).is_none() => {
                    let mut inputs = Vec::new();
                    collect_conjunction(aig, &[a, b], &mut inputs);
                    let literals = inputs.iter().map(|&input| Ok(!self.literal(aig, input, sat, budget)?));
                    let clause = literals.collect::<Result<Vec<_>, StopReason>>()?;
                    sat.add_clause(&clause);
                }
                _ => {
                    let literal = self.literal(aig, bit, sat, budget)?;
                    sat.add_clause(&[literal]);
                }
            }
        }
        Ok(())
    }
}

/// The inputs of the tree of and-gates that only this tree uses.
fn collect_conjunction(aig: &Aig, roots: &[Bit], inputs: &mut Vec<Bit>) {
    let mut open = smallvec::SmallVec::<[Bit; 16]>::from_slice(roots);
    while let Some(bit) = open.pop() {
        let room = inputs.len() + open.len() + 2 <= WIDEST;
        // The shape is looked at last, because it looks at other nodes.
        let single = room && !bit.is_negated() && aig.uses(bit) == 1;
        match if single { aig.shape(bit.node()) } else { Shape::Input } {
            Shape::And(a, b) => open.extend([a, b]),
            _ => inputs.push(bit),
        }
    }
    inputs.sort_unstable();
    inputs.dedup();
}

//! The builder methods of [`TermPool`], which rewrite while they build.
//!
//! Every rule looks at a bounded part of the operands, so that building is constant time per term
//! (sums are looked into for a bounded number of summands). Rules that apply themselves to parts of
//! an operand count how deep they are and stop rewriting at [`DEEPEST`]; nothing here recurses over
//! the depth of a term.

mod arithmetic;
mod array;
mod bitwise;
mod boolean;
mod compare;
mod divide;
mod equality;
mod float;
pub(crate) mod integer;
mod linear;
mod overflow;
mod polynomial;
mod range;
mod shift;
mod slice;

use crate::pool::{TermId, TermPool};

/// The nesting of rule applications at which terms are built as they are.
const DEEPEST: u32 = 24;

impl TermPool {
    /// Runs a rule that builds parts of the result by further rules; `None` if they nest too deeply.
    fn nested(&mut self, rule: impl FnOnce(&mut Self) -> TermId) -> Option<TermId> {
        if self.depth >= DEEPEST {
            return None;
        }
        self.depth += 1;
        let result = rule(self);
        self.depth -= 1;
        Some(result)
    }

    /// The operands of a commutative operator in their normal order: by id, constants last.
    fn ordered(&self, a: TermId, b: TermId) -> (TermId, TermId) {
        match (self.is_constant(a), self.is_constant(b)) {
            (true, false) => (b, a),
            (false, true) => (a, b),
            _ if a <= b => (a, b),
            _ => (b, a),
        }
    }

    #[track_caller]
    fn assert_same_sort(&self, a: TermId, b: TermId) {
        assert!(
            self.sort(a) == self.sort(b),
            "operands have different sorts: {:?} and {:?}",
            self.sort(a),
            self.sort(b)
        );
    }
}

//! The builder methods of [`TermPool`], which rewrite while they build.
//!
//! Every rule looks at a bounded part of the operands, so that building is constant time per term
//! (sums are looked into for a bounded number of summands; `reduction.rs` is constant time on average).
//! Rules that apply themselves to parts of an operand count how deep they are and how many they are, and
//! stop rewriting at [`DEEPEST`] and [`MOST_WORK`]; nothing here recurses over the depth of a term.

mod arithmetic;
pub(crate) mod array;
mod bitwise;
mod boolean;
pub(crate) mod choices;
mod compare;
mod divide;
mod equality;
mod float;
pub(crate) mod integer;
mod linear;
mod overflow;
mod polynomial;
mod range;
mod reduction;
mod shift;
mod slice;

use crate::pool::{TermId, TermPool};

/// The nesting of rule applications at which terms are built as they are.
const DEEPEST: u32 = 24;
/// The number of nested rule applications for one term, after which parts are built as they are.
const MOST_WORK: u32 = 256;

impl TermPool {
    /// Runs a rule that builds parts of the result by further rules; `None` if they nest too deeply.
    fn nested(&mut self, rule: impl FnOnce(&mut Self) -> TermId) -> Option<TermId> {
        if self.depth == 0 {
            self.work = 0;
        }
        if self.depth >= DEEPEST || self.work >= MOST_WORK {
            return None;
        }
        self.work += 1;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sort::Sort;

    /// Shifts and exclusive-ors of one word cut it into pieces, which must not multiply.
    #[test]
    fn mixing_bits_stays_linear() {
        let mut pool = TermPool::new();
        let mut x = pool.variable("x", Sort::BitVec(32));
        let [a, b, c] = [13, 17, 5].map(|by| pool.bitvec(32, by));
        for _ in 0..200 {
            let shifted = pool.shl(x, a);
            x = pool.bit_xor(x, shifted);
            let shifted = pool.lshr(x, b);
            x = pool.bit_or(x, shifted);
            let shifted = pool.shl(x, c);
            x = pool.add(x, shifted);
        }
        assert!(pool.len() < 200 * 100, "{}", pool.len());
    }

    #[test]
    fn rotations_stay_linear() {
        let mut pool = TermPool::new();
        let [mut x, y] = ["x", "y"].map(|name| pool.variable(name, Sort::BitVec(32)));
        for by in (0..300).map(|round| 1 + round * 7 % 31) {
            let [left, right] = [by, 32 - by].map(|by| pool.bitvec(32, by));
            let (high, low) = (pool.shl(x, left), pool.lshr(x, right));
            x = pool.bit_or(high, low);
            x = pool.bit_xor(x, y);
        }
        assert!(pool.len() < 300 * 200, "{}", pool.len());
    }
}

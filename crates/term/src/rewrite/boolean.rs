//! Booleans: everything becomes `Not`, `And` and `Eq`; and `Ite` of any sort.
//!
//! The rules for `And` look at the operands and at their operands, as in Brummayer and Biere,
//! "Local Two-Level And-Inverter Graph Minimization without Blowup" (2006).

use crate::op::Op;
use crate::pool::{TermId, TermPool};
use crate::sort::Sort;
use rustc_hash::FxHashSet;

impl TermPool {
    pub fn not(&mut self, a: TermId) -> TermId {
        debug_assert_eq!(self.sort(a), Sort::Bool);
        match self.op(a) {
            Op::Constant => self.truth(a == Self::FALSE),
            Op::Not => self.child(a, 0),
            _ => self.intern(Op::Not, Sort::Bool, [a]),
        }
    }

    /// Whether one is the negation of the other.
    pub(crate) fn complementary(&self, a: TermId, b: TermId) -> bool {
        self.operand(a, Op::Not) == Some(b)
            || self.operand(b, Op::Not) == Some(a)
            || self.is_constant(a) && self.is_constant(b) && a != b
    }

    pub fn and(&mut self, a: TermId, b: TermId) -> TermId {
        let (a, b) = self.ordered(a, b);
        match self.truth_value(b) {
            Some(true) => return a,
            Some(false) => return b,
            None => {}
        }
        if a == b {
            return a;
        }
        if self.complementary(a, b) {
            return Self::FALSE;
        }
        if let Some(result) = self.and_with_conjunction(a, b).or_else(|| self.and_with_conjunction(b, a)) {
            return result;
        }
        if let Some(result) = self.and_with_clause(a, b).or_else(|| self.and_with_clause(b, a)) {
            return result;
        }
        if let Some(result) = self.and_of_equalities(a, b).or_else(|| self.and_of_equalities(b, a)) {
            return result;
        }
        self.intern(Op::And, Sort::Bool, [a, b])
    }

    /// `a` is `x and y`, and contains or contradicts `b`.
    fn and_with_conjunction(&self, a: TermId, b: TermId) -> Option<TermId> {
        let (x, y) = self.operands(a, Op::And)?;
        if b == x || b == y {
            return Some(a);
        }
        if self.complementary(b, x) || self.complementary(b, y) {
            return Some(Self::FALSE);
        }
        let (u, v) = self.operands(b, Op::And)?;
        let contradiction = [(x, u), (x, v), (y, u), (y, v)].iter().any(|&(p, q)| self.complementary(p, q));
        contradiction.then_some(Self::FALSE)
    }

    /// `a` is `not (x and y)`.
    fn and_with_clause(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        let (x, y) = self.operands(self.operand(a, Op::Not)?, Op::And)?;
        if self.complementary(b, x) || self.complementary(b, y) {
            return Some(b);
        }
        let holds =
            |pool: &Self, p| b == p || pool.operands(b, Op::And).is_some_and(|(u, v)| u == p || v == p);
        let rest = if holds(self, x) {
            y
        } else if holds(self, y) {
            x
        } else {
            return self.resolved(a, b);
        };
        self.nested(|pool| {
            let negated = pool.not(rest);
            pool.and(b, negated)
        })
    }

    /// `not (x and y)` and `not (x and not y)` give `not x`.
    fn resolved(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        let (x, y) = self.operands(self.operand(a, Op::Not)?, Op::And)?;
        let (u, v) = self.operands(self.operand(b, Op::Not)?, Op::And)?;
        let common = match () {
            () if x == u && self.complementary(y, v) => x,
            () if x == v && self.complementary(y, u) => x,
            () if y == u && self.complementary(x, v) => y,
            () if y == v && self.complementary(x, u) => y,
            () => return None,
        };
        Some(self.not(common))
    }

    /// `x = c` with another (dis)equality of `x` and a constant.
    fn and_of_equalities(&self, a: TermId, b: TermId) -> Option<TermId> {
        let (x, c) = self.operands(a, Op::Eq).filter(|&(_, c)| self.is_constant(c))?;
        let negated = self.operand(b, Op::Not);
        let (y, d) = self.operands(negated.unwrap_or(b), Op::Eq).filter(|&(_, d)| self.is_constant(d))?;
        if x != y || c == d {
            return None;
        }
        Some(if negated.is_some() { a } else { Self::FALSE })
    }

    pub fn or(&mut self, a: TermId, b: TermId) -> TermId {
        let (a, b) = (self.not(a), self.not(b));
        let neither = self.and(a, b);
        self.not(neither)
    }

    pub fn implies(&mut self, a: TermId, b: TermId) -> TermId {
        let not_a = self.not(a);
        self.or(not_a, b)
    }

    pub fn xor(&mut self, a: TermId, b: TermId) -> TermId {
        let same = self.iff(a, b);
        self.not(same)
    }

    pub fn iff(&mut self, a: TermId, b: TermId) -> TermId {
        let (a, b) = self.ordered(a, b);
        match self.truth_value(b) {
            Some(true) => return a,
            Some(false) => return self.not(a),
            None => {}
        }
        if a == b {
            return Self::TRUE;
        }
        if self.complementary(a, b) {
            return Self::FALSE;
        }
        let (inner_a, inner_b) = (self.operand(a, Op::Not), self.operand(b, Op::Not));
        let (x, y) = (inner_a.unwrap_or(a), inner_b.unwrap_or(b));
        let (x, y) = self.ordered(x, y);
        let same = self.intern(Op::Eq, Sort::Bool, [x, y]);
        if inner_a.is_some() == inner_b.is_some() { same } else { self.not(same) }
    }

    /// The conjunction of all, as a balanced tree.
    pub fn and_all(&mut self, terms: impl IntoIterator<Item = TermId>) -> TermId {
        let mut layer: Vec<_> = terms.into_iter().collect();
        layer.sort_unstable();
        layer.dedup();
        let present: FxHashSet<_> = layer.iter().copied().collect();
        let clash =
            |&term: &TermId| self.operand(term, Op::Not).is_some_and(|inner| present.contains(&inner));
        if present.contains(&Self::FALSE) || layer.iter().any(clash) {
            return Self::FALSE;
        }
        while layer.len() > 1 {
            layer = layer.chunks(2).map(|pair| self.and(pair[0], *pair.last().unwrap_or(&pair[0]))).collect();
        }
        layer.pop().unwrap_or(Self::TRUE)
    }

    /// The disjunction of all, as a balanced tree.
    pub fn or_all(&mut self, terms: impl IntoIterator<Item = TermId>) -> TermId {
        let negated: Vec<_> = terms.into_iter().map(|term| self.not(term)).collect();
        let none = self.and_all(negated);
        self.not(none)
    }

    /// If, then, else, of any sort.
    pub fn ite(&mut self, condition: TermId, then: TermId, otherwise: TermId) -> TermId {
        self.assert_same_sort(then, otherwise);
        match self.truth_value(condition) {
            Some(true) => return then,
            Some(false) => return otherwise,
            None if then == otherwise => return then,
            None => {}
        }
        if let Some(inner) = self.operand(condition, Op::Not) {
            return self.ite_normal(inner, otherwise, then);
        }
        self.ite_normal(condition, then, otherwise)
    }

    /// The condition is not a negation.
    fn ite_normal(&mut self, condition: TermId, then: TermId, otherwise: TermId) -> TermId {
        let then = self.branches(then).filter(|b| b.0 == condition).map_or(then, |b| b.1);
        let otherwise = self.branches(otherwise).filter(|b| b.0 == condition).map_or(otherwise, |b| b.2);
        if then == otherwise {
            return then;
        }
        if let Some(result) = self.ite_of_equality(condition, then, otherwise) {
            return result;
        }
        let sort = self.sort(then);
        if sort == Sort::Bool {
            return self.ite_bool(condition, then, otherwise);
        }
        if let Some(result) = self.ite_merged(condition, then, otherwise) {
            return result;
        }
        if let Some(result) = self.ite_of_extended(condition, then, otherwise) {
            return result;
        }
        self.intern(Op::Ite, sort, [condition, then, otherwise])
    }

    fn ite_bool(&mut self, condition: TermId, then: TermId, otherwise: TermId) -> TermId {
        if then == Self::TRUE || then == condition {
            return self.or(condition, otherwise);
        }
        if otherwise == Self::FALSE || otherwise == condition {
            return self.and(condition, then);
        }
        let negated = self.not(condition);
        if then == Self::FALSE || then == negated {
            return self.and(negated, otherwise);
        }
        if otherwise == Self::TRUE || otherwise == negated {
            return self.or(negated, then);
        }
        if self.complementary(then, otherwise) {
            return self.iff(condition, then);
        }
        if let Some(result) = self.ite_merged(condition, then, otherwise) {
            return result;
        }
        if let Some(inner) = self.operand(then, Op::Not)
            && self.operand(otherwise, Op::Not).is_some()
        {
            let other = self.child(otherwise, 0);
            let positive = self.intern(Op::Ite, Sort::Bool, [condition, inner, other]);
            return self.not(positive);
        }
        self.intern(Op::Ite, Sort::Bool, [condition, then, otherwise])
    }

    /// `x = y ? x : y` is `y`, and `x = y ? y : x` is `x`.
    fn ite_of_equality(&self, condition: TermId, then: TermId, otherwise: TermId) -> Option<TermId> {
        let (x, y) = self.operands(condition, Op::Eq)?;
        ((then, otherwise) == (x, y) || (then, otherwise) == (y, x)).then_some(otherwise)
    }

    /// One branch is an `Ite` that has the other branch as a branch.
    fn ite_merged(&mut self, condition: TermId, then: TermId, otherwise: TermId) -> Option<TermId> {
        if let Some((inner, x, y)) = self.branches(otherwise)
            && (x == then || y == then)
        {
            let (inner, rest) = if x == then { (inner, y) } else { (self.not(inner), x) };
            return self.nested(|pool| {
                let either = pool.or(condition, inner);
                pool.ite(either, then, rest)
            });
        }
        let (inner, x, y) = self.branches(then)?;
        let (inner, rest) = match otherwise {
            o if o == y => (inner, x),
            o if o == x => (self.not(inner), y),
            _ => return None,
        };
        self.nested(|pool| {
            let both = pool.and(condition, inner);
            pool.ite(both, rest, otherwise)
        })
    }

    /// Leading zeros that both branches have are taken out.
    fn ite_of_extended(&mut self, condition: TermId, then: TermId, otherwise: TermId) -> Option<TermId> {
        let width = self.sort(then).width()?;
        if self.op(then) != Op::Concat && self.op(otherwise) != Op::Concat {
            return None;
        }
        let zeros = self.leading_zeros(then).min(self.leading_zeros(otherwise));
        if zeros == 0 || zeros >= width {
            return None;
        }
        self.nested(|pool| {
            let high = width - zeros - 1;
            let then = pool.extract(then, high, 0);
            let otherwise = pool.extract(otherwise, high, 0);
            let narrow = pool.ite(condition, then, otherwise);
            pool.zero_extend(narrow, width)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_meet_their_complements() {
        let mut pool = TermPool::new();
        let [a, b, c] = ["a", "b", "c"].map(|name| pool.variable(name, Sort::Bool));
        let not_a = pool.not(a);
        let a_and_b = pool.and(a, b);
        let rest = pool.and(not_a, c);
        assert_eq!(pool.and(a, not_a), TermPool::FALSE);
        assert_eq!(pool.or(a, not_a), TermPool::TRUE);
        assert_eq!(pool.and(a_and_b, rest), TermPool::FALSE);
        assert_eq!(pool.or(a, a_and_b), a);
        assert_eq!(pool.implies(a_and_b, b), TermPool::TRUE);
        assert_eq!(pool.and_all([c, b, a, not_a]), TermPool::FALSE);
    }

    #[test]
    fn different_constants_exclude_each_other() {
        let mut pool = TermPool::new();
        let x = pool.variable("x", Sort::BitVec(8));
        let [one, two] = [1, 2].map(|value| pool.bitvec(8, value));
        let [is_one, is_two] = [one, two].map(|value| pool.eq(x, value));
        assert_eq!(pool.and(is_one, is_two), TermPool::FALSE);
        let not_two = pool.not(is_two);
        assert_eq!(pool.and(is_one, not_two), is_one);
    }

    #[test]
    fn nested_branches_on_one_condition_collapse() {
        let mut pool = TermPool::new();
        let c = pool.variable("c", Sort::Bool);
        let [x, y, z] = ["x", "y", "z"].map(|name| pool.variable(name, Sort::BitVec(8)));
        let inner = pool.ite(c, x, y);
        let outer = pool.ite(c, inner, z);
        assert_eq!(outer, pool.ite(c, x, z));
        let not_c = pool.not(c);
        assert_eq!(pool.ite(not_c, x, y), pool.ite(c, y, x));
    }
}

//! Unbounded integers, normalised as linear forms like bit-vectors.

use super::linear::{Difference, Linear};
use crate::op::Op;
use crate::pool::{TermId, TermPool};
use crate::sort::Sort;
use crate::value::Value;
use dashu::base::{DivEuclid, RemEuclid};
use dashu::integer::IBig;

/// SMT-LIB's integer quotient, and 0 for division by 0.
pub(crate) fn divide(a: &IBig, b: &IBig) -> IBig {
    if b.is_zero() { IBig::ZERO } else { a.div_euclid(b) }
}

/// SMT-LIB's integer remainder, and the dividend for division by 0.
pub(crate) fn modulo(a: &IBig, b: &IBig) -> IBig {
    if b.is_zero() { a.clone() } else { IBig::from(a.rem_euclid(b)) }
}

impl TermPool {
    pub fn int(&mut self, value: i64) -> TermId {
        self.constant(&Value::Int(IBig::from(value)))
    }

    pub fn int_add(&mut self, a: TermId, b: TermId) -> TermId {
        let (a, b) = self.ordered(a, b);
        if let Some(right) = self.int_value(b) {
            if right.is_zero() {
                return a;
            }
            if let Some(left) = self.int_value(a) {
                return self.int_constant(&(left + right));
            }
        }
        let mut sum = Linear::new(IBig::ZERO);
        if sum.collect(self, a, IBig::ONE) {
            let first = sum.constant.clone();
            if sum.collect(self, b, IBig::ONE) {
                let both_constant = !first.is_zero() && sum.constant != first;
                if sum.normalise() || both_constant {
                    return self.int_linear_term(&sum);
                }
            }
        }
        self.intern(Op::IntAdd, Sort::Int, [a, b])
    }

    pub fn int_neg(&mut self, a: TermId) -> TermId {
        let minus_one = self.int(-1);
        self.int_mul(a, minus_one)
    }

    pub fn int_sub(&mut self, a: TermId, b: TermId) -> TermId {
        let minus_b = self.int_neg(b);
        self.int_add(a, minus_b)
    }

    pub fn int_mul(&mut self, a: TermId, b: TermId) -> TermId {
        let (a, b) = self.ordered(a, b);
        let Some(factor) = self.int_value(b) else {
            return self.intern(Op::IntMul, Sort::Int, [a, b]);
        };
        let mut product = Linear::new(IBig::ZERO);
        if product.collect(self, a, factor.clone()) {
            product.normalise();
            return self.int_linear_term(&product);
        }
        self.int_scaled(a, &factor)
    }

    fn int_scaled(&mut self, atom: TermId, factor: &IBig) -> TermId {
        if factor.is_one() {
            return atom;
        }
        let factor = self.int_constant(factor);
        self.intern(Op::IntMul, Sort::Int, [atom, factor])
    }

    fn int_linear_term(&mut self, sum: &Linear<IBig>) -> TermId {
        let mut result = None;
        for (atom, coefficient) in &sum.monomials {
            let part = self.int_scaled(*atom, coefficient);
            result = Some(match result {
                Some(rest) => {
                    let (x, y) = self.ordered(rest, part);
                    self.intern(Op::IntAdd, Sort::Int, [x, y])
                }
                None => part,
            });
        }
        let constant = self.int_constant(&sum.constant);
        match result {
            None => constant,
            Some(result) if sum.constant.is_zero() => result,
            Some(result) => self.intern(Op::IntAdd, Sort::Int, [result, constant]),
        }
    }

    /// The equation or inequation `linear ~ 0` with positive coefficients on both sides.
    pub(super) fn int_sides(&mut self, linear: &Linear<IBig>) -> (TermId, TermId) {
        let (mut left, mut right) = (Linear::new(IBig::ZERO), Linear::new(IBig::ZERO));
        for (atom, coefficient) in &linear.monomials {
            if *coefficient < IBig::ZERO {
                right.monomials.push((*atom, -coefficient));
            } else {
                left.monomials.push((*atom, coefficient.clone()));
            }
        }
        right.constant = -&linear.constant;
        (self.int_linear_term(&left), self.int_linear_term(&right))
    }

    /// Euclidean quotient; 0 if the divisor is 0.
    pub fn int_div(&mut self, a: TermId, b: TermId) -> TermId {
        match (self.int_value(a), self.int_value(b)) {
            (Some(a), Some(b)) => self.int_constant(&divide(&a, &b)),
            (_, Some(b)) if b.is_zero() => self.int(0),
            (_, Some(b)) if b.is_one() => a,
            _ => self.intern(Op::IntDiv, Sort::Int, [a, b]),
        }
    }

    /// Euclidean remainder; the dividend if the divisor is 0.
    pub fn int_mod(&mut self, a: TermId, b: TermId) -> TermId {
        match (self.int_value(a), self.int_value(b)) {
            (Some(a), Some(b)) => self.int_constant(&modulo(&a, &b)),
            (_, Some(b)) if b.is_zero() => a,
            (_, Some(b)) if b.is_one() => self.int(0),
            _ => self.intern(Op::IntMod, Sort::Int, [a, b]),
        }
    }

    pub fn int_lt(&mut self, a: TermId, b: TermId) -> TermId {
        if let Some(Difference { linear, simpler }) = self.difference(a, b, &IBig::ONE) {
            if linear.monomials.is_empty() {
                return self.truth(linear.constant < IBig::ZERO);
            }
            if simpler {
                let (left, right) = self.int_sides(&linear);
                return self.intern(Op::IntLt, Sort::Bool, [left, right]);
            }
        }
        self.intern(Op::IntLt, Sort::Bool, [a, b])
    }

    pub fn int_le(&mut self, a: TermId, b: TermId) -> TermId {
        let greater = self.int_lt(b, a);
        self.not(greater)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_cancel() {
        let mut pool = TermPool::new();
        let [x, y] = ["x", "y"].map(|name| pool.variable(name, Sort::Int));
        let one = pool.int(1);
        let (x1, y1) = (pool.int_add(x, one), pool.int_add(y, one));
        assert_eq!(pool.int_lt(x1, y1), pool.int_lt(x, y));
        assert_eq!(pool.int_lt(x, x1), TermPool::TRUE);
        let sum = pool.int_add(x, y);
        assert_eq!(pool.int_sub(sum, x), y);
        let (left, xx, xy) = (pool.int_mul(x, sum), pool.int_mul(x, x), pool.int_mul(x, y));
        let right = pool.int_add(xx, xy);
        assert_eq!(pool.eq(left, right), TermPool::TRUE);
    }
}

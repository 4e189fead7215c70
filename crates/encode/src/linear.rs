//! Addresses as linear forms: `constant + Σ coefficient * atom`, modulo the width.
//!
//! Used to see in an offset which elements of an array it can reach: all coefficients of `a[i].f`
//! are multiples of the size of an element.

use rustc_hash::FxHashMap;
use term::{Op, TermId, TermPool};

pub struct Linear {
    /// As a signed number of the term's width.
    pub constant: i64,
    pub parts: Vec<Part>,
}

/// `coefficient * (term >> shift)`, the coefficient as a signed number. The low `shift` bits of the
/// term are zero.
#[derive(Clone, Copy)]
pub struct Part {
    pub coefficient: i64,
    pub term: TermId,
    pub shift: u32,
}

/// More parts than this are not looked into.
const MOST_PARTS: usize = 16;

impl Linear {
    pub fn of(pool: &TermPool, zeros: &mut Zeros, term: TermId) -> Linear {
        let width = pool.width(term);
        let mut linear = Linear { constant: 0, parts: Vec::new() };
        let mut open = vec![(1i64, term)];
        while let Some((factor, term)) = open.pop() {
            linear.add(pool, zeros, factor, term, &mut open);
        }
        linear.constant = sign_extend(linear.constant, width);
        for part in &mut linear.parts {
            part.coefficient = sign_extend(part.coefficient, width);
        }
        linear
    }

    fn add(
        &mut self,
        pool: &TermPool,
        zeros: &mut Zeros,
        factor: i64,
        term: TermId,
        open: &mut Vec<(i64, TermId)>,
    ) {
        if let Some(value) = pool.small_value(term) {
            self.constant = self.constant.wrapping_add(factor.wrapping_mul(value as i64));
            return;
        }
        let children = pool.children(term);
        match pool.op(term) {
            Op::Add if open.len() + self.parts.len() < MOST_PARTS => {
                open.extend([(factor, children[1]), (factor, children[0])]);
            }
            Op::Neg => open.push((factor.wrapping_neg(), children[0])),
            Op::Mul => match (pool.small_value(children[0]), pool.small_value(children[1])) {
                (Some(by), _) => open.push((factor.wrapping_mul(by as i64), children[1])),
                (_, Some(by)) => open.push((factor.wrapping_mul(by as i64), children[0])),
                _ => self.parts.push(Part { coefficient: factor, term, shift: 0 }),
            },
            // A multiple of a power of two.
            _ => {
                let shift = zeros.of(pool, term).min(62);
                self.parts.push(Part { coefficient: factor.wrapping_mul(1 << shift), term, shift });
            }
        }
    }

    /// The greatest number that divides all coefficients; 0 if there are none.
    pub fn divisor(&self) -> u64 {
        self.parts.iter().fold(0, |gcd, part| greatest_common_divisor(gcd, part.coefficient.unsigned_abs()))
    }

    /// The greatest number that surely divides what an offset in an object has above the constant. A sum that wraps
    /// around keeps its remainder modulo powers of two, but not modulo other numbers.
    pub fn stride(&self, pool: &TermPool, width: u32) -> u64 {
        let divisor = self.divisor();
        let power = divisor & divisor.wrapping_neg();
        if power == divisor || self.is_exact(pool, width) { divisor } else { power }
    }

    /// Whether the sum is the offset, without wrapping around. Where it is below zero, it is far outside of all objects.
    fn is_exact(&self, pool: &TermPool, width: u32) -> bool {
        let mut sum = (i128::from(self.constant), i128::from(self.constant));
        for part in &self.parts {
            let (low, high) = bounds(pool, part.term, LOOK);
            let factor = i128::from(part.coefficient);
            let ends = [low, high].map(|end| factor.checked_mul(end >> part.shift));
            let [Some(one), Some(other)] = ends else { return false };
            sum = (sum.0 + one.min(other), sum.1 + one.max(other));
        }
        sum.0 >= -(1 << (width - 2)) && sum.1 < 1 << width
    }
}

/// How deep choices are looked into for bounds.
const LOOK: u32 = 4;

/// Bounds of a term's value, as a signed or an unsigned number.
fn bounds(pool: &TermPool, term: TermId, look: u32) -> (i128, i128) {
    if let Some(value) = pool.small_value(term) {
        let value = sign_extend(value as i64, pool.width(term)).into();
        return (value, value);
    }
    let children = pool.children(term);
    match pool.op(term) {
        Op::SignExtend => {
            let half = 1 << (pool.width(children[0]) - 1);
            (-half, half - 1)
        }
        Op::Ite if look > 0 => {
            let (then, otherwise) =
                (bounds(pool, children[1], look - 1), bounds(pool, children[2], look - 1));
            (then.0.min(otherwise.0), then.1.max(otherwise.1))
        }
        _ => (0, pool.upper_bound(term).unwrap_or(u64::MAX).into()),
    }
}

/// How many of the lowest bits of terms are zero, as far as their operations show it: a pointer that walks over an
/// array keeps them whatever path it takes.
#[derive(Default)]
pub(crate) struct Zeros(FxHashMap<TermId, u32>);

impl Zeros {
    fn of(&mut self, pool: &TermPool, term: TermId) -> u32 {
        let mut open = vec![term];
        while let Some(&next) = open.last() {
            match self.known(pool, next).or_else(|| self.shown(pool, next, &mut open)) {
                Some(zeros) => {
                    self.0.insert(next, zeros);
                    open.pop();
                }
                None => debug_assert_ne!(open.last(), Some(&next), "something else is needed first"),
            }
        }
        self.0[&term]
    }

    fn known(&self, pool: &TermPool, term: TermId) -> Option<u32> {
        match pool.small_value(term) {
            Some(0) => Some(pool.width(term)),
            Some(value) => Some(value.trailing_zeros()),
            None => self.0.get(&term).copied(),
        }
    }

    /// From what is known of the operands, or `None` and those of which nothing is known yet.
    fn shown(&self, pool: &TermPool, term: TermId, open: &mut Vec<TermId>) -> Option<u32> {
        let width = pool.width(term);
        match (pool.op(term), pool.children(term)) {
            (Op::Ite, &[_, a, b]) | (Op::Add | Op::BitOr | Op::BitXor, &[a, b]) => {
                let [a, b] = self.all(pool, [a, b], open)?;
                Some(a.min(b))
            }
            (Op::BitAnd, &[a, b]) => {
                let [a, b] = self.all(pool, [a, b], open)?;
                Some(a.max(b))
            }
            (Op::Mul, &[a, b]) => {
                let [a, b] = self.all(pool, [a, b], open)?;
                Some((a + b).min(width))
            }
            (Op::Neg | Op::SignExtend, &[a]) => {
                let [a] = self.all(pool, [a], open)?;
                Some(a)
            }
            (Op::Concat, &[high, low]) if pool.small_value(low) == Some(0) => {
                let [high] = self.all(pool, [high], open)?;
                Some(high + pool.width(low))
            }
            (Op::Concat, &[_, low]) => {
                let [low] = self.all(pool, [low], open)?;
                Some(low)
            }
            _ => Some(0),
        }
    }

    fn all<const N: usize>(
        &self,
        pool: &TermPool,
        terms: [TermId; N],
        open: &mut Vec<TermId>,
    ) -> Option<[u32; N]> {
        let before = open.len();
        let zeros = terms.map(|term| {
            let known = self.known(pool, term);
            if known.is_none() {
                open.push(term);
            }
            known.unwrap_or(0)
        });
        (open.len() == before).then_some(zeros)
    }
}

fn greatest_common_divisor(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

fn sign_extend(value: i64, width: u32) -> i64 {
    if width >= 64 { value } else { value << (64 - width) >> (64 - width) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use term::Sort;

    #[test]
    fn a_pointer_that_walks_stays_aligned() {
        let mut pool = TermPool::new();
        let step = pool.bitvec(64, 12);
        let mut pointer = pool.bitvec(64, 4096);
        for index in 0..100_000 {
            let goes_on = pool.variable(&format!("c{index}"), Sort::Bool);
            let next = pool.add(pointer, step);
            pointer = pool.ite(goes_on, next, pointer);
        }
        let linear = Linear::of(&pool, &mut Zeros::default(), pointer);
        assert_eq!(linear.divisor(), 4);
    }

    #[test]
    fn zeros_of_operations_are_those_of_all_values() {
        let mut pool = TermPool::new();
        let x = pool.variable("x", Sort::BitVec(4));
        let constants = [0, 2, 4, 6, 12].map(|value| pool.bitvec(4, value));
        let shifted = constants.map(|constant| pool.shl(x, constant));
        for &a in constants.iter().chain(&shifted) {
            for &b in constants.iter().chain(&shifted) {
                let terms = [
                    pool.add(a, b),
                    pool.mul(a, b),
                    pool.bit_and(a, b),
                    pool.bit_or(a, b),
                    pool.bit_xor(a, b),
                    pool.neg(a),
                ];
                for term in terms {
                    let zeros = Zeros::default().of(&pool, term);
                    let low = pool.bitvec(4, (1 << zeros.min(4)) - 1);
                    for value in 0..16 {
                        let value = pool.bitvec(4, value);
                        let instance = pool.substitute(term, &[(x, value)].into_iter().collect());
                        let rest = pool.bit_and(instance, low);
                        assert_eq!(pool.small_value(rest), Some(0));
                    }
                }
            }
        }
    }
}

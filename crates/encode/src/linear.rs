//! Addresses as linear forms: `constant + Σ coefficient * atom`, modulo the width.
//!
//! Used to see in an offset which elements of an array it can reach: all coefficients of `a[i].f`
//! are multiples of the size of an element.

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
    pub fn of(pool: &TermPool, term: TermId) -> Linear {
        let width = pool.width(term);
        let mut linear = Linear { constant: 0, parts: Vec::new() };
        let mut open = vec![(1i64, term)];
        while let Some((factor, term)) = open.pop() {
            linear.add(pool, factor, term, &mut open);
        }
        linear.constant = sign_extend(linear.constant, width);
        for part in &mut linear.parts {
            part.coefficient = sign_extend(part.coefficient, width);
        }
        linear
    }

    fn add(&mut self, pool: &TermPool, factor: i64, term: TermId, open: &mut Vec<(i64, TermId)>) {
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
            // x followed by zeros: a multiple of a power of two.
            _ => {
                let shift = trailing_zeros(pool, term).min(62);
                self.parts.push(Part { coefficient: factor.wrapping_mul(1 << shift), term, shift });
            }
        }
    }

    /// The greatest number that divides all coefficients; 0 if there are none.
    pub fn stride(&self) -> u64 {
        self.parts.iter().fold(0, |gcd, part| greatest_common_divisor(gcd, part.coefficient.unsigned_abs()))
    }
}

/// How many of the lowest bits are zero, as far as the outermost operations show it.
fn trailing_zeros(pool: &TermPool, mut term: TermId) -> u32 {
    let mut zeros = 0;
    loop {
        match (pool.op(term), pool.small_value(term), pool.children(term)) {
            (_, Some(0), _) => return zeros + pool.width(term),
            (_, Some(value), _) => return zeros + value.trailing_zeros(),
            (Op::Concat, _, &[high, low]) => match pool.small_value(low) {
                Some(0) => {
                    zeros += pool.width(low);
                    term = high;
                }
                _ => term = low,
            },
            _ => return zeros,
        }
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

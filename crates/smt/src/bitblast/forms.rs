//! Words that are the same sum, up to a factor and a constant.
//!
//! Rewriting multiplies sums out: where the program says `u - last`, the formula says `u + (-a + -b)` if
//! `last` is `a + b`, and one sum is then known by two terms that share nothing. So a sum gets a number:
//! each summand has one that looks random, and that of a sum is the sum of those of its parts. Equal sums
//! have equal numbers, and others do not but for a chance of one in 2^100 or so.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::cmp::Ordering;
use term::{Op, TermId, TermPool};

/// A word as `scale * sum + constant`, modulo 2 to its width.
#[derive(Clone, Copy)]
struct Form {
    scale: i64,
    number: u128,
    constant: i64,
    /// The summand that was made last, and how often it is in the sum.
    newest: TermId,
    times: i64,
    /// How many summands there are, if none occurs twice.
    size: u32,
}

/// So many sums are noted that have one newest summand.
const MOST_ENDING: usize = 4;

/// A word as `factor * of + constant`, modulo 2 to its width.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Multiple {
    pub of: TermId,
    pub factor: i64,
    pub constant: i64,
}

/// The forms of all sums, and for each the term that stands for it.
#[derive(Default)]
pub struct Forms {
    known: FxHashMap<TermId, Form>,
    representatives: FxHashMap<(u32, u128), TermId>,
    /// By their newest summands: the words that stand for a sum.
    ending: FxHashMap<TermId, SmallVec<[TermId; MOST_ENDING]>>,
}

impl Forms {
    /// Notes a word whose parts have been noted.
    pub fn note(&mut self, pool: &TermPool, term: TermId) {
        let Some(form) = self.sum(pool, term) else { return };
        self.known.insert(term, form);
        if pool.op(term) != Op::Add {
            return;
        }
        let known = &self.known;
        let ending = &mut self.ending;
        let representative =
            self.representatives.entry((pool.width(term), form.number)).or_insert_with(|| {
                let ending = ending.entry(form.newest).or_default();
                if ending.len() < MOST_ENDING {
                    ending.push(term);
                }
                term
            });
        if known[representative].scale.unsigned_abs() > form.scale.unsigned_abs() {
            *representative = term;
        }
    }

    /// The word as a multiple of the one that stands for its form.
    pub fn multiple(&self, pool: &TermPool, term: TermId) -> Option<Multiple> {
        let form = self.known.get(&term)?;
        let of = *self.representatives.get(&(pool.width(term), form.number))?;
        let other = &self.known[&of];
        if form.scale.checked_rem(other.scale)? != 0 {
            return None;
        }
        let factor = form.scale.checked_div(other.scale)?;
        let constant = form.constant.checked_sub(factor.checked_mul(other.constant)?)?;
        Some(Multiple { of, factor, constant })
    }

    /// The summand of a sum that was made last.
    pub fn newest(&self, sum: TermId) -> Option<TermId> {
        self.known.get(&sum).map(|form| form.newest)
    }

    /// How many summands a sum has, if none occurs twice.
    pub fn size(&self, sum: TermId) -> u32 {
        self.known.get(&sum).map_or(1, |form| form.size)
    }

    /// Ways to say a sum as the sum of its newest summand, or one that ends with it, and another one.
    pub fn splits(&self, pool: &TermPool, sum: TermId) -> SmallVec<[[Multiple; 2]; 2]> {
        // Where summands have cancelled each other out, the newest one is not known.
        let Some(form) = self.known.get(&sum).filter(|form| form.times != 0) else { return SmallVec::new() };
        let ending = self.ending.get(&form.newest).into_iter().flatten();
        let parts = ending.chain([&form.newest]).filter(|&&part| part != sum);
        parts.filter_map(|&part| self.split(pool, form, pool.width(sum), part)).collect()
    }

    fn split(&self, pool: &TermPool, form: &Form, width: u32, part: TermId) -> Option<[Multiple; 2]> {
        let part_form = self.of(pool, part);
        let (times, remainder) = (form.times.checked_div(part_form.times)?, form.times % part_form.times);
        if part_form.scale.abs() != 1 || remainder != 0 || pool.width(part) != width {
            return None;
        }
        let factor = form.scale.checked_mul(times)?;
        let without = form.number.wrapping_sub(part_form.number.wrapping_mul(i128::from(times) as u128));
        let (rest_number, sign) = with_sign(without);
        let rest = *self.representatives.get(&(width, rest_number))?;
        let rest_form = &self.known[&rest];
        // Otherwise the two have more in common than their sum.
        let is_split = part_form.size.saturating_add(rest_form.size) <= form.size;
        if rest_form.scale.abs() != 1 || !is_split {
            return None;
        }
        let first = part_form.scaled(part, factor)?;
        let mut second = rest_form.scaled(rest, form.scale.checked_mul(sign)?)?;
        second.constant = second.constant.checked_add(form.constant)?;
        Some([first, second])
    }

    /// The form of a sum or of a multiple; `None` for other words and where numbers become too large.
    fn sum(&self, pool: &TermPool, term: TermId) -> Option<Form> {
        let children = pool.children(term);
        match pool.op(term) {
            Op::Add => self.of(pool, children[0]).plus(self.of(pool, children[1])),
            Op::Neg => self.of(pool, children[0]).times(-1),
            Op::Mul => match [0, 1].map(|index| constant(pool, children[index])) {
                [Some(by), _] => self.of(pool, children[1]).times(by),
                [_, Some(by)] => self.of(pool, children[0]).times(by),
                _ => None,
            },
            _ => None,
        }
    }

    fn of(&self, pool: &TermPool, term: TermId) -> Form {
        let unknown = || match constant(pool, term) {
            Some(constant) => Form { scale: 1, number: 0, constant, newest: TermId(0), times: 0, size: 0 },
            None => Form { scale: 1, number: number_of(term), constant: 0, newest: term, times: 1, size: 1 },
        };
        self.known.get(&term).copied().unwrap_or_else(unknown)
    }
}

impl Form {
    fn times(self, by: i64) -> Option<Form> {
        let (scale, constant) = (self.scale.checked_mul(by)?, self.constant.checked_mul(by)?);
        Some(Form { scale, constant, ..self })
    }

    /// The scale of both is kept if they have the same.
    fn plus(self, other: Form) -> Option<Form> {
        let sum = match () {
            () if other.number == 0 => self,
            () if self.number == 0 => other,
            () if self.scale == other.scale => self.beside(other, 1)?,
            () if self.scale == -other.scale => self.beside(other, -1)?,
            () => self.unscaled()?.beside(other.unscaled()?, 1)?,
        };
        let (number, sign) = with_sign(sum.number);
        let (scale, times) = (sum.scale.checked_mul(sign)?, sum.times.checked_mul(sign)?);
        Some(Form { scale, number, times, constant: self.constant.checked_add(other.constant)?, ..sum })
    }

    /// The sum within this form plus or minus that within another one.
    fn beside(self, other: Form, sign: i64) -> Option<Form> {
        let number = self.number.wrapping_add(other.number.wrapping_mul(i128::from(sign) as u128));
        let (own, others) = (self.times, other.times.checked_mul(sign)?);
        let (newest, times) = match self.newest.cmp(&other.newest) {
            Ordering::Less => (other.newest, others),
            Ordering::Equal => (self.newest, own.checked_add(others)?),
            Ordering::Greater => (self.newest, own),
        };
        Some(Form { number, newest, times, size: self.size.saturating_add(other.size), ..self })
    }

    fn unscaled(self) -> Option<Form> {
        let number = self.number.wrapping_mul(i128::from(self.scale) as u128);
        Some(Form { scale: 1, number, times: self.times.checked_mul(self.scale)?, ..self })
    }

    /// `factor` times the sum of this form, which is that of a word and has no scale, by means of the word.
    fn scaled(&self, of: TermId, factor: i64) -> Option<Multiple> {
        let factor = factor.checked_mul(self.scale)?;
        let constant = factor.checked_mul(self.constant)?.checked_neg()?;
        Some(Multiple { of, factor, constant })
    }
}

/// One number for a sum and its opposite, and which of the two it is.
fn with_sign(number: u128) -> (u128, i64) {
    let opposite = number.wrapping_neg();
    if opposite < number { (opposite, -1) } else { (number, 1) }
}

/// A constant of up to 64 bits, with its sign.
fn constant(pool: &TermPool, term: TermId) -> Option<i64> {
    let unused = 64 - pool.width(term).min(64);
    pool.small_value(term).map(|bits| (bits << unused) as i64 >> unused)
}

/// A number for a summand that looks random.
fn number_of(term: TermId) -> u128 {
    let half = |salt: u64| {
        let mut mixed = (u64::from(term.0) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ salt;
        for shift in [30, 27, 31] {
            mixed = (mixed ^ mixed >> shift).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        }
        mixed ^ mixed >> 29
    };
    u128::from(half(0)) << 64 | u128::from(half(0x94d0_49bb_1331_11eb))
}

#[cfg(test)]
mod tests {
    use super::*;
    use term::Sort;

    #[test]
    fn a_sum_multiplied_out_is_a_multiple_of_it() {
        let mut pool = TermPool::new();
        let [a, b, u] = ["a", "b", "u"].map(|name| pool.variable(name, Sort::BitVec(32)));
        let (five, factor) = (pool.bitvec(32, 5), pool.bitvec(32, 42));
        let sum = pool.add(a, b);
        let sum = pool.add(sum, five);
        let product = pool.mul(sum, factor);
        let opposite = pool.neg(sum);
        let other = pool.sub(a, b);
        let difference = pool.sub(u, sum);
        let mut forms = Forms::default();
        for term in pool.ids() {
            forms.note(&pool, term);
        }
        let representative = forms.multiple(&pool, sum).expect("a sum").of;
        for (term, factor) in [(sum, 1), (product, 42), (opposite, -1)] {
            let multiple = forms.multiple(&pool, term).expect("a multiple");
            assert_eq!((multiple.of, multiple.factor.abs()), (representative, i64::abs(factor)));
        }
        let mixed = pool.add(difference, other);
        forms.note(&pool, mixed);
        for term in [other, difference] {
            assert_ne!(forms.multiple(&pool, term).map(|multiple| multiple.of), Some(representative));
        }
    }
}

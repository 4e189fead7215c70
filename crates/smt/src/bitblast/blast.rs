//! From terms to gates.
//!
//! Each term is translated once; its bits lie in one vector. Arrays have no bits: reads and writes
//! of them are recorded for [`arrays`](super::arrays), and a read is a word of fresh inputs.

use super::aig::{Aig, Bit};
use super::arrays::{Arrays, Shape};
use super::lazy::Lazy;
use super::ranges::Ranges;
use super::word::{self, Word};
use crate::SolverError;
use base::Budget;
use rustc_hash::FxHashMap;
use term::{BitVec, FloatFormat, Op, Sort, TermId, TermPool};

/// Where the bits of a term start in the vector of all bits.
const NOT_YET: u32 = u32::MAX;

/// Few operations on words take more gates.
const GATES_OF_A_TERM: usize = 1 << 18;

/// The translated terms.
#[derive(Default)]
pub struct Blaster {
    pub aig: Aig,
    bits: Vec<Bit>,
    starts: Vec<u32>,
    pub arrays: Arrays,
    pub lazy: Lazy,
    pub ranges: Ranges,
    /// Expensive operations on words of at least this width are left out at first.
    pub lazy_from: Option<u32>,
    /// Terms older than this one may have any value.
    pub known_from: Option<TermId>,
    /// Bits that hold whatever else does: floats have one NaN.
    pub facts: Vec<Bit>,
    /// Quotient and remainder by operands and signedness.
    divisions: FxHashMap<(TermId, TermId, bool), (Word, Word)>,
}

/// The number of bits of a term, which is 0 for arrays.
fn length(sort: Sort) -> usize {
    match sort {
        Sort::Bool => 1,
        Sort::BitVec(width) => width as usize,
        Sort::Float(format) => format.width() as usize,
        Sort::Array { .. } | Sort::Int => 0,
    }
}

/// Whether the term is what it is, however old.
fn is_literal(pool: &TermPool, term: TermId) -> bool {
    matches!(pool.op(term), Op::Constant | Op::ConstantArray)
}

impl Blaster {
    pub fn new() -> Self {
        Self::default()
    }

    fn is_done(&self, term: TermId) -> bool {
        self.starts.get(term.0 as usize).is_some_and(|&start| start != NOT_YET)
    }

    /// The bits of a term that has been translated.
    pub fn known_bits(&self, pool: &TermPool, term: TermId) -> Option<&[Bit]> {
        let start = *self.starts.get(term.0 as usize).filter(|&&start| start != NOT_YET)?;
        Some(&self.bits[start as usize..][..length(pool.sort(term))])
    }

    /// The bits of a child, which has been translated before.
    fn word(&self, pool: &TermPool, term: TermId) -> Word {
        self.known_bits(pool, term).expect("children are translated before parents").to_vec()
    }

    fn record(&mut self, term: TermId, word: &[Bit]) {
        let index = term.0 as usize;
        if self.starts.len() <= index {
            self.starts.resize(index + 1, NOT_YET);
        }
        self.starts[index] = u32::try_from(self.bits.len()).expect("at most 2^32 bits");
        self.bits.extend_from_slice(word);
    }

    /// Translates a term and what it needs.
    pub fn blast(&mut self, pool: &TermPool, term: TermId, budget: &Budget) -> Result<(), SolverError> {
        if self.is_done(term) {
            return Ok(());
        }
        let known_from = self.known_from;
        let is_unknown = |part| known_from.is_some_and(|first| part < first) && !is_literal(pool, part);
        for part in pool.reachable_down_to(&[term], |part| self.is_done(part), is_unknown) {
            budget.check()?;
            budget.check_room(self.aig.growth(GATES_OF_A_TERM))?;
            if let Sort::Int = pool.sort(part) {
                return Err(SolverError::UnsupportedSort(Sort::Int));
            }
            let word = match pool.sort(part) {
                Sort::Array { index, element } => {
                    self.arrays.declare(part, Shape { index, element });
                    match is_unknown(part) {
                        true => self.arrays.add_variable(part),
                        false => self.blast_array(pool, part),
                    }
                    Vec::new()
                }
                sort if is_unknown(part) => self.unknown_in_range(pool, part, sort),
                _ => self.translate(pool, part),
            };
            self.record(part, &word);
        }
        Ok(())
    }

    /// The bit of a Boolean term.
    pub fn bit(&mut self, pool: &TermPool, term: TermId, budget: &Budget) -> Result<Bit, SolverError> {
        self.blast(pool, term, budget)?;
        Ok(self.known_bits(pool, term).map_or(Bit::FALSE, |bits| bits[0]))
    }

    fn blast_array(&mut self, pool: &TermPool, term: TermId) {
        let children = pool.children(term);
        match pool.op(term) {
            Op::Store => {
                let (index, element) = (self.word(pool, children[1]), self.word(pool, children[2]));
                self.arrays.add_store(term, children[0], index, element);
            }
            Op::Ite => {
                let condition = self.word(pool, children[0])[0];
                self.arrays.add_choice(term, condition, children[1], children[2]);
            }
            Op::ConstantArray => {
                let element = self.word(pool, children[0]);
                self.arrays.add_constant(term, element);
            }
            _ => self.arrays.add_variable(term),
        }
    }

    fn translate(&mut self, pool: &TermPool, term: TermId) -> Word {
        let op = pool.op(term);
        match (op, pool.sort(term)) {
            (Op::Constant, _) => constant_bits(pool, term),
            (Op::Variable, sort) => self.unknown_word(sort),
            (Op::Eq, _) if matches!(pool.sort(pool.children(term)[0]), Sort::Array { .. }) => {
                let children = pool.children(term);
                vec![self.arrays.add_equality(&mut self.aig, pool, children[0], children[1], &mut self.facts)]
            }
            (Op::Select, sort) => {
                let children = pool.children(term);
                let index = self.word(pool, children[1]);
                let value = self.aig.input_word(length(sort));
                self.arrays.add_read(children[0], index, value.clone());
                value
            }
            _ => self.apply(pool, term, op),
        }
    }

    /// A word that may have any value in its range.
    fn unknown_in_range(&mut self, pool: &TermPool, term: TermId, sort: Sort) -> Word {
        let (Sort::BitVec(width), Some(range)) = (sort, self.ranges.learn(pool, term)) else {
            return self.unknown_word(sort);
        };
        let narrow = self.aig.input_word(range.bits().min(width as usize));
        let [low, high] = [range.low, range.high].map(|end| word::signed_number(narrow.len(), end));
        for (smaller, greater) in [(&narrow, &low), (&high, &narrow)] {
            let less = self.aig.less_signed(smaller, greater);
            self.facts.push(!less);
        }
        word::sign_extended(&narrow, width as usize)
    }

    fn unknown_word(&mut self, sort: Sort) -> Word {
        match sort {
            Sort::Float(format) => self.float_variable(format),
            sort => self.aig.input_word(length(sort)),
        }
    }

    fn float_variable(&mut self, format: FloatFormat) -> Word {
        let bits = self.aig.input_word(format.width() as usize);
        let canonical = self.aig.float_canonical(format, &bits);
        let fact = self.aig.equal_words(&bits, &canonical);
        self.facts.push(fact);
        bits
    }

    fn apply(&mut self, pool: &TermPool, term: TermId, op: Op) -> Word {
        let whole = length(pool.sort(term));
        let needed = self.ranges.learn(pool, term).map_or(whole, |range| range.bits().min(whole));
        let mut exact = self.circuit(pool, term, op, needed);
        exact.truncate(needed);
        let result = match self.lazy_from {
            Some(width) if is_expensive(op) && needed >= width as usize => {
                let unlikely = self.unlikely_bits(pool, term);
                self.lazy.leave_out(&mut self.aig, exact, unlikely)
            }
            _ => exact,
        };
        word::sign_extended(&result, whole)
    }

    /// Bits of the operands that are false for small numbers, and for floats with few digits.
    fn unlikely_bits(&self, pool: &TermPool, term: TermId) -> Word {
        let mut bits = Word::new();
        for &operand in pool.children(term) {
            let word = self.word(pool, operand);
            match pool.sort(operand) {
                Sort::Float(format) => bits.extend(&word[..format.significand as usize * 7 / 8]),
                _ => bits.extend(&word[word.len() / 4..]),
            }
        }
        bits.retain(|bit| !bit.is_constant());
        bits
    }

    /// The least width for which two operands, as signed numbers, lose nothing.
    fn common_width(&self, pool: &TermPool, operands: (TermId, TermId), whole: usize) -> usize {
        match pool.sort(operands.0) {
            Sort::BitVec(width) if width <= 64 => {
                let (a, b) = (self.ranges.of(pool, operands.0), self.ranges.of(pool, operands.1));
                a.bits().max(b.bits()).min(whole)
            }
            _ => whole,
        }
    }

    /// The bits of an application; those above the `needed` ones may be left out.
    fn circuit(&mut self, pool: &TermPool, term: TermId, op: Op, needed: usize) -> Word {
        let children = pool.children(term);
        let first = self.word(pool, children[0]);
        match *children {
            [_] if op == Op::Neg => self.aig.neg_word(&first[..needed]),
            [_] => self.apply_unary(pool, term, op, &first),
            [a, b] => {
                if let Some(answer) = self.ranges.decide(pool, op, a, b) {
                    return vec![if answer { Bit::TRUE } else { Bit::FALSE }];
                }
                let second = self.word(pool, b);
                let both = || self.common_width(pool, (a, b), first.len());
                let narrow = match op {
                    Op::Add | Op::Mul => needed,
                    Op::Eq | Op::Slt | Op::Ult => both(),
                    // One more: the smallest number divided by -1.
                    Op::Sdiv | Op::Srem => (both() + 1).min(first.len()),
                    _ => return self.apply_binary(pool, term, op, (a, b), &first, &second),
                };
                self.apply_binary(pool, term, op, (a, b), &first[..narrow], &second[..narrow])
            }
            [a, b, c] => {
                let (second, third) = (self.word(pool, b), self.word(pool, c));
                match op {
                    Op::Ite => self.aig.mux_words(first[0], &second[..needed], &third[..needed]),
                    Op::FloatFma => {
                        let mode = pool.rounding_mode(term);
                        self.aig.float_fma(pool.format(a), mode, [&first, &second, &third])
                    }
                    op => unreachable!("{op:?} does not have three operands"),
                }
            }
            _ => unreachable!("applications have operands"),
        }
    }

    fn apply_unary(&mut self, pool: &TermPool, term: TermId, op: Op, a: &[Bit]) -> Word {
        let width = length(pool.sort(term));
        match op {
            Op::Not | Op::BitNot => word::inverted(a),
            Op::Extract => a[pool.extract_low(term) as usize..][..width].to_vec(),
            Op::SignExtend => word::sign_extended(a, width),
            Op::FloatFromBits => self.aig.float_canonical(pool.format(term), a),
            Op::FloatFromSigned => {
                self.aig.float_from_integer(pool.format(term), pool.rounding_mode(term), a, true)
            }
            Op::FloatFromUnsigned => {
                self.aig.float_from_integer(pool.format(term), pool.rounding_mode(term), a, false)
            }
            _ => self.apply_to_float(pool, term, op, a),
        }
    }

    fn apply_to_float(&mut self, pool: &TermPool, term: TermId, op: Op, a: &[Bit]) -> Word {
        let from = pool.format(pool.children(term)[0]);
        let mode = pool.rounding_mode(term);
        let width = length(pool.sort(term));
        let aig = &mut self.aig;
        match op {
            Op::FloatSqrt => aig.float_sqrt(from, mode, a),
            Op::FloatRoundToIntegral => aig.float_round_to_integral(from, mode, a),
            Op::FloatNeg => aig.float_neg(from, a),
            Op::FloatAbs => aig.float_abs(a),
            Op::FloatToBits => a.to_vec(),
            Op::FloatFromFloat => aig.float_to_float(from, pool.format(term), mode, a),
            Op::FloatToSigned => aig.float_to_integer(from, mode, a, width, true),
            Op::FloatToUnsigned => aig.float_to_integer(from, mode, a, width, false),
            Op::FloatIsNan => vec![aig.float_is_nan(from, a)],
            Op::FloatIsInfinite => vec![aig.float_is_infinite(from, a)],
            Op::FloatIsZero => vec![aig.float_is_zero(a)],
            Op::FloatIsNormal => vec![aig.float_is_normal(from, a)],
            Op::FloatIsSubnormal => vec![aig.float_is_subnormal(from, a)],
            Op::FloatIsNegative => vec![aig.float_is_negative(from, a)],
            op => unreachable!("{op:?} does not have one operand"),
        }
    }

    fn apply_binary(
        &mut self,
        pool: &TermPool,
        term: TermId,
        op: Op,
        operands: (TermId, TermId),
        a: &[Bit],
        b: &[Bit],
    ) -> Word {
        let aig = &mut self.aig;
        match op {
            Op::And => vec![aig.and(a[0], b[0])],
            Op::Eq => vec![aig.equal_words(a, b)],
            Op::Ult => vec![aig.less_unsigned(a, b)],
            Op::Slt => vec![aig.less_signed(a, b)],
            Op::BitAnd => a.iter().zip(b).map(|(&x, &y)| aig.and(x, y)).collect(),
            Op::BitOr => a.iter().zip(b).map(|(&x, &y)| aig.or(x, y)).collect(),
            Op::BitXor => a.iter().zip(b).map(|(&x, &y)| aig.xor(x, y)).collect(),
            Op::Add => self.sum(pool, operands, a, b),
            Op::Mul => aig.mul_words(a, b),
            Op::Shl => aig.shift_left(a, b),
            Op::Lshr => aig.shift_right(a, b, Bit::FALSE),
            Op::Ashr => aig.shift_right(a, b, a[a.len() - 1]),
            Op::Concat => word::joined(b, a),
            Op::Udiv => self.division(operands, a, b, false).0,
            Op::Urem => self.division(operands, a, b, false).1,
            Op::Sdiv => self.division(operands, a, b, true).0,
            Op::Srem => self.division(operands, a, b, true).1,
            _ => self.apply_to_floats(pool, term, op, a, b),
        }
    }

    /// Addition; that of a negation is a subtraction.
    fn sum(&mut self, pool: &TermPool, operands: (TermId, TermId), a: &[Bit], b: &[Bit]) -> Word {
        match (self.negated(pool, operands.0), self.negated(pool, operands.1)) {
            (_, Some(subtrahend)) => self.aig.sub_words(a, &subtrahend[..a.len()]),
            (Some(subtrahend), None) => self.aig.sub_words(b, &subtrahend[..b.len()]),
            (None, None) => self.aig.add_words(a, b),
        }
    }

    /// What a term is the negation of. A negation that may have any value has not been looked into.
    fn negated(&self, pool: &TermPool, term: TermId) -> Option<Word> {
        let operand = (pool.op(term) == Op::Neg).then(|| pool.children(term)[0])?;
        self.known_bits(pool, operand).map(<[Bit]>::to_vec)
    }

    fn division(&mut self, operands: (TermId, TermId), a: &[Bit], b: &[Bit], signed: bool) -> (Word, Word) {
        let key = (operands.0, operands.1, signed);
        if let Some(known) = self.divisions.get(&key) {
            return known.clone();
        }
        let result = if signed { self.aig.divide_words_signed(a, b) } else { self.aig.divide_words(a, b) };
        self.divisions.insert(key, result.clone());
        result
    }

    fn apply_to_floats(&mut self, pool: &TermPool, term: TermId, op: Op, a: &[Bit], b: &[Bit]) -> Word {
        let format = pool.format(pool.children(term)[0]);
        let mode = pool.rounding_mode(term);
        let aig = &mut self.aig;
        match op {
            Op::FloatAdd => aig.float_add(format, mode, a, b),
            Op::FloatMul => aig.float_mul(format, mode, a, b),
            Op::FloatDiv => aig.float_div(format, mode, a, b),
            Op::FloatRem => aig.float_rem(format, a, b),
            Op::FloatEq => vec![aig.float_equal(format, a, b)],
            Op::FloatLt => vec![aig.float_less(format, a, b)],
            Op::FloatLe => {
                let (less, equal) = (aig.float_less(format, a, b), aig.float_equal(format, a, b));
                vec![aig.or(less, equal)]
            }
            op => unreachable!("{op:?} does not have two operands"),
        }
    }
}

/// Operations whose circuits are large.
fn is_expensive(op: Op) -> bool {
    matches!(
        op,
        Op::Mul
            | Op::Udiv
            | Op::Urem
            | Op::Sdiv
            | Op::Srem
            | Op::FloatAdd
            | Op::FloatMul
            | Op::FloatDiv
            | Op::FloatRem
            | Op::FloatFma
            | Op::FloatSqrt
    )
}

fn constant_bits(pool: &TermPool, term: TermId) -> Word {
    let of = |bits: &BitVec| word::constant(bits);
    match (pool.truth_value(term), pool.bitvec_value(term), pool.float_value(term)) {
        (Some(truth), ..) => vec![Bit::constant(truth)],
        (_, Some(bits), _) => of(&bits),
        (_, _, Some(float)) => of(float.bits()),
        _ => Vec::new(),
    }
}

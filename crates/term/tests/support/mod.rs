//! Random terms, each built twice: by the rewriting builder methods, and as plain values by
//! [`term::evaluate::apply`], which knows no rewriting.
//!
//! A recipe is a list of numbers, so that proptest can shrink it. Each step applies an operator to
//! earlier results of fitting sorts.

#![allow(dead_code)] // Every test binary uses a part of it.

use term::evaluate::{Operation, apply};
use term::{Assignment, BitVec, FloatFormat, Op, RoundingMode, Sort, TermId, TermPool, Value};

/// One number for the operator, three for the operands.
pub type Step = (u16, u16, u16, u16);

/// The meaning of a step on values.
type Direct = Box<dyn Fn(&[&Value]) -> Value>;

/// A term, and its values under each of the assignments.
pub struct Entry {
    pub term: TermId,
    pub values: Vec<Value>,
}

/// What kinds of operators a recipe may use.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Theory {
    BitVec,
    Array,
    Float,
    Int,
}

pub struct Cook {
    pub pool: TermPool,
    pub variables: Vec<TermId>,
    pub assignments: Vec<Assignment>,
    pub entries: Vec<Entry>,
    widest: u32,
}

/// A small generator of numbers for values.
pub fn scramble(seed: u64) -> u64 {
    let mut x = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

pub fn random_value(sort: Sort, seed: u64) -> Value {
    let random = scramble(seed);
    let interesting = [0, 1, u64::MAX, 1 << 63, random, random & 7, !(random & 7), random >> 32];
    match sort {
        Sort::Bool => Value::Bool(random & 1 == 1),
        Sort::BitVec(width) => {
            let bits = interesting[(scramble(random) % 8) as usize];
            let bits = if bits == 1 << 63 {
                BitVec::signed_min(width)
            } else {
                BitVec::from_i64(width, bits as i64)
            };
            Value::BitVec(bits)
        }
        Sort::Float(format) => {
            let Value::BitVec(bits) = random_value(Sort::BitVec(format.width()), seed) else {
                unreachable!()
            };
            Value::float_from_bits(format, bits)
        }
        Sort::Array { index, element } => {
            let mut value = Value::default_of(sort);
            if let Value::Array(array) = &mut value {
                for i in 0..4 {
                    let at = BitVec::new(index, scramble(random + i));
                    array.store(at, BitVec::new(element, scramble(random + i + 10)));
                }
            }
            value
        }
        Sort::Int => Value::Int(((random % 21) as i64 - 10).into()),
    }
}

/// The number of bits that number all values of a sort.
fn value_bits(sort: Sort) -> u32 {
    match sort {
        Sort::Bool => 1,
        Sort::BitVec(width) => width,
        Sort::Float(format) => format.width(),
        Sort::Array { index, element } => element << index,
        Sort::Int => panic!("there are too many integers"),
    }
}

/// The value of a sort that has this number.
fn nth_value(sort: Sort, number: u64) -> Value {
    match sort {
        Sort::Bool => Value::Bool(number & 1 == 1),
        Sort::BitVec(width) => Value::BitVec(BitVec::new(width, number)),
        Sort::Float(format) => Value::float_from_bits(format, BitVec::new(format.width(), number)),
        Sort::Array { index, element } => {
            let mut value = Value::default_of(sort);
            if let Value::Array(array) = &mut value {
                for i in 0..1 << index {
                    array.store(BitVec::new(index, i), BitVec::new(element, number >> (i as u32 * element)));
                }
            }
            value
        }
        Sort::Int => panic!("there are too many integers"),
    }
}

impl Cook {
    /// With so many random assignments.
    pub fn new(sorts: &[Sort], assignments: u64, seed: u64) -> Self {
        let random = |a: u64, i: usize| random_value(sorts[i], seed ^ (a << 32 | i as u64));
        Self::with_values(sorts, assignments, random)
    }

    /// With all assignments that there are.
    pub fn exhaustive(sorts: &[Sort]) -> Self {
        let sizes: Vec<u32> = sorts.iter().map(|&sort| value_bits(sort)).collect();
        let total: u32 = sizes.iter().sum();
        let nth = |a: u64, i: usize| nth_value(sorts[i], a >> sizes[..i].iter().sum::<u32>());
        Self::with_values(sorts, 1 << total, nth)
    }

    fn with_values(sorts: &[Sort], assignments: u64, value: impl Fn(u64, usize) -> Value) -> Self {
        let mut pool = TermPool::new();
        let variables: Vec<_> =
            sorts.iter().enumerate().map(|(i, &sort)| pool.variable(&format!("v{i}"), sort)).collect();
        let assignments: Vec<Assignment> = (0..assignments)
            .map(|a| variables.iter().enumerate().map(|(i, &v)| (v, value(a, i))).collect())
            .collect();
        let widest = sorts.iter().filter_map(|sort| sort.width()).max().unwrap_or(8) * 2;
        let mut cook = Self { pool, variables: variables.clone(), assignments, entries: Vec::new(), widest };
        for variable in variables {
            let values = cook.assignments.iter().map(|a| a[&variable].clone()).collect();
            cook.entries.push(Entry { term: variable, values });
        }
        cook
    }

    fn pick(&self, choice: u16, fits: impl Fn(Sort) -> bool) -> Option<usize> {
        let fitting: Vec<_> =
            (0..self.entries.len()).filter(|&i| fits(self.pool.sort(self.entries[i].term))).collect();
        // Later results are chosen more often, which makes terms deeper.
        let count = fitting.len();
        let back = (choice as usize % (count.max(1))).min(choice as usize / 7 % count.max(1));
        fitting.get(count.wrapping_sub(1 + back)).copied()
    }

    fn sort_of(&self, entry: usize) -> Sort {
        self.pool.sort(self.entries[entry].term)
    }

    /// Adds an entry whose term is `built` and whose values come from `direct`.
    fn finish(&mut self, built: TermId, operands: &[usize], direct: impl Fn(&[&Value]) -> Value) -> usize {
        let values = (0..self.assignments.len())
            .map(|a| {
                let of: Vec<_> = operands.iter().map(|&operand| &self.entries[operand].values[a]).collect();
                direct(&of)
            })
            .collect();
        self.entries.push(Entry { term: built, values });
        self.entries.len() - 1
    }

    pub fn constant(&mut self, sort: Sort, seed: u64) -> Option<usize> {
        let value = random_value(sort, seed);
        let term = self.pool.constant(&value);
        Some(self.finish(term, &[], |_| value.clone()))
    }

    /// Carries out one step; `None` if no operands fit.
    pub fn step(&mut self, theory: Theory, step: Step) -> Option<usize> {
        match theory {
            Theory::BitVec => self.bitvec_step(step),
            Theory::Array if !step.0.is_multiple_of(3) => {
                self.array_step((step.0 / 3, step.1, step.2, step.3))
            }
            Theory::Array => self.bitvec_step((step.0 / 3, step.1, step.2, step.3)),
            Theory::Float if !step.0.is_multiple_of(4) => {
                self.float_step((step.0 / 4, step.1, step.2, step.3))
            }
            Theory::Float => self.bitvec_step((step.0 / 4, step.1, step.2, step.3)),
            Theory::Int => self.int_step(step),
        }
    }

    fn bool_step(&mut self, (op, a, b, c): Step) -> Option<usize> {
        let is_bool = |sort| sort == Sort::Bool;
        let operands = [self.pick(a, is_bool)?, self.pick(b, is_bool)?, self.pick(c, is_bool)?];
        let [x, y, z] = operands.map(|operand| self.entries[operand].term);
        let pool = &mut self.pool;
        let two = |f: fn(bool, bool) -> bool| move |v: &[&Value]| Value::Bool(f(truth(v[0]), truth(v[1])));
        let (built, direct): (_, Direct) = match op % 7 {
            0 => (pool.and(x, y), Box::new(two(|a, b| a && b))),
            1 => (pool.or(x, y), Box::new(two(|a, b| a || b))),
            2 => (pool.xor(x, y), Box::new(two(|a, b| a != b))),
            3 => (pool.implies(x, y), Box::new(two(|a, b| !a || b))),
            4 => (pool.not(x), Box::new(two(|a, _| !a))),
            5 => (pool.iff(x, y), Box::new(two(|a, b| a == b))),
            _ => (
                pool.ite(x, y, z),
                Box::new(|v: &[&Value]| if truth(v[0]) { v[1].clone() } else { v[2].clone() }),
            ),
        };
        Some(self.finish(built, &operands, direct))
    }

    fn bitvec_step(&mut self, (op, a, b, c): Step) -> Option<usize> {
        let is_bitvec = |sort: Sort| sort.width().is_some();
        let first = self.pick(a, is_bitvec)?;
        let sort = self.sort_of(first);
        let width = sort.width()?;
        let second = self.pick(b, |other| other == sort)?;
        let condition = self.pick(c, |sort| sort == Sort::Bool)?;
        let [x, y, z] = [first, second, condition].map(|operand| self.entries[operand].term);
        let pool = &mut self.pool;
        let plain = |op, sort| Operation { op, mode: RoundingMode::NearestEven, sort, low: 0 };
        let binary = [
            Op::Add,
            Op::Mul,
            Op::BitAnd,
            Op::BitOr,
            Op::BitXor,
            Op::Udiv,
            Op::Urem,
            Op::Sdiv,
            Op::Srem,
            Op::Shl,
            Op::Lshr,
            Op::Ashr,
        ];
        let not = |value: Value| Value::Bool(!value.as_bool().unwrap());
        match op % 32 {
            index @ 0..12 => {
                let op = binary[index as usize];
                let like = plain(op, sort);
                let built = build_binary(pool, op, x, y);
                Some(self.finish(built, &[first, second], |v| apply(&like, v)))
            }
            12 => {
                let built = pool.sub(x, y);
                let bits = |v: &Value| v.as_bitvec().unwrap().clone();
                Some(self.finish(built, &[first, second], |v| Value::BitVec(bits(v[0]).sub(&bits(v[1])))))
            }
            13 => {
                let built = pool.neg(x);
                Some(self.finish(built, &[first], |v| apply(&plain(Op::Neg, sort), v)))
            }
            14 => {
                let built = pool.bit_not(x);
                Some(self.finish(built, &[first], |v| apply(&plain(Op::BitNot, sort), v)))
            }
            15 => {
                let built = pool.ult(x, y);
                Some(self.finish(built, &[first, second], |v| apply(&plain(Op::Ult, Sort::Bool), v)))
            }
            16 => {
                let built = pool.slt(x, y);
                Some(self.finish(built, &[first, second], |v| apply(&plain(Op::Slt, Sort::Bool), v)))
            }
            17 => {
                let built = pool.ule(y, x);
                Some(self.finish(built, &[first, second], |v| not(apply(&plain(Op::Ult, Sort::Bool), v))))
            }
            18 => {
                let built = pool.sle(y, x);
                Some(self.finish(built, &[first, second], |v| not(apply(&plain(Op::Slt, Sort::Bool), v))))
            }
            19 | 20 => {
                let built = pool.eq(x, y);
                Some(self.finish(built, &[first, second], |v| apply(&plain(Op::Eq, Sort::Bool), v)))
            }
            21 => {
                let built = pool.ite(z, x, y);
                Some(self.finish(built, &[condition, first, second], |v| apply(&plain(Op::Ite, sort), v)))
            }
            22 if width < self.widest => {
                let other = self.pick(b, |sort| sort.width().is_some_and(|w| w + width <= self.widest))?;
                let sort = Sort::BitVec(width + self.sort_of(other).width()?);
                let built = self.pool.concat(x, self.entries[other].term);
                Some(self.finish(built, &[first, other], |v| apply(&plain(Op::Concat, sort), v)))
            }
            23 | 24 => {
                let low = u32::from(b) % width;
                let high = low + u32::from(c) % (width - low);
                let built = pool.extract(x, high, low);
                let like = Operation { low, ..plain(Op::Extract, Sort::BitVec(high - low + 1)) };
                Some(self.finish(built, &[first], |v| apply(&like, v)))
            }
            25 if width < self.widest => {
                let wide = width + 1 + u32::from(b) % (self.widest - width);
                let built = pool.sign_extend(x, wide);
                Some(self.finish(built, &[first], |v| apply(&plain(Op::SignExtend, Sort::BitVec(wide)), v)))
            }
            26 if width < self.widest => {
                let wide = width + 1 + u32::from(b) % (self.widest - width);
                let built = pool.zero_extend(x, wide);
                let extend = |v: &Value| v.as_bitvec().unwrap().zero_extend(wide);
                Some(self.finish(built, &[first], |v| Value::BitVec(extend(v[0]))))
            }
            27 => {
                let built = pool.bool_to_bitvec(z, width);
                let convert = |v: &Value| BitVec::new(width, v.as_bool().unwrap().into());
                Some(self.finish(built, &[condition], |v| Value::BitVec(convert(v[0]))))
            }
            28 | 29 => self.constant(sort, u64::from(b) << 16 | u64::from(c)),
            _ => self.bool_step((b ^ op, a, b, c)),
        }
    }

    fn array_step(&mut self, (op, a, b, c): Step) -> Option<usize> {
        let array = self.pick(a, |sort| matches!(sort, Sort::Array { .. }))?;
        let sort = self.sort_of(array);
        let Sort::Array { index, element } = sort else { return None };
        let at = self.pick(b, |sort| sort == Sort::BitVec(index))?;
        let value = self.pick(c, |sort| sort == Sort::BitVec(element))?;
        let [x, i, v] = [array, at, value].map(|operand| self.entries[operand].term);
        let plain = |op, sort| Operation { op, mode: RoundingMode::NearestEven, sort, low: 0 };
        match op % 8 {
            0..3 => {
                let built = self.pool.select(x, i);
                let like = plain(Op::Select, Sort::BitVec(element));
                Some(self.finish(built, &[array, at], |v| apply(&like, v)))
            }
            3 | 4 => {
                let built = self.pool.store(x, i, v);
                Some(self.finish(built, &[array, at, value], |v| apply(&plain(Op::Store, sort), v)))
            }
            5 => {
                let condition = self.pick(b, |sort| sort == Sort::Bool)?;
                let other = self.pick(c, |other| other == sort)?;
                let built = self.pool.ite(self.entries[condition].term, x, self.entries[other].term);
                Some(self.finish(built, &[condition, array, other], |v| apply(&plain(Op::Ite, sort), v)))
            }
            6 => {
                let other = self.pick(c, |other| other == sort)?;
                let built = self.pool.eq(x, self.entries[other].term);
                Some(self.finish(built, &[array, other], |v| apply(&plain(Op::Eq, Sort::Bool), v)))
            }
            _ => {
                let built = self.pool.constant_array(index, v);
                Some(self.finish(built, &[value], |v| apply(&plain(Op::ConstantArray, sort), v)))
            }
        }
    }

    fn float_step(&mut self, (op, a, b, c): Step) -> Option<usize> {
        let first = self.pick(a, |sort| sort.format().is_some())?;
        let sort = self.sort_of(first);
        let format = sort.format()?;
        let second = self.pick(b, |other| other == sort)?;
        let third = self.pick(c, |other| other == sort)?;
        let mode = RoundingMode::ALL[usize::from(b ^ c) % 5];
        let [x, y, z] = [first, second, third].map(|operand| self.entries[operand].term);
        let like = |op, sort| Operation { op, mode, sort, low: 0 };
        let pool = &mut self.pool;
        let classes = [
            Op::FloatIsNan,
            Op::FloatIsInfinite,
            Op::FloatIsZero,
            Op::FloatIsNormal,
            Op::FloatIsSubnormal,
            Op::FloatIsNegative,
        ];
        let (built, operands, operation) = match op % 24 {
            0 => (pool.float_add(mode, x, y), vec![first, second], like(Op::FloatAdd, sort)),
            1 => (pool.float_mul(mode, x, y), vec![first, second], like(Op::FloatMul, sort)),
            2 => (pool.float_div(mode, x, y), vec![first, second], like(Op::FloatDiv, sort)),
            3 => (pool.float_rem(x, y), vec![first, second], like(Op::FloatRem, sort)),
            4 => (pool.float_fma(mode, x, y, z), vec![first, second, third], like(Op::FloatFma, sort)),
            5 => (pool.float_sqrt(mode, x), vec![first], like(Op::FloatSqrt, sort)),
            6 => (pool.float_round_to_integral(mode, x), vec![first], like(Op::FloatRoundToIntegral, sort)),
            7 => (pool.float_neg(x), vec![first], like(Op::FloatNeg, sort)),
            8 => (pool.float_abs(x), vec![first], like(Op::FloatAbs, sort)),
            9 => (pool.float_eq(x, y), vec![first, second], like(Op::FloatEq, Sort::Bool)),
            10 => (pool.float_lt(x, y), vec![first, second], like(Op::FloatLt, Sort::Bool)),
            11 => (pool.float_le(x, y), vec![first, second], like(Op::FloatLe, Sort::Bool)),
            12 => (pool.eq(x, y), vec![first, second], like(Op::Eq, Sort::Bool)),
            13 | 14 => {
                let class = classes[usize::from(b) % classes.len()];
                (build_class(pool, class, x), vec![first], like(class, Sort::Bool))
            }
            15 => {
                let bits = pool.float_to_bits(x);
                (bits, vec![first], like(Op::FloatToBits, Sort::BitVec(format.width())))
            }
            16 => {
                let bits = self.pick(b, |sort| sort == Sort::BitVec(format.width()))?;
                let built = self.pool.float_from_bits(format, self.entries[bits].term);
                (built, vec![bits], like(Op::FloatFromBits, sort))
            }
            17 => {
                let other = [FloatFormat::new(3, 3), FloatFormat::new(2, 4), FloatFormat::new(4, 5), format];
                let target = other[usize::from(c) % 4];
                let built = pool.float_to_float(mode, target, x);
                if target == format {
                    self.entries.push(Entry { term: built, values: self.entries[first].values.clone() });
                    return Some(self.entries.len() - 1);
                }
                (built, vec![first], like(Op::FloatFromFloat, Sort::Float(target)))
            }
            18 | 19 => {
                let integer = self.pick(b, |sort| sort.width().is_some())?;
                let term = self.entries[integer].term;
                let signed = op % 24 == 18;
                let built = if signed {
                    self.pool.float_from_signed(mode, format, term)
                } else {
                    self.pool.float_from_unsigned(mode, format, term)
                };
                let op = if signed { Op::FloatFromSigned } else { Op::FloatFromUnsigned };
                (built, vec![integer], like(op, sort))
            }
            20 => {
                let width = 1 + u32::from(c) % self.widest;
                let built = pool.float_to_signed(mode, width, x);
                (built, vec![first], like(Op::FloatToSigned, Sort::BitVec(width)))
            }
            21 => {
                let width = 1 + u32::from(c) % self.widest;
                let built = pool.float_to_unsigned(mode, width, x);
                (built, vec![first], like(Op::FloatToUnsigned, Sort::BitVec(width)))
            }
            22 => return self.constant(sort, u64::from(b) << 16 | u64::from(c)),
            _ => {
                let condition = self.pick(c, |sort| sort == Sort::Bool)?;
                let built = self.pool.ite(self.entries[condition].term, x, y);
                (built, vec![condition, first, second], like(Op::Ite, sort))
            }
        };
        Some(self.finish(built, &operands, |v| apply(&operation, v)))
    }

    fn int_step(&mut self, (op, a, b, c): Step) -> Option<usize> {
        let is_int = |sort| sort == Sort::Int;
        let (first, second) = (self.pick(a, is_int)?, self.pick(b, is_int)?);
        let condition = self.pick(c, |sort| sort == Sort::Bool)?;
        let [x, y, z] = [first, second, condition].map(|operand| self.entries[operand].term);
        let pool = &mut self.pool;
        let plain = |op, sort| Operation { op, mode: RoundingMode::NearestEven, sort, low: 0 };
        let (built, operation) = match op % 10 {
            0 | 1 => (pool.int_add(x, y), plain(Op::IntAdd, Sort::Int)),
            2 => (pool.int_mul(x, y), plain(Op::IntMul, Sort::Int)),
            3 => (pool.int_div(x, y), plain(Op::IntDiv, Sort::Int)),
            4 => (pool.int_mod(x, y), plain(Op::IntMod, Sort::Int)),
            5 => (pool.int_lt(x, y), plain(Op::IntLt, Sort::Bool)),
            6 => (pool.eq(x, y), plain(Op::Eq, Sort::Bool)),
            7 => {
                let built = pool.ite(z, x, y);
                let like = plain(Op::Ite, Sort::Int);
                return Some(self.finish(built, &[condition, first, second], |v| apply(&like, v)));
            }
            8 => return self.constant(Sort::Int, u64::from(b) << 16 | u64::from(c)),
            _ => return self.bool_step((b ^ op, a, b, c)),
        };
        Some(self.finish(built, &[first, second], |v| apply(&operation, v)))
    }
}

fn truth(value: &Value) -> bool {
    value.as_bool().unwrap()
}

fn build_binary(pool: &mut TermPool, op: Op, x: TermId, y: TermId) -> TermId {
    match op {
        Op::Add => pool.add(x, y),
        Op::Mul => pool.mul(x, y),
        Op::BitAnd => pool.bit_and(x, y),
        Op::BitOr => pool.bit_or(x, y),
        Op::BitXor => pool.bit_xor(x, y),
        Op::Udiv => pool.udiv(x, y),
        Op::Urem => pool.urem(x, y),
        Op::Sdiv => pool.sdiv(x, y),
        Op::Srem => pool.srem(x, y),
        Op::Shl => pool.shl(x, y),
        Op::Lshr => pool.lshr(x, y),
        _ => pool.ashr(x, y),
    }
}

fn build_class(pool: &mut TermPool, class: Op, x: TermId) -> TermId {
    match class {
        Op::FloatIsNan => pool.float_is_nan(x),
        Op::FloatIsInfinite => pool.float_is_infinite(x),
        Op::FloatIsZero => pool.float_is_zero(x),
        Op::FloatIsNormal => pool.float_is_normal(x),
        Op::FloatIsSubnormal => pool.float_is_subnormal(x),
        _ => pool.float_is_negative(x),
    }
}

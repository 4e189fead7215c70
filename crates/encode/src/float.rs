//! Floats in memory: from terms of a float sort to bytes and back.
//!
//! Terms know one value that is not a number, machines have many: its sign and its payload. They are seen where a float
//! becomes bytes or its sign is asked for. What is only copied, negated or made positive keeps them, and conversions keep
//! the sign; what other operations make of them C does not say, so they are any bits then, and others each time that one looks.

use sema::types::FloatKind;
use term::{FloatFormat, Op, Sort, TermId, TermPool};

/// Choices between floats are looked into up to this many alternatives.
const MOST_ALTERNATIVES: u32 = 64;

pub fn format(kind: FloatKind) -> FloatFormat {
    match kind {
        FloatKind::Half => FloatFormat::HALF,
        FloatKind::Float => FloatFormat::SINGLE,
        FloatKind::Double => FloatFormat::DOUBLE,
        FloatKind::LongDouble => FloatFormat::X87,
        FloatKind::Quad => FloatFormat::QUAD,
    }
}

/// Width of the representation in memory, without padding.
pub fn memory_width(format: FloatFormat) -> u32 {
    if format == FloatFormat::X87 { 80 } else { format.width() }
}

/// The bits as memory has them. The x87 format stores its integer bit, IEEE formats do not.
pub fn to_memory(pool: &mut TermPool, float: TermId) -> TermId {
    let Sort::Float(format) = pool.sort(float) else { return float };
    let bits = packed_bits(pool, float);
    if format != FloatFormat::X87 {
        return bits;
    }
    let head = pool.extract(bits, 78, 63);
    let exponent = pool.extract(bits, 77, 63);
    let fraction = pool.extract(bits, 62, 0);
    let zero = pool.bitvec(15, 0);
    let subnormal = pool.eq(exponent, zero);
    let normal = pool.not(subnormal);
    let integer = pool.bool_to_bitvec(normal, 1);
    let significand = pool.concat(integer, fraction);
    pool.concat(head, significand)
}

/// Whether bits of the x87 format have the integer bit that operations give: set unless the exponent is 0.
pub fn is_usual(pool: &mut TermPool, bits: TermId) -> TermId {
    let (exponent, zero) = (pool.extract(bits, 78, 64), pool.bitvec(15, 0));
    let is_subnormal = pool.eq(exponent, zero);
    let integer = pool.bit(bits, 63);
    let has_none = pool.not(integer);
    pool.eq(is_subnormal, has_none)
}

/// The float that the low bits of `bits` represent.
pub fn from_memory(pool: &mut TermPool, bits: TermId, format: FloatFormat) -> TermId {
    if format != FloatFormat::X87 {
        let bits = pool.resize_unsigned(bits, format.width());
        return from_packed(pool, bits, format);
    }
    let head = pool.extract(bits, 79, 64);
    let fraction = pool.extract(bits, 62, 0);
    let packed = pool.concat(head, fraction);
    from_packed(pool, packed, format)
}

/// Whether the sign bit is set.
pub fn has_sign(pool: &mut TermPool, float: TermId) -> TermId {
    let (is_nan, is_negative) = (pool.float_is_nan(float), pool.float_is_negative(float));
    if is_nan == TermPool::FALSE {
        return is_negative;
    }
    let bits = nan_bits(pool, float, &mut { MOST_ALTERNATIVES });
    let sign = pool.bit(bits, pool.width(bits) - 1);
    pool.ite(is_nan, sign, is_negative)
}

/// The bits of the format, without those that only memory has.
fn packed_bits(pool: &mut TermPool, float: TermId) -> TermId {
    if let (Op::FloatFromBits, &[bits]) = (pool.op(float), pool.children(float)) {
        return bits;
    }
    let (is_nan, number) = (pool.float_is_nan(float), pool.float_to_bits(float));
    if is_nan == TermPool::FALSE {
        return number;
    }
    let bits = nan_bits(pool, float, &mut { MOST_ALTERNATIVES });
    pool.ite(is_nan, bits, number)
}

/// The float with these bits; if they are those of a float, that one.
fn from_packed(pool: &mut TermPool, bits: TermId, format: FloatFormat) -> TermId {
    if let (Op::Ite, &[is_nan, _, number]) = (pool.op(bits), pool.children(bits))
        && let (Op::FloatToBits, &[float]) = (pool.op(number), pool.children(number))
        && pool.sort(float) == Sort::Float(format)
        && pool.float_is_nan(float) == is_nan
    {
        return float;
    }
    pool.float_from_bits(format, bits)
}

/// The bits of a float that is not a number. Choices are looked into as long as some alternatives are left.
fn nan_bits(pool: &mut TermPool, float: TermId, alternatives: &mut u32) -> TermId {
    let format = pool.format(float);
    let head = format.width() - 1;
    match (pool.op(float), pool.children(float)) {
        (Op::FloatFromBits, &[bits]) => bits,
        (Op::FloatNeg | Op::FloatAbs, &[operand]) => {
            let bits = nan_bits(pool, operand, alternatives);
            let (sign, rest) = (pool.bit(bits, head), pool.extract(bits, head - 1, 0));
            let sign = if pool.op(float) == Op::FloatAbs { TermPool::FALSE } else { pool.not(sign) };
            let sign = pool.bool_to_bitvec(sign, 1);
            pool.concat(sign, rest)
        }
        (Op::FloatFromFloat, &[operand]) => {
            let sign = has_sign(pool, operand);
            let sign = pool.bool_to_bitvec(sign, 1);
            let bits = pool.fresh_variable("nan", Sort::BitVec(format.width()));
            any_nan(pool, format, sign, bits, true)
        }
        (Op::Ite, &[choice, then, otherwise]) if *alternatives > 0 => {
            *alternatives -= 1;
            let then = nan_bits(pool, then, alternatives);
            let otherwise = nan_bits(pool, otherwise, alternatives);
            pool.ite(choice, then, otherwise)
        }
        (op, _) => {
            let sort = Sort::BitVec(format.width());
            let bits = match pool.variable_name(float).map(|name| format!("nan of {name}")) {
                Some(name) => pool.variable(&name, sort),
                None => pool.fresh_variable("nan", sort),
            };
            let sign = pool.extract(bits, head, head);
            let is_copied = matches!(op, Op::Variable | Op::Constant | Op::Ite);
            any_nan(pool, format, sign, bits, !is_copied)
        }
    }
}

/// The bits of something that is not a number, with a payload from some bits. What an operation gives is quiet.
fn any_nan(pool: &mut TermPool, format: FloatFormat, sign: TermId, bits: TermId, is_quiet: bool) -> TermId {
    let quiet = format.fraction() - 1;
    let payload = pool.extract(bits, quiet - 1, 0);
    let is_quiet = if is_quiet {
        TermPool::TRUE
    } else {
        let (bit, zero) = (pool.bit(bits, quiet), pool.bitvec_constant(&term::BitVec::zero(quiet)));
        let is_empty = pool.eq(payload, zero);
        pool.or(bit, is_empty)
    };
    let is_quiet = pool.bool_to_bitvec(is_quiet, 1);
    let exponent = pool.bitvec_constant(&term::BitVec::ones(format.exponent));
    let head = pool.concat(sign, exponent);
    let head = pool.concat(head, is_quiet);
    pool.concat(head, payload)
}

//! Floats in memory: from terms of a float sort to bytes and back.
//!
//! Terms know one value that is not a number, machines have many: its sign and its payload. They are seen where a float
//! becomes bytes or its sign is asked for. What is only copied, negated or made positive keeps them, and conversions keep
//! the sign; what other operations make of them C does not say, so they are any bits then, and others each time that one looks.

use sema::types::FloatKind;
use term::{FloatFormat, Op, Sort, TermId, TermPool};

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
    let bits = packed_bits(pool, float, format);
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
    match (pool.op(float), pool.children(float)) {
        (Op::FloatFromBits, &[bits]) => pool.bit(bits, pool.width(bits) - 1),
        (Op::FloatNeg, &[operand]) => {
            let sign = has_sign(pool, operand);
            pool.not(sign)
        }
        (Op::FloatAbs, _) => TermPool::FALSE,
        (Op::FloatFromFloat, &[operand]) => has_sign(pool, operand),
        _ => {
            let (is_nan, is_negative) = (pool.float_is_nan(float), pool.float_is_negative(float));
            if is_nan == TermPool::FALSE {
                return is_negative;
            }
            let bits = packed_bits(pool, float, pool.format(float));
            let sign = pool.bit(bits, pool.width(bits) - 1);
            pool.ite(is_nan, sign, is_negative)
        }
    }
}

/// The bits of the format, without those that only memory has.
fn packed_bits(pool: &mut TermPool, float: TermId, format: FloatFormat) -> TermId {
    match (pool.op(float), pool.children(float)) {
        (Op::FloatFromBits, &[bits]) => return bits,
        (Op::FloatNeg | Op::FloatAbs, &[operand]) => {
            let sign = has_sign(pool, float);
            let sign = pool.bool_to_bitvec(sign, 1);
            let bits = packed_bits(pool, operand, format);
            let rest = pool.extract(bits, format.width() - 2, 0);
            return pool.concat(sign, rest);
        }
        _ => {}
    }
    let is_nan = pool.float_is_nan(float);
    let bits = pool.float_to_bits(float);
    if is_nan == TermPool::FALSE {
        return bits;
    }
    let any = any_nan(pool, float, format);
    pool.ite(is_nan, any, bits)
}

/// The bits of some value that is not a number: always the same ones for what the environment has chosen, which may
/// be signalling.
fn any_nan(pool: &mut TermPool, float: TermId, format: FloatFormat) -> TermId {
    let (width, sort) = (format.width(), Sort::BitVec(format.width()));
    let (any, is_chosen) = match pool.variable_name(float).map(|name| format!("nan of {name}")) {
        Some(name) => (pool.variable(&name, sort), true),
        None => (pool.fresh_variable("nan", sort), false),
    };
    let quiet = format.fraction() - 1;
    let (sign, payload) = (pool.extract(any, width - 1, width - 1), pool.extract(any, quiet - 1, 0));
    let is_quiet = if is_chosen {
        let (bit, zero) = (pool.bit(any, quiet), pool.bitvec_constant(&term::BitVec::zero(quiet)));
        let is_empty = pool.eq(payload, zero);
        pool.or(bit, is_empty)
    } else {
        TermPool::TRUE
    };
    let (is_quiet, exponent) =
        (pool.bool_to_bitvec(is_quiet, 1), pool.bitvec_constant(&term::BitVec::ones(width - quiet - 2)));
    let head = pool.concat(sign, exponent);
    let head = pool.concat(head, is_quiet);
    pool.concat(head, payload)
}

/// The float with these bits; if they are those of a float, that one.
fn from_packed(pool: &mut TermPool, bits: TermId, format: FloatFormat) -> TermId {
    if let (Op::Ite, &[is_nan, _, number]) = (pool.op(bits), pool.children(bits))
        && let (Op::FloatIsNan, &[float]) = (pool.op(is_nan), pool.children(is_nan))
        && (pool.op(number), pool.children(number)) == (Op::FloatToBits, &[float])
        && pool.sort(float) == Sort::Float(format)
    {
        return float;
    }
    pool.float_from_bits(format, bits)
}

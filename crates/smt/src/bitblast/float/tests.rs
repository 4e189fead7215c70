//! The circuits compute on constants too, because gates with constant inputs fold. So all values of
//! small formats, and many of the large ones, are compared to the exact arithmetic of `term`.

use super::*;
use term::{BitVec, RoundingMode};

fn pack(value: &FloatValue) -> Word {
    word::constant(value.bits())
}

fn bits_of(word: &[Bit]) -> BitVec {
    let bit = |bit: Bit| {
        assert!(bit.is_constant(), "constants give constants");
        BitVec::new(1, u64::from(bit == Bit::TRUE))
    };
    word[1..].iter().fold(bit(word[0]), |low, &high| bit(high).concat(&low))
}

fn read(format: FloatFormat, word: &[Bit]) -> FloatValue {
    let value = FloatValue::from_bits(format, bits_of(word));
    assert_eq!(*value.bits(), bits_of(word), "NaN has one pattern");
    value
}

fn compare(x: &FloatValue, y: &FloatValue, z: &FloatValue, mode: RoundingMode) {
    let format = x.format();
    let mut aig = Aig::new();
    let (a, b, c) = (pack(x), pack(y), pack(z));
    let check = |name: &str, found: &[Bit], expected: FloatValue| {
        assert_eq!(read(expected.format(), found), expected, "{name} {x} {y} {z} {mode:?}");
    };
    check("add", &aig.float_add(format, mode, &a, &b), x.add(y, mode));
    check("mul", &aig.float_mul(format, mode, &a, &b), x.mul(y, mode));
    check("div", &aig.float_div(format, mode, &a, &b), x.div(y, mode));
    check("fma", &aig.float_fma(format, mode, [&a, &b, &c]), x.fma(y, z, mode));
    assert_eq!(aig.float_less(format, &a, &b), Bit::constant(x.compare(y).is_some_and(|o| o.is_lt())));
    assert_eq!(aig.float_equal(format, &a, &b), Bit::constant(x.compare(y).is_some_and(|o| o.is_eq())));
}

fn compare_unary(x: &FloatValue, mode: RoundingMode, formats: &[FloatFormat], widths: &[usize]) {
    let format = x.format();
    let mut aig = Aig::new();
    let a = pack(x);
    let check = |name: &str, found: &[Bit], expected: FloatValue| {
        assert_eq!(read(expected.format(), found), expected, "{name} {x} {mode:?}");
    };
    check("sqrt", &aig.float_sqrt(format, mode, &a), x.sqrt(mode));
    check("integral", &aig.float_round_to_integral(format, mode, &a), x.round_to_integral(mode));
    check("neg", &aig.float_neg(format, &a), x.neg());
    check("abs", &aig.float_abs(&a), x.abs());
    for &to in formats {
        check("convert", &aig.float_to_float(format, to, mode, &a), x.to_format(to, mode));
    }
    for &width in widths {
        let signed = aig.float_to_integer(format, mode, &a, width, true);
        assert_eq!(bits_of(&signed), x.to_signed(width as u32, mode), "signed {width} {x} {mode:?}");
        let unsigned = aig.float_to_integer(format, mode, &a, width, false);
        assert_eq!(bits_of(&unsigned), x.to_unsigned(width as u32, mode), "unsigned {width} {x} {mode:?}");
    }
    let classes = [
        (aig.float_is_nan(format, &a), x.is_nan()),
        (aig.float_is_infinite(format, &a), x.is_infinite()),
        (aig.float_is_zero(&a), x.is_zero()),
        (aig.float_is_normal(format, &a), x.is_normal()),
        (aig.float_is_subnormal(format, &a), x.is_subnormal()),
        (aig.float_is_negative(format, &a), x.is_negative()),
    ];
    for (found, expected) in classes {
        assert_eq!(found, Bit::constant(expected), "class of {x}");
    }
}

fn all(format: FloatFormat) -> impl Iterator<Item = FloatValue> {
    (0..1 << format.width()).map(move |bits| FloatValue::from_bits(format, BitVec::new(format.width(), bits)))
}

fn scramble(seed: u64) -> u64 {
    let mut x = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// Random bits, with exponents near the ends or near zero more often than not.
fn random(format: FloatFormat, seed: u64) -> FloatValue {
    let wide = BitVec::new(64, scramble(seed)).concat(&BitVec::new(64, scramble(!seed)));
    let bits = wide.extract(format.width() - 1, 0);
    let exponent = match scramble(seed ^ 99) % 4 {
        0 => scramble(seed ^ 7) % 4,
        1 => !(scramble(seed ^ 7) % 4),
        2 => (format.bias() as u64 + scramble(seed ^ 7) % 128).wrapping_sub(64),
        _ => scramble(seed ^ 7),
    };
    let fraction = bits.extract(format.fraction() - 1, 0);
    let sparse =
        if scramble(seed ^ 5).is_multiple_of(3) { fraction.and(&fraction.lshr(&fraction)) } else { fraction };
    let sign = BitVec::new(1, scramble(seed ^ 3));
    let bits = sign.concat(&BitVec::new(format.exponent, exponent)).concat(&sparse);
    FloatValue::from_bits(format, bits)
}

#[test]
fn all_values_of_small_formats() {
    for format in [FloatFormat::new(3, 3), FloatFormat::new(2, 2), FloatFormat::new(2, 4)] {
        let values: Vec<_> = all(format).collect();
        for (i, x) in values.iter().enumerate() {
            for mode in RoundingMode::ALL {
                let formats = [FloatFormat::new(2, 3), FloatFormat::new(4, 2), FloatFormat::new(3, 6)];
                compare_unary(x, mode, &formats, &[1, 2, 3, 5, 9]);
                for (j, y) in values.iter().enumerate() {
                    compare(x, y, &values[(i * 31 + j * 17) % values.len()], mode);
                }
            }
            for y in &values {
                let found = Aig::new().float_rem(format, &pack(x), &pack(y));
                assert_eq!(read(format, &found), x.rem(y), "rem {x} {y}");
            }
        }
    }
}

#[test]
fn random_values_of_common_formats() {
    let formats = [FloatFormat::HALF, FloatFormat::SINGLE, FloatFormat::DOUBLE, FloatFormat::X87];
    for (k, &format) in formats.iter().enumerate() {
        for i in 0..60u64 {
            let seed = (k as u64) << 32 | i << 8;
            let (x, y, z) = (random(format, seed), random(format, seed + 1), random(format, seed + 2));
            for mode in RoundingMode::ALL {
                compare(&x, &y, &z, mode);
                compare(&x, &x.neg(), &y, mode);
                compare_unary(&x, mode, &formats, &[8, 32, 64, 65]);
            }
        }
    }
}

#[test]
fn random_remainders() {
    for format in [FloatFormat::HALF, FloatFormat::SINGLE] {
        for i in 0..100 {
            let (x, y) = (random(format, 2 * i), random(format, 2 * i + 1));
            let found = Aig::new().float_rem(format, &pack(&x), &pack(&y));
            assert_eq!(read(format, &found), x.rem(&y), "rem {x} {y}");
        }
    }
}

#[test]
fn integers_to_floats() {
    for width in [1usize, 3, 6, 33] {
        for i in 0..64 {
            let bits = BitVec::new(width as u32, scramble(i));
            for format in [FloatFormat::new(3, 3), FloatFormat::new(2, 4), FloatFormat::SINGLE] {
                for mode in RoundingMode::ALL {
                    let mut aig = Aig::new();
                    let a = word::constant(&bits);
                    let signed = aig.float_from_integer(format, mode, &a, true);
                    let expected = FloatValue::from_integer(format, &bits.to_signed(), mode);
                    assert_eq!(read(format, &signed), expected, "{bits} {mode:?}");
                    let unsigned = aig.float_from_integer(format, mode, &a, false);
                    let expected = FloatValue::from_integer(format, &bits.to_big().into(), mode);
                    assert_eq!(read(format, &unsigned), expected, "{bits} {mode:?}");
                }
            }
        }
    }
}

//! Exact floats against `rustc_apfloat` and the processor.

mod support;

use rustc_apfloat::ieee::{Double, Half, IeeeFloat, Quad, Semantics, Single};
use rustc_apfloat::{Float, FloatConvert, Round};
use support::scramble;
use term::{BitVec, FloatFormat, FloatValue, RoundingMode};

/// A format small enough to try all pairs of values.
struct Tiny;
impl Semantics for Tiny {
    const BITS: usize = 6;
    const EXP_BITS: usize = 3;
}

fn round(mode: RoundingMode) -> Round {
    match mode {
        RoundingMode::NearestEven => Round::NearestTiesToEven,
        RoundingMode::NearestAway => Round::NearestTiesToAway,
        RoundingMode::Upward => Round::TowardPositive,
        RoundingMode::Downward => Round::TowardNegative,
        RoundingMode::TowardZero => Round::TowardZero,
    }
}

fn format<S: Semantics>() -> FloatFormat {
    FloatFormat::new(S::EXP_BITS as u32, S::PRECISION as u32)
}

fn ours<S: Semantics>(bits: u128) -> FloatValue {
    FloatValue::from_bits(format::<S>(), BitVec::from_big(S::BITS as u32, &bits.into()))
}

fn theirs<S: Semantics>(value: IeeeFloat<S>) -> FloatValue {
    if value.is_nan() { FloatValue::nan(format::<S>()) } else { ours::<S>(value.to_bits()) }
}

fn compare<S: Semantics>(a: u128, b: u128, c: u128, mode: RoundingMode) {
    let [x, y, z] = [a, b, c].map(IeeeFloat::<S>::from_bits);
    let [p, q, r] = [a, b, c].map(ours::<S>);
    let context = || format!("{p} {q} {r} {mode:?}");
    let how = round(mode);
    assert_eq!(p.add(&q, mode), theirs(x.add_r(y, how).value), "add {}", context());
    assert_eq!(p.sub(&q, mode), theirs(x.sub_r(y, how).value), "sub {}", context());
    assert_eq!(p.mul(&q, mode), theirs(x.mul_r(y, how).value), "mul {}", context());
    assert_eq!(p.div(&q, mode), theirs(x.div_r(y, how).value), "div {}", context());
    assert_eq!(p.fma(&q, &r, mode), theirs(x.mul_add_r(y, z, how).value), "fma {}", context());
    assert_eq!(p.compare(&q), x.partial_cmp(&y), "compare {}", context());
    if !x.is_signaling() {
        let integral = theirs(x.round_to_integral(how).value);
        assert_eq!(p.round_to_integral(mode), integral, "integral {}", context());
    }
    let mut exact = false;
    let integer = x.to_i128_r(40, how, &mut exact);
    if !integer.status.contains(rustc_apfloat::Status::INVALID_OP) {
        assert_eq!(p.to_signed(40, mode), BitVec::from_i64(40, integer.value as i64), "{}", context());
    } else {
        assert!(p.to_signed(40, mode).is_zero());
    }
    let converted = IeeeFloat::<S>::from_i128_r(a as i64 as i128, how).value;
    assert_eq!(FloatValue::from_integer(p.format(), &(a as i64).into(), mode), theirs(converted));
}

fn compare_random<S: Semantics>(seed: u64, count: u64) {
    for i in 0..count {
        let bits = |k: u64| {
            let wide =
                u128::from(scramble(seed + 16 * i + k)) << 64 | u128::from(scramble(!(seed + 16 * i + k)));
            let sparse =
                [wide, wide & wide << 1 & wide << 2, wide | wide << 1 | wide << 2][(wide % 3) as usize];
            sparse & (u128::MAX >> (128 - S::BITS))
        };
        let a = bits(0);
        // Near operands cancel.
        let b = if i % 2 == 0 { bits(1) } else { a ^ (bits(1) & 7) ^ (bits(2) & 1) << (S::BITS - 1) };
        for mode in RoundingMode::ALL {
            compare::<S>(a, b, bits(3), mode);
        }
    }
}

#[test]
fn all_pairs_of_a_tiny_format() {
    for a in 0..64 {
        for b in 0..64 {
            for mode in RoundingMode::ALL {
                compare::<Tiny>(a, b, (a * 37 + b * 11) % 64, mode);
                let (x, y) = (ours::<Tiny>(a), ours::<Tiny>(b));
                let [p, q] = [a, b].map(IeeeFloat::<Tiny>::from_bits);
                assert_eq!(x.rem(&y), theirs(p.ieee_rem(q).value), "rem {x} {y}");
            }
        }
    }
}

#[test]
fn random_values_of_common_formats() {
    compare_random::<rustc_apfloat::ieee::HalfS>(1, 300);
    compare_random::<rustc_apfloat::ieee::SingleS>(2, 1000);
    compare_random::<rustc_apfloat::ieee::DoubleS>(3, 1000);
    compare_random::<rustc_apfloat::ieee::QuadS>(4, 200);
    let _: (Half, Quad);
}

#[test]
fn conversions_between_formats() {
    for i in 0..3000 {
        for mode in RoundingMode::ALL {
            let bits = scramble(i);
            let mut lossy = false;
            let narrow: Single = Double::from_bits(bits.into()).convert_r(round(mode), &mut lossy).value;
            let value = ours::<rustc_apfloat::ieee::DoubleS>(bits.into());
            assert_eq!(value.to_format(FloatFormat::SINGLE, mode), theirs(narrow));
        }
    }
}

#[test]
fn the_processor_agrees() {
    let mode = RoundingMode::NearestEven;
    for i in 0..3000 {
        let [a, b] = [0, 1].map(|k| scramble(2 * i + k));
        let (x, y) = (f64::from_bits(a), f64::from_bits(a ^ b >> (b % 64)));
        let (p, q) = (FloatValue::from_f64(x), FloatValue::from_f64(y));
        assert_eq!(p.add(&q, mode), FloatValue::from_f64(x + y));
        assert_eq!(p.mul(&q, mode), FloatValue::from_f64(x * y));
        assert_eq!(p.div(&q, mode), FloatValue::from_f64(x / y));
        assert_eq!(p.sqrt(mode), FloatValue::from_f64(x.sqrt()), "sqrt {x}");
        let (x, y) = (f32::from_bits(a as u32), f32::from_bits(b as u32));
        let (p, q) = (FloatValue::from_f32(x), FloatValue::from_f32(y));
        assert_eq!(p.add(&q, mode), FloatValue::from_f32(x + y));
        assert_eq!(p.sqrt(mode), FloatValue::from_f32(x.sqrt()));
        assert_eq!(p.fma(&q, &p, mode), FloatValue::from_f32(x.mul_add(y, x)));
    }
}

//! `<math.h>`
//!
//! What IEEE 754 defines exactly is exact; transcendental functions are those of the platform.

use super::missing::{DOMAIN, RANGE};
use super::{Arguments, narrow};
use crate::floats::{self, Class, Rounding};
use crate::machine::{Machine, Result, Returned};
use cfa::library::Library;
use sema::types::FloatKind::{self, Double, Float, LongDouble};
use std::cmp::Ordering;

impl Machine<'_> {
    pub(super) fn math(&mut self, library: Library, arguments: Arguments<'_>) -> Result<Option<Returned>> {
        if let Some((format, value)) = exact(library, arguments, self.rounding) {
            if !matches!(library, Library::Nan | Library::Nanf) {
                self.note_error(arguments, format, value);
            }
            return Ok(Some(float(format, value)));
        }
        if let Some(value) = classification(library, arguments) {
            return narrow(value as u64);
        }
        if let Some(value) = transcendental(library, arguments) {
            self.note_error(arguments, result_format(library), value.into());
            return narrow(value);
        }
        let long = 8 * self.program.types.pointer_size() as u32;
        let rounded = |format, rounding| {
            let whole = floats::round_to_integer(format, arguments.float(0, format), rounding);
            narrow(floats::to_integer(format, whole, long, true) as u64)
        };
        match library {
            Library::Lrint => rounded(Double, self.rounding),
            Library::Lrintf => rounded(Float, self.rounding),
            Library::Lround => rounded(Double, Rounding::Nearest),
            Library::Lroundf => rounded(Float, Rounding::Nearest),
            Library::Modf => self.modf(arguments, Double),
            Library::Modff => self.modf(arguments, Float),
            _ => Ok(None),
        }
    }

    /// Sets `errno` where a result that is no number, or not finite, comes from finite numbers.
    fn note_error(&mut self, arguments: Arguments<'_>, format: FloatKind, value: u128) {
        let finite = |bits| !matches!(floats::class(format, bits), Class::Nan | Class::Infinite);
        if finite(value) || !(0..arguments.0.len()).all(|index| finite(arguments.float(index, format))) {
            return;
        }
        let nan = floats::is_nan(format, value);
        self.set_errno(if nan { DOMAIN } else { RANGE });
    }

    fn modf(&mut self, arguments: Arguments<'_>, format: FloatKind) -> Result<Option<Returned>> {
        let value = arguments.float(0, format);
        let whole = floats::round_to_integer(format, value, Rounding::Truncate);
        let size = floats::value_bytes(format);
        let at = self.stretch(arguments.number(1), size as u64, true)?;
        self.memory.store_wide(at.object, at.offset, at.size, whole);
        let rest = match floats::class(format, value) {
            Class::Infinite => 0,
            _ => floats::binary(cfa::BinaryOp::Subtract, format, value, whole, Rounding::Even),
        };
        Ok(Some(float(format, floats::copy_sign(format, rest, value))))
    }
}

fn float(format: FloatKind, bits: u128) -> Returned {
    match format {
        LongDouble | FloatKind::Quad => Returned::Wide(bits),
        _ => Returned::Narrow(bits as u64),
    }
}

/// Functions whose result is exactly rounded.
fn exact(library: Library, arguments: Arguments<'_>, mode: Rounding) -> Option<(FloatKind, u128)> {
    use Library as L;
    let one = |format: FloatKind, function: fn(FloatKind, u128) -> u128| {
        Some((format, function(format, arguments.float(0, format))))
    };
    let root =
        |format: FloatKind| Some((format, floats::square_root(format, arguments.float(0, format), mode)));
    let positive_difference = |format: FloatKind| {
        let (left, right) = (arguments.float(0, format), arguments.float(1, format));
        Some((format, positive_difference(format, left, right, mode)))
    };
    let two = |format: FloatKind, function: fn(FloatKind, u128, u128) -> u128| {
        Some((format, function(format, arguments.float(0, format), arguments.float(1, format))))
    };
    let round = |format: FloatKind, rounding: Rounding| {
        Some((format, floats::round_to_integer(format, arguments.float(0, format), rounding)))
    };
    match library {
        L::Fabs => one(Double, floats::absolute),
        L::Fabsf => one(Float, floats::absolute),
        L::Fabsl => one(LongDouble, floats::absolute),
        L::Sqrt => root(Double),
        L::Sqrtf => root(Float),
        L::Sqrtl => root(LongDouble),
        L::Floor => round(Double, Rounding::Down),
        L::Floorf => round(Float, Rounding::Down),
        L::Floorl => round(LongDouble, Rounding::Down),
        L::Ceil => round(Double, Rounding::Up),
        L::Ceilf => round(Float, Rounding::Up),
        L::Ceill => round(LongDouble, Rounding::Up),
        L::Round => round(Double, Rounding::Nearest),
        L::Roundf => round(Float, Rounding::Nearest),
        L::Roundl => round(LongDouble, Rounding::Nearest),
        L::Trunc => round(Double, Rounding::Truncate),
        L::Truncf => round(Float, Rounding::Truncate),
        L::Truncl => round(LongDouble, Rounding::Truncate),
        L::Rint | L::Nearbyint => round(Double, mode),
        L::Rintf | L::Nearbyintf => round(Float, mode),
        L::Rintl | L::Nearbyintl => round(LongDouble, mode),
        L::Fmod => two(Double, floats::remainder_truncated),
        L::Fmodf => two(Float, floats::remainder_truncated),
        L::Fmodl => two(LongDouble, floats::remainder_truncated),
        L::Remainder => two(Double, floats::remainder_nearest),
        L::Remainderf => two(Float, floats::remainder_nearest),
        L::Fmin => two(Double, |f, a, b| choose(f, a, b, Ordering::Less)),
        L::Fminf => two(Float, |f, a, b| choose(f, a, b, Ordering::Less)),
        L::Fminl => two(LongDouble, |f, a, b| choose(f, a, b, Ordering::Less)),
        L::Fmax => two(Double, |f, a, b| choose(f, a, b, Ordering::Greater)),
        L::Fmaxf => two(Float, |f, a, b| choose(f, a, b, Ordering::Greater)),
        L::Fmaxl => two(LongDouble, |f, a, b| choose(f, a, b, Ordering::Greater)),
        L::Fdim => positive_difference(Double),
        L::Fdimf => positive_difference(Float),
        L::Copysign => two(Double, floats::copy_sign),
        L::Copysignf => two(Float, floats::copy_sign),
        L::Copysignl => two(LongDouble, floats::copy_sign),
        L::Nan => Some((Double, f64::NAN.to_bits().into())),
        L::Nanf => Some((Float, f32::NAN.to_bits().into())),
        _ => None,
    }
}

/// The smaller or larger one; a number rather than NaN.
fn choose(format: FloatKind, left: u128, right: u128, wanted: Ordering) -> u128 {
    match floats::compare(format, left, right) {
        Some(order) if order == wanted => left,
        Some(Ordering::Equal) => left,
        Some(_) => right,
        None if floats::is_nan(format, left) => right,
        None => left,
    }
}

fn positive_difference(format: FloatKind, left: u128, right: u128, mode: Rounding) -> u128 {
    match floats::compare(format, left, right) {
        Some(Ordering::Less | Ordering::Equal) => 0,
        _ => floats::binary(cfa::BinaryOp::Subtract, format, left, right, mode),
    }
}

fn classification(library: Library, arguments: Arguments<'_>) -> Option<i32> {
    use Library as L;
    let format = match library {
        L::Isnan | L::Isinf | L::Finite | L::IsnanUnderscore | L::IsinfUnderscore => Double,
        L::FiniteUnderscore | L::Signbit | L::Fpclassify => Double,
        L::Isnanf | L::Isinff | L::IsnanfUnderscore | L::IsinffUnderscore => Float,
        L::FinitefUnderscore | L::Signbitf | L::Fpclassifyf => Float,
        L::Isnanl | L::Isinfl | L::IsnanlUnderscore | L::IsinflUnderscore => LongDouble,
        L::FinitelUnderscore | L::Signbitl | L::Fpclassifyl => LongDouble,
        _ => return None,
    };
    let bits = arguments.float(0, format);
    let class = floats::class(format, bits);
    let negative = floats::is_negative(format, bits);
    Some(match library {
        L::Isnan | L::Isnanf | L::Isnanl => (class == Class::Nan).into(),
        L::IsnanUnderscore | L::IsnanfUnderscore | L::IsnanlUnderscore => (class == Class::Nan).into(),
        L::Isinf | L::Isinff | L::Isinfl | L::IsinfUnderscore | L::IsinffUnderscore | L::IsinflUnderscore => {
            match (class, negative) {
                (Class::Infinite, true) => -1,
                (Class::Infinite, false) => 1,
                _ => 0,
            }
        }
        L::Signbit | L::Signbitf | L::Signbitl => negative.into(),
        L::Fpclassify | L::Fpclassifyf | L::Fpclassifyl => match class {
            Class::Nan => 0,
            Class::Infinite => 1,
            Class::Zero => 2,
            Class::Subnormal => 3,
            Class::Normal => 4,
        },
        _ => (!matches!(class, Class::Nan | Class::Infinite)).into(),
    })
}

fn result_format(library: Library) -> FloatKind {
    use Library as L;
    match library {
        L::Sinf | L::Cosf | L::Tanf | L::Expf | L::Logf | L::Powf => Float,
        _ => Double,
    }
}

fn transcendental(library: Library, arguments: Arguments<'_>) -> Option<u64> {
    use Library as L;
    let double = |index| f64::from_bits(arguments.float(index, Double) as u64);
    let single = |index| f32::from_bits(arguments.float(index, Float) as u32);
    let value = match library {
        L::Sin => double(0).sin(),
        L::Cos => double(0).cos(),
        L::Tan => double(0).tan(),
        L::Asin => double(0).asin(),
        L::Acos => double(0).acos(),
        L::Atan => double(0).atan(),
        L::Atan2 => double(0).atan2(double(1)),
        L::Exp => double(0).exp(),
        L::Log => double(0).ln(),
        L::Log2 => double(0).log2(),
        L::Log10 => double(0).log10(),
        L::Pow => double(0).powf(double(1)),
        _ => {
            let value = match library {
                L::Sinf => single(0).sin(),
                L::Cosf => single(0).cos(),
                L::Tanf => single(0).tan(),
                L::Expf => single(0).exp(),
                L::Logf => single(0).ln(),
                L::Powf => single(0).powf(single(1)),
                _ => return None,
            };
            return Some(value.to_bits().into());
        }
    };
    Some(value.to_bits())
}

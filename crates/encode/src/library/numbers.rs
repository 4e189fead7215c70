//! Arithmetic of the C library: exact where the standard fixes the result, any value where it does
//! not (`sin` and its like).

use super::LibraryCall;
use crate::encoder::Encoder;
use crate::state::State;
use crate::{Check, Unsupported};
use cfa::Intrinsic;
use cfa::library::Library;
use sema::types::TypeId;
use term::{RoundingMode, TermId};

impl Encoder<'_> {
    pub(super) fn number_call(
        &mut self,
        state: &mut State,
        call: &LibraryCall,
        library: Library,
    ) -> Result<bool, Unsupported> {
        use Library::*;
        if let Some(intrinsic) = classification(library) {
            let value = self.intrinsic(intrinsic, call.argument(0)?)?;
            self.give(state, call, value, TypeId::INT)?;
            return Ok(true);
        }
        if let Some(mode) = rounding(library) {
            let value = self.pool.float_round_to_integral(mode, call.argument(0)?);
            return self.give_float(state, call, value);
        }
        let value = match library {
            Abs | Labs | Llabs => return self.absolute(state, call),
            Fabs | Fabsf | Fabsl => self.pool.float_abs(call.argument(0)?),
            Sqrt | Sqrtf | Sqrtl => {
                let operand = call.argument(0)?;
                self.rounded(|pool, mode| pool.float_sqrt(mode, operand))
            }
            Rint | Rintf | Rintl | Nearbyint | Nearbyintf | Nearbyintl => {
                let operand = call.argument(0)?;
                self.rounded(|pool, mode| pool.float_round_to_integral(mode, operand))
            }
            Fmod | Fmodf | Fmodl => self.pool.float_fmod(call.argument(0)?, call.argument(1)?),
            Remainder | Remainderf => self.pool.float_rem(call.argument(0)?, call.argument(1)?),
            Nan => return self.not_a_number(state, call, TypeId::DOUBLE),
            Nanf => return self.not_a_number(state, call, TypeId::FLOAT),
            Lrint | Lrintf => {
                let operand = call.argument(0)?;
                let whole = self.rounded(|pool, mode| pool.float_round_to_integral(mode, operand));
                return self.give_long(state, call, whole);
            }
            Lround | Lroundf => {
                let whole = self.pool.float_round_to_integral(RoundingMode::NearestAway, call.argument(0)?);
                return self.give_long(state, call, whole);
            }
            Modf | Modff => return self.modf(state, call),
            Fmin | Fminf | Fminl => self.extreme(call, true)?,
            Fmax | Fmaxf | Fmaxl => self.extreme(call, false)?,
            Copysign | Copysignf | Copysignl => self.copysign(call)?,
            Fdim | Fdimf => self.positive_difference(call)?,
            Isinf | Isinff | Isinfl | IsinfUnderscore | IsinffUnderscore | IsinflUnderscore => {
                return self.infinity_sign(state, call);
            }
            Fpclassify | Fpclassifyf | Fpclassifyl => return self.classify(state, call),
            Sin | Sinf | Cos | Cosf | Tan | Tanf | Asin | Acos | Atan | Atan2 | Exp | Expf | Log | Logf
            | Log2 | Log10 | Pow | Powf => {
                self.some_result(state, call)?;
                return Ok(true);
            }
            _ => return Ok(false),
        };
        self.give_float(state, call, value)
    }

    /// The result has the type of the first argument.
    fn give_float(
        &mut self,
        state: &mut State,
        call: &LibraryCall,
        value: TermId,
    ) -> Result<bool, Unsupported> {
        let ty = call.arguments.first().map_or(TypeId::DOUBLE, |&(_, ty)| ty);
        self.give(state, call, value, ty)?;
        Ok(true)
    }

    fn not_a_number(
        &mut self,
        state: &mut State,
        call: &LibraryCall,
        ty: TypeId,
    ) -> Result<bool, Unsupported> {
        let term::Sort::Float(format) = self.sort_of(ty)? else { return Ok(false) };
        let nan = self.pool.float_nan(format);
        self.give(state, call, nan, ty)?;
        Ok(true)
    }

    /// A whole number as `long`.
    fn give_long(
        &mut self,
        state: &mut State,
        call: &LibraryCall,
        whole: TermId,
    ) -> Result<bool, Unsupported> {
        let &(_, ty) = call.arguments.first().ok_or(Unsupported("a call without an argument"))?;
        let long = self.convert(whole, ty, TypeId::LONG)?;
        self.give(state, call, long, TypeId::LONG)?;
        Ok(true)
    }

    /// The whole part goes to memory, the rest is the result; both have the sign of the number.
    fn modf(&mut self, state: &mut State, call: &LibraryCall) -> Result<bool, Unsupported> {
        let &(value, ty) = call.arguments.first().ok_or(Unsupported("modf without an argument"))?;
        let whole = self.pool.float_round_to_integral(RoundingMode::TowardZero, value);
        let cases = self.pointed_to(state, call, 1)?;
        let target = crate::pointer::Target { cases, ty, bits: None };
        self.write(state, &target, whole, call.span)?;
        let rest = self.pool.float_sub(RoundingMode::NearestEven, value, whole);
        let zero = self.pool.float_constant(&term::FloatValue::zero(self.pool.format(value), false));
        let infinite = self.pool.float_is_infinite(value);
        let rest = self.pool.ite(infinite, zero, rest);
        let result = self.with_sign_of(rest, value);
        self.give_float(state, call, result)
    }

    fn absolute(&mut self, state: &mut State, call: &LibraryCall) -> Result<bool, Unsupported> {
        let &(value, ty) = call.arguments.first().ok_or(Unsupported("abs without an argument"))?;
        let width = self.pool.width(value);
        let zero = self.pool.bitvec(width, 0);
        let negative = self.pool.slt(value, zero);
        let negated = self.pool.neg(value);
        if self.checks(Check::SignedOverflow) {
            let lowest = self.pool.bitvec_constant(&term::BitVec::signed_min(width));
            let overflows = self.pool.eq(value, lowest);
            self.oblige(state, Check::SignedOverflow, overflows, call.span);
        }
        let result = self.pool.ite(negative, negated, value);
        self.give(state, call, result, ty)?;
        Ok(true)
    }

    /// The smaller or larger argument; the other one if one is not a number.
    fn extreme(&mut self, call: &LibraryCall, smaller: bool) -> Result<TermId, Unsupported> {
        let (a, b) = (call.argument(0)?, call.argument(1)?);
        let (a_nan, b_nan) = (self.pool.float_is_nan(a), self.pool.float_is_nan(b));
        let first = if smaller { self.pool.float_le(a, b) } else { self.pool.float_le(b, a) };
        let chosen = self.pool.ite(first, a, b);
        let chosen = self.pool.ite(b_nan, a, chosen);
        // Of two that are not numbers, the result has the bits of neither for sure.
        let neither = self.pool.float_nan(self.pool.format(a));
        let other = self.pool.ite(b_nan, neither, b);
        Ok(self.pool.ite(a_nan, other, chosen))
    }

    fn copysign(&mut self, call: &LibraryCall) -> Result<TermId, Unsupported> {
        Ok(self.with_sign_of(call.argument(0)?, call.argument(1)?))
    }

    fn with_sign_of(&mut self, value: TermId, sign: TermId) -> TermId {
        let magnitude = self.pool.float_abs(value);
        let negated = self.pool.float_neg(magnitude);
        let negative = crate::float::has_sign(&mut self.pool, sign);
        self.pool.ite(negative, negated, magnitude)
    }

    fn positive_difference(&mut self, call: &LibraryCall) -> Result<TermId, Unsupported> {
        let (a, b) = (call.argument(0)?, call.argument(1)?);
        let difference = self.rounded(|pool, mode| pool.float_sub(mode, a, b));
        let zero = self.pool.float_constant(&term::FloatValue::zero(self.pool.format(a), false));
        let below = self.pool.float_le(a, b);
        Ok(self.pool.ite(below, zero, difference))
    }

    fn infinity_sign(&mut self, state: &mut State, call: &LibraryCall) -> Result<bool, Unsupported> {
        let value = call.argument(0)?;
        let infinite = self.pool.float_is_infinite(value);
        let negative = self.pool.float_is_negative(value);
        let (minus, plus, zero) =
            (self.pool.bitvec(32, u64::from(u32::MAX)), self.pool.bitvec(32, 1), self.pool.bitvec(32, 0));
        let sign = self.pool.ite(negative, minus, plus);
        let result = self.pool.ite(infinite, sign, zero);
        self.give(state, call, result, TypeId::INT)?;
        Ok(true)
    }

    /// The numbers of glibc: NaN 0, infinite 1, zero 2, subnormal 3, normal 4.
    fn classify(&mut self, state: &mut State, call: &LibraryCall) -> Result<bool, Unsupported> {
        let value = call.argument(0)?;
        let tests = [
            self.pool.float_is_nan(value),
            self.pool.float_is_infinite(value),
            self.pool.float_is_zero(value),
            self.pool.float_is_subnormal(value),
        ];
        let mut result = self.pool.bitvec(32, 4);
        for (number, test) in tests.into_iter().enumerate().rev() {
            let number = self.pool.bitvec(32, number as u64);
            result = self.pool.ite(test, number, result);
        }
        self.give(state, call, result, TypeId::INT)?;
        Ok(true)
    }
}

fn classification(library: Library) -> Option<Intrinsic> {
    use Library::*;
    match library {
        Isnan | Isnanf | Isnanl | IsnanUnderscore | IsnanfUnderscore | IsnanlUnderscore => {
            Some(Intrinsic::IsNan)
        }
        Finite | FiniteUnderscore | FinitefUnderscore | FinitelUnderscore => Some(Intrinsic::IsFinite),
        Signbit | Signbitf | Signbitl => Some(Intrinsic::SignBit),
        _ => None,
    }
}

fn rounding(library: Library) -> Option<RoundingMode> {
    use Library::*;
    match library {
        Floor | Floorf | Floorl => Some(RoundingMode::Downward),
        Ceil | Ceilf | Ceill => Some(RoundingMode::Upward),
        Trunc | Truncf | Truncl => Some(RoundingMode::TowardZero),
        Round | Roundf | Roundl => Some(RoundingMode::NearestAway),
        _ => None,
    }
}

//! Conversions between scalar types.

use crate::encoder::Encoder;
use crate::environment::Assumption;
use crate::{Unsupported, float};
use sema::types::{IntShape, Type, TypeId};
use term::{RoundingMode, Sort, TermId, TermPool};

/// Integers (pointers among them) or floats.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    Bool,
    Int(IntShape),
    Float(term::FloatFormat),
}

impl Encoder<'_> {
    pub(crate) fn shape(&self, ty: TypeId) -> Result<Shape, Unsupported> {
        let types = &self.program.types;
        match *types.get(ty) {
            Type::Bool => Ok(Shape::Bool),
            Type::Pointer(_) => Ok(Shape::Int(IntShape { width: self.pointer_width(), signed: false })),
            Type::Float(kind) => Ok(Shape::Float(float::format(kind))),
            _ => match types.int_shape(ty) {
                Some(shape) => Ok(Shape::Int(shape)),
                None => Err(Unsupported("a value of this type")),
            },
        }
    }

    pub(crate) fn convert(&mut self, value: TermId, from: TypeId, to: TypeId) -> Result<TermId, Unsupported> {
        if from.unqualified() == to.unqualified() {
            return Ok(value);
        }
        let types = &self.program.types;
        if types.is_pointer(from) && types.is_integer(to) && !matches!(types.get(to), Type::Bool) {
            self.environment.rely_on(Assumption::AddressValues);
        }
        let (from, to) = (self.shape(from)?, self.shape(to)?);
        Ok(match (from, to) {
            (_, Shape::Bool) => {
                let truth = self.is_nonzero(value);
                self.pool.bool_to_bitvec(truth, 8)
            }
            (Shape::Bool, Shape::Int(to)) => self.pool.resize_unsigned(value, to.width),
            (Shape::Int(from), Shape::Int(to)) if from.signed => self.pool.resize_signed(value, to.width),
            (Shape::Int(_), Shape::Int(to)) => self.pool.resize_unsigned(value, to.width),
            (Shape::Float(_), Shape::Float(to)) => {
                self.rounded(|pool, mode| pool.float_to_float(mode, to, value))
            }
            (Shape::Bool, Shape::Float(to)) => {
                self.rounded(|pool, mode| pool.float_from_unsigned(mode, to, value))
            }
            (Shape::Int(from), Shape::Float(to)) if from.signed => {
                self.rounded(|pool, mode| pool.float_from_signed(mode, to, value))
            }
            (Shape::Int(_), Shape::Float(to)) => {
                self.rounded(|pool, mode| pool.float_from_unsigned(mode, to, value))
            }
            (Shape::Float(_), Shape::Int(to)) => self.float_to_int(value, to),
        })
    }

    /// As the conversion instructions of x86 do it: through a signed integer of 32 or 64 bits, whose
    /// most negative value stands for everything that does not fit.
    fn float_to_int(&mut self, value: TermId, to: IntShape) -> TermId {
        if to.width > 64 {
            return self.float_to_wide(value, to);
        }
        if to.width == 64 && !to.signed {
            return self.float_to_unsigned_long(value);
        }
        let through = if to.width < 32 || to.signed && to.width == 32 { 32 } else { 64 };
        let converted = self.float_to_signed_or_indefinite(value, through);
        self.pool.resize_unsigned(converted, to.width)
    }

    fn float_to_signed_or_indefinite(&mut self, value: TermId, width: u32) -> TermId {
        let wide = self.pool.float_to_signed(RoundingMode::TowardZero, width, value);
        let zero = self.pool.bitvec(width, 0);
        let is_zero = self.pool.eq(wide, zero);
        // The term's conversion gives 0 for what does not fit; a true 0 has a magnitude below 1.
        let fits = self.truncates_to_zero(value);
        let misfit = self.pool.not(fits);
        let indefinite = self.pool.and(is_zero, misfit);
        let lowest = self.pool.bitvec(width, 1 << (width - 1));
        self.pool.ite(indefinite, lowest, wide)
    }

    /// `-1 < value < 1`
    fn truncates_to_zero(&mut self, value: TermId) -> TermId {
        let format = self.pool.format(value);
        let one = term::FloatValue::from_f32(1.0).to_format(format, RoundingMode::NearestEven);
        let one = self.pool.float_constant(&one);
        let magnitude = self.pool.float_abs(value);
        self.pool.float_lt(magnitude, one)
    }

    /// As gcc does it, which has no instruction for that: what is not below 2⁶³ is converted without its highest digit.
    fn float_to_unsigned_long(&mut self, value: TermId) -> TermId {
        let border = term::FloatValue::from_f32((1u64 << 63) as f32);
        let border = border.to_format(self.pool.format(value), RoundingMode::NearestEven);
        let border = self.pool.float_constant(&border);
        let is_large = self.pool.float_le(border, value);
        let large = self.pool.float_to_unsigned(RoundingMode::TowardZero, 64, value);
        let small = self.float_to_signed_or_indefinite(value, 64);
        self.pool.ite(is_large, large, small)
    }

    fn float_to_wide(&mut self, value: TermId, to: IntShape) -> TermId {
        if to.signed {
            self.pool.float_to_signed(RoundingMode::TowardZero, to.width, value)
        } else {
            self.pool.float_to_unsigned(RoundingMode::TowardZero, to.width, value)
        }
    }

    /// C's idea of truth, of a value of any scalar type.
    pub(crate) fn is_nonzero(&mut self, value: TermId) -> TermId {
        match self.pool.sort(value) {
            Sort::Bool => value,
            Sort::BitVec(width) => {
                let zero = self.pool.bitvec(width, 0);
                let is_zero = self.pool.eq(value, zero);
                self.pool.not(is_zero)
            }
            Sort::Float(_) => {
                let is_zero = self.pool.float_is_zero(value);
                self.pool.not(is_zero)
            }
            _ => TermPool::TRUE,
        }
    }

    /// `int` 1 or 0.
    pub(crate) fn truth(&mut self, condition: TermId) -> TermId {
        self.pool.bool_to_bitvec(condition, 32)
    }
}

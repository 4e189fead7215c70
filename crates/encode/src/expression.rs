//! Expressions to terms.

use crate::cells::bits_of;
use crate::encoder::Encoder;
use crate::objects::ObjectKind;
use crate::pointer::Target;
use crate::state::{Content, Frame, State};
use crate::{Check, Unsupported};
use base::Span;
use cfa::{BinaryOp, ExprId, ExprKind, PlaceId};
use sema::types::{BitRange, FloatKind, Type, TypeId};
use term::{BitVec, Sort, TermId, TermPool};

impl Encoder<'_> {
    /// The value of a scalar expression.
    pub(crate) fn expression(
        &mut self,
        state: &mut State,
        frame: Frame,
        expr: ExprId,
    ) -> Result<TermId, Unsupported> {
        let info = self.program.exprs[expr];
        match info.kind {
            ExprKind::Int(bits) => self.integer(bits, info.ty),
            ExprKind::Float(id) => self.float_constant(self.program.floats[id].bits, info.ty),
            ExprKind::Load(place) => self.load(state, frame, place, info.span),
            ExprKind::AddressOf(place) => self.address_of(state, frame, place),
            ExprKind::FunctionAddress(function) => {
                let address = self.function_address(function);
                Ok(self.pointer(address))
            }
            // Labels are numbered from 1; nobody dereferences them.
            ExprKind::LabelAddress(label) => Ok(self.pointer(u64::from(label) + 1)),
            ExprKind::Unary { op, operand } => {
                let value = self.expression(state, frame, operand)?;
                let ty = self.program.exprs[operand].ty;
                self.unary(state, op, value, ty, info.span)
            }
            ExprKind::Binary { op, left, right } => {
                self.binary_expression(state, frame, op, left, right, info.span)
            }
            ExprKind::PointerAdd { .. } => {
                let moved = self.moved(state, frame, expr)?;
                self.stay_in_room(state, &moved)?;
                self.stay_in_zone(state, &moved)?;
                Ok(moved.to)
            }
            ExprKind::PointerDifference { left, right, size } => {
                let (left, right) =
                    (self.expression(state, frame, left)?, self.expression(state, frame, right)?);
                let bytes = self.pool.sub(left, right);
                let width = self.pool.width(bytes);
                let size = self.pool.bitvec(width, size.max(1));
                Ok(self.pool.sdiv(bytes, size))
            }
            ExprKind::Conditional { condition, then, otherwise } => {
                let condition = self.condition(state, frame, condition)?;
                let then = self.evaluated_if(state, frame, condition, then)?;
                let not = self.pool.not(condition);
                let otherwise = self.evaluated_if(state, frame, not, otherwise)?;
                Ok(self.pool.ite(condition, then, otherwise))
            }
            ExprKind::Cast(operand) => {
                let value = self.expression(state, frame, operand)?;
                self.convert(value, self.program.exprs[operand].ty, info.ty)
            }
            ExprKind::Overflows { op, left, right, result } => {
                self.overflows(state, frame, op, left, right, result)
            }
            ExprKind::Intrinsic { intrinsic, operand } => {
                let value = self.expression(state, frame, operand)?;
                let result = self.intrinsic(intrinsic, value)?;
                match self.sort_of(info.ty)? {
                    Sort::BitVec(width) => Ok(self.pool.resize_unsigned(result, width)),
                    _ => Ok(result),
                }
            }
            ExprKind::FloatCompare { compare, left, right } => {
                let (left, right) =
                    (self.expression(state, frame, left)?, self.expression(state, frame, right)?);
                let condition = self.float_compare(compare, left, right);
                Ok(self.truth(condition))
            }
        }
    }

    /// An expression that is evaluated only if a condition holds.
    fn evaluated_if(
        &mut self,
        state: &mut State,
        frame: Frame,
        condition: TermId,
        expr: ExprId,
    ) -> Result<TermId, Unsupported> {
        self.only_if(condition, |encoder| encoder.expression(state, frame, expr))
    }

    /// Does something that happens only if a condition holds.
    pub(crate) fn only_if<T>(&mut self, condition: TermId, act: impl FnOnce(&mut Self) -> T) -> T {
        let outside = self.evaluated;
        self.evaluated = self.pool.and(outside, condition);
        let result = act(self);
        self.evaluated = outside;
        result
    }

    /// A scalar expression as a condition.
    pub(crate) fn condition(
        &mut self,
        state: &mut State,
        frame: Frame,
        expr: ExprId,
    ) -> Result<TermId, Unsupported> {
        if let ExprKind::Binary { op, left, right } = self.program.exprs[expr].kind {
            let (a, b) = (self.expression(state, frame, left)?, self.expression(state, frame, right)?);
            if let Some(condition) = self.comparison(op, a, b, self.program.exprs[left].ty)? {
                return Ok(condition);
            }
        }
        let value = self.expression(state, frame, expr)?;
        Ok(self.is_nonzero(value))
    }

    fn integer(&mut self, bits: u64, ty: TypeId) -> Result<TermId, Unsupported> {
        match self.sort_of(ty)? {
            Sort::BitVec(width) if width > 64 => {
                let value = self.program.types.int_value(ty, bits);
                Ok(self.pool.bitvec_constant(&BitVec::from_int(width, &value.into())))
            }
            Sort::BitVec(width) => Ok(self.pool.bitvec(width, bits)),
            _ => Err(Unsupported("an integer constant of this type")),
        }
    }

    fn float_constant(&mut self, bits: u128, ty: TypeId) -> Result<TermId, Unsupported> {
        let &Type::Float(kind) = self.program.types.get(ty) else {
            return Err(Unsupported("a constant of this type"));
        };
        let format = crate::float::format(kind);
        let width = crate::float::memory_width(format);
        let high = BitVec::new(64, (bits >> 64) as u64);
        let low = BitVec::new(64, bits as u64);
        let memory = self.pool.bitvec_constant(&high.concat(&low).extract(width - 1, 0));
        let float = crate::float::from_memory(&mut self.pool, memory, format);
        debug_assert!(self.pool.is_constant(float));
        Ok(float)
    }

    fn binary_expression(
        &mut self,
        state: &mut State,
        frame: Frame,
        op: BinaryOp,
        left: ExprId,
        right: ExprId,
        span: Span,
    ) -> Result<TermId, Unsupported> {
        let left_ty = self.program.exprs[left].ty;
        let (left, right) = (self.expression(state, frame, left)?, self.expression(state, frame, right)?);
        if matches!(op, BinaryOp::ShiftLeft | BinaryOp::ShiftRight) {
            return self.shift(state, op, left, right, left_ty, span);
        }
        self.binary(state, op, left, right, left_ty, span)
    }

    fn overflows(
        &mut self,
        state: &mut State,
        frame: Frame,
        op: BinaryOp,
        left: ExprId,
        right: ExprId,
        result: TypeId,
    ) -> Result<TermId, Unsupported> {
        let types = &self.program.types;
        let shape = |ty| types.int_shape(ty).ok_or(Unsupported("overflow of this type"));
        let (result, left_shape, right_shape) =
            (shape(result)?, shape(self.program.exprs[left].ty)?, shape(self.program.exprs[right].ty)?);
        let left = self.expression(state, frame, left)?;
        let right = self.expression(state, frame, right)?;
        let operands = ((left, left_shape.signed), (right, right_shape.signed));
        let misfits = self.misfits(op, operands.0, operands.1, (result.width, result.signed));
        Ok(self.truth(misfits))
    }

    fn address_of(&mut self, state: &mut State, frame: Frame, place: PlaceId) -> Result<TermId, Unsupported> {
        let info = self.program.places[place];
        if let cfa::PlaceBase::Dereference(pointer) = info.base {
            // `&p->f` moves the pointer and looks at no memory.
            let mut moved = self.moved(state, frame, pointer)?;
            let program = self.program;
            let mut has_index = false;
            for projection in &program.projections[info.projections] {
                let distance = match *projection {
                    cfa::Projection::Field { record, field } => {
                        self.pointer(program.types.fields(record)[field as usize].offset)
                    }
                    cfa::Projection::Index { index, size } => {
                        has_index = true;
                        self.scaled(state, frame, index, size as i64)?
                    }
                };
                moved.to = self.pool.add(moved.to, distance);
            }
            self.stay_in_room(state, &moved)?;
            // The members of what a pointer points to are near.
            if moved.pointer != pointer || has_index {
                self.stay_in_zone(state, &moved)?;
            }
            return Ok(moved.to);
        }
        let target = self.unchecked_place(state, frame, place)?;
        let mut address = None;
        for case in target.cases {
            let beyond = self.is_beyond(case.object, case.offset);
            let beyond = self.pool.and(case.condition, beyond);
            self.see_unless(state, beyond, crate::room::BEYOND);
            let base = self.objects.get(case.object).base;
            let base = self.pointer(base);
            let here = self.pool.add(base, case.offset);
            self.stay_in_zone_of(state, &case, here);
            address = Some(match address {
                None => here,
                Some(others) => self.pool.ite(case.condition, here, others),
            });
        }
        Ok(address.unwrap_or_else(|| self.pointer(0)))
    }

    pub(crate) fn load(
        &mut self,
        state: &mut State,
        frame: Frame,
        place: PlaceId,
        span: Span,
    ) -> Result<TermId, Unsupported> {
        if let Some(variable) = self.program.as_variable(place)
            && self.is_plain(variable)
        {
            let object = self.variable(variable, frame)?;
            self.check_written_variable(state, variable, object, span);
            if let Some(&Content::Scalar(term)) = state.store.get(object.0) {
                return Ok(term);
            }
            // Read before any declaration was passed.
            return self.set_any_value(state, frame, variable);
        }
        let target = self.place(state, frame, place)?;
        self.read(state, &target, span)
    }

    /// The scalar at a place.
    pub(crate) fn read(
        &mut self,
        state: &mut State,
        target: &Target,
        span: Span,
    ) -> Result<TermId, Unsupported> {
        let ty = target.ty;
        let size = self.access_size(target)?;
        self.check_bounds(state, target, size, false, span);
        self.check_written(state, target, size, span)?;
        let mut value: Option<TermId> = None;
        for case in &target.cases {
            let mut raw = self.read_object(state, case.object, case.offset, size)?;
            if self.program.types.is_pointer(ty) {
                raw = self.settle(raw, ty)?;
            }
            self.check_digits(state, case.condition, raw, ty);
            let here = match target.bits {
                None => self.typed(raw, ty, size)?,
                Some(range) => self.extract_bits(raw, range, size, ty)?,
            };
            value = Some(match value {
                None => here,
                Some(others) => self.pool.ite(case.condition, here, others),
            });
        }
        match value {
            Some(value) => Ok(value),
            None => {
                // No object at all: the state's guard is false by now.
                let sort = self.sort_of(ty)?;
                Ok(self.pool.fresh_variable("nowhere", sort))
            }
        }
    }

    /// Numbers of the x87 format that are written in an unusual way are not modelled.
    fn check_digits(&mut self, state: &mut State, condition: TermId, raw: TermId, ty: TypeId) {
        let is_long_double = matches!(self.program.types.get(ty), Type::Float(FloatKind::LongDouble));
        if is_long_double && matches!(self.pool.sort(raw), Sort::BitVec(80..)) {
            let usual = crate::float::is_usual(&mut self.pool, raw);
            let unusual = self.pool.not(usual);
            let here = self.pool.and(condition, unusual);
            self.see_unless(state, here, "a long double in an encoding that no operation gives");
        }
    }

    /// The bytes that an access to the place touches.
    pub(crate) fn access_size(&self, target: &Target) -> Result<u64, Unsupported> {
        match target.bits {
            Some(range) => Ok(u64::from((range.start + range.width).div_ceil(8))),
            None => {
                self.program.types.size_of(target.ty).ok_or(Unsupported("access to a type of unknown size"))
            }
        }
    }

    pub(crate) fn check_bounds(
        &mut self,
        state: &mut State,
        target: &Target,
        size: u64,
        writes: bool,
        span: Span,
    ) {
        let mut valid = TermPool::FALSE;
        for case in &target.cases {
            if writes && matches!(self.objects.get(case.object).kind, ObjectKind::String(_)) {
                continue;
            }
            let inside = self.in_bounds(case.object, case.offset, size);
            self.see_access(state, case, size);
            let alive = self.is_alive(state, case.object);
            let here = self.pool.and_all([case.condition, inside, alive]);
            valid = self.pool.or(valid, here);
        }
        let invalid = self.pool.not(valid);
        self.oblige(state, Check::InvalidDereference, invalid, span);
        self.require(state, valid);
    }

    fn extract_bits(
        &mut self,
        raw: TermId,
        range: BitRange,
        size: u64,
        ty: TypeId,
    ) -> Result<TermId, Unsupported> {
        let bits = bits_of(&mut self.pool, raw, size);
        let field = self.pool.extract(bits, range.start + range.width - 1, range.start);
        let shape = self.program.types.int_shape(ty).ok_or(Unsupported("a bit-field of this type"))?;
        Ok(if shape.signed {
            self.pool.resize_signed(field, shape.width)
        } else {
            self.pool.resize_unsigned(field, shape.width)
        })
    }

    /// Stores a scalar at a place.
    pub(crate) fn write(
        &mut self,
        state: &mut State,
        target: &Target,
        value: TermId,
        span: Span,
    ) -> Result<(), Unsupported> {
        let size = self.access_size(target)?;
        self.check_bounds(state, target, size, true, span);
        for case in &target.cases {
            let value = match target.bits {
                None => value,
                Some(range) => {
                    let old = self.read_object(state, case.object, case.offset, size)?;
                    self.insert_bits(old, range, size, value)
                }
            };
            // Where there is only this object, the bounds check has settled the condition.
            let condition = if target.cases.len() == 1 { TermPool::TRUE } else { case.condition };
            self.write_object(state, case.object, case.offset, size, value, condition)?;
        }
        Ok(())
    }

    fn insert_bits(&mut self, old: TermId, range: BitRange, size: u64, value: TermId) -> TermId {
        let total = 8 * size as u32;
        let old = bits_of(&mut self.pool, old, size);
        let mut joined = self.pool.extract(value, range.width - 1, 0);
        if range.start > 0 {
            let low = self.pool.extract(old, range.start - 1, 0);
            joined = self.pool.concat(joined, low);
        }
        let end = range.start + range.width;
        if end < total {
            let high = self.pool.extract(old, total - 1, end);
            joined = self.pool.concat(high, joined);
        }
        joined
    }
}

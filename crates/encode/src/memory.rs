//! Reading and writing objects, at offsets that are numbers or terms.

use crate::cells::{Cells, Fill, INDEX_WIDTH, bits_of};
use crate::encoder::Encoder;
use crate::layout::LARGE;
use crate::linear::Linear;
use crate::objects::{ObjectId, ObjectKind, Size};
use crate::state::{Content, State};
use crate::{Check, Unsupported, float};
use cfa::pointsto::ObjectKind as Abstract;
use sema::types::{Type, TypeId};
use std::rc::Rc;
use term::{Sort, TermId, TermPool};

/// A computed offset into an object.
enum Reach {
    At(u64),
    /// Any of a few offsets; of none where the object ends before.
    Some(Vec<u64>),
    /// An element of a grid of this shape, and the term of its index.
    Grid {
        start: u64,
        stride: u64,
        index: TermId,
    },
    /// Anywhere in the object.
    Anywhere,
}

/// An access in pieces smaller than its elements looks at no more offsets than this.
pub const MOST_OFFSETS: u64 = 4096;
/// The same where it is not worth much.
pub const FEW_OFFSETS: u64 = 64;

impl Encoder<'_> {
    /// The contents of an object, brought to life if the state has not seen it yet.
    pub(crate) fn cells<'s>(&mut self, state: &'s mut State, object: ObjectId) -> &'s mut Cells {
        if state.store.get(object.0).is_none() {
            let cells = self.initial_cells(object);
            state.store.set(object.0, Content::Cells(Rc::new(cells)));
        }
        match state.store.get_mut(object.0) {
            Some(Content::Cells(cells)) => Rc::make_mut(cells),
            _ => unreachable!("objects with an address are held in cells"),
        }
    }

    pub(crate) fn initial_cells(&mut self, object: ObjectId) -> Cells {
        let info = *self.objects.get(object);
        if let ObjectKind::Shadow(of) = info.kind {
            let fill = self.initial_shadow(of);
            return self.fresh_cells(info.ty, fill);
        }
        let ObjectKind::String(string) = info.kind else {
            let generation = self.first_generation(object);
            return self.fresh_cells(info.ty, Fill::Unknown(generation));
        };
        let mut cells = self.fresh_cells(info.ty, Fill::Zero);
        let program = self.program;
        for (offset, &byte) in program.strings[string].bytes.iter().enumerate() {
            let term = self.pool.bitvec(8, u64::from(byte));
            cells.write(&mut self.pool, offset as u64, 1, term);
        }
        cells
    }

    pub(crate) fn known_size(&self, object: ObjectId) -> Option<u64> {
        match self.objects.get(object).size {
            Size::Known(size) => Some(size),
            _ => None,
        }
    }

    /// A size that the object is never above.
    pub(crate) fn largest_size(&self, object: ObjectId) -> Option<u64> {
        self.bound_of(self.objects.get(object).size)
    }

    pub(crate) fn bound_of(&self, size: Size) -> Option<u64> {
        match size {
            Size::Known(size) => Some(size),
            Size::Term(size) => self.pool.upper_bound(size),
            Size::Unbounded => None,
        }
    }

    /// Whether there may be so many bytes at an offset.
    pub(crate) fn may_hold(&self, object: ObjectId, offset: u64, size: u64) -> bool {
        let fits = |end| self.largest_size(object).is_none_or(|total| end <= total);
        offset.checked_add(size).is_some_and(fits)
    }

    /// Whether `size` bytes at `offset` are inside the object.
    pub(crate) fn in_bounds(&mut self, object: ObjectId, offset: TermId, size: u64) -> TermId {
        if self.is_unseen(object) {
            return TermPool::TRUE;
        }
        let width = self.pointer_width();
        let limit = match self.objects.get(object).size {
            Size::Known(total) if total < size => return TermPool::FALSE,
            Size::Known(total) => self.pool.bitvec(width, total - size),
            // What starts in its room may end in the gap behind it.
            Size::Unbounded => {
                let rest = size.saturating_sub(self.objects.gap());
                self.pool.bitvec(width, self.objects.get(object).room.saturating_sub(rest))
            }
            Size::Term(total) => {
                let size = self.pool.bitvec(width, size);
                let fits = self.pool.ule(size, total);
                let limit = self.pool.sub(total, size);
                let inside = self.pool.ule(offset, limit);
                return self.pool.and(fits, inside);
            }
        };
        self.pool.ule(offset, limit)
    }

    pub(crate) fn read_object(
        &mut self,
        state: &mut State,
        object: ObjectId,
        offset: TermId,
        size: u64,
    ) -> Result<TermId, Unsupported> {
        if self.is_unseen(object) {
            return Ok(self.pool.fresh_variable(crate::settle::UNSEEN, Sort::BitVec(8 * size as u32)));
        }
        match self.reach(state, object, offset, size)? {
            Reach::At(offset) => {
                self.cells(state, object);
                Ok(self.with_cells(state, object, |pool, cells| cells.read(pool, offset, size)))
            }
            Reach::Some(offsets) => {
                let mut result: Option<TermId> = None;
                for at in offsets {
                    let value = self.with_cells(state, object, |pool, cells| {
                        let value = cells.read(pool, at, size);
                        bits_of(pool, value, size)
                    });
                    result = Some(match result {
                        None => value,
                        Some(others) => {
                            let here = self.offset_is(offset, at);
                            self.pool.ite(here, value, others)
                        }
                    });
                }
                Ok(result.unwrap_or_else(|| self.pool.bitvec(8 * size as u32, 0)))
            }
            Reach::Anywhere => {
                self.blurred.insert(Abstract::Outside);
                Ok(self.pool.fresh_variable("anywhere", Sort::BitVec(8 * size as u32)))
            }
            Reach::Grid { start, stride, index } => Ok(self.with_cells(state, object, |pool, cells| {
                let array = cells.grid(start, stride, size).map(|grid| grid.term);
                pool.select(array.expect("reach made the grid"), index)
            })),
        }
    }

    /// Writes where `condition` holds; the old value stays elsewhere.
    pub(crate) fn write_object(
        &mut self,
        state: &mut State,
        object: ObjectId,
        offset: TermId,
        size: u64,
        value: TermId,
        condition: TermId,
    ) -> Result<(), Unsupported> {
        if self.is_unseen(object) {
            self.forget_several(state, object);
            return Ok(());
        }
        if self.checks(Check::UninitialisedUse) {
            let shadow = self.shadow(object);
            let written = self.pool.bitvec(8 * size as u32, 0);
            self.store(state, shadow, offset, size, written, condition)?;
        }
        self.store(state, object, offset, size, value, condition)
    }

    /// Writes to an object and to nothing else.
    pub(crate) fn store(
        &mut self,
        state: &mut State,
        object: ObjectId,
        offset: TermId,
        size: u64,
        value: TermId,
        condition: TermId,
    ) -> Result<(), Unsupported> {
        match self.reach(state, object, offset, size)? {
            Reach::At(at) => self.write_cell(state, object, at, size, value, condition),
            Reach::Some(offsets) => {
                for at in offsets {
                    let here = self.offset_is(offset, at);
                    let condition = self.pool.and(condition, here);
                    self.write_cell(state, object, at, size, value, condition);
                }
            }
            Reach::Grid { start, stride, index } => self.with_cells(state, object, |pool, cells| {
                let array =
                    cells.grid(start, stride, size).map(|grid| grid.term).expect("reach made the grid");
                let bits = bits_of(pool, value, size);
                let written = pool.store(array, index, bits);
                let term = pool.ite(condition, written, array);
                cells.set_grid(start, stride, size, term);
            }),
            Reach::Anywhere => self.forget_whole(state, object),
        }
        Ok(())
    }

    fn write_cell(
        &mut self,
        state: &mut State,
        object: ObjectId,
        at: u64,
        size: u64,
        value: TermId,
        condition: TermId,
    ) {
        if condition == TermPool::FALSE {
            return;
        }
        self.with_cells(state, object, |pool, cells| {
            let mut value = value;
            if condition != TermPool::TRUE {
                let mut old = cells.read(pool, at, size);
                if pool.sort(old) != pool.sort(value) {
                    (value, old) = (bits_of(pool, value, size), bits_of(pool, old, size));
                }
                value = pool.ite(condition, value, old);
            }
            cells.write(pool, at, size, value);
        });
    }

    fn with_cells<T>(
        &mut self,
        state: &mut State,
        object: ObjectId,
        act: impl FnOnce(&mut TermPool, &mut Cells) -> T,
    ) -> T {
        self.cells(state, object);
        match state.store.get_mut(object.0) {
            Some(Content::Cells(cells)) => act(&mut self.pool, Rc::make_mut(cells)),
            _ => unreachable!("objects with an address are held in cells"),
        }
    }

    fn offset_is(&mut self, offset: TermId, at: u64) -> TermId {
        let at = self.pointer(at);
        self.pool.eq(offset, at)
    }

    /// Which bytes an access can mean.
    fn reach(
        &mut self,
        state: &mut State,
        object: ObjectId,
        offset: TermId,
        size: u64,
    ) -> Result<Reach, Unsupported> {
        if let Some(offset) = self.pool.small_value(offset) {
            let is_there = self.may_hold(object, offset, size);
            return Ok(if is_there { Reach::At(offset) } else { Reach::Some(Vec::new()) });
        }
        let linear = Linear::of(&self.pool, &mut self.zeros, offset);
        let stride = linear.stride();
        if stride < size {
            return self.reach_unaligned(state, object, size);
        }
        let start = linear.constant.rem_euclid(stride as i64) as u64;
        let count = self.known_size(object).map(|total| match total.checked_sub(start + size) {
            Some(room) => room / stride + 1,
            None => 0,
        });
        let has_grid = self.with_cells(state, object, |_, cells| cells.grid(start, stride, size).is_some());
        if !has_grid {
            let other =
                self.with_cells(state, object, |_, cells| cells.overlaps_grid(start, stride, size, count));
            let most = if other { self.most_offsets() } else { LARGE };
            match count {
                Some(count) if count <= most => {
                    return Ok(Reach::Some((0..count).map(|index| start + index * stride).collect()));
                }
                _ if other => {
                    let what = "access to an array by a computed offset that does not fit its elements";
                    return self.reach_anywhere(state, what);
                }
                _ => {}
            }
        }
        if !has_grid {
            self.with_cells(state, object, |pool, cells| cells.make_grid(pool, start, stride, size, count));
        }
        let index = self.grid_index(&linear, start, stride);
        Ok(Reach::Grid { start, stride, index })
    }

    fn most_offsets(&self) -> u64 {
        self.forgets_above.unwrap_or(MOST_OFFSETS)
    }

    /// An access that can start anywhere.
    fn reach_unaligned(&mut self, state: &State, object: ObjectId, size: u64) -> Result<Reach, Unsupported> {
        match self.known_size(object) {
            Some(total) if total < size => Ok(Reach::Some(Vec::new())),
            Some(total) if total - size < self.most_offsets() => {
                Ok(Reach::Some((0..=total - size).collect()))
            }
            _ => self.reach_anywhere(state, "access to large memory at an unaligned computed offset"),
        }
    }

    fn reach_anywhere(&mut self, state: &State, what: &'static str) -> Result<Reach, Unsupported> {
        self.forget_instead(state, Unsupported(what)).map(|()| Reach::Anywhere)
    }

    /// What there are no exact terms for may be forgotten, and that is noted; or it is not modelled.
    pub(crate) fn forget_instead(&mut self, state: &State, what: Unsupported) -> Result<(), Unsupported> {
        if self.forgets_above.is_none() {
            return Err(what);
        }
        self.vague.push(state.guard.term());
        Ok(())
    }

    /// `(offset - start) / stride`, from the linear form: the coefficients are multiples.
    fn grid_index(&mut self, linear: &Linear, start: u64, stride: u64) -> TermId {
        // The highest digits of parts that are shifted are lost, and so are those of the index.
        let exact = self.pointer_width() - stride.trailing_zeros();
        let is_shifted = linear.parts.iter().any(|part| part.shift > 0);
        let width = if is_shifted && exact < INDEX_WIDTH { exact } else { self.pointer_width() };
        let constant = (linear.constant - start as i64) / stride as i64;
        let mut index = self.pool.bitvec(width, constant as u64);
        for part in &linear.parts {
            let by = self.pointer(u64::from(part.shift));
            let atom = self.pool.lshr(part.term, by);
            let atom = self.pool.resize_unsigned(atom, width);
            let factor = self.pool.bitvec(width, (part.coefficient / stride as i64) as u64);
            let product = self.pool.mul(factor, atom);
            index = self.pool.add(index, product);
        }
        self.pool.resize_unsigned(index, INDEX_WIDTH)
    }

    /// A term read from memory as a value of a type.
    pub(crate) fn typed(&mut self, term: TermId, ty: TypeId, size: u64) -> Result<TermId, Unsupported> {
        match (self.pool.sort(term), self.sort_of(ty)?) {
            (have, want) if have == want => Ok(term),
            (_, Sort::Float(format)) => {
                let bits = bits_of(&mut self.pool, term, size);
                Ok(float::from_memory(&mut self.pool, bits, format))
            }
            (_, Sort::BitVec(width)) => {
                let bits = bits_of(&mut self.pool, term, size);
                Ok(self.pool.resize_unsigned(bits, width))
            }
            _ => Err(Unsupported("a value of this type")),
        }
    }

    /// Whether a type is copied as a whole rather than as a scalar.
    pub(crate) fn is_aggregate(&self, ty: TypeId) -> bool {
        matches!(
            self.program.types.get(ty),
            Type::Record(_) | Type::Array { .. } | Type::Complex(_) | Type::VaList
        )
    }
}

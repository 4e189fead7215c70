//! Reading and writing objects, at offsets that are numbers or terms.

use crate::cells::{Cells, Fill, bits_of};
use crate::encoder::Encoder;
use crate::objects::{ObjectId, ObjectKind, Size};
use crate::reach::{Element, Reach, Spots};
use crate::state::{Content, State};
use crate::{Check, Unsupported, float};
use cfa::pointsto::ObjectKind as Abstract;
use sema::types::{Type, TypeId};
use std::rc::Rc;
use term::{Sort, TermId, TermPool};

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
            Size::Unbounded if size == 0 => self.pool.bitvec(width, self.objects.get(object).room),
            // Accesses may be in the gap behind its room.
            Size::Unbounded => {
                let end = self.objects.get(object).room + self.objects.gap();
                self.pool.bitvec(width, end.saturating_sub(size))
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
                Ok(self.with_cells(state, object, |pool, cells| cells.read(pool, offset, size)))
            }
            Reach::Spots(spots) => Ok(self.read_spots(state, object, offset, size, &spots)),
            Reach::Anywhere => Ok(self.anything(size)),
        }
    }

    /// What is read where nobody knows what is there.
    fn anything(&mut self, size: u64) -> TermId {
        self.blurred.insert(Abstract::Outside);
        self.pool.fresh_variable("anywhere", Sort::BitVec(8 * size as u32))
    }

    fn read_spots(
        &mut self,
        state: &mut State,
        object: ObjectId,
        offset: TermId,
        size: u64,
        spots: &Spots,
    ) -> TermId {
        let mut values = Vec::with_capacity(spots.elements.len() + spots.offsets.len());
        for element in &spots.elements {
            let value = self.with_cells(state, object, |pool, cells| {
                let array = cells.grid(element.shape).expect("reach has found the grid").term;
                pool.select(array, element.index)
            });
            values.push((element.is_meant, value));
        }
        for &at in &spots.offsets {
            let value = self.with_cells(state, object, |pool, cells| {
                let value = cells.read(pool, at, size);
                bits_of(pool, value, size)
            });
            values.push((self.offset_is(offset, at), value));
        }
        if spots.elsewhere != TermPool::FALSE && self.forgets_above.is_some() {
            let here = self.pool.and(state.guard.term(), spots.elsewhere);
            self.vague.push(here);
            values.push((spots.elsewhere, self.anything(size)));
        } else {
            self.see_only(state, spots, TermPool::TRUE);
        }
        let one = values
            .into_iter()
            .reduce(|(_, others), (here, value)| (TermPool::TRUE, self.pool.ite(here, value, others)));
        one.map_or_else(|| self.pool.bitvec(8 * size as u32, 0), |(_, value)| value)
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
            Reach::Spots(spots) => {
                self.see_only(state, &spots, condition);
                for element in spots.elements {
                    let condition = self.pool.and(condition, element.is_meant);
                    self.write_element(state, object, element, value, condition);
                }
                for at in spots.offsets {
                    let here = self.offset_is(offset, at);
                    let condition = self.pool.and(condition, here);
                    self.write_cell(state, object, at, size, value, condition);
                }
            }
            Reach::Anywhere => self.forget_whole(state, object),
        }
        Ok(())
    }

    fn write_element(
        &mut self,
        state: &mut State,
        object: ObjectId,
        element: Element,
        value: TermId,
        condition: TermId,
    ) {
        self.with_cells(state, object, |pool, cells| {
            let array = cells.grid(element.shape).expect("reach has found the grid").term;
            let bits = bits_of(pool, value, element.shape.size);
            let written = pool.store(array, element.index, bits);
            cells.set_grid(element.shape, pool.ite(condition, written, array));
        });
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

    pub(crate) fn with_cells<T>(
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

    pub(crate) fn offset_is(&mut self, offset: TermId, at: u64) -> TermId {
        let at = self.pointer(at);
        self.pool.eq(offset, at)
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

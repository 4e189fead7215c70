//! Objects that can be larger than what the encoder sees of them: those whose size is computed, and memory from outside
//! have only so many addresses set aside for them, and there are only so many numbers for the elements of arrays.
//!
//! Behind its room, an object has no addresses of its own. So an access through a moved pointer, as in `p[i]`, is one
//! to the object that `p` points to, wherever it ends up; and where a pointer leaves the room of its object without
//! leaving the object, the encoder does not see how the program goes on.

use crate::Unsupported;
use crate::encoder::Encoder;
use crate::grid::INDEX_WIDTH;
use crate::objects::{ObjectId, Size};
use crate::pointer::Case;
use crate::state::{Frame, State};
use cfa::{ExprId, ExprKind};
use rustc_hash::FxHashMap;
use term::{TermId, TermPool};

pub(crate) const BEYOND: &str = "an address far inside of an object of unknown size";

/// Whatever the size of its elements, an object of so many bytes has no more elements than there are numbers, also if
/// the last one ends in the gap behind.
pub(crate) const NUMBERED: u64 = (1 << INDEX_WIDTH) - (1 << 16);

/// A pointer that was moved by a number of distances.
pub(crate) struct Moved {
    /// The pointer before.
    pub pointer: ExprId,
    /// Its address.
    pub from: TermId,
    /// Its address afterwards.
    pub to: TermId,
}

impl Encoder<'_> {
    pub(crate) fn moved(
        &mut self,
        state: &mut State,
        frame: Frame,
        mut pointer: ExprId,
    ) -> Result<Moved, Unsupported> {
        let mut distances = Vec::new();
        while let ExprKind::PointerAdd { pointer: inner, index, scale } = self.program.exprs[pointer].kind {
            distances.push((index, scale));
            pointer = inner;
        }
        let from = self.expression(state, frame, pointer)?;
        let mut to = from;
        for (index, scale) in distances.into_iter().rev() {
            let distance = self.scaled(state, frame, index, scale)?;
            to = self.pool.add(to, distance);
        }
        Ok(Moved { pointer, from, to })
    }

    /// Whether an address is one of an object's own.
    pub(crate) fn is_in_room(&mut self, object: ObjectId, address: TermId) -> TermId {
        let offset = self.offset_in(object, address);
        let inside = self.in_bounds(object, offset, 0);
        let room = self.objects.get(object).room;
        if !self.objects.get(object).may_outgrow {
            return inside;
        }
        let room = self.pointer(room);
        let is_near = self.pool.ule(offset, room);
        self.pool.and(inside, is_near)
    }

    pub(crate) fn offset_in(&mut self, object: ObjectId, address: TermId) -> TermId {
        let base = self.objects.get(object).base;
        let base = self.pointer(base);
        self.pool.sub(address, base)
    }

    /// Changes the cases of a moved pointer so that it stays in its object.
    pub(crate) fn stay_in_object(&mut self, moved: &Moved, cases: &mut Vec<Case>) -> Result<(), Unsupported> {
        let mut own = self.outgrowing_targets(moved)?;
        if own.is_empty() {
            return Ok(());
        }
        let mut elsewhere = TermPool::TRUE;
        for case in &mut own {
            let is_not = self.pool.not(case.condition);
            elsewhere = self.pool.and(elsewhere, is_not);
            let size = self.size_as_term(case.object);
            let inside = self.pool.ule(case.offset, size);
            case.condition = self.pool.and(case.condition, inside);
        }
        for case in cases.iter_mut() {
            case.condition = self.pool.and(case.condition, elsewhere);
        }
        cases.retain(|case| case.condition != TermPool::FALSE);
        for case in own.into_iter().filter(|case| case.condition != TermPool::FALSE) {
            match cases.iter_mut().find(|other| other.object == case.object) {
                Some(other) => {
                    other.offset = self.pool.ite(case.condition, case.offset, other.offset);
                    other.condition = self.pool.or(other.condition, case.condition);
                    other.behind = None;
                }
                None => cases.push(case),
            }
        }
        Ok(())
    }

    /// Follows a moved pointer only as long as its address is one of its object's own.
    pub(crate) fn stay_in_room(&mut self, state: &mut State, moved: &Moved) -> Result<(), Unsupported> {
        let mut beyond = TermPool::FALSE;
        for case in self.outgrowing_targets(moved)? {
            let is_beyond = self.is_beyond(case.object, case.offset);
            let here = self.pool.and(case.condition, is_beyond);
            beyond = self.pool.or(beyond, here);
        }
        self.see_unless(state, beyond, BEYOND);
        Ok(())
    }

    /// Whether an offset is inside of an object, but not in its room.
    pub(crate) fn is_beyond(&mut self, object: ObjectId, offset: TermId) -> TermId {
        let info = *self.objects.get(object);
        if !info.may_outgrow {
            return TermPool::FALSE;
        }
        self.is_between(info.room, offset, object)
    }

    /// Whether an offset is above a number, but inside of an object.
    fn is_between(&mut self, number: u64, offset: TermId, object: ObjectId) -> TermId {
        let number = self.pointer(number);
        let is_far = self.pool.ult(number, offset);
        let size = self.size_as_term(object);
        let inside = self.pool.ule(offset, size);
        self.pool.and(is_far, inside)
    }

    fn size_as_term(&mut self, object: ObjectId) -> TermId {
        match self.objects.get(object).size {
            Size::Term(size) => size,
            Size::Known(size) => self.pointer(size),
            // Offsets from one half on are negative: a pointer from outside points to the start of its memory.
            Size::Unbounded => self.pointer(u64::MAX >> (65 - self.pointer_width())),
        }
    }

    /// Goes on only where an access of so many bytes is in the part of an object that can be seen, or at most in the
    /// gap behind it.
    pub(crate) fn see_access(&mut self, state: &mut State, case: &Case, size: u64) {
        let room = self.objects.get(case.object).room;
        let ends_in_gap = case.behind.is_some_and(|behind| behind.saturating_add(size) <= self.objects.gap());
        if room <= NUMBERED && ends_in_gap {
            return;
        }
        let Some(seen) = self.seen_part(case.object) else { return };
        let last = (seen + self.objects.gap()).saturating_sub(size);
        self.see_no_further(state, case, case.offset, last);
    }

    /// Goes on only where an offset is in the part of an object that can be seen.
    pub(crate) fn see_until(&mut self, state: &mut State, case: &Case, offset: TermId) {
        if let Some(seen) = self.seen_part(case.object) {
            self.see_no_further(state, case, offset, seen);
        }
    }

    fn see_no_further(&mut self, state: &mut State, case: &Case, offset: TermId, last: u64) {
        let beyond = self.is_between(last, offset, case.object);
        let beyond = self.pool.and(case.condition, beyond);
        self.see_unless(state, beyond, BEYOND);
    }

    /// How many bytes of an object can be accessed, unless it is all of them: memory from outside has no others, and
    /// elements have numbers.
    fn seen_part(&self, object: ObjectId) -> Option<u64> {
        let info = self.objects.get(object);
        let room = (info.size == Size::Unbounded && info.may_outgrow).then_some(info.room);
        let has_numbers =
            self.is_unseen(object) || self.largest_size(object).is_some_and(|most| most <= NUMBERED);
        let numbered = (!has_numbers && self.pointer_width() > INDEX_WIDTH).then_some(NUMBERED);
        room.into_iter().chain(numbered).min()
    }

    /// The objects that a pointer can be in before it is moved, and that can be larger than their room: when it is in
    /// them, and at which offset it is then afterwards.
    fn outgrowing_targets(&mut self, moved: &Moved) -> Result<Vec<Case>, Unsupported> {
        if !self.objects.one_may_outgrow() || moved.from == moved.to {
            return Ok(Vec::new());
        }
        let from = self.distribute(moved.from, &mut FxHashMap::default());
        let constant = self.constant_targets(from);
        let is_constant = constant.is_some();
        let mut objects = match constant {
            Some(objects) => objects,
            None => self.possible_targets(Some(moved.pointer))?.0,
        };
        objects.retain(|&object| self.objects.get(object).may_outgrow);
        let mut cases = Vec::with_capacity(objects.len());
        for object in objects {
            let (condition, offset) = if is_constant {
                let (condition, offset) = self.part_in(from, object, &mut FxHashMap::default());
                let offset = offset.unwrap_or_else(|| self.pointer(0));
                let distance = self.pool.sub(moved.to, moved.from);
                (condition, self.pool.add(offset, distance))
            } else {
                (self.is_in_room(object, from), self.offset_in(object, moved.to))
            };
            cases.push(Case { condition, object, offset, behind: None });
        }
        Ok(cases)
    }

    /// Whether all objects of computed size have at most so many bytes.
    pub fn has_no_object_above(&mut self, most: u64) -> TermId {
        let sizes = self.objects.iter().filter_map(|(_, object)| match object.size {
            Size::Term(size) => Some(size),
            Size::Known(_) | Size::Unbounded => None,
        });
        let sizes: Vec<TermId> = sizes.collect();
        let most = self.pointer(most);
        let fit: Vec<TermId> = sizes.into_iter().map(|size| self.pool.ule(size, most)).collect();
        self.pool.and_all(fit)
    }

    /// Goes on only where `hidden` is false; what happens elsewhere is not seen.
    pub(crate) fn see_unless(&mut self, state: &mut State, hidden: TermId, what: &'static str) {
        let hidden = self.pool.and(self.evaluated, hidden);
        if hidden == TermPool::FALSE {
            return;
        }
        let seen = self.pool.not(hidden);
        if let Some(is_there) = self.is_there {
            self.is_there = Some(self.pool.and(is_there, seen));
            return;
        }
        let reached = self.pool.and(state.guard.term(), hidden);
        self.blind.push((reached, what));
        self.restrict(state, seen);
    }
}

//! Which bytes of an object an access at a computed offset can mean.
//!
//! The linear form of the offset says at which *positions* the access can be: at a start and equal distances from
//! there on. Arrays that are held as one term and have such positions as elements are accessed by the number of the
//! element; positions in none of them one by one. An object can have several arrays that an access does not tell
//! apart, as `s.a[i]` is in another member of `s` where `i` is too large: C leaves that undefined, programs do it.

use crate::Unsupported;
use crate::encoder::Encoder;
use crate::grid::{INDEX_WIDTH, Shape};
use crate::layout::LARGE;
use crate::linear::Linear;
use crate::objects::{ObjectId, Size};
use crate::room::NUMBERED;
use crate::state::State;
use term::{TermId, TermPool};

pub(crate) enum Reach {
    At(u64),
    Spots(Spots),
    /// Anywhere in the object.
    Anywhere,
}

/// Exactly one of these; of none where the object ends before.
pub(crate) struct Spots {
    pub elements: Vec<Element>,
    pub offsets: Vec<u64>,
    /// Whether the access is at another place in the object.
    pub elsewhere: TermId,
}

impl Spots {
    fn offsets(offsets: impl IntoIterator<Item = u64>) -> Self {
        Self { elements: Vec::new(), offsets: offsets.into_iter().collect(), elsewhere: TermPool::FALSE }
    }
}

/// An element of a grid.
pub(crate) struct Element {
    pub shape: Shape,
    pub index: TermId,
    /// Whether the access is in this grid.
    pub is_meant: TermId,
}

/// An access in pieces smaller than its elements looks at no more offsets than this.
pub const MOST_OFFSETS: u64 = 4096;
/// The same where it is not worth much.
pub const FEW_OFFSETS: u64 = 64;

/// Where positions that are in no array are too many, so many of them are looked at: from a few before the one that
/// is meant on.
const FEW_NEAR: usize = 16;
const FEW_BEFORE: u64 = 4;

const MISFIT: &str = "access to an array by a computed offset that does not fit its elements";

impl Encoder<'_> {
    pub(crate) fn reach(
        &mut self,
        state: &mut State,
        object: ObjectId,
        offset: TermId,
        size: u64,
    ) -> Result<Reach, Unsupported> {
        if let Some(offset) = self.pool.small_value(offset) {
            let is_there = self.may_hold(object, offset, size);
            return Ok(if is_there { Reach::At(offset) } else { Reach::Spots(Spots::offsets([])) });
        }
        let linear = Linear::of(&self.pool, &mut self.zeros, offset);
        let divisor = linear.divisor();
        if divisor < size {
            return self.reach_unaligned(state, object, size);
        }
        let likely = self.positions(object, &linear, divisor, size);
        self.make_room(state, object, meant_by(&linear, likely).unwrap_or(0), likely);
        let stride = linear.stride(&self.pool, self.pointer_width());
        let positions = self.positions(object, &linear, stride, size);
        let highest = self.pool.upper_bound(offset).unwrap_or(u64::MAX);
        let arrays = self.arrays_at(state, object, positions, highest);
        let meant = meant_by(&linear, positions);
        let most = if meant.is_some() { LARGE } else { self.most_offsets() };
        let (offsets, are_all) = positions.without(&arrays, 0, highest, most as usize);
        if are_all {
            let is_alone = offsets.is_empty() && arrays.len() == 1;
            let elements = self.elements(&linear, &arrays, is_alone);
            return Ok(Reach::Spots(Spots { elements, ..Spots::offsets(offsets) }));
        }
        if arrays.is_empty() {
            return self.reach_one_by_one(state, positions);
        }
        // Of memory from outside not much is known anyway.
        if self.objects.get(object).size == Size::Unbounded && self.forgets_above.is_some() {
            return self.reach_anywhere(state, MISFIT);
        }
        let near = meant.unwrap_or(0).saturating_sub(FEW_BEFORE * stride);
        let (offsets, _) = positions.without(&arrays, near, highest, FEW_NEAR);
        let elements = self.elements(&linear, &arrays, false);
        let inside = self.in_bounds(object, offset, size);
        let elsewhere = self.is_elsewhere(offset, &elements, &offsets);
        let elsewhere = self.pool.and(inside, elsewhere);
        Ok(Reach::Spots(Spots { elements, offsets, elsewhere }))
    }

    /// All positions in the object.
    fn positions(&self, object: ObjectId, linear: &Linear, stride: u64, size: u64) -> Shape {
        let start = linear.constant.rem_euclid(stride as i64) as u64;
        let count = self.known_size(object).map(|total| match total.checked_sub(start + size) {
            Some(room) => room / stride + 1,
            None => 0,
        });
        Shape { start, stride, size, count }
    }

    /// Makes a grid for many positions that are in none: all of them, or those around the one that is meant.
    fn make_room(&mut self, state: &mut State, object: ObjectId, meant: u64, positions: Shape) {
        self.with_cells(state, object, |pool, cells| {
            let is_free = |run: &Shape| !cells.overlaps_grid(*run) && cells.grid(*run).is_none();
            let runs = [Some(positions), positions.around(meant, cells.grids())];
            let is_large = |run: &Shape| run.count.is_none_or(|count| count > LARGE);
            if let Some(run) = runs.into_iter().flatten().find(|run| is_large(run) && is_free(run)) {
                cells.make_grid(pool, run);
            }
        });
    }

    /// The arrays that have positions up to an offset as elements, in their order. Few positions are better told
    /// apart one by one, unless they are all that an array has.
    fn arrays_at(
        &mut self,
        state: &mut State,
        object: ObjectId,
        positions: Shape,
        highest: u64,
    ) -> Vec<Shape> {
        let grids = self.cells(state, object).grids().iter().map(|grid| grid.shape);
        let mut arrays: Vec<Shape> =
            grids.filter(|shape| shape.start <= highest && shape.serves(&positions)).collect();
        let are_few = positions.count.is_some_and(|count| count <= LARGE);
        if are_few && arrays.iter().all(|array| array.stride != positions.stride) {
            arrays.clear();
        }
        arrays.sort_by_key(|array| array.start);
        arrays
    }

    /// Positions that are in the middle of elements.
    fn reach_one_by_one(&mut self, state: &State, positions: Shape) -> Result<Reach, Unsupported> {
        match positions.count {
            Some(count) if count <= self.most_offsets() => {
                let offsets = (0..count).map(|index| positions.start + index * positions.stride);
                Ok(Reach::Spots(Spots::offsets(offsets)))
            }
            _ => self.reach_anywhere(state, MISFIT),
        }
    }

    fn most_offsets(&self) -> u64 {
        self.forgets_above.unwrap_or(MOST_OFFSETS)
    }

    /// An access that can start anywhere.
    fn reach_unaligned(&mut self, state: &State, object: ObjectId, size: u64) -> Result<Reach, Unsupported> {
        match self.known_size(object) {
            Some(total) if total < size => Ok(Reach::Spots(Spots::offsets([]))),
            Some(total) if total - size < self.most_offsets() => {
                Ok(Reach::Spots(Spots::offsets(0..=total - size)))
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

    fn is_elsewhere(&mut self, offset: TermId, elements: &[Element], offsets: &[u64]) -> TermId {
        let mut here: Vec<TermId> = elements.iter().map(|element| element.is_meant).collect();
        here.extend(offsets.iter().map(|&at| self.offset_is(offset, at)));
        let here = self.pool.or_all(here);
        self.pool.not(here)
    }

    /// Goes on only where an access is at one of the spots.
    pub(crate) fn see_only(&mut self, state: &mut State, spots: &Spots, condition: TermId) {
        let hidden = self.pool.and(condition, spots.elsewhere);
        self.see_unless(state, hidden, MISFIT);
    }

    fn elements(&mut self, linear: &Linear, arrays: &[Shape], is_alone: bool) -> Vec<Element> {
        let mut elements = Vec::with_capacity(arrays.len());
        for &shape in arrays {
            let index = self.grid_index(linear, shape);
            let is_meant = if is_alone { TermPool::TRUE } else { self.is_index(index, shape) };
            let index = self.pool.resize_unsigned(index, INDEX_WIDTH);
            elements.push(Element { shape, index, is_meant });
        }
        elements
    }

    fn is_index(&mut self, index: TermId, shape: Shape) -> TermId {
        let width = self.pool.width(index);
        let count = shape.count.unwrap_or(NUMBERED / shape.stride);
        if count.checked_shr(width).is_some_and(|above| above > 0) {
            return TermPool::TRUE;
        }
        let count = self.pool.bitvec(width, count);
        self.pool.ult(index, count)
    }

    /// `(offset - start) / stride`, from the linear form.
    ///
    /// Offsets are numbers modulo a power of two. Multiples of a power of two are divided by it, of which the highest
    /// digits are lost; odd numbers have an inverse. So what is not `start` and a multiple of the stride has an index,
    /// too, but one that no element has: the stride times the number of an element does not wrap around.
    fn grid_index(&mut self, linear: &Linear, shape: Shape) -> TermId {
        let zeros = shape.stride.trailing_zeros();
        let width = self.pointer_width() - zeros;
        let inverse = inverse_of_odd(shape.stride >> zeros);
        let divided = |number: i64| ((number >> zeros) as u64).wrapping_mul(inverse);
        let mut index = self.pool.bitvec(width, divided(linear.constant.wrapping_sub(shape.start as i64)));
        for part in &linear.parts {
            let by = self.pointer(u64::from(part.shift));
            let atom = self.pool.lshr(part.term, by);
            let atom = self.pool.resize_unsigned(atom, width);
            let factor = self.pool.bitvec(width, divided(part.coefficient));
            let product = self.pool.mul(factor, atom);
            index = self.pool.add(index, product);
        }
        index
    }
}

/// The position that an access is at unless it is moved by terms, or the first one if that is somewhat before. Where
/// it is far outside, the terms make up for it, and nothing can be said.
fn meant_by(linear: &Linear, positions: Shape) -> Option<u64> {
    let is_near = linear.constant.unsigned_abs() < positions.end();
    is_near.then(|| u64::try_from(linear.constant).unwrap_or(0).max(positions.start))
}

/// The number that an odd number is multiplied by to give 1, modulo 2^64. It is its own inverse modulo 8, and each of
/// Newton's steps doubles the digits that are right.
fn inverse_of_odd(number: u64) -> u64 {
    let step = |inverse: u64| inverse.wrapping_mul(2u64.wrapping_sub(number.wrapping_mul(inverse)));
    (0..5).fold(number, |inverse, _| step(inverse))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inverses_of_odd_numbers() {
        for number in (1..1000).step_by(2).chain([u64::MAX, 1 << 63 | 1]) {
            assert_eq!(number.wrapping_mul(inverse_of_odd(number)), 1);
        }
    }
}

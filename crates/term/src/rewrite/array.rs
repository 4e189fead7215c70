//! Arrays: reads look through writes whose index is surely another one.
//!
//! A loop with a known number of iterations writes an array of a hundred thousand elements at as many
//! constant indices. Reads do not pass such a *stretch* of writes one by one: every so often, what the
//! stretch has written is put into a map, and maps share what they have in common.

use crate::op::Op;
use crate::pool::{TermId, TermPool};
use crate::sort::Sort;
use base::PersistentVec;
use rustc_hash::FxHashMap;

/// How many writes a read looks through, one by one.
const LONGEST_LOOK: usize = 4096;
/// How many writes to constant indices a read at another constant index passes one by one.
const LONGEST_WALK: usize = 32;
/// How many writes a write looks through for an earlier one that it covers.
const LONGEST_COVER: usize = 16;

/// Writes to constant indices that follow each other, by the last one.
pub(crate) type Stretches = FxHashMap<TermId, Stretch>;

#[derive(Clone)]
pub(crate) struct Stretch {
    written: PersistentVec<TermId>,
    /// The array that was written to.
    below: TermId,
}

/// What a read finds behind a stretch of writes.
enum Found {
    Element(TermId),
    Below(TermId),
}

impl Stretch {
    fn read(&self, at: u32) -> Found {
        self.written.get(at).map_or(Found::Below(self.below), |&element| Found::Element(element))
    }
}

impl TermPool {
    fn array_sort(&self, array: TermId) -> (u32, u32) {
        match self.sort(array) {
            Sort::Array { index, element } => (index, element),
            sort => panic!("{sort:?} is not an array sort"),
        }
    }

    /// The array with `element` at every index of `index` bits.
    pub fn constant_array(&mut self, index: u32, element: TermId) -> TermId {
        let sort = Sort::Array { index, element: self.width(element) };
        self.intern(Op::ConstantArray, sort, [element])
    }

    pub fn select(&mut self, array: TermId, index: TermId) -> TermId {
        let (index_width, element) = self.array_sort(array);
        assert_eq!(self.width(index), index_width, "index of an array");
        let mut array = array;
        let constant = self.constant_index(index);
        for _ in 0..LONGEST_LOOK {
            if let Some(at) = constant {
                match self.read_stretch(array, at) {
                    Found::Element(element) => return element,
                    Found::Below(below) => array = below,
                }
            }
            match self.op(array) {
                Op::ConstantArray => return self.child(array, 0),
                Op::Store => match self.decided_equal(self.child(array, 1), index) {
                    Some(true) => return self.child(array, 2),
                    Some(false) => array = self.child(array, 0),
                    None => break,
                },
                _ => break,
            }
        }
        self.intern(Op::Select, Sort::BitVec(element), [array, index])
    }

    fn constant_index(&self, index: TermId) -> Option<u32> {
        self.small_value(index).and_then(|value| u32::try_from(value).ok())
    }

    /// Index and element, if the array is the result of a write to a constant index.
    fn constant_write(&self, array: TermId) -> Option<(u32, TermId)> {
        match (self.op(array), self.children(array)) {
            (Op::Store, &[_, index, element]) => Some((self.constant_index(index)?, element)),
            _ => None,
        }
    }

    /// Reads behind the writes to constant indices that the array ends with.
    fn read_stretch(&mut self, top: TermId, at: u32) -> Found {
        let mut array = top;
        for _ in 0..LONGEST_WALK {
            if let Some(stretch) = self.stretches.get(&array) {
                return stretch.read(at);
            }
            match self.constant_write(array) {
                None => return Found::Below(array),
                Some((index, element)) if index == at => return Found::Element(element),
                Some(_) => array = self.child(array, 0),
            }
        }
        let stretch = self.stretch_from(top);
        let found = stretch.read(at);
        self.stretches.insert(top, stretch);
        found
    }

    /// The whole stretch, from the nearest part of it that is known.
    fn stretch_from(&self, top: TermId) -> Stretch {
        let mut array = top;
        let mut later = Vec::new();
        let mut stretch = loop {
            if let Some(known) = self.stretches.get(&array) {
                break known.clone();
            }
            match self.constant_write(array) {
                Some(write) => later.push(write),
                None => break Stretch { written: PersistentVec::default(), below: array },
            }
            array = self.child(array, 0);
        };
        for (index, element) in later.into_iter().rev() {
            stretch.written.set(index, element);
        }
        stretch
    }

    pub fn store(&mut self, array: TermId, index: TermId, element: TermId) -> TermId {
        let (index_width, element_width) = self.array_sort(array);
        assert_eq!(self.width(index), index_width, "index of an array");
        assert_eq!(self.width(element), element_width, "element of an array");
        if self.operands(element, Op::Select) == Some((array, index))
            || self.operand(array, Op::ConstantArray) == Some(element)
        {
            return array;
        }
        let base = self.without_covered(array, index);
        self.intern(Op::Store, self.sort(array), [base, index, element])
    }

    /// The array without the last write to `index`, if that write is near and cannot be seen
    /// through the ones after it.
    fn without_covered(&mut self, array: TermId, index: TermId) -> TermId {
        let mut later = smallvec::SmallVec::<[TermId; LONGEST_COVER]>::new();
        let mut base = array;
        while self.op(base) == Op::Store && later.len() < LONGEST_COVER {
            match self.decided_equal(self.child(base, 1), index) {
                Some(true) => {
                    let below = self.child(base, 0);
                    return later.iter().rev().fold(below, |rest, &write| {
                        let (index, element) = (self.child(write, 1), self.child(write, 2));
                        self.intern(Op::Store, self.sort(array), [rest, index, element])
                    });
                }
                Some(false) => {
                    later.push(base);
                    base = self.child(base, 0);
                }
                None => return array,
            }
        }
        array
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_see_writes() {
        let mut pool = TermPool::new();
        let array = pool.variable("a", Sort::Array { index: 32, element: 8 });
        let i = pool.variable("i", Sort::BitVec(32));
        let one = pool.bitvec(32, 1);
        let next = pool.add(i, one);
        let [x, y] = ["x", "y"].map(|name| pool.variable(name, Sort::BitVec(8)));
        let first = pool.store(array, i, x);
        let second = pool.store(first, next, y);
        assert_eq!(pool.select(second, i), x);
        assert_eq!(pool.select(second, next), y);
        let third = pool.store(second, i, y);
        let direct = pool.store(array, next, y);
        assert_eq!(third, pool.store(direct, i, y));
        let read = pool.select(array, i);
        assert_eq!(pool.store(array, i, read), array);
    }

    #[test]
    fn reads_see_through_any_number_of_writes_to_constant_indices() {
        let mut pool = TermPool::new();
        let unknown = pool.variable("a", Sort::Array { index: 32, element: 32 });
        let somewhere = pool.variable("i", Sort::BitVec(32));
        let count = 4 * LONGEST_LOOK as u64;
        let mut array = unknown;
        for round in 0..2 {
            for at in 0..count {
                let index = pool.bitvec(32, at);
                if round == 1 {
                    let before = pool.bitvec(32, at + 7);
                    assert_eq!(pool.select(array, index), before);
                }
                let element = pool.bitvec(32, at + 7 - round);
                array = pool.store(array, index, element);
            }
        }
        let first = pool.bitvec(32, 0);
        let six = pool.bitvec(32, 6);
        assert_eq!(pool.select(array, first), six);
        let outside = pool.bitvec(32, count);
        assert_eq!(pool.select(array, outside), pool.select(unknown, outside));
        let blurred = pool.store(array, somewhere, six);
        let read = pool.select(blurred, first);
        assert_eq!(pool.op(read), Op::Select, "the write in between may be to this index");
    }
}

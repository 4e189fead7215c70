//! Arrays: reads look through writes whose index is surely another one.

use crate::op::Op;
use crate::pool::{TermId, TermPool};
use crate::sort::Sort;

/// How many writes a read looks through.
const LONGEST_LOOK: usize = 4096;
/// How many writes a write looks through for an earlier one that it covers.
const LONGEST_COVER: usize = 16;

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
        for _ in 0..LONGEST_LOOK {
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
}

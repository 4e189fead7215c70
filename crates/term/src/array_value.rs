//! Values of arrays: total maps that share what they have in common.
//!
//! A chain of a thousand writes has a thousand values, each the one before it with one place changed. So the
//! places are a *treap* with shared nodes: a search tree by index that is a heap by priority. The
//! priority is a hash of the index, so that the shape depends on the set of places only, and trees are equal
//! just if they hold the same.

use crate::bitvec::BitVec;
use crate::sort::Sort;
use rustc_hash::FxHasher;
use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

/// A total map: one default, and the places that differ from it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ArrayValue {
    index: u32,
    default: BitVec,
    /// None of them holds the default.
    places: Tree,
}

type Tree = Option<Rc<Place>>;

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Place {
    /// The index and the element there.
    entry: (BitVec, BitVec),
    priority: u64,
    below: Tree,
    above: Tree,
}

fn compare(one: &BitVec, other: &BitVec) -> Ordering {
    match (one.small(), other.small()) {
        (Some(one), Some(other)) => one.cmp(&other),
        _ if one == other => Ordering::Equal,
        _ if one.ult(other) => Ordering::Less,
        _ => Ordering::Greater,
    }
}

fn priority(index: &BitVec) -> u64 {
    let mut hasher = FxHasher::default();
    index.hash(&mut hasher);
    // The hash of consecutive numbers is too regular by itself.
    hasher.finish().wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(32)
}

impl Place {
    /// Whether this place is nearer to the root than the other one.
    fn is_higher(&self, other: &Place) -> bool {
        let order = self.priority.cmp(&other.priority);
        order.then_with(|| compare(&self.entry.0, &other.entry.0)) == Ordering::Greater
    }
}

/// The tree with a new entry, in place of the one with the same index.
fn insert(tree: &Tree, mut new: Place) -> Tree {
    let Some(place) = tree else { return Some(Rc::new(new)) };
    let order = compare(&new.entry.0, &place.entry.0);
    if order != Ordering::Equal && new.is_higher(place) {
        (new.below, new.above) = split(tree, &new.entry.0);
        return Some(Rc::new(new));
    }
    let mut changed = Place::clone(place);
    match order {
        Ordering::Less => changed.below = insert(&place.below, new),
        Ordering::Equal => changed.entry = new.entry,
        Ordering::Greater => changed.above = insert(&place.above, new),
    }
    Some(Rc::new(changed))
}

/// What is below and above an index that is not in the tree.
fn split(tree: &Tree, index: &BitVec) -> (Tree, Tree) {
    let Some(place) = tree else { return (None, None) };
    let mut changed = Place::clone(place);
    if compare(&place.entry.0, index) == Ordering::Less {
        let (below, above) = split(&place.above, index);
        changed.above = below;
        (Some(Rc::new(changed)), above)
    } else {
        let (below, above) = split(&place.below, index);
        changed.below = above;
        (below, Some(Rc::new(changed)))
    }
}

fn remove(tree: &Tree, index: &BitVec) -> Tree {
    let place = tree.as_ref()?;
    let mut changed = Place::clone(place);
    match compare(index, &place.entry.0) {
        Ordering::Less => changed.below = remove(&place.below, index),
        Ordering::Greater => changed.above = remove(&place.above, index),
        Ordering::Equal => return join(&place.below, &place.above),
    }
    Some(Rc::new(changed))
}

/// One tree of two, where all indices of the first are below those of the second.
fn join(below: &Tree, above: &Tree) -> Tree {
    let (Some(one), Some(other)) = (below, above) else { return below.clone().or_else(|| above.clone()) };
    if one.is_higher(other) {
        let mut changed = Place::clone(one);
        changed.above = join(&one.above, above);
        return Some(Rc::new(changed));
    }
    let mut changed = Place::clone(other);
    changed.below = join(below, &other.below);
    Some(Rc::new(changed))
}

impl ArrayValue {
    /// The array with `default` at every index of `index` bits.
    pub fn new(index: u32, default: BitVec) -> Self {
        Self { index, default, places: None }
    }

    pub fn index_width(&self) -> u32 {
        self.index
    }

    pub fn sort(&self) -> Sort {
        Sort::Array { index: self.index, element: self.default.width() }
    }

    pub fn default_value(&self) -> &BitVec {
        &self.default
    }

    /// The places that differ from the default, by ascending index.
    pub fn entries(&self) -> impl Iterator<Item = &(BitVec, BitVec)> {
        let mut stack: Vec<&Place> = Vec::new();
        let mut next = self.places.as_deref();
        std::iter::from_fn(move || {
            while let Some(place) = next {
                stack.push(place);
                next = place.below.as_deref();
            }
            let place = stack.pop()?;
            next = place.above.as_deref();
            Some(&place.entry)
        })
    }

    fn get(&self, index: &BitVec) -> Option<&BitVec> {
        let mut next = self.places.as_deref();
        while let Some(place) = next {
            next = match compare(index, &place.entry.0) {
                Ordering::Less => place.below.as_deref(),
                Ordering::Equal => return Some(&place.entry.1),
                Ordering::Greater => place.above.as_deref(),
            };
        }
        None
    }

    pub fn select(&self, index: &BitVec) -> &BitVec {
        self.get(index).unwrap_or(&self.default)
    }

    pub fn store(&mut self, index: BitVec, element: BitVec) {
        if self.select(&index) == &element {
            return;
        }
        self.places = if element == self.default {
            remove(&self.places, &index)
        } else {
            let priority = priority(&index);
            insert(&self.places, Place { entry: (index, element), priority, below: None, above: None })
        };
    }

    /// Whether the two maps agree everywhere. (Structural equality tells apart maps that have
    /// different defaults but entries for every index.)
    pub fn same_map(&self, other: &Self) -> bool {
        if self.default != other.default && !self.covered_with(other) {
            return false;
        }
        let mut indices = self.entries().chain(other.entries()).map(|(index, _)| index);
        indices.all(|index| self.select(index) == other.select(index))
    }

    /// Whether every index has an entry in one of the two.
    fn covered_with(&self, other: &Self) -> bool {
        let extra = other.entries().filter(|(index, _)| self.get(index).is_none()).count();
        let covered = (self.entries().count() + extra) as u64;
        self.index < 64 && covered >> self.index != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    fn number(value: u64) -> BitVec {
        BitVec::new(6, value)
    }

    proptest! {
        #[test]
        fn writes_are_those_of_a_map(writes in prop::collection::vec((0u64..64, 0u64..4), 0..120)) {
            let mut array = ArrayValue::new(6, number(0));
            let mut map = BTreeMap::new();
            for &(index, element) in &writes {
                let before = array.clone();
                array.store(number(index), number(element));
                prop_assert_eq!(before.select(&number(index)), &number(*map.get(&index).unwrap_or(&0)));
                map.insert(index, element);
            }
            map.retain(|_, element| *element != 0);
            let found: Vec<(u64, u64)> =
                array.entries().map(|(i, e)| (i.to_u64().unwrap(), e.to_u64().unwrap())).collect();
            prop_assert_eq!(&found, &map.clone().into_iter().collect::<Vec<_>>());
            // The same places in another order of writes.
            let mut other = ArrayValue::new(6, number(0));
            for (&index, &element) in map.iter().rev() {
                other.store(number(index), number(element));
            }
            prop_assert!(other == array && other.same_map(&array));
        }
    }

    #[test]
    fn long_chains_stay_flat() {
        let mut array = ArrayValue::new(32, BitVec::new(8, 0));
        let mut all = Vec::new();
        for index in 0..20_000 {
            array.store(BitVec::new(32, index), BitVec::new(8, 1 + index % 5));
            all.push(array.clone());
        }
        assert_eq!(all[9_999].entries().count(), 10_000);
        assert_eq!(array.select(&BitVec::new(32, 19_999)), &BitVec::new(8, 1 + 19_999 % 5));
    }
}

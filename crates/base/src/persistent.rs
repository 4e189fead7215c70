//! A persistent vector: copies share what they have in common.
//!
//! Symbolic and explicit states map dense indices (variables, objects) to values. A state is copied
//! at every branch and changed in a few places, so it is a tree of fan-out 16 with shared nodes: a
//! copy costs one reference count, a change a short path, and [`PersistentVec::differences`] skips
//! whatever two states still share.

use std::rc::Rc;

const BITS: u32 = 4;
const FAN_OUT: usize = 1 << BITS;

/// A map from dense `u32` indices to values; absent until set.
#[derive(Clone, Debug)]
pub struct PersistentVec<T> {
    root: Option<Rc<Node<T>>>,
    /// Number of levels; a tree of `levels` holds indices below `16^levels`.
    levels: u32,
}

#[derive(Clone, Debug)]
enum Node<T> {
    Inner([Option<Rc<Node<T>>>; FAN_OUT]),
    Leaf([Option<T>; FAN_OUT]),
}

impl<T> Default for PersistentVec<T> {
    fn default() -> Self {
        Self { root: None, levels: 1 }
    }
}

impl<T: Clone> Node<T> {
    fn empty(level: u32) -> Self {
        if level == 0 {
            Node::Leaf(std::array::from_fn(|_| None))
        } else {
            Node::Inner(std::array::from_fn(|_| None))
        }
    }
}

/// Which child the index is in, at the given level (leaves are level 0).
fn child(index: u32, level: u32) -> usize {
    (index >> (BITS * level)) as usize & (FAN_OUT - 1)
}

impl<T: Clone> PersistentVec<T> {
    #[inline]
    pub fn get(&self, index: u32) -> Option<&T> {
        if self.levels < 8 && index >> (BITS * self.levels) != 0 {
            return None;
        }
        let mut node = self.root.as_ref()?;
        let mut level = self.levels - 1;
        loop {
            match &**node {
                Node::Leaf(items) => return items[child(index, 0)].as_ref(),
                Node::Inner(children) => node = children[child(index, level)].as_ref()?,
            }
            level -= 1;
        }
    }

    pub fn set(&mut self, index: u32, value: T) {
        *self.slot(index) = Some(value);
    }

    pub fn remove(&mut self, index: u32) {
        if self.get(index).is_some() {
            *self.slot(index) = None;
        }
    }

    /// The value at an index for changing it in place; `None` if absent.
    pub fn get_mut(&mut self, index: u32) -> Option<&mut T> {
        self.get(index)?;
        self.slot(index).as_mut()
    }

    /// The path to the index, made unique to this copy.
    fn slot(&mut self, index: u32) -> &mut Option<T> {
        while self.levels < 8 && index >> (BITS * self.levels) != 0 {
            self.add_level();
        }
        let mut level = self.levels - 1;
        let mut node = Rc::make_mut(self.root.get_or_insert_with(|| Rc::new(Node::empty(level))));
        loop {
            match node {
                Node::Leaf(items) => return &mut items[child(index, 0)],
                Node::Inner(children) => {
                    let place = &mut children[child(index, level)];
                    level -= 1;
                    node = Rc::make_mut(place.get_or_insert_with(|| Rc::new(Node::empty(level))));
                }
            }
        }
    }

    fn add_level(&mut self) {
        if let Some(root) = self.root.take() {
            let mut children = std::array::from_fn(|_| None);
            children[0] = Some(root);
            self.root = Some(Rc::new(Node::Inner(children)));
        }
        self.levels += 1;
    }

    /// Calls `visit` on every index at which the two may differ, in ascending order. Parts that the
    /// two share are not looked at.
    pub fn differences(&self, other: &Self, visit: Visit<'_, T>) {
        let levels = self.levels.max(other.levels);
        let raised = |this: &Self| {
            let mut raised = this.clone();
            while raised.levels < levels {
                raised.add_level();
            }
            raised.root
        };
        compare(raised(self).as_ref(), raised(other).as_ref(), 0, levels - 1, visit);
    }

    /// All values with their indices, in ascending order.
    pub fn for_each(&self, visit: &mut dyn FnMut(u32, &T)) {
        self.differences(&Self::default(), &mut |index, value, _| {
            if let Some(value) = value {
                visit(index, value);
            }
        });
    }
}

/// Called with an index and what each of two vectors holds there.
pub type Visit<'a, T> = &'a mut dyn FnMut(u32, Option<&T>, Option<&T>);

fn compare<T: Clone>(
    left: Option<&Rc<Node<T>>>,
    right: Option<&Rc<Node<T>>>,
    first: u32,
    level: u32,
    visit: Visit<'_, T>,
) {
    match (left, right) {
        (None, None) => return,
        (Some(left), Some(right)) if Rc::ptr_eq(left, right) => return,
        _ => {}
    }
    for position in 0..FAN_OUT {
        let index = first + ((position as u32) << (BITS * level));
        if level == 0 {
            let (left, right) = (item(left, position), item(right, position));
            if left.is_some() || right.is_some() {
                visit(index, left, right);
            }
        } else {
            compare(inner(left, position), inner(right, position), index, level - 1, visit);
        }
    }
}

fn item<T>(node: Option<&Rc<Node<T>>>, position: usize) -> Option<&T> {
    match node.map(|node| &**node) {
        Some(Node::Leaf(items)) => items[position].as_ref(),
        _ => None,
    }
}

fn inner<T>(node: Option<&Rc<Node<T>>>, position: usize) -> Option<&Rc<Node<T>>> {
    match node.map(|node| &**node) {
        Some(Node::Inner(children)) => children[position].as_ref(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    /// A small generator of pseudo-random numbers, so that the test needs nothing else.
    struct Random(u64);

    impl Random {
        fn below(&mut self, bound: u64) -> u64 {
            self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (self.0 >> 33) % bound
        }
    }

    fn contents(vec: &PersistentVec<u64>) -> BTreeMap<u32, u64> {
        let mut map = BTreeMap::new();
        vec.for_each(&mut |index, &value| {
            map.insert(index, value);
        });
        map
    }

    #[test]
    fn behaves_like_a_map_and_copies_are_independent() {
        let mut random = Random(7);
        let mut copies: Vec<(PersistentVec<u64>, BTreeMap<u32, u64>)> = vec![Default::default()];
        for step in 0..3000 {
            let chosen = random.below(copies.len() as u64) as usize;
            let (mut vec, mut map) = copies[chosen].clone();
            let index = random.below([10, 300, 100_000][step % 3]) as u32;
            if random.below(5) == 0 {
                vec.remove(index);
                map.remove(&index);
            } else {
                vec.set(index, step as u64);
                map.insert(index, step as u64);
            }
            assert_eq!(vec.get(index), map.get(&index));
            if copies.len() < 20 {
                copies.push((vec, map));
            } else {
                copies[chosen] = (vec, map);
            }
        }
        for (vec, map) in &copies {
            assert_eq!(contents(vec), *map);
        }
    }

    #[test]
    fn differences_are_complete_and_skip_shared_parts() {
        let mut old = PersistentVec::default();
        for index in 0..1000 {
            old.set(index, index);
        }
        let mut new = old.clone();
        new.set(5, 0);
        new.set(70_000, 1);
        let mut visited = Vec::new();
        old.differences(&new, &mut |index, a, b| {
            if a != b {
                visited.push((index, a.copied(), b.copied()));
            }
        });
        assert_eq!(visited, [(5, Some(5), Some(0)), (70_000, None, Some(1))]);
        let mut looked_at = 0;
        old.differences(&new, &mut |_, _, _| looked_at += 1);
        assert!(looked_at <= 2 * FAN_OUT, "{looked_at}");
    }
}

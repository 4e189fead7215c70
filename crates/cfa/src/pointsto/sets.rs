//! Sparse sets of numbers: sorted blocks of 64 bits, empty blocks left out.

#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct SparseSet {
    blocks: Vec<(u32, u64)>,
}

impl SparseSet {
    pub fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    pub fn len(&self) -> usize {
        self.blocks.iter().map(|(_, bits)| bits.count_ones() as usize).sum()
    }

    /// True if the number was not there yet.
    pub fn insert(&mut self, number: u32) -> bool {
        let bit = 1u64 << (number % 64);
        match self.blocks.binary_search_by_key(&(number / 64), |&(block, _)| block) {
            Ok(index) => {
                let before = self.blocks[index].1;
                self.blocks[index].1 |= bit;
                before & bit == 0
            }
            Err(index) => {
                self.blocks.insert(index, (number / 64, bit));
                true
            }
        }
    }

    /// Adds all of `other`.
    pub fn union(&mut self, other: &SparseSet) {
        if self.blocks.is_empty() {
            self.blocks.clone_from(&other.blocks);
            return;
        }
        // Often all blocks are there already: then nothing has to move.
        let mut position = 0;
        for (taken, &(block, bits)) in other.blocks.iter().enumerate() {
            position += self.blocks[position..].partition_point(|&(own, _)| own < block);
            match self.blocks.get_mut(position) {
                Some((own, own_bits)) if *own == block => *own_bits |= bits,
                _ => return self.merge(&other.blocks[taken..]),
            }
        }
    }

    fn merge(&mut self, other: &[(u32, u64)]) {
        let own = std::mem::take(&mut self.blocks);
        self.blocks.reserve(own.len() + other.len());
        let (mut left, mut right) = (own.into_iter().peekable(), other.iter().copied().peekable());
        loop {
            let next = match (left.peek(), right.peek()) {
                (Some(a), Some(b)) if a.0 == b.0 => {
                    let bits = a.1 | b.1;
                    right.next();
                    left.next().map(|(block, _)| (block, bits))
                }
                (Some(a), Some(b)) if a.0 > b.0 => right.next(),
                (Some(_), _) => left.next(),
                (None, _) => right.next(),
            };
            match next {
                Some(block) => self.blocks.push(block),
                None => return,
            }
        }
    }

    /// The numbers of `self` that are not in `other`.
    pub fn difference(&self, other: &SparseSet) -> SparseSet {
        let mut position = 0;
        let mut blocks = Vec::new();
        for &(block, bits) in &self.blocks {
            position += other.blocks[position..].partition_point(|&(own, _)| own < block);
            let theirs = other.blocks.get(position).filter(|(own, _)| *own == block).map_or(0, |b| b.1);
            if bits & !theirs != 0 {
                blocks.push((block, bits & !theirs));
            }
        }
        SparseSet { blocks }
    }

    pub fn intersects(&self, other: &SparseSet) -> bool {
        let mut position = 0;
        self.blocks.iter().any(|&(block, bits)| {
            position += other.blocks[position..].partition_point(|&(own, _)| own < block);
            other.blocks.get(position).is_some_and(|&(own, theirs)| own == block && bits & theirs != 0)
        })
    }

    /// In ascending order.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.blocks.iter().flat_map(|&(block, bits)| {
            let mut rest = bits;
            std::iter::from_fn(move || {
                let bit = rest.trailing_zeros();
                rest &= rest.checked_sub(1)?;
                Some(block * 64 + bit)
            })
        })
    }
}

impl FromIterator<u32> for SparseSet {
    fn from_iter<It: IntoIterator<Item = u32>>(numbers: It) -> Self {
        let mut set = SparseSet::default();
        for number in numbers {
            set.insert(number);
        }
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Random;
    use std::collections::BTreeSet;

    #[test]
    fn behaves_like_a_set() {
        let mut random = Random::new(11);
        for _ in 0..500 {
            let mut draw = || -> BTreeSet<u32> {
                let spread = [10, 300, 5000][random.below(3)];
                (0..random.below(20)).map(|_| random.below(spread) as u32).collect()
            };
            let (a, b) = (draw(), draw());
            let (x, y): (SparseSet, SparseSet) = (a.iter().copied().collect(), b.iter().copied().collect());
            assert!(x.iter().eq(a.iter().copied()));
            assert_eq!((x.len(), x.is_empty()), (a.len(), a.is_empty()));
            assert!(x.difference(&y).iter().eq(a.difference(&b).copied()));
            assert_eq!(x.intersects(&y), a.intersection(&b).next().is_some());
            let mut union = x.clone();
            union.union(&y);
            assert!(union.iter().eq(a.union(&b).copied()));
        }
    }
}

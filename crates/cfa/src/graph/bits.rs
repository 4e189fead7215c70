//! Sets of small numbers, one bit each.

/// A set of numbers below a capacity that is fixed when it is made.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct BitSet {
    words: Vec<u64>,
}

impl BitSet {
    pub fn new(capacity: usize) -> Self {
        Self { words: vec![0; capacity.div_ceil(64)] }
    }

    /// True if the number was not there yet.
    #[inline]
    pub fn insert(&mut self, number: usize) -> bool {
        let word = &mut self.words[number / 64];
        let before = *word;
        *word |= 1 << (number % 64);
        before != *word
    }

    /// True if the number was there.
    #[inline]
    pub fn remove(&mut self, number: usize) -> bool {
        let word = &mut self.words[number / 64];
        let before = *word;
        *word &= !(1 << (number % 64));
        before != *word
    }

    #[inline]
    pub fn contains(&self, number: usize) -> bool {
        self.words.get(number / 64).is_some_and(|word| word >> (number % 64) & 1 == 1)
    }

    pub fn count(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// In ascending order.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.words.iter().enumerate().flat_map(|(index, &word)| {
            let mut rest = word;
            std::iter::from_fn(move || {
                let bit = rest.trailing_zeros() as usize;
                rest &= rest.checked_sub(1)?;
                Some(index * 64 + bit)
            })
        })
    }
}

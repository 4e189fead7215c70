//! Vectors of slots, collapsed into numbers (after the collapse compression of Spin and LTSmin's tree
//! database): eight slots make a chunk, chunks are interned, eight chunk numbers make a chunk again, and so
//! on up to one root. States that differ in one slot share all chunks but those above it.
//!
//! A slot is a code of 32 bits: unknown, non-zero, a small number, a symbol, or the number of a larger
//! number or of an interval.

use crate::interval::Interval;
use hashbrown::HashTable;
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::hash::BuildHasher;

const WIDTH: usize = 8;
type Chunk = [u32; WIDTH];

pub const UNKNOWN: u32 = 0;
pub const NON_ZERO: u32 = 1;
/// Codes from here up to [`SYMBOLS`] stand for small numbers, those up to [`LARGE`] for symbols, those up to
/// [`INTERVALS`] for large numbers, and the rest for intervals.
const SMALL: u32 = 2;
const SYMBOLS: u32 = 1 << 30;
const LARGE: u32 = 1 << 31;
const INTERVALS: u32 = 3 << 30;
/// What is added to a small number.
const BIAS: i64 = (SYMBOLS / 2) as i64;

#[inline]
pub fn is_symbol(code: u32) -> bool {
    code & (SYMBOLS | LARGE) == SYMBOLS
}

/// The code of a number, where it is small.
#[inline]
fn small_code(number: i64) -> Option<u32> {
    let code = number.wrapping_add(BIAS);
    ((SMALL as i64)..(SYMBOLS as i64)).contains(&code).then_some(code as u32)
}

/// A value that is not known, but known to be the same as others: an input plus a constant, modulo
/// 2^`width`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Symbol {
    pub input: u32,
    /// Extended by sign from the width.
    pub offset: i64,
    pub width: u32,
    pub non_zero: bool,
    /// The code of an interval, or [`UNKNOWN`].
    pub interval: u32,
}

#[derive(Default)]
pub struct Chunks {
    chunks: Vec<Chunk>,
    ids: HashTable<u32>,
    large: Vec<i64>,
    large_ids: FxHashMap<i64, u32>,
    symbols: Vec<Symbol>,
    symbol_ids: FxHashMap<Symbol, u32>,
    intervals: Vec<Interval>,
    interval_ids: FxHashMap<Interval, u32>,
}

impl Chunks {
    #[inline]
    pub fn code(&mut self, number: i64) -> u32 {
        match small_code(number) {
            Some(code) => code,
            None => self.large_code(number),
        }
    }

    #[cold]
    fn large_code(&mut self, number: i64) -> u32 {
        let next = self.large.len() as u32;
        let id = *self.large_ids.entry(number).or_insert(next);
        if id == next {
            self.large.push(number);
        }
        LARGE | id
    }

    /// The number that a code stands for, if it does.
    #[inline]
    pub fn number(&self, code: u32) -> Option<i64> {
        match code {
            SMALL..SYMBOLS => Some(i64::from(code) - BIAS),
            LARGE..INTERVALS => Some(self.large[(code & !LARGE) as usize]),
            _ => None,
        }
    }

    pub fn symbol_code(&mut self, symbol: Symbol) -> u32 {
        let next = self.symbols.len() as u32;
        let id = *self.symbol_ids.entry(symbol).or_insert(next);
        if id == next {
            self.symbols.push(symbol);
        }
        SYMBOLS | id
    }

    #[inline]
    pub fn symbol(&self, code: u32) -> Option<Symbol> {
        is_symbol(code).then(|| self.symbols[(code & !SYMBOLS) as usize])
    }

    pub fn interval_code(&mut self, interval: Interval) -> u32 {
        let next = self.intervals.len() as u32;
        let id = *self.interval_ids.entry(interval).or_insert(next);
        if id == next {
            self.intervals.push(interval);
        }
        INTERVALS | id
    }

    /// The interval that a code stands for, if it does.
    #[inline]
    pub fn interval(&self, code: u32) -> Option<Interval> {
        (code >= INTERVALS).then(|| self.intervals[(code & !INTERVALS) as usize])
    }

    fn intern(&mut self, chunk: Chunk) -> u32 {
        let hash = FxBuildHasher.hash_one(chunk);
        let chunks = &self.chunks;
        if let Some(&id) = self.ids.find(hash, |&id| chunks[id as usize] == chunk) {
            return id;
        }
        let id = self.chunks.len() as u32;
        self.chunks.push(chunk);
        let chunks = &self.chunks;
        self.ids.insert_unique(hash, id, |&other| FxBuildHasher.hash_one(chunks[other as usize]));
        id
    }

    /// The slots of a collapsed vector of that length.
    pub fn slots(&self, root: u32, length: usize) -> Vec<u32> {
        let (mut level, mut sizes) = (vec![root], vec![length.div_ceil(WIDTH)]);
        while sizes.last().is_some_and(|&size| size > 1) {
            sizes.push(sizes[sizes.len() - 1].div_ceil(WIDTH));
        }
        for &size in sizes.iter().rev().skip(1) {
            level = level.iter().flat_map(|&id| self.chunks[id as usize]).take(size).collect();
        }
        level.iter().take(sizes[0]).flat_map(|&id| self.chunks[id as usize]).collect()
    }

    /// Bytes in use.
    pub fn memory(&self) -> usize {
        self.chunks.capacity() * size_of::<Chunk>() + self.ids.capacity() * 5 + self.large.capacity() * 24
    }

    pub fn len(&self) -> usize {
        self.chunks.len()
    }

    pub fn is_empty(&self) -> bool {
        self.chunks.is_empty()
    }
}

/// The vector that is worked on, with what is known of its collapsed form.
#[derive(Default)]
pub struct Vector {
    slots: Vec<u32>,
    /// Chunk numbers from the leaves up; stale where a leaf below is dirty.
    levels: Vec<Vec<u32>>,
    dirty: Vec<u64>,
    any_dirty: bool,
}

impl Vector {
    #[inline]
    pub fn get(&self, slot: usize) -> u32 {
        self.slots[slot]
    }

    #[inline]
    pub fn set(&mut self, slot: usize, code: u32) {
        if self.slots[slot] != code {
            self.slots[slot] = code;
            self.touch(slot / WIDTH);
        }
    }

    #[inline]
    fn touch(&mut self, leaf: usize) {
        self.dirty[leaf / 64] |= 1 << (leaf % 64);
        self.any_dirty = true;
    }

    pub fn slots(&self) -> &[u32] {
        &self.slots
    }

    pub fn len(&self) -> usize {
        self.slots.len()
    }

    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// Makes room, or takes it away: the length is a multiple of the chunk width, but not 0, new slots are unknown.
    pub fn resize(&mut self, length: usize) {
        let length = length.next_multiple_of(WIDTH).max(WIDTH);
        let old = self.slots.len();
        if length == old {
            return;
        }
        self.slots.resize(length, UNKNOWN);
        let leaves = length / WIDTH;
        self.dirty.resize(leaves.div_ceil(64).max(1), 0);
        if !leaves.is_multiple_of(64)
            && let Some(last) = self.dirty.last_mut()
        {
            *last &= (1 << (leaves % 64)) - 1;
        }
        if self.levels.is_empty() {
            self.levels.push(Vec::new());
        }
        self.levels[0].resize(leaves, u32::MAX);
        for leaf in (old / WIDTH)..leaves {
            self.touch(leaf);
        }
        // The last chunks of the upper levels have changed, whatever the leaves say.
        for level in &mut self.levels[1..] {
            level.clear();
        }
    }

    /// The number of the vector as it is.
    pub fn collapse(&mut self, chunks: &mut Chunks) -> u32 {
        self.collapse_leaves(chunks);
        let mut level = 0;
        while self.levels[level].len() > 1 {
            self.collapse_level(level, chunks);
            level += 1;
        }
        self.levels.truncate(level + 1);
        self.levels[level].first().copied().unwrap_or(0)
    }

    /// Interns the dirty leaves, and marks the chunks above them as unknown.
    fn collapse_leaves(&mut self, chunks: &mut Chunks) {
        if !self.any_dirty {
            return;
        }
        for word in 0..self.dirty.len() {
            let mut bits = std::mem::take(&mut self.dirty[word]);
            while bits != 0 {
                let leaf = word * 64 + bits.trailing_zeros() as usize;
                bits &= bits - 1;
                let mut chunk = [0; WIDTH];
                chunk.copy_from_slice(&self.slots[leaf * WIDTH..][..WIDTH]);
                let id = chunks.intern(chunk);
                if self.levels[0][leaf] != id {
                    self.levels[0][leaf] = id;
                    self.forget_above(leaf);
                }
            }
        }
        self.any_dirty = false;
    }

    fn forget_above(&mut self, leaf: usize) {
        let mut index = leaf / WIDTH;
        for level in &mut self.levels[1..] {
            if let Some(entry) = level.get_mut(index) {
                *entry = u32::MAX;
            }
            index /= WIDTH;
        }
    }

    fn collapse_level(&mut self, level: usize, chunks: &mut Chunks) {
        let above = self.levels[level].len().div_ceil(WIDTH);
        if self.levels.len() == level + 1 {
            self.levels.push(Vec::new());
        }
        self.levels[level + 1].resize(above, u32::MAX);
        for index in 0..above {
            if self.levels[level + 1][index] == u32::MAX {
                let below = &self.levels[level][index * WIDTH..];
                let mut chunk = [u32::MAX; WIDTH];
                let count = below.len().min(WIDTH);
                chunk[..count].copy_from_slice(&below[..count]);
                self.levels[level + 1][index] = chunks.intern(chunk);
            }
        }
    }

    /// Becomes the vector of that number and length; only what differs is copied.
    pub fn expand(&mut self, root: u32, length: usize, chunks: &Chunks) {
        self.resize(length);
        let leaves = self.slots.len() / WIDTH;
        let mut height = 0;
        let mut width = leaves;
        while width > 1 {
            width = width.div_ceil(WIDTH);
            height += 1;
        }
        if self.levels.len() <= height {
            self.levels.resize(height + 1, Vec::new());
        }
        self.levels.truncate(height + 1);
        let mut width = leaves;
        for level in &mut self.levels[1..] {
            width = width.div_ceil(WIDTH);
            level.resize(width, u32::MAX);
        }
        if leaves > 0 {
            self.expand_chunk(height, 0, root, chunks);
        }
        self.dirty.iter_mut().for_each(|word| *word = 0);
        self.any_dirty = false;
    }

    fn expand_chunk(&mut self, level: usize, index: usize, id: u32, chunks: &Chunks) {
        if level == 0 {
            let is_dirty = self.dirty[index / 64] >> (index % 64) & 1 == 1;
            if self.levels[0][index] != id || is_dirty {
                self.levels[0][index] = id;
                self.slots[index * WIDTH..][..WIDTH].copy_from_slice(&chunks.chunks[id as usize]);
            }
            return;
        }
        // Equal chunks above do not mean that nothing below is dirty: only a clean vector can skip them.
        if self.levels[level][index] == id && !self.any_dirty {
            return;
        }
        self.levels[level][index] = id;
        let chunk = chunks.chunks[id as usize];
        let below = self.levels[level - 1].len();
        for (offset, &child) in chunk.iter().enumerate() {
            let child_index = index * WIDTH + offset;
            if child_index < below {
                self.expand_chunk(level - 1, child_index, child, chunks);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_survive_their_codes() {
        let mut chunks = Chunks::default();
        for number in [0, 1, -1, 5, i64::MAX, i64::MIN, BIAS, -BIAS, -BIAS + 1, -BIAS + 2, BIAS - 1] {
            let code = chunks.code(number);
            assert!(code >= SMALL);
            assert_eq!(chunks.number(code), Some(number));
            assert_eq!(chunks.code(number), code);
        }
        assert_eq!(chunks.number(UNKNOWN), None);
        assert_eq!(chunks.number(NON_ZERO), None);
    }

    /// Random writes, resizes, collapses and expansions against plain vectors.
    #[test]
    fn vectors_are_equal_exactly_if_their_numbers_are() {
        let mut chunks = Chunks::default();
        let mut vector = Vector::default();
        let mut kept: Vec<(u32, Vec<u32>)> = Vec::new();
        let mut state = 7u64;
        let mut next = |bound: usize| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) as usize % bound
        };
        vector.resize(8);
        for _ in 0..20_000 {
            match next(6) {
                0 => vector.resize(8 + 8 * next(40)),
                1 | 2 if !kept.is_empty() => {
                    let (root, slots) = &kept[next(kept.len())];
                    vector.expand(*root, slots.len(), &chunks);
                    assert_eq!(&vector.slots, slots);
                    assert_eq!(&chunks.slots(*root, slots.len()), slots);
                }
                _ => {
                    let slot = next(vector.len());
                    vector.set(slot, next(3) as u32);
                }
            }
            if next(3) == 0 {
                let root = vector.collapse(&mut chunks);
                let slots = vector.slots.clone();
                for (other, old) in &kept {
                    assert_eq!(*other == root && old.len() == slots.len(), *old == slots);
                }
                if kept.len() < 50 {
                    kept.push((root, slots));
                }
            }
        }
    }
}

//! Interned names: a [`Symbol`] is four bytes and compares in one instruction.

use crate::define_id;
use rustc_hash::FxHasher;
use std::hash::Hasher;

define_id! {
    /// A name in an [`Interner`].
    Symbol
}

/// All distinct names of a run, in one buffer, with an open-addressing index over it.
#[derive(Clone)]
pub struct Interner {
    text: String,
    /// End of each name in `text`; a name starts where the one before it ends.
    ends: Vec<u32>,
    hashes: Vec<u32>,
    /// Symbol index + 1, or 0 for a free slot. Its length is a power of two.
    slots: Vec<u32>,
}

impl Default for Interner {
    fn default() -> Self {
        Self { text: String::new(), ends: Vec::new(), hashes: Vec::new(), slots: vec![0; 1024] }
    }
}

impl Interner {
    pub fn intern(&mut self, name: &str) -> Symbol {
        if (self.ends.len() + 1) * 2 > self.slots.len() {
            self.grow();
        }
        let hash = hash(name.as_bytes());
        let mask = self.slots.len() - 1;
        let mut slot = hash as usize & mask;
        loop {
            match self.slots[slot] {
                0 => break,
                found => {
                    let symbol = Symbol(found - 1);
                    if self.hashes[symbol.0 as usize] == hash && self.resolve(symbol) == name {
                        return symbol;
                    }
                }
            }
            slot = (slot + 1) & mask;
        }
        let symbol = Symbol(u32::try_from(self.ends.len()).expect("at most 2^32 names"));
        self.text.push_str(name);
        self.ends.push(u32::try_from(self.text.len()).expect("at most 4 GiB of names"));
        self.hashes.push(hash);
        self.slots[slot] = symbol.0 + 1;
        symbol
    }

    /// The symbol of a name that has been interned before.
    pub fn lookup(&self, name: &str) -> Option<Symbol> {
        self.lookup_bytes(name.as_bytes())
    }

    /// [`lookup`](Self::lookup) for a name that nobody has checked to be UTF-8.
    #[inline]
    pub fn lookup_bytes(&self, name: &[u8]) -> Option<Symbol> {
        let hash = hash(name);
        let mask = self.slots.len() - 1;
        let mut slot = hash as usize & mask;
        while self.slots[slot] != 0 {
            let symbol = Symbol(self.slots[slot] - 1);
            if self.hashes[symbol.0 as usize] == hash && self.bytes(symbol) == name {
                return Some(symbol);
            }
            slot = (slot + 1) & mask;
        }
        None
    }

    pub fn resolve(&self, symbol: Symbol) -> &str {
        &self.text[self.range(symbol)]
    }

    fn bytes(&self, symbol: Symbol) -> &[u8] {
        &self.text.as_bytes()[self.range(symbol)]
    }

    fn range(&self, symbol: Symbol) -> std::ops::Range<usize> {
        let index = symbol.0 as usize;
        let start = if index == 0 { 0 } else { self.ends[index - 1] as usize };
        start..self.ends[index] as usize
    }

    /// How many names there are; symbols are numbered densely from 0.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    fn grow(&mut self) {
        let size = self.slots.len() * 2;
        let mask = size - 1;
        let mut slots = vec![0; size];
        for (index, &hash) in self.hashes.iter().enumerate() {
            let mut slot = hash as usize & mask;
            while slots[slot] != 0 {
                slot = (slot + 1) & mask;
            }
            slots[slot] = index as u32 + 1;
        }
        self.slots = slots;
    }
}

fn hash(name: &[u8]) -> u32 {
    let mut hasher = FxHasher::default();
    hasher.write(name);
    let hash = hasher.finish();
    (hash ^ (hash >> 32)) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_interned_once_and_survive_growth() {
        let mut interner = Interner::default();
        let symbols: Vec<_> = (0..5000).map(|i| interner.intern(&format!("name{i}"))).collect();
        for (i, &symbol) in symbols.iter().enumerate() {
            let name = format!("name{i}");
            assert_eq!(interner.resolve(symbol), name);
            assert_eq!(interner.intern(&name), symbol);
            assert_eq!(interner.lookup(&name), Some(symbol));
        }
        assert_eq!(interner.lookup("absent"), None);
        assert_eq!(interner.len(), 5000);
    }
}

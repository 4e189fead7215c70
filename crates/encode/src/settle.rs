//! Pointers in memory that the program has not written.
//!
//! Such a pointer is null or points to memory of its own. Where one is read as a whole, its unknown bits are
//! *settled*: a choice between null and the address of a new object takes their place, the same one wherever they are
//! found again. Bits that are read in other ways, in pieces or as a number, stay as they are. They may be a pointer all
//! the same, to memory that the encoder has not made an object for.

use crate::Unsupported;
use crate::cells::{unknown_grid, unknown_origin};
use crate::encoder::Encoder;
use crate::objects::ObjectId;
use rustc_hash::FxHashMap;
use sema::types::TypeId;
use std::collections::hash_map::Entry;
use term::{Op, Sort, TermId, TermPool};

/// Names of variables that stand for what is read of memory that was never seen start with this.
pub(crate) const UNSEEN: &str = "unseen";

/// Choices between pointers are looked into up to this many alternatives.
const MOST_SETTLED: usize = 256;

/// So many elements of an unknown array are told apart.
const MOST_ELEMENTS: usize = 64;

impl Encoder<'_> {
    /// Replaces what memory held that the program has not written, by pointers to memory of their own.
    pub(crate) fn settle(&mut self, term: TermId, ty: TypeId) -> Result<TermId, Unsupported> {
        if !self.is_unsettled(term) {
            return Ok(term);
        }
        self.settle_choices(term, ty, &mut FxHashMap::default())
    }

    fn settle_choices(
        &mut self,
        term: TermId,
        ty: TypeId,
        known: &mut FxHashMap<TermId, TermId>,
    ) -> Result<TermId, Unsupported> {
        if let Some(&settled) = known.get(&term) {
            return Ok(settled);
        }
        let is_looked_into = known.len() < MOST_SETTLED;
        // It counts from now on, and not only when it is done: chains may be long.
        known.insert(term, term);
        let settled = match (self.pool.op(term), self.pool.children(term)) {
            (Op::Ite, &[choice, then, otherwise]) if is_looked_into => {
                let then = self.settle_choices(then, ty, known)?;
                let otherwise = self.settle_choices(otherwise, ty, known)?;
                self.pool.ite(choice, then, otherwise)
            }
            (Op::Select, &[array, index]) if is_looked_into => {
                self.settle_element(term, array, index, ty, known)?
            }
            _ => match unknown_origin(&self.pool, term) {
                Some((generation, offset)) => self.find_pointer(generation, offset, ty)?,
                None => term,
            },
        };
        known.insert(term, settled);
        Ok(settled)
    }

    /// The same for `element`, which is what an array has at an index.
    fn settle_element(
        &mut self,
        element: TermId,
        array: TermId,
        index: TermId,
        ty: TypeId,
        known: &mut FxHashMap<TermId, TermId>,
    ) -> Result<TermId, Unsupported> {
        let (choice, then, otherwise) = match (self.pool.op(array), self.pool.children(array)) {
            (Op::Ite, &[choice, then, otherwise]) => {
                (choice, self.pool.select(then, index), self.pool.select(otherwise, index))
            }
            (Op::Store, &[before, at, written]) => {
                (self.pool.eq(at, index), written, self.pool.select(before, index))
            }
            _ if unknown_grid(&self.pool, array).is_some() => {
                return self.find_element(element, array, index, ty);
            }
            _ => return Ok(element),
        };
        let then = self.settle_choices(then, ty, known)?;
        let otherwise = self.settle_choices(otherwise, ty, known)?;
        Ok(self.pool.ite(choice, then, otherwise))
    }

    /// The pointer at a place in unknown memory.
    fn find_pointer(&mut self, generation: u32, offset: u64, ty: TypeId) -> Result<TermId, Unsupported> {
        if let Some(&found) = self.found.get(&(generation, offset)) {
            return Ok(found);
        }
        let known = self.objects.len();
        let value = self.any_value(ty, "memory that was not initialised")?;
        self.found_in.extend((known..self.objects.len()).map(|id| (ObjectId(id as u32), generation)));
        self.found.insert((generation, offset), value);
        Ok(value)
    }

    /// The pointer in an element of an unknown array: one that was found before if the indices are equal.
    fn find_element(
        &mut self,
        element: TermId,
        array: TermId,
        index: TermId,
        ty: TypeId,
    ) -> Result<TermId, Unsupported> {
        let before = self.found_elements.get(&array).cloned().unwrap_or_default();
        if let Some(&(_, found)) = before.iter().find(|(other, _)| *other == index) {
            return Ok(found);
        }
        if before.len() >= MOST_ELEMENTS {
            return Ok(element);
        }
        let mut value = self.any_value(ty, "memory that was not initialised")?;
        for (other, found) in before {
            let is_same = self.pool.eq(index, other);
            value = self.pool.ite(is_same, found, value);
        }
        self.found_elements.entry(array).or_default().push((index, value));
        Ok(value)
    }

    /// Whether an address may be that of memory from outside that there is no object for.
    pub(crate) fn is_unsettled(&mut self, address: TermId) -> bool {
        self.unsettled.holds(&self.pool, address)
    }
}

/// The terms that bits of unknown or unseen memory may have been copied into. Conditions choose between bits and copy none.
#[derive(Default)]
pub(crate) struct Unsettled(FxHashMap<TermId, bool>);

impl Unsettled {
    fn holds(&mut self, pool: &TermPool, term: TermId) -> bool {
        let mut terms = vec![term];
        let mut next = 0;
        while let Some(&above) = terms.get(next) {
            next += 1;
            if let Entry::Vacant(vacant) = self.0.entry(above) {
                vacant.insert(is_unknown(pool, above));
                terms.extend(copied(pool, above));
            }
        }
        // Terms are numbered by age, so that parts come before the whole.
        terms.sort_unstable();
        for term in terms {
            let is_unsettled = self.0[&term] || copied(pool, term).any(|part| self.0[&part]);
            self.0.insert(term, is_unsettled);
        }
        self.0[&term]
    }
}

/// Whether a term stands for memory that the program has not written, or that was never seen.
fn is_unknown(pool: &TermPool, term: TermId) -> bool {
    let is_unseen = pool.variable_name(term).is_some_and(|name| name.starts_with(UNSEEN));
    is_unseen || unknown_origin(pool, term).is_some() || unknown_grid(pool, term).is_some()
}

/// The parts of a term whose bits may be among its own.
fn copied(pool: &TermPool, term: TermId) -> impl Iterator<Item = TermId> {
    let children = pool.children(term);
    let parts = match (pool.op(term), pool.sort(term)) {
        (_, Sort::Bool) => &[],
        (Op::Ite, _) => &children[1..],
        (Op::Select, _) => &children[..1],
        _ => children,
    };
    parts.iter().copied()
}

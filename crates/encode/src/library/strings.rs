//! Functions on strings, unrolled to the size of the object that holds the string.

use super::LibraryCall;
use crate::encoder::Encoder;
use crate::pointer::Case;
use crate::state::State;
use crate::{Check, Unsupported};
use cfa::library::Library;
use term::{TermId, TermPool};

/// Strings in larger objects are not looked into.
const LONGEST: u64 = 512;

impl Encoder<'_> {
    pub(super) fn string_call(
        &mut self,
        state: &mut State,
        call: &LibraryCall,
        library: Library,
    ) -> Result<bool, Unsupported> {
        let size_type = self.program.types.size_type();
        match library {
            Library::Strlen => {
                let string = self.pointed_to(state, call, 0)?;
                self.check_strings(state, call, &[&string], None)?;
                let length = self.string_length(state, &string, None)?;
                self.give(state, call, length, size_type)?;
            }
            Library::Strnlen => {
                let (nothing, limit) = (self.pointer(0), self.length_argument(call, 1)?);
                let length = self.unless_empty(limit, nothing, |encoder| {
                    let string = encoder.pointed_to(state, call, 0)?;
                    encoder.check_strings(state, call, &[&string], Some(limit))?;
                    encoder.string_length(state, &string, Some(limit))
                })?;
                self.give(state, call, length, size_type)?;
            }
            Library::Strcmp => {
                let order = self.compare_strings(state, call, None)?;
                self.give_order(state, call, order)?;
            }
            Library::Strncmp => {
                let (equal, limit) = (self.pool.bitvec(32, 0), self.length_argument(call, 2)?);
                let compare = |encoder: &mut Self| encoder.compare_strings(state, call, Some(limit));
                let order = self.unless_empty(limit, equal, compare)?;
                self.give_order(state, call, order)?;
            }
            Library::Strchr => {
                let found = self.find_first(state, call)?;
                self.give(state, call, found, size_type)?;
            }
            Library::Strrchr => {
                let found = self.find_last(state, call)?;
                self.give(state, call, found, size_type)?;
            }
            Library::Memchr => {
                let (nowhere, limit) = (self.pointer(0), self.length_argument(call, 2)?);
                let find = |encoder: &mut Self| encoder.find_in_block(state, call);
                let found = self.unless_empty(limit, nowhere, find)?;
                self.give(state, call, found, size_type)?;
            }
            _ => return self.string_copy(state, call, library),
        }
        Ok(true)
    }

    pub(super) fn longest(&self, cases: &[Case]) -> Result<u64, Unsupported> {
        let unseen = cases.iter().any(|case| self.is_unseen(case.object));
        match self.largest(cases) {
            Some(size) if size <= LONGEST && !unseen => Ok(size),
            _ => Err(Unsupported("a string of unknown length")),
        }
    }

    /// How much is read of several strings at most, where one that ends is enough: not all need to be of
    /// known length.
    fn shortest(&self, strings: &[&[Case]]) -> Result<u64, Unsupported> {
        let known = strings.iter().filter_map(|string| self.longest(string).ok()).min();
        known.ok_or(Unsupported("a string of unknown length"))
    }

    /// Obliges each byte to be there that is read of a string up to its end; of two strings, up to where
    /// they differ or end.
    pub(super) fn check_strings(
        &mut self,
        state: &mut State,
        call: &LibraryCall,
        strings: &[&[Case]],
        limit: Option<TermId>,
    ) -> Result<(), Unsupported> {
        self.check_bytes(state, call, strings, limit, |encoder, state, offset| {
            encoder.goes_on(state, strings, offset)
        })
    }

    /// Obliges each byte to be there that is read of blocks, as long as reading goes on.
    fn check_bytes(
        &mut self,
        state: &mut State,
        call: &LibraryCall,
        blocks: &[&[Case]],
        limit: Option<TermId>,
        mut goes_on: impl FnMut(&mut Self, &mut State, u64) -> Result<TermId, Unsupported>,
    ) -> Result<(), Unsupported> {
        let longest = self.shortest(blocks)?;
        let mut invalid = TermPool::FALSE;
        let mut reads = TermPool::TRUE;
        for offset in 0..=longest {
            if let Some(limit) = limit {
                let at = self.pointer(offset);
                let counts = self.pool.ult(at, limit);
                reads = self.pool.and(reads, counts);
            }
            let mut valid = self.pool.truth(offset < longest);
            for block in blocks {
                let there = self.is_there(state, block, offset);
                valid = self.pool.and(valid, there);
            }
            let missing = self.pool.not(valid);
            let violated = self.pool.and(reads, missing);
            invalid = self.pool.or(invalid, violated);
            reads = self.pool.and(reads, valid);
            if reads == TermPool::FALSE {
                break;
            }
            let more = goes_on(self, state, offset)?;
            reads = self.pool.and(reads, more);
        }
        self.oblige(state, Check::InvalidDereference, invalid, call.span);
        let valid = self.pool.not(invalid);
        self.require(state, valid);
        Ok(())
    }

    /// Whether the byte at an offset can be read.
    fn is_there(&mut self, state: &State, cases: &[Case], offset: u64) -> TermId {
        let mut there = TermPool::FALSE;
        for case in cases {
            let distance = self.pointer(offset);
            let at = self.pool.add(case.offset, distance);
            let inside = self.in_bounds(case.object, at, 1);
            let alive = self.is_alive(state, case.object);
            let here = self.pool.and_all([case.condition, inside, alive]);
            there = self.pool.or(there, here);
        }
        there
    }

    /// Whether strings have not ended at an offset, and are the same there.
    fn goes_on(
        &mut self,
        state: &mut State,
        strings: &[&[Case]],
        offset: u64,
    ) -> Result<TermId, Unsupported> {
        let first = self.read_piece(state, strings[0], offset, 1)?;
        let mut goes_on = self.is_nonzero(first);
        for string in &strings[1..] {
            let byte = self.read_piece(state, string, offset, 1)?;
            let same = self.pool.eq(first, byte);
            goes_on = self.pool.and(goes_on, same);
        }
        Ok(goes_on)
    }

    /// How many bytes of a string there are before its end, or before a limit.
    pub(super) fn string_length(
        &mut self,
        state: &mut State,
        string: &[Case],
        limit: Option<TermId>,
    ) -> Result<TermId, Unsupported> {
        let longest = self.longest(string)?;
        let mut length = self.pointer(longest);
        for offset in (0..longest).rev() {
            let byte = self.read_piece(state, string, offset, 1)?;
            let mut more = self.is_nonzero(byte);
            let here = self.pointer(offset);
            if let Some(limit) = limit {
                let counts = self.pool.ult(here, limit);
                more = self.pool.and(more, counts);
            }
            length = self.pool.ite(more, length, here);
        }
        Ok(length)
    }

    /// -1, 0 or 1.
    fn compare_strings(
        &mut self,
        state: &mut State,
        call: &LibraryCall,
        limit: Option<TermId>,
    ) -> Result<TermId, Unsupported> {
        let (left, right) = (self.pointed_to(state, call, 0)?, self.pointed_to(state, call, 1)?);
        self.check_strings(state, call, &[&left, &right], limit)?;
        let longest = self.shortest(&[&left, &right])?;
        let zero = self.pool.bitvec(32, 0);
        let mut result = zero;
        for offset in (0..longest).rev() {
            let a = self.read_piece(state, &left, offset, 1)?;
            let b = self.read_piece(state, &right, offset, 1)?;
            let more = self.is_nonzero(a);
            let rest = self.pool.ite(more, result, zero);
            result = self.compare_bytes(a, b, TermPool::TRUE, rest);
            if let Some(limit) = limit {
                let at = self.pointer(offset);
                let counts = self.pool.ult(at, limit);
                result = self.pool.ite(counts, result, zero);
            }
        }
        Ok(result)
    }

    /// The bytes of the string that a call searches, and whether each is the one wanted.
    fn searched(
        &mut self,
        state: &mut State,
        call: &LibraryCall,
    ) -> Result<Vec<(TermId, TermId)>, Unsupported> {
        let string = self.pointed_to(state, call, 0)?;
        self.check_strings(state, call, &[&string], None)?;
        let longest = self.longest(&string)?;
        let wanted = self.pool.extract(call.argument(1)?, 7, 0);
        let mut bytes = Vec::new();
        for offset in 0..longest {
            let byte = self.read_piece(state, &string, offset, 1)?;
            bytes.push((byte, self.pool.eq(byte, wanted)));
        }
        Ok(bytes)
    }

    fn find_first(&mut self, state: &mut State, call: &LibraryCall) -> Result<TermId, Unsupported> {
        let start = call.argument(0)?;
        let nowhere = self.pointer(0);
        let mut found = nowhere;
        for (offset, (byte, is_wanted)) in self.searched(state, call)?.into_iter().enumerate().rev() {
            let more = self.is_nonzero(byte);
            let later = self.pool.ite(more, found, nowhere);
            let distance = self.pointer(offset as u64);
            let here = self.pool.add(start, distance);
            found = self.pool.ite(is_wanted, here, later);
        }
        Ok(found)
    }

    fn find_last(&mut self, state: &mut State, call: &LibraryCall) -> Result<TermId, Unsupported> {
        let start = call.argument(0)?;
        let mut found = self.pointer(0);
        let mut goes_on = TermPool::TRUE;
        for (offset, (byte, is_wanted)) in self.searched(state, call)?.into_iter().enumerate() {
            let distance = self.pointer(offset as u64);
            let here = self.pool.add(start, distance);
            let is_here = self.pool.and(goes_on, is_wanted);
            found = self.pool.ite(is_here, here, found);
            let more = self.is_nonzero(byte);
            goes_on = self.pool.and(goes_on, more);
        }
        Ok(found)
    }

    /// What lies behind the byte that is found is not read.
    fn find_in_block(&mut self, state: &mut State, call: &LibraryCall) -> Result<TermId, Unsupported> {
        let (start, limit) = (call.argument(0)?, self.length_argument(call, 2)?);
        let wanted = self.pool.extract(call.argument(1)?, 7, 0);
        let block = self.pointed_to(state, call, 0)?;
        self.check_bytes(state, call, &[&block], Some(limit), |encoder, state, offset| {
            let byte = encoder.read_piece(state, &block, offset, 1)?;
            Ok(encoder.pool.ne(byte, wanted))
        })?;
        let mut found = self.pointer(0);
        for offset in (0..self.longest(&block)?).rev() {
            let byte = self.read_piece(state, &block, offset, 1)?;
            let distance = self.pointer(offset);
            let counts = self.pool.ult(distance, limit);
            let is_wanted = self.pool.eq(byte, wanted);
            let is_here = self.pool.and(counts, is_wanted);
            let here = self.pool.add(start, distance);
            found = self.pool.ite(is_here, here, found);
        }
        Ok(found)
    }
}

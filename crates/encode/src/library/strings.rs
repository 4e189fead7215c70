//! Functions on strings, unrolled to the size of the object that holds the string.

use super::LibraryCall;
use crate::encoder::Encoder;
use crate::pointer::Case;
use crate::state::State;
use crate::{Check, Unsupported};
use cfa::library::Library;
use sema::types::TypeId;
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
        match library {
            Library::Strlen => {
                let string = self.pointed_to(state, call, 0)?;
                self.check_strings(state, call, &[&string], None)?;
                let length = self.string_length(state, &string)?;
                self.give(state, call, length, self.program.types.size_type())?;
            }
            Library::Strcmp => {
                let result = self.compare_strings(state, call, None)?;
                self.give(state, call, result, TypeId::INT)?;
            }
            Library::Strncmp => {
                let (equal, limit) = (self.pool.bitvec(32, 0), call.argument(2)?);
                let compare = |encoder: &mut Self| encoder.compare_strings(state, call, Some(limit));
                let result = self.unless_empty(limit, equal, compare)?;
                self.give(state, call, result, TypeId::INT)?;
            }
            Library::Strcpy => {
                let (target, source) = (self.pointed_to(state, call, 0)?, self.pointed_to(state, call, 1)?);
                self.check_strings(state, call, &[&source], None)?;
                let length = self.string_length(state, &source)?;
                let one = self.pointer(1);
                let size = self.pool.add(length, one);
                self.check_block(state, call, &target, size, true);
                self.copy_string(state, &target, &source)?;
                self.give(state, call, call.argument(0)?, self.program.types.size_type())?;
            }
            _ => return self.character_call(state, call, library),
        }
        Ok(true)
    }

    fn longest(&self, cases: &[Case]) -> Result<u64, Unsupported> {
        let unseen = cases.iter().any(|case| self.is_unseen(case.object));
        match self.largest(cases) {
            Some(size) if size <= LONGEST && !unseen => Ok(size),
            _ => Err(Unsupported("a string of unknown length")),
        }
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
        let mut longest = u64::MAX;
        for string in strings {
            longest = longest.min(self.longest(string)?);
        }
        let mut invalid = TermPool::FALSE;
        let mut reads = TermPool::TRUE;
        for offset in 0..=longest {
            if let Some(limit) = limit {
                let at = self.pointer(offset);
                let counts = self.pool.ult(at, limit);
                reads = self.pool.and(reads, counts);
            }
            let mut valid = self.pool.truth(offset < longest);
            for string in strings {
                let there = self.is_there(state, string, offset);
                valid = self.pool.and(valid, there);
            }
            let missing = self.pool.not(valid);
            let violated = self.pool.and(reads, missing);
            invalid = self.pool.or(invalid, violated);
            reads = self.pool.and(reads, valid);
            if reads == TermPool::FALSE {
                break;
            }
            let goes_on = self.goes_on(state, strings, offset)?;
            reads = self.pool.and(reads, goes_on);
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

    fn string_length(&mut self, state: &mut State, string: &[Case]) -> Result<TermId, Unsupported> {
        let longest = self.longest(string)?;
        let mut length = self.pointer(longest);
        for offset in (0..longest).rev() {
            let byte = self.read_piece(state, string, offset, 1)?;
            let more = self.is_nonzero(byte);
            let here = self.pointer(offset);
            length = self.pool.ite(more, length, here);
        }
        Ok(length)
    }

    fn compare_strings(
        &mut self,
        state: &mut State,
        call: &LibraryCall,
        limit: Option<TermId>,
    ) -> Result<TermId, Unsupported> {
        let (left, right) = (self.pointed_to(state, call, 0)?, self.pointed_to(state, call, 1)?);
        self.check_strings(state, call, &[&left, &right], limit)?;
        let longest = self.longest(&left)?.min(self.longest(&right)?);
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

    fn copy_string(
        &mut self,
        state: &mut State,
        target: &[Case],
        source: &[Case],
    ) -> Result<(), Unsupported> {
        let longest = self.longest(source)?.min(self.longest(target)?);
        let mut values = Vec::new();
        for offset in 0..longest {
            let shadow = self.read_shadow(state, source, offset, 1)?;
            values.push((self.read_piece(state, source, offset, 1)?, shadow));
        }
        let mut copying = TermPool::TRUE;
        for (offset, (value, shadow)) in values.into_iter().enumerate() {
            self.write_piece(state, target, offset as u64, 1, value, copying)?;
            self.mark_piece(state, target, offset as u64, 1, shadow, copying)?;
            let more = self.is_nonzero(value);
            copying = self.pool.and(copying, more);
        }
        Ok(())
    }

    fn character_call(
        &mut self,
        state: &mut State,
        call: &LibraryCall,
        library: Library,
    ) -> Result<bool, Unsupported> {
        use Library::*;
        let ranges: &[(u8, u8)] = match library {
            Isdigit => &[(b'0', b'9')],
            Isalpha => &[(b'a', b'z'), (b'A', b'Z')],
            Isalnum => &[(b'0', b'9'), (b'a', b'z'), (b'A', b'Z')],
            Isupper | Tolower => &[(b'A', b'Z')],
            Islower | Toupper => &[(b'a', b'z')],
            Isspace => &[(b' ', b' '), (9, 13)],
            Isblank => &[(b' ', b' '), (9, 9)],
            Iscntrl => &[(0, 31), (127, 127)],
            Isprint => &[(32, 126)],
            Isgraph => &[(33, 126)],
            Isxdigit => &[(b'0', b'9'), (b'a', b'f'), (b'A', b'F')],
            Ispunct => &[(33, 47), (58, 64), (91, 96), (123, 126)],
            _ => return Ok(false),
        };
        let character = call.argument(0)?;
        let inside = self.in_ranges(character, ranges);
        let result = match library {
            Tolower | Toupper => {
                let change = self.pool.bitvec(32, 32);
                let changed = self.pool.bit_xor(character, change);
                self.pool.ite(inside, changed, character)
            }
            _ => self.truth(inside),
        };
        self.give(state, call, result, TypeId::INT)?;
        Ok(true)
    }

    fn in_ranges(&mut self, value: TermId, ranges: &[(u8, u8)]) -> TermId {
        let mut inside = TermPool::FALSE;
        for &(low, high) in ranges {
            let (low, high) = (self.pool.bitvec(32, u64::from(low)), self.pool.bitvec(32, u64::from(high)));
            let (above, below) = (self.pool.sle(low, value), self.pool.sle(value, high));
            let here = self.pool.and(above, below);
            inside = self.pool.or(inside, here);
        }
        inside
    }
}

//! Functions that copy strings.

use super::LibraryCall;
use crate::Unsupported;
use crate::cells::Fill;
use crate::encoder::Encoder;
use crate::pointer::Case;
use crate::state::State;
use cfa::library::Library;
use sema::types::TypeId;
use term::TermId;

impl Encoder<'_> {
    pub(super) fn string_copy(
        &mut self,
        state: &mut State,
        call: &LibraryCall,
        library: Library,
    ) -> Result<bool, Unsupported> {
        match library {
            Library::Strcpy => {
                let target = self.pointed_to(state, call, 0)?;
                let (source, length) = self.text(state, call, 1, None)?;
                let room = self.longest(&target)?;
                self.write_text(state, call, (&target, room), &source, length)?;
            }
            Library::Strncpy => {
                let limit = self.length_argument(call, 2)?;
                self.unless_empty(limit, (), |encoder| encoder.copy_and_pad(state, call, limit))?;
            }
            Library::Strcat => self.append(state, call, None)?,
            Library::Strncat => {
                let limit = self.length_argument(call, 2)?;
                self.append(state, call, Some(limit))?;
            }
            Library::Strdup => {
                self.duplicate(state, call, None)?;
                return Ok(true);
            }
            Library::Strndup => {
                let limit = self.length_argument(call, 1)?;
                self.duplicate(state, call, Some(limit))?;
                return Ok(true);
            }
            _ => return self.character_call(state, call, library),
        }
        self.give(state, call, call.argument(0)?, self.program.types.size_type())?;
        Ok(true)
    }

    /// What is read of the string that an argument points to, and how long it is. If the limit is 0, that
    /// is nothing, wherever the argument points to.
    fn text(
        &mut self,
        state: &mut State,
        call: &LibraryCall,
        position: usize,
        limit: Option<TermId>,
    ) -> Result<(Vec<Case>, TermId), Unsupported> {
        let any = self.pointer(1);
        let nothing = (Vec::new(), self.pointer(0));
        self.unless_empty(limit.unwrap_or(any), nothing, |encoder| {
            let string = encoder.pointed_to(state, call, position)?;
            encoder.check_strings(state, call, &[&string], limit)?;
            let length = encoder.string_length(state, &string, limit)?;
            Ok((string, length))
        })
    }

    /// Writes so many bytes, and a zero, to where there is room for some.
    fn write_text(
        &mut self,
        state: &mut State,
        call: &LibraryCall,
        (target, room): (&[Case], u64),
        source: &[Case],
        length: TermId,
    ) -> Result<(), Unsupported> {
        let one = self.pointer(1);
        let size = self.pool.add(length, one);
        self.check_block(state, call, target, size, true);
        let count = self.longest(source)? + 1;
        let bytes = self.bytes_of(state, source, length, count.min(room))?;
        for (offset, value) in (0..).zip(bytes) {
            let here = self.pointer(offset);
            let copied = self.pool.ule(here, length);
            self.write_byte(state, target, offset, value, copied)?;
        }
        Ok(())
    }

    /// So many bytes: those of a string up to a length, and zeros.
    fn bytes_of(
        &mut self,
        state: &mut State,
        source: &[Case],
        length: TermId,
        count: u64,
    ) -> Result<Vec<TermId>, Unsupported> {
        let longest = self.longest(source)?;
        let zero = self.pool.bitvec(8, 0);
        let mut bytes = Vec::new();
        for offset in 0..count {
            let here = self.pointer(offset);
            let in_text = self.pool.ult(here, length);
            let byte = if offset < longest { self.read_piece(state, source, offset, 1)? } else { zero };
            bytes.push(self.pool.ite(in_text, byte, zero));
        }
        Ok(bytes)
    }

    pub(super) fn write_byte(
        &mut self,
        state: &mut State,
        target: &[Case],
        offset: u64,
        value: TermId,
        condition: TermId,
    ) -> Result<(), Unsupported> {
        let written = self.pool.bitvec(8, 0);
        self.write_piece(state, target, offset, 1, value, condition)?;
        self.mark_piece(state, target, offset, 1, Some(written), condition)
    }

    /// `strncpy`: what the text does not fill is filled with zeros.
    fn copy_and_pad(
        &mut self,
        state: &mut State,
        call: &LibraryCall,
        limit: TermId,
    ) -> Result<(), Unsupported> {
        let (source, length) = self.text(state, call, 1, Some(limit))?;
        let target = self.pointed_to(state, call, 0)?;
        self.check_block(state, call, &target, limit, true);
        let (longest, exact) = self.block_length(limit, &target)?;
        let bytes = self.bytes_of(state, &source, length, longest)?;
        for (offset, value) in (0..).zip(bytes) {
            let copied = self.within(offset, limit, exact);
            self.write_byte(state, &target, offset, value, copied)?;
        }
        Ok(())
    }

    fn append(
        &mut self,
        state: &mut State,
        call: &LibraryCall,
        limit: Option<TermId>,
    ) -> Result<(), Unsupported> {
        let (source, length) = self.text(state, call, 1, limit)?;
        let (mut target, end) = self.text(state, call, 0, None)?;
        for case in &mut target {
            case.offset = self.pool.add(case.offset, end);
        }
        let room = self.longest(&target)?;
        self.write_text(state, call, (&target, room), &source, length)
    }

    fn duplicate(
        &mut self,
        state: &mut State,
        call: &LibraryCall,
        limit: Option<TermId>,
    ) -> Result<(), Unsupported> {
        let (source, length) = self.text(state, call, 0, limit)?;
        let one = self.pointer(1);
        let size = self.pool.add(length, one);
        let generation = self.generation();
        let object = self.allocate(state, call, size, Fill::Unknown(generation), true)?;
        let target = self.whole(object, TypeId::CHAR).cases;
        self.write_text(state, call, (&target, u64::MAX), &source, length)?;
        self.give_object(state, call, object)
    }
}

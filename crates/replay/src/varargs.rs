//! Variable arguments.
//!
//! A `va_list` in memory holds a handle to a cursor over the arguments of the call, so that it can
//! be copied, passed on by value or by pointer, and read by `vprintf` alike.

use crate::call::Argument;
use crate::machine::{Machine, Result};
use crate::place::Stretch;
use cfa::PlaceId;
use std::rc::Rc;

/// Handles are this plus an index: other bytes are unlikely to look like one.
const FIRST_HANDLE: u32 = 0x5641_0000;

#[derive(Clone)]
struct Cursor {
    arguments: Rc<[Argument]>,
    position: usize,
}

/// All lists that have been started and not ended.
#[derive(Default)]
pub struct Lists {
    cursors: Vec<Option<Cursor>>,
    free: Vec<u32>,
}

impl Lists {
    fn add(&mut self, cursor: Cursor) -> u32 {
        match self.free.pop() {
            Some(index) => {
                self.cursors[index as usize] = Some(cursor);
                FIRST_HANDLE + index
            }
            None => {
                self.cursors.push(Some(cursor));
                FIRST_HANDLE + self.cursors.len() as u32 - 1
            }
        }
    }

    fn get(&mut self, handle: u32) -> Option<&mut Cursor> {
        self.cursors.get_mut(handle.wrapping_sub(FIRST_HANDLE) as usize)?.as_mut()
    }

    fn remove(&mut self, handle: u32) {
        let index = handle.wrapping_sub(FIRST_HANDLE);
        if let Some(cursor) = self.cursors.get_mut(index as usize)
            && cursor.take().is_some()
        {
            self.free.push(index);
        }
    }
}

impl Machine<'_> {
    fn list_stretch(&mut self, list: PlaceId, write: bool) -> Result<Stretch> {
        let spot = self.decoder().spot(list);
        self.place_stretch(spot, write)
    }

    fn handle(&mut self, list: PlaceId) -> Result<u32> {
        let at = self.list_stretch(list, false)?;
        Ok(self.memory.load(at.object, at.offset, 4.min(at.size)) as u32)
    }

    fn set_handle(&mut self, list: PlaceId, handle: u32) -> Result<()> {
        let at = self.list_stretch(list, true)?;
        let bytes = self.memory.bytes_mut(at.object, at.offset, at.size);
        bytes.fill(0);
        let size = bytes.len().min(4);
        bytes[..size].copy_from_slice(&handle.to_le_bytes()[..size]);
        Ok(())
    }

    pub fn va_start(&mut self, list: PlaceId) -> Result<()> {
        let arguments = self.frames.last().and_then(|frame| frame.variadic.clone());
        let arguments = arguments.unwrap_or_else(|| Vec::new().into());
        let handle = self.lists.add(Cursor { arguments, position: 0 });
        self.set_handle(list, handle)
    }

    pub fn va_end(&mut self, list: PlaceId) -> Result<()> {
        let handle = self.handle(list)?;
        self.lists.remove(handle);
        Ok(())
    }

    pub fn va_copy(&mut self, target: PlaceId, list: PlaceId) -> Result<()> {
        let handle = self.handle(list)?;
        match self.lists.get(handle).cloned() {
            Some(cursor) => {
                let handle = self.lists.add(cursor);
                self.set_handle(target, handle)
            }
            None => Err(self.unsupported("a copy of a va_list that was not started")),
        }
    }

    pub fn va_arg(&mut self, list: PlaceId) -> Result<Argument> {
        let handle = self.handle(list)?;
        self.next_argument(handle)
    }

    pub fn next_argument(&mut self, handle: u32) -> Result<Argument> {
        let Some(cursor) = self.lists.get(handle) else {
            return Err(self.unsupported("a va_list that was not started"));
        };
        let argument = cursor.arguments.get(cursor.position).cloned();
        cursor.position += 1;
        argument.ok_or_else(|| self.unsupported("more variable arguments are read than were passed"))
    }

    /// What is left in a list, for functions like `vprintf`.
    pub fn remaining_arguments(&mut self, handle: u32) -> Result<Vec<Argument>> {
        match self.lists.get(handle) {
            Some(cursor) => Ok(cursor.arguments.get(cursor.position..).unwrap_or_default().to_vec()),
            None => Err(self.unsupported("a va_list that was not started")),
        }
    }
}

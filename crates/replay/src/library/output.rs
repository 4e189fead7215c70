//! Output: to `stdout`, to `stderr`, into strings.

use super::{Arguments, narrow};
use crate::call::{Argument, Datum};
use crate::machine::{Machine, Result, Returned};
use crate::observe::Stream;
use cfa::library::Library;
use sema::types::Type;

impl Machine<'_> {
    pub(super) fn output(&mut self, library: Library, arguments: Arguments<'_>) -> Result<Option<Returned>> {
        match library {
            Library::Printf | Library::Vprintf => {
                let text = self.formatted(library, arguments, 0)?;
                self.print(Stream::Output, &text)
            }
            Library::Fprintf | Library::Vfprintf => {
                let text = self.formatted(library, arguments, 1)?;
                let stream = self.stream(arguments.number(0));
                self.print(stream, &text)
            }
            Library::Sprintf | Library::Vsprintf => {
                let text = self.formatted(library, arguments, 1)?;
                self.write_string(arguments.number(0), &text)?;
                narrow(text.len() as u64)
            }
            Library::Snprintf | Library::Vsnprintf => {
                let text = self.formatted(library, arguments, 2)?;
                let room = arguments.number(1) & self.address_mask;
                if let Some(most) = room.checked_sub(1) {
                    let shown = &text[..text.len().min(usize::try_from(most).unwrap_or(usize::MAX))];
                    self.write_string(arguments.number(0), shown)?;
                }
                narrow(text.len() as u64)
            }
            Library::Puts => {
                let mut text = self.string(arguments.number(0))?;
                text.push(b'\n');
                self.print(Stream::Output, &text)
            }
            Library::Fputs => {
                let text = self.string(arguments.number(0))?;
                let stream = self.stream(arguments.number(1));
                self.print(stream, &text)
            }
            Library::Putchar => {
                self.print(Stream::Output, &[arguments.number(0) as u8])?;
                narrow(arguments.number(0) & 0xff)
            }
            Library::Fputc | Library::Putc => {
                let stream = self.stream(arguments.number(1));
                self.print(stream, &[arguments.number(0) as u8])?;
                narrow(arguments.number(0) & 0xff)
            }
            Library::Fflush => narrow(0),
            Library::Perror => self.perror(arguments.number(0)),
            _ => Ok(None),
        }
    }

    /// The text of a `printf` whose format is the argument `index`.
    fn formatted(&mut self, library: Library, arguments: Arguments<'_>, index: usize) -> Result<Vec<u8>> {
        let format = self.string(arguments.number(index))?;
        let rest = arguments.0.get(index + 1..).unwrap_or_default();
        let from_list =
            matches!(library, Library::Vprintf | Library::Vfprintf | Library::Vsprintf | Library::Vsnprintf);
        match rest {
            [list, ..] if from_list => {
                let handle = self.list_handle(list)?;
                let rest = self.remaining_arguments(handle)?;
                self.format(&format, &rest)
            }
            _ => self.format(&format, rest),
        }
    }

    /// A `va_list` is passed as its bytes, or as a pointer to it.
    fn list_handle(&mut self, list: &Argument) -> Result<u32> {
        match (&list.value, self.program.types.get(list.ty)) {
            (Datum::Bits(address), Type::Pointer(_)) => {
                let bytes = self.read(*address as u64, 4)?;
                Ok(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
            }
            _ => Ok(list.bits() as u32),
        }
    }

    fn stream(&self, pointer: u64) -> Stream {
        if self.error_stream == Some(pointer & self.address_mask) { Stream::Error } else { Stream::Output }
    }

    fn print(&mut self, stream: Stream, text: &[u8]) -> Result<Option<Returned>> {
        self.observer.output(stream, text);
        narrow(text.len() as u64)
    }

    fn perror(&mut self, prefix: u64) -> Result<Option<Returned>> {
        let mut text = Vec::new();
        if prefix & self.address_mask != 0 {
            text = self.string(prefix)?;
            text.extend(b": ");
        }
        text.extend(b"Success\n");
        self.print(Stream::Error, &text)
    }
}

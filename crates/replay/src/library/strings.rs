//! `<string.h>`

use super::{Arguments, narrow};
use crate::machine::{Machine, Result, Returned};
use cfa::library::Library;
use std::cmp::Ordering;

impl Machine<'_> {
    pub(super) fn strings(&mut self, library: Library, arguments: Arguments<'_>) -> Result<Option<Returned>> {
        let [a, b, c] = [0, 1, 2].map(|index| arguments.number(index) & self.address_mask);
        match library {
            Library::Memcpy | Library::Memmove => narrow(self.copy_bytes(a, b, c)?),
            Library::Memset => {
                let at = self.stretch_or_nothing(a, c, true)?;
                if let Some(at) = at {
                    self.memory.bytes_mut(at.object, at.offset, at.size).fill(b as u8);
                }
                narrow(a)
            }
            Library::Memcmp => self.compare_bytes(a, b, c),
            Library::Memchr => self.find_byte(a, b as u8, c),
            Library::Strlen => narrow(self.string(a)?.len() as u64),
            Library::Strnlen => narrow(self.string_up_to(a, b)?.len() as u64),
            Library::Strcmp => {
                let (left, right) = self.compared_strings(a, b, u64::MAX)?;
                self.order(&left, &right)
            }
            Library::Strncmp => {
                let (left, right) = self.compared_strings(a, b, c)?;
                self.order(&left, &right)
            }
            _ => match self.copying(library, a, b, c)? {
                Some(pointer) => narrow(pointer),
                None => self.searching(library, a, b),
            },
        }
    }

    fn stretch_or_nothing(
        &mut self,
        address: u64,
        size: u64,
        write: bool,
    ) -> Result<Option<crate::place::Stretch>> {
        if size == 0 { Ok(None) } else { self.stretch(address, size, write).map(Some) }
    }

    fn copy_bytes(&mut self, to: u64, from: u64, size: u64) -> Result<u64> {
        if size > 0 {
            let source = self.stretch(from, size, false)?;
            let target = self.stretch(to, size, true)?;
            self.memory.copy((source.object, source.offset), (target.object, target.offset), target.size);
        }
        Ok(to)
    }

    fn compare_bytes(&mut self, left: u64, right: u64, size: u64) -> Result<Option<Returned>> {
        if size == 0 {
            return self.order(&[], &[]);
        }
        let (left, right) = (self.read(left, size)?, self.read(right, size)?);
        self.order(&left, &right)
    }

    /// Only the sign of the result is defined.
    fn order(&mut self, left: &[u8], right: &[u8]) -> Result<Option<Returned>> {
        let any = self.unspecified()?;
        narrow(match left.cmp(right) {
            Ordering::Less => any.negative(),
            Ordering::Equal => 0,
            Ordering::Greater => any.positive(),
        })
    }

    fn find_byte(&mut self, address: u64, byte: u8, size: u64) -> Result<Option<Returned>> {
        if size == 0 {
            return narrow(0);
        }
        let at = self.stretch(address, 1, false)?;
        let data = &self.memory.object(at.object).data[at.offset..];
        let window = &data[..data.len().min(size as usize)];
        match window.iter().position(|&found| found == byte) {
            Some(index) => narrow(address + index as u64),
            None if (window.len() as u64) < size => {
                self.stretch(address, size, false)?;
                narrow(0)
            }
            None => narrow(0),
        }
    }

    /// Two strings, each up to its end or to where they differ: what lies behind is not read.
    fn compared_strings(&mut self, left: u64, right: u64, most: u64) -> Result<(Vec<u8>, Vec<u8>)> {
        if most == 0 {
            return Ok((Vec::new(), Vec::new()));
        }
        let mut read = [Vec::new(), Vec::new()];
        let mut offset = 0;
        let starts = [self.stretch(left, 1, false)?, self.stretch(right, 1, false)?];
        let lengths = starts.map(|at| self.memory.object(at.object).data.len() - at.offset);
        while offset < most {
            if offset as usize >= lengths[0] || offset as usize >= lengths[1] {
                self.stretch(left.wrapping_add(offset), 1, false)?;
                self.stretch(right.wrapping_add(offset), 1, false)?;
            }
            let bytes = starts.map(|at| self.memory.object(at.object).data[at.offset + offset as usize]);
            read[0].push(bytes[0]);
            read[1].push(bytes[1]);
            if bytes[0] != bytes[1] || bytes[0] == 0 {
                break;
            }
            offset += 1;
        }
        let [left, right] = read;
        Ok((left, right))
    }

    fn copying(&mut self, library: Library, to: u64, from: u64, most: u64) -> Result<Option<u64>> {
        match library {
            Library::Strcpy => {
                let text = self.string(from)?;
                self.write_string(to, &text)?;
            }
            Library::Strncpy => {
                let mut text = self.string_up_to(from, most)?;
                // The rest is filled with zeros, so it must all be there.
                self.stretch_or_nothing(to, most, true)?;
                text.resize(most as usize, 0);
                if most > 0 {
                    self.write(to, &text)?;
                }
            }
            Library::Strcat | Library::Strncat => {
                let text = match library {
                    Library::Strcat => self.string(from)?,
                    _ => self.string_up_to(from, most)?,
                };
                let end = to.wrapping_add(self.string(to)?.len() as u64);
                self.write_string(end, &text)?;
            }
            Library::Strdup | Library::Strndup => {
                let text = match library {
                    Library::Strdup => self.string(to)?,
                    _ => self.string_up_to(to, from)?,
                };
                let copy = self.malloc(text.len() as u64 + 1)?;
                self.write_string(copy, &text)?;
                return Ok(Some(copy));
            }
            _ => return Ok(None),
        }
        Ok(Some(to))
    }

    fn searching(&mut self, library: Library, address: u64, other: u64) -> Result<Option<Returned>> {
        let is_set = matches!(library, Library::Strspn | Library::Strcspn | Library::Strpbrk);
        let is_search = matches!(library, Library::Strchr | Library::Strrchr | Library::Strstr);
        if !is_set && !is_search {
            return Ok(None);
        }
        let text = self.string(address)?;
        let pointer = |index: Option<usize>| narrow(index.map_or(0, |index| address + index as u64));
        match library {
            Library::Strchr | Library::Strrchr => {
                let wanted = other as u8;
                let mut whole = text.iter().copied().chain([0]);
                let found = match library {
                    Library::Strchr => whole.position(|byte| byte == wanted),
                    _ if wanted == 0 => Some(text.len()),
                    _ => text.iter().rposition(|&byte| byte == wanted),
                };
                pointer(found)
            }
            Library::Strstr => {
                let wanted = self.string(other)?;
                let found = match wanted.len() {
                    0 => Some(0),
                    length => text.windows(length).position(|window| window == wanted),
                };
                pointer(found)
            }
            _ => {
                let set = self.string(other)?;
                let in_set = |byte: &u8| set.contains(byte);
                match library {
                    Library::Strspn => narrow(text.iter().take_while(|b| in_set(b)).count() as u64),
                    Library::Strcspn => narrow(text.iter().take_while(|b| !in_set(b)).count() as u64),
                    _ => pointer(text.iter().position(in_set)),
                }
            }
        }
    }
}

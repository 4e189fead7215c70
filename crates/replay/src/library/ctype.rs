//! `<ctype.h>` in the C locale.

use super::{Arguments, narrow};
use crate::machine::{Machine, Result, Returned};
use crate::memory::ObjectKind;
use cfa::library::Library;

/// Addresses of the tables that `__ctype_b_loc` gives out, once it has been called.
#[derive(Clone, Copy, Default, Debug)]
pub struct Tables {
    /// What the pointer that is returned points to.
    classes: Option<u64>,
}

impl Machine<'_> {
    pub(super) fn characters(
        &mut self,
        library: Library,
        arguments: Arguments<'_>,
    ) -> Result<Option<Returned>> {
        let character = arguments.int(0);
        let byte = u8::try_from(character).ok();
        let mut is = |test: fn(u8) -> bool| {
            let yes = self.unspecified()?.nonzero();
            narrow(if byte.is_some_and(test) { yes } else { 0 })
        };
        match library {
            Library::Isalnum => is(|b| b.is_ascii_alphanumeric()),
            Library::Isalpha => is(|b| b.is_ascii_alphabetic()),
            Library::Isblank => is(|b| matches!(b, b' ' | b'\t')),
            Library::Iscntrl => is(|b| b.is_ascii_control()),
            Library::Isdigit => is(|b| b.is_ascii_digit()),
            Library::Isgraph => is(|b| b.is_ascii_graphic()),
            Library::Islower => is(|b| b.is_ascii_lowercase()),
            Library::Isprint => is(|b| b == b' ' || b.is_ascii_graphic()),
            Library::Ispunct => is(|b| b.is_ascii_punctuation()),
            Library::Isspace => is(is_space),
            Library::Isupper => is(|b| b.is_ascii_uppercase()),
            Library::Isxdigit => is(|b| b.is_ascii_hexdigit()),
            Library::Tolower => narrow(byte.map_or(character, |b| b.to_ascii_lowercase().into()) as u64),
            Library::Toupper => narrow(byte.map_or(character, |b| b.to_ascii_uppercase().into()) as u64),
            Library::CtypeBLoc => narrow(self.class_table()?),
            _ => Ok(None),
        }
    }

    /// A pointer to a pointer into a table of 16-bit classes for -128 … 255.
    fn class_table(&mut self) -> Result<u64> {
        if let Some(address) = self.ctype_tables.classes {
            return Ok(address);
        }
        let table: Vec<u8> = (-128..256).flat_map(|index: i32| classes(index).to_le_bytes()).collect();
        let object = self.allocate(ObjectKind::Table, table.len() as u64, 16)?;
        self.memory.bytes_mut(object, 0, table.len()).copy_from_slice(&table);
        let middle = self.memory.object(object).address + 2 * 128;
        let word = self.program.types.pointer_size();
        let pointer = self.allocate(ObjectKind::Table, word, word)?;
        self.memory.store(pointer, 0, word as usize, middle);
        let address = self.memory.object(pointer).address;
        self.ctype_tables.classes = Some(address);
        Ok(address)
    }
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r')
}

/// The bits that glibc's `<ctype.h>` tests, on a little-endian machine.
fn classes(index: i32) -> u16 {
    let Ok(byte) = u8::try_from(index) else { return 0 };
    let tests: [(bool, u16); 12] = [
        (byte.is_ascii_uppercase(), 0x0100),
        (byte.is_ascii_lowercase(), 0x0200),
        (byte.is_ascii_alphabetic(), 0x0400),
        (byte.is_ascii_digit(), 0x0800),
        (byte.is_ascii_hexdigit(), 0x1000),
        (is_space(byte), 0x2000),
        (byte == b' ' || byte.is_ascii_graphic(), 0x4000),
        (byte.is_ascii_graphic(), 0x8000),
        (matches!(byte, b' ' | b'\t'), 0x0001),
        (byte.is_ascii_control(), 0x0002),
        (byte.is_ascii_punctuation(), 0x0004),
        (byte.is_ascii_alphanumeric(), 0x0008),
    ];
    tests.iter().filter(|(holds, _)| *holds).map(|(_, bit)| bit).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_as_glibc_has_them() {
        assert_eq!(classes(i32::from(b'A')), 0xd508);
        assert_eq!(classes(i32::from(b'z')), 0xc608);
        assert_eq!(classes(i32::from(b'0')), 0xd808);
        assert_eq!(classes(i32::from(b' ')), 0x6001);
        assert_eq!(classes(i32::from(b'\n')), 0x2002);
        assert_eq!(classes(-1), 0);
    }
}

//! Functions on characters, in the locale "C".

use super::LibraryCall;
use crate::Unsupported;
use crate::encoder::Encoder;
use crate::state::State;
use cfa::library::Library;
use sema::types::TypeId;
use term::{TermId, TermPool};

impl Encoder<'_> {
    pub(super) fn character_call(
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
            _ => {
                let yes = self.unspecified(state).nonzero(&mut self.pool);
                let no = self.pool.bitvec(32, 0);
                self.pool.ite(inside, yes, no)
            }
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

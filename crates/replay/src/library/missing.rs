//! Functions that C or POSIX define, but [`Library`](cfa::library::Library) does not know: those of
//! [`cfa::unmodelled`] end the run as unsupported.

use super::narrow;
use crate::call::Argument;
use crate::floats::Rounding;
use crate::machine::{Machine, Result, Returned};
use crate::memory::ObjectKind;

/// Values of `errno`.
pub(super) const NO_MEMORY: i32 = 12;
pub(super) const DOMAIN: i32 = 33;
pub(super) const RANGE: i32 = 34;

impl Machine<'_> {
    /// What an undefined function that is not of the table does, if it is not up to the inputs.
    pub fn fixed_function(&mut self, name: &str, arguments: &[Argument]) -> Result<Option<Returned>> {
        let first = arguments.first().map_or(0, Argument::bits) as i32;
        match name {
            "fegetround" => narrow(self.rounding.mode() as u64),
            "fesetround" => match Rounding::of_mode(first) {
                Some(rounding) => {
                    self.rounding = rounding;
                    narrow(0)
                }
                None => narrow(1),
            },
            "__errno_location" => self.errno().map(|address| Some(Returned::Narrow(address))),
            _ if cfa::unmodelled::is_fixed(name) => {
                Err(self.unsupported(format!("the library function {name}")))
            }
            _ => Ok(None),
        }
    }

    /// Sets `errno`, whether or not the program has asked for its address.
    pub(super) fn set_errno(&mut self, error: i32) {
        self.errno = error;
        if let Some(object) = self.errno_address.and_then(|address| self.memory.find(address)) {
            self.memory.bytes_mut(object, 0, 4).copy_from_slice(&error.to_le_bytes());
        }
    }

    /// The address of `errno`.
    fn errno(&mut self) -> Result<u64> {
        if let Some(address) = self.errno_address {
            return Ok(address);
        }
        let object = self.allocate(ObjectKind::Outside, 4, 4)?;
        let address = self.memory.object(object).address;
        self.write(address, &self.errno.to_le_bytes())?;
        self.errno_address = Some(address);
        Ok(address)
    }
}

//! The C library, as glibc does it, on the machine's memory.

mod allocation;
pub mod ctype;
mod decimal;
mod math;
mod missing;
mod numbers;
mod output;
mod printf;
mod sort;
mod strings;

use crate::call::Argument;
use crate::code::Scalar;
use crate::ending::Ending;
use crate::floats::{self, Rounding};
use crate::machine::{Machine, Result, Returned};
use cfa::library::Library;
use sema::types::FloatKind;

pub(crate) use decimal::Decimal;

/// The arguments of a call; missing ones are zero.
#[derive(Clone, Copy)]
pub(crate) struct Arguments<'a>(&'a [Argument]);

impl Arguments<'_> {
    fn bits(self, index: usize) -> u128 {
        self.0.get(index).map_or(0, Argument::bits)
    }

    fn number(self, index: usize) -> u64 {
        self.bits(index) as u64
    }

    fn int(self, index: usize) -> i32 {
        self.bits(index) as i32
    }

    /// A float argument in the format that the function takes.
    fn float(self, index: usize, format: FloatKind) -> u128 {
        match self.0.get(index).map(|argument| argument.scalar) {
            Some(Some(Scalar::Float(from))) => {
                floats::convert(from, format, self.bits(index), Rounding::Even)
            }
            Some(Some(Scalar::Int(shape))) => {
                floats::from_integer(format, shape.number(self.number(index)) as u128, true, Rounding::Even)
            }
            _ => self.bits(index),
        }
    }
}

/// A result of which C says no more than its sign, or that it is not zero; which one it is the inputs decide.
#[derive(Clone, Copy)]
struct Unspecified(u32);

impl Unspecified {
    fn negative(self) -> u64 {
        !u64::from(self.0 & 0x7fff_ffff)
    }

    fn positive(self) -> u64 {
        let rest = self.0 & 0x3fff_ffff;
        u64::from(if self.0 >> 30 & 1 == 1 { 1 << 30 | rest } else { 1 + rest })
    }

    fn nonzero(self) -> u64 {
        if self.0 >> 31 == 1 { self.negative() } else { self.positive() }
    }
}

impl Machine<'_> {
    fn unspecified(&mut self) -> Result<Unspecified> {
        Ok(Unspecified(self.unknown_bits(4)? as u32))
    }

    pub fn library(&mut self, library: Library, arguments: &[Argument]) -> Result<Returned> {
        let arguments = Arguments(arguments);
        if let Some(result) = self.verification(library, arguments)? {
            return Ok(result);
        }
        if let Some(result) = self.allocation(library, arguments)? {
            return Ok(result);
        }
        if let Some(result) = self.strings(library, arguments)? {
            return Ok(result);
        }
        if let Some(result) = self.numbers(library, arguments)? {
            return Ok(result);
        }
        if let Some(result) = self.characters(library, arguments)? {
            return Ok(result);
        }
        if let Some(result) = self.output(library, arguments)? {
            return Ok(result);
        }
        if let Some(result) = self.math(library, arguments)? {
            return Ok(result);
        }
        Err(self.unsupported(format!("the library function {}", library.name())))
    }

    /// Verification tasks, and the end of the run.
    fn verification(&mut self, library: Library, arguments: Arguments<'_>) -> Result<Option<Returned>> {
        let ending = match library {
            Library::Assume if arguments.number(0) == 0 => Ending::AssumptionViolated(self.span()),
            Library::VerifierAssert | Library::AssertFunction if arguments.number(0) == 0 => {
                self.assertion_failed(library.name().into())?
            }
            Library::Assume
            | Library::VerifierAssert
            | Library::AssertFunction
            | Library::AtomicBegin
            | Library::AtomicEnd => return Ok(Some(Returned::Nothing)),
            Library::AssertFail => {
                let message = self.string(arguments.number(0)).unwrap_or_default();
                self.assertion_failed(String::from_utf8_lossy(&message).into_owned())?
            }
            Library::Assert => self.assertion_failed(library.name().into())?,
            Library::VerifierError | Library::ReachError | Library::Abort => {
                self.check_leaks()?;
                Ending::Aborted(self.span())
            }
            Library::Exit | Library::ExitNow | Library::ExitNowToo => self.exit(arguments.int(0))?,
            Library::Qsort => return self.qsort(arguments).map(Some),
            Library::Bsearch => return self.bsearch(arguments).map(Some),
            _ => return Ok(None),
        };
        Err(Box::new(ending))
    }

    fn assertion_failed(&self, message: String) -> Result<Ending> {
        self.check_leaks()?;
        Ok(Ending::AssertionFailed { message, span: self.span() })
    }

    /// The bytes from an address to the next zero byte, without it.
    pub(crate) fn string(&mut self, address: u64) -> Result<Vec<u8>> {
        let at = self.stretch(address, 1, false)?;
        let data = &self.memory.object(at.object).data[at.offset..];
        match data.iter().position(|&byte| byte == 0) {
            Some(length) => Ok(data[..length].to_vec()),
            None => {
                let end = address.wrapping_add(data.len() as u64);
                // The byte behind the object is what cannot be read.
                self.stretch(end, 1, false).map(|_| Vec::new())
            }
        }
    }

    /// The same, but of at most `most` bytes.
    pub(crate) fn string_up_to(&mut self, address: u64, most: u64) -> Result<Vec<u8>> {
        if most == 0 {
            return Ok(Vec::new());
        }
        let at = self.stretch(address, 1, false)?;
        let data = &self.memory.object(at.object).data[at.offset..];
        let most = usize::try_from(most).unwrap_or(usize::MAX);
        let window = &data[..data.len().min(most)];
        match window.iter().position(|&byte| byte == 0) {
            Some(length) => Ok(window[..length].to_vec()),
            None if window.len() == most => Ok(window.to_vec()),
            None => {
                let end = address.wrapping_add(data.len() as u64);
                self.stretch(end, 1, false).map(|_| Vec::new())
            }
        }
    }

    pub(crate) fn read(&mut self, address: u64, size: u64) -> Result<Vec<u8>> {
        let at = self.stretch(address, size, false)?;
        Ok(self.memory.bytes(at.object, at.offset, at.size).to_vec())
    }

    pub(crate) fn write(&mut self, address: u64, bytes: &[u8]) -> Result<()> {
        let at = self.stretch(address, bytes.len() as u64, true)?;
        self.memory.bytes_mut(at.object, at.offset, at.size).copy_from_slice(bytes);
        Ok(())
    }

    /// Writes a string and its zero byte.
    pub(crate) fn write_string(&mut self, address: u64, text: &[u8]) -> Result<()> {
        let mut bytes = text.to_vec();
        bytes.push(0);
        self.write(address, &bytes)
    }
}

fn narrow(value: u64) -> Result<Option<Returned>> {
    Ok(Some(Returned::Narrow(value)))
}

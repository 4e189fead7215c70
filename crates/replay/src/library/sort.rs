//! `qsort` and `bsearch`, which call back into the program.
//!
//! Each comparison pushes a frame and runs the loop of the machine until that frame is gone, so the
//! interpreter recurses once for each `qsort` inside of a comparison of another, and no deeper.

use super::Arguments;
use crate::call::{Argument, Datum};
use crate::code::Scalar;
use crate::machine::{Machine, Result, Returned};
use cfa::FunctionId;
use sema::types::TypeId;

const MOST_NESTING: u32 = 32;

impl Machine<'_> {
    /// Calls a function of the program with pointers, and waits for its `int`.
    fn call_back(&mut self, function: FunctionId, pointers: [u64; 2]) -> Result<i32> {
        if self.nesting >= MOST_NESTING {
            return Err(self.unsupported("qsort within qsort, many times"));
        }
        let scalar = Some(Scalar::pointer(&self.program.types));
        let pass =
            |pointer: u64| Argument { ty: TypeId::UNSIGNED_LONG, scalar, value: Datum::Bits(pointer.into()) };
        let location = self.location;
        let depth = self.frames.len();
        self.enter(function, pointers.map(pass).to_vec())?;
        self.nesting += 1;
        self.run_until(depth)?;
        self.nesting -= 1;
        self.location = location;
        match std::mem::take(&mut self.returned) {
            Returned::Narrow(value) => Ok(value as i32),
            _ => Ok(0),
        }
    }

    /// A merge sort, as glibc has it: equal elements keep their order.
    pub(super) fn qsort(&mut self, arguments: Arguments<'_>) -> Result<Returned> {
        let [start, count, size] = [0, 1, 2].map(|index| arguments.number(index) & self.address_mask);
        let function = self.function_at(arguments.number(3) & self.address_mask)?;
        let Some(bytes) = count.checked_mul(size).filter(|&bytes| bytes > 0) else {
            return Ok(Returned::Nothing);
        };
        self.stretch(start, bytes, true)?;
        let mut width = 1;
        while width < count {
            let mut low = 0;
            while low < count {
                let middle = (low + width).min(count);
                let high = (low + 2 * width).min(count);
                if middle < high {
                    self.merge(function, start, size, low, middle, high)?;
                }
                low = high;
            }
            width *= 2;
        }
        Ok(Returned::Nothing)
    }

    /// Merges two sorted runs. The elements stay in place until the end: comparisons see them there.
    fn merge(
        &mut self,
        function: FunctionId,
        start: u64,
        size: u64,
        low: u64,
        middle: u64,
        high: u64,
    ) -> Result<()> {
        let (mut left, mut right) = (low, middle);
        let mut order = Vec::with_capacity((high - low) as usize);
        while left < middle && right < high {
            if self.call_back(function, [start + left * size, start + right * size])? <= 0 {
                order.push(left);
                left += 1;
            } else {
                order.push(right);
                right += 1;
            }
        }
        order.extend(left..middle);
        order.extend(right..high);
        let old = self.read(start + low * size, (high - low) * size)?;
        let mut new = Vec::with_capacity(old.len());
        for index in order {
            let at = ((index - low) * size) as usize;
            new.extend(&old[at..at + size as usize]);
        }
        self.write(start + low * size, &new)
    }

    pub(super) fn bsearch(&mut self, arguments: Arguments<'_>) -> Result<Returned> {
        let [key, start, count, size] = [0, 1, 2, 3].map(|index| arguments.number(index) & self.address_mask);
        let function = self.function_at(arguments.number(4) & self.address_mask)?;
        let (mut low, mut high) = (0, count);
        while low < high {
            let middle = low + (high - low) / 2;
            let element = start.wrapping_add(middle.wrapping_mul(size));
            match self.call_back(function, [key, element])? {
                0 => return Ok(Returned::Narrow(element)),
                ..0 => high = middle,
                1.. => low = middle + 1,
            }
        }
        Ok(Returned::Narrow(0))
    }
}

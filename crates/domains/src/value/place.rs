//! Addresses of places, and what is read and written there.

use super::code::*;
use super::collapse::UNKNOWN;
use super::evaluate::Value;
use super::execute::Machine;
use super::layout::{Cells, Object, Place};
use cfa::{FunctionId, StringId, VariableId};

/// Memory at an address.
pub(super) enum Located {
    Object {
        /// Of the object's first cell, in the vector.
        slot: usize,
        /// The same as the precision counts.
        tracked: usize,
        cells: Cells,
        offset: u64,
    },
    String(StringId, u64),
    /// Part of no object that is alive.
    Nowhere,
}

impl Machine<'_> {
    /// The address of a place, if it is known.
    pub(super) fn address(&mut self, place: PlaceIndex) -> Option<u64> {
        let code = self.code;
        let place = &code.places[place.0 as usize];
        let start = match place.start {
            Start::Variable(variable) => self.variable_address(variable)?,
            Start::Pointer(pointer) => self.evaluate(pointer).known()?,
            Start::String(address) => address,
        };
        let mut address = start.wrapping_add(place.offset as u64);
        for &(index, size) in &place.indices {
            address = address.wrapping_add(self.evaluate(index).known()?.wrapping_mul(size));
        }
        Some(address & self.address_mask)
    }

    fn variable_address(&self, variable: VariableId) -> Option<u64> {
        let object = &self.code.layout.objects[variable.0 as usize];
        object.size?;
        Some(if self.code.program.variables[variable].kind.is_global() {
            object.address
        } else {
            self.stacks.top(self.stack).address + object.address
        })
    }

    /// The object at an address, if it is large enough.
    pub(super) fn locate(&self, address: u64, size: u64) -> Located {
        let layout = &self.code.layout;
        let found = if address < layout.stack_start {
            match layout.global_at(self.code.program, address) {
                Some(Place::String(string, offset)) => return Located::String(string, offset),
                Some(Place::Heap(object, offset)) => {
                    let object = &layout.heap[object];
                    return self.located(object, offset, size, (0, 0));
                }
                Some(Place::Variable(variable, offset)) => Some((variable, offset, 0, 0)),
                None => None,
            }
        } else {
            self.local_at(address)
        };
        let Some((variable, offset, base, tracked)) = found else { return Located::Nowhere };
        self.located(&layout.objects[variable.0 as usize], offset, size, (base, tracked))
    }

    /// Part of an object whose frame starts there.
    fn located(&self, object: &Object, offset: u64, size: u64, (base, tracked): (usize, usize)) -> Located {
        if offset.checked_add(size).is_none_or(|end| Some(end) > object.size) {
            return Located::Nowhere;
        }
        let slot = base + object.slot as usize;
        Located::Object { slot, tracked: tracked + object.slot as usize, cells: object.cells.clone(), offset }
    }

    /// The slot of exactly the cell at an address, and its number in the precision.
    pub(super) fn cell_at(&self, address: u64, size: u64) -> Option<(usize, usize)> {
        let Located::Object { slot, tracked, cells, offset } = self.locate(address, size) else {
            return None;
        };
        let index = cells.binary_search_by_key(&offset, |cell| cell.offset).ok()?;
        (u64::from(cells[index].size) == size).then_some((slot + index, tracked + index))
    }

    fn local_at(&self, address: u64) -> Option<(VariableId, u64, usize, usize)> {
        let frame = self.stacks.frames(self.stack).find(|frame| frame.address <= address)?;
        let (variable, offset) = self.code.layout.local_at(frame.function, address - frame.address)?;
        Some((variable, offset, frame.slot as usize, self.tracked_start(frame.function)))
    }

    pub(super) fn tracked_start(&self, function: FunctionId) -> usize {
        self.precision.starts[function.0 as usize] as usize
    }

    pub(super) fn load(&mut self, place: PlaceIndex, shape: Shape) -> Value {
        let code = &self.code.places[place.0 as usize];
        let (size, bits) = (code.size, code.bits);
        let Some(address) = self.address(place) else { return Value::Unknown };
        let (offset, size) = match bits {
            None => (0, size),
            Some(bits) => (u64::from(bits.start / 8), u64::from((bits.start % 8 + bits.width).div_ceil(8))),
        };
        let raw = self.read(address.wrapping_add(offset) & self.address_mask, size);
        let Some(bits) = bits else {
            return match raw {
                Value::Known(raw) => Value::Known(shape.canonical(raw)),
                Value::Symbol { .. } if u64::from(shape.width) != 8 * size => raw.alone(),
                Value::Within { .. } if u64::from(shape.width) != 8 * size => raw.alone(),
                Value::Within { code, .. } => {
                    let code = self.encode_interval(code, shape.width);
                    self.decode(code, shape)
                }
                other => other,
            };
        };
        match raw {
            Value::Known(raw) => {
                let shifted = raw >> (bits.start % 8);
                Value::Known(
                    Shape { width: bits.width.clamp(1, 64), signed: shape.signed }.canonical(shifted),
                )
            }
            _ => Value::Unknown,
        }
    }

    /// Bytes at an address, extended by zeros. Outside of all objects the path ends.
    pub(super) fn read(&mut self, address: u64, size: u64) -> Value {
        match self.locate(address, size) {
            Located::Nowhere => {
                self.trapped = true;
                Value::Unknown
            }
            Located::String(string, offset) => self.read_string(string, offset, size),
            Located::Object { slot, cells, offset, .. } => self.read_cells(slot, &cells, offset, size),
        }
    }

    fn read_string(&self, string: StringId, offset: u64, size: u64) -> Value {
        let bytes = &self.code.program.strings[string].bytes;
        let range = bytes.get(offset as usize..(offset + size) as usize);
        match range {
            Some(range) if size <= 8 => {
                Value::Known(range.iter().rev().fold(0, |bits, &byte| bits << 8 | u64::from(byte)))
            }
            _ => Value::Unknown,
        }
    }

    pub(super) fn read_cells(&self, slot: usize, cells: &Cells, offset: u64, size: u64) -> Value {
        if let Ok(index) = cells.binary_search_by_key(&offset, |cell| cell.offset)
            && u64::from(cells[index].size) == size
        {
            let shape = Shape { width: 8 * size as u32, signed: false };
            return self.decode(self.vector.get(slot + index), shape);
        }
        if size > 8 {
            return Value::Unknown;
        }
        self.assemble(slot, cells, offset, size)
    }

    /// Bytes that are no single cell, from the cells that hold them.
    fn assemble(&self, slot: usize, cells: &Cells, offset: u64, size: u64) -> Value {
        let mut bits = 0u64;
        for byte in 0..size {
            let at = offset + byte;
            let after = cells.partition_point(|cell| cell.offset <= at);
            let Some(index) = after.checked_sub(1) else { return Value::Unknown };
            let cell = cells[index];
            if at >= cell.offset + u64::from(cell.size) {
                return Value::Unknown;
            }
            let Some(number) = self.chunks.number(self.vector.get(slot + index)) else {
                return Value::Unknown;
            };
            bits |= (number as u64 >> (8 * (at - cell.offset)) & 0xff) << (8 * byte);
        }
        Value::Known(bits)
    }

    pub(super) fn store(&mut self, place: PlaceIndex, value: Value) {
        let code = &self.code.places[place.0 as usize];
        let (size, bits) = (code.size, code.bits);
        let Some(address) = self.address(place) else {
            return self.havoc(&self.code.places[place.0 as usize].havoc);
        };
        match bits {
            None => self.write(address, size, value),
            Some(bits) => self.store_bits(address, bits, value),
        }
    }

    fn store_bits(&mut self, address: u64, bits: sema::types::BitRange, value: Value) {
        let address = address.wrapping_add(u64::from(bits.start / 8)) & self.address_mask;
        let (start, size) = (bits.start % 8, u64::from((bits.start % 8 + bits.width).div_ceil(8)));
        if size > 8 {
            return self.write(address, size, Value::Unknown);
        }
        let mask = (u64::MAX >> (64 - bits.width.clamp(1, 64))) << start;
        let new = match (self.read(address, size), value) {
            (Value::Known(old), Value::Known(value)) => Value::Known(old & !mask | value << start & mask),
            _ => Value::Unknown,
        };
        self.write(address, size, new);
    }

    /// Stores the low bytes of a value. Outside of all objects the path ends.
    pub(super) fn write(&mut self, address: u64, size: u64, value: Value) {
        match self.locate(address, size) {
            Located::Nowhere | Located::String(..) => self.trapped = true,
            Located::Object { slot, tracked, cells, offset } => {
                self.write_cells((slot, tracked), &cells, offset, size, value);
            }
        }
    }

    pub(super) fn write_cells(
        &mut self,
        (slot, tracked): (usize, usize),
        cells: &Cells,
        offset: u64,
        size: u64,
        value: Value,
    ) {
        let first = cells.partition_point(|cell| cell.offset + u64::from(cell.size) <= offset);
        for (index, cell) in cells.iter().enumerate().skip(first) {
            if cell.offset >= offset + size {
                break;
            }
            let width = 8 * cell.size;
            let exact = cell.offset == offset && u64::from(cell.size) == size;
            let part = match value {
                _ if exact => value,
                Value::Known(bits) if size <= 8 => {
                    self.spliced(slot + index, cell.offset, width, offset, size, bits)
                }
                _ => Value::Unknown,
            };
            let code =
                if self.precision.tracks(tracked + index) { self.encode(part, width) } else { UNKNOWN };
            self.vector.set(slot + index, code);
        }
    }

    /// What a cell holds after some of its bytes have been written.
    fn spliced(&self, slot: usize, start: u64, width: u32, offset: u64, size: u64, bits: u64) -> Value {
        let whole = offset <= start && start + u64::from(width / 8) <= offset + size;
        let old = match self.chunks.number(self.vector.get(slot)) {
            Some(number) => number as u64,
            None if whole => 0,
            None => return Value::Unknown,
        };
        let mut new = old;
        for byte in 0..u64::from(width / 8) {
            let at = start + byte;
            if (offset..offset + size).contains(&at) {
                let written = bits >> (8 * (at - offset)) & 0xff;
                new = new & !(0xff << (8 * byte)) | written << (8 * byte);
            }
        }
        Value::Known(new)
    }

    /// Forgets all that a write through an unknown pointer could change.
    pub(super) fn havoc(&mut self, list: &[Havoc]) {
        let code = self.code;
        for havoc in list {
            match havoc {
                Havoc::Variable { variable, bytes } => self.havoc_variable(*variable, bytes),
                Havoc::Site(edge) => {
                    let objects = code.layout.sites.get(edge).map_or(0..0, |site| site.objects.clone());
                    for object in &code.layout.heap[objects] {
                        self.forget_bytes(object.slot as usize, &object.cells, &None);
                    }
                }
            }
        }
    }

    fn havoc_variable(&mut self, variable: VariableId, bytes: &Option<std::ops::Range<u64>>) {
        let code = self.code;
        let object = &code.layout.objects[variable.0 as usize];
        let Some(function) = code.program.variables[variable].kind.function() else {
            return self.forget_bytes(object.slot as usize, &object.cells, bytes);
        };
        let frames = self.stacks.frames(self.stack).filter(|frame| frame.function == function);
        let bases: Vec<usize> = frames.map(|frame| frame.slot as usize).collect();
        for base in bases {
            self.forget_bytes(base + object.slot as usize, &object.cells, bytes);
        }
    }

    fn forget_bytes(&mut self, slot: usize, cells: &Cells, bytes: &Option<std::ops::Range<u64>>) {
        for (index, cell) in cells.iter().enumerate() {
            let touched = bytes.as_ref().is_none_or(|bytes| {
                cell.offset < bytes.end && bytes.start < cell.offset + u64::from(cell.size)
            });
            if touched {
                self.vector.set(slot + index, UNKNOWN);
            }
        }
    }

    /// Copies a record (or a string literal into an array).
    pub(super) fn copy(&mut self, target: PlaceIndex, source: PlaceIndex) {
        let places = &self.code.places;
        let size = places[target.0 as usize].size.min(places[source.0 as usize].size);
        let from = self.address(source);
        let Some(to) = self.address(target) else {
            return self.havoc(&self.code.places[target.0 as usize].havoc);
        };
        let Located::Object { slot, tracked, cells, offset } = self.locate(to, size) else {
            self.trapped = true;
            return;
        };
        let values = self.values_for(&cells, offset, size, from);
        for (index, value) in values {
            let code = if self.precision.tracks(tracked + index) {
                self.encode(value, 8 * cells[index].size)
            } else {
                UNKNOWN
            };
            self.vector.set(slot + index, code);
        }
    }

    /// For each cell that overlaps `size` bytes from an offset, what it gets from the memory at `from`.
    pub(super) fn values_for(
        &mut self,
        cells: &Cells,
        offset: u64,
        size: u64,
        from: Option<u64>,
    ) -> Vec<(usize, Value)> {
        let mut values = Vec::new();
        for (index, cell) in cells.iter().enumerate() {
            let length = u64::from(cell.size);
            if cell.offset + length <= offset || cell.offset >= offset + size {
                continue;
            }
            let inside = cell.offset >= offset && cell.offset + length <= offset + size;
            let value = match from {
                Some(from) if inside => self.read(from.wrapping_add(cell.offset - offset), length),
                _ => Value::Unknown,
            };
            values.push((index, value));
        }
        values
    }

    pub(super) fn zero(&mut self, place: PlaceIndex) {
        let size = self.code.places[place.0 as usize].size;
        let Some(address) = self.address(place) else {
            return self.havoc(&self.code.places[place.0 as usize].havoc);
        };
        self.fill(address, size, 0);
    }

    /// Sets bytes to a value.
    pub(super) fn fill(&mut self, address: u64, size: u64, byte: u8) {
        let Located::Object { slot, tracked, cells, offset } = self.locate(address, size) else {
            self.trapped = true;
            return;
        };
        for (index, cell) in cells.iter().enumerate() {
            let length = u64::from(cell.size);
            if cell.offset >= offset && cell.offset + length <= offset + size {
                let bits = u64::from_le_bytes([byte; 8]);
                let known = self.precision.tracks(tracked + index);
                let code = if known { self.encode(Value::Known(bits), 8 * cell.size) } else { UNKNOWN };
                self.vector.set(slot + index, code);
            } else if cell.offset + length > offset && cell.offset < offset + size {
                self.vector.set(slot + index, UNKNOWN);
            }
        }
    }

    pub(super) fn forget_place(&mut self, place: PlaceIndex) {
        let size = self.code.places[place.0 as usize].size;
        match self.address(place) {
            Some(address) => self.write_unknown(address, size),
            None => self.havoc(&self.code.places[place.0 as usize].havoc),
        }
    }

    fn write_unknown(&mut self, address: u64, size: u64) {
        match self.locate(address, size) {
            Located::Object { slot, cells, offset, .. } => {
                self.forget_bytes(slot, &cells, &Some(offset..offset + size));
            }
            _ => self.trapped = true,
        }
    }
}

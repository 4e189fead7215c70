//! Reading and writing what is at a place.

use crate::code::{Base, Content, Node, NodeId, PlaceCode, Scalar, Spot};
use crate::ending::ViolationKind;
use crate::machine::{Machine, Result, Stop};
use crate::memory::{AccessError, Life, ObjectId, ObjectKind};
use cfa::VariableId;

/// A stretch of an object that may be accessed.
#[derive(Clone, Copy, Debug)]
pub struct Stretch {
    pub object: ObjectId,
    pub offset: usize,
    pub size: usize,
}

impl Machine<'_> {
    /// The offset of a place from its base.
    #[inline]
    fn offset(&mut self, code: &PlaceCode) -> Result<u64> {
        let mut offset = code.offset;
        for i in code.first_index..code.first_index + code.index_count {
            let step = self.code.indices[i as usize];
            offset = offset.wrapping_add(self.evaluate(step.index)?.wrapping_mul(step.size));
        }
        Ok(offset)
    }

    #[cold]
    fn check_indices(&mut self, code: &PlaceCode) -> Result<()> {
        for i in code.first_index..code.first_index + code.index_count {
            let step = self.code.indices[i as usize];
            let index = self.evaluate(step.index)?;
            // Where nothing is checked, the count is the largest number.
            if step.count != u64::MAX && index >= step.count {
                let detail = format!("index {} of an array of {}", index as i64, step.count);
                return Err(self.violation(ViolationKind::IndexOutOfRange, detail));
            }
        }
        Ok(())
    }

    /// The object and offset that a place is, if it may be accessed.
    #[inline]
    fn resolve(&mut self, code: &PlaceCode, write: bool) -> Result<(ObjectId, usize)> {
        if self.options.checks.index_range {
            self.check_indices(code)?;
        }
        let offset = self.offset(code)?;
        let object = match code.base {
            Base::Pointer(node) => {
                let pointer = self.evaluate(node)?;
                return self.resolve_pointer(pointer, offset, code.size, write);
            }
            Base::Local(slot, variable) => self.local_object(slot, variable)?,
            Base::Object(object) => object,
        };
        match self.memory.check(object, offset, code.size, write) {
            Ok(offset) => Ok((object, offset)),
            Err(error) => Err(self.refused(error, write)),
        }
    }

    #[inline]
    fn resolve_pointer(
        &mut self,
        pointer: u64,
        offset: u64,
        size: u64,
        write: bool,
    ) -> Result<(ObjectId, usize)> {
        let address = pointer.wrapping_add(offset) & self.address_mask;
        match self.memory.locate(address, size, write) {
            Ok((object, at)) => {
                // The pointer must belong to the object that it was moved into.
                let start = self.memory.object(object).address;
                let moved = pointer.wrapping_sub(start) > self.memory.object(object).size;
                if moved && let Some(owner) = self.memory.find(pointer) {
                    let offset = address.wrapping_sub(self.memory.object(owner).address) as i64;
                    return Err(self.refused(AccessError::OutOfBounds { object: owner, offset, size }, write));
                }
                Ok((object, at))
            }
            Err(error) => Err(self.refused(error, write)),
        }
    }

    /// The object of a local variable; one that was never declared (a jump went past its
    /// declaration) comes to life now.
    #[inline]
    pub fn local_object(&mut self, slot: u32, variable: VariableId) -> Result<ObjectId> {
        match self.slots[self.base + slot as usize] {
            0 => self.declare_object(slot, variable),
            id => Ok(ObjectId(id as u32)),
        }
    }

    pub fn place_stretch(&mut self, spot: Spot, write: bool) -> Result<Stretch> {
        let code = self.code.places[spot.0 as usize];
        let (object, offset) = self.resolve(&code, write)?;
        Ok(Stretch { object, offset, size: code.size as usize })
    }

    /// `size` bytes at an address.
    pub fn stretch(&mut self, address: u64, size: u64, write: bool) -> Result<Stretch> {
        match self.memory.locate(address & self.address_mask, size, write) {
            Ok((object, offset)) => Ok(Stretch { object, offset, size: size as usize }),
            Err(error) => Err(self.refused(error, write)),
        }
    }

    pub fn address(&mut self, spot: Spot) -> Result<u64> {
        let code = self.code.places[spot.0 as usize];
        let offset = self.offset(&code)?;
        let start = match code.base {
            Base::Pointer(node) => self.evaluate(node)?,
            Base::Local(slot, variable) => {
                let object = self.local_object(slot, variable)?;
                self.memory.object(object).address
            }
            Base::Object(object) => self.memory.object(object).address,
        };
        Ok(start.wrapping_add(offset) & self.address_mask)
    }

    #[inline]
    pub fn load(&mut self, spot: Spot) -> Result<u64> {
        let code = self.code.places[spot.0 as usize];
        let (object, offset) = self.resolve(&code, false)?;
        let size = code.size as usize;
        if !code.character && !self.memory.is_written(object, offset, size) {
            return Err(self.uninitialised(object, offset));
        }
        Ok(match code.content {
            Content::Scalar(scalar) => scalar.canonical(self.memory.load(object, offset, size)),
            Content::Bits { start, width, scalar } => {
                let bits = self.memory.load_wide(object, offset, size);
                extract(bits, start, width, scalar)
            }
            Content::Aggregate => 0,
        })
    }

    pub fn load_wide(&mut self, spot: Spot) -> Result<u128> {
        let Stretch { object, offset, size } = self.place_stretch(spot, false)?;
        if !self.memory.is_written(object, offset, size) {
            return Err(self.uninitialised(object, offset));
        }
        Ok(self.memory.load_wide(object, offset, size.min(16)))
    }

    /// Evaluates a scalar and writes it to a place.
    #[inline]
    pub fn store(&mut self, spot: Spot, value: NodeId) -> Result<()> {
        match self.code.places[spot.0 as usize].content {
            Content::Scalar(scalar) if scalar.is_wide() => {
                let value = self.evaluate_wide(value)?;
                self.store_bits(spot, value)
            }
            _ => {
                let value = self.evaluate(value)?;
                self.store_narrow(spot, value)
            }
        }
    }

    #[inline]
    pub fn store_narrow(&mut self, spot: Spot, value: u64) -> Result<()> {
        let code = self.code.places[spot.0 as usize];
        let (object, offset) = self.resolve(&code, true)?;
        match code.content {
            Content::Scalar(_) => self.memory.store(object, offset, code.size as usize, value),
            Content::Bits { start, width, .. } => {
                let size = code.size as usize;
                let old = self.memory.load_wide(object, offset, size);
                self.memory.store_wide(object, offset, size, insert(old, start, width, value));
            }
            Content::Aggregate => {}
        }
        Ok(())
    }

    /// Writes a scalar of any class, given by its bits.
    pub fn store_bits(&mut self, spot: Spot, bits: u128) -> Result<()> {
        let Stretch { object, offset, size } = match self.code.places[spot.0 as usize].content {
            Content::Scalar(scalar) if scalar.is_wide() => self.place_stretch(spot, true)?,
            _ => return self.store_narrow(spot, bits as u64),
        };
        self.memory.store_wide(object, offset, size.min(16), bits);
        Ok(())
    }

    /// Where the value of a record expression is.
    pub fn aggregate(&mut self, node: NodeId) -> Result<Stretch> {
        match self.code.nodes[node.0 as usize] {
            Node::Aggregate(spot) => self.place_stretch(spot, false),
            Node::Conditional(condition, then, otherwise) => {
                let chosen = if self.evaluate(condition)? != 0 { then } else { otherwise };
                self.aggregate(chosen)
            }
            Node::Unsupported(message) => {
                let message = self.code.messages[message as usize];
                Err(self.unsupported(message))
            }
            _ => Err(self.unsupported("a number where a record is due")),
        }
    }

    /// Assigns a record, or a string literal to an array that may be longer.
    pub fn copy_aggregate(&mut self, spot: Spot, value: NodeId) -> Result<()> {
        let source = self.aggregate(value)?;
        let target = self.place_stretch(spot, true)?;
        let size = source.size.min(target.size);
        self.memory.copy((source.object, source.offset), (target.object, target.offset), size);
        Ok(())
    }

    #[cold]
    fn uninitialised(&self, object: ObjectId, offset: usize) -> Stop {
        let detail = format!("{} is read before it is written", self.name_of(object, offset as i64));
        self.violation(ViolationKind::UninitialisedUse, detail)
    }

    /// Turns a refused access into the end of the run.
    #[cold]
    pub fn refused(&self, error: AccessError, write: bool) -> Stop {
        let access = if write { "write" } else { "read" };
        let detail = match error {
            AccessError::Null(0) => format!("{access} through a null pointer"),
            AccessError::Null(address) => format!("{access} at address {address}, from a null pointer"),
            AccessError::Wild(address) => format!("{access} at {address:#x}, where nothing is"),
            AccessError::OutOfBounds { object, offset, size } => self.outside(access, size, object, offset),
            AccessError::Dead(object) => {
                format!("{access} of {}, {}", self.name_of(object, 0), self.fate(object))
            }
            AccessError::ReadOnly(object) => format!("write to {}", self.name_of(object, 0)),
            AccessError::Function(object) => format!("{access} of the code of {}", self.name_of(object, 0)),
            AccessError::Incomplete(object) => {
                let name = self.name_of(object, 0);
                return self.unsupported(format!("{access} of {name}, whose size is not known"));
            }
        };
        self.violation(ViolationKind::InvalidDereference, detail)
    }

    fn outside(&self, access: &str, size: u64, id: ObjectId, offset: i64) -> String {
        let object = self.memory.object(id);
        let name = self.name_of(id, 0);
        let bytes = if size == 1 { "1 byte".into() } else { format!("{size} bytes") };
        match object.life {
            Life::Alive => {
                format!("{access} of {bytes} at offset {offset} of {name}, which has {}", object.size)
            }
            _ => format!("{access} of {bytes} at offset {offset} of {name}, {}", self.fate(id)),
        }
    }

    fn fate(&self, id: ObjectId) -> &'static str {
        match self.memory.object(id).life {
            Life::Alive => "which is alive",
            Life::Freed => "which has been freed",
            Life::Returned => "whose function has returned",
            Life::Redeclared | Life::BlockLeft => "whose block has been left",
        }
    }

    /// An object in terms of the program.
    pub fn name_of(&self, id: ObjectId, offset: i64) -> String {
        let program = self.program;
        let name = match self.memory.object(id).kind {
            ObjectKind::Global(variable) | ObjectKind::Incomplete(variable) | ObjectKind::Local(variable) => {
                program.name(program.variables[variable].name).to_string()
            }
            ObjectKind::Alloca => "alloca memory".into(),
            ObjectKind::Heap(number) => format!("heap object #{number}"),
            ObjectKind::String(_) => "a string literal".into(),
            ObjectKind::Function(function) => program.function_name(function).to_string(),
            ObjectKind::Table => "a table of the C library".into(),
            ObjectKind::Outside => "memory from outside".into(),
        };
        if offset == 0 { name } else { format!("{name} at offset {offset}") }
    }
}

/// The value of a bit-field.
pub fn extract(bits: u128, start: u32, width: u32, scalar: Scalar) -> u64 {
    let unused = 128 - width;
    let top = (bits >> start) << unused;
    let signed = matches!(scalar, Scalar::Int(shape) if shape.signed);
    if signed { ((top as i128) >> unused) as u64 } else { (top >> unused) as u64 }
}

/// `old` with the bit-field replaced.
pub fn insert(old: u128, start: u32, width: u32, value: u64) -> u128 {
    let mask = (u128::MAX >> (128 - width)) << start;
    (old & !mask) | ((u128::from(value) << start) & mask)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::integers::Shape;

    #[test]
    fn bit_fields_keep_their_neighbours() {
        let signed = Scalar::Int(Shape { width: 32, signed: true });
        let unsigned = Scalar::Int(Shape { width: 32, signed: false });
        let all = u128::MAX;
        assert_eq!(insert(all, 3, 5, 0), all ^ (0b11111 << 3));
        assert_eq!(insert(0, 7, 64, u64::MAX), u128::from(u64::MAX) << 7);
        let stored = insert(0, 6, 5, (-3i64) as u64);
        assert_eq!(extract(stored, 6, 5, signed) as i64, -3);
        assert_eq!(extract(stored, 6, 5, unsigned), 29);
    }
}

//! Edges that are too rare to have an [`Action`](crate::code::Action) of their own, and the end of
//! the run.

use crate::call::Datum;
use crate::code::{Home, ResultCode, Scalar};
use crate::decode;
use crate::ending::Ending;
use crate::machine::{Machine, Result, Returned};
use crate::memory::{Life, ObjectId, ObjectKind};
use cfa::{EdgeId, EdgeKind, FunctionId, PlaceId, VariableId};

impl Machine<'_> {
    pub fn edge(&mut self, id: EdgeId) -> Result<()> {
        let edge = self.program.edges[id];
        match edge.kind {
            EdgeKind::Zero { target } => self.zero(target)?,
            EdgeKind::Declare { variable } => self.declare(variable)?,
            EdgeKind::DeclareVla { variable, size } => self.declare_vla(variable, size)?,
            EdgeKind::EndOfLife { variable } => self.end_of_life(variable),
            EdgeKind::Input { target, function } => self.input_edge(target, function)?,
            EdgeKind::VaStart { list } => self.va_start(list)?,
            EdgeKind::VaEnd { list } => self.va_end(list)?,
            EdgeKind::VaCopy { target, list } => self.va_copy(target, list)?,
            EdgeKind::VaArg { target, list } => {
                let argument = self.va_arg(list)?;
                let value = match argument.value {
                    Datum::Bits(bits) => Returned::Wide(bits),
                    Datum::Bytes(bytes) => Returned::Bytes(bytes),
                };
                self.assign_place(target, value)?;
            }
            EdgeKind::Unsupported(message) | EdgeKind::Approximate(message) => {
                return Err(self.unsupported(message));
            }
            EdgeKind::Skip
            | EdgeKind::Assume { .. }
            | EdgeKind::Assign { .. }
            | EdgeKind::Call(_)
            | EdgeKind::Return { .. } => return Err(self.unsupported("an edge in the wrong place")),
        }
        self.went(id, edge.to.0);
        Ok(())
    }

    fn assign_place(&mut self, place: PlaceId, value: Returned) -> Result<()> {
        let target = self.decoder().result(place);
        self.assign(target, value)
    }

    fn zero(&mut self, target: PlaceId) -> Result<()> {
        match self.decoder().result(target) {
            ResultCode::Memory(spot) => {
                if Scalar::of(&self.program.types, self.program.places[target].ty).is_some() {
                    return self.store_bits(spot, 0);
                }
                let at = self.place_stretch(spot, true)?;
                let size = self.zero_size(target, at.object, at.size);
                self.memory.bytes_mut(at.object, at.offset, size).fill(0);
                Ok(())
            }
            target => self.assign(target, Returned::Narrow(0)),
        }
    }

    /// A variable whose type has no size (a variable-length array) is zeroed as a whole.
    fn zero_size(&self, target: PlaceId, object: ObjectId, size: usize) -> usize {
        let whole = self.program.as_variable(target).is_some();
        if size == 0 && whole { self.memory.object(object).data.len() } else { size }
    }

    /// A local comes to life, with any value.
    pub fn declare(&mut self, variable: VariableId) -> Result<()> {
        let scalar = Scalar::of(&self.program.types, self.program.variables[variable].ty);
        match (self.code.homes[variable.0 as usize], scalar) {
            (Home::Slot(slot), Some(scalar)) => {
                let bits = self.unknown_bits(scalar.bytes())?;
                let index = self.base + slot as usize;
                self.slots[index] = scalar.canonical(bits as u64);
            }
            (Home::WideSlot(slot), Some(scalar)) => {
                let bits = self.unknown_bits(scalar.bytes())?;
                self.set_wide_slot(slot, bits);
            }
            (Home::Memory(slot), _) => {
                self.declare_object(slot, variable)?;
            }
            _ => {}
        }
        Ok(())
    }

    /// The object of a local. A jump back to its declaration, from the same block, leaves it what it is; only its
    /// contents are unknown again.
    pub fn declare_object(&mut self, slot: u32, variable: VariableId) -> Result<ObjectId> {
        let before = ObjectId(self.slots[self.base + slot as usize] as u32);
        if before != ObjectId::NONE {
            self.make_unknown(before)?;
            return Ok(before);
        }
        let size = self.program.types.size_of(self.program.variables[variable].ty).unwrap_or(0);
        self.local(slot, variable, size)
    }

    fn local(&mut self, slot: u32, variable: VariableId, size: u64) -> Result<ObjectId> {
        let alignment = decode::alignment(self.program, variable);
        let object = self.allocate(ObjectKind::Local(variable), size, alignment)?;
        self.slots[self.base + slot as usize] = u64::from(object.0);
        Ok(object)
    }

    /// The block of a local is left. It may not be alive, as in `if (c) goto after; int x; after:`.
    fn end_of_life(&mut self, variable: VariableId) {
        match self.code.homes[variable.0 as usize] {
            Home::Memory(slot) => match std::mem::take(&mut self.slots[self.base + slot as usize]) {
                0 => {}
                id => self.memory.kill(ObjectId(id as u32), Life::BlockLeft),
            },
            Home::Slot(slot) => self.slots[self.base + slot as usize] = 0,
            _ => {}
        }
    }

    fn declare_vla(&mut self, variable: VariableId, size: cfa::ExprId) -> Result<()> {
        let node = self.decoder().narrow_index(size);
        let size = self.evaluate(node)?;
        match self.code.homes[variable.0 as usize] {
            Home::Memory(slot) => {
                // What it was before ends with the jump back to its declaration.
                let before = ObjectId(self.slots[self.base + slot as usize] as u32);
                if before != ObjectId::NONE {
                    self.memory.kill(before, Life::Redeclared);
                }
                self.local(slot, variable, size).map(|_| ())
            }
            _ => Err(self.unsupported("a variable-length array without memory")),
        }
    }

    fn input_edge(&mut self, target: PlaceId, function: Option<FunctionId>) -> Result<()> {
        if function.is_none()
            && let Some(variable) = self.program.as_variable(target)
            && let Some(stream) = self.standard_stream(variable)?
        {
            return self.assign_place(target, Returned::Narrow(stream));
        }
        if let Some(value) = self.main_argument(target)? {
            return self.assign_place(target, Returned::Narrow(value));
        }
        let value = self.input(self.program.places[target].ty, function)?;
        self.assign_place(target, value)
    }

    /// The pointer that `stdin`, `stdout` or `stderr` is: no input, but memory of its own.
    fn standard_stream(&mut self, variable: VariableId) -> Result<Option<u64>> {
        if !self.program.is_standard_stream(variable) {
            return Ok(None);
        }
        let object = self.allocate(ObjectKind::Outside, 256, 16)?;
        let address = self.memory.object(object).address;
        if self.program.name(self.program.variables[variable].name) == "stderr" {
            self.error_stream = Some(address);
        }
        Ok(Some(address))
    }

    /// The run is over, unless memory has leaked.
    pub fn exit(&mut self, status: i32) -> Result<Ending> {
        self.check_leaks()?;
        Ok(Ending::Exit(status))
    }
}

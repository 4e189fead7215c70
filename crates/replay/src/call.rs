//! Calls: arguments, frames, results.
//!
//! A C call is a push on a vector of frames, never a call of the interpreter itself, so that
//! recursion may be as deep as memory allows. Arguments that do not match the parameters are
//! tolerated as on the real machine: bits are cut or extended, missing ones hold anything.

use crate::code::{ArgumentCode, CalleeCode, FunctionCode, Home, NodeId, ParameterCode, ResultCode, Scalar};
use crate::ending::{Ending, ViolationKind};
use crate::inputs::{Contents, InputKind, InputValue, Outside, Piece, Request};
use crate::machine::{Machine, Result, Returned};
use crate::memory::{Life, ObjectId, ObjectKind};
use crate::observe::Interest;
use crate::options::WhenExhausted;
use cfa::FunctionId;
use sema::types::{Type, TypeId};
use std::rc::Rc;

pub struct Frame {
    pub function: FunctionId,
    code: Rc<FunctionCode>,
    /// Where the slots of the caller start.
    pub callers_base: usize,
    back: Back,
    /// How many `alloca` objects there were before.
    allocas: usize,
    /// Arguments after the named ones.
    pub variadic: Option<Rc<[Argument]>>,
}

/// Where a function returns to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Back {
    /// The location of the call.
    pub from: u32,
    pub to: u32,
    pub result: ResultCode,
}

/// A value that is passed.
#[derive(Clone, PartialEq, Debug)]
pub struct Argument {
    pub ty: TypeId,
    pub scalar: Option<Scalar>,
    pub value: Datum,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Datum {
    /// Bits of a scalar; narrow integers in canonical form.
    Bits(u128),
    Bytes(Vec<u8>),
}

impl Argument {
    pub fn bits(&self) -> u128 {
        match &self.value {
            Datum::Bits(bits) => *bits,
            Datum::Bytes(bytes) => {
                let mut low = [0; 16];
                let size = bytes.len().min(16);
                low[..size].copy_from_slice(&bytes[..size]);
                u128::from_le_bytes(low)
            }
        }
    }

    fn bytes(&self) -> Vec<u8> {
        match &self.value {
            Datum::Bits(bits) => bits.to_le_bytes().to_vec(),
            Datum::Bytes(bytes) => bytes.clone(),
        }
    }
}

impl Machine<'_> {
    pub fn call(&mut self, call: u32, to: u32) -> Result<()> {
        let function = match self.code.calls[call as usize].callee {
            CalleeCode::Direct(function) => function,
            CalleeCode::Indirect(pointer) => {
                let address = self.evaluate(pointer)?;
                self.function_at(address)?
            }
        };
        if self.is_error[function.0 as usize] {
            let name = self.program.function_name(function).into();
            return Err(Box::new(Ending::ErrorCall { function, name, span: self.span() }));
        }
        let back = Back { from: self.location, to, result: self.code.calls[call as usize].result };
        let Some(code) = self.function(function) else {
            let arguments = self.arguments(call)?;
            return self.call_undefined(function, arguments, back);
        };
        if self.interest != Interest::Nothing {
            let arguments = self.arguments(call)?;
            self.observe_call(function, &arguments);
        }
        if code.simple && !code.variadic && self.all_narrow(call, code.parameters.len()) {
            return self.enter_simple(call, function, code, back);
        }
        let arguments = self.arguments(call)?;
        self.push_frame(function, code, arguments, back)
    }

    fn all_narrow(&self, call: u32, count: usize) -> bool {
        let arguments = &self.code.calls[call as usize].arguments;
        arguments.len() == count && arguments.iter().all(|a| a.scalar.is_some_and(|s| !s.is_wide()))
    }

    /// All parameters are slots from 0 on: their values are evaluated to where they belong.
    fn enter_simple(
        &mut self,
        call: u32,
        function: FunctionId,
        code: Rc<FunctionCode>,
        back: Back,
    ) -> Result<()> {
        let base = self.slots.len();
        self.slots.resize(base + code.frame_size as usize, 0);
        for (index, parameter) in code.parameters.iter().enumerate() {
            let argument = self.code.calls[call as usize].arguments[index];
            let value = self.evaluate(argument.node)?;
            self.slots[base + index] = parameter.scalar.map_or(value, |scalar| scalar.canonical(value));
        }
        self.push(function, code, base, None, back)
    }

    fn push(
        &mut self,
        function: FunctionId,
        code: Rc<FunctionCode>,
        base: usize,
        variadic: Option<Rc<[Argument]>>,
        back: Back,
    ) -> Result<()> {
        if self.frames.len() as u64 >= self.options.depth_limit {
            return Err(Box::new(Ending::StackOverflow(self.span())));
        }
        self.location = code.entry;
        let allocas = self.allocas.len();
        self.frames.push(Frame { function, code, callers_base: self.base, back, allocas, variadic });
        self.base = base;
        self.steps.calls += 1;
        self.steps.deepest_stack = self.steps.deepest_stack.max(self.frames.len() as u64);
        Ok(())
    }

    /// Enters a function that nobody in the program calls, and returns to nowhere.
    pub fn enter(&mut self, function: FunctionId, arguments: Vec<Argument>) -> Result<()> {
        let back = Back { from: self.location, to: self.location, result: ResultCode::Nowhere };
        match self.function(function) {
            Some(code) => self.push_frame(function, code, arguments, back),
            None => Err(self.unsupported("a function without a body is entered")),
        }
    }

    fn push_frame(
        &mut self,
        function: FunctionId,
        code: Rc<FunctionCode>,
        arguments: Vec<Argument>,
        back: Back,
    ) -> Result<()> {
        let base = self.slots.len();
        self.slots.resize(base + code.frame_size as usize, 0);
        let named = code.parameters.len().min(arguments.len());
        let variadic = (code.variadic || arguments.len() > named).then(|| arguments[named..].into());
        self.push(function, code.clone(), base, variadic, back)?;
        let mut arguments = arguments.into_iter();
        for parameter in &code.parameters {
            match arguments.next() {
                Some(argument) => self.pass(parameter, &argument)?,
                None => self.declare(parameter.variable)?,
            }
        }
        Ok(())
    }

    fn pass(&mut self, parameter: &ParameterCode, argument: &Argument) -> Result<()> {
        let bits = parameter.scalar.map_or(0, |scalar| scalar.canonical_wide(argument.bits()));
        match parameter.home {
            Home::Slot(slot) => {
                let index = self.base + slot as usize;
                self.slots[index] = bits as u64;
            }
            Home::WideSlot(slot) => self.set_wide_slot(slot, bits),
            Home::Memory(slot) => {
                let object = self.declare_object(slot, parameter.variable)?;
                let bytes = argument.bytes();
                let room = self.memory.object(object).data.len();
                let size = parameter.scalar.map_or(room, Scalar::bytes).min(bytes.len()).min(room);
                self.memory.bytes_mut(object, 0, size).copy_from_slice(&bytes[..size]);
            }
            Home::Unknown | Home::Global(_) | Home::WideGlobal(_) | Home::Object(_) => {}
        }
        Ok(())
    }

    pub fn arguments(&mut self, call: u32) -> Result<Vec<Argument>> {
        let count = self.code.calls[call as usize].arguments.len();
        let mut arguments = Vec::with_capacity(count);
        for index in 0..count {
            let ArgumentCode { node, ty, scalar } = self.code.calls[call as usize].arguments[index];
            let value = match scalar {
                Some(scalar) => Datum::Bits(self.evaluate_any(scalar, node)?),
                None => Datum::Bytes(self.aggregate_bytes(node)?),
            };
            arguments.push(Argument { ty, scalar, value });
        }
        Ok(arguments)
    }

    fn aggregate_bytes(&mut self, node: NodeId) -> Result<Vec<u8>> {
        let from = self.aggregate(node)?;
        Ok(self.memory.bytes(from.object, from.offset, from.size).to_vec())
    }

    /// The function that a pointer points to.
    pub fn function_at(&mut self, address: u64) -> Result<FunctionId> {
        let object = self.memory.find(address);
        match object.map(|id| (self.memory.object(id).kind, self.memory.object(id).address)) {
            Some((ObjectKind::Function(function), start)) if start == address => Ok(function),
            _ if address == 0 => {
                Err(self.violation(ViolationKind::InvalidDereference, "call through a null pointer"))
            }
            _ => {
                let detail = format!("call of {address:#x}, where no function is");
                Err(self.violation(ViolationKind::InvalidDereference, detail))
            }
        }
    }

    /// Evaluates what the function returns, and ends its frame.
    pub fn leave(&mut self, value: NodeId) -> Result<Back> {
        self.returned = self.return_value(value)?;
        let Some(frame) = self.frames.pop() else {
            return Err(self.unsupported("a return from nowhere"));
        };
        if self.interest != Interest::Nothing {
            self.observe_return(frame.function);
        }
        for &slot in &frame.code.memory_slots {
            match self.slots[self.base + slot as usize] {
                0 => {}
                id => self.memory.kill(ObjectId(id as u32), Life::Returned),
            }
        }
        for object in self.allocas.drain(frame.allocas..) {
            self.memory.kill(object, Life::Returned);
        }
        self.slots.truncate(self.base);
        self.base = frame.callers_base;
        self.location = frame.back.from;
        if self.frames.len() == 1 && Some(frame.function) == self.program.main {
            let status = match self.returned {
                Returned::Narrow(value) => value as i32,
                _ => 0,
            };
            return Err(Box::new(self.exit(status)?));
        }
        Ok(frame.back)
    }

    fn return_value(&mut self, value: NodeId) -> Result<Returned> {
        if value == NodeId::NONE {
            return Ok(Returned::Nothing);
        }
        Ok(match self.frames.last().and_then(|frame| frame.code.result) {
            Some(scalar) if scalar.is_wide() => Returned::Wide(self.evaluate_wide(value)?),
            Some(_) => Returned::Narrow(self.evaluate(value)?),
            None => Returned::Bytes(self.aggregate_bytes(value)?),
        })
    }

    /// Goes on after a call, with what was returned.
    pub fn resume(&mut self, back: Back) -> Result<()> {
        if back.result != ResultCode::Nowhere {
            let returned = std::mem::take(&mut self.returned);
            self.assign(back.result, returned)?;
        }
        if self.interest != Interest::Nothing {
            self.observe_result();
        }
        self.location = back.to;
        Ok(())
    }

    /// Gives a value to what takes the result of a call. `Nothing` is any value.
    pub fn assign(&mut self, target: ResultCode, value: Returned) -> Result<()> {
        let bits = match &value {
            Returned::Narrow(bits) => u128::from(*bits),
            Returned::Wide(bits) => *bits,
            Returned::Nothing => self.unknown_bits(16)?,
            Returned::Bytes(bytes) => {
                if let ResultCode::Memory(spot) = target {
                    let to = self.place_stretch(spot, true)?;
                    let size = to.size.min(bytes.len());
                    self.memory.bytes_mut(to.object, to.offset, size).copy_from_slice(&bytes[..size]);
                }
                return Ok(());
            }
        };
        match target {
            ResultCode::Nowhere => {}
            ResultCode::Slot(slot, scalar) => {
                let index = self.base + slot as usize;
                self.slots[index] = scalar.canonical(bits as u64);
            }
            ResultCode::Global(slot, scalar) => self.globals[slot as usize] = scalar.canonical(bits as u64),
            ResultCode::WideSlot(slot) => self.set_wide_slot(slot, bits),
            ResultCode::WideGlobal(slot) => self.set_wide_global(slot, bits),
            ResultCode::Memory(_) if value == Returned::Nothing => {}
            ResultCode::Memory(spot) => self.store_bits(spot, bits)?,
        }
        Ok(())
    }

    /// The content of a variable that was not written.
    pub fn unknown_bits(&mut self, size: usize) -> Result<u128> {
        let contents = self.inputs.fresh(self.edge_id(), size as u64);
        match contents.pieces.into_iter().rfind(|&(offset, _)| offset == 0) {
            None => Ok(0),
            Some((_, Piece::Bits { bits, .. })) => Ok(bits),
            Some((_, Piece::Pointer(outside))) => self.make_outside(outside),
        }
    }

    /// Makes memory of the environment; its address.
    fn make_outside(&mut self, outside: Outside) -> Result<u128> {
        let object = self.allocate_object(ObjectKind::Outside, outside.size, 16)?;
        self.fill(object, outside.contents)?;
        Ok(u128::from(self.memory.object(object).address))
    }

    /// Memory inside memory is made in a loop: pointers may go deep.
    fn fill(&mut self, object: ObjectId, contents: Contents) -> Result<()> {
        let mut open = vec![(object, contents)];
        while let Some((object, contents)) = open.pop() {
            for (offset, piece) in contents.pieces {
                let value = self.piece(piece, &mut open)?;
                put(self.memory.raw_mut(object), offset, value);
            }
        }
        Ok(())
    }

    /// The size and the bits of a piece; memory that it points to is made, and is still to be filled.
    fn piece(&mut self, piece: Piece, open: &mut Vec<(ObjectId, Contents)>) -> Result<(usize, u128)> {
        Ok(match piece {
            Piece::Bits { size, bits } => (size as usize, bits),
            Piece::Pointer(outside) => {
                let inner = self.allocate_object(ObjectKind::Outside, outside.size, 16)?;
                open.push((inner, outside.contents));
                let address = u128::from(self.memory.object(inner).address);
                (self.program.types.pointer_size() as usize, address)
            }
        })
    }

    fn bytes_of(&mut self, contents: Contents, size: u64) -> Result<Vec<u8>> {
        let mut bytes = vec![0; size as usize];
        let mut open = Vec::new();
        for (offset, piece) in contents.pieces {
            let value = self.piece(piece, &mut open)?;
            put(&mut bytes, offset, value);
        }
        open.into_iter().try_for_each(|(object, contents)| self.fill(object, contents))?;
        Ok(bytes)
    }

    /// A function without a body: of the C library, or from outside.
    fn call_undefined(&mut self, function: FunctionId, arguments: Vec<Argument>, back: Back) -> Result<()> {
        self.steps.library_calls += 1;
        if self.interest != Interest::Nothing {
            self.observe_call(function, &arguments);
        }
        self.returned = match self.program.functions[function].library {
            Some(library) => self.library(library, &arguments)?,
            None => self.outside_function(function, &arguments)?,
        };
        self.resume(back)
    }

    /// An undefined function that the table of the library does not have.
    fn outside_function(&mut self, function: FunctionId, arguments: &[Argument]) -> Result<Returned> {
        let program = self.program;
        if let Some(result) = self.fixed_function(program.function_name(function), arguments)? {
            return Ok(result);
        }
        match *program.types.get(program.functions[function].ty) {
            Type::Function { result, .. } => self.input(result, Some(function)),
            _ => Ok(Returned::Nothing),
        }
    }

    /// A value from outside, of any type; records byte by byte.
    pub fn input(&mut self, ty: TypeId, function: Option<FunctionId>) -> Result<Returned> {
        let types = &self.program.types;
        if matches!(types.get(ty), Type::Void) {
            return Ok(Returned::Nothing);
        }
        let Some(scalar) = Scalar::of(types, ty) else {
            let size = types.size_of(ty).unwrap_or(0);
            return self.aggregate_input(size, function).map(Returned::Bytes);
        };
        let bits = self.input_bits(ty, function)?;
        Ok(if scalar.is_wide() {
            Returned::Wide(scalar.canonical_wide(bits))
        } else {
            Returned::Narrow(scalar.canonical(bits as u64))
        })
    }

    fn aggregate_input(&mut self, size: u64, function: Option<FunctionId>) -> Result<Vec<u8>> {
        match self.inputs.whole(self.edge_id()) {
            Some(contents) => self.bytes_of(contents, size),
            None => (0..size).map(|_| Ok(self.input_bits(TypeId::UNSIGNED_CHAR, function)? as u8)).collect(),
        }
    }

    fn input_bits(&mut self, ty: TypeId, function: Option<FunctionId>) -> Result<u128> {
        let program = self.program;
        let kind = input_kind(program, ty);
        let name = function.map(|function| program.function_name(function));
        let request = Request { ty, kind, function: name, span: self.span() };
        self.steps.inputs += 1;
        let bits = match (self.inputs.next(&request), self.options.when_exhausted) {
            (Some(InputValue::Bits(bits)), _) if kind == InputKind::Bool => u128::from(bits & 1 != 0),
            (Some(InputValue::Bits(bits)), _) => bits,
            (Some(InputValue::Memory(outside)), _) => self.make_outside(outside)?,
            (None, WhenExhausted::Zero) => 0,
            (None, WhenExhausted::Stop) => {
                return Err(Box::new(Ending::InputsExhausted(self.span())));
            }
        };
        if self.interest != Interest::Nothing {
            self.observe_input(ty, name, bits);
        }
        Ok(bits)
    }

    /// Memory whose content is unknown.
    pub fn allocate(&mut self, kind: ObjectKind, size: u64, alignment: u64) -> Result<ObjectId> {
        let object = self.allocate_object(kind, size, alignment)?;
        self.fill_with_inputs(object, size)?;
        Ok(object)
    }

    /// The contents of an object are unknown again.
    pub fn make_unknown(&mut self, object: ObjectId) -> Result<()> {
        self.memory.clear(object);
        self.fill_with_inputs(object, self.memory.object(object).size)
    }

    fn fill_with_inputs(&mut self, object: ObjectId, size: u64) -> Result<()> {
        let contents = self.inputs.fresh(self.edge_id(), size);
        self.fill(object, contents)
    }

    /// Memory that has been written: with zeros.
    pub fn allocate_zeros(&mut self, kind: ObjectKind, size: u64, alignment: u64) -> Result<ObjectId> {
        let object = self.allocate_object(kind, size, alignment)?;
        self.memory.bytes_mut(object, 0, size as usize);
        Ok(object)
    }

    fn allocate_object(&mut self, kind: ObjectKind, size: u64, alignment: u64) -> Result<ObjectId> {
        let object = self.memory.allocate(kind, size, alignment);
        object.map_err(|_| self.out_of_memory())
    }
}

/// What does not fit is cut off.
fn put(bytes: &mut [u8], offset: u64, (size, bits): (usize, u128)) {
    let start = (offset as usize).min(bytes.len());
    let size = size.min(16).min(bytes.len() - start);
    bytes[start..start + size].copy_from_slice(&bits.to_le_bytes()[..size]);
}

fn input_kind(program: &cfa::Program, ty: TypeId) -> InputKind {
    let types = &program.types;
    match *types.get(ty) {
        Type::Bool => InputKind::Bool,
        Type::Float(format) => InputKind::Float(format),
        Type::Pointer(target) => InputKind::Pointer(types.size_of(target)),
        _ => match types.int_shape(ty) {
            Some(shape) => InputKind::Integer { width: shape.width, signed: shape.signed },
            None => InputKind::Integer { width: 32, signed: true },
        },
    }
}

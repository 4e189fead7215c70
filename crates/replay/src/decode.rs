//! From the control-flow automaton to [`Code`], one function at a time.

mod expression;
mod place;

use crate::code::*;
use crate::memory::{Memory, ObjectId, ObjectKind, OutOfMemory};
use crate::options::Checks;
use cfa::{Callee, Edge, EdgeKind, FunctionId, LocationId, Program, VariableId, VariableKind};
use sema::types::{Type, TypeId};
use std::rc::Rc;

pub struct Decoder<'a> {
    pub program: &'a Program,
    pub code: &'a mut Code,
    pub memory: &'a mut Memory,
    pub checks: Checks,
    /// Address of each function.
    pub function_addresses: &'a [u64],
}

/// The address that `&&label` stands for.
pub fn label_address(program: &Program, label: u32) -> u64 {
    let base = if program.types.pointer_size() == 4 { 0x0800_0000 } else { 0x5555_0000_0000 };
    base + 16 * u64::from(label)
}

/// Gives variables with static storage their homes. Returns how many global slots there are.
pub fn place_globals(
    program: &Program,
    code: &mut Code,
    memory: &mut Memory,
    checks: Checks,
) -> Result<u32, OutOfMemory> {
    code.homes = vec![Home::Unknown; program.variables.len()];
    code.actions = vec![Action::NotDecoded; program.locations.len()];
    code.node_of = vec![NodeId::NONE; program.exprs.len()];
    code.spot_of = vec![Spot::NONE; program.places.len()];
    code.functions = vec![None; program.functions.len()];
    code.string_objects = vec![ObjectId::NONE; program.strings.len()];
    let mut slots = 0;
    for (id, variable) in program.variables.enumerated() {
        if !variable.kind.is_global() {
            continue;
        }
        code.homes[id.0 as usize] = match register_class(program, id, checks) {
            Some(scalar) if scalar.is_wide() => {
                slots += 2;
                Home::WideGlobal(slots - 2)
            }
            Some(_) => {
                slots += 1;
                Home::Global(slots - 1)
            }
            None => Home::Object(allocate_global(program, memory, id)?),
        };
    }
    Ok(slots)
}

fn allocate_global(program: &Program, memory: &mut Memory, id: VariableId) -> Result<ObjectId, OutOfMemory> {
    let variable = &program.variables[id];
    let (kind, size) = match program.types.size_of(variable.ty) {
        Some(size) => (ObjectKind::Global(id), size),
        // A tentative `int a[];` is one element; elsewhere nothing is known.
        None => match (variable.kind, program.types.get(variable.ty)) {
            (VariableKind::Global, Type::Array { element, .. }) => {
                (ObjectKind::Global(id), program.types.size_of(*element).unwrap_or(0))
            }
            _ => (ObjectKind::Incomplete(id), 0),
        },
    };
    memory.allocate(kind, size, alignment(program, id))
}

pub fn alignment(program: &Program, id: VariableId) -> u64 {
    let variable = &program.variables[id];
    let natural = program.types.align_of(variable.ty).unwrap_or(1);
    natural.max(variable.alignment.unwrap_or(1)).checked_next_power_of_two().unwrap_or(1).min(1 << 20)
}

/// How a variable that needs no memory is held in slots.
fn register_class(program: &Program, id: VariableId, checks: Checks) -> Option<Scalar> {
    let variable = &program.variables[id];
    if variable.address_taken || checks.uninitialised_use {
        return None;
    }
    Scalar::of(&program.types, variable.ty)
}

impl Decoder<'_> {
    /// Decodes a function with a body, if that has not been done before.
    pub fn function(&mut self, id: FunctionId) -> Option<Rc<FunctionCode>> {
        if let Some(code) = &self.code.functions[id.0 as usize] {
            return Some(code.clone());
        }
        let program = self.program;
        let function = &program.functions[id];
        let body = function.body.as_ref()?;
        let mut frame = FrameLayout::default();
        for &variable in body.parameters.iter().chain(&body.locals) {
            let class = register_class(program, variable, self.checks);
            self.code.homes[variable.0 as usize] = frame.add(class);
        }
        let parameters: Box<[_]> = body.parameters.iter().map(|&v| self.parameter(v)).collect();
        let narrow = |(index, p): (usize, &ParameterCode)| p.home == Home::Slot(index as u32);
        let simple = parameters.iter().enumerate().all(narrow);
        let (result, variadic) = match *program.types.get(function.ty) {
            Type::Function { result, variadic, .. } => (result, variadic),
            _ => (TypeId::VOID, false),
        };
        for location in body.locations.clone() {
            self.location(LocationId(location));
        }
        let code = Rc::new(FunctionCode {
            entry: body.entry.0,
            frame_size: frame.size,
            memory_slots: frame.memory_slots.into(),
            parameters,
            simple,
            variadic,
            result: Scalar::of(&program.types, result),
        });
        self.code.functions[id.0 as usize] = Some(code.clone());
        Some(code)
    }

    fn parameter(&self, variable: VariableId) -> ParameterCode {
        let ty = self.program.variables[variable].ty;
        ParameterCode {
            home: self.code.homes[variable.0 as usize],
            variable,
            scalar: Scalar::of(&self.program.types, ty),
        }
    }

    fn location(&mut self, location: LocationId) {
        let first = self.program.locations[location].first_edge;
        let action = match *self.program.leaving(location) {
            [] => Action::End,
            [Edge { kind: EdgeKind::Assume { condition, truth }, to, .. }] => {
                Action::Assume { condition: self.condition(condition), truth, to: to.0 }
            }
            [edge] => self.edge(first, edge),
            [
                Edge { kind: EdgeKind::Assume { condition, truth }, to: first, .. },
                Edge { kind: EdgeKind::Assume { condition: same, truth: other }, to: second, .. },
            ] if condition == same && truth != other => {
                let (yes, no) = if truth { (first, second) } else { (second, first) };
                Action::Branch { condition: self.condition(condition), yes: yes.0, no: no.0 }
            }
            _ => Action::Choose,
        };
        self.code.actions[location.0 as usize] = action;
    }

    fn edge(&mut self, id: cfa::EdgeId, edge: Edge) -> Action {
        let to = edge.to.0;
        match edge.kind {
            EdgeKind::Skip => Action::Skip { to },
            EdgeKind::Assign { target, value } => self.assign(target, value, to),
            EdgeKind::Call(call) => {
                let call = self.call(call);
                self.code.calls.push(call);
                Action::Call { call: self.code.calls.len() as u32 - 1, to }
            }
            EdgeKind::Return { value } => {
                Action::Return { value: value.map_or(NodeId::NONE, |value| self.expr(value)) }
            }
            _ => Action::Edge(id),
        }
    }

    fn assign(&mut self, target: cfa::PlaceId, value: cfa::ExprId, to: u32) -> Action {
        let value = self.expr(value);
        let home = self.program.as_variable(target).map(|variable| self.home(variable));
        match home {
            Some(Home::Slot(slot)) => return Action::SetSlot { slot, value, to },
            Some(Home::Global(slot)) => return Action::SetGlobal { slot, value, to },
            Some(Home::WideSlot(slot)) => return Action::SetWideSlot { slot, value, to },
            Some(Home::WideGlobal(slot)) => return Action::SetWideGlobal { slot, value, to },
            Some(Home::Memory(_) | Home::Object(_) | Home::Unknown) | None => {}
        }
        let place = self.spot(target);
        match self.code.places[place.0 as usize].content {
            Content::Aggregate => Action::Copy { place, value, to },
            Content::Scalar(_) | Content::Bits { .. } => Action::Store { place, value, to },
        }
    }

    fn call(&mut self, id: cfa::CallId) -> CallCode {
        let call = self.program.calls[id];
        let callee = match call.callee {
            Callee::Direct(function) => CalleeCode::Direct(function),
            Callee::Indirect(pointer) => CalleeCode::Indirect(self.expr(pointer)),
        };
        let arguments = self.program.expr_lists[call.arguments].iter();
        let arguments = arguments.map(|&argument| self.argument(argument)).collect();
        let result = call.result.map_or(ResultCode::Nowhere, |place| self.result(place));
        CallCode { callee, arguments, result }
    }

    fn argument(&mut self, argument: cfa::ExprId) -> ArgumentCode {
        let ty = self.program.exprs[argument].ty;
        let scalar = Scalar::of(&self.program.types, ty);
        ArgumentCode { node: self.expr(argument), ty, scalar }
    }

    pub fn result(&mut self, place: cfa::PlaceId) -> ResultCode {
        let types = &self.program.types;
        if let Some(variable) = self.program.as_variable(place)
            && let Some(scalar) = Scalar::of(types, self.program.variables[variable].ty)
        {
            match self.home(variable) {
                Home::Slot(slot) => return ResultCode::Slot(slot, scalar),
                Home::WideSlot(slot) => return ResultCode::WideSlot(slot),
                Home::Global(slot) => return ResultCode::Global(slot, scalar),
                Home::WideGlobal(slot) => return ResultCode::WideGlobal(slot),
                Home::Memory(_) | Home::Object(_) | Home::Unknown => {}
            }
        }
        ResultCode::Memory(self.spot(place))
    }

    pub(crate) fn home(&self, variable: VariableId) -> Home {
        self.code.homes[variable.0 as usize]
    }
}

/// Slots of a frame, as they are handed out.
#[derive(Default)]
struct FrameLayout {
    size: u32,
    memory_slots: Vec<u32>,
}

impl FrameLayout {
    fn add(&mut self, class: Option<Scalar>) -> Home {
        let slot = self.size;
        self.size += 1;
        match class {
            Some(scalar) if scalar.is_wide() => {
                self.size += 1;
                Home::WideSlot(slot)
            }
            Some(_) => Home::Slot(slot),
            None => {
                self.memory_slots.push(slot);
                Home::Memory(slot)
            }
        }
    }
}

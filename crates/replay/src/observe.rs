//! What a run tells while it goes on.
//!
//! An observer that is not interested costs one test of a byte for each edge. Values come in C terms:
//! the text is made only for observers that asked.

use crate::call::{Argument, Datum};
use crate::code::{Home, Scalar};
use crate::ending::Ending;
use crate::machine::{Machine, Returned};
use crate::value::Value;
use base::Span;
use cfa::{EdgeId, EdgeKind, FunctionId, PlaceBase, PlaceId, Program, Projection};
use sema::types::{Type, TypeId};

/// Whether an observer wants to see events.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Interest {
    Nothing,
    Everything,
}

/// Where output goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stream {
    Output,
    Error,
}

/// Something that happened.
#[derive(Clone, Debug)]
pub struct Event<'a> {
    pub edge: EdgeId,
    pub function: FunctionId,
    pub span: Span,
    /// How many functions are running.
    pub depth: usize,
    pub happening: Happening<'a>,
}

#[derive(Clone, Debug)]
pub enum Happening<'a> {
    /// An edge was taken that changes nothing that can be told.
    Passed,
    /// A variable or memory was written.
    Assigned {
        target: String,
        value: Value,
    },
    /// One of two assumes was taken.
    Branched {
        truth: bool,
    },
    Called {
        function: FunctionId,
        arguments: Vec<Value>,
    },
    Returned {
        function: FunctionId,
        value: Option<Value>,
    },
    /// A value came from outside; the function whose result it is, if any.
    Input {
        function: Option<&'a str>,
        value: Value,
    },
}

pub trait Observer {
    fn interest(&self) -> Interest {
        Interest::Nothing
    }

    fn event(&mut self, _program: &Program, _event: &Event<'_>) {}

    /// So many edges follow that it does not see.
    fn skips(&mut self, _edges: u64) {}

    /// The program printed something.
    fn output(&mut self, _stream: Stream, _bytes: &[u8]) {}

    fn ended(&mut self, _program: &Program, _ending: &Ending) {}
}

/// Sees nothing; output is dropped.
#[derive(Clone, Copy, Default, Debug)]
pub struct Silent;

impl Observer for Silent {}

/// Writes the program's output to sinks.
#[derive(Debug)]
pub struct Printer<O, E> {
    pub output: O,
    pub error: E,
}

impl<O: std::io::Write, E: std::io::Write> Observer for Printer<O, E> {
    fn output(&mut self, stream: Stream, bytes: &[u8]) {
        // Nobody can be told: the run does not depend on it.
        let _ = match stream {
            Stream::Output => self.output.write_all(bytes),
            Stream::Error => self.error.write_all(bytes),
        };
    }
}

impl Machine<'_> {
    fn tell(&mut self, edge: EdgeId, happening: Happening<'_>) {
        let function = self.frames.last().map_or(self.program.entry, |frame| frame.function);
        let span = self.program.edges.get(edge).map_or(Span::NONE, |edge| edge.span);
        let event = Event { edge, function, span, depth: self.frames.len(), happening };
        self.observer.event(self.program, &event);
    }

    #[cold]
    pub fn observe_passed(&mut self) {
        self.observe_edge(self.edge_id());
    }

    #[cold]
    pub fn observe_edge(&mut self, edge: EdgeId) {
        let happening = match self.program.edges[edge].kind {
            EdgeKind::Assign { target, .. } | EdgeKind::Zero { target } | EdgeKind::VaArg { target, .. } => {
                self.assigned(target)
            }
            _ => Happening::Passed,
        };
        self.tell(edge, happening);
    }

    #[cold]
    pub fn observe_branch(&mut self, truth: bool) {
        let location = cfa::LocationId(self.location);
        let taken = self.program.leaving_ids(location).find(
            |&edge| matches!(self.program.edges[edge].kind, EdgeKind::Assume { truth: t, .. } if t == truth),
        );
        let edge = taken.unwrap_or(self.edge_id());
        self.tell(edge, Happening::Branched { truth });
    }

    #[cold]
    pub fn observe_call(&mut self, function: FunctionId, arguments: &[Argument]) {
        let arguments = arguments.iter().map(|argument| self.argument_value(argument)).collect();
        self.tell(self.edge_id(), Happening::Called { function, arguments });
    }

    fn argument_value(&self, argument: &Argument) -> Value {
        match &argument.value {
            Datum::Bits(bits) => self.value(argument.ty, *bits),
            Datum::Bytes(bytes) => Value::aggregate(argument.ty, bytes.len()),
        }
    }

    /// The frame of the function is gone, but the location is still there.
    #[cold]
    pub fn observe_return(&mut self, function: FunctionId) {
        let ty = match *self.program.types.get(self.program.functions[function].ty) {
            Type::Function { result, .. } => result,
            _ => TypeId::VOID,
        };
        let value = match &self.returned {
            Returned::Nothing => None,
            Returned::Narrow(bits) => Some(self.value(ty, u128::from(*bits))),
            Returned::Wide(bits) => Some(self.value(ty, *bits)),
            Returned::Bytes(bytes) => Some(Value::aggregate(ty, bytes.len())),
        };
        self.tell(self.edge_id(), Happening::Returned { function, value });
    }

    /// After a call: what took its result.
    #[cold]
    pub fn observe_result(&mut self) {
        let edge = self.edge_id();
        if let EdgeKind::Call(call) = self.program.edges[edge].kind
            && let Some(target) = self.program.calls[call].result
        {
            let happening = self.assigned(target);
            self.tell(edge, happening);
        }
    }

    #[cold]
    pub fn observe_input(&mut self, ty: TypeId, function: Option<&str>, bits: u128) {
        let bits = Scalar::of(&self.program.types, ty).map_or(bits, |scalar| scalar.canonical_wide(bits));
        let value = self.value(ty, bits);
        self.tell(self.edge_id(), Happening::Input { function, value });
    }

    fn assigned(&mut self, target: PlaceId) -> Happening<'static> {
        Happening::Assigned { target: self.place_text(target), value: self.place_value(target) }
    }

    /// What is at a place, as far as it can be read.
    fn place_value(&mut self, place: PlaceId) -> Value {
        let ty = self.program.places[place].ty;
        let Some(scalar) = Scalar::of(&self.program.types, ty) else {
            return Value::aggregate(ty, self.program.types.size_of(ty).unwrap_or(0) as usize);
        };
        let home = self.program.as_variable(place).map(|variable| self.code.homes[variable.0 as usize]);
        let bits = match home {
            Some(Home::Slot(slot)) => Ok(self.slots[self.base + slot as usize].into()),
            Some(Home::WideSlot(slot)) => Ok(self.wide_slot(slot)),
            Some(Home::Global(slot)) => Ok(self.globals[slot as usize].into()),
            Some(Home::WideGlobal(slot)) => Ok(self.wide_global(slot)),
            _ => {
                let spot = self.decoder().spot(place);
                if scalar.is_wide() { self.load_wide(spot) } else { self.load(spot).map(u128::from) }
            }
        };
        bits.map_or_else(|_| Value::aggregate(ty, 0), |bits| self.value(ty, bits))
    }

    /// A place as C writes it, with the values of indices.
    fn place_text(&mut self, id: PlaceId) -> String {
        let program = self.program;
        let place = program.places[id];
        let mut projections = program.projections[place.projections].iter().peekable();
        let mut text = match place.base {
            PlaceBase::Variable(variable) => program.name(program.variables[variable].name).to_string(),
            PlaceBase::String(_) => "a string".into(),
            PlaceBase::Dereference(pointer) => {
                let name = self.pointer_text(pointer);
                match projections.peek() {
                    Some(&&Projection::Field { record, field }) => {
                        projections.next();
                        format!("{name}->{}", field_name(program, record, field))
                    }
                    _ => format!("*{name}"),
                }
            }
        };
        for &projection in projections {
            match projection {
                Projection::Field { record, field } => {
                    text = format!("{text}.{}", field_name(program, record, field));
                }
                Projection::Index { index, .. } => {
                    let node = self.decoder().narrow_index(index);
                    let index = self.evaluate(node).map_or_else(|_| "?".into(), |i| (i as i64).to_string());
                    text = format!("{text}[{index}]");
                }
            }
        }
        text
    }

    /// The name of a pointer variable, or what a pointer points to.
    fn pointer_text(&mut self, pointer: cfa::ExprId) -> String {
        let program = self.program;
        let expr = program.exprs[pointer];
        if let cfa::ExprKind::Load(place) = expr.kind
            && let Some(variable) = program.as_variable(place)
            && !program.variables[variable].kind.is_temporary()
        {
            return program.name(program.variables[variable].name).to_string();
        }
        let node = self.decoder().expr(pointer);
        match self.evaluate(node) {
            Ok(address) => format!("({})", self.value(expr.ty, address.into()).text),
            Err(_) => "?".into(),
        }
    }
}

fn field_name(program: &Program, record: TypeId, field: u32) -> &str {
    let name = program.types.fields(record).get(field as usize).and_then(|field| field.name);
    name.map_or("(anonymous)", |name| program.name(name))
}

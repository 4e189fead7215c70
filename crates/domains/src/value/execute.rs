//! Taking the state that is worked on along edges, into functions and out of them.

use super::code::*;
use super::collapse::{Chunks, UNKNOWN, Vector};
use super::evaluate::Value;
use super::layout::Layout;
use crate::callstack::{CallStacks, StackId};
use crate::interval::Interval;
use cfa::library::Library;
use cfa::{EdgeId, FunctionId, LocationId, VariableId};

/// Which slots are tracked: all, or those that a refinement asked for.
#[derive(Clone, Default, Debug)]
pub struct Precision {
    /// Everything, if there is none.
    tracked: Option<Vec<bool>>,
    /// Where the slots of each function start, in numbers that do not depend on the call stack.
    pub(super) starts: Vec<u32>,
    pub(super) count: usize,
}

impl Precision {
    #[inline]
    pub fn tracks(&self, slot: usize) -> bool {
        match &self.tracked {
            None => true,
            Some(tracked) => tracked[slot],
        }
    }
}

/// At most so many values are listed for people.
const MAX_DESCRIBED: usize = 12;

/// More activations than this are not followed.
const MAX_DEPTH: u32 = 1_000;

/// What has become of a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// It goes on at this location.
    At(LocationId),
    /// It cannot be, or ends.
    Nothing,
    /// What happens is not modelled.
    Unsupported(&'static str),
}

/// The state that is worked on, and all that states share.
pub struct Machine<'p> {
    pub code: &'p Code<'p>,
    pub chunks: Chunks,
    pub vector: Vector,
    pub stacks: CallStacks,
    pub stack: StackId,
    /// The first slot of the frame on top.
    pub(super) base: usize,
    /// Where the frame on top starts in the numbers of the precision.
    pub(super) tracked_base: usize,
    pub(super) address_mask: u64,
    /// The path goes no further: a division by zero, or an access outside of all objects.
    pub(super) trapped: bool,
    pub precision: Precision,
    /// Whether values that are the same are known to be, though not which they are.
    pub symbolic: bool,
    /// Whether bounds of what is not known are kept.
    pub bounded: bool,
    /// Global slots of which only the differences are kept, with their widths.
    pub(super) differences: Vec<(usize, u32)>,
    pub(super) next_input: u32,
}

impl<'p> Machine<'p> {
    pub fn new(code: &'p Code<'p>) -> Self {
        let program = code.program;
        let layout = &code.layout;
        let entry = program.entry;
        let mut precision =
            Precision { tracked: None, starts: Vec::new(), count: layout.global_slots as usize };
        for frame in &layout.frames {
            precision.starts.push(precision.count as u32);
            precision.count += frame.slots as usize;
        }
        let mut machine = Self {
            code,
            chunks: Chunks::default(),
            vector: Vector::default(),
            stacks: CallStacks::new(entry, layout.global_slots, layout.stack_start),
            stack: CallStacks::BOTTOM,
            base: 0,
            tracked_base: 0,
            address_mask: match program.types.pointer_size() {
                4 => u64::from(u32::MAX),
                _ => u64::MAX,
            },
            trapped: false,
            precision,
            symbolic: false,
            bounded: false,
            differences: Vec::new(),
            next_input: super::symbols::FIRST_FRESH,
        };
        machine.settle();
        machine
    }

    /// Adapts what depends on the stack, and the vector's length.
    fn settle(&mut self) {
        let frame = *self.stacks.top(self.stack);
        self.base = frame.slot as usize;
        self.tracked_base = self.precision.starts[frame.function.0 as usize] as usize;
        self.vector.resize(self.length(self.stack));
    }

    pub(super) fn length(&self, stack: StackId) -> usize {
        let frame = self.stacks.top(stack);
        (frame.slot + self.code.layout.frames[frame.function.0 as usize].slots) as usize
    }

    /// The number of the state of memory.
    pub fn collapse(&mut self) -> u32 {
        if self.symbolic {
            self.normalise_symbols();
        }
        self.vector.collapse(&mut self.chunks)
    }

    /// Goes back to the start, where nothing is known.
    pub fn reset(&mut self) {
        self.stack = CallStacks::BOTTOM;
        self.settle();
        (0..self.vector.len()).for_each(|slot| self.vector.set(slot, UNKNOWN));
        let zero = self.chunks.code(0);
        let code = self.code;
        code.layout.sites.values().for_each(|site| self.vector.set(site.counter as usize, zero));
        self.trapped = false;
    }

    /// Goes back to a state.
    pub fn load_state(&mut self, stack: StackId, root: u32) {
        let length = self.length(stack);
        self.stack = stack;
        let frame = *self.stacks.top(stack);
        self.base = frame.slot as usize;
        self.tracked_base = self.precision.starts[frame.function.0 as usize] as usize;
        self.vector.expand(root, length, &self.chunks);
        self.next_input = super::symbols::FIRST_FRESH;
        self.trapped = false;
    }

    /// Only these variables are tracked from now on.
    pub fn track_only(&mut self, variables: &[VariableId]) {
        let mut tracked = vec![false; self.precision.count];
        for function in self.code.program.functions.ids() {
            // Results live from a return to the caller only.
            let start = self.precision.starts[function.0 as usize] as usize;
            let count = self.code.layout.results[function.0 as usize].len();
            tracked[start..start + count].fill(true);
        }
        for object in &self.code.layout.heap {
            tracked[object.slot as usize..][..object.cells.len()].fill(true);
        }
        for &variable in variables {
            let object = &self.code.layout.objects[variable.0 as usize];
            let kind = self.code.program.variables[variable].kind;
            let start = kind.function().map_or(0, |f| self.precision.starts[f.0 as usize] as usize);
            tracked[start + object.slot as usize..][..object.cells.len()].fill(true);
        }
        self.precision.tracked = Some(tracked);
    }

    /// Of these variables, those that are global integers are only known relative to each other.
    pub fn keep_differences(&mut self, variables: &rustc_hash::FxHashSet<VariableId>) {
        self.differences.clear();
        for &variable in variables {
            let object = &self.code.layout.objects[variable.0 as usize];
            let info = &self.code.program.variables[variable];
            if info.kind.is_global() && self.code.program.types.is_integer(info.ty) && object.cells.len() == 1
            {
                self.differences.push((object.slot as usize, 8 * object.cells[0].size));
            }
        }
        self.differences.sort_unstable();
    }

    pub fn track_all(&mut self) {
        self.precision.tracked = None;
    }

    #[inline]
    pub(super) fn set(&mut self, slot: Slot, code: u32) {
        let index = slot.index as usize;
        let (at, tracked) =
            if slot.local { (self.base + index, self.tracked_base + index) } else { (index, index) };
        let code = if self.precision.tracks(tracked) { code } else { UNKNOWN };
        self.vector.set(at, code);
    }

    /// The slot of a scalar, and its number in the precision, if it is known where it is.
    pub(super) fn slot_of(&mut self, scalar: Scalar, shape: Shape) -> Option<(usize, usize)> {
        match scalar {
            Scalar::Slot(Slot { index, local: false }) => Some((index as usize, index as usize)),
            Scalar::Slot(Slot { index, local: true }) => {
                Some((self.base + index as usize, self.tracked_base + index as usize))
            }
            Scalar::Place(place) => {
                let address = self.address(place)?;
                self.cell_at(address, u64::from(shape.width / 8))
            }
        }
    }

    /// Whether the condition of an edge holds; `None` if that is not known.
    pub fn decides(&mut self, edge: EdgeId) -> Option<bool> {
        match *self.code.operation(edge) {
            Operation::Assume { condition, truth, .. } => {
                self.evaluate(condition).truth().map(|value| value == truth)
            }
            _ => Some(true),
        }
    }

    /// The functions that a call can enter: none where a known pointer is not one to a function.
    pub fn callees(&mut self, edge: EdgeId) -> smallvec::SmallVec<[FunctionId; 4]> {
        let Operation::Call(call) = self.code.operation(edge) else { return Default::default() };
        match call.target {
            Target::Function(function) => smallvec::smallvec![function],
            Target::Pointer(pointer) => match self.evaluate(pointer).known() {
                Some(address) => Layout::function_at(self.code.program, address).into_iter().collect(),
                None => self.code.points_to.callees(edge).iter().copied().collect(),
            },
        }
    }

    /// Whether the edge calls through a pointer whose value is not known, and that may be none of [those](Self::callees).
    pub fn calls_unknown(&mut self, edge: EdgeId) -> bool {
        let Operation::Call(call) = self.code.operation(edge) else { return false };
        let points_to = self.code.points_to;
        let may_be_other = points_to.callees(edge).is_empty() || points_to.may_call_unknown(edge);
        may_be_other
            && matches!(call.target, Target::Pointer(pointer) if self.evaluate(pointer).known().is_none())
    }

    /// Takes an edge that is no call.
    pub fn step(&mut self, edge: EdgeId) -> Effect {
        match self.code.operation(edge) {
            Operation::Skip => {}
            Operation::Assume { condition, truth, learn, bounds } => {
                if !self.assume(*condition, *truth, learn, bounds) {
                    return Effect::Nothing;
                }
            }
            Operation::Store { slot, width, value } => {
                self.name(*value);
                let value = self.evaluate(*value);
                let code = self.encode(value, *width);
                self.set(*slot, code);
            }
            Operation::StorePlace { place, value } => {
                self.name(*value);
                let value = self.evaluate(*value);
                self.store(*place, value);
            }
            Operation::Copy { target, source } => self.copy(*target, *source),
            Operation::Zero { place } => self.zero(*place),
            Operation::Forget { slot, count } => {
                let start = if slot.local { self.base } else { 0 } + slot.index as usize;
                (start..start + *count as usize).for_each(|slot| self.vector.set(slot, UNKNOWN));
            }
            Operation::Input { slot, width } => {
                let value = self.input(*width);
                let code = self.encode(value, *width);
                self.set(*slot, code);
            }
            Operation::ForgetPlace { place } => self.forget_place(*place),
            Operation::Return(code) => self.keep_result(*code),
            Operation::Call(_) => return Effect::Unsupported("a call of a function from outside"),
            Operation::Unsupported(what) => return Effect::Unsupported(what),
        }
        self.arrive(edge)
    }

    /// Forgets what nobody reads any more.
    #[inline]
    fn arrive(&mut self, edge: EdgeId) -> Effect {
        if self.trapped {
            return Effect::Nothing;
        }
        let code = self.code;
        for &slot in &code.dying[edge.0 as usize] {
            self.vector.set(self.base + slot as usize, UNKNOWN);
        }
        Effect::At(code.program.edges[edge].to)
    }

    fn assume(&mut self, condition: NodeId, truth: bool, learn: &[Learn], bounds: &[Bound]) -> bool {
        if let Some(value) = self.evaluate(condition).truth() {
            return value == truth;
        }
        if self.bounded && !self.learn_bounds(bounds) {
            return false;
        }
        for fact in learn {
            let Some((slot, tracked)) = self.slot_of(fact.scalar, fact.shape) else { continue };
            if self.chunks.number(self.vector.get(slot)).is_some() {
                continue;
            }
            let value = match fact.fact {
                Fact::NonZero if self.bounded => {
                    self.exclude_zero(slot, tracked, fact.shape);
                    continue;
                }
                Fact::NonZero => Value::NonZero,
                Fact::Equals(node) => {
                    self.name(node);
                    self.evaluate(node)
                }
            };
            if value != Value::Unknown {
                let code = self.encode(value, fact.shape.width);
                self.learn(slot, tracked, code);
            }
        }
        !self.trapped
    }

    /// Enters a function, or executes it if it has no body.
    pub fn call(&mut self, edge: EdgeId, function: FunctionId) -> Effect {
        let code = self.code;
        let Operation::Call(call) = code.operation(edge) else { return Effect::Nothing };
        match &code.program.functions[function].body {
            Some(_) if self.stacks.top(self.stack).depth >= MAX_DEPTH => {
                Effect::Unsupported("recursion this deep")
            }
            Some(body) => {
                self.enter(edge, function, call, &body.parameters);
                if self.trapped { Effect::Nothing } else { Effect::At(body.entry) }
            }
            None => self.call_undefined(edge, function, call),
        }
    }

    fn enter(&mut self, edge: EdgeId, function: FunctionId, call: &CallCode, parameters: &[VariableId]) {
        let code = self.code;
        let caller = self.stacks.top(self.stack).function;
        let mut values: smallvec::SmallVec<[(usize, u32); 16]> = smallvec::SmallVec::new();
        for (index, argument) in call.arguments.iter().enumerate() {
            let Some(&(slot, kind)) = code.parameters[function.0 as usize].get(index) else { break };
            match *argument {
                // What is not tracked has no slot.
                Argument::Scalar(..) if kind == Kind::Other => {}
                Argument::Scalar(node, given) => {
                    self.name(node);
                    let value = self.evaluate(node);
                    let value = self.encode_argument(value, given, kind);
                    values.push((slot as usize, value));
                }
                Argument::Record(place) => {
                    let object = &code.layout.objects[parameters[index].0 as usize];
                    let from = self.address(place);
                    for (cell, value) in self.values_for(&object.cells, 0, object.size.unwrap_or(0), from) {
                        let value = self.encode(value, 8 * object.cells[cell].size);
                        values.push((slot as usize + cell, value));
                    }
                }
            }
        }
        // What the caller does not read any more need not wait for the call to come back.
        for &slot in &code.dying[edge.0 as usize] {
            self.vector.set(self.base + slot as usize, UNKNOWN);
        }
        self.stack = self.stacks.enter(self.stack, edge, function, code.layout.frames[caller.0 as usize]);
        self.settle();
        for (slot, value) in values {
            self.set(Slot { index: slot as u32, local: true }, value);
        }
    }

    /// A value passed as one kind and received as another.
    fn encode_argument(&mut self, value: Value, given: Kind, taken: Kind) -> u32 {
        match (given, taken) {
            (Kind::Integer(from), Kind::Integer(to)) => match value {
                Value::Known(_) => self.encode(value, to.width),
                _ if to.width < from.width => UNKNOWN,
                value if to.width != from.width => self.encode(value.alone(), to.width),
                value => self.encode(value, to.width),
            },
            (Kind::Float(from), Kind::Float(to)) if from == to => {
                self.encode(value, if to == FloatFormat::Single { 32 } else { 64 })
            }
            _ => UNKNOWN,
        }
    }

    /// Puts the result where [`Machine::leave`] finds it.
    fn keep_result(&mut self, code: ReturnCode) {
        let function = self.stacks.top(self.stack).function;
        let cells = &self.code.layout.results[function.0 as usize];
        match code {
            ReturnCode::Nothing => {}
            ReturnCode::Scalar(node, _) => {
                self.name(node);
                let value = self.evaluate(node);
                if let [cell] = cells[..] {
                    let value = self.encode(value, 8 * cell.size);
                    self.vector.set(self.base, value);
                }
            }
            ReturnCode::Record(place) => {
                let size = self.code.places[place.0 as usize].size;
                let from = self.address(place);
                for (index, value) in self.values_for(cells, 0, size, from) {
                    let value = self.encode(value, 8 * cells[index].size);
                    self.vector.set(self.base + index, value);
                }
            }
        }
    }

    /// Goes back from a function's exit to behind the call; `Nothing` where everything ends.
    pub fn leave(&mut self) -> Effect {
        let frame = *self.stacks.top(self.stack);
        let Some((below, edge)) = frame.caller else { return Effect::Nothing };
        let code = self.code;
        let Operation::Call(call) = code.operation(edge) else { return Effect::Nothing };
        let cells = &code.layout.results[frame.function.0 as usize];
        let results: smallvec::SmallVec<[u32; 4]> =
            (0..cells.len()).map(|index| self.vector.get(self.base + index)).collect();
        self.stack = below;
        self.settle();
        if let Some(place) = call.result {
            self.take_result(place, call, frame.function, &results);
        }
        self.arrive(edge)
    }

    fn take_result(&mut self, place: PlaceIndex, call: &CallCode, function: FunctionId, results: &[u32]) {
        let code = self.code;
        match (call.result_kind, results) {
            (Kind::Other, _) => {
                let cells = &code.layout.results[function.0 as usize];
                let Some(address) = self.address(place) else { return self.forget_place(place) };
                self.forget_place(place);
                for (cell, &result) in cells.iter().zip(results) {
                    let value = self.decode(result, Shape { width: 8 * cell.size, signed: false });
                    self.write(address.wrapping_add(cell.offset), cell.size.into(), value);
                }
            }
            (kind, &[result]) if kind == code.results[function.0 as usize] => {
                let value = match kind {
                    Kind::Integer(shape) => self.decode(result, shape),
                    Kind::Float(FloatFormat::Single) => {
                        self.decode(result, Shape { width: 32, signed: false })
                    }
                    _ => self.decode(result, Shape { width: 64, signed: false }),
                };
                self.store(place, value);
            }
            _ => self.forget_place(place),
        }
    }

    fn call_undefined(&mut self, edge: EdgeId, function: FunctionId, call: &CallCode) -> Effect {
        let program = self.code.program;
        let info = &program.functions[function];
        if info.library.is_none() && cfa::unmodelled::is_fixed(program.name(info.name)) {
            return Effect::Unsupported("a function of the C library");
        }
        if !self.code.points_to.callbacks(edge).is_empty() {
            return Effect::Unsupported("a function of the library that calls back");
        }
        self.havoc(&call.havoc);
        if let (Some(place), Some(address)) = (call.result, self.allocate(edge)) {
            self.store(place, Value::Known(address));
            return self.arrive(edge);
        }
        if let Some(place) = call.result {
            match info.library {
                Some(Library::Malloc | Library::Calloc | Library::Alloca | Library::BuiltinAlloca) => {
                    self.store(place, Value::NonZero);
                }
                _ => match call.result_kind {
                    Kind::Integer(shape) => {
                        let value = self.input(shape.width);
                        self.store(place, value);
                    }
                    _ => self.forget_place(place),
                },
            }
        }
        self.arrive(edge)
    }

    /// The scalars that are known where the function on top can see them, as a C expression.
    pub fn describe(&mut self) -> String {
        let program = self.code.program;
        let function = self.stacks.top(self.stack).function;
        let mut parts = Vec::new();
        for (id, variable) in program.variables.enumerated() {
            let visible = variable.kind.is_global() || variable.kind.function() == Some(function);
            let hidden = variable.kind.is_temporary();
            let object = &self.code.layout.objects[id.0 as usize];
            if !visible || hidden || object.cells.len() != 1 || !program.types.is_integer(variable.ty) {
                continue;
            }
            let base = if variable.kind.is_global() { 0 } else { self.base };
            let (code, name) = (self.vector.get(base + object.slot as usize), program.name(variable.name));
            if let Some(number) = self.chunks.number(code) {
                parts.push(format!("{name} == {number}"));
            } else if let Some(Interval { low: low @ 0.., high }) = self.chunks.interval(code) {
                parts.push(format!("{name} >= {low} && {name} <= {high}"));
            }
            if parts.len() == MAX_DESCRIBED {
                break;
            }
        }
        if parts.is_empty() { "1".into() } else { parts.join(" && ") }
    }

    /// The address of the next object of a call, if it is tracked.
    fn allocate(&mut self, edge: EdgeId) -> Option<u64> {
        let code = self.code;
        let site = code.layout.sites.get(&edge)?;
        let made = usize::try_from(self.chunks.number(self.vector.get(site.counter as usize))?).ok()?;
        let object = code.layout.heap[site.objects.clone()].get(made)?;
        let next = self.chunks.code(made as i64 + 1);
        self.vector.set(site.counter as usize, next);
        let fill = if site.zeroed { self.chunks.code(0) } else { UNKNOWN };
        (0..object.cells.len()).for_each(|cell| self.vector.set(object.slot as usize + cell, fill));
        Some(object.address)
    }

    /// How many slots hold something.
    pub fn known_values(&self) -> usize {
        (0..self.vector.len()).filter(|&slot| self.vector.get(slot) != UNKNOWN).count()
    }
}

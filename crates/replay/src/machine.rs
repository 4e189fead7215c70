//! The machine: its state, and the loop that takes one edge after the other.

use crate::call::Frame;
use crate::code::{Action, Code, FunctionCode, Home, NodeId, Scalar};
use crate::decode::{self, Decoder};
use crate::ending::{Ending, Run, Steps, Violation, ViolationKind};
use crate::floats::Rounding;
use crate::inputs::Inputs;
use crate::memory::{Memory, ObjectId, ObjectKind};
use crate::observe::{Interest, Observer};
use crate::options::Options;
use crate::varargs::Lists;
use base::Span;
use cfa::{EdgeId, FunctionId, Program};
use std::ops::Range;
use std::rc::Rc;

/// The end of the run, on its way out.
pub type Stop = Box<Ending>;
pub type Result<T> = std::result::Result<T, Stop>;

/// Between two looks at the budget.
const STEPS_PER_LOOK: u64 = 1 << 14;

pub struct Machine<'a> {
    pub program: &'a Program,
    pub options: &'a Options,
    pub inputs: &'a mut dyn Inputs,
    pub observer: &'a mut dyn Observer,
    /// What the observer wants to see; asked once.
    pub interest: Interest,
    pub code: Code,
    pub memory: Memory,
    /// Slots of all frames.
    pub slots: Vec<u64>,
    /// Where the slots of the running function start.
    pub base: usize,
    pub globals: Vec<u64>,
    pub frames: Vec<Frame>,
    /// Objects of `alloca` and variable-length arrays, of all frames.
    pub allocas: Vec<ObjectId>,
    /// The location.
    pub location: u32,
    pub lists: Lists,
    pub steps: Steps,
    next_look: u64,
    /// Low bits that an address has.
    pub address_mask: u64,
    pub function_addresses: Vec<u64>,
    /// By [`FunctionId`]: calling it is the error.
    pub is_error: Vec<bool>,
    /// The last function that returned left its value here.
    pub returned: Returned,
    /// Run loops inside each other (`qsort` calls back).
    pub nesting: u32,
    pub ctype_tables: crate::library::ctype::Tables,
    /// What `stderr` points to, once it is known.
    pub error_stream: Option<u64>,
    /// What `fesetround` has set.
    pub rounding: Rounding,
    /// What a function of the library set `errno` to last.
    pub errno: i32,
    /// Where `errno` is, once it is asked for.
    pub errno_address: Option<u64>,
    /// How many parameters of `main` have their values.
    pub main_arguments: usize,
}

/// What a function returned.
#[derive(Clone, PartialEq, Debug, Default)]
pub enum Returned {
    #[default]
    Nothing,
    Narrow(u64),
    Wide(u128),
    Bytes(Vec<u8>),
}

/// Executes the program from its entry.
pub fn run(
    program: &Program,
    inputs: &mut dyn Inputs,
    options: &Options,
    observer: &mut dyn Observer,
) -> Run {
    let mut machine = match Machine::new(program, inputs, options, observer) {
        Ok(machine) => machine,
        Err(ending) => return Run { ending: *ending, steps: Steps::default() },
    };
    let ending = match machine.start() {
        Ok(never) => never,
        Err(ending) => *ending,
    };
    machine.steps.objects = machine.memory.created;
    machine.observer.ended(program, &ending);
    Run { ending, steps: machine.steps }
}

impl<'a> Machine<'a> {
    fn new(
        program: &'a Program,
        inputs: &'a mut dyn Inputs,
        options: &'a Options,
        observer: &'a mut dyn Observer,
    ) -> Result<Self> {
        let checks = options.checks;
        let model = program.types.data_model;
        let mut memory = Memory::new(model, options.memory_limit, checks.uninitialised_use);
        let mut code = Code::default();
        let full = |_| out_of_memory(options);
        let globals = decode::place_globals(program, &mut code, &mut memory, checks).map_err(full)?;
        let mut function_addresses = Vec::with_capacity(program.functions.len());
        for id in program.functions.ids() {
            let object = memory.allocate(ObjectKind::Function(id), 1, 16).map_err(full)?;
            function_addresses.push(memory.object(object).address);
        }
        let is_error = |f: &cfa::Function| options.error_functions.iter().any(|n| n == program.name(f.name));
        Ok(Self {
            program,
            options,
            inputs,
            interest: observer.interest(),
            observer,
            code,
            memory,
            slots: Vec::new(),
            base: 0,
            globals: vec![0; globals as usize],
            frames: Vec::new(),
            allocas: Vec::new(),
            location: 0,
            lists: Lists::default(),
            steps: Steps::default(),
            next_look: 0,
            address_mask: if program.types.pointer_size() == 4 { 0xffff_ffff } else { u64::MAX },
            function_addresses,
            is_error: program.functions.iter().map(is_error).collect(),
            returned: Returned::Nothing,
            nesting: 0,
            ctype_tables: Default::default(),
            error_stream: None,
            rounding: Rounding::Even,
            errno: 0,
            errno_address: None,
            main_arguments: 0,
        })
    }

    fn start(&mut self) -> Result<Ending> {
        if self.program.main.is_none() {
            return Ok(Ending::NoMain);
        }
        self.mark_globals_written()?;
        self.enter(self.program.entry, Vec::new())?;
        self.run_until(0)?;
        let status = match self.returned {
            Returned::Narrow(value) => value as i32,
            _ => 0,
        };
        self.exit(status)
    }

    /// Static storage is zero, which counts as initialised; external variables hold anything.
    fn mark_globals_written(&mut self) -> Result<()> {
        for (id, variable) in self.program.variables.enumerated() {
            if let Home::Object(object) = self.code.homes[id.0 as usize]
                && variable.kind == cfa::VariableKind::Global
            {
                let size = self.memory.object(object).data.len();
                self.memory.bytes_mut(object, 0, size);
            }
        }
        Ok(())
    }

    /// The decoded form of a function with a body.
    pub fn function(&mut self, id: FunctionId) -> Option<Rc<FunctionCode>> {
        if let Some(Some(code)) = self.code.functions.get(id.0 as usize) {
            return Some(code.clone());
        }
        self.decoder().function(id)
    }

    pub fn decoder(&mut self) -> Decoder<'_> {
        Decoder {
            program: self.program,
            code: &mut self.code,
            memory: &mut self.memory,
            checks: self.options.checks,
            function_addresses: &self.function_addresses,
        }
    }

    /// Runs until there are no more than `depth` frames.
    pub fn run_until(&mut self, depth: usize) -> Result<()> {
        loop {
            if self.steps.edges >= self.next_look {
                self.look_at_limits()?;
            }
            self.steps.edges += 1;
            match self.code.actions[self.location as usize] {
                Action::SetSlot { slot, value, to } => {
                    let value = self.evaluate(value)?;
                    let index = self.base + slot as usize;
                    self.slots[index] = value;
                    self.passed(to);
                }
                Action::Branch { condition, yes, no } => {
                    let truth = self.evaluate(condition)? != 0;
                    self.branched(if truth { yes } else { no }, truth);
                }
                Action::Store { place, value, to } => {
                    self.store(place, value)?;
                    self.passed(to);
                }
                Action::SetGlobal { slot, value, to } => {
                    let value = self.evaluate(value)?;
                    self.globals[slot as usize] = value;
                    self.passed(to);
                }
                Action::Skip { to } => self.passed(to),
                Action::Call { call, to } => {
                    self.call(call, to)?;
                }
                Action::Return { value } => {
                    let back = self.leave(value)?;
                    if self.frames.len() <= depth {
                        return Ok(());
                    }
                    self.resume(back)?;
                }
                rare => self.rare(rare)?,
            }
        }
    }

    /// Actions that are not worth a place in the loop.
    fn rare(&mut self, action: Action) -> Result<()> {
        match action {
            Action::SetWideSlot { slot, value, to } => {
                let value = self.evaluate_wide(value)?;
                self.set_wide_slot(slot, value);
                self.passed(to);
            }
            Action::SetWideGlobal { slot, value, to } => {
                let value = self.evaluate_wide(value)?;
                self.set_wide_global(slot, value);
                self.passed(to);
            }
            Action::Copy { place, value, to } => {
                self.copy_aggregate(place, value)?;
                self.passed(to);
            }
            Action::Assume { condition, truth, to } => {
                if (self.evaluate(condition)? != 0) != truth {
                    return Err(Box::new(Ending::AssumptionViolated(self.span())));
                }
                self.passed(to);
            }
            Action::Choose => self.choose()?,
            Action::Edge(edge) => self.edge(edge)?,
            _ => return Err(self.unsupported("control reaches the end of the automaton")),
        }
        Ok(())
    }

    /// Takes the first of several assumes that holds.
    fn choose(&mut self) -> Result<()> {
        let program = self.program;
        let location = cfa::LocationId(self.location);
        for edge in program.leaving_ids(location) {
            let cfa::Edge { kind, to, .. } = program.edges[edge];
            if let cfa::EdgeKind::Assume { condition, truth } = kind {
                let condition = self.decoder().condition(condition);
                if (self.evaluate(condition)? != 0) == truth {
                    self.went(edge, to.0);
                    return Ok(());
                }
            }
        }
        Err(self.unsupported("a computed goto to no label of the function"))
    }

    #[inline(always)]
    fn passed(&mut self, to: u32) {
        if self.interest != Interest::Nothing {
            self.observe_passed();
        }
        self.location = to;
    }

    #[inline(always)]
    fn branched(&mut self, to: u32, truth: bool) {
        if self.interest != Interest::Nothing {
            self.observe_branch(truth);
        }
        self.location = to;
    }

    pub(crate) fn went(&mut self, edge: EdgeId, to: u32) {
        if self.interest != Interest::Nothing {
            self.observe_edge(edge);
        }
        self.location = to;
    }

    #[cold]
    fn look_at_limits(&mut self) -> Result<()> {
        if self.steps.edges >= self.options.step_limit {
            return Err(Box::new(Ending::StepLimit));
        }
        self.options.budget.check_now().map_err(|reason| Box::new(Ending::Stopped(reason)))?;
        self.next_look = (self.steps.edges + STEPS_PER_LOOK).min(self.options.step_limit);
        self.look_at_observer();
        Ok(())
    }

    /// Looks away at the start of what is not observed, and back at its end.
    fn look_at_observer(&mut self) {
        let Range { start, end } = self.options.unobserved;
        let is_hidden = self.options.unobserved.contains(&self.steps.edges);
        if self.steps.edges == start && is_hidden {
            self.observer.skips(end - start);
        }
        self.interest = if is_hidden { Interest::Nothing } else { self.observer.interest() };
        if let Some(border) = [start, end].into_iter().find(|&border| border > self.steps.edges) {
            self.next_look = self.next_look.min(border);
        }
    }

    pub fn wide_slot(&self, slot: u32) -> u128 {
        let index = self.base + slot as usize;
        u128::from(self.slots[index]) | (u128::from(self.slots[index + 1]) << 64)
    }

    pub fn set_wide_slot(&mut self, slot: u32, value: u128) {
        let index = self.base + slot as usize;
        self.slots[index] = value as u64;
        self.slots[index + 1] = (value >> 64) as u64;
    }

    pub fn wide_global(&self, slot: u32) -> u128 {
        let index = slot as usize;
        u128::from(self.globals[index]) | (u128::from(self.globals[index + 1]) << 64)
    }

    pub fn set_wide_global(&mut self, slot: u32, value: u128) {
        let index = slot as usize;
        self.globals[index] = value as u64;
        self.globals[index + 1] = (value >> 64) as u64;
    }

    /// The bits of a scalar, narrow or wide.
    pub fn evaluate_any(&mut self, scalar: Scalar, node: NodeId) -> Result<u128> {
        if scalar.is_wide() { self.evaluate_wide(node) } else { Ok(u128::from(self.evaluate(node)?)) }
    }

    /// The edge that is being taken; of several, the first.
    pub fn edge_id(&self) -> EdgeId {
        self.program.locations[cfa::LocationId(self.location)].first_edge
    }

    pub fn span(&self) -> Span {
        self.program.edges.get(self.edge_id()).map_or(Span::NONE, |edge| edge.span)
    }

    /// Where the expression of a node is written.
    pub fn node_span(&self, node: NodeId) -> Span {
        match self.code.origins[node.0 as usize] {
            Span::NONE => self.span(),
            span => span,
        }
    }

    #[cold]
    pub fn violation(&self, kind: ViolationKind, detail: impl Into<String>) -> Stop {
        self.violation_at(kind, detail, self.span())
    }

    #[cold]
    pub fn violation_at(&self, kind: ViolationKind, detail: impl Into<String>, span: Span) -> Stop {
        Box::new(Ending::Violation(Violation { kind, detail: detail.into(), span }))
    }

    #[cold]
    pub fn unsupported(&self, message: impl Into<String>) -> Stop {
        Box::new(Ending::Unsupported { message: message.into(), span: self.span() })
    }

    #[cold]
    pub fn out_of_memory(&self) -> Stop {
        out_of_memory(self.options)
    }
}

fn out_of_memory(options: &Options) -> Stop {
    Box::new(Ending::Stopped(base::StopReason::MemoryLimit(options.memory_limit)))
}

//! What the world around a program does, shown in the automata.
//!
//! In a benign environment the engines may assume what verification tasks mean. In a
//! [hostile](Environment::Hostile) one nothing is assumed: what may happen is spelt out here, by edges that
//! every engine and the interpreter know already, so there is nothing to switch in any of them.
//!
//! - Allocation gives null if an input says so.
//! - `volatile` objects are inputs whenever they are read, if anything outside can get at them.
//! - A function without a body gets one, which writes any value to what other files can name.
//! - What pointers let the environment do (write to memory that it was given, point to the program's own)
//!   cannot be spelt out; where an input chooses that, the path ends as unsupported.

use super::{Lowering, Role};
use crate::library::Library;
use crate::program::*;
use base::Span;
use base::arena::Id;
use rustc_hash::FxHashMap;
use sema::types::{Type, TypeId};

const WRITES: &str = "what a function without a body does with the pointers that it can get at";
const POINTS: &str = "a pointer from outside to the program's own memory";

/// The functions that the environment has a hand in.
#[derive(Default)]
pub(super) struct Outside {
    /// Functions without a body whose address is taken, so that anything may be passed to them.
    addressed: Vec<FunctionId>,
    /// What stands for functions that allocate memory where they are called by pointers.
    allocators: FxHashMap<FunctionId, FunctionId>,
}

impl Lowering<'_> {
    fn is_hostile(&self) -> bool {
        self.program.environment == Environment::Hostile
    }

    // Reading.

    /// The value at a place.
    pub(super) fn read(&mut self, place: PlaceId, ty: TypeId, span: Span) -> ExprId {
        if self.is_register(place) {
            return self.unsupported("the value of a register", ty, span);
        }
        if self.is_hostile() && self.changes_by_itself(place) {
            let copy = self.place_like(place, span);
            self.input(copy, None, span);
            return self.expr(ExprKind::Load(copy), ty, span);
        }
        self.expr(ExprKind::Load(place), ty, span)
    }

    pub(super) fn read_place(&mut self, place: PlaceId, span: Span) -> ExprId {
        let ty = self.program.places[place].ty;
        self.read(place, ty, span)
    }

    fn is_register(&self, place: PlaceId) -> bool {
        let PlaceBase::Variable(variable) = self.program.places[place].base else { return false };
        self.hir.variables.get(variable).is_some_and(|variable| variable.is_register)
    }

    fn changes_by_itself(&self, place: PlaceId) -> bool {
        let Place { base, ty, .. } = self.program.places[place];
        let is_private = matches!(base, PlaceBase::Variable(variable) if self.facts.is_private(variable));
        ty.is_volatile() && !is_private
    }

    /// A temporary place that holds the same values: a bit-field is part of a record.
    fn place_like(&mut self, place: PlaceId, span: Span) -> PlaceId {
        let Place { projections, ty, .. } = self.program.places[place];
        match self.program.projections[projections].last() {
            Some(&field @ Projection::Field { record, .. }) if self.is_bit_field(place) => {
                let variable = self.temporary(record, span);
                self.draft.emit(EdgeKind::Declare { variable }, span);
                let mut path = super::build::Path::new(PlaceBase::Variable(variable), ty);
                path.projections.push(field);
                self.place(path)
            }
            _ => self.temporary_place(ty, span),
        }
    }

    // Inputs.

    /// The target takes any value.
    pub(super) fn input(&mut self, target: PlaceId, function: Option<FunctionId>, span: Span) {
        self.draft.emit(EdgeKind::Input { target, function }, span);
        if !self.is_hostile() || !self.holds_pointers(self.program.places[target].ty) {
            return;
        }
        if self.program.as_variable(target).is_some_and(|variable| self.program.is_standard_stream(variable))
        {
            return;
        }
        let next = self.draft.location();
        if self.program.types.is_pointer(self.program.places[target].ty) {
            let pointer = self.load(target, Span::NONE);
            let exists = self.truth(pointer, Span::NONE);
            let some = self.draft.location();
            self.branch(exists, some, next);
            self.draft.start(some);
        }
        self.unless_unsupported(POINTS, span);
        self.draft.jump(next, Span::NONE);
        self.draft.start(next);
    }

    fn holds_pointers(&self, ty: TypeId) -> bool {
        let types = &self.program.types;
        match *types.get(ty) {
            Type::Pointer(_) => true,
            Type::Array { element, .. } => self.holds_pointers(element),
            Type::Record(_) => types.fields(ty).iter().any(|field| self.holds_pointers(field.ty)),
            _ => false,
        }
    }

    /// The environment may do what is not modelled.
    fn unless_unsupported(&mut self, what: &'static str, span: Span) {
        let (does, next) = (self.draft.location(), self.draft.location());
        let choice = self.choice();
        self.branch(choice, does, next);
        self.draft.start(does);
        let halt = self.halt();
        self.draft.emit_to(EdgeKind::Unsupported(what), halt, span);
        self.draft.start(next);
    }

    /// A truth value that the environment chooses; a benign one says no. There is no text for it, so traces leave it out.
    fn choice(&mut self) -> ExprId {
        let target = self.temporary_place(TypeId::BOOL, Span::NONE);
        self.draft.emit(EdgeKind::Input { target, function: None }, Span::NONE);
        self.load(target, Span::NONE)
    }

    // Calls.

    pub(super) fn call_function(
        &mut self,
        function: FunctionId,
        arguments: Vec<ExprId>,
        result: Option<PlaceId>,
        span: Span,
    ) {
        if self.is_hostile() {
            if let Some(target) = result
                && self.program.functions[function].library.is_some_and(Library::allocates)
            {
                return self.allocate(function, arguments, target, span);
            }
            if self.is_outside(function) && arguments.iter().any(|&argument| self.leads_to_memory(argument)) {
                self.unless_unsupported(WRITES, span);
            }
        }
        self.emit_call(Callee::Direct(function), arguments, result, span);
    }

    /// New memory, or null. In a trace, the call is a condition that is true if there is memory.
    fn allocate(&mut self, function: FunctionId, arguments: Vec<ExprId>, target: PlaceId, span: Span) {
        let (fails, works, next) = (self.draft.location(), self.draft.location(), self.draft.location());
        let (choice, no) = (self.choice(), self.int(0, TypeId::BOOL, span));
        let succeeds = self.compare(BinaryOp::Equal, choice, no, span);
        self.branch(succeeds, works, fails);
        self.draft.start(fails);
        let null = self.zero(self.program.places[target].ty, span);
        self.draft.emit(EdgeKind::Assign { target, value: null }, span);
        self.draft.jump(next, span);
        self.draft.start(works);
        self.emit_call(Callee::Direct(function), arguments, Some(target), span);
        self.draft.jump(next, span);
        self.draft.start(next);
    }

    /// A value that memory can be reached by which may be written.
    fn leads_to_memory(&self, value: ExprId) -> bool {
        let Expr { kind, ty, .. } = self.program.exprs[value];
        match kind {
            ExprKind::Int(_) => false,
            ExprKind::Cast(operand) => self.leads_to_memory(operand),
            ExprKind::AddressOf(place) => !matches!(self.program.places[place].base, PlaceBase::String(_)),
            _ => self.holds_pointers(ty),
        }
    }

    pub(super) fn function_address(&mut self, function: FunctionId, ty: TypeId, span: Span) -> ExprId {
        let function = if self.is_hostile() { self.address_outside(function) } else { function };
        self.expr(ExprKind::FunctionAddress(function), ty, span)
    }

    fn address_outside(&mut self, function: FunctionId) -> FunctionId {
        if self.is_outside(function) {
            self.outside.addressed.push(function);
        }
        if !self.program.functions[function].library.is_some_and(Library::allocates) {
            return function;
        }
        if let Some(&known) = self.outside.allocators.get(&function) {
            return known;
        }
        let allocator = Function { library: None, ..self.program.functions[function].clone() };
        let allocator = self.program.functions.push(allocator);
        self.outside.allocators.insert(function, allocator);
        allocator
    }

    /// A function that nothing is known of.
    fn is_outside(&self, function: FunctionId) -> bool {
        let Some(hir) = self.hir.functions.get(function) else { return false };
        let name = self.program.function_name(function);
        hir.body.is_none()
            && self.roles[function.index()] == Role::Ordinary
            && self.program.functions[function].library.is_none()
            && Library::result_of(name).is_none()
            && !crate::unmodelled::is_fixed(name)
            && !matches!(name, "__errno_location" | "fegetround" | "fesetround")
    }

    // Bodies.

    /// Gives bodies to the functions of the environment.
    pub(super) fn outside_functions(&mut self) {
        if !self.is_hostile() {
            return;
        }
        for function in self.hir.functions.ids() {
            if self.is_outside(function) {
                self.outside_function(function);
            }
        }
        let mut allocators: Vec<_> = self.outside.allocators.drain().collect();
        allocators.sort_unstable();
        for (function, allocator) in allocators {
            self.allocator(function, allocator);
        }
    }

    /// Writes what other files can name, and returns anything.
    fn outside_function(&mut self, function: FunctionId) {
        let span = self.program.functions[function].span;
        let entry = self.open(function);
        let parameters = self.own_parameters(function);
        if self.outside.addressed.contains(&function) && self.may_take_pointers(function) {
            self.unless_unsupported(WRITES, span);
        }
        let hir = self.hir;
        for &variable in &hir.globals {
            let ty = self.program.variables[variable].ty;
            if hir.variables[variable].is_external && !ty.is_const() {
                let target = self.variable_place(variable);
                self.input(target, None, span);
            }
        }
        let value = match self.result_type(self.program.functions[function].ty).unqualified() {
            TypeId::VOID => None,
            ty => {
                let target = self.temporary_place(ty, span);
                self.input(target, Some(function), span);
                Some(self.load(target, span))
            }
        };
        self.draft.emit_to(EdgeKind::Return { value }, self.frame.exit, span);
        self.close(entry, parameters);
    }

    fn may_take_pointers(&self, function: FunctionId) -> bool {
        match self.program.types.get(self.program.functions[function].ty) {
            Type::Function { parameters, variadic, prototype, .. } => {
                *variadic || !prototype || parameters.iter().any(|&ty| self.holds_pointers(ty))
            }
            _ => true,
        }
    }

    fn allocator(&mut self, function: FunctionId, allocator: FunctionId) {
        let Function { ty, span, .. } = self.program.functions[function];
        let entry = self.open(allocator);
        let parameters = self.own_parameters(allocator);
        let arguments = parameters.iter().map(|&parameter| self.load_variable(parameter, span)).collect();
        let target = self.temporary_place(self.result_type(ty), span);
        self.allocate(function, arguments, target, span);
        let value = Some(self.load(target, span));
        self.draft.emit_to(EdgeKind::Return { value }, self.frame.exit, span);
        self.close(entry, parameters);
    }

    /// Parameters for a function that has none of its own, as its type says.
    fn own_parameters(&mut self, function: FunctionId) -> Vec<VariableId> {
        let Function { ty, name, span, .. } = self.program.functions[function];
        let Type::Function { parameters, .. } = self.program.types.get(ty) else { return Vec::new() };
        let parameters = parameters.clone();
        let kind = VariableKind::Parameter(function);
        let variable = |ty| Variable { name, ty, kind, address_taken: false, alignment: None, span };
        parameters.iter().map(|&ty| self.program.variables.push(variable(ty))).collect()
    }
}

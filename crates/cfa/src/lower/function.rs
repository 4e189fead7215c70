//! Whole functions: those of the program, and the entry around `main`.

use super::Lowering;
use super::lifetime::{Lifetimes, Target};
use crate::finish::{Shape, finish};
use crate::program::*;
use base::Span;
use base::arena::Id;
use sema::hir;
use sema::types::{Type, TypeId};

/// What belongs to the function at hand.
pub(super) struct Frame {
    pub(super) function: FunctionId,
    pub(super) locals: Vec<VariableId>,
    /// How many temporaries there are so far.
    pub(super) temporaries: usize,
    pub(super) exit: LocationId,
    /// Where runs end that do not return.
    halt: Option<LocationId>,
    /// Targets of `break` and `continue`, innermost last.
    pub(super) breaks: Vec<Target>,
    pub(super) continues: Vec<Target>,
    pub(super) switches: Vec<super::switch::Switch>,
    pub(super) lifetimes: Lifetimes,
}

impl Frame {
    pub(super) fn new(function: FunctionId) -> Frame {
        Frame {
            function,
            locals: Vec::new(),
            temporaries: 0,
            exit: LocationId(0),
            halt: None,
            breaks: Vec::new(),
            continues: Vec::new(),
            switches: Vec::new(),
            lifetimes: Lifetimes::default(),
        }
    }
}

impl Lowering<'_> {
    pub(super) fn function(&mut self, function: FunctionId, body: &hir::Body) {
        let entry = self.open(function);
        self.inner_statements(body.block);
        let value = self.implicit_result(function, body.end);
        self.draft.emit_to(EdgeKind::Return { value }, self.frame.exit, body.end);
        self.finish_jumps();
        self.close(entry, body.parameters.clone());
    }

    /// Reaching the end of `main` returns 0; elsewhere there is no value.
    fn implicit_result(&mut self, function: FunctionId, span: Span) -> Option<ExprId> {
        let is_main = self.program.main == Some(function);
        let result = self.result_type(self.program.functions[function].ty);
        (is_main && self.program.types.is_integer(result)).then(|| self.int(0, result, span))
    }

    pub(super) fn result_type(&self, function: TypeId) -> TypeId {
        match *self.program.types.get(function) {
            Type::Function { result, .. } => result,
            _ => TypeId::VOID,
        }
    }

    pub(super) fn open(&mut self, function: FunctionId) -> LocationId {
        self.frame = Frame::new(function);
        if let Some(locals) = self.locals.get_mut(function.index()) {
            self.frame.locals = std::mem::take(locals);
        }
        self.draft.clear();
        let entry = self.draft.current();
        self.frame.exit = self.draft.location();
        entry
    }

    pub(super) fn close(&mut self, entry: LocationId, parameters: Vec<VariableId>) {
        let function = self.frame.function;
        let shape = Shape { function, entry, exit: self.frame.exit };
        let finished = finish(&mut self.program, &mut self.draft, shape);
        for (number, &label) in self.addressed_labels.iter().enumerate() {
            if self.hir.labels[label].function == function
                && let Some(location) = self.label_locations[label.index()]
            {
                // A label that nothing leads to stands nowhere; the exit is as good as any place.
                let found = finished.location(&mut self.draft, location);
                self.program.labels[number] = found.unwrap_or(finished.exit);
            }
        }
        let locals = std::mem::take(&mut self.frame.locals);
        self.program.functions[function].body = Some(Body {
            parameters,
            locals,
            entry: finished.entry,
            exit: finished.exit,
            locations: finished.locations,
            edges: finished.edges,
        });
    }

    /// The location without edges where runs end.
    pub(super) fn halt(&mut self) -> LocationId {
        let draft = &mut self.draft;
        *self.frame.halt.get_or_insert_with(|| draft.location())
    }

    /// Initialises the globals, calls `main` on any arguments, and ends.
    pub(super) fn entry(&mut self) {
        let entry = self.open(self.program.entry);
        for &variable in &self.hir.globals {
            self.initialize_global(variable);
        }
        for &constructor in &self.hir.constructors {
            self.call_from_outside(constructor);
        }
        if let Some(main) = self.program.main {
            self.call_from_outside(main);
        }
        self.draft.emit_to(EdgeKind::Return { value: None }, self.frame.exit, Span::NONE);
        self.close(entry, Vec::new());
    }

    fn call_from_outside(&mut self, function: FunctionId) {
        let Function { ty, span, .. } = self.program.functions[function];
        let parameters = self.hir.functions[function].body.as_ref().map_or(&[][..], |body| &body.parameters);
        let is_main = self.program.function_name(function) == "main";
        let mut arguments = Vec::new();
        for &parameter in parameters {
            let ty = self.program.variables[parameter].ty;
            let target = self.temporary_place(ty, span);
            if is_main {
                self.draft.emit(EdgeKind::Input { target, function: None }, span);
                self.restrict_argument(arguments.len(), target, span);
            } else {
                self.input(target, None, span);
            }
            arguments.push(self.load(target, span));
        }
        let result = match self.result_type(ty) {
            TypeId::VOID => None,
            ty => Some(self.temporary_place(ty, span)),
        };
        let arguments = self.program.expr_lists.push(arguments);
        let call = self.program.calls.push(Call { callee: Callee::Direct(function), arguments, result });
        self.draft.emit(EdgeKind::Call(call), span);
    }

    /// What C says of the arguments of `main`: there are no less than none, and there is a list of them.
    fn restrict_argument(&mut self, position: usize, target: PlaceId, span: Span) {
        let (value, ty) = (self.load(target, span), self.program.places[target].ty);
        if position == 0 && ty.unqualified() == TypeId::INT {
            let most = self.int(i128::from(i32::MAX), ty, span);
            let value = self.binary(BinaryOp::BitAnd, [value, most], ty, span);
            self.draft.emit(EdgeKind::Assign { target, value }, span);
        } else if position == 1 && self.program.types.is_pointer(ty) {
            let condition = self.truth(value, span);
            self.draft.emit(EdgeKind::Assume { condition, truth: true }, span);
        }
    }
}

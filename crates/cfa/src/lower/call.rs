//! Calls, and the functions of verification tasks that are no calls at all.

use super::facts::{Footprint, direct_callee};
use super::{Lowering, Role, hir};
use crate::library::{KnownResult, Library};
use crate::program::*;
use base::Span;
use sema::hir::ExprKind as HirKind;
use sema::types::{Type, TypeId};

impl Lowering<'_> {
    /// Lowers a call; its value, if any, goes to `result`.
    pub(super) fn call(&mut self, expr: hir::ExprId, result: Option<PlaceId>) {
        let hir = self.hir;
        let hir::Expr { kind, span, .. } = hir.exprs[expr];
        let HirKind::Call { callee, arguments } = kind else { return };
        let arguments = &hir.expr_lists[arguments];
        match direct_callee(hir, callee) {
            Some(function) => self.direct_call(function, arguments, result, expr),
            None => {
                let pointer = self.value(callee);
                let writes = self.writes_of(arguments);
                let pointer =
                    if self.facts_of(pointer).reads.meets(writes) { self.save(pointer) } else { pointer };
                let arguments = self.values(arguments);
                self.emit_call(Callee::Indirect(pointer), arguments, result, span);
            }
        }
    }

    fn direct_call(
        &mut self,
        function: FunctionId,
        arguments: &[hir::ExprId],
        result: Option<PlaceId>,
        expr: hir::ExprId,
    ) {
        let hir::Expr { ty, span, .. } = self.hir.exprs[expr];
        match (self.roles[function.0 as usize], arguments) {
            (Role::Input, _) if ty.unqualified() != TypeId::VOID => {
                arguments.iter().for_each(|&argument| self.effect(argument));
                let target = result.unwrap_or_else(|| self.temporary_place(ty, span));
                self.input(target, Some(function), span);
            }
            (Role::Assume, &[condition]) => {
                self.assumption(condition, true);
                self.any_result(result, span);
            }
            (Role::Assert, &[condition]) => {
                self.assertion(condition, span);
                self.any_result(result, span);
            }
            (Role::Unmodelled(what), _) => {
                self.values(arguments);
                self.draft.emit(EdgeKind::Unsupported(what), span);
                self.any_result(result, span);
            }
            (Role::Terminal, _) => {
                let arguments = self.values(arguments);
                self.emit_terminal_call(function, arguments, span);
            }
            _ => {
                let arguments = self.values(arguments);
                if self.fits_library(function, &arguments) {
                    self.call_function(function, arguments, result, span);
                    self.restrict_result(function, result, span);
                } else {
                    self.draft.emit(EdgeKind::Unsupported("a library function with other arguments"), span);
                    self.any_result(result, span);
                }
            }
        }
    }

    /// Whether a call that no prototype converted the arguments of is right for the library function that it is of.
    fn fits_library(&self, function: FunctionId, arguments: &[ExprId]) -> bool {
        self.program.functions[function].library.is_none_or(|library| {
            library.fits(&self.program.types, None, arguments.iter().map(|&argument| self.type_of(argument)))
        })
    }

    /// Makes a result that can be anything one of those that there are.
    fn restrict_result(&mut self, function: FunctionId, result: Option<PlaceId>, span: Span) {
        let is_defined = self.hir.functions[function].body.is_some();
        let known = Library::result_of(self.program.function_name(function)).filter(|_| !is_defined);
        let (Some(known), Some(target)) = (known, result) else { return };
        let ty = self.program.places[target].ty;
        let Some(shape) = self.program.types.int_shape(ty) else { return };
        let any = self.load(target, span);
        let value = match known {
            KnownResult::NotNegative => {
                let most = self.int((1 << (shape.width - 1)) - 1, ty, span);
                self.binary(BinaryOp::BitAnd, [any, most], ty, span)
            }
            KnownResult::Character => {
                let (digits, end) = (self.int(0xff, ty, span), self.int(0x100, ty, span));
                let character = self.binary(BinaryOp::BitAnd, [any, digits], ty, span);
                let is_end = self.binary(BinaryOp::BitAnd, [any, end], ty, span);
                let [is_end, none] = [self.truth(is_end, span), self.zero(ty, span)];
                let is_end = self.cast(is_end, ty, span);
                // -1 has all digits.
                let all = self.binary(BinaryOp::Subtract, [none, is_end], ty, span);
                self.binary(BinaryOp::BitOr, [character, all], ty, span)
            }
        };
        self.draft.emit(EdgeKind::Assign { target, value }, span);
    }

    /// Functions that have no result, declared as if they had.
    fn any_result(&mut self, result: Option<PlaceId>, span: Span) {
        if let Some(target) = result {
            self.draft.emit(EdgeKind::Input { target, function: None }, span);
        }
    }

    /// The values of expressions from left to right, each kept from the effects of those after it.
    pub(super) fn values(&mut self, exprs: &[hir::ExprId]) -> Vec<ExprId> {
        let mut values = Vec::with_capacity(exprs.len());
        for (index, &expr) in exprs.iter().enumerate() {
            let value = self.value(expr);
            let later = self.writes_of(&exprs[index + 1..]);
            values.push(if self.facts_of(value).reads.meets(later) { self.save(value) } else { value });
        }
        values
    }

    fn writes_of(&self, exprs: &[hir::ExprId]) -> Footprint {
        exprs.iter().fold(Footprint::NOTHING, |all, &expr| all.union(self.facts.writes(expr)))
    }

    pub(super) fn emit_call(
        &mut self,
        callee: Callee,
        arguments: Vec<ExprId>,
        result: Option<PlaceId>,
        span: Span,
    ) {
        let call = self.new_call(callee, arguments, result);
        self.draft.emit(EdgeKind::Call(call), span);
    }

    fn new_call(&mut self, callee: Callee, arguments: Vec<ExprId>, result: Option<PlaceId>) -> CallId {
        let arguments = self.program.expr_lists.push(arguments);
        self.program.calls.push(Call { callee, arguments, result })
    }

    /// A call that does not come back.
    fn emit_terminal_call(&mut self, function: FunctionId, arguments: Vec<ExprId>, span: Span) {
        let call = self.new_call(Callee::Direct(function), arguments, None);
        let halt = self.halt();
        self.draft.emit_to(EdgeKind::Call(call), halt, span);
        let after = self.draft.location();
        self.draft.start(after);
    }

    /// `assert` as a function: a branch to the failure.
    fn assertion(&mut self, condition: hir::ExprId, span: Span) {
        let (holds, fails) = (self.draft.location(), self.draft.location());
        self.condition(condition, holds, fails);
        self.draft.start(fails);
        let function = self.library_function(Library::AssertFail, plain_function(TypeId::VOID));
        let arguments = self.zero_arguments(function, span);
        self.emit_terminal_call(function, arguments, span);
        self.draft.start(holds);
    }

    /// Zeros for the parameters that the program's own declaration of a function asks for.
    fn zero_arguments(&mut self, function: FunctionId, span: Span) -> Vec<ExprId> {
        let parameters = match self.program.types.get(self.program.functions[function].ty) {
            Type::Function { parameters, .. } => parameters.clone(),
            _ => Box::default(),
        };
        parameters.iter().map(|&ty| self.zero(ty, span)).collect()
    }

    /// `__builtin_trap`
    pub(super) fn trap(&mut self, span: Span) {
        let function = self.library_function(Library::Abort, plain_function(TypeId::VOID));
        self.emit_terminal_call(function, Vec::new(), span);
    }

    pub(super) fn alloca(&mut self, size: hir::ExprId, ty: TypeId, span: Span) -> ExprId {
        let size = self.value(size);
        let size_type = self.program.types.size_type();
        let pointer = self.program.types.pointer_to(TypeId::VOID);
        let function = self.library_function(
            Library::Alloca,
            Type::Function {
                result: pointer,
                parameters: Box::new([size_type]),
                variadic: false,
                prototype: true,
            },
        );
        let size = self.cast(size, size_type, span);
        let result = self.temporary_place(pointer, span);
        self.emit_call(Callee::Direct(function), vec![size], Some(result), span);
        let value = self.load(result, span);
        self.cast(value, ty, span)
    }
}

fn plain_function(result: TypeId) -> Type {
    Type::Function { result, parameters: Box::new([]), variadic: false, prototype: true }
}

//! Function calls (C11 6.5.2.2).

use crate::context::{Analyzer, Checked, Reported};
use crate::conversions::Purpose;
use crate::hir::{ExprId, ExprKind, Function, FunctionId};
use crate::library::is_library_name;
use crate::scope::Entity;
use crate::types::{Type, TypeId};
use base::{Range, Span, Symbol};
use syntax::ast;

impl Analyzer<'_> {
    pub fn call_expr(&mut self, callee: ast::ExprId, arguments: Range<ast::ExprId>, span: Span) -> Checked {
        let ast = self.ast;
        let list = &ast.expr_lists[arguments];
        if let ast::ExprKind::Name(name) = ast.exprs[callee].kind {
            if let Some(&known) = self.names.builtins.get(&name)
                && !self.is_defined_function(name)
            {
                return self.builtin_call(known, list, span);
            }
            if self.scopes.lookup(name).entity == Entity::Nothing {
                if self.is_unknown_builtin(name) {
                    return Ok(self.unsupported("this builtin function", TypeId::INT, span));
                }
                let function = self.undeclared_function(name, ast.exprs[callee].span);
                let ty = self.program.functions[function].ty;
                let designator = self.make(ExprKind::Function(function), ty, ast.exprs[callee].span);
                let pointer = self.decay(designator);
                return self.call(pointer, list, span);
            }
        }
        let callee = self.rvalue(callee)?;
        self.call(callee, list, span)
    }

    /// A program may define a function of its own that has the name of a builtin.
    fn is_defined_function(&self, name: Symbol) -> bool {
        match self.scopes.lookup(name).entity {
            Entity::Function(id) => self.program.functions[id].body.is_some(),
            Entity::Variable(_) => true,
            _ => false,
        }
    }

    /// One that the compiler knows, and we do not: it is not an ordinary function without a body.
    fn is_unknown_builtin(&self, name: Symbol) -> bool {
        let text = self.name(name);
        ["__builtin_", "__sync_", "__atomic_"].iter().any(|prefix| text.starts_with(prefix))
            && !is_library_name(text)
    }

    /// A library function, or else `int name()`.
    fn undeclared_function(&mut self, name: Symbol, span: Span) -> FunctionId {
        let id = self.library_function(name, span).unwrap_or_else(|| self.implicit_function(name, span));
        self.scopes.bind(name, Entity::Function(id));
        id
    }

    fn implicit_function(&mut self, name: Symbol, span: Span) -> FunctionId {
        if let Entity::Function(id) = self.links.external(name) {
            return id;
        }
        let ty = self.old_style_function(TypeId::INT);
        let function = Function { name, ty, noreturn: false, body: None, span };
        let id = self.program.functions.push(function);
        self.links.implicit.insert(id);
        self.links.set_external(name, Entity::Function(id));
        id
    }

    pub fn old_style_function(&mut self, result: TypeId) -> TypeId {
        let parameters = Box::default();
        self.program.types.intern(Type::Function { result, parameters, variadic: false, prototype: false })
    }

    pub fn call(&mut self, callee: ExprId, list: &[ast::ExprId], span: Span) -> Checked {
        let Some(function_type) = self.types().pointee(self.type_of(callee)) else {
            return Err(self.not_a_function(callee));
        };
        let Type::Function { result, ref parameters, variadic, prototype } = *self.types().get(function_type)
        else {
            return Err(self.not_a_function(callee));
        };
        let expected = parameters.len();
        if prototype && (list.len() < expected || (list.len() > expected && !variadic)) {
            return Err(self.wrong_count(callee, list.len() < expected, span));
        }
        if self.types().record(result).is_some_and(|record| record.layout.is_none()) {
            let message = format!("calling a function that returns incomplete type '{}'", self.show(result));
            return Err(self.error(span, message));
        }
        let mut arguments = Vec::with_capacity(list.len());
        let mut failed = false;
        for (index, &argument) in list.iter().enumerate() {
            match self.argument(argument, function_type, index, prototype) {
                Ok(argument) => arguments.push(argument),
                Err(Reported) => failed = true,
            }
        }
        if failed {
            return Err(Reported);
        }
        let arguments = self.program.expr_lists.push(arguments);
        let call = self.make(ExprKind::Call { callee, arguments }, result.unqualified(), span);
        if !prototype && !arguments.is_empty() {
            self.links.unprototyped_calls.push(call);
        }
        Ok(call)
    }

    fn argument(
        &mut self,
        argument: ast::ExprId,
        function_type: TypeId,
        index: usize,
        prototype: bool,
    ) -> Checked {
        let value = self.rvalue(argument)?;
        match self.parameter(function_type, index) {
            Some(ty) if prototype => self.convert(value, ty, Purpose::Argument(index + 1)),
            _ if self.types().get(self.type_of(value)) == &Type::Void => {
                Err(self.error(self.span_of(value), "invalid use of void expression"))
            }
            _ => Ok(self.promote_argument(value)),
        }
    }

    pub fn parameter(&self, function_type: TypeId, index: usize) -> Option<TypeId> {
        match self.types().get(function_type) {
            Type::Function { parameters, .. } => parameters.get(index).copied(),
            _ => None,
        }
    }

    fn called_name(&self, callee: ExprId) -> Option<FunctionId> {
        match self.kind(callee) {
            ExprKind::AddressOf(designator) => match self.kind(designator) {
                ExprKind::Function(id) => Some(id),
                _ => None,
            },
            _ => None,
        }
    }

    fn wrong_count(&mut self, callee: ExprId, too_few: bool, span: Span) -> Reported {
        let count = if too_few { "few" } else { "many" };
        match self.called_name(callee) {
            Some(id) => {
                let function = &self.program.functions[id];
                let (name, at) = (self.name(function.name), function.span);
                let message = format!("too {count} arguments to function '{name}'");
                self.error_with_note(span, message, at, "declared here")
            }
            None => self.error(span, format!("too {count} arguments to function")),
        }
    }

    fn not_a_function(&mut self, callee: ExprId) -> Reported {
        let message = format!(
            "called object of type '{}' is not a function or function pointer",
            self.show(self.type_of(callee))
        );
        self.error(self.span_of(callee), message)
    }
}

//! Declarations and function definitions (C11 6.7, 6.9).

use crate::attributes::Attributes;
use crate::compatible::compatible;
use crate::context::{Analyzer, Checked, FunctionContext, Reported, Typedef};
use crate::hir::{Body, FunctionId, StmtKind, Storage, Variable, VariableId};
use crate::linking::Linked;
use crate::scope::Entity;
use crate::specifiers::Declared;
use crate::types::{Length, Type, TypeId};
use base::{Range, Span, Symbol};
use rustc_hash::FxHashMap;
use syntax::ast::{self, Derivation, Item, ParameterStyle, TypeSpecifier};

/// What the specifiers of a declaration say about each of its declarators.
struct Common {
    specifiers: ast::Specifiers,
    base: Declared,
    attributes: Attributes,
}

impl Analyzer<'_> {
    pub fn unit(&mut self) {
        let ast = self.ast;
        let first = self.program.globals.len();
        self.scopes.enter();
        for item in &ast.items {
            if self.diagnostics.too_many() {
                break;
            }
            match *item {
                Item::Declaration(declaration) => self.declaration(declaration),
                Item::Function(function) => {
                    let _ = self.function_definition(function);
                }
                Item::StaticAssert(assertion) => {
                    let _ = self.static_assert(&assertion);
                }
                Item::Asm(_) => {}
            }
        }
        self.resolve_aliases();
        self.scopes.leave();
        self.finish_tentative_definitions(first);
    }

    pub fn static_assert(&mut self, assertion: &ast::StaticAssert) -> Checked<()> {
        let (condition, _) = self.constant_integer(assertion.condition)?;
        if condition != 0 {
            return Ok(());
        }
        let text = assertion.message.map(|id| match &self.ast.strings[id].units {
            ast::Units::Bytes(bytes) => String::from_utf8_lossy(bytes).into_owned(),
            ast::Units::Wide(_) => String::new(),
        });
        let message = match text {
            Some(text) => format!("static assertion failed: \"{text}\""),
            None => "static assertion failed".into(),
        };
        Err(self.error(assertion.span, message))
    }

    pub fn declaration(&mut self, id: ast::DeclarationId) {
        let ast = self.ast;
        let ast::Declaration { specifiers, declarators, .. } = ast.declarations[id];
        let list = &ast.declarator_lists[declarators];
        match self.common(specifiers, list.is_empty()) {
            Ok(common) => {
                for declarator in list {
                    let _ = self.init_declarator(&common, declarator);
                }
            }
            Err(Reported) => self.poison(list),
        }
        if self.function.is_some() {
            self.emit_lengths(0);
        } else {
            self.lengths.clear();
        }
    }

    /// Names whose declaration failed are not reported again.
    fn poison(&mut self, list: &[ast::InitDeclarator]) {
        for item in list {
            if let Some(name) = self.ast.declarators[item.declarator].name {
                self.scopes.bind(name, Entity::Poisoned);
            }
        }
    }

    fn common(&mut self, id: ast::SpecifiersId, alone: bool) -> Checked<Common> {
        let specifiers = self.ast.specifiers[id];
        let base = self.specifier_type(id, alone)?;
        let mut attributes = self.attributes(specifiers.attributes)?;
        attributes.alignment = attributes.alignment.max(self.alignas(specifiers.alignment)?);
        Ok(Common { specifiers, base, attributes })
    }

    fn init_declarator(&mut self, common: &Common, item: &ast::InitDeclarator) -> Checked<()> {
        let declarator = self.ast.declarators[item.declarator];
        let Some(name) = declarator.name else { return Ok(()) };
        let result = self.declare(common, item, &declarator, name);
        if result.is_err() && self.scopes.lookup_here(name) == Entity::Nothing {
            self.scopes.bind(name, Entity::Poisoned);
        }
        result
    }

    fn declare(
        &mut self,
        common: &Common,
        item: &ast::InitDeclarator,
        declarator: &ast::Declarator,
        name: Symbol,
    ) -> Checked<()> {
        let span = declarator.span;
        let attributes = match declarator.attributes.is_empty() {
            true => common.attributes,
            false => common.attributes.and(self.attributes(declarator.attributes)?),
        };
        let mut base = common.base;
        if let (TypeSpecifier::Auto, Some(initializer)) = (common.specifiers.ty, item.initializer) {
            base.ty = self.inferred_type(initializer)?.with_qualifiers_of(base.ty);
        }
        let mut declared = self.declarator_type(base, declarator, declarator.derivations)?;
        declared.ty = self.changed_by(declared.ty, &attributes, span)?;
        let storage = common.specifiers.storage;
        if storage == ast::Storage::Typedef {
            return self.declare_typedef(name, declared, &attributes, span);
        }
        let is_register = storage == ast::Storage::Register && item.asm_name.is_some();
        let is_static = storage == ast::Storage::Static || is_register && self.function.is_none();
        let symbol = if is_register { name } else { self.linker_symbol(item, name) };
        if matches!(self.types().get(declared.ty), Type::Function { .. }) {
            if item.initializer.is_some() {
                let message = format!("function '{}' is initialized like a variable", self.name(name));
                return Err(self.error(span, message));
            }
            let noreturn = attributes.noreturn || common.specifiers.noreturn;
            let linked = Linked { name, symbol, ty: declared.ty, is_static, span };
            let id = self.declare_function(linked, noreturn)?;
            self.links.note_function(id, &attributes);
            return Ok(());
        }
        declared.alignment = attributes.alignment.or(declared.alignment);
        let is_extern = storage == ast::Storage::Extern;
        if self.function.is_some() && !is_extern {
            if attributes.cleanup {
                self.emit(StmtKind::Unsupported("cleanup attribute"), span);
            }
            let id = self.declare_local(name, declared, is_static, item.initializer, span)?;
            self.program.variables[id].is_register = is_register && item.initializer.is_none();
            return Ok(());
        }
        let defines = item.initializer.is_some() || !is_extern;
        let linked = Linked { name, symbol, ty: declared.ty, is_static, span };
        if let Some(target) = attributes.alias {
            let id = self.link_variable(linked)?;
            self.links.aliases.push((Entity::Variable(id), target));
            return Ok(());
        }
        let id = self.declare_global(linked, declared.alignment, defines)?;
        self.program.variables[id].is_register |= is_register;
        match item.initializer {
            Some(initializer) => self.define_global(id, attributes.weak, initializer, span),
            None => Ok(()),
        }
    }

    /// What `asm("…")` behind the declarator says, or the name itself.
    fn linker_symbol(&mut self, item: &ast::InitDeclarator, name: Symbol) -> Symbol {
        let text = item.asm_name.map(|id| &self.ast.strings[id].units);
        match text {
            Some(ast::Units::Bytes(bytes)) => self.interner.intern(&String::from_utf8_lossy(bytes)),
            _ => name,
        }
    }

    /// `__auto_type x = …`
    fn inferred_type(&mut self, initializer: ast::InitializerId) -> Checked<TypeId> {
        match self.ast.initializers[initializer].kind {
            ast::InitializerKind::Expr(expr) => {
                let value = self.rvalue(expr)?;
                Ok(self.type_of(value).unqualified())
            }
            ast::InitializerKind::List(_) => {
                let span = self.ast.initializers[initializer].span;
                Err(self.error(span, "'__auto_type' requires a plain initializer"))
            }
        }
    }

    fn declare_typedef(
        &mut self,
        name: Symbol,
        declared: Declared,
        attributes: &Attributes,
        span: Span,
    ) -> Checked<()> {
        let ty = declared.ty;
        if attributes.transparent_union
            && let Type::Record(id) = *self.types().get(ty)
            && let Some(layout) = &mut self.program.types.records[id].layout
        {
            layout.transparent_union = true;
        }
        match self.scopes.lookup_here(name) {
            Entity::Nothing | Entity::Poisoned => {}
            Entity::Typedef(index) => {
                let previous = self.typedefs[index as usize];
                if compatible(self.types(), previous.ty, ty) {
                    return Ok(());
                }
                let message = format!(
                    "typedef redefinition with different types ('{}' and '{}')",
                    self.show(ty),
                    self.show(previous.ty)
                );
                return Err(self.error_with_note(
                    span,
                    message,
                    previous.span,
                    "previous declaration is here",
                ));
            }
            _ => return self.check_not_declared_here(name, span),
        }
        let alignment = attributes.alignment.or(declared.alignment);
        let index = self.typedefs.len() as u32;
        self.typedefs.push(Typedef { ty, alignment, span });
        self.scopes.bind(name, Entity::Typedef(index));
        if self.function.is_some() {
            self.emit_lengths(0);
        }
        Ok(())
    }

    /// Reports a second declaration of a name without linkage in one scope.
    pub fn check_not_declared_here(&mut self, name: Symbol, span: Span) -> Checked<()> {
        let previous = match self.scopes.lookup_here(name) {
            Entity::Nothing | Entity::Poisoned => return Ok(()),
            Entity::Variable(id) => self.program.variables[id].span,
            Entity::Function(id) => self.program.functions[id].span,
            Entity::Typedef(index) => self.typedefs[index as usize].span,
            Entity::Enumerator(index) => self.enumerators[index as usize].span,
        };
        let message = format!("redefinition of '{}'", self.name(name));
        Err(self.error_with_note(span, message, previous, "previous declaration is here"))
    }

    fn declare_function(&mut self, declared: Linked, noreturn: bool) -> Checked<FunctionId> {
        match self.scopes.lookup_here(declared.name) {
            Entity::Nothing | Entity::Poisoned | Entity::Function(_) => {}
            _ => self.check_not_declared_here(declared.name, declared.span)?,
        }
        let id = self.link_function(declared)?;
        self.program.functions[id].noreturn |= noreturn;
        Ok(id)
    }

    fn declare_global(
        &mut self,
        declared: Linked,
        alignment: Option<u64>,
        defines: bool,
    ) -> Checked<VariableId> {
        let Linked { name, span, .. } = declared;
        match self.scopes.lookup_here(name) {
            Entity::Nothing | Entity::Poisoned | Entity::Variable(_) => {}
            _ => self.check_not_declared_here(name, span)?,
        }
        let id = self.link_variable(declared)?;
        self.raise_alignment(id, alignment);
        if defines && self.program.variables[id].initializer.is_none() {
            let variable = &mut self.program.variables[id];
            variable.storage = Storage::Static;
            variable.span = span;
        }
        Ok(id)
    }

    /// A weak definition gives way to another one.
    fn define_global(
        &mut self,
        id: VariableId,
        is_weak: bool,
        initializer: ast::InitializerId,
        span: Span,
    ) -> Checked<()> {
        let Variable { name, span: previous, .. } = self.program.variables[id];
        if self.program.variables[id].initializer.is_some() {
            if is_weak {
                return Ok(());
            }
            if !self.links.weak_variables.remove(&id) {
                let message = format!("redefinition of '{}'", self.name(name));
                return Err(self.error_with_note(span, message, previous, "previous definition is here"));
            }
        } else if is_weak {
            self.links.weak_variables.insert(id);
        }
        let function = self.function.take();
        let result = self.static_initializer(id, initializer);
        self.function = function;
        result?;
        self.check_complete(self.program.variables[id].ty, name, span)
    }

    fn raise_alignment(&mut self, id: VariableId, alignment: Option<u64>) {
        let natural = self.types().align_of(self.program.variables[id].ty).unwrap_or(1);
        if let Some(alignment) = alignment.filter(|&alignment| alignment > natural) {
            let variable = &mut self.program.variables[id];
            variable.alignment = variable.alignment.max(Some(alignment));
        }
    }

    fn static_initializer(&mut self, id: VariableId, initializer: ast::InitializerId) -> Checked<()> {
        let initializer = self.initialize(id, initializer)?;
        self.check_constant_initializer(&initializer)?;
        self.program.variables[id].initializer = Some(initializer);
        Ok(())
    }

    fn declare_local(
        &mut self,
        name: Symbol,
        declared: Declared,
        is_static: bool,
        initializer: Option<ast::InitializerId>,
        span: Span,
    ) -> Checked<VariableId> {
        self.check_not_declared_here(name, span)?;
        let function = self.function.as_ref().map(|function| function.id);
        let storage = match function {
            Some(function) if !is_static => Storage::Local(function),
            _ => Storage::Static,
        };
        let id = self.program.variables.push(Variable::new(name, declared.ty, storage, span));
        self.raise_alignment(id, declared.alignment);
        self.scopes.bind(name, Entity::Variable(id));
        if storage == Storage::Static {
            self.program.globals.push(id);
            if let Some(initializer) = initializer {
                // Names the function's own variables may not appear, but `__func__` may.
                self.static_initializer(id, initializer)?;
            }
            self.check_complete(self.program.variables[id].ty, name, span)?;
            return Ok(id);
        }
        self.emit_lengths(0);
        if self.is_variable_array(declared.ty) {
            self.declare_variable_array(id, initializer, span)?;
            return Ok(id);
        }
        let initializer = match initializer {
            Some(initializer) => Some(self.initialize(id, initializer)?),
            None => None,
        };
        self.emit_lengths(0);
        self.check_complete(self.program.variables[id].ty, name, span)?;
        self.emit(StmtKind::Declare { variable: id, initializer }, span);
        Ok(id)
    }

    fn declare_variable_array(
        &mut self,
        variable: VariableId,
        initializer: Option<ast::InitializerId>,
        span: Span,
    ) -> Checked<()> {
        if initializer.is_some() {
            return Err(self.error(span, "variable-sized object may not be initialized"));
        }
        let ty = self.program.variables[variable].ty;
        if let Some(size) = self.size_expr(ty, span) {
            self.emit(StmtKind::DeclareVla { variable, size }, span);
        }
        Ok(())
    }

    /// GNU C's nested functions are declared, so that calls have a type, but not modelled.
    pub fn nested_function(&mut self, id: ast::FunctionId) {
        let function = &self.ast.functions[id];
        self.emit(StmtKind::Unsupported("nested functions"), function.span);
        let declarator = self.ast.declarators[function.declarator];
        let Some(name) = declarator.name else { return };
        let Ok(base) = self.specifier_type(function.specifiers, false) else { return };
        let Ok(declared) = self.declarator_type(base, &declarator, declarator.derivations) else { return };
        let linked = Linked { name, symbol: name, ty: declared.ty, is_static: true, span: declarator.span };
        let _ = self.declare_function(linked, false);
    }

    fn function_definition(&mut self, id: ast::FunctionId) -> Checked<()> {
        let ast = self.ast;
        let function = &ast.functions[id];
        let common = self.common(function.specifiers, false)?;
        let declarator = ast.declarators[function.declarator];
        let derivations = &ast.derivations[declarator.derivations];
        let (Some(name), Some((Derivation::Function { parameters, variadic, style }, rest))) =
            (declarator.name, derivations.split_first())
        else {
            return Err(self.error(function.span, "function definition expected"));
        };
        let span = declarator.span;
        let result = self.derive_all(common.base, rest, span)?.ty;
        self.check_result_type(result, span)?;
        let attributes = common.attributes.and(self.attributes(declarator.attributes)?);
        // Known without its parameters first, because their types may need the function's scope.
        let is_static = common.specifiers.storage == ast::Storage::Static;
        let ty = self.old_style_function(result);
        let linked = Linked { name, symbol: name, ty, is_static, span };
        let id = self.declare_function(linked, attributes.noreturn || common.specifiers.noreturn)?;
        self.links.note_function(id, &attributes);
        let is_inline = common.specifiers.inline || attributes.gnu_inline;
        if !self.may_define(id, is_inline || self.links.weak.contains(&id), span)? {
            return Ok(());
        }
        self.enter_function(id, result);
        let variables = self.parameters(id, *parameters, *style, function.old_parameters);
        let body = variables.and_then(|variables| {
            self.complete_function_type(linked, result, &variables, *variadic, *style)?;
            Ok(self.function_body(variables, function.body))
        });
        let context = self.leave_function();
        self.program.functions[id].span = span;
        if let Some(context) = context {
            self.check_labels(&context.mentioned);
        }
        self.program.functions[id].body = Some(body?);
        Ok(())
    }

    /// Whether this definition is the one that counts; reports a second one.
    fn may_define(&mut self, id: FunctionId, is_replaceable: bool, span: Span) -> Checked<bool> {
        let defined = self.program.functions[id].body.is_some();
        let was_replaceable = self.links.replaceable.contains(&id);
        if is_replaceable {
            self.links.replaceable.insert(id);
        } else {
            self.links.replaceable.remove(&id);
        }
        match (defined, was_replaceable, is_replaceable) {
            (false, ..) | (true, true, false) => Ok(true),
            (true, _, true) => Ok(false),
            (true, false, false) => {
                let (name, previous) = (self.program.functions[id].name, self.program.functions[id].span);
                let message = format!("redefinition of '{}'", self.name(name));
                Err(self.error_with_note(span, message, previous, "previous definition is here"))
            }
        }
    }

    fn enter_function(&mut self, id: FunctionId, result: TypeId) {
        self.scopes.enter();
        self.function = Some(FunctionContext {
            id,
            result: result.unqualified(),
            labels: FxHashMap::default(),
            mentioned: Vec::new(),
            breakable: 0,
            loops: 0,
            switches: Vec::new(),
        });
        self.block.clear();
        self.lengths.clear();
    }

    fn leave_function(&mut self) -> Option<FunctionContext> {
        self.scopes.leave();
        self.block.clear();
        self.lengths.clear();
        self.function.take()
    }

    fn parameters(
        &mut self,
        function: FunctionId,
        parameters: Range<ast::Parameter>,
        style: ParameterStyle,
        old: Range<ast::DeclarationId>,
    ) -> Checked<Vec<VariableId>> {
        let ast = self.ast;
        if style == ParameterStyle::Empty || self.is_void_list(parameters) {
            return Ok(Vec::new());
        }
        let mut variables = Vec::with_capacity(parameters.len());
        for parameter in &ast.parameters[parameters] {
            let declarator = &ast.declarators[parameter.declarator];
            let name = declarator.name;
            let (attributes, declared) = self.parameter_type(parameter)?;
            let storage = Storage::Parameter(function);
            let (known_as, span) = (name.unwrap_or(self.names.temporary), declarator.span);
            let variable = Variable::new(known_as, declared.ty, storage, span);
            let id = self.program.variables.push(Variable { alignment: attributes.alignment, ..variable });
            if let Some(name) = name {
                self.check_not_declared_here(name, declarator.span)?;
                self.scopes.bind(name, Entity::Variable(id));
            }
            variables.push(id);
        }
        for &declaration in &ast.declaration_lists[old] {
            self.old_parameter(declaration, &variables)?;
        }
        for &id in &variables {
            let Variable { ty, name, span, .. } = self.program.variables[id];
            self.check_complete(ty, name, span)?;
        }
        Ok(variables)
    }

    /// `int a, *b;` between `)` and `{`: gives types to parameters that were only named.
    fn old_parameter(&mut self, id: ast::DeclarationId, variables: &[VariableId]) -> Checked<()> {
        let ast = self.ast;
        let declaration = ast.declarations[id];
        let base = self.specifier_type(declaration.specifiers, false)?;
        for item in &ast.declarator_lists[declaration.declarators] {
            let declarator = ast.declarators[item.declarator];
            let Some(name) = declarator.name else { continue };
            let declared = self.adjusted_type(base, &declarator)?;
            let found = variables.iter().find(|&&id| self.program.variables[id].name == name);
            let Some(&found) = found else {
                let message =
                    format!("declaration for parameter '{}' but no such parameter", self.name(name));
                return Err(self.error(declarator.span, message));
            };
            self.program.variables[found].ty = declared.ty;
        }
        Ok(())
    }

    fn complete_function_type(
        &mut self,
        linked: Linked,
        result: TypeId,
        variables: &[VariableId],
        variadic: bool,
        style: ParameterStyle,
    ) -> Checked<()> {
        let parameters = variables.iter().map(|&id| self.program.variables[id].ty.unqualified()).collect();
        let prototype = style == ParameterStyle::Prototype;
        let ty = self.program.types.intern(Type::Function { result, parameters, variadic, prototype });
        let Some(id) = self.function.as_ref().map(|function| function.id) else { return Ok(()) };
        self.merge_function(id, ty, true, linked.span)
    }

    /// The block of the body has the scope of the parameters.
    fn function_body(&mut self, parameters: Vec<VariableId>, body: ast::StmtId) -> Body {
        let ast = self.ast;
        let ast::Stmt { kind, span } = ast.stmts[body];
        self.emit_lengths(0);
        if let ast::StmtKind::Block { items, local_labels } = kind {
            let saved = self.enter_labels(local_labels);
            for item in &ast.block_items[items] {
                self.block_item(item);
            }
            self.leave_labels(saved);
        }
        let block = self.close_block(0, span);
        let end = Span::new(span.end.saturating_sub(1), span.end);
        Body { parameters, block, end }
    }

    /// Whether the type is an array whose length its initialiser gives.
    pub fn is_open_array(&self, ty: TypeId) -> bool {
        matches!(self.types().get(ty), Type::Array { length: Length::Unknown, .. })
    }
}

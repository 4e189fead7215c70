//! One program from several files (C11 6.2.2): names with external linkage mean the same thing in
//! all of them. Between files, types are compared leniently: what a linker accepts is accepted.

use crate::attributes::Attributes;
use crate::compatible::{compatible, composite};
use crate::context::{Analyzer, Checked, Reported};
use crate::hir::{ExprId, ExprKind, Function, FunctionId, Storage, Variable, VariableId};
use crate::library::is_library_name;
use crate::scope::Entity;
use crate::types::{Length, Type, TypeId};
use base::arena::Id;
use base::{Span, Symbol};
use rustc_hash::FxHashSet;

/// What the files of a program share.
pub struct Links {
    external: Vec<Entity>,
    /// Functions known from a call only.
    pub implicit: FxHashSet<FunctionId>,
    /// Functions whose definition is inline or weak: other files may have one, too.
    pub replaceable: FxHashSet<FunctionId>,
    /// Functions that this file has declared weak.
    pub weak: FxHashSet<FunctionId>,
    /// Variables whose initialiser is that of a weak definition.
    pub weak_variables: FxHashSet<VariableId>,
    /// Functions and variables of this file that are other names for others.
    pub aliases: Vec<(Entity, Symbol)>,
    /// What aliases mean.
    meanings: Vec<(Entity, Entity)>,
    /// Functions that run before `main`, with their priority.
    constructors: Vec<(i64, FunctionId)>,
    /// Calls with arguments that no prototype converted.
    pub unprototyped_calls: Vec<ExprId>,
    /// Variables of array type whose length was learnt after the first declaration.
    pub completed_late: bool,
}

impl Links {
    pub fn new(symbols: usize) -> Self {
        Self {
            external: vec![Entity::Nothing; symbols],
            implicit: FxHashSet::default(),
            replaceable: FxHashSet::default(),
            weak: FxHashSet::default(),
            weak_variables: FxHashSet::default(),
            aliases: Vec::new(),
            meanings: Vec::new(),
            constructors: Vec::new(),
            unprototyped_calls: Vec::new(),
            completed_late: false,
        }
    }

    /// Takes note of the attributes of a function.
    pub fn note_function(&mut self, id: FunctionId, attributes: &Attributes) {
        if attributes.weak {
            self.weak.insert(id);
        }
        if let Some(target) = attributes.alias {
            self.aliases.push((Entity::Function(id), target));
        }
        if let Some(priority) = attributes.constructor
            && self.constructors.iter().all(|&(_, known)| known != id)
        {
            self.constructors.push((priority, id));
        }
    }

    pub fn external(&self, name: Symbol) -> Entity {
        self.external.get(name.index()).copied().unwrap_or(Entity::Nothing)
    }

    pub fn set_external(&mut self, name: Symbol, entity: Entity) {
        if name.index() >= self.external.len() {
            self.external.resize(name.index() + 1, Entity::Nothing);
        }
        self.external[name.index()] = entity;
    }
}

/// A declaration of a function or variable, as linkage sees it.
#[derive(Clone, Copy, Debug)]
pub struct Linked {
    pub name: Symbol,
    /// What the linker calls it: the name, unless `asm("…")` says otherwise.
    pub symbol: Symbol,
    pub ty: TypeId,
    pub is_static: bool,
    pub span: Span,
}

impl Analyzer<'_> {
    /// Finds or makes the function that is declared and merges its type.
    pub fn link_function(&mut self, declared: Linked) -> Checked<FunctionId> {
        let Linked { name, symbol, ty, is_static, span } = declared;
        let visible = self.linked_entity(name);
        let (found, strict) = match visible {
            Entity::Function(id) => (Entity::Function(id), true),
            _ if is_static => (Entity::Nothing, false),
            _ => (self.links.external(symbol), false),
        };
        let id = match found {
            Entity::Function(id) => {
                self.merge_function(id, ty, strict, span)?;
                id
            }
            Entity::Variable(id) => return Err(self.other_kind(name, span, self.program.variables[id].span)),
            _ => {
                // Headers rename `strtol` to symbols of their own: it is what is known that counts.
                let known = if self.is_library(symbol) { symbol } else { name };
                let function = Function { name: known, ty, noreturn: false, body: None, span };
                let id = self.program.functions.push(function);
                if !is_static {
                    self.links.set_external(symbol, Entity::Function(id));
                }
                id
            }
        };
        if visible != Entity::Function(id) || self.scopes.lookup_here(name) == Entity::Nothing {
            self.scopes.bind(name, Entity::Function(id));
        }
        Ok(id)
    }

    /// What a name with linkage already stands for in this file. Reports another kind of symbol.
    fn linked_entity(&self, name: Symbol) -> Entity {
        let binding = self.scopes.lookup(name);
        match binding.entity {
            Entity::Function(_) => binding.entity,
            Entity::Variable(id) => match self.program.variables[id].storage {
                Storage::Static | Storage::External => binding.entity,
                Storage::Local(_) | Storage::Parameter(_) => Entity::Nothing,
            },
            _ => Entity::Nothing,
        }
    }

    pub fn merge_function(&mut self, id: FunctionId, ty: TypeId, strict: bool, span: Span) -> Checked<()> {
        let old = self.program.functions[id].ty;
        if self.links.implicit.remove(&id) {
            self.program.functions[id].ty = ty;
            return Ok(());
        }
        if old == ty {
            return Ok(());
        }
        if compatible(self.types(), old, ty) {
            self.program.functions[id].ty = composite(&mut self.program.types, old, ty);
            return Ok(());
        }
        let function = &self.program.functions[id];
        if strict && self.same_file(function.span, span) && !self.is_library(function.name) {
            let (name, at) = (function.name, function.span);
            return Err(self.conflicting_types(name, ty, span, at));
        }
        if function.body.is_none() {
            self.program.functions[id].ty = ty;
        }
        Ok(())
    }

    /// Types of one name in different files are different to us, but not to a linker.
    fn same_file(&self, left: Span, right: Span) -> bool {
        let file =
            |span: Span| self.sources.files().filter(|&file| self.sources.start(file) <= span.start).last();
        file(left) == file(right)
    }

    /// gcc lets programs declare library functions with other types.
    fn is_library(&self, name: Symbol) -> bool {
        is_library_name(self.name(name))
    }

    fn conflicting_types(&mut self, name: Symbol, ty: TypeId, span: Span, previous: Span) -> Reported {
        let message = format!("conflicting types for '{}'; have '{}'", self.name(name), self.show(ty));
        self.error_with_note(span, message, previous, "previous declaration is here")
    }

    pub fn other_kind(&mut self, name: Symbol, span: Span, previous: Span) -> Reported {
        let message = format!("'{}' redeclared as different kind of symbol", self.name(name));
        self.error_with_note(span, message, previous, "previous declaration is here")
    }

    /// Finds or makes the variable with linkage that is declared and merges its type.
    pub fn link_variable(&mut self, declared: Linked) -> Checked<VariableId> {
        let Linked { name, symbol, ty, is_static, span } = declared;
        let visible = self.linked_entity(name);
        let (found, strict) = match visible {
            Entity::Variable(_) => (visible, true),
            _ if is_static => (Entity::Nothing, false),
            _ => (self.links.external(symbol), false),
        };
        let id = match found {
            Entity::Variable(id) => {
                self.merge_variable(id, ty, strict, span)?;
                id
            }
            Entity::Function(id) => return Err(self.other_kind(name, span, self.program.functions[id].span)),
            _ => {
                let storage = Storage::External;
                let variable = Variable::new(name, ty, storage, span);
                let id = self.program.variables.push(Variable { is_external: !is_static, ..variable });
                self.program.globals.push(id);
                if !is_static {
                    self.links.set_external(symbol, Entity::Variable(id));
                }
                id
            }
        };
        if visible != Entity::Variable(id) || self.scopes.lookup_here(name) == Entity::Nothing {
            self.scopes.bind(name, Entity::Variable(id));
        }
        Ok(id)
    }

    fn merge_variable(&mut self, id: VariableId, ty: TypeId, strict: bool, span: Span) -> Checked<()> {
        let old = self.program.variables[id].ty;
        if old == ty {
            return Ok(());
        }
        if compatible(self.types(), old, ty) {
            let merged = composite(&mut self.program.types, old, ty);
            self.links.completed_late |= merged != old;
            self.program.variables[id].ty = merged;
        } else if strict && self.same_file(self.program.variables[id].span, span) {
            let (name, at) = (self.program.variables[id].name, self.program.variables[id].span);
            return Err(self.conflicting_types(name, ty, span, at));
        } else if self.program.variables[id].storage == Storage::External {
            self.program.variables[id].ty = ty;
        }
        Ok(())
    }

    /// At the end of a file: what the names are that aliases stand for.
    pub fn resolve_aliases(&mut self) {
        self.links.weak.clear();
        for (alias, target) in std::mem::take(&mut self.links.aliases) {
            let meaning = self.scopes.lookup(target).entity;
            match (alias, meaning) {
                (Entity::Function(_), Entity::Function(_)) | (Entity::Variable(_), Entity::Variable(_)) => {
                    self.links.meanings.push((alias, meaning));
                }
                _ => {
                    let span = match alias {
                        Entity::Function(id) => self.program.functions[id].span,
                        Entity::Variable(id) => self.program.variables[id].span,
                        _ => Span::NONE,
                    };
                    let message = format!("alias of undefined symbol '{}'", self.name(target));
                    self.error(span, message);
                }
            }
        }
    }

    /// Puts what aliases mean in their place.
    fn replace_aliases(&mut self) {
        let meanings = std::mem::take(&mut self.links.meanings);
        if meanings.is_empty() {
            return;
        }
        // An alias may stand for another one.
        let resolve = |mut entity: Entity| {
            for _ in 0..=meanings.len() {
                match meanings.iter().find(|&&(alias, _)| alias == entity) {
                    Some(&(_, meaning)) => entity = meaning,
                    None => break,
                }
            }
            entity
        };
        for index in 0..self.program.exprs.len() {
            let expr = ExprId::from_index(index);
            let entity = match self.program.exprs[expr].kind {
                ExprKind::Function(id) => Entity::Function(id),
                ExprKind::Variable(id) => Entity::Variable(id),
                _ => continue,
            };
            match resolve(entity) {
                Entity::Function(id) => self.program.exprs[expr].kind = ExprKind::Function(id),
                Entity::Variable(id) => self.program.exprs[expr].kind = ExprKind::Variable(id),
                _ => {}
            }
        }
    }

    /// What can only be done when all files are known.
    pub fn finish_program(&mut self) {
        self.replace_aliases();
        self.convert_unprototyped_arguments();
        let mut constructors = std::mem::take(&mut self.links.constructors);
        constructors.retain(|&(_, id)| self.program.functions[id].body.is_some());
        constructors.sort_by_key(|&(priority, _)| priority);
        self.program.constructors = constructors.into_iter().map(|(_, id)| id).collect();
        self.update_variable_types();
        let main = self.links.external(self.names.main);
        if let Entity::Function(id) = main
            && self.program.functions[id].body.is_some()
        {
            self.program.main = Some(id);
        }
    }

    /// At the end of a file, `int a[];` has one element, and other objects must be complete.
    pub fn finish_tentative_definitions(&mut self, first: usize) {
        for index in first..self.program.globals.len() {
            let id = self.program.globals[index];
            let Variable { ty, storage, span, name, .. } = self.program.variables[id];
            if storage != Storage::Static {
                continue;
            }
            if let Type::Array { element, length: Length::Unknown } = *self.types().get(ty) {
                self.program.variables[id].ty = self.program.types.array_of(element, Length::Known(1));
                self.links.completed_late = true;
            }
            let _ = self.check_complete(self.program.variables[id].ty, name, span);
        }
    }

    /// Arguments of calls without a prototype arrive promoted. Where the function turns out to be
    /// defined, they are converted to the parameters here, which comes to the same.
    fn convert_unprototyped_arguments(&mut self) {
        for call in std::mem::take(&mut self.links.unprototyped_calls) {
            let ExprKind::Call { callee, arguments } = self.kind(call) else { continue };
            let ExprKind::AddressOf(designator) = self.kind(callee) else { continue };
            let ExprKind::Function(id) = self.kind(designator) else { continue };
            let Function { ty, ref body, .. } = self.program.functions[id];
            if body.is_none() {
                continue;
            }
            for index in 0..arguments.len() {
                let argument = self.program.expr_lists[arguments][index];
                let Some(parameter) = self.parameter(ty, index) else { break };
                let from = self.type_of(argument);
                if self.types().is_scalar(parameter) && self.types().is_scalar(from) {
                    let converted = self.cast(argument, parameter, self.span_of(argument));
                    self.program.expr_lists[arguments][index] = converted;
                }
            }
        }
    }

    /// Uses before an array's length was known get the type of the object.
    fn update_variable_types(&mut self) {
        if !self.links.completed_late {
            return;
        }
        for index in 0..self.program.exprs.len() {
            let expr = ExprId::from_index(index);
            let ExprKind::Variable(variable) = self.program.exprs[expr].kind else { continue };
            let incomplete =
                matches!(self.types().get(self.type_of(expr)), Type::Array { length: Length::Unknown, .. });
            if incomplete && !self.declared_types.contains_key(&variable) {
                self.program.exprs[expr].ty = self.program.variables[variable].ty;
            }
        }
    }
}

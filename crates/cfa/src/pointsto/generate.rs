//! From edges to constraints.
//!
//! Integers are followed like pointers, since a pointer may be stored in one: a cast keeps the
//! target, arithmetic on integers loses the offset. Comparisons, differences of pointers and floats
//! hold no pointers. An integer that becomes a pointer may also be any address outside.

use super::constraints::{Argument, Constraint, Destination, Site, System};
use super::memory::{ObjectKind, Offset, Step};
use super::solve::holds_pointers;
use crate::graph::NO_NODE;
use crate::liveness::Liveness;
use crate::program::*;
use rustc_hash::FxHashMap;
use sema::types::{Type, TypeId};

/// Whether a value arrives as it is, or pointers in it with their offsets lost.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Exactness {
    Exact,
    Lost,
}
use Exactness::{Exact, Lost};

impl System<'_> {
    pub fn generate(&mut self) {
        self.make_objects();
        let program = self.program;
        for (function, _, body) in program.defined_functions() {
            for id in body.edges.clone().map(EdgeId) {
                self.edge(function, id);
            }
        }
        self.uninitialised();
    }

    fn make_objects(&mut self) {
        let program = self.program;
        for (id, variable) in program.variables.enumerated() {
            self.add_object(ObjectKind::Variable(id), Some(variable.ty), false);
        }
        let outside = self.add_object(ObjectKind::Outside, None, false);
        let contents = self.memory.cells(outside).start;
        self.add_target(contents, outside, Offset::Any);
        for (id, function, _) in program.defined_functions() {
            if let Type::Function { result, .. } = *program.types.get(function.ty) {
                self.returns[id.0 as usize] = self.new_record(result);
            }
        }
        self.heap_types = heap_types(program);
    }

    fn edge(&mut self, function: FunctionId, id: EdgeId) {
        match self.program.edges[id].kind {
            EdgeKind::Assign { target, value } => self.assign(target, value),
            EdgeKind::Input { target, .. } => {
                let destination = self.resolve(target);
                self.unknown_value(destination, self.program.places[target].ty);
            }
            EdgeKind::Return { value: Some(value) } => {
                let ty = self.program.exprs[value].ty;
                let to = self.returns[function.0 as usize];
                if self.program.types.record(ty).is_some() {
                    self.record_value(value, ty, to);
                } else if to != NO_NODE {
                    self.flow(to, value, Exact);
                }
            }
            EdgeKind::Call(call) => self.call(id, call),
            EdgeKind::VaStart { list } => {
                let rest = self.object(ObjectKind::Variadic(function));
                let node = self.constant(rest, Offset::Any);
                let destination = self.resolve(list);
                self.store_scalar(destination, None, node);
            }
            EdgeKind::VaArg { target, list } => self.variadic_argument(target, list),
            EdgeKind::VaCopy { target, list } => {
                let source = self.resolve(list);
                let node = self.new_node();
                self.load_scalar(source, None, node);
                let destination = self.resolve(target);
                self.store_scalar(destination, None, node);
            }
            _ => {}
        }
    }

    fn variadic_argument(&mut self, target: PlaceId, list: PlaceId) {
        let ty = self.program.places[target].ty;
        let source = self.resolve(list);
        let node = self.new_node();
        self.load_scalar(source, None, node);
        let destination = self.resolve(target);
        if self.program.types.record(ty).is_some() {
            let first = self.new_record(ty);
            self.add_constraint(node, Constraint::LoadRecord { ty, to: first });
            return self.store_record_to(destination, ty, first);
        }
        let value = self.new_node();
        self.add_constraint(node, Constraint::Load { size: None, to: value });
        self.store_scalar(destination, self.program.types.size_of(ty), value);
    }

    fn assign(&mut self, target: PlaceId, value: ExprId) {
        let ty = self.program.places[target].ty;
        match self.program.types.get(ty) {
            Type::Record(_) => {
                let first = self.new_record(ty);
                self.record_value(value, ty, first);
                let destination = self.resolve(target);
                self.store_record_to(destination, ty, first);
            }
            // The bytes of a pointer may be copied as those of a float.
            Type::Float(_) if matches!(self.program.exprs[value].kind, ExprKind::Load(_)) => {
                self.assign_scalar(target, value);
            }
            Type::Array { .. } | Type::Float(_) | Type::Complex(_) => {}
            _ => self.assign_scalar(target, value),
        }
    }

    fn assign_scalar(&mut self, target: PlaceId, value: ExprId) {
        let size = self.program.types.size_of(self.program.places[target].ty);
        let destination = self.resolve(target);
        if let Destination::Fixed(object, offset) = destination {
            let touched = self.memory.touched(&self.program.types, object, offset, size);
            if touched.len() == 1 {
                return self.flow(touched.start, value, Exact);
            }
        }
        if let Some(node) = self.value(value) {
            self.store_scalar(destination, size, node);
        }
    }

    fn store_scalar(&mut self, destination: Destination, size: Option<u64>, from: u32) {
        match destination {
            Destination::Nowhere => {}
            Destination::Fixed(object, offset) => self.store(object, offset, size, from),
            Destination::Through(node) => self.add_constraint(node, Constraint::Store { size, from }),
        }
    }

    fn load_scalar(&mut self, source: Destination, size: Option<u64>, to: u32) {
        match source {
            Destination::Nowhere => {}
            Destination::Fixed(object, offset) => self.load(object, offset, size, to),
            Destination::Through(node) => self.add_constraint(node, Constraint::Load { size, to }),
        }
    }

    fn store_record_to(&mut self, destination: Destination, ty: TypeId, from: u32) {
        match destination {
            Destination::Nowhere => {}
            Destination::Fixed(object, offset) => self.store_record(object, offset, ty, from),
            Destination::Through(node) => self.add_constraint(node, Constraint::StoreRecord { ty, from }),
        }
    }

    /// Puts the cells of a record into the nodes from `to` on.
    fn record_value(&mut self, value: ExprId, ty: TypeId, to: u32) {
        match self.program.exprs[value].kind {
            ExprKind::Load(place) => match self.resolve(place) {
                Destination::Nowhere => {}
                Destination::Fixed(object, offset) => self.load_record(object, offset, ty, to),
                Destination::Through(node) => self.add_constraint(node, Constraint::LoadRecord { ty, to }),
            },
            ExprKind::Conditional { then, otherwise, .. } => {
                self.record_value(then, ty, to);
                self.record_value(otherwise, ty, to);
            }
            ExprKind::Cast(inner) => self.record_value(inner, ty, to),
            _ => {}
        }
    }

    /// A value of the type, unknown, goes to the destination.
    pub fn unknown_value(&mut self, destination: Destination, ty: TypeId) {
        if holds_pointers(&self.program.types, ty) {
            let outside = self.outside();
            self.store_scalar(destination, self.program.types.size_of(ty), outside);
        }
    }

    /// The object or the pointer that a place is at.
    pub fn resolve(&mut self, place: PlaceId) -> Destination {
        let program = self.program;
        let Place { base, projections, .. } = program.places[place];
        let start = match base {
            PlaceBase::Variable(variable) => {
                Destination::Fixed(self.object(ObjectKind::Variable(variable)), Offset::At(0))
            }
            PlaceBase::String(string) => {
                Destination::Fixed(self.object(ObjectKind::String(string)), Offset::Any)
            }
            PlaceBase::Dereference(pointer) => {
                self.value(pointer).map_or(Destination::Nowhere, Destination::Through)
            }
        };
        program.projections[projections].iter().fold(start, |at, &projection| {
            let step = projection_step(program, projection);
            match at {
                Destination::Nowhere => Destination::Nowhere,
                Destination::Fixed(object, offset) => {
                    Destination::Fixed(object, self.memory.step(&program.types, object, offset, step))
                }
                Destination::Through(node) => Destination::Through(self.moved(node, step)),
            }
        })
    }

    /// A node that holds the value of a scalar expression, if there can be pointers in it.
    pub fn value(&mut self, expr: ExprId) -> Option<u32> {
        let program = self.program;
        match program.exprs[expr].kind {
            ExprKind::Load(place) => {
                if let Destination::Fixed(object, offset) = self.resolve(place) {
                    let size = program.types.size_of(program.places[place].ty);
                    let touched = self.memory.touched(&program.types, object, offset, size);
                    if touched.len() == 1 {
                        return Some(touched.start);
                    }
                }
            }
            ExprKind::AddressOf(place) => match self.resolve(place) {
                Destination::Nowhere => return None,
                Destination::Fixed(object, offset) => return Some(self.constant(object, offset)),
                Destination::Through(node) => return Some(node),
            },
            ExprKind::FunctionAddress(function) => {
                let object = self.object(ObjectKind::Function(function));
                return Some(self.constant(object, Offset::Any));
            }
            ExprKind::Int(0) | ExprKind::Float(_) => return None,
            ExprKind::Int(_) if !program.types.is_pointer(program.exprs[expr].ty) => return None,
            ExprKind::Cast(inner) if !may_invent(program, expr, inner) => return self.value(inner),
            ExprKind::PointerAdd { pointer, index, scale } if !is_null(program, pointer) => {
                let node = self.value(pointer)?;
                return Some(self.moved(node, addition_step(program, index, scale)));
            }
            _ => {}
        }
        let node = self.new_node();
        self.flow(node, expr, Exact);
        Some(node)
    }

    /// Lets the value of a scalar expression flow to a node.
    fn flow(&mut self, to: u32, expr: ExprId, exactness: Exactness) {
        let program = self.program;
        let Expr { kind, ty, .. } = program.exprs[expr];
        match kind {
            ExprKind::Int(value) if value != 0 && program.types.is_pointer(ty) => {
                let outside = self.outside();
                self.add_copy(outside, to);
            }
            ExprKind::Load(place) => self.flow_load(to, place, exactness),
            ExprKind::AddressOf(_) | ExprKind::FunctionAddress(_) => self.flow_node(to, expr, exactness),
            ExprKind::LabelAddress(label) => {
                let location = program.labels.get(label as usize).copied();
                if let Some(location) = location {
                    let object = self.object(ObjectKind::Label(location));
                    self.add_target(to, object, Offset::Any);
                }
            }
            ExprKind::Unary { op: UnaryOp::Negate | UnaryOp::BitNot, operand }
            | ExprKind::Intrinsic { intrinsic: Intrinsic::ByteSwap, operand } => self.flow(to, operand, Lost),
            ExprKind::Binary { op, left, right } if !is_comparison(op) => {
                self.flow(to, left, Lost);
                self.flow(to, right, Lost);
            }
            ExprKind::PointerAdd { pointer, index, .. } if is_null(program, pointer) => {
                self.flow(to, index, Lost);
                let outside = self.outside();
                self.add_copy(outside, to);
            }
            ExprKind::PointerAdd { pointer, .. } if exactness == Lost => self.flow(to, pointer, Lost),
            ExprKind::PointerAdd { .. } => self.flow_node(to, expr, exactness),
            ExprKind::Conditional { then, otherwise, .. } => {
                self.flow(to, then, exactness);
                self.flow(to, otherwise, exactness);
            }
            ExprKind::Cast(inner) => self.flow_cast(to, expr, inner, exactness),
            _ => {}
        }
    }

    fn flow_cast(&mut self, to: u32, cast: ExprId, inner: ExprId, exactness: Exactness) {
        let types = &self.program.types;
        let holds = |ty: TypeId| !types.is_float(ty) && *types.get(ty) != Type::Bool;
        if !holds(self.program.exprs[cast].ty) || !holds(self.program.exprs[inner].ty) {
            return;
        }
        if may_invent(self.program, cast, inner) {
            let outside = self.outside();
            self.add_copy(outside, to);
        }
        self.flow(to, inner, exactness);
    }

    fn flow_load(&mut self, to: u32, place: PlaceId, exactness: Exactness) {
        let size = self.program.types.size_of(self.program.places[place].ty);
        let source = self.resolve(place);
        if exactness == Exact {
            return self.load_scalar(source, size, to);
        }
        let via = match source {
            Destination::Fixed(object, offset) => {
                let touched = self.memory.touched(&self.program.types, object, offset, size);
                if touched.len() == 1 { touched.start } else { self.collected(object) }
            }
            _ => {
                let via = self.new_node();
                self.load_scalar(source, size, via);
                via
            }
        };
        self.add_constraint(via, Constraint::Move { step: Step::Anywhere, to });
    }

    fn flow_node(&mut self, to: u32, expr: ExprId, exactness: Exactness) {
        let Some(node) = self.value(expr) else { return };
        if exactness == Exact {
            self.add_copy(node, to);
        } else {
            self.add_constraint(node, Constraint::Move { step: Step::Anywhere, to });
        }
    }

    fn call(&mut self, edge: EdgeId, call: CallId) {
        let program = self.program;
        let call = &program.calls[call];
        let arguments = &program.expr_lists[call.arguments];
        let arguments = arguments.iter().map(|&argument| self.argument(argument)).collect();
        let result = call.result.map_or(Destination::Nowhere, |place| self.resolve(place));
        let result_type = call.result.map_or(TypeId::VOID, |place| program.places[place].ty);
        let site = self.add_site(Site { edge, is_callback: false, arguments, result, result_type });
        match call.callee {
            Callee::Direct(function) => self.link(site, function),
            Callee::Indirect(callee) => match self.value(callee) {
                Some(node) => self.add_constraint(node, Constraint::Call { site }),
                None => self.unknown_result(site),
            },
        }
    }

    pub fn add_site(&mut self, site: Site) -> u32 {
        self.sites.push(site);
        self.sites.len() as u32 - 1
    }

    fn argument(&mut self, expr: ExprId) -> Argument {
        let ty = self.program.exprs[expr].ty;
        if self.program.types.record(ty).is_some() {
            let first = self.new_record(ty);
            self.record_value(expr, ty, first);
            return Argument::Record(first, ty);
        }
        if self.program.types.is_float(ty) {
            return Argument::Plain;
        }
        self.value(expr).map_or(Argument::Plain, Argument::Scalar)
    }

    /// Memory that is read before it is written holds anything, hence pointers to outside: locals in
    /// memory always may, plain ones if they are live where they are born.
    fn uninitialised(&mut self) {
        let program = self.program;
        let liveness = Liveness::new(program);
        for (_, _, body) in program.defined_functions() {
            for id in body.edges.clone().map(EdgeId) {
                let edge = &program.edges[id];
                if let EdgeKind::Declare { variable } | EdgeKind::DeclareVla { variable, .. } = edge.kind
                    && liveness.is_live(edge.to, variable)
                {
                    self.unknown_variable(variable);
                }
            }
            for &variable in &body.locals {
                if liveness.is_tracked(variable) && liveness.is_live(body.entry, variable) {
                    self.unknown_variable(variable);
                }
            }
        }
    }

    fn unknown_variable(&mut self, variable: VariableId) {
        let object = self.object(ObjectKind::Variable(variable));
        self.unknown_value(Destination::Fixed(object, Offset::Any), self.program.variables[variable].ty);
    }
}

pub fn projection_step(program: &Program, projection: Projection) -> Step {
    match projection {
        Projection::Field { record, field } => {
            let field = program.types.fields(record).get(field as usize);
            field.map_or(Step::Anywhere, |field| Step::Member(record.unqualified(), field.offset as i64))
        }
        Projection::Index { size, .. } => Step::Elements(size),
    }
}

pub fn addition_step(program: &Program, index: ExprId, scale: i64) -> Step {
    let Expr { kind, ty, .. } = program.exprs[index];
    let size = scale.unsigned_abs();
    match kind {
        ExprKind::Int(bits) => {
            let count = program.types.int_value(ty, bits).checked_mul(i128::from(scale.signum()));
            match count.and_then(|count| i64::try_from(count).ok()) {
                Some(count) => Step::KnownElements(count, size),
                None => Step::Anywhere,
            }
        }
        ExprKind::Cast(inner) if matches!(program.exprs[inner].kind, ExprKind::Int(_)) => {
            addition_step(program, inner, scale)
        }
        _ => Step::Elements(size),
    }
}

/// The cast makes a pointer of an integer that is not itself a pointer cast to an integer.
pub fn may_invent(program: &Program, cast: ExprId, inner: ExprId) -> bool {
    let types = &program.types;
    let from = program.exprs[inner].ty;
    if !types.is_pointer(program.exprs[cast].ty) || types.is_pointer(from) {
        return false;
    }
    match program.exprs[inner].kind {
        ExprKind::Int(0) => false,
        ExprKind::Cast(innermost) => {
            types.size_of(from) < Some(types.pointer_size()) || may_invent(program, cast, innermost)
        }
        _ => true,
    }
}

pub fn is_null(program: &Program, expr: ExprId) -> bool {
    match program.exprs[expr].kind {
        ExprKind::Int(value) => value == 0,
        ExprKind::Cast(inner) => is_null(program, inner),
        _ => false,
    }
}

pub fn is_comparison(op: BinaryOp) -> bool {
    use BinaryOp::*;
    matches!(op, Less | LessEqual | Greater | GreaterEqual | Equal | NotEqual)
}

/// What each allocation is an array of: the type that its result is cast to, if there is just one.
fn heap_types(program: &Program) -> FxHashMap<EdgeId, TypeId> {
    let mut casts: FxHashMap<VariableId, Option<TypeId>> = FxHashMap::default();
    for expr in program.exprs.iter() {
        if let Some((variable, ty)) = cast_of_variable(program, expr) {
            let known = casts.entry(variable).or_insert(Some(ty));
            if *known != Some(ty) {
                *known = None;
            }
        }
    }
    let allocation = |(id, edge): (EdgeId, &Edge)| {
        let EdgeKind::Call(call) = edge.kind else { return None };
        let variable = program.as_variable(program.calls[call].result?)?;
        let ty = (*casts.get(&variable)?)?;
        Some((id, ty))
    };
    program.edges.enumerated().filter_map(allocation).collect()
}

/// `(T *)variable` where the variable is a `void *`.
fn cast_of_variable(program: &Program, expr: &Expr) -> Option<(VariableId, TypeId)> {
    let ExprKind::Cast(inner) = expr.kind else { return None };
    let ExprKind::Load(place) = program.exprs[inner].kind else { return None };
    let variable = program.as_variable(place)?;
    let from = program.types.pointee(program.variables[variable].ty)?;
    let to = program.types.pointee(expr.ty)?.unqualified();
    let known = program.types.size_of(to).is_some_and(|size| size > 1);
    (*program.types.get(from) == Type::Void && known).then_some((variable, to))
}

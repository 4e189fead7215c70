//! Checks that a program keeps what the head of [`program`](crate::program) promises.
//!
//! Used by tests and debug builds: whoever makes or changes a program can ask whether it still is one.

use crate::program::*;
use base::arena::Id;
use sema::types::{Type, TypeId};
use std::fmt;

/// What is wrong, in words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Violation(pub String);

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

type Check = Result<(), Violation>;

fn ensure(holds: bool, message: impl FnOnce() -> String) -> Check {
    if holds { Ok(()) } else { Err(Violation(message())) }
}

/// The first violation found, if any.
pub fn validate(program: &Program) -> Check {
    let mut checker = Checker { program, depths: vec![0; program.exprs.len()] };
    checker.functions()?;
    for edge in program.edges.ids() {
        checker.edge(edge)?;
    }
    Ok(())
}

struct Checker<'p> {
    program: &'p Program,
    /// Of expressions checked so far; 0 for the others.
    depths: Vec<u8>,
}

impl Checker<'_> {
    fn functions(&self) -> Check {
        let program = self.program;
        let mut spans: Vec<(&Body, FunctionId)> =
            program.defined_functions().map(|(id, _, body)| (body, id)).collect();
        spans.sort_by_key(|(body, _)| body.locations.start);
        let (mut locations, mut edges) = (0, 0);
        for (body, function) in spans {
            let name = || program.function_name(function).to_string();
            ensure(body.locations.start == locations && body.edges.start == edges, || {
                format!("{}: locations or edges are not contiguous", name())
            })?;
            (locations, edges) = (body.locations.end, body.edges.end);
            self.body(function, body)?;
        }
        ensure(locations as usize == program.locations.len(), || "locations of no function".into())?;
        ensure(edges as usize == program.edges.len(), || "edges of no function".into())
    }

    fn body(&self, function: FunctionId, body: &Body) -> Check {
        let program = self.program;
        let mut next_edge = body.edges.start;
        for number in body.locations.clone() {
            let location = LocationId(number);
            let found = program.locations[location];
            ensure(found.function == function, || format!("{location:?} is of another function"))?;
            ensure(found.first_edge.0 == next_edge || found.edge_count == 0, || {
                format!("edges of {location:?} are not in order")
            })?;
            next_edge += found.edge_count;
            for edge in program.leaving(location) {
                ensure(edge.from == location && body.locations.contains(&edge.to.0), || {
                    format!("an edge out of {location:?} is not")
                })?;
                ensure((edge.to == body.exit) == matches!(edge.kind, EdgeKind::Return { .. }), || {
                    format!("an edge from {location:?} to the exit is no return, or the other way round")
                })?;
            }
            self.leaving(location)?;
            self.entering(location)?;
        }
        ensure(next_edge == body.edges.end, || "edges of no location".into())?;
        ensure(program.leaving(body.exit).is_empty(), || format!("edges out of exit {:?}", body.exit))?;
        self.reachable(body)
    }

    fn leaving(&self, location: LocationId) -> Check {
        let edges = self.program.leaving(location);
        let truths: Option<Vec<_>> = edges
            .iter()
            .map(|edge| match edge.kind {
                EdgeKind::Assume { condition, truth } => Some((condition, truth)),
                _ => None,
            })
            .collect();
        let fine = match truths.as_deref() {
            _ if edges.len() <= 1 => true,
            Some(&[(left, true), (right, false)]) => left == right,
            Some(several) => several.iter().all(|&(condition, truth)| truth && self.names_label(condition)),
            None => false,
        };
        ensure(fine, || format!("the edges out of {location:?} do not fit together"))
    }

    fn names_label(&self, condition: ExprId) -> bool {
        match self.program.exprs[condition].kind {
            ExprKind::Binary { op: BinaryOp::Equal, right, .. } => {
                matches!(self.program.exprs[right].kind, ExprKind::LabelAddress(_))
            }
            _ => false,
        }
    }

    fn entering(&self, location: LocationId) -> Check {
        let program = self.program;
        let entering = program.entering(location);
        ensure(entering.iter().all(|&edge| program.edges[edge].to == location), || {
            format!("{location:?} lists an edge that does not enter it")
        })?;
        ensure(entering.windows(2).all(|pair| pair[0] < pair[1]), || {
            format!("the edges into {location:?} are not in order")
        })
    }

    /// Everything but the exit is reachable, and every edge is in one list of entering edges.
    fn reachable(&self, body: &Body) -> Check {
        let program = self.program;
        let index = |location: LocationId| (location.0 - body.locations.start) as usize;
        let mut seen = vec![false; body.locations.len()];
        seen[index(body.entry)] = true;
        seen[index(body.exit)] = true;
        let mut open = vec![body.entry];
        let mut entering = 0;
        while let Some(location) = open.pop() {
            entering += program.entering(location).len();
            for edge in program.leaving(location) {
                if !std::mem::replace(&mut seen[index(edge.to)], true) {
                    open.push(edge.to);
                }
            }
        }
        entering += program.entering(body.exit).len();
        ensure(seen.iter().all(|&seen| seen), || format!("unreachable locations in {:?}", body.locations))?;
        ensure(entering == body.edges.len(), || format!("entering edges missing in {:?}", body.locations))
    }

    fn edge(&mut self, id: EdgeId) -> Check {
        let program = self.program;
        let edge = program.edges[id];
        let context = |Violation(what)| Violation(format!("{id:?} from {:?}: {what}", edge.from));
        match edge.kind {
            EdgeKind::Skip => ensure(edge.from == edge.to, || "a skip that leads elsewhere".into()),
            EdgeKind::Unsupported(_)
            | EdgeKind::Approximate(_)
            | EdgeKind::Declare { .. }
            | EdgeKind::EndOfLife { .. }
            | EdgeKind::Return { value: None } => Ok(()),
            EdgeKind::Assume { condition, .. } => self.scalar(condition),
            EdgeKind::Assign { target, value } => self.assign(target, value),
            EdgeKind::Zero { target } | EdgeKind::Input { target, .. } => self.place(target),
            EdgeKind::DeclareVla { size, .. } => self.scalar(size),
            EdgeKind::Call(call) => self.call(program.calls[call]),
            EdgeKind::Return { value: Some(value) } => self.expr(value),
            EdgeKind::VaStart { list } | EdgeKind::VaEnd { list } => self.place(list),
            EdgeKind::VaArg { target, list } | EdgeKind::VaCopy { target, list } => {
                self.place(target).and_then(|()| self.place(list))
            }
        }
        .map_err(context)
    }

    fn scalar(&mut self, expr: ExprId) -> Check {
        let ty = self.program.exprs[expr].ty;
        ensure(self.program.types.is_scalar(ty), || format!("{expr:?} is no scalar"))?;
        self.expr(expr)
    }

    fn assign(&mut self, target: PlaceId, value: ExprId) -> Check {
        let program = self.program;
        let (to, from) = (program.places[target].ty, program.exprs[value].ty);
        let string = matches!(program.types.get(to), Type::Array { .. });
        ensure(string || self.agree(to, from), || {
            format!("assignment of {} to {}", self.type_name(from), self.type_name(to))
        })?;
        self.place(target)?;
        self.expr(value)
    }

    fn call(&mut self, call: Call) -> Check {
        let program = self.program;
        if let Callee::Indirect(pointer) = call.callee {
            self.expr(pointer)?;
        }
        for &argument in &program.expr_lists[call.arguments] {
            self.expr(argument)?;
        }
        let Some(result) = call.result else { return Ok(()) };
        let function = match call.callee {
            Callee::Direct(function) => Some(program.functions[function].ty),
            Callee::Indirect(pointer) => program.types.pointee(program.exprs[pointer].ty),
        };
        if let Some(Type::Function { result: ty, .. }) = function.map(|ty| program.types.get(ty)) {
            ensure(self.agree(program.places[result].ty, *ty), || {
                format!(
                    "a result of type {} in a {}",
                    self.type_name(*ty),
                    self.type_name(program.places[result].ty)
                )
            })?;
        }
        self.place(result)
    }

    /// The same type; or pointers, which differ in qualifiers too often to be strict about.
    fn agree(&self, left: TypeId, right: TypeId) -> bool {
        let types = &self.program.types;
        left.unqualified() == right.unqualified() || (types.is_pointer(left) && types.is_pointer(right))
    }

    fn type_name(&self, ty: TypeId) -> String {
        crate::type_name::type_name(self.program, ty)
    }

    fn place(&mut self, place: PlaceId) -> Check {
        self.place_depth(place).map(|_| ())
    }

    fn expr(&mut self, expr: ExprId) -> Check {
        self.expr_depth(expr).map(|_| ())
    }

    fn place_depth(&mut self, place: PlaceId) -> Result<u8, Violation> {
        let program = self.program;
        let Place { base, projections, .. } = program.places[place];
        let mut depth = match base {
            PlaceBase::Dereference(pointer) => {
                let ty = program.exprs[pointer].ty;
                ensure(program.types.is_pointer(ty), || format!("{place:?} dereferences no pointer"))?;
                self.expr_depth(pointer)?
            }
            PlaceBase::Variable(variable) => {
                ensure(variable.index() < program.variables.len(), || {
                    format!("{variable:?} does not exist")
                })?;
                0
            }
            PlaceBase::String(_) => 0,
        };
        for projection in &program.projections[projections] {
            match *projection {
                Projection::Index { index, .. } => {
                    let ty = program.exprs[index].ty;
                    ensure(program.types.is_integer(ty), || format!("an index of {place:?} is no integer"))?;
                    depth = depth.max(self.expr_depth(index)?);
                }
                Projection::Field { record, field } => {
                    ensure((field as usize) < program.types.fields(record).len(), || {
                        format!("{place:?} has no field {field}")
                    })?;
                }
            }
        }
        Ok(depth)
    }

    fn expr_depth(&mut self, expr: ExprId) -> Result<u8, Violation> {
        let known = self.depths[expr.index()];
        if known != 0 {
            return Ok(known);
        }
        let Expr { kind, ty, .. } = self.program.exprs[expr];
        self.operand_types(expr)?;
        let below = match kind {
            ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::FunctionAddress(_)
            | ExprKind::LabelAddress(_) => 0,
            ExprKind::Load(place) => self.place_depth(place)?,
            ExprKind::AddressOf(place) => {
                self.addressed(place)?;
                self.place_depth(place)?
            }
            ExprKind::Unary { operand, .. }
            | ExprKind::Cast(operand)
            | ExprKind::Intrinsic { operand, .. } => self.expr_depth(operand)?,
            ExprKind::Binary { left, right, .. }
            | ExprKind::PointerAdd { pointer: left, index: right, .. }
            | ExprKind::PointerDifference { left, right, .. }
            | ExprKind::Overflows { left, right, .. }
            | ExprKind::FloatCompare { left, right, .. } => {
                self.expr_depth(left)?.max(self.expr_depth(right)?)
            }
            ExprKind::Conditional { condition, then, otherwise } => {
                self.expr_depth(condition)?.max(self.expr_depth(then)?).max(self.expr_depth(otherwise)?)
            }
        };
        ensure(usize::from(below) < MAX_DEPTH, || format!("{expr:?} of type {ty:?} is too deep"))?;
        self.depths[expr.index()] = below + 1;
        Ok(below + 1)
    }

    fn addressed(&self, place: PlaceId) -> Check {
        match self.program.places[place].base {
            PlaceBase::Variable(variable) => ensure(self.program.variables[variable].address_taken, || {
                format!("the address of {variable:?} is taken, but it does not say so")
            }),
            _ => Ok(()),
        }
    }

    fn operand_types(&self, expr: ExprId) -> Check {
        let program = self.program;
        let type_of = |expr: ExprId| program.exprs[expr].ty;
        let fine = match program.exprs[expr].kind {
            ExprKind::Binary { op: BinaryOp::ShiftLeft | BinaryOp::ShiftRight, left, .. } => {
                type_of(left) == type_of(expr)
            }
            ExprKind::Binary { left, right, .. } => self.agree(type_of(left), type_of(right)),
            ExprKind::PointerAdd { pointer, index, .. } => {
                program.types.is_pointer(type_of(pointer)) && program.types.is_integer(type_of(index))
            }
            ExprKind::Conditional { then, otherwise, .. } => self.agree(type_of(then), type_of(otherwise)),
            ExprKind::Load(place) => self.agree(program.places[place].ty, type_of(expr)),
            _ => true,
        };
        ensure(fine, || {
            let text = crate::expression::expression(program, expr);
            format!("the operands of `{text}` do not have the types that they should")
        })
    }
}

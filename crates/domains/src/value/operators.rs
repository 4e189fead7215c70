//! Which operations on signed integers an edge evaluates: all those that the interpreter and the encoder look
//! at for overflow, in expressions, in indices and in library functions.

use super::code::{NodeId, Shape};
use super::compile::Compiler;
use crate::overflow::{Operator as OperatorOn, OperatorKind};
use cfa::library::Library;
use cfa::{
    BinaryOp, Callee, EdgeId, EdgeKind, ExprId, ExprKind, PlaceBase, PlaceId, Program, Projection, UnaryOp,
};
use rustc_hash::FxHashSet;

type Operator = OperatorOn<NodeId>;

impl Compiler<'_> {
    /// Lists the operations of every edge.
    pub(super) fn operators(&mut self) -> Vec<Box<[Operator]>> {
        let program = self.code.program;
        let of_edge = |edge| {
            let mut expressions = Evaluated { program, found: Vec::new(), seen: FxHashSet::default() };
            expressions.edge(edge);
            let mut operators: Vec<Operator> =
                expressions.found.into_iter().filter_map(|expression| self.operator(expression)).collect();
            operators.extend(self.library_operator(edge));
            operators.extend(self.result_operator(edge));
            operators.into()
        };
        program.edges.ids().map(of_edge).collect()
    }

    fn operator(&mut self, id: ExprId) -> Option<Operator> {
        use BinaryOp::{Add, Divide, Multiply, Remainder, ShiftLeft, Subtract};
        let program = self.code.program;
        let (kind, left, right) = match program.exprs[id].kind {
            ExprKind::Unary { op: UnaryOp::Negate, operand } => (OperatorKind::Negate, operand, operand),
            ExprKind::Binary { op, left, right }
                if matches!(op, Add | Subtract | Multiply | Divide | Remainder | ShiftLeft) =>
            {
                (OperatorKind::Binary(op), left, right)
            }
            _ => return None,
        };
        let ty = program.exprs[left].ty;
        program.types.int_shape(ty).filter(|shape| shape.signed)?;
        Some(self.operator_on(kind, self.shape(ty), left, right))
    }

    fn operator_on(
        &mut self,
        kind: OperatorKind,
        shape: Option<Shape>,
        left: ExprId,
        right: ExprId,
    ) -> Operator {
        let bounds = shape.map(Shape::interval);
        Operator { kind, bounds, left: self.expression(left), right: self.expression(right) }
    }

    /// Where a result goes is found out after the call, when operands may have changed.
    fn result_operator(&mut self, edge: EdgeId) -> Option<Operator> {
        let program = self.code.program;
        let EdgeKind::Call(call) = program.edges[edge].kind else { return None };
        let mut expressions = Evaluated { program, found: Vec::new(), seen: FxHashSet::default() };
        expressions.place(program.calls[call].result?);
        let operator = expressions.found.into_iter().find_map(|expression| self.operator(expression))?;
        Some(Operator { kind: OperatorKind::Any, ..operator })
    }

    /// Absolute values and quotients.
    fn library_operator(&mut self, edge: EdgeId) -> Option<Operator> {
        let program = self.code.program;
        let EdgeKind::Call(call) = program.edges[edge].kind else { return None };
        let call = &program.calls[call];
        let arguments = &program.expr_lists[call.arguments];
        let may_be = match call.callee {
            Callee::Direct(function) => vec![function],
            Callee::Indirect(_) => self.code.points_to.callees(edge).to_vec(),
        };
        let kind = may_be.into_iter().find_map(|function| match &program.functions[function] {
            info if info.body.is_none() => overflowing(info.library?),
            _ => None,
        })?;
        let &first = arguments.first()?;
        let second = arguments.get(1).copied().unwrap_or(first);
        let shape = self.shape(program.exprs[first].ty).filter(|shape| shape.signed);
        let direct = matches!(call.callee, Callee::Direct(_));
        Some(self.operator_on(if direct { kind } else { OperatorKind::Any }, shape, first, second))
    }
}

/// What a library function does with its arguments, where it may overflow.
fn overflowing(library: Library) -> Option<OperatorKind> {
    match library {
        Library::Abs | Library::Labs | Library::Llabs => Some(OperatorKind::Negate),
        Library::Div | Library::Ldiv | Library::Lldiv => Some(OperatorKind::Binary(BinaryOp::Divide)),
        _ => None,
    }
}

/// All expressions that an edge evaluates.
struct Evaluated<'p> {
    program: &'p Program,
    found: Vec<ExprId>,
    seen: FxHashSet<ExprId>,
}

impl Evaluated<'_> {
    fn edge(&mut self, edge: EdgeId) {
        let program = self.program;
        let kind = program.edges[edge].kind;
        cfa::usage::for_each_operand(program, &kind, &mut |expression| self.expression(expression));
        cfa::usage::accesses(program, &kind, &mut |access| match access {
            cfa::usage::Access::Read(place)
            | cfa::usage::Access::Write(place)
            | cfa::usage::Access::Address(place) => self.place(place),
            cfa::usage::Access::Birth(_) => {}
        });
    }

    fn expression(&mut self, id: ExprId) {
        if !self.seen.insert(id) {
            return;
        }
        self.found.push(id);
        match self.program.exprs[id].kind {
            ExprKind::Load(place) | ExprKind::AddressOf(place) => self.place(place),
            kind => cfa::usage::for_each_child(kind, &mut |child| self.expression(child)),
        }
    }

    fn place(&mut self, id: PlaceId) {
        let program = self.program;
        let place = program.places[id];
        if let PlaceBase::Dereference(pointer) = place.base {
            self.expression(pointer);
        }
        for projection in &program.projections[place.projections] {
            if let Projection::Index { index, .. } = *projection {
                self.expression(index);
            }
        }
    }
}

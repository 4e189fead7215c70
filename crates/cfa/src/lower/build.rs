//! Making expressions, places and temporaries of the automaton.
//!
//! Each expression made here is accompanied by what it reads and how deep it is, so that the rest of
//! the lowering can tell when a value has to be saved and no expression ever gets too deep.

use super::Lowering;
use super::facts::Footprint;
use crate::program::*;
use base::Span;
use base::arena::Id;
use sema::hir;
use sema::types::{FloatKind, Type, TypeId};
use smallvec::SmallVec;

/// Operands deeper than this are saved in a temporary: an expression around them stays below
/// [`MAX_DEPTH`] then, also as part of a place.
const DEEPEST_OPERAND: u8 = MAX_DEPTH as u8 - 8;

#[derive(Clone, Copy, Debug)]
pub(super) struct ExprFacts {
    pub(super) reads: Footprint,
    pub(super) depth: u8,
}

impl ExprFacts {
    const LEAF: ExprFacts = ExprFacts { reads: Footprint::NOTHING, depth: 0 };

    fn join(self, other: ExprFacts) -> ExprFacts {
        ExprFacts { reads: self.reads.union(other.reads), depth: self.depth.max(other.depth) }
    }
}

/// A place that is still being put together.
pub(super) struct Path {
    pub(super) base: PlaceBase,
    pub(super) projections: SmallVec<[Projection; 4]>,
    pub(super) ty: TypeId,
}

impl Path {
    pub(super) fn new(base: PlaceBase, ty: TypeId) -> Path {
        Path { base, projections: SmallVec::new(), ty }
    }
}

impl Lowering<'_> {
    pub(super) fn type_of(&self, expr: ExprId) -> TypeId {
        self.program.exprs[expr].ty
    }

    pub(super) fn facts_of(&self, expr: ExprId) -> ExprFacts {
        self.expr_facts[expr.index()]
    }

    /// An expression; operands that have become too deep are saved first.
    pub(super) fn expr(&mut self, mut kind: ExprKind, ty: TypeId, span: Span) -> ExprId {
        let mut below = self.facts_below(kind);
        if below.depth > DEEPEST_OPERAND {
            kind = self.flatten(kind);
            below = self.facts_below(kind);
        }
        let id = self.program.exprs.push(Expr { kind, ty: ty.unqualified(), span });
        self.expr_facts.push(ExprFacts { reads: below.reads, depth: below.depth + 1 });
        id
    }

    fn facts_below(&self, kind: ExprKind) -> ExprFacts {
        match kind {
            ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::FunctionAddress(_)
            | ExprKind::LabelAddress(_) => ExprFacts::LEAF,
            ExprKind::Load(place) => {
                let reads = self.footprint(self.program.places[place].base);
                let below = self.place_facts[place.index()];
                ExprFacts { reads: below.reads.union(reads), ..below }
            }
            ExprKind::AddressOf(place) => self.place_facts[place.index()],
            ExprKind::Unary { operand, .. }
            | ExprKind::Cast(operand)
            | ExprKind::Intrinsic { operand, .. } => self.facts_of(operand),
            ExprKind::Binary { left, right, .. }
            | ExprKind::PointerAdd { pointer: left, index: right, .. }
            | ExprKind::PointerDifference { left, right, .. }
            | ExprKind::Overflows { left, right, .. }
            | ExprKind::FloatCompare { left, right, .. } => self.facts_of(left).join(self.facts_of(right)),
            ExprKind::Conditional { condition, then, otherwise } => {
                self.facts_of(condition).join(self.facts_of(then)).join(self.facts_of(otherwise))
            }
        }
    }

    /// The same operation on operands that are not too deep.
    fn flatten(&mut self, mut kind: ExprKind) -> ExprKind {
        match &mut kind {
            ExprKind::Unary { operand, .. }
            | ExprKind::Cast(operand)
            | ExprKind::Intrinsic { operand, .. } => *operand = self.shallow(*operand),
            ExprKind::Binary { left, right, .. }
            | ExprKind::PointerAdd { pointer: left, index: right, .. }
            | ExprKind::PointerDifference { left, right, .. }
            | ExprKind::Overflows { left, right, .. }
            | ExprKind::FloatCompare { left, right, .. } => {
                *left = self.shallow(*left);
                *right = self.shallow(*right);
            }
            ExprKind::Conditional { condition, then, otherwise } => {
                *condition = self.shallow(*condition);
                *then = self.shallow(*then);
                *otherwise = self.shallow(*otherwise);
            }
            // Places are kept shallow when they are made.
            ExprKind::Load(_)
            | ExprKind::AddressOf(_)
            | ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::FunctionAddress(_)
            | ExprKind::LabelAddress(_) => {}
        }
        kind
    }

    fn shallow(&mut self, expr: ExprId) -> ExprId {
        if self.facts_of(expr).depth > DEEPEST_OPERAND { self.save(expr) } else { expr }
    }

    /// The memory that is reached from a base, however far.
    pub(super) fn footprint(&self, base: PlaceBase) -> Footprint {
        match base {
            PlaceBase::Variable(variable) => self.facts.variable(variable),
            PlaceBase::Dereference(_) => Footprint::MEMORY,
            PlaceBase::String(_) => Footprint::NOTHING,
        }
    }

    pub(super) fn place(&mut self, mut path: Path) -> PlaceId {
        if let (PlaceBase::Variable(variable), true) = (path.base, path.projections.is_empty()) {
            return self.variable_place(variable);
        }
        let mut facts = ExprFacts::LEAF;
        if let PlaceBase::Dereference(pointer) = &mut path.base {
            *pointer = self.shallow(*pointer);
            facts = facts.join(self.facts_of(*pointer));
        }
        for projection in &mut path.projections {
            if let Projection::Index { index, .. } = projection {
                *index = self.shallow(*index);
                facts = facts.join(self.facts_of(*index));
            }
        }
        let projections = self.program.projections.push(path.projections);
        self.push_place(Place { base: path.base, projections, ty: path.ty }, facts)
    }

    fn push_place(&mut self, place: Place, facts: ExprFacts) -> PlaceId {
        self.place_facts.push(facts);
        self.program.places.push(place)
    }

    /// The place that is all of a variable; one for each variable.
    pub(super) fn variable_place(&mut self, variable: VariableId) -> PlaceId {
        if let Some(&Some(place)) = self.variable_places.get(variable.index()) {
            return place;
        }
        let ty = self.program.variables[variable].ty;
        let base = PlaceBase::Variable(variable);
        let place = self.push_place(Place { base, projections: base::Range::EMPTY, ty }, ExprFacts::LEAF);
        if self.variable_places.len() <= variable.index() {
            self.variable_places.resize(variable.index() + 1, None);
        }
        self.variable_places[variable.index()] = Some(place);
        place
    }

    pub(super) fn load(&mut self, place: PlaceId, span: Span) -> ExprId {
        let ty = self.program.places[place].ty;
        self.expr(ExprKind::Load(place), ty, span)
    }

    pub(super) fn load_variable(&mut self, variable: VariableId, span: Span) -> ExprId {
        let place = self.variable_place(variable);
        self.load(place, span)
    }

    /// A new variable of the current function that holds a value for a while.
    pub(super) fn temporary(&mut self, ty: TypeId, span: Span) -> VariableId {
        let number = self.frame.temporaries;
        self.frame.temporaries += 1;
        if number == self.temporary_names.len() {
            let name = self.program.names.intern(&format!("${}", number + 1));
            self.temporary_names.push(name);
        }
        let variable = self.program.variables.push(Variable {
            name: self.temporary_names[number],
            ty: ty.unqualified(),
            kind: VariableKind::Temporary(self.frame.function),
            address_taken: false,
            alignment: None,
            span,
        });
        self.frame.locals.push(variable);
        variable
    }

    pub(super) fn temporary_place(&mut self, ty: TypeId, span: Span) -> PlaceId {
        let variable = self.temporary(ty, span);
        self.variable_place(variable)
    }

    /// The value, now: as a temporary, unless it never changes anyway.
    pub(super) fn save(&mut self, value: ExprId) -> ExprId {
        let Expr { ty, span, .. } = self.program.exprs[value];
        let facts = self.facts_of(value);
        if facts.depth <= 1 && facts.reads == Footprint::NOTHING {
            return value;
        }
        let target = self.temporary_place(ty, span);
        self.draft.emit(EdgeKind::Assign { target, value }, span);
        self.load(target, span)
    }

    /// Keeps a value from what evaluating `later` may write.
    pub(super) fn keep(&mut self, value: ExprId, later: hir::ExprId) -> ExprId {
        if self.facts_of(value).reads.meets(self.facts.writes(later)) { self.save(value) } else { value }
    }

    /// Keeps the way to a place (not what is there) from being changed by these writes.
    pub(super) fn pin(&mut self, path: &mut Path, writes: Footprint) {
        if let PlaceBase::Dereference(pointer) = &mut path.base
            && self.facts_of(*pointer).reads.meets(writes)
        {
            *pointer = self.save(*pointer);
        }
        for projection in &mut path.projections {
            if let Projection::Index { index, .. } = projection
                && self.facts_of(*index).reads.meets(writes)
            {
                *index = self.save(*index);
            }
        }
    }

    pub(super) fn int(&mut self, value: i128, ty: TypeId, span: Span) -> ExprId {
        let bits = self.program.types.int_bits(ty, value);
        self.expr(ExprKind::Int(bits), ty, span)
    }

    pub(super) fn float(&mut self, bits: u128, ty: TypeId, span: Span) -> ExprId {
        let id = self.program.floats.push(FloatConstant { bits });
        self.expr(ExprKind::Float(id), ty, span)
    }

    /// Zero of a scalar type.
    pub(super) fn zero(&mut self, ty: TypeId, span: Span) -> ExprId {
        if self.program.types.is_float(ty) { self.float(0, ty, span) } else { self.int(0, ty, span) }
    }

    /// One of an arithmetic type.
    pub(super) fn one(&mut self, ty: TypeId, span: Span) -> ExprId {
        match *self.program.types.get(ty) {
            Type::Float(kind) => self.float(float_one(kind), ty, span),
            _ => self.int(1, ty, span),
        }
    }

    pub(super) fn binary(&mut self, op: BinaryOp, operands: [ExprId; 2], ty: TypeId, span: Span) -> ExprId {
        let [left, right] = operands;
        self.expr(ExprKind::Binary { op, left, right }, ty, span)
    }

    pub(super) fn compare(&mut self, op: BinaryOp, left: ExprId, right: ExprId, span: Span) -> ExprId {
        self.binary(op, [left, right], TypeId::INT, span)
    }

    /// Conversion, where there is anything to convert.
    pub(super) fn cast(&mut self, value: ExprId, ty: TypeId, span: Span) -> ExprId {
        let from = self.type_of(value);
        if from == ty.unqualified() {
            return value;
        }
        let types = &self.program.types;
        let fits = |ty| types.int_shape(ty).is_some_and(|shape| shape.width <= 64);
        if let ExprKind::Int(bits) = self.program.exprs[value].kind
            && fits(from)
            && fits(ty)
        {
            let exact = types.int_value(from, bits);
            let is_bool = matches!(types.get(ty), Type::Bool);
            return self.int(if is_bool { i128::from(exact != 0) } else { exact }, ty, span);
        }
        self.expr(ExprKind::Cast(value), ty, span)
    }

    /// The value compared with zero, as an `int`; itself if it is a truth value already.
    pub(super) fn truth(&mut self, value: ExprId, span: Span) -> ExprId {
        if self.is_zero_or_one(value) {
            return value;
        }
        let zero = self.zero(self.type_of(value), span);
        self.compare(BinaryOp::NotEqual, value, zero, span)
    }

    fn is_zero_or_one(&self, value: ExprId) -> bool {
        match self.program.exprs[value].kind {
            ExprKind::Int(bits) => bits <= 1 && self.type_of(value) == TypeId::INT,
            ExprKind::Unary { op, .. } => op == UnaryOp::LogicalNot,
            ExprKind::Binary { op, .. } => is_comparison(op),
            ExprKind::FloatCompare { .. } => true,
            ExprKind::Conditional { then, otherwise, .. } => {
                self.is_zero_or_one(then) && self.is_zero_or_one(otherwise)
            }
            _ => false,
        }
    }

    /// The value of an integer constant, as far as its bits tell.
    pub(super) fn as_constant(&self, value: ExprId) -> Option<u64> {
        match self.program.exprs[value].kind {
            ExprKind::Int(bits) => Some(bits),
            _ => None,
        }
    }

    /// A load of a whole variable (perhaps converted), or a constant: free to repeat.
    pub(super) fn is_trivial(&self, value: ExprId) -> bool {
        match self.program.exprs[value].kind {
            ExprKind::Load(place) => self.program.as_variable(place).is_some(),
            ExprKind::Cast(operand) => self.is_trivial(operand),
            ExprKind::Int(_) | ExprKind::Float(_) => true,
            _ => false,
        }
    }
}

pub(super) fn is_comparison(op: BinaryOp) -> bool {
    use BinaryOp::*;
    matches!(op, Less | LessEqual | Greater | GreaterEqual | Equal | NotEqual)
}

fn float_one(kind: FloatKind) -> u128 {
    match kind {
        FloatKind::Half => 0x3C00,
        FloatKind::Float => u128::from(1f32.to_bits()),
        FloatKind::Double => u128::from(1f64.to_bits()),
        FloatKind::LongDouble => 0x3FFF_8000_0000_0000_0000,
        FloatKind::Quad => 0x3FFF << 112,
    }
}

//! What the typed expressions may read and write, found in one pass before lowering starts.
//!
//! Lowering keeps a value as an expression for as long as nothing that happens in between can change
//! it. A footprint answers that question: one bit for all memory that others may reach, and the other
//! bits for the variables that only their own function can name (by number, modulo the bits that
//! there are: a collision costs a temporary and nothing else).

use base::arena::Id;
use sema::hir::{
    BinaryOp, Builtin, ExprId, ExprKind, FunctionId, InitItem, Program, Storage, UnaryOp, VariableId,
};
use sema::types::{TypeId, Types};

/// A set of memory, over-approximated.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Footprint(u32);

impl Footprint {
    pub(super) const NOTHING: Footprint = Footprint(0);
    pub(super) const MEMORY: Footprint = Footprint(1 << 31);
    pub(super) const EVERYTHING: Footprint = Footprint(u32::MAX);

    fn private(variable: VariableId) -> Footprint {
        Footprint(1 << (variable.0 % 31))
    }

    #[must_use]
    pub(super) fn union(self, other: Footprint) -> Footprint {
        Footprint(self.0 | other.0)
    }

    pub(super) fn meets(self, other: Footprint) -> bool {
        self.0 & other.0 != 0
    }
}

/// What is known of an expression and everything below it.
#[derive(Clone, Copy, Debug)]
struct ExprFacts {
    reads: Footprint,
    writes: Footprint,
    /// Scalars that can be evaluated at any time: no side effects, nothing that can be undefined.
    safe: bool,
}

pub(super) struct Facts {
    exprs: Vec<ExprFacts>,
    variables: Vec<Footprint>,
}

impl Facts {
    /// `is_input` tells the functions whose calls change nothing.
    pub(super) fn new(hir: &Program, is_input: impl Fn(FunctionId) -> bool) -> Facts {
        let mut facts =
            Facts { exprs: Vec::with_capacity(hir.exprs.len()), variables: variable_footprints(hir) };
        for expr in hir.exprs.ids() {
            let found = facts.of_expr(hir, expr, &is_input);
            facts.exprs.push(found);
        }
        facts
    }

    pub(super) fn reads(&self, expr: ExprId) -> Footprint {
        self.exprs[expr.index()].reads
    }

    pub(super) fn writes(&self, expr: ExprId) -> Footprint {
        self.exprs[expr.index()].writes
    }

    pub(super) fn is_safe(&self, expr: ExprId) -> bool {
        self.exprs[expr.index()].safe
    }

    /// The memory of a variable; that of temporaries, which nobody else writes, is empty.
    pub(super) fn variable(&self, variable: VariableId) -> Footprint {
        self.variables.get(variable.index()).copied().unwrap_or(Footprint::NOTHING)
    }

    /// Only its own function can name it, and no pointer to it exists.
    pub(super) fn is_private(&self, variable: VariableId) -> bool {
        !self.variable(variable).meets(Footprint::MEMORY)
    }

    /// Whether an expression may read the variable; exact where the footprints are not.
    pub(super) fn mentions(&self, hir: &Program, expr: ExprId, variable: VariableId) -> bool {
        const PATIENCE: usize = 256;
        let footprint = self.variable(variable);
        let mut open = vec![expr];
        let mut steps = 0;
        while let Some(expr) = open.pop() {
            steps += 1;
            if steps > PATIENCE {
                return true;
            }
            match hir.exprs[expr].kind {
                ExprKind::Variable(found) if found == variable => return true,
                ExprKind::Statement { .. } => return true,
                kind => children(hir, kind, |child| {
                    if self.reads(child).meets(footprint) || is_lvalue(&hir.exprs[child].kind) {
                        open.push(child);
                    }
                }),
            }
        }
        false
    }

    fn of_expr(&self, hir: &Program, expr: ExprId, is_input: &impl Fn(FunctionId) -> bool) -> ExprFacts {
        let kind = hir.exprs[expr].kind;
        let mut facts = ExprFacts { reads: Footprint::NOTHING, writes: Footprint::NOTHING, safe: true };
        children(hir, kind, |child| {
            let below = match self.exprs.get(child.index()) {
                Some(&below) => below,
                // Operands are made before what they are part of; anything else is not relied on.
                None => UNKNOWN,
            };
            facts.reads = facts.reads.union(below.reads);
            facts.writes = facts.writes.union(below.writes);
            facts.safe &= below.safe;
        });
        facts.safe &= is_safe(hir, kind, hir.exprs[expr].ty);
        match kind {
            ExprKind::Load(place) => facts.reads = facts.reads.union(self.root(hir, place)),
            ExprKind::Assign { target, .. } => facts.writes = facts.writes.union(self.root(hir, target)),
            ExprKind::CompoundAssign { target, .. } | ExprKind::Increment { target, .. } => {
                facts.reads = facts.reads.union(self.root(hir, target));
                facts.writes = facts.writes.union(self.root(hir, target));
            }
            ExprKind::Call { callee, .. } if !direct_callee(hir, callee).is_some_and(is_input) => {
                facts.reads = facts.reads.union(Footprint::MEMORY);
                facts.writes = facts.writes.union(Footprint::MEMORY);
            }
            ExprKind::Builtin { builtin, .. } if !is_pure(builtin) => return UNKNOWN,
            ExprKind::VaArg { .. }
            | ExprKind::Statement { .. }
            | ExprKind::CompoundLiteral { .. }
            | ExprKind::Unsupported(_) => return UNKNOWN,
            _ => {}
        }
        facts
    }

    /// The memory that an lvalue is part of.
    fn root(&self, hir: &Program, mut place: ExprId) -> Footprint {
        loop {
            match hir.exprs[place].kind {
                ExprKind::Variable(variable) => return self.variable(variable),
                ExprKind::Field { base, .. } | ExprKind::Index { base, .. } => place = base,
                ExprKind::String(_) => return Footprint::NOTHING,
                _ => return Footprint::MEMORY,
            }
        }
    }
}

const UNKNOWN: ExprFacts =
    ExprFacts { reads: Footprint::EVERYTHING, writes: Footprint::EVERYTHING, safe: false };

fn is_lvalue(kind: &ExprKind) -> bool {
    matches!(kind, ExprKind::Variable(_) | ExprKind::Field { .. } | ExprKind::Index { .. })
}

/// The function that a callee names, if it names one.
pub(super) fn direct_callee(hir: &Program, mut callee: ExprId) -> Option<FunctionId> {
    loop {
        match hir.exprs[callee].kind {
            ExprKind::Function(function) => return Some(function),
            ExprKind::AddressOf(place) => callee = place,
            ExprKind::Dereference(pointer) => match hir.exprs[pointer].kind {
                ExprKind::AddressOf(_) => callee = pointer,
                _ => return None,
            },
            _ => return None,
        }
    }
}

fn variable_footprints(hir: &Program) -> Vec<Footprint> {
    let mut footprints: Vec<Footprint> = hir
        .variables
        .enumerated()
        .map(|(id, variable)| match variable.storage {
            Storage::Local(_) | Storage::Parameter(_) => Footprint::private(id),
            Storage::Static | Storage::External => Footprint::MEMORY,
        })
        .collect();
    for expr in hir.exprs.iter() {
        if let ExprKind::AddressOf(mut place) = expr.kind {
            while let ExprKind::Field { base, .. } | ExprKind::Index { base, .. } = hir.exprs[place].kind {
                place = base;
            }
            if let ExprKind::Variable(variable) | ExprKind::CompoundLiteral { variable, .. } =
                hir.exprs[place].kind
            {
                footprints[variable.index()] = Footprint::MEMORY;
            }
        }
    }
    footprints
}

/// Visits the direct operands of an expression, from left to right.
fn children(hir: &Program, kind: ExprKind, mut visit: impl FnMut(ExprId)) {
    match kind {
        ExprKind::Int(_)
        | ExprKind::Float(_)
        | ExprKind::Variable(_)
        | ExprKind::String(_)
        | ExprKind::Function(_)
        | ExprKind::LabelAddress(_)
        | ExprKind::Unsupported(_) => {}
        ExprKind::Dereference(operand)
        | ExprKind::Field { base: operand, .. }
        | ExprKind::Load(operand)
        | ExprKind::AddressOf(operand)
        | ExprKind::Unary { operand, .. }
        | ExprKind::Cast(operand)
        | ExprKind::Increment { target: operand, .. }
        | ExprKind::VaArg { list: operand } => visit(operand),
        ExprKind::Index { base: left, index: right }
        | ExprKind::Binary { left, right, .. }
        | ExprKind::PointerAdd { pointer: left, index: right, .. }
        | ExprKind::PointerDifference { left, right }
        | ExprKind::LogicalAnd { left, right }
        | ExprKind::LogicalOr { left, right }
        | ExprKind::Assign { target: left, value: right }
        | ExprKind::CompoundAssign { target: left, value: right, .. }
        | ExprKind::Comma { left, right } => {
            visit(left);
            visit(right);
        }
        ExprKind::Conditional { condition, then, otherwise } => {
            visit(condition);
            then.map(&mut visit);
            visit(otherwise);
        }
        ExprKind::CompoundLiteral { initializer, .. } => {
            for &InitItem { target, value } in &hir.init_lists[initializer.items] {
                visit(target);
                visit(value);
            }
        }
        ExprKind::Call { callee, arguments } => {
            visit(callee);
            hir.expr_lists[arguments].iter().copied().for_each(visit);
        }
        ExprKind::Builtin { arguments, .. } => hir.expr_lists[arguments].iter().copied().for_each(visit),
        ExprKind::Statement { value, .. } => {
            value.map(visit);
        }
    }
}

/// Builtins that only compute.
fn is_pure(builtin: Builtin) -> bool {
    use Builtin::*;
    !matches!(
        builtin,
        VaStart
            | VaEnd
            | VaCopy
            | Unreachable
            | Trap
            | Alloca
            | AddOverflow
            | SubtractOverflow
            | MultiplyOverflow
            | SomeAddress
    )
}

/// Whether an operation itself can be done at any time, its operands aside.
fn is_safe(hir: &Program, kind: ExprKind, ty: TypeId) -> bool {
    let types = &hir.types;
    match kind {
        ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Variable(_) | ExprKind::Function(_) => true,
        ExprKind::Load(place) => {
            matches!(hir.exprs[place].kind, ExprKind::Variable(_)) && types.is_scalar(ty)
        }
        ExprKind::AddressOf(place) => {
            matches!(hir.exprs[place].kind, ExprKind::Variable(_) | ExprKind::Function(_))
        }
        ExprKind::Unary { op: UnaryOp::Negate, .. } => is_unsigned(types, ty),
        ExprKind::Unary { .. } | ExprKind::LogicalAnd { .. } | ExprKind::LogicalOr { .. } => true,
        ExprKind::Binary { op, left, .. } => is_safe_binary(types, op, hir.exprs[left].ty),
        ExprKind::Conditional { condition, then, .. } => {
            let converts = then.is_none() && hir.exprs[condition].ty.unqualified() != ty.unqualified();
            types.is_scalar(ty) && !converts
        }
        ExprKind::Cast(operand) => {
            let from = hir.exprs[operand].ty;
            let rounds = types.is_float(from) && !matches!(types.get(ty), sema::types::Type::Bool);
            types.is_scalar(ty) && types.is_scalar(from) && (!rounds || types.is_float(ty))
        }
        _ => false,
    }
}

fn is_safe_binary(types: &Types, op: BinaryOp, operands: TypeId) -> bool {
    match op {
        BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Multiply => is_unsigned(types, operands),
        BinaryOp::BitAnd | BinaryOp::BitXor | BinaryOp::BitOr => types.is_integer(operands),
        BinaryOp::Equal | BinaryOp::NotEqual => types.is_scalar(operands),
        BinaryOp::Less | BinaryOp::LessEqual | BinaryOp::Greater | BinaryOp::GreaterEqual => {
            types.is_integer(operands) || types.is_float(operands)
        }
        BinaryOp::Divide | BinaryOp::Remainder | BinaryOp::ShiftLeft | BinaryOp::ShiftRight => false,
    }
}

fn is_unsigned(types: &Types, ty: TypeId) -> bool {
    types.int_shape(ty).is_some_and(|shape| !shape.signed)
}

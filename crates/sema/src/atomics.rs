//! `__sync_…` and `__atomic_…` builtins as plain operations in sequence: Proviso gives programs the
//! meaning that they have on one thread.

use crate::context::{Analyzer, Checked};
use crate::conversions::Purpose;
use crate::hir::{BinaryOp, ExprId, ExprKind, StmtId, StmtKind, UnaryOp, VariableId};
use crate::types::TypeId;
use base::Span;
use syntax::ast;

/// How the new value comes from the old one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Update {
    Apply(BinaryOp),
    Nand,
    Replace,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Atomic {
    /// `(pointer, value)`; the result is the old value or the new one.
    Modify {
        update: Update,
        new: bool,
    },
    /// `(pointer)`
    Load,
    /// `(pointer, value)`
    Store,
    /// `(pointer)`: becomes 0.
    Clear,
    /// `(pointer)`: becomes 1, tells whether it was set.
    TestAndSet,
    /// `(pointer, expected, desired)`: the flag, or the old value.
    CompareAndSwap {
        flag: bool,
    },
    /// `(pointer, pointer to expected, desired)`
    CompareExchange,
    Fence,
    /// `(pointer, pointer to result)`
    LoadInto,
    /// `(pointer, pointer to value)`
    StoreFrom,
    /// `(pointer, pointer to value, pointer to result)`
    ExchangeInto,
    /// `(pointer, pointer to expected, pointer to desired)`
    CompareExchangeFrom,
    LockFree,
}

impl Atomic {
    pub fn least_arguments(self) -> usize {
        match self {
            Atomic::Fence => 0,
            Atomic::Load | Atomic::Clear | Atomic::TestAndSet | Atomic::LockFree => 1,
            Atomic::Modify { .. } | Atomic::Store | Atomic::LoadInto | Atomic::StoreFrom => 2,
            Atomic::CompareAndSwap { .. }
            | Atomic::CompareExchange
            | Atomic::ExchangeInto
            | Atomic::CompareExchangeFrom => 3,
        }
    }
}

/// Room for all names; more would only grow the vector.
pub const ATOMICS_COUNT: usize = 48;

pub fn atomics() -> Vec<(&'static str, Atomic)> {
    use Update::{Apply, Nand, Replace};
    let modify = |update, new| Atomic::Modify { update, new };
    let operations = [
        (
            ["__sync_fetch_and_add", "__sync_add_and_fetch", "__atomic_fetch_add", "__atomic_add_fetch"],
            Apply(BinaryOp::Add),
        ),
        (
            ["__sync_fetch_and_sub", "__sync_sub_and_fetch", "__atomic_fetch_sub", "__atomic_sub_fetch"],
            Apply(BinaryOp::Subtract),
        ),
        (
            ["__sync_fetch_and_or", "__sync_or_and_fetch", "__atomic_fetch_or", "__atomic_or_fetch"],
            Apply(BinaryOp::BitOr),
        ),
        (
            ["__sync_fetch_and_and", "__sync_and_and_fetch", "__atomic_fetch_and", "__atomic_and_fetch"],
            Apply(BinaryOp::BitAnd),
        ),
        (
            ["__sync_fetch_and_xor", "__sync_xor_and_fetch", "__atomic_fetch_xor", "__atomic_xor_fetch"],
            Apply(BinaryOp::BitXor),
        ),
        (
            ["__sync_fetch_and_nand", "__sync_nand_and_fetch", "__atomic_fetch_nand", "__atomic_nand_fetch"],
            Nand,
        ),
    ];
    let mut all = Vec::with_capacity(ATOMICS_COUNT);
    for (names, update) in operations {
        for (index, name) in names.into_iter().enumerate() {
            all.push((name, modify(update, index % 2 == 1)));
        }
    }
    all.extend([
        ("__sync_lock_test_and_set", modify(Replace, false)),
        ("__atomic_exchange_n", modify(Replace, false)),
        ("__sync_lock_release", Atomic::Clear),
        ("__atomic_clear", Atomic::Clear),
        ("__sync_synchronize", Atomic::Fence),
        ("__atomic_thread_fence", Atomic::Fence),
        ("__atomic_signal_fence", Atomic::Fence),
        ("__sync_bool_compare_and_swap", Atomic::CompareAndSwap { flag: true }),
        ("__sync_val_compare_and_swap", Atomic::CompareAndSwap { flag: false }),
        ("__atomic_compare_exchange_n", Atomic::CompareExchange),
        ("__atomic_load_n", Atomic::Load),
        ("__atomic_store_n", Atomic::Store),
        ("__atomic_test_and_set", Atomic::TestAndSet),
        ("__atomic_load", Atomic::LoadInto),
        ("__atomic_store", Atomic::StoreFrom),
        ("__atomic_exchange", Atomic::ExchangeInto),
        ("__atomic_compare_exchange", Atomic::CompareExchangeFrom),
        ("__atomic_always_lock_free", Atomic::LockFree),
        ("__atomic_is_lock_free", Atomic::LockFree),
    ]);
    all
}

/// The statements that one builtin call becomes, in a statement expression.
struct Sequence {
    statements: Vec<StmtId>,
    span: Span,
}

impl Analyzer<'_> {
    pub fn atomic_call(&mut self, atomic: Atomic, list: &[ast::ExprId], span: Span) -> Checked {
        let values = self.values(list)?;
        match atomic {
            Atomic::Fence => return self.evaluate_all(&values, span),
            Atomic::LockFree => return Ok(self.int(1, TypeId::INT, span)),
            _ => {}
        }
        let pointer = values[0];
        let Some(target) = self.types().pointee(self.type_of(pointer)).map(TypeId::unqualified) else {
            return Err(self.error(span, "argument of atomic operation is not a pointer"));
        };
        // `atomic_flag` is a record around one.
        let is_flag = matches!(atomic, Atomic::TestAndSet | Atomic::Clear) && !self.types().is_scalar(target);
        let target = if target == TypeId::VOID || is_flag { TypeId::UNSIGNED_CHAR } else { target };
        if self.function.is_none() || !self.types().is_scalar(target) {
            return Ok(self.unsupported("atomic operation on an aggregate", target, span));
        }
        let mut sequence = Sequence { statements: Vec::new(), span };
        let pointer_type = self.program.types.pointer_to(target);
        let pointer = self.cast(pointer, pointer_type, span);
        let pointer = self.keep(&mut sequence, pointer);
        match atomic {
            Atomic::Modify { update, new } => self.modify(sequence, pointer, values[1], update, new),
            Atomic::Load => {
                let value = self.pointed_value(pointer, span);
                Ok(self.finish(sequence, Some(value)))
            }
            Atomic::Store => {
                let value = self.convert(values[1], target, Purpose::Assignment)?;
                self.store(&mut sequence, pointer, value);
                Ok(self.finish(sequence, None))
            }
            Atomic::Clear => {
                let zero = self.int(0, TypeId::INT, span);
                let zero = self.cast(zero, target, span);
                self.store(&mut sequence, pointer, zero);
                Ok(self.finish(sequence, None))
            }
            Atomic::TestAndSet => {
                let one = self.int(1, TypeId::INT, span);
                let result = self.modify(sequence, pointer, one, Update::Replace, false)?;
                Ok(self.cast(result, TypeId::BOOL, span))
            }
            Atomic::CompareAndSwap { flag } => {
                let expected = self.convert(values[1], target, Purpose::Assignment)?;
                let expected = self.keep(&mut sequence, expected);
                let desired = self.convert(values[2], target, Purpose::Assignment)?;
                self.compare_and_swap(sequence, pointer, expected, desired, flag)
            }
            Atomic::CompareExchange => {
                let desired = self.convert(values[2], target, Purpose::Assignment)?;
                self.compare_exchange(sequence, pointer, values[1], desired)
            }
            Atomic::LoadInto => {
                let value = self.pointed_value(pointer, span);
                let result = self.cast(values[1], pointer_type, span);
                self.store(&mut sequence, result, value);
                Ok(self.finish(sequence, None))
            }
            Atomic::StoreFrom => {
                let value = self.value_behind(values[1], pointer_type, span);
                self.store(&mut sequence, pointer, value);
                Ok(self.finish(sequence, None))
            }
            Atomic::ExchangeInto => {
                let value = self.value_behind(values[1], pointer_type, span);
                let value = self.keep(&mut sequence, value);
                let old = self.pointed_value(pointer, span);
                let old = self.keep(&mut sequence, old);
                let result = self.cast(values[2], pointer_type, span);
                self.store(&mut sequence, pointer, value);
                self.store(&mut sequence, result, old);
                Ok(self.finish(sequence, None))
            }
            Atomic::CompareExchangeFrom => {
                let desired = self.value_behind(values[2], pointer_type, span);
                self.compare_exchange(sequence, pointer, values[1], desired)
            }
            Atomic::Fence | Atomic::LockFree => Ok(pointer),
        }
    }

    /// What an argument, converted to a type of pointers, points to.
    fn value_behind(&mut self, argument: ExprId, pointer_type: TypeId, span: Span) -> ExprId {
        let pointer = self.cast(argument, pointer_type, span);
        self.pointed_value(pointer, span)
    }

    /// Stores a value in a temporary variable and gives a load of it.
    fn keep(&mut self, sequence: &mut Sequence, value: ExprId) -> ExprId {
        let ty = self.type_of(value).unqualified();
        let variable: VariableId = self.temporary(self.names.temporary, ty, sequence.span);
        let initializer = Some(self.simple_initializer(variable, value));
        let declare = self.statement(StmtKind::Declare { variable, initializer }, sequence.span);
        sequence.statements.push(declare);
        let place = self.variable(variable, sequence.span);
        self.load(place)
    }

    fn pointed_value(&mut self, pointer: ExprId, span: Span) -> ExprId {
        let place = self.dereference(pointer, span);
        self.load(place)
    }

    fn store(&mut self, sequence: &mut Sequence, pointer: ExprId, value: ExprId) {
        let statement = self.store_statement(pointer, value, sequence.span);
        sequence.statements.push(statement);
    }

    fn store_statement(&mut self, pointer: ExprId, value: ExprId, span: Span) -> StmtId {
        let place = self.dereference(pointer, span);
        let assignment = self.assign(place, value, span);
        self.statement(StmtKind::Expr(assignment), span)
    }

    fn finish(&mut self, sequence: Sequence, value: Option<ExprId>) -> ExprId {
        let Sequence { statements, span } = sequence;
        let list = self.program.stmt_lists.push(statements);
        let block = self.statement(StmtKind::Block(list), span);
        let ty = value.map_or(TypeId::VOID, |value| self.type_of(value));
        self.make(ExprKind::Statement { block, value }, ty, span)
    }

    fn modify(
        &mut self,
        mut sequence: Sequence,
        pointer: ExprId,
        value: ExprId,
        update: Update,
        new: bool,
    ) -> Checked {
        let span = sequence.span;
        let target = self.types().pointee(self.type_of(pointer)).unwrap_or(TypeId::INT);
        let value = match update {
            Update::Replace => self.convert(value, target, Purpose::Assignment)?,
            _ => value,
        };
        let value = self.keep(&mut sequence, value);
        let current = self.pointed_value(pointer, span);
        let old = self.keep(&mut sequence, current);
        let Some(changed) = self.updated(old, value, update, target, span) else {
            return Ok(self.unsupported("atomic arithmetic on pointers", target, span));
        };
        self.store(&mut sequence, pointer, changed);
        let result = if new { self.pointed_value(pointer, span) } else { old };
        Ok(self.finish(sequence, Some(result)))
    }

    /// Atomic arithmetic wraps, whatever the sign of the type.
    fn updated(
        &mut self,
        old: ExprId,
        value: ExprId,
        update: Update,
        target: TypeId,
        span: Span,
    ) -> Option<ExprId> {
        if update == Update::Replace {
            return Some(value);
        }
        let compute = self.wrapping_type(target)?;
        self.wrapping_type(self.type_of(value))?;
        let (left, right) = (self.cast(old, compute, span), self.cast(value, compute, span));
        let result = match update {
            Update::Apply(op) => self.binary(op, left, right, compute, span),
            Update::Nand | Update::Replace => {
                let both = self.binary(BinaryOp::BitAnd, left, right, compute, span);
                self.unary(UnaryOp::BitNot, both, compute, span)
            }
        };
        Some(self.cast(result, target, span))
    }

    fn compare_and_swap(
        &mut self,
        mut sequence: Sequence,
        pointer: ExprId,
        expected: ExprId,
        desired: ExprId,
        flag: bool,
    ) -> Checked {
        let span = sequence.span;
        let desired = self.keep(&mut sequence, desired);
        let current = self.pointed_value(pointer, span);
        let old = self.keep(&mut sequence, current);
        let condition = self.binary(BinaryOp::Equal, old, expected, TypeId::INT, span);
        let then = self.store_statement(pointer, desired, span);
        let branch = self.statement(StmtKind::If { condition, then, otherwise: None }, span);
        sequence.statements.push(branch);
        let result = match flag {
            true => {
                let equal = self.binary(BinaryOp::Equal, old, expected, TypeId::INT, span);
                self.cast(equal, TypeId::BOOL, span)
            }
            false => old,
        };
        Ok(self.finish(sequence, Some(result)))
    }

    /// Like [`Self::compare_and_swap`], but on failure the old value goes to where `expected` is.
    fn compare_exchange(
        &mut self,
        mut sequence: Sequence,
        pointer: ExprId,
        expected: ExprId,
        desired: ExprId,
    ) -> Checked {
        let span = sequence.span;
        let expected = self.cast(expected, self.type_of(pointer), span);
        let expected = self.keep(&mut sequence, expected);
        let desired = self.keep(&mut sequence, desired);
        let current = self.pointed_value(pointer, span);
        let old = self.keep(&mut sequence, current);
        let wanted = self.pointed_value(expected, span);
        let equal = self.binary(BinaryOp::Equal, old, wanted, TypeId::INT, span);
        let flag = self.cast(equal, TypeId::BOOL, span);
        let flag = self.keep(&mut sequence, flag);
        let then = self.store_statement(pointer, desired, span);
        let otherwise = Some(self.store_statement(expected, old, span));
        let branch = self.statement(StmtKind::If { condition: flag, then, otherwise }, span);
        sequence.statements.push(branch);
        Ok(self.finish(sequence, Some(flag)))
    }
}

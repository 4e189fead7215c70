//! `__builtin_…` functions that are not plain library functions.

use crate::context::{Analyzer, Checked, Reported};
use crate::conversions::unsigned_of;
use crate::floats;
use crate::hir::{Builtin, ExprId, ExprKind};
use crate::types::{FloatKind, Type, TypeId};
use base::Span;
use syntax::ast;

/// What is done with a call of a name in [`BUILTINS`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Known {
    /// The arguments as they are (scalars), and the result type.
    Plain(Builtin, TypeId),
    VaStart,
    VaEnd,
    VaCopy,
    Alloca,
    /// On integers of any type, the last argument a pointer to the result.
    Overflow(Builtin),
    /// The same with all types given.
    TypedOverflow(Builtin, TypeId),
    /// Only the flag; the last argument gives the type.
    OverflowPredicate(Builtin),
    /// The argument is converted to the type.
    OfInt(Builtin, TypeId),
    ByteSwap(TypeId),
    /// Classification of one float.
    OfFloat(Builtin),
    CompareFloats(Builtin),
    ClassifyFloat,
    Infinity(FloatKind),
    Nan(FloatKind),
    Expect,
    ConstantP,
    ObjectSize,
    /// Evaluates its arguments and does nothing.
    Nothing,
    /// The first argument is the value.
    First,
    /// A function of the library that is given the size of its target as well.
    Checked(&'static str),
    Atomic(crate::atomics::Atomic),
    NotModelled(&'static str),
}

use crate::atomics::{ATOMICS_COUNT, atomics};
use Builtin as B;
use Known::*;

const PLAIN: &[(&str, Known)] = &[
    ("__builtin_va_start", VaStart),
    ("__builtin_stdarg_start", VaStart),
    ("__builtin_va_end", VaEnd),
    ("__builtin_va_copy", VaCopy),
    ("__va_copy", VaCopy),
    ("__builtin_unreachable", Plain(B::Unreachable, TypeId::VOID)),
    ("__builtin_trap", Plain(B::Trap, TypeId::VOID)),
    ("__builtin_alloca", Alloca),
    ("__builtin_alloca_with_align", Alloca),
    ("alloca", Alloca),
    ("__builtin_add_overflow", Overflow(B::AddOverflow)),
    ("__builtin_sub_overflow", Overflow(B::SubtractOverflow)),
    ("__builtin_mul_overflow", Overflow(B::MultiplyOverflow)),
    ("__builtin_add_overflow_p", OverflowPredicate(B::AddOverflow)),
    ("__builtin_sub_overflow_p", OverflowPredicate(B::SubtractOverflow)),
    ("__builtin_mul_overflow_p", OverflowPredicate(B::MultiplyOverflow)),
    ("__builtin_sadd_overflow", TypedOverflow(B::AddOverflow, TypeId::INT)),
    ("__builtin_saddl_overflow", TypedOverflow(B::AddOverflow, TypeId::LONG)),
    ("__builtin_saddll_overflow", TypedOverflow(B::AddOverflow, TypeId::LONG_LONG)),
    ("__builtin_uadd_overflow", TypedOverflow(B::AddOverflow, TypeId::UNSIGNED_INT)),
    ("__builtin_uaddl_overflow", TypedOverflow(B::AddOverflow, TypeId::UNSIGNED_LONG)),
    ("__builtin_uaddll_overflow", TypedOverflow(B::AddOverflow, TypeId::UNSIGNED_LONG_LONG)),
    ("__builtin_ssub_overflow", TypedOverflow(B::SubtractOverflow, TypeId::INT)),
    ("__builtin_ssubl_overflow", TypedOverflow(B::SubtractOverflow, TypeId::LONG)),
    ("__builtin_ssubll_overflow", TypedOverflow(B::SubtractOverflow, TypeId::LONG_LONG)),
    ("__builtin_usub_overflow", TypedOverflow(B::SubtractOverflow, TypeId::UNSIGNED_INT)),
    ("__builtin_usubl_overflow", TypedOverflow(B::SubtractOverflow, TypeId::UNSIGNED_LONG)),
    ("__builtin_usubll_overflow", TypedOverflow(B::SubtractOverflow, TypeId::UNSIGNED_LONG_LONG)),
    ("__builtin_smul_overflow", TypedOverflow(B::MultiplyOverflow, TypeId::INT)),
    ("__builtin_smull_overflow", TypedOverflow(B::MultiplyOverflow, TypeId::LONG)),
    ("__builtin_smulll_overflow", TypedOverflow(B::MultiplyOverflow, TypeId::LONG_LONG)),
    ("__builtin_umul_overflow", TypedOverflow(B::MultiplyOverflow, TypeId::UNSIGNED_INT)),
    ("__builtin_umull_overflow", TypedOverflow(B::MultiplyOverflow, TypeId::UNSIGNED_LONG)),
    ("__builtin_umulll_overflow", TypedOverflow(B::MultiplyOverflow, TypeId::UNSIGNED_LONG_LONG)),
    ("__builtin_clz", OfInt(B::CountLeadingZeros, TypeId::UNSIGNED_INT)),
    ("__builtin_clzl", OfInt(B::CountLeadingZeros, TypeId::UNSIGNED_LONG)),
    ("__builtin_clzll", OfInt(B::CountLeadingZeros, TypeId::UNSIGNED_LONG_LONG)),
    ("__builtin_ctz", OfInt(B::CountTrailingZeros, TypeId::UNSIGNED_INT)),
    ("__builtin_ctzl", OfInt(B::CountTrailingZeros, TypeId::UNSIGNED_LONG)),
    ("__builtin_ctzll", OfInt(B::CountTrailingZeros, TypeId::UNSIGNED_LONG_LONG)),
    ("__builtin_clrsb", OfInt(B::CountLeadingSignBits, TypeId::UNSIGNED_INT)),
    ("__builtin_clrsbl", OfInt(B::CountLeadingSignBits, TypeId::UNSIGNED_LONG)),
    ("__builtin_clrsbll", OfInt(B::CountLeadingSignBits, TypeId::UNSIGNED_LONG_LONG)),
    ("__builtin_popcount", OfInt(B::PopulationCount, TypeId::UNSIGNED_INT)),
    ("__builtin_popcountl", OfInt(B::PopulationCount, TypeId::UNSIGNED_LONG)),
    ("__builtin_popcountll", OfInt(B::PopulationCount, TypeId::UNSIGNED_LONG_LONG)),
    ("__builtin_parity", OfInt(B::Parity, TypeId::UNSIGNED_INT)),
    ("__builtin_parityl", OfInt(B::Parity, TypeId::UNSIGNED_LONG)),
    ("__builtin_parityll", OfInt(B::Parity, TypeId::UNSIGNED_LONG_LONG)),
    ("__builtin_ffs", OfInt(B::FindFirstSet, TypeId::UNSIGNED_INT)),
    ("__builtin_ffsl", OfInt(B::FindFirstSet, TypeId::UNSIGNED_LONG)),
    ("__builtin_ffsll", OfInt(B::FindFirstSet, TypeId::UNSIGNED_LONG_LONG)),
    ("__builtin_bswap16", ByteSwap(TypeId::UNSIGNED_SHORT)),
    ("__builtin_bswap32", ByteSwap(TypeId::UNSIGNED_INT)),
    ("__builtin_bswap64", ByteSwap(TypeId::UNSIGNED_LONG_LONG)),
    ("__builtin_isnan", OfFloat(B::IsNan)),
    ("__builtin_isnanf", OfFloat(B::IsNan)),
    ("__builtin_isnanl", OfFloat(B::IsNan)),
    ("__builtin_isinf", OfFloat(B::IsInfinite)),
    ("__builtin_isinff", OfFloat(B::IsInfinite)),
    ("__builtin_isinfl", OfFloat(B::IsInfinite)),
    ("__builtin_isfinite", OfFloat(B::IsFinite)),
    ("__builtin_finite", OfFloat(B::IsFinite)),
    ("__builtin_finitef", OfFloat(B::IsFinite)),
    ("__builtin_finitel", OfFloat(B::IsFinite)),
    ("__builtin_isnormal", OfFloat(B::IsNormal)),
    ("__builtin_signbit", OfFloat(B::SignBit)),
    ("__builtin_signbitf", OfFloat(B::SignBit)),
    ("__builtin_signbitl", OfFloat(B::SignBit)),
    ("__builtin_isinf_sign", OfFloat(B::InfinitySign)),
    ("__builtin_isgreater", CompareFloats(B::IsGreater)),
    ("__builtin_isgreaterequal", CompareFloats(B::IsGreaterEqual)),
    ("__builtin_isless", CompareFloats(B::IsLess)),
    ("__builtin_islessequal", CompareFloats(B::IsLessEqual)),
    ("__builtin_islessgreater", CompareFloats(B::IsLessGreater)),
    ("__builtin_isunordered", CompareFloats(B::IsUnordered)),
    ("__builtin_fpclassify", ClassifyFloat),
    ("__builtin_huge_val", Infinity(FloatKind::Double)),
    ("__builtin_huge_valf", Infinity(FloatKind::Float)),
    ("__builtin_huge_vall", Infinity(FloatKind::LongDouble)),
    ("__builtin_inf", Infinity(FloatKind::Double)),
    ("__builtin_inff", Infinity(FloatKind::Float)),
    ("__builtin_infl", Infinity(FloatKind::LongDouble)),
    ("__builtin_nan", Nan(FloatKind::Double)),
    ("__builtin_nanf", Nan(FloatKind::Float)),
    ("__builtin_nanl", Nan(FloatKind::LongDouble)),
    ("__builtin_expect", Expect),
    ("__builtin_expect_with_probability", Expect),
    ("__builtin_constant_p", ConstantP),
    ("__builtin_object_size", ObjectSize),
    ("__builtin_dynamic_object_size", ObjectSize),
    ("__builtin_prefetch", Nothing),
    ("__builtin___clear_cache", Nothing),
    ("__builtin_assume_aligned", First),
    ("__builtin_frame_address", Plain(B::SomeAddress, TypeId::VOID)),
    ("__builtin_return_address", Plain(B::SomeAddress, TypeId::VOID)),
    ("__builtin_extract_return_addr", First),
    ("__builtin___memcpy_chk", Checked("memcpy")),
    ("__builtin___memmove_chk", Checked("memmove")),
    ("__builtin___memset_chk", Checked("memset")),
    ("__builtin___strcpy_chk", Checked("strcpy")),
    ("__builtin___strncpy_chk", Checked("strncpy")),
    ("__builtin___strcat_chk", Checked("strcat")),
    ("__builtin___strncat_chk", Checked("strncat")),
    ("__builtin_setjmp", NotModelled("setjmp")),
    ("__builtin_longjmp", NotModelled("longjmp")),
    ("__builtin_va_arg_pack", NotModelled("__builtin_va_arg_pack")),
    ("__builtin_va_arg_pack_len", NotModelled("__builtin_va_arg_pack_len")),
    ("__builtin_apply_args", NotModelled("__builtin_apply_args")),
    ("__builtin_return", NotModelled("__builtin_return")),
];

const COUNT: usize = PLAIN.len() + ATOMICS_COUNT;

/// All builtins by name.
pub static BUILTINS: std::sync::LazyLock<Vec<(&'static str, Known)>> = std::sync::LazyLock::new(|| {
    let mut all = Vec::with_capacity(COUNT);
    all.extend_from_slice(PLAIN);
    all.extend(atomics().into_iter().map(|(name, atomic)| (name, Atomic(atomic))));
    all
});

impl Analyzer<'_> {
    pub fn builtin_call(&mut self, known: Known, list: &[ast::ExprId], span: Span) -> Checked {
        self.check_builtin_count(known, list.len(), span)?;
        match known {
            Plain(builtin, ty) => {
                let ty = match builtin {
                    B::SomeAddress => self.program.types.pointer_to(TypeId::VOID),
                    _ => ty,
                };
                let arguments = self.values(list)?;
                Ok(self.builtin(builtin, &arguments, ty, span))
            }
            VaStart => self.va_builtin(B::VaStart, &list[..1], span),
            VaEnd => self.va_builtin(B::VaEnd, list, span),
            VaCopy => self.va_builtin(B::VaCopy, list, span),
            Alloca => {
                let size = self.rvalue(list[0])?;
                let size_type = self.types().size_type();
                let size = self.cast(size, size_type, span);
                let ty = self.program.types.pointer_to(TypeId::VOID);
                Ok(self.builtin(B::Alloca, &[size], ty, span))
            }
            Overflow(builtin) => {
                let arguments = self.values(list)?;
                Ok(self.builtin(builtin, &arguments, TypeId::BOOL, span))
            }
            TypedOverflow(builtin, ty) => self.typed_overflow(builtin, ty, list, span),
            OverflowPredicate(builtin) => self.overflow_predicate(builtin, list, span),
            OfInt(builtin, ty) => {
                let value = self.rvalue(list[0])?;
                let value = self.cast(value, ty, span);
                Ok(self.builtin(builtin, &[value], TypeId::INT, span))
            }
            ByteSwap(ty) => {
                let ty = if ty == TypeId::UNSIGNED_LONG_LONG { self.int_of_width(64, false) } else { ty };
                let value = self.rvalue(list[0])?;
                let value = self.cast(value, ty, span);
                Ok(self.builtin(B::ByteSwap, &[value], ty, span))
            }
            OfFloat(builtin) => {
                let value = self.float_argument(list[0])?;
                Ok(self.builtin(builtin, &[value], TypeId::INT, span))
            }
            CompareFloats(builtin) => self.compare_floats(builtin, list, span),
            ClassifyFloat => {
                let mut arguments = self.values(&list[..5])?;
                arguments.push(self.float_argument(list[5])?);
                Ok(self.builtin(B::FloatClassify, &arguments, TypeId::INT, span))
            }
            Infinity(kind) => {
                let ty = self.types().float_type(kind);
                Ok(self.float(floats::infinity(kind), ty, span))
            }
            Nan(kind) => {
                let ty = self.types().float_type(kind);
                Ok(self.float(floats::nan(kind), ty, span))
            }
            Expect => {
                let value = self.rvalue(list[0])?;
                Ok(self.cast(value, TypeId::LONG, span))
            }
            ConstantP => self.constant_p(list[0], span),
            ObjectSize => self.object_size(list, span),
            Nothing => {
                let arguments = self.values(list)?;
                self.evaluate_all(&arguments, span)
            }
            First => {
                let arguments = self.values(list)?;
                Ok(arguments[0])
            }
            Checked(name) => self.checked_library_call(name, list, span),
            Atomic(atomic) => self.atomic_call(atomic, list, span),
            NotModelled(what) => Ok(self.unsupported(what, TypeId::INT, span)),
        }
    }

    fn check_builtin_count(&mut self, known: Known, count: usize, span: Span) -> Checked<()> {
        let least = match known {
            Plain(B::SomeAddress, _) | Plain(..) | Infinity(_) | Nan(_) | NotModelled(_) | Nothing => 0,
            Overflow(_) | TypedOverflow(..) | OverflowPredicate(_) => 3,
            VaCopy | CompareFloats(_) | Expect | ObjectSize | Checked(_) => 2,
            ClassifyFloat => 6,
            Atomic(atomic) => atomic.least_arguments(),
            _ => 1,
        };
        if count >= least {
            return Ok(());
        }
        Err(self.error(span, "too few arguments to builtin function"))
    }

    pub fn values(&mut self, list: &[ast::ExprId]) -> Checked<Vec<ExprId>> {
        list.iter().map(|&argument| self.rvalue(argument)).collect()
    }

    pub fn builtin(&mut self, builtin: Builtin, arguments: &[ExprId], ty: TypeId, span: Span) -> ExprId {
        let arguments = self.program.expr_lists.push(arguments.iter().copied());
        self.make(ExprKind::Builtin { builtin, arguments }, ty, span)
    }

    /// All arguments for their effects, and nothing else.
    pub fn evaluate_all(&mut self, arguments: &[ExprId], span: Span) -> Checked {
        let mut result = self.int(0, TypeId::INT, span);
        for &argument in arguments.iter().rev() {
            result = self.comma(argument, result);
        }
        Ok(self.cast(result, TypeId::VOID, span))
    }

    fn va_builtin(&mut self, builtin: Builtin, list: &[ast::ExprId], span: Span) -> Checked {
        let mut lists = Vec::with_capacity(list.len());
        for &argument in list {
            match self.va_list(argument)? {
                Some(list) => lists.push(list),
                None => return Ok(self.unsupported("va_list of another type", TypeId::VOID, span)),
            }
        }
        Ok(self.builtin(builtin, &lists, TypeId::VOID, span))
    }

    fn typed_overflow(&mut self, builtin: Builtin, ty: TypeId, list: &[ast::ExprId], span: Span) -> Checked {
        let values = self.values(list)?;
        let (left, right) = (self.cast(values[0], ty, span), self.cast(values[1], ty, span));
        let pointer = self.program.types.pointer_to(ty);
        let result = self.cast(values[2], pointer, span);
        Ok(self.builtin(builtin, &[left, right, result], TypeId::BOOL, span))
    }

    fn overflow_predicate(&mut self, builtin: Builtin, list: &[ast::ExprId], span: Span) -> Checked {
        let values = self.values(list)?;
        let ty = self.type_of(values[2]).unqualified();
        let variable = self.temporary(self.names.temporary, ty, span);
        let place = self.variable(variable, span);
        let pointer = self.address_of_place(place, span);
        Ok(self.builtin(builtin, &[values[0], values[1], pointer], TypeId::BOOL, span))
    }

    fn float_argument(&mut self, argument: ast::ExprId) -> Checked {
        let value = self.rvalue(argument)?;
        let ty = self.type_of(value);
        if self.types().is_float(ty) {
            return Ok(value);
        }
        if self.types().is_integer(ty) {
            return Ok(self.cast(value, TypeId::DOUBLE, self.span_of(value)));
        }
        Err(self.error(self.span_of(value), "non-floating-point argument in call to builtin function"))
    }

    fn compare_floats(&mut self, builtin: Builtin, list: &[ast::ExprId], span: Span) -> Checked {
        let (left, right) = (self.float_argument(list[0])?, self.float_argument(list[1])?);
        let common = self.common_type(left, right);
        let (left, right) = (self.cast(left, common, span), self.cast(right, common, span));
        Ok(self.builtin(builtin, &[left, right], TypeId::INT, span))
    }

    /// 1 for numbers and string literals; never evaluates its argument.
    fn constant_p(&mut self, argument: ast::ExprId, span: Span) -> Checked {
        let mark = self.lengths.len();
        let value = self.rvalue(argument)?;
        self.lengths.truncate(mark);
        let is_string = match self.kind(value) {
            ExprKind::AddressOf(place) => match self.kind(place) {
                ExprKind::Index { base, .. } => matches!(self.kind(base), ExprKind::String(_)),
                _ => false,
            },
            _ => false,
        };
        let constant = self.is_constant(value) || is_string || self.evaluate(value).is_some();
        Ok(self.int(i128::from(constant), TypeId::INT, span))
    }

    fn checked_library_call(&mut self, name: &str, list: &[ast::ExprId], span: Span) -> Checked {
        let symbol = self.interner.intern(name);
        let Some(function) = self.library_function(symbol, span) else { return Err(Reported) };
        let ty = self.program.functions[function].ty;
        let designator = self.make(ExprKind::Function(function), ty, span);
        let callee = self.decay(designator);
        self.call(callee, &list[..list.len() - 1], span)
    }

    /// The unsigned type in which an atomic operation wraps; `None` if it is not on an integer.
    pub fn wrapping_type(&self, ty: TypeId) -> Option<TypeId> {
        match self.types().get(ty) {
            Type::Bool | Type::Int(_) | Type::Enum(_) => Some(unsigned_of(self.promoted(ty))),
            _ => None,
        }
    }
}

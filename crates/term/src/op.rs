//! The operators of terms.
//!
//! The set is kept small: what is missing is expressed by what is there when a term is built
//! (`or`, `xor`, `implies` by `And`, `Not` and `Eq`; `<=` by a negated `<`; zero extension and
//! shifts by constants by `Concat` and `Extract`), so that every rewrite rule is written once.

/// How a result that does not fit a float format is rounded.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[repr(u8)]
pub enum RoundingMode {
    /// To nearest, ties to even: the default of C.
    #[default]
    NearestEven,
    /// To nearest, ties away from zero.
    NearestAway,
    Upward,
    Downward,
    /// What C casts from floats to integers do.
    TowardZero,
}

impl RoundingMode {
    pub const ALL: [Self; 5] =
        [Self::NearestEven, Self::NearestAway, Self::Upward, Self::Downward, Self::TowardZero];

    pub(crate) fn from_index(index: u8) -> Self {
        Self::ALL[usize::from(index)]
    }

    /// As SMT-LIB 2 writes it.
    pub fn smtlib(self) -> &'static str {
        ["RNE", "RNA", "RTP", "RTN", "RTZ"][self as usize]
    }
}

/// The operator at the root of a term.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Op {
    /// A constant of any sort but arrays; see `TermPool::value`.
    Constant,
    Variable,

    Not,
    /// Conjunction of two Booleans.
    And,
    /// Equality of two terms of the same sort, except that floats are compared as values: `NaN`
    /// equals itself and the zeros differ (see [`Op::FloatEq`] for what C's `==` does).
    Eq,
    /// If, then, else, of any sort.
    Ite,

    BitNot,
    BitAnd,
    BitOr,
    BitXor,
    Neg,
    Add,
    Mul,
    /// All ones if the divisor is 0.
    Udiv,
    /// The dividend if the divisor is 0.
    Urem,
    /// Rounds toward zero. If the divisor is 0: 1 for negative dividends, otherwise -1.
    Sdiv,
    /// Has the sign of the dividend; the dividend if the divisor is 0.
    Srem,
    Shl,
    Lshr,
    Ashr,
    Ult,
    Slt,
    /// The first operand holds the high bits.
    Concat,
    /// A run of bits; see `TermPool::extract_low`.
    Extract,
    SignExtend,

    Select,
    Store,
    /// An array with one value everywhere.
    ConstantArray,

    FloatAdd,
    FloatMul,
    FloatDiv,
    /// `x * y + z`, rounded once.
    FloatFma,
    FloatSqrt,
    /// IEEE 754 remainder: `x - y * n`, where `n` is nearest to `x / y`.
    FloatRem,
    FloatRoundToIntegral,
    FloatNeg,
    FloatAbs,
    /// IEEE 754 equality: what C's `==` does.
    FloatEq,
    FloatLt,
    FloatLe,
    FloatIsNan,
    FloatIsInfinite,
    FloatIsZero,
    FloatIsNormal,
    FloatIsSubnormal,
    /// The sign bit is set, and it is not a NaN.
    FloatIsNegative,
    /// A float from its packed bits; all NaN patterns become the one NaN.
    FloatFromBits,
    /// The packed bits; a NaN gives the positive quiet NaN without payload.
    FloatToBits,
    FloatFromFloat,
    FloatFromSigned,
    FloatFromUnsigned,
    /// 0 if the value is a NaN or does not fit.
    FloatToSigned,
    /// 0 if the value is a NaN or does not fit.
    FloatToUnsigned,

    IntAdd,
    IntMul,
    /// Euclidean, as in SMT-LIB; 0 if the divisor is 0.
    IntDiv,
    /// Euclidean, never negative; the dividend if the divisor is 0.
    IntMod,
    IntLt,
}

impl Op {
    /// The number of terms that the operator is applied to.
    pub const fn arity(self) -> usize {
        use Op::*;
        match self {
            Constant | Variable => 0,
            Not | BitNot | Neg | Extract | SignExtend | ConstantArray => 1,
            FloatSqrt | FloatRoundToIntegral | FloatNeg | FloatAbs | FloatIsNan | FloatIsInfinite
            | FloatIsZero | FloatIsNormal | FloatIsSubnormal | FloatIsNegative | FloatFromBits
            | FloatToBits | FloatFromFloat | FloatFromSigned | FloatFromUnsigned | FloatToSigned
            | FloatToUnsigned => 1,
            And | Eq | BitAnd | BitOr | BitXor | Add | Mul | Udiv | Urem | Sdiv | Srem | Shl | Lshr
            | Ashr | Ult | Slt | Concat | Select | FloatAdd | FloatMul | FloatDiv | FloatRem | FloatEq
            | FloatLt | FloatLe | IntAdd | IntMul | IntDiv | IntMod | IntLt => 2,
            Ite | Store | FloatFma => 3,
        }
    }

    /// Whether the result depends on a rounding mode.
    pub const fn is_rounded(self) -> bool {
        use Op::*;
        matches!(
            self,
            FloatAdd
                | FloatMul
                | FloatDiv
                | FloatFma
                | FloatSqrt
                | FloatRoundToIntegral
                | FloatFromFloat
                | FloatFromSigned
                | FloatFromUnsigned
                | FloatToSigned
                | FloatToUnsigned
        )
    }

    /// Whether the two operands may be swapped.
    pub const fn is_commutative(self) -> bool {
        use Op::*;
        matches!(
            self,
            And | Eq | BitAnd | BitOr | BitXor | Add | Mul | FloatAdd | FloatMul | FloatEq | IntAdd | IntMul
        )
    }
}

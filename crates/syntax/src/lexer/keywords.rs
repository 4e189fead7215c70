//! All spellings of all keywords.
//!
//! A word is interned first; its symbol then indexes a table of kinds, so that telling keywords
//! from names costs no second look-up.

use super::token::TokenKind::{self, *};
use base::Interner;

#[rustfmt::skip]
const KEYWORDS: &[(TokenKind, &[&str])] = &[
    (Typedef, &["typedef"]),
    (Extern, &["extern"]),
    (Static, &["static"]),
    (Auto, &["auto"]),
    (Register, &["register"]),
    (ThreadLocal, &["_Thread_local", "__thread"]),
    (Inline, &["inline", "__inline", "__inline__", "__forceinline"]),
    (Noreturn, &["_Noreturn"]),
    (Alignas, &["_Alignas"]),
    (Attribute, &["__attribute__", "__attribute"]),
    (Extension, &["__extension__"]),
    (Declspec, &["__declspec", "_declspec"]),
    (Ignored, &[
        "__cdecl", "_cdecl", "__stdcall", "_stdcall", "__fastcall", "_fastcall", "__thiscall",
        "__vectorcall", "__ptr32", "__ptr64", "__w64", "__unaligned",
        "_Nonnull", "_Nullable", "_Null_unspecified",
    ]),
    (Const, &["const", "__const", "__const__"]),
    (Volatile, &["volatile", "__volatile", "__volatile__"]),
    (Restrict, &["restrict", "__restrict", "__restrict__"]),
    (Atomic, &["_Atomic"]),
    (Void, &["void"]),
    (Bool, &["_Bool"]),
    (CharType, &["char"]),
    (Short, &["short"]),
    (Int, &["int"]),
    (Long, &["long"]),
    (Float, &["float"]),
    (Double, &["double"]),
    (Signed, &["signed", "__signed", "__signed__"]),
    (Unsigned, &["unsigned"]),
    (Complex, &["_Complex", "__complex", "__complex__"]),
    (Struct, &["struct"]),
    (Union, &["union"]),
    (Enum, &["enum"]),
    (Typeof, &["typeof", "__typeof", "__typeof__"]),
    (AutoType, &["__auto_type"]),
    (VaList, &["__builtin_va_list"]),
    (Int128, &["__int128", "__int128__"]),
    (SignedInt128, &["__int128_t"]),
    (UnsignedInt128, &["__uint128_t"]),
    (Float16, &["_Float16", "__fp16", "__bf16"]),
    (Float32, &["_Float32"]),
    (Float64, &["_Float64", "_Float32x"]),
    (Float80, &["_Float64x", "__float80"]),
    (Float128, &["_Float128", "__float128"]),
    (MicrosoftInt8, &["__int8"]),
    (MicrosoftInt16, &["__int16"]),
    (MicrosoftInt32, &["__int32"]),
    (MicrosoftInt64, &["__int64"]),
    (Asm, &["asm", "__asm", "__asm__"]),
    (Break, &["break"]),
    (Case, &["case"]),
    (Continue, &["continue"]),
    (Default, &["default"]),
    (Do, &["do"]),
    (Else, &["else"]),
    (For, &["for"]),
    (Goto, &["goto"]),
    (If, &["if"]),
    (Label, &["__label__"]),
    (Return, &["return"]),
    (StaticAssert, &["_Static_assert"]),
    (Switch, &["switch"]),
    (While, &["while"]),
    (Alignof, &["_Alignof", "__alignof", "__alignof__"]),
    (Generic, &["_Generic"]),
    (Imaginary, &["__imag__", "__imag"]),
    (Real, &["__real__", "__real"]),
    (Sizeof, &["sizeof"]),
    (BuiltinChooseExpr, &["__builtin_choose_expr"]),
    (BuiltinOffsetof, &["__builtin_offsetof"]),
    (BuiltinTypesCompatible, &["__builtin_types_compatible_p"]),
    (BuiltinVaArg, &["__builtin_va_arg"]),
    (PragmaOperator, &["_Pragma", "__pragma"]),
];

/// The kind of every symbol that there was when the table was made; all later ones are names.
pub(super) struct KeywordTable {
    kinds: Vec<TokenKind>,
}

impl KeywordTable {
    pub fn new(interner: &mut Interner) -> Self {
        let mut kinds = Vec::new();
        for &(kind, spellings) in KEYWORDS {
            for spelling in spellings {
                let index = interner.intern(spelling).0 as usize;
                if kinds.len() <= index {
                    kinds.resize(index + 1, Identifier);
                }
                kinds[index] = kind;
            }
        }
        Self { kinds }
    }

    #[inline]
    pub fn kind(&self, symbol: base::Symbol) -> TokenKind {
        self.kinds.get(symbol.0 as usize).copied().unwrap_or(Identifier)
    }
}

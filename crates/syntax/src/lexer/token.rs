//! What the lexer hands to the parser: a kind, a place, and the symbol of a word.

use base::{Span, Symbol};

/// One token. Numbers and strings are decoded from the text by whoever consumes them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub kind: TokenKind,
    pub start: u32,
    pub end: u32,
    /// The word itself, for identifiers and keywords.
    pub symbol: Symbol,
}

impl Token {
    pub fn span(self) -> Span {
        Span::new(self.start, self.end)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TokenKind {
    End,
    Identifier,
    Number,
    Char,
    String,

    ParenOpen,
    ParenClose,
    BracketOpen,
    BracketClose,
    BraceOpen,
    BraceClose,
    Semicolon,
    Comma,
    Dot,
    Arrow,
    Ellipsis,
    Colon,
    Question,
    Hash,

    Plus,
    Minus,
    Star,
    Slash,
    Percent,
    Ampersand,
    Pipe,
    Caret,
    Tilde,
    Bang,
    Less,
    Greater,
    LessEqual,
    GreaterEqual,
    EqualEqual,
    BangEqual,
    AmpersandAmpersand,
    PipePipe,
    ShiftLeft,
    ShiftRight,
    PlusPlus,
    MinusMinus,

    Equal,
    PlusEqual,
    MinusEqual,
    StarEqual,
    SlashEqual,
    PercentEqual,
    AmpersandEqual,
    PipeEqual,
    CaretEqual,
    ShiftLeftEqual,
    ShiftRightEqual,

    // Storage classes and function specifiers.
    Typedef,
    Extern,
    Static,
    Auto,
    Register,
    ThreadLocal,
    Inline,
    Noreturn,
    Alignas,
    Attribute,
    Extension,
    /// `__declspec`
    Declspec,
    /// `__cdecl`, `__ptr32`, `_Nonnull`: words of other compilers that change nothing here.
    Ignored,

    // Qualifiers.
    Const,
    Volatile,
    Restrict,
    Atomic,

    // Types.
    Void,
    Bool,
    CharType,
    Short,
    Int,
    Long,
    Float,
    Double,
    Signed,
    Unsigned,
    Complex,
    Struct,
    Union,
    Enum,
    Typeof,
    AutoType,
    VaList,
    Int128,
    SignedInt128,
    UnsignedInt128,
    Float16,
    Float32,
    Float64,
    Float80,
    Float128,
    MicrosoftInt8,
    MicrosoftInt16,
    MicrosoftInt32,
    MicrosoftInt64,

    // Statements.
    Asm,
    Break,
    Case,
    Continue,
    Default,
    Do,
    Else,
    For,
    Goto,
    If,
    Label,
    Return,
    StaticAssert,
    Switch,
    While,

    // Expressions.
    Alignof,
    Generic,
    Imaginary,
    Real,
    Sizeof,
    BuiltinChooseExpr,
    BuiltinOffsetof,
    BuiltinTypesCompatible,
    BuiltinVaArg,

    /// `_Pragma`: never leaves the lexer.
    PragmaOperator,
}

impl TokenKind {
    /// A keyword that the type of a cast or of `sizeof` can start with; `__extension__` starts an
    /// expression there.
    #[inline]
    pub fn starts_type(self) -> bool {
        let kind = self as u8;
        (TokenKind::Const as u8..=TokenKind::MicrosoftInt64 as u8).contains(&kind)
            || matches!(self, TokenKind::Attribute | TokenKind::Declspec | TokenKind::Ignored)
            || self == TokenKind::Alignas
    }

    /// A keyword that a declaration can start with (`__extension__` and attributes aside: an
    /// expression or a statement can start with them too).
    #[inline]
    pub fn starts_declaration(self) -> bool {
        let kind = self as u8;
        (TokenKind::Typedef as u8..=TokenKind::MicrosoftInt64 as u8).contains(&kind)
            && !matches!(self, TokenKind::Attribute | TokenKind::Extension)
    }

    /// A type keyword of some compilers that headers for others define by `typedef`.
    #[inline]
    pub fn is_redefinable_type(self) -> bool {
        let kind = self as u8;
        (TokenKind::VaList as u8..=TokenKind::MicrosoftInt64 as u8).contains(&kind)
    }
}

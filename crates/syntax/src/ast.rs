//! The syntax tree of one translation unit.
//!
//! Nodes live in arenas of [`Ast`] and name each other by id; lists are [`Range`]s of pools. The
//! tree says what was written, not what it means: no types are computed, no names are resolved.
//! Chains that real code makes very long (sums, `else if`, stacked labels) are still trees here, so
//! whoever walks the tree walks their spine in a loop.

use base::{Arena, ListPool, Range, Span, Symbol, define_id};

define_id! {
    /// An expression of an [`Ast`].
    ExprId
}
define_id! {
    /// A statement of an [`Ast`].
    StmtId
}
define_id! {
    /// A declaration (specifiers with all their declarators) of an [`Ast`].
    DeclarationId
}
define_id! {
    /// Declaration specifiers.
    SpecifiersId
}
define_id! {
    /// A declarator: a name wrapped in pointers, arrays and functions.
    DeclaratorId
}
define_id! {
    /// An initialiser: an expression or a braced list.
    InitializerId
}
define_id! {
    /// A struct, union or enum specifier.
    TagId
}
define_id! {
    /// A function definition.
    FunctionId
}
define_id! {
    /// A string literal (adjacent ones already joined).
    StringId
}
define_id! {
    /// An inline assembly statement.
    AsmId
}

/// All nodes of one translation unit.
#[derive(Default)]
pub struct Ast {
    /// What stands at file scope, in order.
    pub items: Vec<Item>,
    pub exprs: Arena<ExprId, Expr>,
    pub stmts: Arena<StmtId, Stmt>,
    pub declarations: Arena<DeclarationId, Declaration>,
    pub specifiers: Arena<SpecifiersId, Specifiers>,
    pub declarators: Arena<DeclaratorId, Declarator>,
    pub initializers: Arena<InitializerId, Initializer>,
    pub tags: Arena<TagId, Tag>,
    pub functions: Arena<FunctionId, Function>,
    pub strings: Arena<StringId, StringLiteral>,
    pub asms: Arena<AsmId, Asm>,

    pub expr_lists: ListPool<ExprId>,
    pub block_items: ListPool<BlockItem>,
    pub declarator_lists: ListPool<InitDeclarator>,
    pub derivations: ListPool<Derivation>,
    pub parameters: ListPool<Parameter>,
    pub declaration_lists: ListPool<DeclarationId>,
    pub members: ListPool<Member>,
    pub enumerators: ListPool<Enumerator>,
    pub initializer_items: ListPool<InitializerItem>,
    pub designators: ListPool<Designator>,
    pub attributes: ListPool<Attribute>,
    pub associations: ListPool<GenericAssociation>,
    pub offsets: ListPool<OffsetStep>,
    pub symbols: ListPool<Symbol>,
}

impl Ast {
    /// Empty, but with room for what a text of so many bytes becomes at least: growing step by step
    /// would mean copying.
    pub fn with_room_for(text: usize) -> Ast {
        Ast {
            exprs: Arena::with_capacity(text / 12),
            stmts: Arena::with_capacity(text / 32),
            ..Ast::default()
        }
    }
}

/// Something at file scope.
#[derive(Clone, Copy, Debug)]
pub enum Item {
    Declaration(DeclarationId),
    Function(FunctionId),
    StaticAssert(StaticAssert),
    /// `asm("…");` outside of functions.
    Asm(AsmId),
}

/// `specifiers declarator [old-style parameter declarations] { … }`
#[derive(Clone, Debug)]
pub struct Function {
    pub specifiers: SpecifiersId,
    pub declarator: DeclaratorId,
    /// The declarations between `)` and `{` of a K&R definition.
    pub old_parameters: Range<DeclarationId>,
    /// Always [`StmtKind::Block`].
    pub body: StmtId,
    pub span: Span,
}

#[derive(Clone, Copy, Debug)]
pub struct Declaration {
    pub specifiers: SpecifiersId,
    pub declarators: Range<InitDeclarator>,
    pub span: Span,
}

/// One declarator of a declaration, with what may follow it.
#[derive(Clone, Copy, Debug)]
pub struct InitDeclarator {
    pub declarator: DeclaratorId,
    pub initializer: Option<InitializerId>,
    /// `asm("name")` after the declarator.
    pub asm_name: Option<StringId>,
}

/// Storage class, qualifiers, attributes and the type that a declaration starts with.
#[derive(Clone, Copy, Debug)]
pub struct Specifiers {
    pub storage: Storage,
    pub thread_local: bool,
    pub inline: bool,
    pub noreturn: bool,
    pub qualifiers: Qualifiers,
    pub ty: TypeSpecifier,
    /// Attributes among the specifiers (they apply to every declarator, or to the tag).
    pub attributes: Range<Attribute>,
    /// `_Alignas(…)`, the last one given.
    pub alignment: Option<Alignment>,
    pub span: Span,
}

#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Storage {
    #[default]
    None,
    Typedef,
    Extern,
    Static,
    Auto,
    Register,
}

#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Qualifiers {
    pub is_const: bool,
    pub is_volatile: bool,
    pub is_restrict: bool,
    pub is_atomic: bool,
}

#[derive(Clone, Copy, Debug)]
pub enum Alignment {
    Value(ExprId),
    Type(TypeName),
}

#[derive(Clone, Copy, Debug)]
pub enum TypeSpecifier {
    Void,
    Bool,
    Char {
        signedness: Option<Signedness>,
    },
    /// `short`, `int`, `long`, `long long`, `__int128`, with or without a sign.
    Int {
        size: IntSize,
        unsigned: bool,
    },
    Float(FloatSize),
    Complex(FloatSize),
    /// `_Complex int` and the like: accepted, never computed with.
    ComplexInt,
    /// A struct, union or enum, defined here or not.
    Tag(TagId),
    TypedefName(Symbol),
    TypeofExpr(ExprId),
    TypeofType(TypeName),
    /// `_Atomic(type)`
    AtomicType(TypeName),
    /// `__builtin_va_list`
    VaList,
    /// `__auto_type`
    Auto,
    /// No type at all: `static x;`, `main() {}`. Means `int`.
    Implicit,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Signedness {
    Signed,
    Unsigned,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum IntSize {
    Short,
    Int,
    Long,
    LongLong,
    Int128,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FloatSize {
    /// `_Float16`, `__fp16`, `__bf16` are accepted by name only.
    Half,
    Float,
    Double,
    LongDouble,
    /// `__float128`, `_Float128`
    Quad,
}

/// A struct, union or enum specifier.
#[derive(Clone, Copy, Debug)]
pub struct Tag {
    pub kind: TagKind,
    pub name: Option<Symbol>,
    /// `None` where the tag is only mentioned.
    pub body: Option<TagBody>,
    /// Attributes after the keyword and after the closing brace.
    pub attributes: Range<Attribute>,
    pub span: Span,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TagKind {
    Struct,
    Union,
    Enum,
}

#[derive(Clone, Copy, Debug)]
pub enum TagBody {
    Members(Range<Member>),
    Enumerators(Range<Enumerator>),
}

/// One member of a struct or union, or a declaration without declarator in it.
#[derive(Clone, Copy, Debug)]
pub enum Member {
    Field { specifiers: SpecifiersId, declarator: Option<DeclaratorId>, width: Option<ExprId>, span: Span },
    StaticAssert(StaticAssert),
}

#[derive(Clone, Copy, Debug)]
pub struct Enumerator {
    pub name: Symbol,
    pub value: Option<ExprId>,
    pub span: Span,
}

#[derive(Clone, Copy, Debug)]
pub struct StaticAssert {
    pub condition: ExprId,
    pub message: Option<StringId>,
    pub span: Span,
}

/// `derivations` read from the name outwards: for `int *a[3]` they are array of 3, then pointer.
#[derive(Clone, Copy, Debug)]
pub struct Declarator {
    /// `None` for an abstract declarator.
    pub name: Option<Symbol>,
    pub derivations: Range<Derivation>,
    /// Attributes anywhere in or after the declarator.
    pub attributes: Range<Attribute>,
    /// The name, or where it would stand.
    pub span: Span,
}

#[derive(Clone, Copy, Debug)]
pub enum Derivation {
    Pointer(Qualifiers),
    Array {
        length: ArrayLength,
        /// Qualifiers inside `[ ]` of a parameter.
        qualifiers: Qualifiers,
    },
    Function {
        parameters: Range<Parameter>,
        variadic: bool,
        style: ParameterStyle,
    },
}

#[derive(Clone, Copy, Debug)]
pub enum ArrayLength {
    /// `[]`
    None,
    /// `[*]`
    Star,
    Expr(ExprId),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ParameterStyle {
    /// `(int a, char *b)`; for `(void)` the list is empty.
    Prototype,
    /// `()`
    Empty,
    /// `(a, b)`: K&R, the parameters hold names only.
    Names,
}

#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// `None` in a K&R list of names.
    pub specifiers: Option<SpecifiersId>,
    pub declarator: DeclaratorId,
    pub span: Span,
}

/// `specifiers abstract-declarator`, as in casts and `sizeof`.
#[derive(Clone, Copy, Debug)]
pub struct TypeName {
    pub specifiers: SpecifiersId,
    pub declarator: DeclaratorId,
}

/// One attribute of `__attribute__((…))`, its name without surrounding underscores.
///
/// `#pragma pack(n)` is the attribute `pragma_pack` of each struct and union defined under it, with
/// `n` as its argument: no member is aligned to more than `n` bytes.
#[derive(Clone, Copy, Debug)]
pub struct Attribute {
    pub name: Symbol,
    /// Arguments that are expressions; a lone identifier (`mode(DI)`) is an [`ExprKind::Name`].
    pub arguments: Range<ExprId>,
    pub span: Span,
}

#[derive(Clone, Copy, Debug)]
pub struct Initializer {
    pub kind: InitializerKind,
    pub span: Span,
}

#[derive(Clone, Copy, Debug)]
pub enum InitializerKind {
    Expr(ExprId),
    List(Range<InitializerItem>),
}

#[derive(Clone, Copy, Debug)]
pub struct InitializerItem {
    pub designators: Range<Designator>,
    pub value: InitializerId,
}

#[derive(Clone, Copy, Debug)]
pub enum Designator {
    /// `.name` or the old `name:`
    Field(Symbol, Span),
    Index(ExprId),
    /// `[first ... last]`
    IndexRange(ExprId, ExprId),
}

#[derive(Clone, Copy, Debug)]
pub struct Expr {
    pub kind: ExprKind,
    pub span: Span,
}

#[derive(Clone, Copy, Debug)]
pub enum ExprKind {
    Name(Symbol),
    Int(IntLiteral),
    /// The literal's digits are at the span; `sema` reads them in the precision of the type.
    Float(FloatLiteral),
    /// Value as the compiler sees it (`'ab'` is an int, `L'x'` a wchar_t); `'\xff'` is -1 in 32 bits.
    Char {
        value: u32,
        kind: CharKind,
    },
    String(StringId),
    Unary {
        op: UnaryOp,
        operand: ExprId,
    },
    Binary {
        op: BinaryOp,
        left: ExprId,
        right: ExprId,
    },
    /// `target op= value`; `op` is `None` for `=`.
    Assign {
        op: Option<BinaryOp>,
        target: ExprId,
        value: ExprId,
    },
    /// `then` is `None` for the GNU form `c ?: b`.
    Conditional {
        condition: ExprId,
        then: Option<ExprId>,
        otherwise: ExprId,
    },
    Comma {
        left: ExprId,
        right: ExprId,
    },
    Call {
        callee: ExprId,
        arguments: Range<ExprId>,
    },
    Index {
        base: ExprId,
        index: ExprId,
    },
    /// `base.field`
    Member {
        base: ExprId,
        field: Symbol,
    },
    /// `base->field`
    Arrow {
        base: ExprId,
        field: Symbol,
    },
    Cast {
        ty: TypeName,
        operand: ExprId,
    },
    CompoundLiteral {
        ty: TypeName,
        initializer: InitializerId,
    },
    SizeofExpr(ExprId),
    SizeofType(TypeName),
    AlignofExpr(ExprId),
    AlignofType(TypeName),
    Generic {
        control: ExprId,
        associations: Range<GenericAssociation>,
    },
    /// `({ … })`
    Statement(StmtId),
    /// `&&label`
    LabelAddress(Symbol),
    VaArg {
        list: ExprId,
        ty: TypeName,
    },
    Offsetof {
        ty: TypeName,
        path: Range<OffsetStep>,
    },
    TypesCompatible {
        left: TypeName,
        right: TypeName,
    },
    ChooseExpr {
        condition: ExprId,
        then: ExprId,
        otherwise: ExprId,
    },
}

#[derive(Clone, Copy, Debug)]
pub struct IntLiteral {
    pub value: u64,
    pub unsigned: bool,
    /// Number of `l` in the suffix.
    pub longs: u8,
    /// Decimal literals never become unsigned without a suffix.
    pub decimal: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FloatLiteral {
    pub size: FloatSize,
    /// Suffix `i` or `j`.
    pub imaginary: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CharKind {
    Plain,
    Wide,
    Utf8,
    Utf16,
    Utf32,
}

#[derive(Clone, Debug)]
pub struct StringLiteral {
    /// Code units without the final zero: bytes for plain and `u8`, else 16- or 32-bit units.
    pub units: Units,
    pub kind: CharKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum Units {
    Bytes(Box<[u8]>),
    Wide(Box<[u32]>),
}

#[derive(Clone, Copy, Debug)]
pub struct GenericAssociation {
    /// `None` for `default:`.
    pub ty: Option<TypeName>,
    pub value: ExprId,
}

#[derive(Clone, Copy, Debug)]
pub enum OffsetStep {
    Field(Symbol, Span),
    Index(ExprId),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnaryOp {
    Plus,
    Minus,
    BitNot,
    LogicalNot,
    AddressOf,
    Dereference,
    PreIncrement,
    PreDecrement,
    PostIncrement,
    PostDecrement,
    Real,
    Imaginary,
    /// `__extension__ e`: just `e`.
    Extension,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BinaryOp {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    ShiftLeft,
    ShiftRight,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    NotEqual,
    BitAnd,
    BitXor,
    BitOr,
    LogicalAnd,
    LogicalOr,
}

impl BinaryOp {
    /// How it is written.
    pub fn symbol(self) -> &'static str {
        match self {
            BinaryOp::Add => "+",
            BinaryOp::Subtract => "-",
            BinaryOp::Multiply => "*",
            BinaryOp::Divide => "/",
            BinaryOp::Remainder => "%",
            BinaryOp::ShiftLeft => "<<",
            BinaryOp::ShiftRight => ">>",
            BinaryOp::Less => "<",
            BinaryOp::LessEqual => "<=",
            BinaryOp::Greater => ">",
            BinaryOp::GreaterEqual => ">=",
            BinaryOp::Equal => "==",
            BinaryOp::NotEqual => "!=",
            BinaryOp::BitAnd => "&",
            BinaryOp::BitXor => "^",
            BinaryOp::BitOr => "|",
            BinaryOp::LogicalAnd => "&&",
            BinaryOp::LogicalOr => "||",
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub struct Stmt {
    pub kind: StmtKind,
    pub span: Span,
}

#[derive(Clone, Copy, Debug)]
pub enum StmtKind {
    Empty,
    Expr(ExprId),
    /// `local_labels` are those of `__label__`.
    Block {
        items: Range<BlockItem>,
        local_labels: Range<Symbol>,
    },
    If {
        condition: ExprId,
        then: StmtId,
        otherwise: Option<StmtId>,
    },
    While {
        condition: ExprId,
        body: StmtId,
    },
    DoWhile {
        body: StmtId,
        condition: ExprId,
    },
    For {
        init: ForInit,
        condition: Option<ExprId>,
        step: Option<ExprId>,
        body: StmtId,
    },
    Switch {
        subject: ExprId,
        body: StmtId,
    },
    /// `case first:` or `case first ... last:` before `body`.
    Case {
        first: ExprId,
        last: Option<ExprId>,
        body: StmtId,
    },
    Default {
        body: StmtId,
    },
    Label {
        name: Symbol,
        body: StmtId,
    },
    Goto(Symbol),
    ComputedGoto(ExprId),
    Break,
    Continue,
    Return(Option<ExprId>),
    Asm(AsmId),
}

#[derive(Clone, Copy, Debug)]
pub enum ForInit {
    None,
    Expr(ExprId),
    Declaration(DeclarationId),
}

#[derive(Clone, Copy, Debug)]
pub enum BlockItem {
    Declaration(DeclarationId),
    Stmt(StmtId),
    /// GNU nested function.
    Function(FunctionId),
    StaticAssert(StaticAssert),
}

/// `asm [volatile] [goto] ("template" : outputs : inputs : clobbers : labels)`
#[derive(Clone, Debug)]
pub struct Asm {
    pub template: StringId,
    pub outputs: Vec<AsmOperand>,
    pub inputs: Vec<AsmOperand>,
    pub clobbers: Vec<StringId>,
    pub labels: Vec<Symbol>,
    pub volatile: bool,
    pub span: Span,
}

#[derive(Clone, Copy, Debug)]
pub struct AsmOperand {
    pub constraint: StringId,
    pub value: ExprId,
}

//! The typed program: C with everything implicit made explicit.
//!
//! - Every name is resolved to a [`VariableId`] or [`FunctionId`]; locals of all functions live in
//!   one arena.
//! - Every expression has its type. Conversions are [`ExprKind::Cast`]s, reading an lvalue is
//!   [`ExprKind::Load`], array and function decay is [`ExprKind::AddressOf`] of an element or of
//!   the function. Operands of arithmetic have equal types (shifts and pointer arithmetic aside).
//! - Constants are folded: `sizeof`, `offsetof`, enumerators, `__builtin_constant_p`, … are gone.
//!   (`sizeof` of a variable-length array is arithmetic on the variable that holds its length.)
//! - Initialisers are flat lists of assignments to lvalues.
//! - Statements keep their structure and expressions their side effects.

pub use crate::dump::{dump, dump_expr};
use crate::types::{TypeId, Types, VlaId};
use base::{Arena, ListPool, Range, Span, Symbol, define_id};

define_id! {
    /// A global, local, parameter or compiler-made variable.
    VariableId
}
define_id! {
    /// A function, defined or not.
    FunctionId
}
define_id! {
    /// A typed expression.
    ExprId
}
define_id! {
    /// A statement.
    StmtId
}
define_id! {
    /// A label of a function.
    LabelId
}
define_id! {
    /// A string literal.
    StringId
}
define_id! {
    /// A floating-point constant.
    FloatId
}

pub struct Program {
    pub types: Types,
    pub variables: Arena<VariableId, Variable>,
    pub functions: Arena<FunctionId, Function>,
    pub exprs: Arena<ExprId, Expr>,
    pub stmts: Arena<StmtId, Stmt>,
    pub labels: Arena<LabelId, Label>,
    pub strings: Arena<StringId, StringData>,
    pub floats: Arena<FloatId, FloatConstant>,
    pub expr_lists: ListPool<ExprId>,
    pub stmt_lists: ListPool<StmtId>,
    pub init_lists: ListPool<InitItem>,
    /// The variable (of type `size_t`) that holds the number of elements of a variable-length array.
    pub vlas: Arena<VlaId, VariableId>,
    /// Variables with static storage (file scope, and static locals), in order of appearance.
    pub globals: Vec<VariableId>,
    /// Functions that run before `main`, in order.
    pub constructors: Vec<FunctionId>,
    /// The function that the program starts with (`main`), if it is defined.
    pub main: Option<FunctionId>,
}

#[derive(Clone, Debug)]
pub struct Variable {
    pub name: Symbol,
    pub ty: TypeId,
    pub storage: Storage,
    /// Other files than those of the program may name it: it has external linkage.
    pub is_external: bool,
    /// It is a name for a register of the machine, `register int sp asm("esp");`, and holds what that held before.
    pub is_register: bool,
    /// For variables with static storage only: how they start. Locals are initialised by
    /// [`StmtKind::Declare`].
    pub initializer: Option<Initializer>,
    /// Alignment asked for by an attribute or `_Alignas`, if more than the type's.
    pub alignment: Option<u64>,
    pub span: Span,
}

impl Variable {
    /// Without an initialiser, and known to its own file only.
    pub fn new(name: Symbol, ty: TypeId, storage: Storage, span: Span) -> Variable {
        Variable {
            name,
            ty,
            storage,
            is_external: false,
            is_register: false,
            initializer: None,
            alignment: None,
            span,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Storage {
    /// Defined at file scope or as a static local: zero unless initialised.
    Static,
    /// Declared `extern` and defined in none of the files: holds any value.
    External,
    /// An automatic variable of the function.
    Local(FunctionId),
    Parameter(FunctionId),
}

#[derive(Clone, Debug)]
pub struct Function {
    pub name: Symbol,
    /// Always a function type.
    pub ty: TypeId,
    pub noreturn: bool,
    /// `None` if defined in none of the files.
    pub body: Option<Body>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Body {
    pub parameters: Vec<VariableId>,
    /// A [`StmtKind::Block`].
    pub block: StmtId,
    /// The closing brace.
    pub end: Span,
}

#[derive(Clone, Copy, Debug)]
pub struct Label {
    pub name: Symbol,
    pub function: FunctionId,
    /// `&&label` is used somewhere: a computed goto may come here.
    pub address_taken: bool,
    pub span: Span,
}

/// Bytes of a string literal in memory, the terminating zero included; wide strings little-endian.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct StringData {
    pub bytes: Box<[u8]>,
    /// The array type.
    pub ty: TypeId,
}

/// The bits of a floating-point constant in the format of its type (80 bits for `long double`).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct FloatConstant {
    pub bits: u128,
}

/// How an object starts: `items` are executed in order, on memory that is zero first if `zero`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Initializer {
    pub zero: bool,
    pub items: Range<InitItem>,
}

/// `target = value`. The target is an lvalue inside the object (built from [`ExprKind::Variable`],
/// [`ExprKind::Field`] and [`ExprKind::Index`] by constants). If it is an array, the value is a
/// [`ExprKind::String`] of an array type that is not longer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InitItem {
    pub target: ExprId,
    pub value: ExprId,
}

#[derive(Clone, Copy, Debug)]
pub struct Expr {
    pub kind: ExprKind,
    pub ty: TypeId,
    pub span: Span,
}

#[derive(Clone, Copy, Debug)]
pub enum ExprKind {
    // Constants.
    /// Bits of the value in its integer type, zero-extended (sign-extended to 128 bits if the type
    /// is `__int128`). A pointer type means a pointer made of an integer; 0 is the null pointer.
    Int(u64),
    Float(FloatId),

    // Lvalues. Their type is that of the object.
    Variable(VariableId),
    String(StringId),
    Dereference(ExprId),
    /// `field` indexes the fields of the record type of `base`, an lvalue (or, for members of a
    /// struct that a function returned, an rvalue of record type).
    Field {
        base: ExprId,
        field: u32,
    },
    /// `base` is an lvalue of array type; the index is an integer of any type.
    Index {
        base: ExprId,
        index: ExprId,
    },
    /// `(type){ … }`: declares and initialises `variable` each time it is evaluated.
    CompoundLiteral {
        variable: VariableId,
        initializer: Initializer,
    },
    /// Not an object, but a designator: only below [`ExprKind::AddressOf`] and as a callee.
    Function(FunctionId),

    // Rvalues.
    /// The value of an lvalue.
    Load(ExprId),
    AddressOf(ExprId),
    /// `&&label`
    LabelAddress(LabelId),
    Unary {
        op: UnaryOp,
        operand: ExprId,
    },
    Binary {
        op: BinaryOp,
        left: ExprId,
        right: ExprId,
    },
    /// `pointer + index` or `pointer - index` in elements; the type is the pointer's.
    PointerAdd {
        pointer: ExprId,
        index: ExprId,
        subtract: bool,
    },
    /// In elements.
    PointerDifference {
        left: ExprId,
        right: ExprId,
    },
    /// Short-circuit; operands are scalars, compared with zero; the result is an `int`.
    LogicalAnd {
        left: ExprId,
        right: ExprId,
    },
    LogicalOr {
        left: ExprId,
        right: ExprId,
    },
    /// The condition is a scalar. `then` is `None` for `c ?: e`, where the value of the condition
    /// (converted to the type) is the result.
    Conditional {
        condition: ExprId,
        then: Option<ExprId>,
        otherwise: ExprId,
    },
    /// Any conversion between scalars; to `void` to drop a value. To `_Bool` means `!= 0`.
    Cast(ExprId),
    /// The value is of the target's type; the result is the target's new value. May be a record.
    Assign {
        target: ExprId,
        value: ExprId,
    },
    /// `target = (type of target)((compute)target op value)`; `value` is already converted. For
    /// pointers (`+=`, `-=`), `compute` is the pointer type and `value` any integer.
    CompoundAssign {
        op: BinaryOp,
        target: ExprId,
        value: ExprId,
        compute: TypeId,
    },
    /// `++`, `--` on any scalar.
    Increment {
        target: ExprId,
        decrement: bool,
        prefix: bool,
    },
    Comma {
        left: ExprId,
        right: ExprId,
    },
    /// The callee is a pointer to function; [`ExprKind::AddressOf`] of a function for direct calls.
    /// Arguments are converted (prototype) or promoted.
    Call {
        callee: ExprId,
        arguments: Range<ExprId>,
    },
    Builtin {
        builtin: Builtin,
        arguments: Range<ExprId>,
    },
    /// `list` is an lvalue of type `va_list`.
    VaArg {
        list: ExprId,
    },
    /// `({ … })`; its value is that of `value` (evaluated last, inside the block's scope).
    Statement {
        block: StmtId,
        value: Option<ExprId>,
    },
    /// Something that is accepted but not modelled; the message says what.
    Unsupported(&'static str),
}

/// Operations that have no C syntax of their own. Others are ordinary functions by name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Builtin {
    /// `(list)`: an lvalue of type va_list.
    VaStart,
    VaEnd,
    /// `(to, from)`: lvalues.
    VaCopy,
    /// Reaching it is undefined.
    Unreachable,
    Trap,
    /// `(size)` bytes of the stack frame; a `void *`.
    Alloca,
    /// `(a, b, pointer to result)`: infinite precision, truncated to the result's type; value 1 on
    /// overflow.
    AddOverflow,
    SubtractOverflow,
    MultiplyOverflow,
    /// On the unsigned value of the argument's width; result `int`.
    CountLeadingZeros,
    CountTrailingZeros,
    CountLeadingSignBits,
    PopulationCount,
    Parity,
    FindFirstSet,
    ByteSwap,
    /// Float classification and comparison; result `int`.
    IsNan,
    IsInfinite,
    IsFinite,
    IsNormal,
    SignBit,
    IsGreater,
    IsGreaterEqual,
    IsLess,
    IsLessEqual,
    IsLessGreater,
    IsUnordered,
    /// `(nan, infinite, normal, subnormal, zero, value)`
    FloatClassify,
    /// `__builtin_isinf_sign`
    InfinitySign,
    /// `__builtin_frame_address`, `__builtin_return_address`: some pointer.
    SomeAddress,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UnaryOp {
    Negate,
    BitNot,
    /// Operand any scalar; result `int`.
    LogicalNot,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BinaryOp {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    /// The operands' types are promoted independently; the result has the left one's.
    ShiftLeft,
    ShiftRight,
    BitAnd,
    BitXor,
    BitOr,
    /// Comparisons: operands of equal type (integers, floats or pointers); result `int`.
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    NotEqual,
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
            BinaryOp::BitAnd => "&",
            BinaryOp::BitXor => "^",
            BinaryOp::BitOr => "|",
            BinaryOp::Less => "<",
            BinaryOp::LessEqual => "<=",
            BinaryOp::Greater => ">",
            BinaryOp::GreaterEqual => ">=",
            BinaryOp::Equal => "==",
            BinaryOp::NotEqual => "!=",
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
    Block(Range<StmtId>),
    /// The variable comes to life here, with any value, and is initialised.
    Declare {
        variable: VariableId,
        initializer: Option<Initializer>,
    },
    /// `(variable, byte count)` for a variable-length array; otherwise as [`StmtKind::Declare`].
    DeclareVla {
        variable: VariableId,
        size: ExprId,
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
    /// `init` is a statement so that a declaration fits; its scope is the loop.
    For {
        init: Option<StmtId>,
        condition: Option<ExprId>,
        step: Option<ExprId>,
        body: StmtId,
    },
    /// The subject is of an integer type (promoted); cases are in the type of the subject.
    Switch {
        subject: ExprId,
        body: StmtId,
    },
    /// Inclusive range of values (mathematical, of the subject's type) before `body`.
    Case {
        first: i64,
        last: i64,
        unsigned: bool,
        body: StmtId,
    },
    Default {
        body: StmtId,
    },
    Label {
        label: LabelId,
        body: StmtId,
    },
    Goto(LabelId),
    ComputedGoto(ExprId),
    Break,
    Continue,
    Return(Option<ExprId>),
    Assembly(Assembly),
    /// Accepted but not modelled.
    Unsupported(&'static str),
}

/// Inline assembly of which it is known what it changes.
#[derive(Clone, Copy, Debug)]
pub struct Assembly {
    /// Values of scalar types.
    pub reads: Range<ExprId>,
    /// Lvalues of scalar types, no pointers; they take any values.
    pub writes: Range<ExprId>,
    pub result: AssemblyResult,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AssemblyResult {
    /// By the machine around the program: really any value.
    Chosen,
    /// From what is read, in a way that is not modelled.
    Computed,
}

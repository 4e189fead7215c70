//! The program as control-flow automata.
//!
//! One automaton per function; locations and edges are numbered through the whole program, so that
//! an engine keeps what it knows of them in dense vectors. An edge carries one operation. Its
//! expressions are typed and free of side effects, and evaluating one has no control flow: what C
//! does inside expressions (assignments, calls, `&&`, `||`, most `?:`) has become edges, in
//! evaluation order, with temporaries in between.
//!
//! Invariants:
//! - Locations and edges of a function are contiguous, edges sorted by their source location.
//! - Every location but a function's exit and those that end the run has an edge out. The edges out
//!   of a location are one edge that is no [`EdgeKind::Assume`], or two assumes on the same condition
//!   with both truth values, or a single assume (`__VERIFIER_assume`: the run is dropped otherwise),
//!   or, for computed gotos, one assume for each label.
//! - No expression is deeper than [`MAX_DEPTH`]: deeper ones are cut by temporaries, so whoever walks
//!   them may recurse.
//! - [`Program::entry`] is a function made by us that initialises all globals and calls `main`.

use base::{Arena, Interner, ListPool, Range, SourceMap, Span, Symbol, define_id};
use sema::types::{TypeId, Types, VlaId};

pub use sema::hir::{
    BinaryOp, FloatConstant, FloatId, FunctionId, StringData, StringId, UnaryOp, VariableId,
};

define_id! {
    /// A place in the control flow.
    LocationId
}
define_id! {
    /// A step from one location to another.
    EdgeId
}
define_id! {
    /// A side-effect-free typed expression.
    ExprId
}
define_id! {
    /// An lvalue: memory that can be read, written and pointed to.
    PlaceId
}
define_id! {
    /// The details of a call.
    CallId
}

/// No expression is deeper than this.
pub const MAX_DEPTH: usize = 200;

pub struct Program {
    pub types: Types,
    pub names: Interner,
    pub sources: SourceMap,
    pub variables: Arena<VariableId, Variable>,
    pub functions: Arena<FunctionId, Function>,
    pub locations: Arena<LocationId, Location>,
    pub edges: Arena<EdgeId, Edge>,
    pub exprs: Arena<ExprId, Expr>,
    pub places: Arena<PlaceId, Place>,
    pub calls: Arena<CallId, Call>,
    pub strings: Arena<StringId, StringData>,
    pub floats: Arena<FloatId, FloatConstant>,
    pub projections: ListPool<Projection>,
    pub expr_lists: ListPool<ExprId>,
    /// Edges into each location, by [`Location::entering`].
    pub edge_lists: ListPool<EdgeId>,
    /// The variable that holds the number of elements of a variable-length array.
    pub vlas: Arena<VlaId, VariableId>,
    /// Targets of `&&label`: what an [`ExprKind::LabelAddress`] names.
    pub labels: Vec<LocationId>,
    /// Initialises globals and calls `main`.
    pub entry: FunctionId,
    /// `None` where the program has no `main`; then `entry` initialises globals only.
    pub main: Option<FunctionId>,
    pub environment: Environment,
}

/// What the world around the program does.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Environment {
    /// What verification tasks mean: allocation succeeds, functions without a body write nothing that
    /// the program reads, pointers from outside point to memory of their own, and `volatile` objects
    /// hold what was written to them.
    #[default]
    Benign,
    /// None of this: the automata show what may happen instead (`lower/environment.rs`).
    Hostile,
}

#[derive(Clone, Debug)]
pub struct Variable {
    pub name: Symbol,
    pub ty: TypeId,
    pub kind: VariableKind,
    /// Some [`ExprKind::AddressOf`] has it as its base. Scalars without it are plain variables.
    pub address_taken: bool,
    /// Asked for by an attribute, if more than the type's.
    pub alignment: Option<u64>,
    pub span: Span,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum VariableKind {
    /// Static storage, defined in the program.
    Global,
    /// Declared `extern`, defined nowhere: starts with any value.
    External,
    Local(FunctionId),
    Parameter(FunctionId),
    /// Made by the lowering; assigned before each use.
    Temporary(FunctionId),
}

impl VariableKind {
    pub fn is_global(self) -> bool {
        matches!(self, VariableKind::Global | VariableKind::External)
    }

    pub fn is_temporary(self) -> bool {
        matches!(self, VariableKind::Temporary(_))
    }

    /// The function whose frame holds the variable.
    pub fn function(self) -> Option<FunctionId> {
        match self {
            VariableKind::Global | VariableKind::External => None,
            VariableKind::Local(f) | VariableKind::Parameter(f) | VariableKind::Temporary(f) => Some(f),
        }
    }
}

#[derive(Clone, Debug)]
pub struct Function {
    pub name: Symbol,
    /// A function type.
    pub ty: TypeId,
    /// `None` for a function that the program only declares.
    pub body: Option<Body>,
    /// What the C library says such a function does, if it is undefined and of a known name.
    pub library: Option<crate::library::Library>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Body {
    pub parameters: Vec<VariableId>,
    /// Locals and temporaries (not parameters).
    pub locals: Vec<VariableId>,
    pub entry: LocationId,
    /// Where every [`EdgeKind::Return`] goes. Never has edges out.
    pub exit: LocationId,
    pub locations: std::ops::Range<u32>,
    pub edges: std::ops::Range<u32>,
}

#[derive(Clone, Copy, Debug)]
pub struct Location {
    pub function: FunctionId,
    /// Edges out: contiguous in [`Program::edges`].
    pub first_edge: EdgeId,
    pub edge_count: u32,
    pub entering: Range<EdgeId>,
}

#[derive(Clone, Copy, Debug)]
pub struct Edge {
    pub from: LocationId,
    pub to: LocationId,
    pub kind: EdgeKind,
    pub span: Span,
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub enum EdgeKind {
    Skip,
    /// Passable only if the (scalar) condition is non-zero, or zero if not `truth`.
    Assume {
        condition: ExprId,
        truth: bool,
    },
    /// Scalars, records, and arrays (from a string literal that is not longer).
    Assign {
        target: PlaceId,
        value: ExprId,
    },
    /// All bytes of the target become zero.
    Zero {
        target: PlaceId,
    },
    /// An automatic variable comes to life: a fresh object that holds any value.
    Declare {
        variable: VariableId,
    },
    /// The same for a variable-length array of so many bytes.
    DeclareVla {
        variable: VariableId,
        size: ExprId,
    },
    /// The block of an automatic variable whose address is taken is left: pointers to it are dangling
    /// from here on. Does nothing if the variable is not alive. (What is local to a function's
    /// outermost block ends with the call, without such an edge.)
    EndOfLife {
        variable: VariableId,
    },
    /// The target takes any value of its type: the input that the `__VERIFIER_nondet_…` function
    /// named here stands for, or the unknown initial value of an external variable (`None`).
    Input {
        target: PlaceId,
        function: Option<FunctionId>,
    },
    /// Into the callee and back to the edge's target; the engine keeps the call stack. Where the
    /// callee never returns, the target is a location without edges.
    Call(CallId),
    /// To the function's exit. `None` also where a value was due but none given.
    Return {
        value: Option<ExprId>,
    },
    /// `va_start`: the list is at the first argument after the named ones.
    VaStart {
        list: PlaceId,
    },
    /// The next argument, of the target's type.
    VaArg {
        target: PlaceId,
        list: PlaceId,
    },
    VaCopy {
        target: PlaceId,
        list: PlaceId,
    },
    VaEnd {
        list: PlaceId,
    },
    /// What follows allows more than the program does, in plain words because of what: the inputs behind
    /// stand for values that are computed in a way that is not modelled. Proofs hold, but a run that comes
    /// here shows nothing.
    Approximate(&'static str),
    /// What cannot be modelled, in plain words. Nothing is known about the state after it.
    Unsupported(&'static str),
}

#[derive(Clone, Copy, Debug)]
pub struct Call {
    pub callee: Callee,
    pub arguments: Range<ExprId>,
    /// Takes the value; of the function's result type.
    pub result: Option<PlaceId>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Callee {
    Direct(FunctionId),
    /// A pointer to function.
    Indirect(ExprId),
}

/// An lvalue: a base and the way from there, from the outside in.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    pub base: PlaceBase,
    pub projections: Range<Projection>,
    /// What is there.
    pub ty: TypeId,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PlaceBase {
    Variable(VariableId),
    /// What a pointer points to.
    Dereference(ExprId),
    String(StringId),
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Projection {
    /// Index into the fields of the record type `record`.
    Field { record: TypeId, field: u32 },
    /// An element of an array; `size` is that of an element in bytes.
    Index { index: ExprId, size: u64 },
}

#[derive(Clone, Copy, Debug)]
pub struct Expr {
    pub kind: ExprKind,
    pub ty: TypeId,
    pub span: Span,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ExprKind {
    /// Bits of the value in its type, zero-extended (of 128 bits the lower half: the upper one is the sign). In
    /// a pointer type: a pointer made of an integer, 0 being null.
    Int(u64),
    Float(FloatId),
    /// The value at a place; of a scalar or record type (or an array, for a string literal that
    /// initialises one).
    Load(PlaceId),
    AddressOf(PlaceId),
    FunctionAddress(FunctionId),
    /// Index into [`Program::labels`].
    LabelAddress(u32),
    Unary {
        op: UnaryOp,
        operand: ExprId,
    },
    Binary {
        op: BinaryOp,
        left: ExprId,
        right: ExprId,
    },
    /// `pointer + index * scale` in bytes; the index is an integer of any type, taken by its value.
    PointerAdd {
        pointer: ExprId,
        index: ExprId,
        scale: i64,
    },
    /// `(left - right) / size`, an exact division.
    PointerDifference {
        left: ExprId,
        right: ExprId,
        size: u64,
    },
    /// Both values can be evaluated whatever the condition is: they are free of anything undefined.
    Conditional {
        condition: ExprId,
        then: ExprId,
        otherwise: ExprId,
    },
    /// Conversion of a scalar to the expression's type.
    Cast(ExprId),
    /// 1 if the mathematical result of the operation on the operands' values does not fit `result`.
    Overflows {
        op: BinaryOp,
        left: ExprId,
        right: ExprId,
        result: TypeId,
    },
    /// An operation on numbers without C syntax.
    Intrinsic {
        intrinsic: Intrinsic,
        operand: ExprId,
    },
    /// Comparison of floats that is false (or for `Unordered`: true) on NaN and raises nothing.
    FloatCompare {
        compare: FloatCompare,
        left: ExprId,
        right: ExprId,
    },
}

/// Unary operations; on integers they see the unsigned value of the operand's width.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Intrinsic {
    CountLeadingZeros,
    CountTrailingZeros,
    CountLeadingSignBits,
    PopulationCount,
    Parity,
    FindFirstSet,
    ByteSwap,
    IsNan,
    IsInfinite,
    IsFinite,
    IsNormal,
    IsSubnormal,
    IsZero,
    SignBit,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FloatCompare {
    Greater,
    GreaterEqual,
    Less,
    LessEqual,
    LessGreater,
    Unordered,
}

impl Program {
    /// Edges out of a location.
    #[inline]
    pub fn leaving(&self, location: LocationId) -> &[Edge] {
        let Location { first_edge, edge_count, .. } = self.locations[location];
        &self.edges.as_slice()[first_edge.0 as usize..][..edge_count as usize]
    }

    /// The ids of the edges out of a location.
    #[inline]
    pub fn leaving_ids(&self, location: LocationId) -> impl DoubleEndedIterator<Item = EdgeId> + use<> {
        let Location { first_edge, edge_count, .. } = self.locations[location];
        (first_edge.0..first_edge.0 + edge_count).map(EdgeId)
    }

    /// Edges into a location (within its function).
    pub fn entering(&self, location: LocationId) -> &[EdgeId] {
        &self.edge_lists[self.locations[location].entering]
    }

    pub fn name(&self, symbol: Symbol) -> &str {
        self.names.resolve(symbol)
    }

    pub fn function_name(&self, function: FunctionId) -> &str {
        self.name(self.functions[function].name)
    }

    /// The function of that name, defined or declared.
    pub fn function_named(&self, name: &str) -> Option<FunctionId> {
        let symbol = self.names.lookup(name)?;
        self.functions.enumerated().find(|(_, f)| f.name == symbol).map(|(id, _)| id)
    }

    /// The functions that have a body.
    pub fn defined_functions(&self) -> impl Iterator<Item = (FunctionId, &Function, &Body)> {
        self.functions.enumerated().filter_map(|(id, f)| f.body.as_ref().map(|body| (id, f, body)))
    }

    /// The variable that a place is, if it is all of it.
    #[inline]
    pub fn as_variable(&self, place: PlaceId) -> Option<VariableId> {
        match self.places[place] {
            Place { base: PlaceBase::Variable(variable), projections, .. } if projections.is_empty() => {
                Some(variable)
            }
            _ => None,
        }
    }

    /// `stdin`, `stdout` and `stderr` are no inputs, but point to memory of their own.
    pub fn is_standard_stream(&self, variable: VariableId) -> bool {
        let variable = &self.variables[variable];
        let named = matches!(self.name(variable.name), "stdin" | "stdout" | "stderr");
        named && variable.kind == VariableKind::External && self.types.is_pointer(variable.ty)
    }
}

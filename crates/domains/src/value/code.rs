//! Compiled expressions, places and edges: what the automaton says, resolved to slots.

use super::layout::Layout;
use crate::interval::Thresholds;
use cfa::pointsto::PointsTo;
use cfa::{BinaryOp, EdgeId, FloatCompare, FunctionId, Program, VariableId};
use sema::types::BitRange;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct NodeId(pub u32);
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct PlaceIndex(pub u32);

/// How an integer or a pointer is held in 64 bits: extended by sign, or by zeros.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Shape {
    pub width: u32,
    pub signed: bool,
}

impl Shape {
    #[inline]
    pub fn canonical(self, bits: u64) -> u64 {
        let unused = 64 - self.width;
        if self.signed { (((bits << unused) as i64) >> unused) as u64 } else { (bits << unused) >> unused }
    }
}

/// A slot, and how its contents are read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Slot {
    pub index: u32,
    /// Counted from the start of the frame.
    pub local: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FloatFormat {
    Single,
    Double,
}

/// An expression. Values are 64 bits, canonical for their type.
#[derive(Clone, Copy, Debug)]
pub enum Node {
    Constant(u64),
    Unknown,
    Global(u32, Shape),
    Local(u32, Shape),
    Load(PlaceIndex, Shape),
    Address(PlaceIndex),
    /// Arithmetic on integers.
    Integer(BinaryOp, Shape, NodeId, NodeId),
    Compare {
        op: BinaryOp,
        signed: bool,
        left: NodeId,
        right: NodeId,
    },
    Negate(Shape, NodeId),
    BitNot(Shape, NodeId),
    IsZero(NodeId),
    IsNonZero(NodeId),
    /// To an integer type of that shape; `keeps` if no bits are lost.
    Convert {
        shape: Shape,
        keeps: bool,
        operand: NodeId,
    },
    PointerAdd {
        pointer: NodeId,
        index: NodeId,
        scale: i64,
        mask: u64,
    },
    PointerDifference {
        left: NodeId,
        right: NodeId,
        size: i64,
        shape: Shape,
    },
    Conditional(NodeId, NodeId, NodeId),
    Overflows {
        op: BinaryOp,
        shape: Shape,
        left: NodeId,
        right: NodeId,
    },
    Float(BinaryOp, FloatFormat, NodeId, NodeId),
    FloatNegate(FloatFormat, NodeId),
    FloatTest(FloatTest, FloatFormat, NodeId, NodeId),
    FloatIsZero(FloatFormat, NodeId),
    IntToFloat {
        signed: bool,
        to: FloatFormat,
        operand: NodeId,
    },
    FloatToInt {
        from: FloatFormat,
        shape: Shape,
        operand: NodeId,
    },
    FloatToFloat {
        from: FloatFormat,
        to: FloatFormat,
        operand: NodeId,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FloatTest {
    Operator(BinaryOp),
    Builtin(FloatCompare),
}

/// Where a place is.
#[derive(Clone, Debug)]
pub struct PlaceCode {
    pub start: Start,
    /// In bytes, all that is constant.
    pub offset: i64,
    /// Indices and the sizes of what they count.
    pub indices: Box<[(NodeId, u64)]>,
    /// Bytes of what is there.
    pub size: u64,
    pub bits: Option<BitRange>,
    /// What a write forgets if the place is not known.
    pub havoc: Box<[Havoc]>,
}

#[derive(Clone, Copy, Debug)]
pub enum Start {
    Variable(VariableId),
    Pointer(NodeId),
    String(u64),
}

/// Memory that a write may change.
#[derive(Clone, Debug)]
pub enum Havoc {
    /// Of all instances of a variable, these bytes (all if `None`).
    Variable { variable: VariableId, bytes: Option<std::ops::Range<u64>> },
    /// All objects of a call that allocates.
    Site(EdgeId),
}

/// What an edge does to memory.
#[derive(Clone, Debug)]
pub enum Operation {
    Skip,
    Assume {
        condition: NodeId,
        truth: bool,
        learn: Box<[Learn]>,
        bounds: Box<[Bound]>,
    },
    /// To a slot whose cell is of that many bits.
    Store {
        slot: Slot,
        width: u32,
        value: NodeId,
    },
    StorePlace {
        place: PlaceIndex,
        value: NodeId,
    },
    Copy {
        target: PlaceIndex,
        source: PlaceIndex,
    },
    Zero {
        place: PlaceIndex,
    },
    /// These slots of the frame (or of the globals) become unknown.
    Forget {
        slot: Slot,
        count: u32,
    },
    /// A slot of that width gets a value from outside.
    Input {
        slot: Slot,
        width: u32,
    },
    ForgetPlace {
        place: PlaceIndex,
    },
    Call(Box<CallCode>),
    Return(ReturnCode),
    Unsupported(&'static str),
}

/// Where the scalar is: always in the same slot, or at a place that depends on the state.
#[derive(Clone, Copy, Debug)]
pub enum Scalar {
    Slot(Slot),
    Place(PlaceIndex),
}

/// A scalar that an assumption says something about.
#[derive(Clone, Copy, Debug)]
pub struct Learn {
    pub scalar: Scalar,
    pub shape: Shape,
    pub fact: Fact,
}

/// A comparison of a scalar, in a type that it may have been converted to, with something else. What is
/// compared may be the scalar plus, or minus, another expression.
#[derive(Clone, Copy, Debug)]
pub struct Bound {
    pub scalar: Scalar,
    pub shape: Shape,
    pub compared_as: Shape,
    pub shift: Option<(BinaryOp, NodeId)>,
    pub op: BinaryOp,
    pub other: NodeId,
}

#[derive(Clone, Copy, Debug)]
pub enum Fact {
    NonZero,
    Equals(NodeId),
}

#[derive(Clone, Debug)]
pub enum Target {
    Function(FunctionId),
    Pointer(NodeId),
}

#[derive(Clone, Debug)]
pub struct CallCode {
    pub target: Target,
    pub arguments: Box<[Argument]>,
    pub result: Option<PlaceIndex>,
    /// The result is one cell of that kind; otherwise a record.
    pub result_kind: Kind,
    /// What the call forgets if the function has no body.
    pub havoc: Box<[Havoc]>,
}

#[derive(Clone, Copy, Debug)]
pub enum Argument {
    Scalar(NodeId, Kind),
    Record(PlaceIndex),
}

/// What is in 64 bits, to find out whether caller and callee agree on it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Integer(Shape),
    Float(FloatFormat),
    /// Not tracked as one number.
    Other,
}

#[derive(Clone, Copy, Debug)]
pub enum ReturnCode {
    Nothing,
    Scalar(NodeId, Kind),
    Record(PlaceIndex),
}

/// All of a program, compiled.
pub struct Code<'p> {
    pub program: &'p Program,
    pub points_to: &'p PointsTo,
    pub layout: Layout,
    pub nodes: Vec<Node>,
    /// By node; none where it is no expression of the program, or none of a tracked integer type.
    pub shapes: Vec<Option<Shape>>,
    pub places: Vec<PlaceCode>,
    /// Where intervals may end.
    pub thresholds: Thresholds,
    /// By edge.
    pub operations: Vec<Operation>,
    /// Slots of the frame that nobody reads after the edge, by edge.
    pub dying: Vec<Box<[u32]>>,
    /// What a function returns, and the kinds of its parameters.
    pub results: Vec<Kind>,
    pub parameters: Vec<Box<[(u32, Kind)]>>,
}

impl Code<'_> {
    #[inline]
    pub fn operation(&self, edge: EdgeId) -> &Operation {
        &self.operations[edge.0 as usize]
    }
}

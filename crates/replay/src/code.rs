//! The program in the form that is executed.
//!
//! Types, sizes, field offsets and the homes of variables are resolved once, when a function is
//! called for the first time. Every location has one [`Action`], every expression one [`Node`]; both
//! are 16 bytes, and the interpreter copies them out of dense vectors.
//!
//! Scalars of at most 64 bits are *narrow* (held in a `u64`, integers as [`integers`](crate::integers)
//! says, floats as their bits); `__int128`, `long double` and `__float128` are *wide* (`u128`).

use crate::integers::Shape;
use crate::memory::ObjectId;
use base::Span;
use cfa::{BinaryOp, EdgeId, ExprId, FunctionId, Intrinsic, VariableId};
use sema::types::{FloatKind, TypeId, Types};

/// Index into [`Code::nodes`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NodeId(pub u32);

impl NodeId {
    pub const NONE: NodeId = NodeId(u32::MAX);
}

/// Index into [`Code::places`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Spot(pub u32);

impl Spot {
    pub const NONE: Spot = Spot(u32::MAX);
}

/// How a scalar is represented.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scalar {
    Int(Shape),
    Wide { signed: bool },
    Float(FloatKind),
}

impl Scalar {
    /// `None` for records, arrays, `void` and other types that are no scalars.
    pub fn of(types: &Types, ty: TypeId) -> Option<Scalar> {
        use sema::types::Type;
        match *types.get(ty) {
            Type::Float(kind) => Some(Scalar::Float(kind)),
            Type::Pointer(_) => Some(Scalar::pointer(types)),
            Type::Enum(_) | Type::Bool | Type::Int(_) => Some(match types.int_shape(ty) {
                Some(shape) if shape.width > 64 => Scalar::Wide { signed: shape.signed },
                Some(shape) => Scalar::Int(Shape { width: shape.width as u8, signed: shape.signed }),
                None => Scalar::Int(Shape { width: 32, signed: false }),
            }),
            _ => None,
        }
    }

    pub fn pointer(types: &Types) -> Scalar {
        Scalar::Int(Shape { width: 8 * types.pointer_size() as u8, signed: false })
    }

    pub fn is_wide(self) -> bool {
        matches!(self, Scalar::Wide { .. } | Scalar::Float(FloatKind::LongDouble | FloatKind::Quad))
    }

    /// Bytes that a load or store touches.
    pub fn bytes(self) -> usize {
        match self {
            Scalar::Int(shape) => shape.bytes(),
            Scalar::Wide { .. } => 16,
            Scalar::Float(format) => crate::floats::value_bytes(format),
        }
    }

    /// Makes the canonical form of bits from memory or from elsewhere.
    #[inline]
    pub fn canonical(self, bits: u64) -> u64 {
        match self {
            Scalar::Int(shape) => shape.canonical(bits),
            Scalar::Float(FloatKind::Float) => bits & 0xffff_ffff,
            Scalar::Float(FloatKind::Half) => bits & 0xffff,
            _ => bits,
        }
    }

    pub fn canonical_wide(self, bits: u128) -> u128 {
        match self {
            Scalar::Float(FloatKind::LongDouble) => bits & ((1 << 80) - 1),
            _ if self.is_wide() => bits,
            _ => u128::from(self.canonical(bits as u64)),
        }
    }
}

/// Comparison of floats.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FloatTest {
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    NotEqual,
    LessGreater,
    Unordered,
}

#[derive(Clone, Copy, Debug)]
pub enum Node {
    Constant(u64),
    /// Index into [`Code::wide_constants`].
    WideConstant(u32),
    Slot(u32),
    Global(u32),
    WideSlot(u32),
    WideGlobal(u32),
    /// A narrow scalar in memory.
    Load(Spot),
    LoadWide(Spot),
    /// A value that is neither: a record, an array.
    Aggregate(Spot),
    Address(Spot),

    // Narrow integers. Results are canonical.
    Add(Shape, NodeId, NodeId),
    Subtract(Shape, NodeId, NodeId),
    Multiply(Shape, NodeId, NodeId),
    /// Addition, subtraction or multiplication that must not overflow.
    Checked(BinaryOp, Shape, NodeId, NodeId),
    Divide(Shape, NodeId, NodeId),
    Remainder(Shape, NodeId, NodeId),
    ShiftLeft(Shape, NodeId, NodeId),
    ShiftRight(Shape, NodeId, NodeId),
    /// The count must be less than the width.
    CheckedShift(BinaryOp, Shape, NodeId, NodeId),
    And(NodeId, NodeId),
    Or(NodeId, NodeId),
    Xor(NodeId, NodeId),
    Not(Shape, NodeId),
    Equal(NodeId, NodeId),
    NotEqual(NodeId, NodeId),
    LessSigned(NodeId, NodeId),
    LessUnsigned(NodeId, NodeId),
    LessEqualSigned(NodeId, NodeId),
    LessEqualUnsigned(NodeId, NodeId),
    IsZero(NodeId),
    IsNonZero(NodeId),
    Canonical(Shape, NodeId),
    PointerAdd {
        pointer: NodeId,
        index: NodeId,
        scale: i32,
    },
    IntIntrinsic(Intrinsic, u8, NodeId),

    // Floats, of the format given; those of wide formats are wide.
    Float32(BinaryOp, NodeId, NodeId),
    Float64(BinaryOp, NodeId, NodeId),
    FloatBinary(BinaryOp, FloatKind, NodeId, NodeId),
    FloatNegate(FloatKind, NodeId),
    FloatCompare(FloatTest, FloatKind, NodeId, NodeId),
    FloatTruth(FloatKind, NodeId),
    FloatIntrinsic(Intrinsic, FloatKind, NodeId),
    FloatToFloat {
        from: FloatKind,
        to: FloatKind,
        operand: NodeId,
    },
    /// Into an integer of at most 64 bits.
    FloatToInt(FloatKind, Shape, NodeId),
    FloatToWide(FloatKind, bool, NodeId),
    /// From a narrow integer, signed or not.
    IntToFloat(FloatKind, bool, NodeId),
    WideToFloat(FloatKind, bool, NodeId),

    // 128-bit integers.
    WideBinary(BinaryOp, bool, NodeId, NodeId),
    WideCompare(BinaryOp, bool, NodeId, NodeId),
    WideNegate(NodeId),
    WideNot(NodeId),
    WideTruth(NodeId),
    WideIntrinsic(Intrinsic, NodeId),
    /// A narrow integer, sign-extended or not.
    Widen(bool, NodeId),
    /// The low bits of a wide integer.
    Truncate(Shape, NodeId),

    /// Of any class.
    Conditional(NodeId, NodeId, NodeId),
    /// Index into [`Code::overflows`].
    Overflows(u32),
    /// Evaluates a value and drops it.
    Void(NodeId),
    /// Index into [`Code::messages`].
    Unsupported(u32),
}

/// An [`cfa::ExprKind::Overflows`].
#[derive(Clone, Copy, Debug)]
pub struct OverflowCode {
    pub op: BinaryOp,
    pub left: (Scalar, NodeId),
    pub right: (Scalar, NodeId),
    pub width: u32,
    pub signed: bool,
}

/// Where a variable is kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Home {
    /// The function has not been decoded yet.
    Unknown,
    /// A slot of the frame holds the value; two slots if wide.
    Slot(u32),
    WideSlot(u32),
    /// A slot of the frame holds the id of the object; 0 before it is declared.
    Memory(u32),
    /// The same for variables with static storage.
    Global(u32),
    WideGlobal(u32),
    Object(ObjectId),
}

/// What a place is based on.
#[derive(Clone, Copy, Debug)]
pub enum Base {
    /// A local: the slot with its object, and the variable in case it has none yet.
    Local(u32, VariableId),
    Object(ObjectId),
    Pointer(NodeId),
}

/// What is at a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Content {
    Scalar(Scalar),
    /// Bits counted from the place's offset, all in the bytes that are accessed.
    Bits {
        start: u32,
        width: u32,
        scalar: Scalar,
    },
    Aggregate,
}

/// A place in memory.
#[derive(Clone, Copy, Debug)]
pub struct PlaceCode {
    pub base: Base,
    /// What is known before the run.
    pub offset: u64,
    /// Bytes accessed.
    pub size: u64,
    /// Into [`Code::indices`].
    pub first_index: u32,
    pub index_count: u32,
    pub content: Content,
    /// A character type: reading what was not written is no use of it.
    pub character: bool,
}

#[derive(Clone, Copy, Debug)]
pub struct IndexCode {
    pub index: NodeId,
    pub size: u64,
    /// How many elements there are, if that is checked.
    pub count: u64,
}

/// What happens at a location, and where it goes on.
#[derive(Clone, Copy, Debug)]
pub enum Action {
    NotDecoded,
    /// The function's exit, or the end of all.
    End,
    Skip {
        to: u32,
    },
    Branch {
        condition: NodeId,
        yes: u32,
        no: u32,
    },
    Assume {
        condition: NodeId,
        truth: bool,
        to: u32,
    },
    /// Several assumes, tried in order.
    Choose,
    SetSlot {
        slot: u32,
        value: NodeId,
        to: u32,
    },
    SetGlobal {
        slot: u32,
        value: NodeId,
        to: u32,
    },
    SetWideSlot {
        slot: u32,
        value: NodeId,
        to: u32,
    },
    SetWideGlobal {
        slot: u32,
        value: NodeId,
        to: u32,
    },
    Store {
        place: Spot,
        value: NodeId,
        to: u32,
    },
    Copy {
        place: Spot,
        value: NodeId,
        to: u32,
    },
    Call {
        call: u32,
        to: u32,
    },
    Return {
        value: NodeId,
    },
    /// Everything that is rare.
    Edge(EdgeId),
}

/// A call, decoded.
#[derive(Clone, Debug)]
pub struct CallCode {
    pub callee: CalleeCode,
    pub arguments: Box<[ArgumentCode]>,
    pub result: ResultCode,
}

#[derive(Clone, Copy, Debug)]
pub enum CalleeCode {
    Direct(FunctionId),
    Indirect(NodeId),
}

#[derive(Clone, Copy, Debug)]
pub struct ArgumentCode {
    pub node: NodeId,
    pub ty: TypeId,
    /// `None` for aggregates.
    pub scalar: Option<Scalar>,
}

/// Where the result of a call goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ResultCode {
    Nowhere,
    Slot(u32, Scalar),
    WideSlot(u32),
    Global(u32, Scalar),
    WideGlobal(u32),
    Memory(Spot),
}

/// A function with a body, decoded.
#[derive(Clone, Debug)]
pub struct FunctionCode {
    pub entry: u32,
    pub frame_size: u32,
    /// Slots that hold ids of objects.
    pub memory_slots: Box<[u32]>,
    pub parameters: Box<[ParameterCode]>,
    /// All parameters are narrow and in slots 0, 1, 2, ….
    pub simple: bool,
    pub variadic: bool,
    /// How the result is represented; `None` for aggregates and `void`.
    pub result: Option<Scalar>,
}

#[derive(Clone, Copy, Debug)]
pub struct ParameterCode {
    pub home: Home,
    pub variable: VariableId,
    pub scalar: Option<Scalar>,
}

/// All that has been decoded so far.
#[derive(Default)]
pub struct Code {
    pub actions: Vec<Action>,
    pub nodes: Vec<Node>,
    /// The expression that a node was made for.
    pub origins: Vec<Span>,
    pub wide_constants: Vec<u128>,
    pub overflows: Vec<OverflowCode>,
    pub messages: Vec<&'static str>,
    pub places: Vec<PlaceCode>,
    pub indices: Vec<IndexCode>,
    pub calls: Vec<CallCode>,
    pub functions: Vec<Option<std::rc::Rc<FunctionCode>>>,
    pub homes: Vec<Home>,
    /// By [`ExprId`].
    pub node_of: Vec<NodeId>,
    /// By [`cfa::PlaceId`].
    pub spot_of: Vec<Spot>,
    pub string_objects: Vec<ObjectId>,
}

impl Code {
    pub fn node_of(&self, expr: ExprId) -> Option<NodeId> {
        self.node_of.get(expr.0 as usize).copied().filter(|&node| node != NodeId::NONE)
    }
}

//! Expressions: the operation for each type is chosen here, once.

use super::{Decoder, label_address};
use crate::code::*;
use crate::integers::Shape;
use base::Span;
use cfa::{BinaryOp, ExprId, ExprKind, FloatCompare, Intrinsic, UnaryOp};
use sema::types::{FloatKind, Type, TypeId};

impl Decoder<'_> {
    pub fn expr(&mut self, id: ExprId) -> NodeId {
        if let Some(node) = self.code.node_of(id) {
            return node;
        }
        let expr = self.program.exprs[id];
        let node = self.kind(expr);
        let node = self.push(node, expr.span);
        self.code.node_of[id.0 as usize] = node;
        node
    }

    fn push(&mut self, node: Node, span: Span) -> NodeId {
        self.code.nodes.push(node);
        self.code.origins.push(span);
        NodeId(self.code.nodes.len() as u32 - 1)
    }

    fn unsupported(&mut self, message: &'static str) -> Node {
        self.code.messages.push(message);
        Node::Unsupported(self.code.messages.len() as u32 - 1)
    }

    fn scalar(&self, ty: TypeId) -> Option<Scalar> {
        Scalar::of(&self.program.types, ty)
    }

    fn ty(&self, expr: ExprId) -> TypeId {
        self.program.exprs[expr].ty
    }

    /// A narrow node that is non-zero if the scalar is.
    pub fn condition(&mut self, id: ExprId) -> NodeId {
        let node = self.expr(id);
        let test = match self.scalar(self.ty(id)) {
            Some(Scalar::Float(format)) => Node::FloatTruth(format, node),
            Some(Scalar::Wide { .. }) => Node::WideTruth(node),
            _ => return node,
        };
        self.push(test, self.program.exprs[id].span)
    }

    /// An index by its value, of which pointer arithmetic uses the low 64 bits.
    pub fn narrow_index(&mut self, id: ExprId) -> NodeId {
        let node = self.expr(id);
        match self.scalar(self.ty(id)) {
            Some(Scalar::Wide { .. }) => self.push(Node::Truncate(Shape::U64, node), Span::NONE),
            _ => node,
        }
    }

    fn kind(&mut self, expr: cfa::Expr) -> Node {
        match expr.kind {
            ExprKind::Int(bits) => self.integer(bits, expr.ty),
            ExprKind::Float(id) => self.float(self.program.floats[id].bits, expr.ty),
            ExprKind::Load(place) => self.load(place),
            ExprKind::AddressOf(place) => self.address(place),
            ExprKind::FunctionAddress(id) => Node::Constant(self.function_addresses[id.0 as usize]),
            ExprKind::LabelAddress(label) => Node::Constant(label_address(self.program, label)),
            ExprKind::Unary { op, operand } => self.unary(op, operand, expr.ty),
            ExprKind::Binary { op, left, right } => self.binary(op, left, right, expr.ty),
            ExprKind::PointerAdd { pointer, index, scale } => self.pointer_add(pointer, index, scale),
            ExprKind::PointerDifference { left, right, size } => {
                self.pointer_difference(left, right, size, expr.ty)
            }
            ExprKind::Conditional { condition, then, otherwise } => {
                Node::Conditional(self.condition(condition), self.expr(then), self.expr(otherwise))
            }
            ExprKind::Cast(operand) => self.cast(operand, expr.ty),
            ExprKind::Overflows { op, left, right, result } => self.overflows(op, left, right, result),
            ExprKind::Intrinsic { intrinsic, operand } => self.intrinsic(intrinsic, operand),
            ExprKind::FloatCompare { compare, left, right } => {
                let test = match compare {
                    FloatCompare::Greater => FloatTest::Greater,
                    FloatCompare::GreaterEqual => FloatTest::GreaterEqual,
                    FloatCompare::Less => FloatTest::Less,
                    FloatCompare::LessEqual => FloatTest::LessEqual,
                    FloatCompare::LessGreater => FloatTest::LessGreater,
                    FloatCompare::Unordered => FloatTest::Unordered,
                };
                self.float_test(test, left, right)
            }
        }
    }

    fn integer(&mut self, bits: u64, ty: TypeId) -> Node {
        match self.scalar(ty) {
            Some(Scalar::Wide { signed: true }) => self.wide_constant(i128::from(bits as i64) as u128),
            Some(Scalar::Wide { signed: false }) => self.wide_constant(bits.into()),
            Some(Scalar::Int(shape)) => Node::Constant(shape.canonical(bits)),
            _ => Node::Constant(bits),
        }
    }

    fn float(&mut self, bits: u128, ty: TypeId) -> Node {
        match self.scalar(ty) {
            Some(scalar) if scalar.is_wide() => self.wide_constant(bits),
            _ => Node::Constant(bits as u64),
        }
    }

    fn wide_constant(&mut self, bits: u128) -> Node {
        self.code.wide_constants.push(bits);
        Node::WideConstant(self.code.wide_constants.len() as u32 - 1)
    }

    fn load(&mut self, place: cfa::PlaceId) -> Node {
        if let Some(variable) = self.program.as_variable(place) {
            match self.home(variable) {
                Home::Slot(slot) => return Node::Slot(slot),
                Home::WideSlot(slot) => return Node::WideSlot(slot),
                Home::Global(slot) => return Node::Global(slot),
                Home::WideGlobal(slot) => return Node::WideGlobal(slot),
                Home::Memory(_) | Home::Object(_) | Home::Unknown => {}
            }
        }
        let spot = self.spot(place);
        match self.code.places[spot.0 as usize].content {
            Content::Aggregate => Node::Aggregate(spot),
            Content::Scalar(scalar) | Content::Bits { scalar, .. } if scalar.is_wide() => {
                Node::LoadWide(spot)
            }
            Content::Scalar(_) | Content::Bits { .. } => Node::Load(spot),
        }
    }

    fn address(&mut self, place: cfa::PlaceId) -> Node {
        let spot = self.spot(place);
        let code = self.code.places[spot.0 as usize];
        match code.base {
            Base::Object(object) if code.index_count == 0 => {
                Node::Constant(self.memory.object(object).address.wrapping_add(code.offset))
            }
            _ => Node::Address(spot),
        }
    }

    fn pointer_add(&mut self, pointer: ExprId, index: ExprId, scale: i64) -> Node {
        let pointer = self.expr(pointer);
        let index = self.narrow_index(index);
        if let Ok(scale) = i32::try_from(scale) {
            return Node::PointerAdd { pointer, index, scale };
        }
        let factor = self.push(Node::Constant(scale as u64), Span::NONE);
        let index = self.push(Node::Multiply(Shape::U64, index, factor), Span::NONE);
        Node::PointerAdd { pointer, index, scale: 1 }
    }

    fn pointer_difference(&mut self, left: ExprId, right: ExprId, size: u64, ty: TypeId) -> Node {
        let (left, right) = (self.expr(left), self.expr(right));
        let Some(Scalar::Int(shape)) = self.scalar(ty) else { return Node::Constant(0) };
        let difference = Node::Subtract(shape, left, right);
        if size <= 1 {
            return difference;
        }
        let difference = self.push(difference, Span::NONE);
        let size = self.push(Node::Constant(size), Span::NONE);
        Node::Divide(shape, difference, size)
    }

    fn unary(&mut self, op: UnaryOp, operand: ExprId, ty: TypeId) -> Node {
        if op == UnaryOp::LogicalNot {
            return Node::IsZero(self.condition(operand));
        }
        let node = self.expr(operand);
        match (op, self.scalar(ty)) {
            (UnaryOp::BitNot, Some(Scalar::Int(shape))) => Node::Not(shape, node),
            (UnaryOp::BitNot, Some(Scalar::Wide { .. })) => Node::WideNot(node),
            (_, Some(Scalar::Float(format))) => Node::FloatNegate(format, node),
            (_, Some(Scalar::Wide { .. })) => Node::WideNegate(node),
            (_, Some(Scalar::Int(shape))) => {
                let zero = self.push(Node::Constant(0), Span::NONE);
                self.integer_binary(BinaryOp::Subtract, shape, zero, node)
            }
            (_, None) => self.unsupported("arithmetic on a type that is no scalar"),
        }
    }

    fn binary(&mut self, op: BinaryOp, left: ExprId, right: ExprId, ty: TypeId) -> Node {
        let (left_ty, right_ty) = (self.ty(left), self.ty(right));
        let (Some(scalar), Some(right_scalar)) = (self.scalar(left_ty), self.scalar(right_ty)) else {
            return self.unsupported("arithmetic on a type that is no scalar");
        };
        let _ = ty;
        if let Scalar::Float(format) = scalar {
            return self.float_binary(op, format, left, right);
        }
        let (left, right) = (self.expr(left), self.expr(right));
        let is_shift = matches!(op, BinaryOp::ShiftLeft | BinaryOp::ShiftRight);
        match (scalar, right_scalar) {
            (Scalar::Int(shape), Scalar::Wide { .. }) if is_shift => {
                let right = self.push(Node::Truncate(Shape::U64, right), Span::NONE);
                self.integer_binary(op, shape, left, right)
            }
            (Scalar::Int(shape), _) => self.integer_binary(op, shape, left, right),
            (Scalar::Wide { signed }, _) if is_compare(op) => Node::WideCompare(op, signed, left, right),
            (Scalar::Wide { signed }, Scalar::Int(shape)) => {
                let right = self.push(Node::Widen(shape.signed, right), Span::NONE);
                Node::WideBinary(op, signed, left, right)
            }
            (Scalar::Wide { signed }, _) => Node::WideBinary(op, signed, left, right),
            (Scalar::Float(_), _) => self.unsupported("arithmetic on different types"),
        }
    }

    fn integer_binary(&self, op: BinaryOp, shape: Shape, left: NodeId, right: NodeId) -> Node {
        use BinaryOp::*;
        match op {
            Add | Subtract | Multiply if shape.signed && self.checks.signed_overflow => {
                Node::Checked(op, shape, left, right)
            }
            Add => Node::Add(shape, left, right),
            Subtract => Node::Subtract(shape, left, right),
            Multiply => Node::Multiply(shape, left, right),
            Divide => Node::Divide(shape, left, right),
            Remainder => Node::Remainder(shape, left, right),
            ShiftLeft if shape.signed && self.checks.signed_overflow => {
                Node::CheckedShift(op, shape, left, right)
            }
            ShiftLeft | ShiftRight if self.checks.shift_range => Node::CheckedShift(op, shape, left, right),
            ShiftLeft => Node::ShiftLeft(shape, left, right),
            ShiftRight => Node::ShiftRight(shape, left, right),
            BitAnd => Node::And(left, right),
            BitXor => Node::Xor(left, right),
            BitOr => Node::Or(left, right),
            Equal => Node::Equal(left, right),
            NotEqual => Node::NotEqual(left, right),
            Less if shape.signed => Node::LessSigned(left, right),
            Less => Node::LessUnsigned(left, right),
            LessEqual if shape.signed => Node::LessEqualSigned(left, right),
            LessEqual => Node::LessEqualUnsigned(left, right),
            Greater => self.integer_binary(Less, shape, right, left),
            GreaterEqual => self.integer_binary(LessEqual, shape, right, left),
        }
    }

    fn float_binary(&mut self, op: BinaryOp, format: FloatKind, left: ExprId, right: ExprId) -> Node {
        let test = match op {
            BinaryOp::Less => FloatTest::Less,
            BinaryOp::LessEqual => FloatTest::LessEqual,
            BinaryOp::Greater => FloatTest::Greater,
            BinaryOp::GreaterEqual => FloatTest::GreaterEqual,
            BinaryOp::Equal => FloatTest::Equal,
            BinaryOp::NotEqual => FloatTest::NotEqual,
            BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Multiply | BinaryOp::Divide => {
                let (left, right) = (self.expr(left), self.expr(right));
                return match format {
                    FloatKind::Float => Node::Float32(op, left, right),
                    FloatKind::Double => Node::Float64(op, left, right),
                    _ => Node::FloatBinary(op, format, left, right),
                };
            }
            _ => return self.unsupported("an integer operation on floats"),
        };
        self.float_test(test, left, right)
    }

    fn float_test(&mut self, test: FloatTest, left: ExprId, right: ExprId) -> Node {
        match self.scalar(self.ty(left)) {
            Some(Scalar::Float(format)) => {
                Node::FloatCompare(test, format, self.expr(left), self.expr(right))
            }
            _ => self.unsupported("a float comparison of something else"),
        }
    }

    fn cast(&mut self, operand: ExprId, ty: TypeId) -> Node {
        let types = &self.program.types;
        let is_bool = matches!(types.get(ty), Type::Bool);
        let is_void = matches!(types.get(ty), Type::Void);
        if is_void {
            return Node::Void(self.expr(operand));
        }
        let (Some(from), Some(to)) = (self.scalar(self.ty(operand)), self.scalar(ty)) else {
            let same = self.ty(operand).unqualified() == ty.unqualified();
            let node = self.expr(operand);
            return if same {
                self.code.nodes[node.0 as usize]
            } else {
                self.unsupported("a conversion of a type that is no scalar")
            };
        };
        if is_bool {
            return Node::IsNonZero(self.condition(operand));
        }
        let node = self.expr(operand);
        self.convert(from, to, node)
    }

    fn convert(&mut self, from: Scalar, to: Scalar, node: NodeId) -> Node {
        use Scalar::{Float, Int, Wide};
        match (from, to) {
            (Int(_), Int(shape)) => match self.code.nodes[node.0 as usize] {
                Node::Constant(value) => Node::Constant(shape.canonical(value)),
                _ => Node::Canonical(shape, node),
            },
            (Int(shape), Wide { .. }) => Node::Widen(shape.signed, node),
            (Int(shape), Float(format)) => Node::IntToFloat(format, shape.signed, node),
            (Wide { .. }, Int(shape)) => Node::Truncate(shape, node),
            (Wide { .. }, Wide { .. }) => self.code.nodes[node.0 as usize],
            (Wide { signed }, Float(format)) => Node::WideToFloat(format, signed, node),
            (Float(format), Int(shape)) => Node::FloatToInt(format, shape, node),
            (Float(format), Wide { signed }) => Node::FloatToWide(format, signed, node),
            (Float(from), Float(to)) => Node::FloatToFloat { from, to, operand: node },
        }
    }

    fn overflows(&mut self, op: BinaryOp, left: ExprId, right: ExprId, result: TypeId) -> Node {
        let types = &self.program.types;
        let scalars = (self.scalar(self.ty(left)), self.scalar(self.ty(right)));
        let (Some(left_scalar), Some(right_scalar)) = scalars else {
            return self.unsupported("arithmetic on a type that is no scalar");
        };
        // `_Bool` holds one bit; the shape says eight.
        let (width, signed) = match (types.get(result), types.int_shape(result)) {
            (Type::Bool, _) => (1, false),
            (_, Some(shape)) => (shape.width, shape.signed),
            (_, None) => return self.unsupported("overflow of a type that is no integer"),
        };
        let left = (left_scalar, self.expr(left));
        let right = (right_scalar, self.expr(right));
        self.code.overflows.push(OverflowCode { op, left, right, width, signed });
        Node::Overflows(self.code.overflows.len() as u32 - 1)
    }

    fn intrinsic(&mut self, intrinsic: Intrinsic, operand: ExprId) -> Node {
        let node = self.expr(operand);
        match self.scalar(self.ty(operand)) {
            Some(Scalar::Int(shape)) => Node::IntIntrinsic(intrinsic, shape.width, node),
            Some(Scalar::Wide { .. }) => Node::WideIntrinsic(intrinsic, node),
            Some(Scalar::Float(format)) => Node::FloatIntrinsic(intrinsic, format, node),
            None => self.unsupported("an intrinsic on a type that is no scalar"),
        }
    }
}

fn is_compare(op: BinaryOp) -> bool {
    use BinaryOp::*;
    matches!(op, Less | LessEqual | Greater | GreaterEqual | Equal | NotEqual)
}

//! From the automaton to [`Code`].

use super::code::*;
use super::layout::{Cell, Layout};
use crate::interval::Thresholds;
use crate::overflow::OverflowMonitor;
use cfa::liveness::Liveness;
use cfa::pointsto::{ObjectKind, Offset, PointsTo};
use cfa::{
    BinaryOp, Callee, EdgeId, EdgeKind, ExprId, ExprKind, FunctionId, PlaceBase, PlaceId, Program,
    Projection, UnaryOp, VariableId,
};
use rustc_hash::FxHashMap;
use sema::types::{FloatKind, IntShape, Length, Type, TypeId};

impl<'p> Code<'p> {
    pub fn new(program: &'p Program, points_to: &'p PointsTo) -> Self {
        Self::compiled(program, points_to).code
    }

    /// With a monitor of what may overflow.
    pub fn with_overflow_monitor(
        program: &'p Program,
        points_to: &'p PointsTo,
    ) -> (Self, OverflowMonitor<NodeId>) {
        let mut compiler = Self::compiled(program, points_to);
        let operators = compiler.operators();
        (compiler.code, OverflowMonitor::new(operators))
    }

    fn compiled(program: &'p Program, points_to: &'p PointsTo) -> Compiler<'p> {
        let layout = Layout::new(program);
        let code = Code {
            program,
            points_to,
            layout,
            nodes: Vec::new(),
            shapes: Vec::new(),
            places: Vec::new(),
            thresholds: thresholds(program),
            operations: Vec::new(),
            dying: Vec::new(),
            results: Vec::new(),
            parameters: Vec::new(),
        };
        let mut compiler = Compiler {
            code,
            expressions: FxHashMap::default(),
            place_indices: FxHashMap::default(),
            rounds_to_nearest: program.function_named("fesetround").is_none(),
        };
        compiler.signatures();
        for edge in program.edges.ids() {
            let operation = compiler.operation(edge);
            compiler.code.operations.push(operation);
        }
        compiler.deaths();
        compiler
    }
}

pub(super) struct Compiler<'p> {
    pub(super) code: Code<'p>,
    expressions: FxHashMap<ExprId, NodeId>,
    place_indices: FxHashMap<PlaceId, PlaceIndex>,
    /// If not, what is rounded is unknown.
    rounds_to_nearest: bool,
}

impl<'p> Compiler<'p> {
    fn signatures(&mut self) {
        let program = self.code.program;
        for function in program.functions.ids() {
            let result = match *program.types.get(program.functions[function].ty) {
                Type::Function { result, .. } => self.kind(result),
                _ => Kind::Other,
            };
            self.code.results.push(result);
            let body = program.functions[function].body.as_ref();
            let parameters = body.into_iter().flat_map(|body| &body.parameters);
            let list = parameters.map(|&v| {
                let object = &self.code.layout.objects[v.0 as usize];
                (object.slot, self.kind(program.variables[v].ty))
            });
            let list = list.collect();
            self.code.parameters.push(list);
        }
    }

    fn deaths(&mut self) {
        let program = self.code.program;
        let liveness = Liveness::new(program);
        for edge in program.edges.ids() {
            let slots = liveness.dying(edge).iter().filter_map(|&v| {
                let object = &self.code.layout.objects[v.0 as usize];
                (object.cells.len() == 1).then_some(object.slot)
            });
            let slots = slots.collect();
            self.code.dying.push(slots);
        }
    }

    fn kind(&self, ty: TypeId) -> Kind {
        let types = &self.code.program.types;
        match *types.get(ty) {
            Type::Float(FloatKind::Float) => Kind::Float(FloatFormat::Single),
            Type::Float(FloatKind::Double) => Kind::Float(FloatFormat::Double),
            Type::Pointer(_) => Kind::Integer(self.pointer_shape()),
            _ => match types.int_shape(ty) {
                Some(IntShape { width, signed }) if width <= 64 => Kind::Integer(Shape { width, signed }),
                _ => Kind::Other,
            },
        }
    }

    fn pointer_shape(&self) -> Shape {
        Shape { width: 8 * self.code.program.types.pointer_size() as u32, signed: false }
    }

    pub(super) fn shape(&self, ty: TypeId) -> Option<Shape> {
        match self.kind(ty) {
            Kind::Integer(shape) => Some(shape),
            _ => None,
        }
    }

    fn node(&mut self, node: Node) -> NodeId {
        let id = NodeId(self.code.nodes.len() as u32);
        self.code.nodes.push(node);
        id
    }

    pub(super) fn expression(&mut self, id: ExprId) -> NodeId {
        if let Some(&node) = self.expressions.get(&id) {
            return node;
        }
        let compiled = self.compile(id).unwrap_or(Node::Unknown);
        let node = self.node(compiled);
        let shape = self.shape(self.code.program.exprs[id].ty);
        self.code.shapes.resize(self.code.nodes.len(), None);
        self.code.shapes[node.0 as usize] = shape;
        self.expressions.insert(id, node);
        node
    }

    /// `None` where the value is not computed.
    fn compile(&mut self, id: ExprId) -> Option<Node> {
        let program = self.code.program;
        let cfa::Expr { kind, ty, .. } = program.exprs[id];
        let own = self.kind(ty);
        Some(match kind {
            ExprKind::Int(bits) => match own {
                Kind::Integer(shape) => Node::Constant(shape.canonical(bits)),
                _ => return None,
            },
            ExprKind::Float(float) => match own {
                Kind::Float(_) => Node::Constant(program.floats[float].bits as u64),
                _ => return None,
            },
            ExprKind::Load(place) => self.load(place, own)?,
            ExprKind::AddressOf(place) => Node::Address(self.place(place)),
            ExprKind::FunctionAddress(function) => Node::Constant(Layout::function_address(function)),
            ExprKind::LabelAddress(label) => Node::Constant(Layout::label_address(label)),
            ExprKind::Unary { op, operand } => self.unary(op, operand, own)?,
            ExprKind::Binary { op, left, right } => self.binary(op, left, right, own)?,
            ExprKind::PointerAdd { pointer, index, scale } => {
                self.shape(program.exprs[index].ty)?;
                let (pointer, index) = (self.expression(pointer), self.expression(index));
                Node::PointerAdd { pointer, index, scale, mask: self.pointer_shape().canonical(u64::MAX) }
            }
            ExprKind::PointerDifference { left, right, size } => {
                let shape = self.shape(ty)?;
                let size = i64::try_from(size).ok().filter(|&size| size > 0)?;
                Node::PointerDifference {
                    left: self.expression(left),
                    right: self.expression(right),
                    size,
                    shape,
                }
            }
            ExprKind::Conditional { condition, then, otherwise } => {
                let condition = self.truth(condition);
                Node::Conditional(condition, self.expression(then), self.expression(otherwise))
            }
            ExprKind::Cast(operand) => self.cast(operand, ty, own)?,
            ExprKind::Overflows { op, left, right, result } => {
                self.shape(program.exprs[left].ty)?;
                self.shape(program.exprs[right].ty)?;
                let shape = self.shape(result)?;
                // Unsigned operands of 64 bits would need a sign of their own.
                let narrow = |ty| self.shape(ty).is_some_and(|s| s.signed || s.width < 64);
                if !narrow(program.exprs[left].ty) || !narrow(program.exprs[right].ty) {
                    return None;
                }
                Node::Overflows { op, shape, left: self.expression(left), right: self.expression(right) }
            }
            ExprKind::Intrinsic { .. } => return None,
            ExprKind::FloatCompare { compare, left, right } => {
                let Kind::Float(format) = self.kind(program.exprs[left].ty) else { return None };
                let (left, right) = (self.expression(left), self.expression(right));
                Node::FloatTest(FloatTest::Builtin(compare), format, left, right)
            }
        })
    }

    fn load(&mut self, place: PlaceId, kind: Kind) -> Option<Node> {
        let shape = match kind {
            Kind::Integer(shape) => shape,
            Kind::Float(FloatFormat::Single) => Shape { width: 32, signed: false },
            Kind::Float(FloatFormat::Double) => Shape { width: 64, signed: false },
            Kind::Other => return None,
        };
        if let Some((slot, width)) = self.fixed_slot(place)
            && width == shape.width
        {
            return Some(if slot.local {
                Node::Local(slot.index, shape)
            } else {
                Node::Global(slot.index, shape)
            });
        }
        Some(Node::Load(self.place(place), shape))
    }

    fn unary(&mut self, op: UnaryOp, operand: ExprId, own: Kind) -> Option<Node> {
        let kind = self.kind(self.code.program.exprs[operand].ty);
        Some(match (op, own) {
            (UnaryOp::LogicalNot, _) => Node::IsZero(self.truth(operand)),
            (UnaryOp::Negate, Kind::Integer(shape)) => Node::Negate(shape, self.expression(operand)),
            (UnaryOp::BitNot, Kind::Integer(shape)) => Node::BitNot(shape, self.expression(operand)),
            (UnaryOp::Negate, Kind::Float(format)) if kind == own => {
                Node::FloatNegate(format, self.expression(operand))
            }
            _ => return None,
        })
    }

    /// A node that is zero exactly if the scalar is.
    fn truth(&mut self, id: ExprId) -> NodeId {
        match self.kind(self.code.program.exprs[id].ty) {
            Kind::Integer(_) => self.expression(id),
            Kind::Float(format) => {
                let operand = self.expression(id);
                let is_zero = self.node(Node::FloatIsZero(format, operand));
                self.node(Node::IsZero(is_zero))
            }
            Kind::Other => self.node(Node::Unknown),
        }
    }

    fn binary(&mut self, op: BinaryOp, left: ExprId, right: ExprId, own: Kind) -> Option<Node> {
        use BinaryOp::*;
        let exprs = &self.code.program.exprs;
        let (left_kind, right_kind) = (self.kind(exprs[left].ty), self.kind(exprs[right].ty));
        let (left, right) = (self.expression(left), self.expression(right));
        let compares = matches!(op, Less | LessEqual | Greater | GreaterEqual | Equal | NotEqual);
        match (left_kind, right_kind, own) {
            (Kind::Integer(shape), Kind::Integer(other), _) if compares => {
                (shape == other).then_some(Node::Compare { op, signed: shape.signed, left, right })
            }
            (Kind::Float(format), Kind::Float(other), _) if compares && format == other => {
                Some(Node::FloatTest(FloatTest::Operator(op), format, left, right))
            }
            (Kind::Integer(_), Kind::Integer(_), Kind::Integer(shape)) if !compares => {
                Some(Node::Integer(op, shape, left, right))
            }
            (Kind::Float(format), Kind::Float(other), Kind::Float(result))
                if self.rounds_to_nearest
                    && format == other
                    && format == result
                    && matches!(op, Add | Subtract | Multiply | Divide) =>
            {
                Some(Node::Float(op, format, left, right))
            }
            _ => None,
        }
    }

    fn cast(&mut self, operand: ExprId, ty: TypeId, own: Kind) -> Option<Node> {
        let program = self.code.program;
        let from = self.kind(program.exprs[operand].ty);
        if *program.types.get(ty) == Type::Bool {
            return Some(Node::IsNonZero(self.truth(operand)));
        }
        match (from, own) {
            (Kind::Integer(from), Kind::Integer(shape)) => {
                let operand = self.expression(operand);
                Some(Node::Convert { shape, keeps: shape.width >= from.width, operand })
            }
            (Kind::Integer(shape), Kind::Float(to)) if self.rounds_to_nearest => {
                Some(Node::IntToFloat { signed: shape.signed, to, operand: self.expression(operand) })
            }
            (Kind::Float(from), Kind::Integer(shape)) => {
                Some(Node::FloatToInt { from, shape, operand: self.expression(operand) })
            }
            (Kind::Float(from), Kind::Float(to)) if self.rounds_to_nearest => {
                Some(Node::FloatToFloat { from, to, operand: self.expression(operand) })
            }
            _ => None,
        }
    }

    /// The slot of a place that is exactly one cell, whatever the state; and the width of the cell.
    fn fixed_slot(&mut self, place: PlaceId) -> Option<(Slot, u32)> {
        let index = self.place(place);
        let code = &self.code.places[index.0 as usize];
        let Start::Variable(variable) = code.start else { return None };
        if !code.indices.is_empty() || code.bits.is_some() {
            return None;
        }
        let (offset, size) = (u64::try_from(code.offset).ok()?, code.size);
        let object = &self.code.layout.objects[variable.0 as usize];
        let found = object.cells.binary_search_by_key(&offset, |cell: &Cell| cell.offset).ok()?;
        let cell = object.cells[found];
        let local = !self.code.program.variables[variable].kind.is_global();
        (u64::from(cell.size) == size)
            .then_some((Slot { index: object.slot + found as u32, local }, 8 * cell.size))
    }

    fn place(&mut self, id: PlaceId) -> PlaceIndex {
        if let Some(&index) = self.place_indices.get(&id) {
            return index;
        }
        let code = self.compile_place(id);
        let index = PlaceIndex(self.code.places.len() as u32);
        self.code.places.push(code);
        self.place_indices.insert(id, index);
        index
    }

    fn compile_place(&mut self, id: PlaceId) -> PlaceCode {
        let program = self.code.program;
        let place = program.places[id];
        let start = match place.base {
            PlaceBase::Variable(variable) if self.is_variable_length(variable) => {
                // Where the array is, is not tracked.
                Start::Pointer(self.node(Node::Unknown))
            }
            PlaceBase::Variable(variable) => Start::Variable(variable),
            PlaceBase::Dereference(pointer) => Start::Pointer(self.expression(pointer)),
            PlaceBase::String(string) => Start::String(self.code.layout.string_addresses[string.0 as usize]),
        };
        let (mut offset, mut indices, mut bits) = (0i64, Vec::new(), None);
        for &projection in &program.projections[place.projections] {
            match projection {
                Projection::Field { record, field } => {
                    let info = &program.types.fields(record)[field as usize];
                    offset = offset.wrapping_add(info.offset as i64);
                    bits = info.bits;
                }
                Projection::Index { index, size } => match program.exprs[index].kind {
                    ExprKind::Int(value) => {
                        let value = program.types.int_value(program.exprs[index].ty, value) as i64;
                        offset = offset.wrapping_add(value.wrapping_mul(size as i64));
                    }
                    _ => indices.push((self.expression(index), size)),
                },
            }
        }
        let size = program.types.size_of(place.ty).unwrap_or(0);
        let havoc = self.havoc_of(id, bits.is_some());
        PlaceCode { start, offset, indices: indices.into(), size, bits, havoc }
    }

    fn is_variable_length(&self, variable: VariableId) -> bool {
        let ty = self.code.program.variables[variable].ty;
        has_variable_length(self.code.program, ty)
    }

    /// What a write to the place may change.
    fn havoc_of(&self, place: PlaceId, is_bit_field: bool) -> Box<[Havoc]> {
        let program = self.code.program;
        // A bit-field may reach beyond the size of its type.
        let size = program.types.size_of(program.places[place].ty).filter(|_| !is_bit_field);
        let targets = self.code.points_to.places(program, place);
        let list = targets.into_iter().filter_map(|(object, offset)| {
            let variable = match self.code.points_to.object(object).kind {
                ObjectKind::Variable(variable) => variable,
                ObjectKind::Heap(edge) if self.code.layout.sites.contains_key(&edge) => {
                    return Some(Havoc::Site(edge));
                }
                _ => return None,
            };
            let bytes = match (offset, size) {
                (Offset::At(at), Some(size))
                    if at >= 0 && !has_array(program, program.variables[variable].ty) =>
                {
                    Some(at as u64..(at as u64).saturating_add(size))
                }
                _ => None,
            };
            Some(Havoc::Variable { variable, bytes })
        });
        list.collect()
    }

    /// What a call of a function without a body may change.
    fn call_havoc(&self, edge: EdgeId) -> Box<[Havoc]> {
        let program = self.code.program;
        let mut list = Vec::new();
        self.code.points_to.written_cells(program, edge, &mut |object, _| {
            match self.code.points_to.object(object).kind {
                ObjectKind::Variable(variable) => list.push(Havoc::Variable { variable, bytes: None }),
                // What the call itself allocates is new.
                ObjectKind::Heap(site) if site != edge && self.code.layout.sites.contains_key(&site) => {
                    list.push(Havoc::Site(site));
                }
                _ => {}
            }
        });
        list.into()
    }

    fn operation(&mut self, edge: EdgeId) -> Operation {
        let program = self.code.program;
        match program.edges[edge].kind {
            EdgeKind::Skip | EdgeKind::Approximate(_) | EdgeKind::VaEnd { .. } => Operation::Skip,
            EdgeKind::Assume { condition, truth } => {
                let (mut learn, mut bounds) = (Vec::new(), Vec::new());
                self.learn(condition, truth, &mut learn);
                self.bounds(condition, truth, &mut bounds);
                let condition = self.truth(condition);
                Operation::Assume { condition, truth, learn: learn.into(), bounds: bounds.into() }
            }
            EdgeKind::Assign { target, value } => self.assign(target, value),
            EdgeKind::Zero { target } => Operation::Zero { place: self.place(target) },
            EdgeKind::Declare { variable } | EdgeKind::EndOfLife { variable } => {
                self.forget_variable(variable)
            }
            EdgeKind::DeclareVla { variable, .. } => self.forget_variable(variable),
            EdgeKind::Input { target, .. } if self.shape(program.places[target].ty).is_some() => {
                match self.fixed_slot(target) {
                    Some((slot, width)) => Operation::Input { slot, width },
                    None => self.forget(target),
                }
            }
            EdgeKind::Input { target, .. }
            | EdgeKind::VaArg { target, .. }
            | EdgeKind::VaCopy { target, .. } => self.forget(target),
            EdgeKind::VaStart { list } => self.forget(list),
            EdgeKind::Call(call) => self.call(edge, call),
            EdgeKind::Return { value } => Operation::Return(self.returned(edge, value)),
            EdgeKind::Unsupported(what) => Operation::Unsupported(what),
        }
    }

    fn assign(&mut self, target: PlaceId, value: ExprId) -> Operation {
        let program = self.code.program;
        if !program.types.is_scalar(program.places[target].ty) {
            let place = self.place(target);
            return match program.exprs[value].kind {
                ExprKind::Load(source) => Operation::Copy { target: place, source: self.place(source) },
                _ => Operation::ForgetPlace { place },
            };
        }
        let node = self.expression(value);
        match self.fixed_slot(target) {
            Some((slot, width)) => Operation::Store { slot, width, value: node },
            None => Operation::StorePlace { place: self.place(target), value: node },
        }
    }

    fn forget(&mut self, target: PlaceId) -> Operation {
        match self.fixed_slot(target) {
            Some((slot, _)) => Operation::Forget { slot, count: 1 },
            None => Operation::ForgetPlace { place: self.place(target) },
        }
    }

    fn forget_variable(&self, variable: VariableId) -> Operation {
        let object = &self.code.layout.objects[variable.0 as usize];
        let local = !self.code.program.variables[variable].kind.is_global();
        Operation::Forget { slot: Slot { index: object.slot, local }, count: object.cells.len() as u32 }
    }

    fn call(&mut self, edge: EdgeId, call: cfa::CallId) -> Operation {
        let program = self.code.program;
        let call = program.calls[call];
        let target = match call.callee {
            Callee::Direct(function) => Target::Function(function),
            Callee::Indirect(pointer) => Target::Pointer(self.expression(pointer)),
        };
        let arguments = program.expr_lists[call.arguments].to_vec();
        let arguments = arguments.into_iter().map(|argument| self.argument(argument)).collect();
        let result = call.result.map(|place| self.place(place));
        let result_kind = call.result.map_or(Kind::Other, |place| self.kind(program.places[place].ty));
        let havoc = self.call_havoc(edge);
        Operation::Call(Box::new(CallCode { target, arguments, result, result_kind, havoc }))
    }

    fn argument(&mut self, argument: ExprId) -> Argument {
        let program = self.code.program;
        let kind = self.kind(program.exprs[argument].ty);
        if let (Kind::Other, ExprKind::Load(place)) = (kind, program.exprs[argument].kind)
            && !program.types.is_scalar(program.exprs[argument].ty)
        {
            return Argument::Record(self.place(place));
        }
        Argument::Scalar(self.expression(argument), kind)
    }

    fn returned(&mut self, edge: EdgeId, value: Option<ExprId>) -> ReturnCode {
        let program = self.code.program;
        let Some(value) = value else { return ReturnCode::Nothing };
        let function: FunctionId = program.locations[program.edges[edge].from].function;
        let kind = self.kind(program.exprs[value].ty);
        if let (Kind::Other, ExprKind::Load(place)) = (kind, program.exprs[value].kind)
            && !program.types.is_scalar(program.exprs[value].ty)
        {
            return ReturnCode::Record(self.place(place));
        }
        if self.code.results[function.0 as usize] != kind {
            return ReturnCode::Nothing;
        }
        ReturnCode::Scalar(self.expression(value), kind)
    }

    /// What follows from a scalar being non-zero, or zero if not `truth`.
    fn learn(&mut self, condition: ExprId, truth: bool, facts: &mut Vec<Learn>) {
        let program = self.code.program;
        match program.exprs[condition].kind {
            ExprKind::Unary { op: UnaryOp::LogicalNot, operand } => self.learn(operand, !truth, facts),
            ExprKind::Binary { op: BinaryOp::Equal, left, right } => {
                self.learn_equality(left, right, truth, facts);
            }
            ExprKind::Binary { op: BinaryOp::NotEqual, left, right } => {
                self.learn_equality(left, right, !truth, facts);
            }
            _ => {
                if let Some((scalar, shape)) = self.learnable(condition) {
                    let zero = self.node(Node::Constant(0));
                    let fact = if truth { Fact::NonZero } else { Fact::Equals(zero) };
                    facts.push(Learn { scalar, shape, fact });
                }
            }
        }
    }

    fn learn_equality(&mut self, left: ExprId, right: ExprId, equal: bool, facts: &mut Vec<Learn>) {
        for (one, other) in [(left, right), (right, left)] {
            let is_zero = matches!(self.code.program.exprs[other].kind, ExprKind::Int(0));
            if is_zero && self.shape(self.code.program.exprs[one].ty).is_some() {
                // Comparisons with zero say something about the scalar's truth.
                if self.learnable(one).is_none() {
                    self.learn(one, !equal, facts);
                    continue;
                }
            }
            if let Some((scalar, shape)) = self.learnable(one) {
                if equal {
                    let fact = Fact::Equals(self.expression(other));
                    facts.push(Learn { scalar, shape, fact });
                } else if is_zero {
                    facts.push(Learn { scalar, shape, fact: Fact::NonZero });
                }
            }
        }
    }

    /// The scalar whose value an integer expression is, perhaps converted to a wider type.
    pub(super) fn learnable(&mut self, mut id: ExprId) -> Option<(Scalar, Shape)> {
        let program = self.code.program;
        while let ExprKind::Cast(operand) = program.exprs[id].kind {
            let from = self.shape(program.exprs[operand].ty)?;
            let to = self.shape(program.exprs[id].ty)?;
            if to.width < from.width || *program.types.get(program.exprs[id].ty) == Type::Bool {
                return None;
            }
            id = operand;
        }
        let ExprKind::Load(place) = program.exprs[id].kind else { return None };
        let shape = self.shape(program.exprs[id].ty)?;
        match self.fixed_slot(place) {
            Some((slot, width)) => (width == shape.width).then_some((Scalar::Slot(slot), shape)),
            None => {
                let index = self.place(place);
                let code = &self.code.places[index.0 as usize];
                let whole = code.bits.is_none() && 8 * code.size == u64::from(shape.width);
                whole.then_some((Scalar::Place(index), shape))
            }
        }
    }
}

/// The numbers that the program compares with.
fn thresholds(program: &Program) -> Thresholds {
    use BinaryOp::{Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual};
    let number = |id: ExprId| match program.exprs[id].kind {
        ExprKind::Int(bits) => Some(program.types.int_value(program.exprs[id].ty, bits)),
        _ => None,
    };
    let compared = program.exprs.iter().filter_map(|expr| match expr.kind {
        ExprKind::Binary {
            op: Less | LessEqual | Greater | GreaterEqual | Equal | NotEqual,
            left,
            right,
        } => number(left).or_else(|| number(right)),
        _ => None,
    });
    Thresholds::new(compared)
}

fn has_array(program: &Program, ty: TypeId) -> bool {
    match *program.types.get(ty) {
        Type::Array { .. } => true,
        Type::Record(_) => program.types.fields(ty).iter().any(|field| has_array(program, field.ty)),
        _ => false,
    }
}

fn has_variable_length(program: &Program, ty: TypeId) -> bool {
    match *program.types.get(ty) {
        Type::Array { length: Length::Variable(_), .. } => true,
        Type::Array { element, .. } => has_variable_length(program, element),
        _ => false,
    }
}

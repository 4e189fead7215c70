//! Expressions, places and edges in C syntax, with no more parentheses than needed.

use crate::number::{float_text, int_text};
use crate::program::*;
use crate::type_name::{declaration, type_name};
use sema::types::TypeId;
use std::fmt::Write;

/// `x + 1`
pub fn expression(program: &Program, expr: ExprId) -> String {
    let mut printer = Printer { program, out: String::new() };
    printer.expr(expr, Precedence::Comma);
    printer.out
}

/// `p->next[3]`
pub fn place(program: &Program, place: PlaceId) -> String {
    let mut printer = Printer { program, out: String::new() };
    printer.place(place, Precedence::Comma);
    printer.out
}

/// What an edge does: `x = y + 1`, `[x < 10]`, `r = f(x, y)`.
pub fn operation(program: &Program, kind: EdgeKind) -> String {
    let mut printer = Printer { program, out: String::new() };
    printer.operation(kind);
    printer.out
}

/// How tightly operators bind, loosest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Precedence {
    Comma,
    Argument,
    Conditional,
    BitOr,
    BitXor,
    BitAnd,
    Equality,
    Relation,
    Shift,
    Sum,
    Product,
    Unary,
    Postfix,
}

impl Precedence {
    fn of(op: BinaryOp) -> Precedence {
        use BinaryOp::*;
        match op {
            Add | Subtract => Precedence::Sum,
            Multiply | Divide | Remainder => Precedence::Product,
            ShiftLeft | ShiftRight => Precedence::Shift,
            BitAnd => Precedence::BitAnd,
            BitXor => Precedence::BitXor,
            BitOr => Precedence::BitOr,
            Less | LessEqual | Greater | GreaterEqual => Precedence::Relation,
            Equal | NotEqual => Precedence::Equality,
        }
    }

    /// What the right operand of a left-associative operator must bind as.
    fn tighter(self) -> Precedence {
        match self {
            Precedence::Comma => Precedence::Argument,
            Precedence::Argument | Precedence::Conditional => Precedence::BitOr,
            Precedence::BitOr => Precedence::BitXor,
            Precedence::BitXor => Precedence::BitAnd,
            Precedence::BitAnd => Precedence::Equality,
            Precedence::Equality => Precedence::Relation,
            Precedence::Relation => Precedence::Shift,
            Precedence::Shift => Precedence::Sum,
            Precedence::Sum => Precedence::Product,
            Precedence::Product => Precedence::Unary,
            Precedence::Unary | Precedence::Postfix => Precedence::Postfix,
        }
    }
}

struct Printer<'p> {
    program: &'p Program,
    out: String,
}

impl Printer<'_> {
    fn text(&mut self, text: &str) {
        self.out.push_str(text);
    }

    /// Something that binds as `own`, in a context that asks for `least`.
    fn wrapped(&mut self, own: Precedence, least: Precedence, print: impl FnOnce(&mut Self)) {
        let parentheses = own < least;
        if parentheses {
            self.text("(");
        }
        print(self);
        if parentheses {
            self.text(")");
        }
    }

    fn expr(&mut self, expr: ExprId, least: Precedence) {
        let Expr { kind, ty, .. } = self.program.exprs[expr];
        match kind {
            ExprKind::Int(bits) => {
                let text = int_text(&self.program.types, ty, bits);
                let own = if text.starts_with('-') { Precedence::Unary } else { Precedence::Postfix };
                self.wrapped(own, least, |printer| printer.text(&text));
            }
            ExprKind::Float(id) => {
                let text = float_text(&self.program.types, ty, self.program.floats[id].bits);
                let own = if text.starts_with('-') { Precedence::Unary } else { Precedence::Postfix };
                self.wrapped(own, least, |printer| printer.text(&text));
            }
            ExprKind::Load(place) => self.place(place, least),
            ExprKind::AddressOf(place) => self.address(place, least),
            ExprKind::FunctionAddress(function) => {
                self.wrapped(Precedence::Unary, least, |printer| {
                    printer.text("&");
                    printer.text(printer.program.function_name(function));
                });
            }
            ExprKind::LabelAddress(label) => {
                let location = self.program.labels[label as usize];
                self.wrapped(Precedence::Unary, least, |printer| {
                    let _ = write!(printer.out, "&&L{}", location.0);
                });
            }
            ExprKind::Unary { op, operand } => self.unary(op, operand, least),
            ExprKind::Binary { op, left, right } => self.binary(op, left, right, least),
            ExprKind::PointerAdd { pointer, index, scale } => {
                self.pointer_add(pointer, index, scale, ty, least)
            }
            ExprKind::PointerDifference { left, right, size } => {
                self.pointer_difference(left, right, size, least)
            }
            ExprKind::Conditional { condition, then, otherwise } => {
                self.wrapped(Precedence::Conditional, least, |printer| {
                    printer.expr(condition, Precedence::BitOr);
                    printer.text(" ? ");
                    printer.expr(then, Precedence::Conditional);
                    printer.text(" : ");
                    printer.expr(otherwise, Precedence::Conditional);
                });
            }
            ExprKind::Cast(operand) => {
                self.wrapped(Precedence::Unary, least, |printer| {
                    let _ = write!(printer.out, "({})", type_name(printer.program, ty));
                    printer.expr(operand, Precedence::Unary);
                });
            }
            ExprKind::Overflows { op, left, right, result } => {
                let name = match op {
                    BinaryOp::Subtract => "__builtin_sub_overflow_p",
                    BinaryOp::Multiply => "__builtin_mul_overflow_p",
                    _ => "__builtin_add_overflow_p",
                };
                self.function(name, &[left, right]);
                self.out.pop();
                let _ = write!(self.out, ", ({})0)", type_name(self.program, result));
            }
            ExprKind::Intrinsic { intrinsic, operand } => self.intrinsic(intrinsic, operand, least),
            ExprKind::FloatCompare { compare, left, right } => self.function(compare.name(), &[left, right]),
        }
    }

    /// The builtin function of gcc for the operand's width.
    fn intrinsic(&mut self, intrinsic: Intrinsic, operand: ExprId, least: Precedence) {
        let shape = self.program.types.int_shape(self.program.exprs[operand].ty);
        let width = shape.map_or(0, |shape| shape.width);
        match intrinsic {
            Intrinsic::IsZero => self.wrapped(Precedence::Equality, least, |printer| {
                printer.expr(operand, Precedence::Relation);
                printer.text(" == 0.0");
            }),
            Intrinsic::IsSubnormal => {
                self.text("__builtin_fpclassify(0, 0, 0, 1, 0, ");
                self.expr(operand, Precedence::Argument);
                self.text(")");
            }
            Intrinsic::ByteSwap => self.function(&format!("__builtin_bswap{width}"), &[operand]),
            _ if width > 32 => self.function(&format!("{}ll", intrinsic.name()), &[operand]),
            _ => self.function(intrinsic.name(), &[operand]),
        }
    }

    fn function(&mut self, name: &str, arguments: &[ExprId]) {
        self.text(name);
        self.arguments(arguments);
    }

    fn arguments(&mut self, arguments: &[ExprId]) {
        self.text("(");
        for (index, &argument) in arguments.iter().enumerate() {
            if index > 0 {
                self.text(", ");
            }
            self.expr(argument, Precedence::Argument);
        }
        self.text(")");
    }

    fn unary(&mut self, op: UnaryOp, operand: ExprId, least: Precedence) {
        let operator = match op {
            UnaryOp::Negate => "-",
            UnaryOp::BitNot => "~",
            UnaryOp::LogicalNot => "!",
        };
        self.wrapped(Precedence::Unary, least, |printer| {
            printer.text(operator);
            let start = printer.out.len();
            printer.expr(operand, Precedence::Unary);
            // `--x` would be something else.
            if op == UnaryOp::Negate && printer.out[start..].starts_with('-') {
                printer.out.insert(start, ' ');
            }
        });
    }

    fn binary(&mut self, op: BinaryOp, left: ExprId, right: ExprId, least: Precedence) {
        let own = Precedence::of(op);
        self.wrapped(own, least, |printer| {
            printer.expr(left, own);
            let _ = write!(printer.out, " {} ", op.symbol());
            printer.expr(right, own.tighter());
        });
    }

    fn pointer_add(&mut self, pointer: ExprId, index: ExprId, scale: i64, ty: TypeId, least: Precedence) {
        let pointee = self.program.types.pointee(ty).unwrap_or(TypeId::VOID);
        let size = self.program.types.size_of(pointee).map_or(0, |size| size as i64);
        let own = Precedence::Sum;
        if size == scale.abs() {
            return self.wrapped(own, least, |printer| {
                printer.expr(pointer, own);
                printer.text(if scale < 0 { " - " } else { " + " });
                printer.expr(index, own.tighter());
            });
        }
        self.wrapped(Precedence::Unary, least, |printer| {
            let _ = write!(printer.out, "({})((char *)", type_name(printer.program, ty));
            printer.expr(pointer, Precedence::Unary);
            printer.text(if scale < 0 { " - " } else { " + " });
            printer.expr(index, Precedence::Product);
            if scale.abs() != 1 {
                let _ = write!(printer.out, " * {}", scale.unsigned_abs());
            }
            printer.text(")");
        });
    }

    fn pointer_difference(&mut self, left: ExprId, right: ExprId, size: u64, least: Precedence) {
        let pointee = self.program.types.pointee(self.program.exprs[left].ty);
        let plain = pointee.and_then(|ty| self.program.types.size_of(ty)) == Some(size);
        let cast = if plain { "" } else { "(char *)" };
        let operand = if plain { Precedence::Sum } else { Precedence::Unary };
        self.wrapped(Precedence::Sum, least, |printer| {
            printer.text(cast);
            printer.expr(left, operand);
            printer.text(" - ");
            printer.text(cast);
            printer.expr(right, operand.tighter());
        });
    }

    fn address(&mut self, place: PlaceId, least: Precedence) {
        let Place { base, projections, .. } = self.program.places[place];
        if let (PlaceBase::String(_), [Projection::Index { index, .. }]) =
            (base, &self.program.projections[projections])
            && matches!(self.program.exprs[*index].kind, ExprKind::Int(0))
        {
            return self.base(base);
        }
        self.wrapped(Precedence::Unary, least, |printer| {
            printer.text("&");
            printer.place(place, Precedence::Unary);
        });
    }

    fn place(&mut self, place: PlaceId, least: Precedence) {
        let Place { base, projections, .. } = self.program.places[place];
        let projections = &self.program.projections[projections];
        match (base, projections) {
            (PlaceBase::Dereference(pointer), []) => {
                self.wrapped(Precedence::Unary, least, |printer| {
                    printer.text("*");
                    printer.expr(pointer, Precedence::Unary);
                });
            }
            (PlaceBase::Dereference(pointer), &[Projection::Field { record, field }, ref rest @ ..]) => {
                self.expr(pointer, Precedence::Postfix);
                self.text("->");
                self.field(record, field);
                self.projections(rest);
            }
            _ => {
                self.base(base);
                self.projections(projections);
            }
        }
    }

    fn base(&mut self, base: PlaceBase) {
        match base {
            PlaceBase::Variable(variable) => {
                self.text(self.program.name(self.program.variables[variable].name));
            }
            PlaceBase::Dereference(pointer) => {
                self.text("(*");
                self.expr(pointer, Precedence::Unary);
                self.text(")");
            }
            PlaceBase::String(string) => {
                let text = crate::number::string_text(&self.program.strings[string].bytes);
                self.text(&text);
            }
        }
    }

    fn projections(&mut self, projections: &[Projection]) {
        for projection in projections {
            match *projection {
                Projection::Field { record, field } => {
                    self.text(".");
                    self.field(record, field);
                }
                Projection::Index { index, .. } => {
                    self.text("[");
                    self.index(index);
                    self.text("]");
                }
            }
        }
    }

    /// A constant index needs no suffix: its type does not matter.
    fn index(&mut self, index: ExprId) {
        let Expr { kind, ty, .. } = self.program.exprs[index];
        match kind {
            ExprKind::Int(bits) => {
                let _ = write!(self.out, "{}", self.program.types.int_value(ty, bits));
            }
            _ => self.expr(index, Precedence::Comma),
        }
    }

    fn field(&mut self, record: TypeId, field: u32) {
        match self.program.types.fields(record).get(field as usize).and_then(|field| field.name) {
            Some(name) => self.text(self.program.name(name)),
            None => {
                let _ = write!(self.out, "<{field}>");
            }
        }
    }

    fn operation(&mut self, kind: EdgeKind) {
        match kind {
            EdgeKind::Skip => self.text("skip"),
            EdgeKind::Assume { condition, truth } => {
                self.text(if truth { "[" } else { "[!(" });
                self.expr(condition, Precedence::Comma);
                self.text(if truth { "]" } else { ")]" });
            }
            EdgeKind::Assign { target, value } => {
                self.place(target, Precedence::Unary);
                self.text(" = ");
                self.expr(value, Precedence::Conditional);
            }
            EdgeKind::Zero { target } => {
                self.place(target, Precedence::Unary);
                self.text(" = {0}");
            }
            EdgeKind::Declare { variable } => {
                let Variable { name, ty, .. } = self.program.variables[variable];
                let text = declaration(self.program, ty, self.program.name(name));
                self.text(&text);
            }
            EdgeKind::DeclareVla { variable, size } => {
                self.operation(EdgeKind::Declare { variable });
                self.text(" /* ");
                self.expr(size, Precedence::Comma);
                self.text(" bytes */");
            }
            EdgeKind::EndOfLife { variable } => {
                self.text("/* end of ");
                self.text(self.program.name(self.program.variables[variable].name));
                self.text(" */");
            }
            EdgeKind::Input { target, function } => {
                self.place(target, Precedence::Unary);
                self.text(" = ");
                self.text(function.map_or("<any>", |function| self.program.function_name(function)));
                if function.is_some() {
                    self.text("()");
                }
            }
            EdgeKind::Call(call) => self.call(self.program.calls[call]),
            EdgeKind::Return { value } => {
                self.text("return");
                if let Some(value) = value {
                    self.text(" ");
                    self.expr(value, Precedence::Comma);
                }
            }
            EdgeKind::VaStart { list } => self.list_operation("va_start", &[list]),
            EdgeKind::VaArg { target, list } => {
                self.place(target, Precedence::Unary);
                self.text(" = ");
                self.list_operation("va_arg", &[list]);
            }
            EdgeKind::VaCopy { target, list } => self.list_operation("va_copy", &[target, list]),
            EdgeKind::VaEnd { list } => self.list_operation("va_end", &[list]),
            EdgeKind::Approximate(what) => {
                self.text("approximate: ");
                self.text(what);
            }
            EdgeKind::Unsupported(what) => {
                self.text("unsupported: ");
                self.text(what);
            }
        }
    }

    fn call(&mut self, call: Call) {
        if let Some(result) = call.result {
            self.place(result, Precedence::Unary);
            self.text(" = ");
        }
        match call.callee {
            Callee::Direct(function) => self.text(self.program.function_name(function)),
            Callee::Indirect(pointer) => {
                self.text("(*");
                self.expr(pointer, Precedence::Unary);
                self.text(")");
            }
        }
        self.arguments(&self.program.expr_lists[call.arguments]);
    }

    fn list_operation(&mut self, name: &str, lists: &[PlaceId]) {
        self.text(name);
        self.text("(");
        for (index, &list) in lists.iter().enumerate() {
            if index > 0 {
                self.text(", ");
            }
            self.place(list, Precedence::Argument);
        }
        self.text(")");
    }
}

impl Intrinsic {
    /// The builtin function of gcc, for operands as wide as an `int`.
    pub fn name(self) -> &'static str {
        match self {
            Intrinsic::CountLeadingZeros => "__builtin_clz",
            Intrinsic::CountTrailingZeros => "__builtin_ctz",
            Intrinsic::CountLeadingSignBits => "__builtin_clrsb",
            Intrinsic::PopulationCount => "__builtin_popcount",
            Intrinsic::Parity => "__builtin_parity",
            Intrinsic::FindFirstSet => "__builtin_ffs",
            Intrinsic::ByteSwap => "__builtin_bswap",
            Intrinsic::IsNan => "__builtin_isnan",
            Intrinsic::IsInfinite => "__builtin_isinf",
            Intrinsic::IsFinite => "__builtin_isfinite",
            Intrinsic::IsNormal => "__builtin_isnormal",
            Intrinsic::IsSubnormal => "__builtin_issubnormal",
            Intrinsic::IsZero => "__builtin_iszero",
            Intrinsic::SignBit => "__builtin_signbit",
        }
    }
}

impl FloatCompare {
    pub fn name(self) -> &'static str {
        match self {
            FloatCompare::Greater => "__builtin_isgreater",
            FloatCompare::GreaterEqual => "__builtin_isgreaterequal",
            FloatCompare::Less => "__builtin_isless",
            FloatCompare::LessEqual => "__builtin_islessequal",
            FloatCompare::LessGreater => "__builtin_islessgreater",
            FloatCompare::Unordered => "__builtin_isunordered",
        }
    }
}

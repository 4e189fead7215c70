//! A typed program as compact text, for people who debug and for tests.
//!
//! Expressions are C-like, but everything implicit shows: `(T)e` is any conversion, a name is an
//! lvalue and `name!` its value, variables that share a name are told apart by their number.

use crate::display::display;
use crate::hir::{
    ExprId, ExprKind, FunctionId, Initializer, Program, StmtId, StmtKind, Storage, UnaryOp, VariableId,
};
use crate::types::TypeId;
use base::{Interner, Symbol};
use rustc_hash::FxHashMap;
use std::fmt::Write;

/// The whole program: records with their layout, variables, functions.
pub fn dump(program: &Program, interner: &Interner) -> String {
    let mut dumper = Dumper::new(program, interner);
    dumper.records();
    dumper.globals();
    for id in program.functions.ids() {
        dumper.function(id);
    }
    dumper.out
}

/// One expression.
pub fn dump_expr(program: &Program, interner: &Interner, expr: ExprId) -> String {
    Dumper::new(program, interner).expr(expr)
}

struct Dumper<'a> {
    program: &'a Program,
    interner: &'a Interner,
    /// How many variables have each name.
    uses: FxHashMap<Symbol, u32>,
    out: String,
}

impl<'a> Dumper<'a> {
    fn new(program: &'a Program, interner: &'a Interner) -> Self {
        let mut uses = FxHashMap::default();
        for variable in program.variables.iter() {
            *uses.entry(variable.name).or_insert(0) += 1;
        }
        Self { program, interner, uses, out: String::new() }
    }

    fn line(&mut self, depth: usize, text: &str) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.out, "{:1$}{text}", "", depth * 2);
    }

    fn ty(&self, ty: TypeId) -> String {
        display(&self.program.types, self.interner, ty)
    }

    fn records(&mut self) {
        for record in self.program.types.records.iter() {
            let Some(layout) = &record.layout else { continue };
            let keyword = if record.is_union { "union" } else { "struct" };
            let tag = record.tag.map_or("<anonymous>", |tag| self.interner.resolve(tag));
            self.line(0, &format!("{keyword} {tag}: size {} align {}", layout.size, layout.alignment));
            for field in &layout.fields {
                let name = field.name.map_or("<anonymous>", |name| self.interner.resolve(name));
                let bits = match field.bits {
                    Some(bits) => format!(" bits {}..{}", bits.start, bits.start + bits.width),
                    None => String::new(),
                };
                self.line(1, &format!("{name}: {} at {}{bits}", self.ty(field.ty), field.offset));
            }
        }
    }

    fn globals(&mut self) {
        for &id in &self.program.globals {
            let variable = &self.program.variables[id];
            let word = if variable.storage == Storage::External { "extern " } else { "" };
            let text = format!("{word}{}: {}", self.variable(id), self.ty(variable.ty));
            self.line(0, &(text + &self.initializer(variable.initializer)));
        }
    }

    fn function(&mut self, id: FunctionId) {
        let function = &self.program.functions[id];
        let head = format!("{}: {}", self.interner.resolve(function.name), self.ty(function.ty));
        let Some(body) = &function.body else {
            return self.line(0, &head);
        };
        let names: Vec<String> = body.parameters.iter().map(|&id| self.variable(id)).collect();
        self.line(0, &format!("{head} ({})", names.join(", ")));
        self.stmt(body.block, 1);
    }

    fn variable(&self, id: VariableId) -> String {
        let name = self.program.variables[id].name;
        let text = self.interner.resolve(name);
        match self.uses.get(&name) {
            Some(1) => text.to_owned(),
            _ => format!("{text}#{}", id.0),
        }
    }

    fn initializer(&self, initializer: Option<Initializer>) -> String {
        let Some(Initializer { zero, items }) = initializer else { return String::new() };
        let mut parts: Vec<String> = self.program.init_lists[items]
            .iter()
            .map(|item| format!("{} = {}", self.expr(item.target), self.expr(item.value)))
            .collect();
        if zero {
            parts.insert(0, "zero".into());
        }
        format!(" {{ {} }}", parts.join("; "))
    }

    fn stmt(&mut self, id: StmtId, depth: usize) {
        match self.program.stmts[id].kind {
            StmtKind::Empty => self.line(depth, ";"),
            StmtKind::Expr(expr) => self.line(depth, &self.expr(expr)),
            StmtKind::Block(list) => {
                let program = self.program;
                self.line(depth, "{");
                for &stmt in &program.stmt_lists[list] {
                    self.stmt(stmt, depth + 1);
                }
                self.line(depth, "}");
            }
            StmtKind::Declare { variable, initializer } => {
                let ty = self.ty(self.program.variables[variable].ty);
                let text = format!("declare {}: {ty}", self.variable(variable));
                self.line(depth, &(text + &self.initializer(initializer)));
            }
            StmtKind::DeclareVla { variable, size } => {
                let ty = self.ty(self.program.variables[variable].ty);
                let text = format!("declare {}: {ty} of {} bytes", self.variable(variable), self.expr(size));
                self.line(depth, &text);
            }
            StmtKind::If { condition, then, otherwise } => {
                self.line(depth, &format!("if {}", self.expr(condition)));
                self.stmt(then, depth + 1);
                if let Some(otherwise) = otherwise {
                    self.line(depth, "else");
                    self.stmt(otherwise, depth + 1);
                }
            }
            StmtKind::While { condition, body } => {
                self.line(depth, &format!("while {}", self.expr(condition)));
                self.stmt(body, depth + 1);
            }
            StmtKind::DoWhile { body, condition } => {
                self.line(depth, "do");
                self.stmt(body, depth + 1);
                self.line(depth, &format!("while {}", self.expr(condition)));
            }
            StmtKind::For { init, condition, step, body } => {
                self.line(depth, "for");
                if let Some(init) = init {
                    self.stmt(init, depth + 2);
                }
                let show = |expr: Option<ExprId>| expr.map_or(String::new(), |expr| self.expr(expr));
                let head = format!("; {}; {}", show(condition), show(step));
                self.line(depth + 2, &head);
                self.stmt(body, depth + 1);
            }
            StmtKind::Switch { subject, body } => {
                self.line(depth, &format!("switch {}", self.expr(subject)));
                self.stmt(body, depth + 1);
            }
            StmtKind::Case { first, last, body, .. } => {
                let range = if first == last { format!("{first}") } else { format!("{first}..{last}") };
                self.line(depth, &format!("case {range}:"));
                self.stmt(body, depth);
            }
            StmtKind::Default { body } => {
                self.line(depth, "default:");
                self.stmt(body, depth);
            }
            StmtKind::Label { label, body } => {
                let name = self.interner.resolve(self.program.labels[label].name);
                self.line(depth, &format!("{name}:"));
                self.stmt(body, depth);
            }
            StmtKind::Goto(label) => {
                let name = self.interner.resolve(self.program.labels[label].name);
                self.line(depth, &format!("goto {name}"));
            }
            StmtKind::ComputedGoto(target) => self.line(depth, &format!("goto *{}", self.expr(target))),
            StmtKind::Break => self.line(depth, "break"),
            StmtKind::Continue => self.line(depth, "continue"),
            StmtKind::Return(None) => self.line(depth, "return"),
            StmtKind::Return(Some(value)) => self.line(depth, &format!("return {}", self.expr(value))),
            StmtKind::Assembly(assembly) => {
                let list = |list| {
                    self.program.expr_lists[list]
                        .iter()
                        .map(|&id| self.expr(id))
                        .collect::<Vec<_>>()
                        .join(", ")
                };
                let (writes, reads) = (list(assembly.writes), list(assembly.reads));
                self.line(depth, &format!("assembly: {writes} = {:?}({reads})", assembly.result));
            }
            StmtKind::Unsupported(what) => self.line(depth, &format!("unsupported: {what}")),
        }
    }

    fn expr(&self, id: ExprId) -> String {
        let expr = self.program.exprs[id];
        match expr.kind {
            ExprKind::Int(bits) => self.int(expr.ty, bits),
            ExprKind::Float(id) => format!("{:#x}:{}", self.program.floats[id].bits, self.ty(expr.ty)),
            ExprKind::Variable(variable) => self.variable(variable),
            ExprKind::String(id) => {
                let string = &self.program.strings[id];
                format!("\"{}\"", string.bytes.escape_ascii())
            }
            ExprKind::Dereference(pointer) => format!("*{}", self.expr(pointer)),
            ExprKind::Field { base, field } => {
                let fields = self.program.types.fields(self.program.exprs[base].ty);
                let name = fields.get(field as usize).and_then(|field| field.name);
                let name = name.map_or(format!("<{field}>"), |name| self.interner.resolve(name).to_owned());
                format!("{}.{name}", self.expr(base))
            }
            ExprKind::Index { base, index } => format!("{}[{}]", self.expr(base), self.expr(index)),
            ExprKind::CompoundLiteral { variable, initializer } => {
                let text = format!("({}: {})", self.variable(variable), self.ty(expr.ty));
                text + &self.initializer(Some(initializer))
            }
            ExprKind::Function(function) => {
                self.interner.resolve(self.program.functions[function].name).to_owned()
            }
            ExprKind::Load(place) => format!("{}!", self.expr(place)),
            ExprKind::AddressOf(place) => format!("&{}", self.expr(place)),
            ExprKind::LabelAddress(label) => {
                format!("&&{}", self.interner.resolve(self.program.labels[label].name))
            }
            ExprKind::Unary { op, operand } => format!("{}{}", unary(op), self.expr(operand)),
            ExprKind::Binary { .. } => self.binary_chain(id),
            ExprKind::PointerAdd { pointer, index, subtract } => {
                let sign = if subtract { '-' } else { '+' };
                format!("({} {sign}p {})", self.expr(pointer), self.expr(index))
            }
            ExprKind::PointerDifference { left, right } => {
                format!("({} -pp {})", self.expr(left), self.expr(right))
            }
            ExprKind::LogicalAnd { left, right } => format!("({} && {})", self.expr(left), self.expr(right)),
            ExprKind::LogicalOr { left, right } => format!("({} || {})", self.expr(left), self.expr(right)),
            ExprKind::Conditional { condition, then, otherwise } => {
                let then = then.map_or(String::new(), |then| self.expr(then));
                format!("({} ? {then} : {})", self.expr(condition), self.expr(otherwise))
            }
            ExprKind::Cast(operand) => format!("({}){}", self.ty(expr.ty), self.expr(operand)),
            ExprKind::Assign { target, value } => format!("({} = {})", self.expr(target), self.expr(value)),
            ExprKind::CompoundAssign { op, target, value, compute } => {
                let compute = self.ty(compute);
                format!("({} {}=[{compute}] {})", self.expr(target), op.symbol(), self.expr(value))
            }
            ExprKind::Increment { target, decrement, prefix } => {
                let sign = if decrement { "--" } else { "++" };
                let target = self.expr(target);
                if prefix { format!("{sign}{target}") } else { format!("{target}{sign}") }
            }
            ExprKind::Comma { left, right } => format!("({}, {})", self.expr(left), self.expr(right)),
            ExprKind::Call { callee, arguments } => {
                let callee = match self.program.exprs[callee].kind {
                    ExprKind::AddressOf(function) => self.expr(function),
                    _ => format!("(*{})", self.expr(callee)),
                };
                format!("{callee}({})", self.list(&self.program.expr_lists[arguments]))
            }
            ExprKind::Builtin { builtin, arguments } => {
                format!("{builtin:?}({})", self.list(&self.program.expr_lists[arguments]))
            }
            ExprKind::VaArg { list } => format!("va_arg({}, {})", self.expr(list), self.ty(expr.ty)),
            ExprKind::Statement { block, value } => self.statement_expr(block, value),
            ExprKind::Unsupported(what) => format!("unsupported({what})"),
        }
    }

    fn list(&self, exprs: &[ExprId]) -> String {
        exprs.iter().map(|&expr| self.expr(expr)).collect::<Vec<_>>().join(", ")
    }

    /// Left operands inside each other, in a loop.
    fn binary_chain(&self, id: ExprId) -> String {
        let mut chain = Vec::new();
        let mut current = id;
        while let ExprKind::Binary { op, left, right } = self.program.exprs[current].kind {
            chain.push((op, right));
            current = left;
        }
        let mut text = "(".repeat(chain.len());
        text += &self.expr(current);
        for (op, right) in chain.into_iter().rev() {
            let _ = write!(text, " {} {})", op.symbol(), self.expr(right));
        }
        text
    }

    fn statement_expr(&self, block: StmtId, value: Option<ExprId>) -> String {
        let mut inner = Dumper { out: String::new(), uses: self.uses.clone(), ..*self };
        inner.stmt(block, 0);
        let text = inner.out.split_whitespace().collect::<Vec<_>>().join(" ");
        let value = value.map_or(String::new(), |value| self.expr(value));
        format!("({text} {value})")
    }

    /// Numbers of type int stand alone; others name their type.
    fn int(&self, ty: TypeId, bits: u64) -> String {
        let value = self.program.types.int_value(ty, bits);
        if ty == TypeId::INT { format!("{value}") } else { format!("{value}:{}", self.ty(ty)) }
    }
}

fn unary(op: UnaryOp) -> &'static str {
    match op {
        UnaryOp::Negate => "-",
        UnaryOp::BitNot => "~",
        UnaryOp::LogicalNot => "!",
    }
}

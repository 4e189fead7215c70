//! Statements (C11 6.8). Chains of `else if` and of stacked labels are walked in a loop.

use crate::context::{Analyzer, Checked, SwitchContext};
use crate::conversions::Purpose;
use crate::hir::{Label, LabelId, StmtId, StmtKind};
use crate::types::{Type, TypeId};
use base::{Range, Span, Symbol};
use syntax::ast::{self, BlockItem, ForInit};

/// A label, `case` or `default` in front of a statement.
enum Prefix {
    Case {
        first: i64,
        last: i64,
        unsigned: bool,
    },
    Default,
    Label(LabelId),
    /// A label that was reported, or a `case` that no value reaches.
    None,
}

impl Analyzer<'_> {
    pub fn block_item(&mut self, item: &BlockItem) {
        match *item {
            BlockItem::Stmt(stmt) => self.stmt(stmt),
            BlockItem::Declaration(declaration) => self.declaration(declaration),
            BlockItem::StaticAssert(assertion) => {
                let _ = self.static_assert(&assertion);
            }
            BlockItem::Function(function) => self.nested_function(function),
        }
    }

    /// Emits a statement into the current block. Errors have been reported and end with it.
    pub fn stmt(&mut self, id: ast::StmtId) {
        let _ = self.checked_stmt(id);
    }

    /// One statement that is a whole: a branch, a loop body.
    pub fn sub_stmt(&mut self, id: ast::StmtId) -> StmtId {
        let mark = self.block.len();
        self.stmt(id);
        if self.block.len() == mark + 1
            && let Some(only) = self.block.pop()
        {
            return only;
        }
        let span = self.ast.stmts[id].span;
        self.close_block(mark, span)
    }

    fn checked_stmt(&mut self, id: ast::StmtId) -> Checked<()> {
        let ast::Stmt { kind, span } = self.ast.stmts[id];
        let kind = match kind {
            ast::StmtKind::Empty => StmtKind::Empty,
            ast::StmtKind::Expr(expr) => {
                let value = self.rvalue(expr)?;
                StmtKind::Expr(value)
            }
            ast::StmtKind::Block { items, local_labels } => {
                let block = self.block(items, local_labels, span);
                self.block.push(block);
                return Ok(());
            }
            ast::StmtKind::If { .. } => return self.if_chain(id),
            ast::StmtKind::While { condition, body } => {
                let condition = self.condition(condition);
                let body = self.loop_body(body);
                StmtKind::While { condition: condition?, body }
            }
            ast::StmtKind::DoWhile { body, condition } => {
                let body = self.loop_body(body);
                StmtKind::DoWhile { body, condition: self.condition(condition)? }
            }
            ast::StmtKind::For { init, condition, step, body } => {
                return self.for_loop(init, condition, step, body, span);
            }
            ast::StmtKind::Switch { subject, body } => return self.switch(subject, body, span),
            ast::StmtKind::Case { .. } | ast::StmtKind::Default { .. } | ast::StmtKind::Label { .. } => {
                self.labelled(id);
                return Ok(());
            }
            ast::StmtKind::Goto(name) => StmtKind::Goto(self.label(name, span)),
            ast::StmtKind::ComputedGoto(target) => {
                let target = self.rvalue(target)?;
                let pointer = self.program.types.pointer_to(TypeId::VOID);
                StmtKind::ComputedGoto(self.convert(target, pointer, Purpose::Assignment)?)
            }
            ast::StmtKind::Break => {
                if self.function.as_ref().is_none_or(|function| function.breakable == 0) {
                    return Err(self.error(span, "break statement not within loop or switch"));
                }
                StmtKind::Break
            }
            ast::StmtKind::Continue => {
                if self.function.as_ref().is_none_or(|function| function.loops == 0) {
                    return Err(self.error(span, "continue statement not within a loop"));
                }
                StmtKind::Continue
            }
            ast::StmtKind::Return(value) => self.return_stmt(value, span)?,
            ast::StmtKind::Asm(id) => self.assembly(id, span)?,
        };
        self.emit(kind, span);
        Ok(())
    }

    pub fn block(&mut self, items: Range<BlockItem>, local_labels: Range<Symbol>, span: Span) -> StmtId {
        let ast = self.ast;
        let mark = self.block.len();
        self.scopes.enter();
        let saved = self.enter_labels(local_labels);
        for item in &ast.block_items[items] {
            self.block_item(item);
        }
        self.leave_labels(saved);
        self.scopes.leave();
        self.close_block(mark, span)
    }

    fn if_chain(&mut self, id: ast::StmtId) -> Checked<()> {
        let mut arms = Vec::new();
        let mut current = Some(id);
        let mut otherwise = None;
        let mut failed = Ok(());
        while let Some(id) = current {
            let ast::Stmt { kind: ast::StmtKind::If { condition, then, otherwise: next }, span } =
                self.ast.stmts[id]
            else {
                otherwise = Some(self.sub_stmt(id));
                break;
            };
            let condition = self.condition(condition);
            let then = self.sub_stmt(then);
            match condition {
                Ok(condition) => arms.push((condition, then, span)),
                Err(reported) => failed = Err(reported),
            }
            current = next;
        }
        failed?;
        while let Some((condition, then, span)) = arms.pop() {
            otherwise = Some(self.statement(StmtKind::If { condition, then, otherwise }, span));
        }
        self.block.extend(otherwise);
        Ok(())
    }

    fn loop_body(&mut self, body: ast::StmtId) -> StmtId {
        self.count_loop(1);
        let body = self.sub_stmt(body);
        self.count_loop(-1);
        body
    }

    fn count_loop(&mut self, change: i32) {
        if let Some(function) = &mut self.function {
            function.loops = function.loops.wrapping_add_signed(change);
            function.breakable = function.breakable.wrapping_add_signed(change);
        }
    }

    /// Several declarations, or array lengths, stand before the loop in a block of their own.
    fn for_loop(
        &mut self,
        init: ForInit,
        condition: Option<ast::ExprId>,
        step: Option<ast::ExprId>,
        body: ast::StmtId,
        span: Span,
    ) -> Checked<()> {
        self.scopes.enter();
        let mark = self.block.len();
        match init {
            ForInit::None => {}
            ForInit::Declaration(declaration) => self.declaration(declaration),
            ForInit::Expr(expr) => {
                if let Ok(value) = self.rvalue(expr) {
                    self.emit(StmtKind::Expr(value), self.span_of(value));
                }
            }
        }
        let init = if self.block.len() == mark + 1 { self.block.pop() } else { None };
        let condition = condition.map(|condition| self.condition(condition)).transpose();
        let step = step.map(|step| self.rvalue(step)).transpose();
        let body = self.loop_body(body);
        self.scopes.leave();
        if let (Ok(condition), Ok(step)) = (condition, step) {
            self.emit(StmtKind::For { init, condition, step, body }, span);
        }
        if self.block.len() > mark + 1 {
            let block = self.close_block(mark, span);
            self.block.push(block);
        }
        Ok(())
    }

    fn switch(&mut self, subject: ast::ExprId, body: ast::StmtId, span: Span) -> Checked<()> {
        let subject = self.rvalue(subject)?;
        let ty = self.type_of(subject);
        if !self.types().is_integer(ty) {
            let message = format!("switch quantity of type '{}' is not an integer", self.show(ty));
            return Err(self.error(self.span_of(subject), message));
        }
        let subject = self.promote(subject);
        let context = SwitchContext { ty: self.type_of(subject), cases: Vec::new(), default: None };
        let Some(function) = &mut self.function else { return Ok(()) };
        function.switches.push(context);
        function.breakable += 1;
        let body = self.sub_stmt(body);
        if let Some(function) = &mut self.function {
            function.breakable -= 1;
            if let Some(context) = function.switches.pop() {
                self.check_cases(context);
            }
        }
        self.emit(StmtKind::Switch { subject, body }, span);
        Ok(())
    }

    fn check_cases(&mut self, mut context: SwitchContext) {
        context.cases.sort_by_key(|&(first, last, span)| (first, last, span.start));
        for pair in context.cases.windows(2) {
            let ((_, last, previous), (first, _, span)) = (pair[0], pair[1]);
            if first <= last {
                self.error_with_note(span, "duplicate case value".into(), previous, "previously used here");
            }
        }
    }

    /// Labels, cases and defaults before a statement, however many.
    fn labelled(&mut self, id: ast::StmtId) {
        let mut prefixes = Vec::new();
        let mut current = id;
        loop {
            let ast::Stmt { kind, span } = self.ast.stmts[current];
            let (prefix, body) = match kind {
                ast::StmtKind::Case { first, last, body } => {
                    (self.case(first, last, span).unwrap_or(Prefix::None), body)
                }
                ast::StmtKind::Default { body } => (self.default_case(span), body),
                ast::StmtKind::Label { name, body } => (Prefix::Label(self.define_label(name, span)), body),
                _ => break,
            };
            prefixes.push((prefix, span));
            current = body;
        }
        let mut body = self.sub_stmt(current);
        while let Some((prefix, span)) = prefixes.pop() {
            let kind = match prefix {
                Prefix::Case { first, last, unsigned } => StmtKind::Case { first, last, unsigned, body },
                Prefix::Default => StmtKind::Default { body },
                Prefix::Label(label) => StmtKind::Label { label, body },
                Prefix::None => continue,
            };
            body = self.statement(kind, span);
        }
        self.block.push(body);
    }

    fn case(&mut self, first: ast::ExprId, last: Option<ast::ExprId>, span: Span) -> Checked<Prefix> {
        let (low, at) = self.constant_integer(first)?;
        let high = match last {
            Some(last) => self.constant_integer(last)?.0,
            None => low,
        };
        let Some(ty) = self.function.as_ref().and_then(|f| f.switches.last()).map(|s| s.ty) else {
            return Err(self.error(span, "case label not within a switch statement"));
        };
        let (low, high) = (self.wrapped(low, ty), self.wrapped(high, ty));
        if low > high {
            return Ok(Prefix::None);
        }
        let fits = |value| self.types().int_value(ty, self.types().int_bits(ty, value)) == value;
        if !fits(low) || !fits(high) {
            return Err(self.error(at, "case label of more than 64 bits is not supported"));
        }
        if let Some(switch) = self.function.as_mut().and_then(|f| f.switches.last_mut()) {
            switch.cases.push((low, high, at));
        }
        let unsigned = !self.shape(ty).signed;
        Ok(Prefix::Case { first: low as i64, last: high as i64, unsigned })
    }

    fn default_case(&mut self, span: Span) -> Prefix {
        let Some(switch) = self.function.as_mut().and_then(|f| f.switches.last_mut()) else {
            self.error(span, "'default' label not within a switch statement");
            return Prefix::None;
        };
        if let Some(previous) = switch.default.replace(span) {
            let message = "multiple default labels in one switch".into();
            self.error_with_note(span, message, previous, "this is the first default label");
        }
        Prefix::Default
    }

    /// The label of a name, which may be defined later.
    pub fn label(&mut self, name: Symbol, span: Span) -> LabelId {
        let next = self.program.labels.next_id();
        let Some(function) = &mut self.function else { return next };
        if let Some(&label) = function.labels.get(&name) {
            return label;
        }
        let label = Label { name, function: function.id, address_taken: false, span };
        let label = self.program.labels.push(label);
        function.labels.insert(name, label);
        function.mentioned.push((label, false));
        label
    }

    pub fn define_label(&mut self, name: Symbol, span: Span) -> LabelId {
        let label = self.label(name, span);
        let Some(function) = &mut self.function else { return label };
        let Some(entry) = function.mentioned.iter_mut().rev().find(|entry| entry.0 == label) else {
            return label;
        };
        if std::mem::replace(&mut entry.1, true) {
            let message = format!("duplicate label '{}'", self.name(name));
            let previous = self.program.labels[label].span;
            self.error_with_note(span, message, previous, "previous definition is here");
        }
        self.program.labels[label].span = span;
        label
    }

    /// `__label__` names hide labels of the function; what they hid is given back afterwards.
    pub fn enter_labels(&mut self, names: Range<Symbol>) -> Vec<(Symbol, Option<LabelId>)> {
        let Some(function) = &mut self.function else { return Vec::new() };
        let names = &self.ast.symbols[names];
        names.iter().map(|&name| (name, function.labels.remove(&name))).collect()
    }

    pub fn leave_labels(&mut self, saved: Vec<(Symbol, Option<LabelId>)>) {
        let Some(function) = &mut self.function else { return };
        for (name, label) in saved {
            match label {
                Some(label) => function.labels.insert(name, label),
                None => function.labels.remove(&name),
            };
        }
    }

    pub fn check_labels(&mut self, mentioned: &[(LabelId, bool)]) {
        for &(label, defined) in mentioned {
            if !defined {
                let Label { name, span, .. } = self.program.labels[label];
                let message = format!("label '{}' used but not defined", self.name(name));
                self.error(span, message);
            }
        }
    }

    fn return_stmt(&mut self, value: Option<ast::ExprId>, span: Span) -> Checked<StmtKind> {
        let Some(value) = value else { return Ok(StmtKind::Return(None)) };
        let value = self.rvalue(value)?;
        let result = self.function.as_ref().map_or(TypeId::VOID, |function| function.result);
        if self.types().get(result) == &Type::Void {
            self.emit(StmtKind::Expr(value), span);
            return Ok(StmtKind::Return(None));
        }
        let value = self.convert(value, result, Purpose::Return)?;
        Ok(StmtKind::Return(Some(value)))
    }
}

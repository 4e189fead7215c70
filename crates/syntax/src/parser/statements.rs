//! Statements and blocks (C11 6.8).
//!
//! Labels stack up and `else if` chains grow long in generated code: both are read by loops and
//! folded into nested statements at their end.

use super::attributes::Attributes;
use super::declarations::Declared;
use super::{Parsed, Parser, Reported};
use crate::ast::{BlockItem, ExprId, ExprKind, ForInit, IntLiteral, StmtId, StmtKind};
use crate::lexer::token::{Token, TokenKind};
use base::{Range, Symbol};
use smallvec::SmallVec;

/// What a label before a statement says.
#[derive(Clone, Copy)]
enum Label {
    Case { first: ExprId, last: Option<ExprId> },
    Default,
    Name(Symbol),
}

/// Where a statement stands: behind the labels of one in a block, a declaration may follow.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Block,
    Body,
}

impl Parser<'_> {
    /// `{ … }`; errors inside do not leave the braces.
    pub(super) fn block(&mut self) -> Parsed<StmtId> {
        self.scoped(|parser| {
            let open = parser.token;
            parser.advance();
            let local_labels = parser.local_labels()?;
            let items = parser.block_items(open)?;
            Ok(parser.stmt(open.start, StmtKind::Block { items, local_labels }))
        })
    }

    /// `__label__ a, b;` at the start of a block.
    fn local_labels(&mut self) -> Parsed<Range<Symbol>> {
        let mut labels = SmallVec::<[Symbol; 4]>::new();
        while self.eat(TokenKind::Label) {
            labels.push(self.expect_name("label after '__label__'")?.0);
            while self.eat(TokenKind::Comma) {
                labels.push(self.expect_name("label after ','")?.0);
            }
            self.expect_semicolon("'__label__'")?;
        }
        Ok(self.ast.symbols.push(labels))
    }

    fn block_items(&mut self, open: Token) -> Parsed<Range<BlockItem>> {
        let mut items = SmallVec::<[BlockItem; 8]>::new();
        while !self.eat(TokenKind::BraceClose) {
            if self.at(TokenKind::End) {
                return Err(self.expected_with_note("'}'", open.span(), "to close this block"));
            }
            match self.block_item() {
                Ok(Some(item)) => items.push(item),
                Ok(None) => {}
                Err(_) => self.skip_statement(),
            }
        }
        Ok(self.ast.block_items.push(items))
    }

    /// `None` for an empty declaration.
    fn block_item(&mut self) -> Parsed<Option<BlockItem>> {
        while self.at(TokenKind::Extension) && self.starts_declaration_after_extension() {
            self.advance();
        }
        let token = self.token;
        let is_label = self.next.kind == TokenKind::Colon && token.kind == TokenKind::Identifier;
        if !is_label && self.starts_block_declaration() {
            return self.block_declaration(Attributes::new()).map(Some);
        }
        match token.kind {
            TokenKind::StaticAssert => self.static_assert().map(|it| Some(BlockItem::StaticAssert(it))),
            TokenKind::Attribute => self.after_attributes().map(Some),
            _ => self.statement_at(Place::Block).map(|statement| Some(BlockItem::Stmt(statement))),
        }
    }

    fn starts_declaration_after_extension(&self) -> bool {
        let next = self.next;
        next.kind.starts_declaration()
            || matches!(next.kind, TokenKind::Extension | TokenKind::Attribute)
            || self.is_typedef_name(next)
    }

    /// Two names in a row are a declaration too: of a type that nobody has declared.
    fn starts_block_declaration(&self) -> bool {
        let token = self.token;
        token.kind.starts_declaration()
            || (token.kind == TokenKind::Identifier
                && (self.scopes.is_type(token.symbol) || self.next.kind == TokenKind::Identifier))
    }

    fn block_declaration(&mut self, attributes: Attributes) -> Parsed<BlockItem> {
        Ok(match self.declaration_or_function(attributes)? {
            Declared::Declaration(declaration) => BlockItem::Declaration(declaration),
            Declared::Function(function) => BlockItem::Function(function),
        })
    }

    /// `__attribute__((fallthrough));`, or a declaration or statement with attributes before it.
    fn after_attributes(&mut self) -> Parsed<BlockItem> {
        let mut attributes = Attributes::new();
        self.attributes(&mut attributes)?;
        if self.starts_block_declaration() {
            return self.block_declaration(attributes);
        }
        self.statement_at(Place::Block).map(BlockItem::Stmt)
    }

    /// The body of a loop or branch.
    fn body(&mut self) -> Parsed<StmtId> {
        self.statement_at(Place::Body)
    }

    fn statement_at(&mut self, place: Place) -> Parsed<StmtId> {
        self.nested(|parser| {
            let kind = parser.token.kind;
            let labelled = matches!(kind, TokenKind::Case | TokenKind::Default)
                || (kind == TokenKind::Identifier && parser.next.kind == TokenKind::Colon);
            if labelled { parser.labelled(place) } else { parser.statement() }
        })
    }

    fn labelled(&mut self, place: Place) -> Parsed<StmtId> {
        let mut labels = SmallVec::<[(u32, Label); 2]>::new();
        while let Some(label) = self.label()? {
            labels.push(label);
            self.check_chain(labels.len())?;
        }
        let declaration_follows = place == Place::Block && self.starts_block_declaration();
        let mut body = if declaration_follows || self.at(TokenKind::BraceClose) {
            self.stmt(self.previous_end, StmtKind::Empty)
        } else {
            self.statement()?
        };
        while let Some((start, label)) = labels.pop() {
            let kind = match label {
                Label::Case { first, last } => StmtKind::Case { first, last, body },
                Label::Default => StmtKind::Default { body },
                Label::Name(name) => StmtKind::Label { name, body },
            };
            body = self.stmt(start, kind);
        }
        Ok(body)
    }

    fn label(&mut self) -> Parsed<Option<(u32, Label)>> {
        let token = self.token;
        let label = match token.kind {
            TokenKind::Case => {
                self.advance();
                let first = self.constant()?;
                let last = if self.eat(TokenKind::Ellipsis) { Some(self.constant()?) } else { None };
                Label::Case { first, last }
            }
            TokenKind::Default => {
                self.advance();
                Label::Default
            }
            TokenKind::Identifier if self.next.kind == TokenKind::Colon => {
                self.advance();
                Label::Name(token.symbol)
            }
            _ => return Ok(None),
        };
        self.expect(TokenKind::Colon, ":", "after label")?;
        self.skip_attributes()?;
        Ok(Some((token.start, label)))
    }

    fn statement(&mut self) -> Parsed<StmtId> {
        let start = self.token.start;
        match self.token.kind {
            TokenKind::BraceOpen => self.block(),
            TokenKind::Semicolon => {
                self.advance();
                Ok(self.stmt(start, StmtKind::Empty))
            }
            TokenKind::If => self.if_chain(),
            TokenKind::While => self.while_loop(),
            TokenKind::Do => self.do_loop(),
            TokenKind::For => self.scoped(Self::for_loop),
            TokenKind::Switch => self.switch(),
            TokenKind::Goto | TokenKind::Break | TokenKind::Continue | TokenKind::Return => self.jump(),
            TokenKind::Asm => {
                let asm = self.asm()?;
                self.expect_semicolon("'asm'")?;
                Ok(self.stmt(start, StmtKind::Asm(asm)))
            }
            TokenKind::Attribute => {
                self.skip_attributes()?;
                self.nested(Self::statement)
            }
            kind if kind.starts_declaration() || self.is_typedef_name(self.token) => {
                let message = "a declaration cannot stand here without braces around it";
                Err(self.error(self.token.span(), message))
            }
            TokenKind::Else => Err(self.error(self.token.span(), "'else' without 'if'")),
            _ => self.expression_statement(),
        }
    }

    fn expression_statement(&mut self) -> Parsed<StmtId> {
        let start = self.token.start;
        let expression = self.expression()?;
        self.expect_semicolon("expression")?;
        Ok(self.stmt(start, StmtKind::Expr(expression)))
    }

    /// `( expression )`; an error in it does not leave the parentheses, so that the body is read.
    fn condition(&mut self, context: &str) -> Parsed<ExprId> {
        self.expect(TokenKind::ParenOpen, "(", context)?;
        let condition = self.expression().and_then(|condition| {
            self.expect(TokenKind::ParenClose, ")", "after condition")?;
            Ok(condition)
        });
        condition.or_else(|_| {
            self.skip_to_paren_close();
            Ok(self.error_expression())
        })
    }

    /// Stands for an expression with an error in it.
    fn error_expression(&mut self) -> ExprId {
        let literal = IntLiteral { value: 0, unsigned: false, longs: 0, decimal: true };
        self.expr(self.previous_end, ExprKind::Int(literal))
    }

    fn if_chain(&mut self) -> Parsed<StmtId> {
        let mut arms = SmallVec::<[(u32, ExprId, StmtId); 2]>::new();
        let mut otherwise = None;
        loop {
            let start = self.token.start;
            self.advance();
            let condition = self.condition("after 'if'")?;
            arms.push((start, condition, self.body()?));
            self.check_chain(arms.len())?;
            if !self.eat(TokenKind::Else) {
                break;
            }
            if !self.at(TokenKind::If) {
                otherwise = Some(self.body()?);
                break;
            }
        }
        let mut chain = None;
        while let Some((start, condition, then)) = arms.pop() {
            let statement = self.stmt(start, StmtKind::If { condition, then, otherwise });
            otherwise = Some(statement);
            chain = Some(statement);
        }
        // There is always at least one arm.
        chain.ok_or(Reported)
    }

    fn while_loop(&mut self) -> Parsed<StmtId> {
        let start = self.token.start;
        self.advance();
        let condition = self.condition("after 'while'")?;
        let body = self.body()?;
        Ok(self.stmt(start, StmtKind::While { condition, body }))
    }

    fn do_loop(&mut self) -> Parsed<StmtId> {
        let start = self.token.start;
        self.advance();
        let body = self.body()?;
        self.expect(TokenKind::While, "while", "after the body of 'do'")?;
        let condition = self.condition("after 'while'")?;
        self.expect_semicolon("'do' loop")?;
        Ok(self.stmt(start, StmtKind::DoWhile { body, condition }))
    }

    fn switch(&mut self) -> Parsed<StmtId> {
        let start = self.token.start;
        self.advance();
        let subject = self.condition("after 'switch'")?;
        let body = self.body()?;
        Ok(self.stmt(start, StmtKind::Switch { subject, body }))
    }

    fn for_loop(&mut self) -> Parsed<StmtId> {
        let start = self.token.start;
        self.advance();
        self.expect(TokenKind::ParenOpen, "(", "after 'for'")?;
        let (init, condition, step) = self.for_header().or_else(|_| {
            self.skip_to_paren_close();
            Ok((ForInit::None, None, None))
        })?;
        let body = self.body()?;
        Ok(self.stmt(start, StmtKind::For { init, condition, step, body }))
    }

    fn for_header(&mut self) -> Parsed<(ForInit, Option<ExprId>, Option<ExprId>)> {
        let init = self.for_init()?;
        let condition = if self.at(TokenKind::Semicolon) { None } else { Some(self.expression()?) };
        self.expect(TokenKind::Semicolon, ";", "after the condition of 'for'")?;
        let step = if self.at(TokenKind::ParenClose) { None } else { Some(self.expression()?) };
        self.expect(TokenKind::ParenClose, ")", "after the header of 'for'")?;
        Ok((init, condition, step))
    }

    /// The first part of a `for` header with its semicolon.
    fn for_init(&mut self) -> Parsed<ForInit> {
        while self.at(TokenKind::Extension) && self.starts_declaration_after_extension() {
            self.advance();
        }
        if self.starts_block_declaration() || self.at(TokenKind::Attribute) {
            return self.plain_declaration().map(ForInit::Declaration);
        }
        let init =
            if self.at(TokenKind::Semicolon) { ForInit::None } else { ForInit::Expr(self.expression()?) };
        self.expect(TokenKind::Semicolon, ";", "in the header of 'for'")?;
        Ok(init)
    }

    fn jump(&mut self) -> Parsed<StmtId> {
        let Token { kind, start, .. } = self.token;
        self.advance();
        let (kind, name) = match kind {
            TokenKind::Break => (StmtKind::Break, "'break'"),
            TokenKind::Continue => (StmtKind::Continue, "'continue'"),
            TokenKind::Goto => (self.goto_target()?, "'goto'"),
            _ if self.at(TokenKind::Semicolon) => (StmtKind::Return(None), "'return'"),
            _ => (StmtKind::Return(Some(self.expression()?)), "'return' statement"),
        };
        self.expect_semicolon(name)?;
        Ok(self.stmt(start, kind))
    }

    fn goto_target(&mut self) -> Parsed<StmtKind> {
        if self.eat(TokenKind::Star) {
            return self.expression().map(StmtKind::ComputedGoto);
        }
        Ok(StmtKind::Goto(self.expect_name("label after 'goto'")?.0))
    }
}

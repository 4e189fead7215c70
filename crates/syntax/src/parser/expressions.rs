//! Expressions (C11 6.5), from the comma operator down to primary expressions.
//!
//! All chains are loops: commas, assignments, conditionals and prefix operators by small stacks,
//! binary operators by operator precedence. So one level of nesting costs one round of five
//! functions, not of fifteen.

use super::operators::{assignment_operator, binary_operator};
use super::{Parsed, Parser, Reported};
use crate::ast::{BinaryOp, Expr, ExprId, ExprKind, TypeName, UnaryOp};
use crate::lexer::token::TokenKind;
use base::Range;
use smallvec::SmallVec;

/// A binary operator whose right operand is still being read.
#[derive(Clone, Copy)]
struct PendingOperator {
    op: BinaryOp,
    precedence: u8,
    left: ExprId,
    start: u32,
}

/// A prefix operator whose operand is still being read.
struct Prefix {
    kind: PrefixKind,
    start: u32,
}

enum PrefixKind {
    Unary(UnaryOp),
    Cast(TypeName),
    Sizeof,
    Alignof,
}

/// What a parenthesised type turned out to be.
enum AfterType {
    Expr(ExprId),
    Type(TypeName),
}

impl Parser<'_> {
    pub(super) fn expression(&mut self) -> Parsed<ExprId> {
        let start = self.token.start;
        let mut left = self.assignment()?;
        let mut length = 0;
        while self.eat(TokenKind::Comma) {
            let right = self.assignment()?;
            left = self.expr(start, ExprKind::Comma { left, right });
            length += 1;
            self.check_chain(length)?;
        }
        Ok(left)
    }

    /// An expression without a comma operator at its top.
    #[inline]
    pub(super) fn assignment(&mut self) -> Parsed<ExprId> {
        self.nested(|parser| {
            let start = parser.token.start;
            let target = parser.conditional()?;
            match assignment_operator(parser.token.kind) {
                Some(op) => parser.assignment_chain(start, target, op),
                None => Ok(target),
            }
        })
    }

    /// The rest of `a = b = c`, the first operator being the current token.
    fn assignment_chain(&mut self, start: u32, target: ExprId, op: Option<BinaryOp>) -> Parsed<ExprId> {
        let mut targets = SmallVec::<[_; 2]>::new();
        targets.push((start, target, op));
        let mut value = loop {
            self.advance();
            let start = self.token.start;
            let value = self.conditional()?;
            match assignment_operator(self.token.kind) {
                Some(op) => targets.push((start, value, op)),
                None => break value,
            }
            self.check_chain(targets.len())?;
        };
        while let Some((start, target, op)) = targets.pop() {
            value = self.expr(start, ExprKind::Assign { op, target, value });
        }
        Ok(value)
    }

    /// A constant expression: what array sizes, cases and bit-field widths take.
    pub(super) fn constant(&mut self) -> Parsed<ExprId> {
        self.nested(Self::conditional)
    }

    fn conditional(&mut self) -> Parsed<ExprId> {
        let start = self.token.start;
        let condition = self.binary()?;
        if self.at(TokenKind::Question) { self.conditional_chain(start, condition) } else { Ok(condition) }
    }

    /// The rest of `a ? b : c ? d : e`, the first `?` being the current token.
    fn conditional_chain(&mut self, start: u32, condition: ExprId) -> Parsed<ExprId> {
        let mut arms = Vec::new();
        let (mut start, mut last) = (start, condition);
        while self.eat(TokenKind::Question) {
            let then = if self.at(TokenKind::Colon) { None } else { Some(self.expression()?) };
            self.expect(TokenKind::Colon, ":", "in conditional expression")?;
            arms.push((start, last, then));
            self.check_chain(arms.len())?;
            start = self.token.start;
            last = self.binary()?;
        }
        while let Some((start, condition, then)) = arms.pop() {
            last = self.expr(start, ExprKind::Conditional { condition, then, otherwise: last });
        }
        Ok(last)
    }

    /// Operator precedence parsing: an operator waits on the stack until one that binds no tighter
    /// comes behind its right operand.
    #[inline]
    fn binary(&mut self) -> Parsed<ExprId> {
        let start = self.token.start;
        let operand = self.unary()?;
        match binary_operator(self.token.kind) {
            Some((op, precedence)) => {
                self.binary_chain(PendingOperator { op, precedence, left: operand, start })
            }
            None => Ok(operand),
        }
    }

    fn binary_chain(&mut self, first: PendingOperator) -> Parsed<ExprId> {
        let mut pending = SmallVec::<[PendingOperator; 4]>::new();
        pending.push(first);
        let mut length = 0;
        loop {
            self.advance();
            let mut start = self.token.start;
            if self.at(TokenKind::ParenClose) {
                return Err(self.missing_right_operand(pending.last()));
            }
            let mut left = self.unary()?;
            let operator = binary_operator(self.token.kind);
            let precedence = operator.map_or(0, |(_, precedence)| precedence);
            while let Some(&top) = pending.last()
                && top.precedence >= precedence
            {
                pending.pop();
                start = top.start;
                left = self.expr(start, ExprKind::Binary { op: top.op, left: top.left, right: left });
            }
            let Some((op, precedence)) = operator else { return Ok(left) };
            pending.push(PendingOperator { op, precedence, left, start });
            length += 1;
            self.check_chain(length)?;
        }
    }

    /// `(name *)` can only be meant as a cast to a type that nobody has declared.
    #[cold]
    fn missing_right_operand(&mut self, operator: Option<&PendingOperator>) -> Reported {
        if let Some(&PendingOperator { op: BinaryOp::Multiply, left, .. }) = operator
            && let Expr { kind: ExprKind::Name(name), span } = self.ast.exprs[left]
        {
            return self.unknown_type(name, span);
        }
        self.expected("expression")
    }

    /// Prefix operators, casts, `sizeof`, and what they apply to.
    #[inline]
    fn unary(&mut self) -> Parsed<ExprId> {
        if matches!(self.token.kind, TokenKind::Identifier | TokenKind::Number) {
            return self.postfix();
        }
        self.prefixed()
    }

    fn prefixed(&mut self) -> Parsed<ExprId> {
        let depth = self.depth;
        let mut prefixes = SmallVec::<[Prefix; 2]>::new();
        let operand = self.operand_after_prefixes(&mut prefixes);
        self.depth = depth;
        let mut operand = operand?;
        while let Some(Prefix { kind, start }) = prefixes.pop() {
            let kind = match kind {
                PrefixKind::Unary(op) => ExprKind::Unary { op, operand },
                PrefixKind::Cast(ty) => ExprKind::Cast { ty, operand },
                PrefixKind::Sizeof => ExprKind::SizeofExpr(operand),
                PrefixKind::Alignof => ExprKind::AlignofExpr(operand),
            };
            operand = self.expr(start, kind);
        }
        Ok(operand)
    }

    fn operand_after_prefixes(&mut self, prefixes: &mut SmallVec<[Prefix; 2]>) -> Parsed<ExprId> {
        loop {
            let start = self.token.start;
            let kind = match self.token.kind {
                TokenKind::ParenOpen if self.starts_type(self.next) => {
                    self.advance();
                    match self.after_type_parenthesis(start)? {
                        AfterType::Expr(literal) => return self.postfix_of(start, literal),
                        AfterType::Type(ty) => PrefixKind::Cast(ty),
                    }
                }
                TokenKind::Sizeof | TokenKind::Alignof => {
                    let of_size = self.at(TokenKind::Sizeof);
                    self.advance();
                    let inner = self.token.start;
                    if !(self.at(TokenKind::ParenOpen) && self.starts_type(self.next)) {
                        if of_size { PrefixKind::Sizeof } else { PrefixKind::Alignof }
                    } else {
                        self.advance();
                        let ty = self.after_type_parenthesis(inner)?;
                        return self.size_of_type(start, inner, of_size, ty);
                    }
                }
                TokenKind::AmpersandAmpersand => return self.label_address(),
                kind => match prefix_operator(kind) {
                    Some(op) => {
                        self.advance();
                        PrefixKind::Unary(op)
                    }
                    None => return self.postfix(),
                },
            };
            prefixes.push(Prefix { kind, start });
            self.deepen()?;
        }
    }

    /// `type )`, and the braces of a compound literal if they follow.
    fn after_type_parenthesis(&mut self, start: u32) -> Parsed<AfterType> {
        let ty = self.type_name()?;
        self.expect(TokenKind::ParenClose, ")", "after type name")?;
        if !self.at(TokenKind::BraceOpen) {
            return Ok(AfterType::Type(ty));
        }
        let initializer = self.initializer()?;
        Ok(AfterType::Expr(self.expr(start, ExprKind::CompoundLiteral { ty, initializer })))
    }

    fn size_of_type(&mut self, start: u32, inner: u32, of_size: bool, of: AfterType) -> Parsed<ExprId> {
        let kind = match (of, of_size) {
            (AfterType::Type(ty), true) => ExprKind::SizeofType(ty),
            (AfterType::Type(ty), false) => ExprKind::AlignofType(ty),
            (AfterType::Expr(literal), true) => ExprKind::SizeofExpr(self.postfix_of(inner, literal)?),
            (AfterType::Expr(literal), false) => ExprKind::AlignofExpr(self.postfix_of(inner, literal)?),
        };
        Ok(self.expr(start, kind))
    }

    /// `&&label`
    fn label_address(&mut self) -> Parsed<ExprId> {
        let start = self.token.start;
        self.advance();
        let (label, _) = self.expect_name("label after '&&'")?;
        Ok(self.expr(start, ExprKind::LabelAddress(label)))
    }

    #[inline]
    fn postfix(&mut self) -> Parsed<ExprId> {
        let start = self.token.start;
        let base = self.primary()?;
        self.postfix_of(start, base)
    }

    /// Calls, indices, members and increments behind an expression.
    #[inline]
    fn postfix_of(&mut self, start: u32, mut base: ExprId) -> Parsed<ExprId> {
        let mut length = 0;
        loop {
            let kind = match self.token.kind {
                TokenKind::ParenOpen => {
                    self.advance();
                    ExprKind::Call { callee: base, arguments: self.arguments()? }
                }
                TokenKind::BracketOpen => {
                    self.advance();
                    let index = self.expression()?;
                    self.expect(TokenKind::BracketClose, "]", "after index")?;
                    ExprKind::Index { base, index }
                }
                TokenKind::Dot => {
                    self.advance();
                    ExprKind::Member { base, field: self.expect_name("member name after '.'")?.0 }
                }
                TokenKind::Arrow => {
                    self.advance();
                    ExprKind::Arrow { base, field: self.expect_name("member name after '->'")?.0 }
                }
                TokenKind::PlusPlus => {
                    self.advance();
                    ExprKind::Unary { op: UnaryOp::PostIncrement, operand: base }
                }
                TokenKind::MinusMinus => {
                    self.advance();
                    ExprKind::Unary { op: UnaryOp::PostDecrement, operand: base }
                }
                _ => return Ok(base),
            };
            base = self.expr(start, kind);
            length += 1;
            self.check_chain(length)?;
        }
    }

    /// The arguments of a call behind its `(`, with the `)`.
    fn arguments(&mut self) -> Parsed<Range<ExprId>> {
        let mut arguments = SmallVec::<[ExprId; 8]>::new();
        if !self.at(TokenKind::ParenClose) {
            arguments.push(self.assignment()?);
            while self.eat(TokenKind::Comma) {
                arguments.push(self.assignment()?);
            }
        }
        self.expect(TokenKind::ParenClose, ")", "after arguments")?;
        Ok(self.ast.expr_lists.push(arguments))
    }

    fn primary(&mut self) -> Parsed<ExprId> {
        let token = self.token;
        match token.kind {
            TokenKind::Identifier if !self.is_typedef_name(token) => {
                self.advance();
                Ok(self.expr(token.start, ExprKind::Name(token.symbol)))
            }
            TokenKind::Number => self.number(),
            TokenKind::Char => self.character(),
            TokenKind::String => {
                let string = self.string()?;
                Ok(self.expr(token.start, ExprKind::String(string)))
            }
            TokenKind::ParenOpen => self.parenthesised(),
            kind => self.builtin(kind),
        }
    }

    /// `( expression )` or a statement expression `({ … })`.
    fn parenthesised(&mut self) -> Parsed<ExprId> {
        let start = self.token.start;
        self.advance();
        if self.at(TokenKind::BraceOpen) {
            let block = self.nested(Self::block)?;
            self.expect(TokenKind::ParenClose, ")", "after statement expression")?;
            return Ok(self.expr(start, ExprKind::Statement(block)));
        }
        let inner = self.expression()?;
        self.expect(TokenKind::ParenClose, ")", "after expression")?;
        self.check_cast_to_unknown(inner)?;
        Ok(inner)
    }

    /// `(name) operand` can only be meant as a cast to a type that nobody has declared.
    #[inline]
    fn check_cast_to_unknown(&mut self, inner: ExprId) -> Parsed<()> {
        let operand = matches!(
            self.token.kind,
            TokenKind::Identifier | TokenKind::Number | TokenKind::Char | TokenKind::String
        );
        let expr = self.ast.exprs[inner];
        match expr.kind {
            ExprKind::Name(name) if operand => Err(self.unknown_type(name, expr.span)),
            _ => Ok(()),
        }
    }
}

fn prefix_operator(kind: TokenKind) -> Option<UnaryOp> {
    Some(match kind {
        TokenKind::Plus => UnaryOp::Plus,
        TokenKind::Minus => UnaryOp::Minus,
        TokenKind::Tilde => UnaryOp::BitNot,
        TokenKind::Bang => UnaryOp::LogicalNot,
        TokenKind::Ampersand => UnaryOp::AddressOf,
        TokenKind::Star => UnaryOp::Dereference,
        TokenKind::PlusPlus => UnaryOp::PreIncrement,
        TokenKind::MinusMinus => UnaryOp::PreDecrement,
        TokenKind::Real => UnaryOp::Real,
        TokenKind::Imaginary => UnaryOp::Imaginary,
        TokenKind::Extension => UnaryOp::Extension,
        _ => return None,
    })
}

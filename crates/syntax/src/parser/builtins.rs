//! Primary expressions that look like calls but take types: `_Generic` and the builtins of gcc.

use super::{Parsed, Parser};
use crate::ast::{ExprId, ExprKind, GenericAssociation, OffsetStep};
use crate::lexer::token::TokenKind;
use smallvec::SmallVec;

impl Parser<'_> {
    /// A keyword expression; anything else is not an expression at all.
    pub(super) fn builtin(&mut self, kind: TokenKind) -> Parsed<ExprId> {
        let parse = match kind {
            TokenKind::Generic => Self::generic,
            TokenKind::BuiltinVaArg => Self::va_arg,
            TokenKind::BuiltinOffsetof => Self::offsetof,
            TokenKind::BuiltinTypesCompatible => Self::types_compatible,
            TokenKind::BuiltinChooseExpr => Self::choose_expr,
            _ => return Err(self.expected("expression")),
        };
        let start = self.token.start;
        self.advance();
        self.expect(TokenKind::ParenOpen, "(", "after builtin")?;
        let kind = parse(self)?;
        self.expect(TokenKind::ParenClose, ")", "after arguments")?;
        Ok(self.expr(start, kind))
    }

    fn expect_comma(&mut self) -> Parsed<()> {
        self.expect(TokenKind::Comma, ",", "after argument")
    }

    fn generic(&mut self) -> Parsed<ExprKind> {
        let control = self.assignment()?;
        let mut associations = SmallVec::<[GenericAssociation; 8]>::new();
        while self.eat(TokenKind::Comma) {
            let ty = if self.eat(TokenKind::Default) { None } else { Some(self.type_name()?) };
            self.expect(TokenKind::Colon, ":", "in '_Generic'")?;
            associations.push(GenericAssociation { ty, value: self.assignment()? });
        }
        Ok(ExprKind::Generic { control, associations: self.ast.associations.push(associations) })
    }

    fn va_arg(&mut self) -> Parsed<ExprKind> {
        let list = self.assignment()?;
        self.expect_comma()?;
        Ok(ExprKind::VaArg { list, ty: self.type_name()? })
    }

    /// `type, member.member[index]…`
    fn offsetof(&mut self) -> Parsed<ExprKind> {
        let ty = self.type_name()?;
        self.expect_comma()?;
        let (name, span) = self.expect_name("member name")?;
        let mut path = SmallVec::<[OffsetStep; 4]>::new();
        path.push(OffsetStep::Field(name, span));
        loop {
            if self.eat(TokenKind::Dot) || self.eat(TokenKind::Arrow) {
                let (name, span) = self.expect_name("member name")?;
                path.push(OffsetStep::Field(name, span));
            } else if self.eat(TokenKind::BracketOpen) {
                path.push(OffsetStep::Index(self.expression()?));
                self.expect(TokenKind::BracketClose, "]", "after index")?;
            } else {
                return Ok(ExprKind::Offsetof { ty, path: self.ast.offsets.push(path) });
            }
        }
    }

    fn types_compatible(&mut self) -> Parsed<ExprKind> {
        let left = self.type_name()?;
        self.expect_comma()?;
        Ok(ExprKind::TypesCompatible { left, right: self.type_name()? })
    }

    fn choose_expr(&mut self) -> Parsed<ExprKind> {
        let condition = self.assignment()?;
        self.expect_comma()?;
        let then = self.assignment()?;
        self.expect_comma()?;
        Ok(ExprKind::ChooseExpr { condition, then, otherwise: self.assignment()? })
    }
}

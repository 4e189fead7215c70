//! Numbers, characters and strings.

use super::{Parsed, Parser};
use crate::ast::{ExprId, ExprKind, IntLiteral, StringId, StringLiteral};
use crate::lexer::numbers::{Number, read_number};
use crate::lexer::strings::{join_strings, read_character};
use crate::lexer::token::TokenKind;
use base::Span;
use smallvec::SmallVec;

impl Parser<'_> {
    #[inline]
    pub(super) fn number(&mut self) -> Parsed<ExprId> {
        let span = self.token.span();
        let number = read_number(&self.lexer.text(span));
        let kind = match number {
            Ok(Number::Int(literal)) => ExprKind::Int(literal),
            Ok(Number::Float(literal)) => ExprKind::Float(literal),
            Err(message) => {
                self.error(span, message);
                ExprKind::Int(IntLiteral { value: 0, unsigned: false, longs: 0, decimal: true })
            }
        };
        self.advance();
        Ok(self.expr(span.start, kind))
    }

    pub(super) fn character(&mut self) -> Parsed<ExprId> {
        let span = self.token.span();
        let character = read_character(&self.lexer.text(span));
        let kind = match character {
            Ok((value, kind)) => ExprKind::Char { value, kind },
            Err(message) => return Err(self.error(span, message)),
        };
        self.advance();
        Ok(self.expr(span.start, kind))
    }

    /// One string literal, or several that stand next to each other.
    pub(super) fn string(&mut self) -> Parsed<StringId> {
        let start = self.token.start;
        let mut spans = SmallVec::<[Span; 4]>::new();
        while self.at(TokenKind::String) {
            spans.push(self.token.span());
            self.advance();
        }
        let literals: SmallVec<[&[u8]; 4]> = spans.iter().map(|&span| self.lexer.raw_text(span)).collect();
        let joined = join_strings(&literals);
        let span = self.span_from(start);
        match joined {
            Ok((units, kind)) => Ok(self.ast.strings.push(StringLiteral { units, kind, span })),
            Err(message) => Err(self.error(span, message)),
        }
    }

    pub(super) fn expect_string(&mut self, context: &str) -> Parsed<StringId> {
        if self.at(TokenKind::String) { self.string() } else { Err(self.expected(context)) }
    }
}

//! Initialisers and their designators (C11 6.7.9), in all the spellings that gcc has had for them.

use super::{Parsed, Parser};
use crate::ast::{Designator, Initializer, InitializerId, InitializerItem, InitializerKind};
use crate::lexer::token::TokenKind;
use base::Range;
use smallvec::SmallVec;

impl Parser<'_> {
    pub(super) fn initializer(&mut self) -> Parsed<InitializerId> {
        let start = self.token.start;
        let kind = if self.at(TokenKind::BraceOpen) {
            InitializerKind::List(self.nested(Self::initializer_list)?)
        } else {
            InitializerKind::Expr(self.assignment()?)
        };
        let span = self.span_from(start);
        Ok(self.ast.initializers.push(Initializer { kind, span }))
    }

    /// `{ … }`; an error inside does not leave the braces.
    fn initializer_list(&mut self) -> Parsed<Range<InitializerItem>> {
        self.advance();
        let mut items = SmallVec::<[InitializerItem; 4]>::new();
        while !self.eat(TokenKind::BraceClose) {
            match self.initializer_item() {
                Ok(item) => items.push(item),
                Err(_) => {
                    self.skip_to_brace_close();
                    break;
                }
            }
        }
        Ok(self.ast.initializer_items.push(items))
    }

    /// One element with the comma behind it.
    fn initializer_item(&mut self) -> Parsed<InitializerItem> {
        let designators = match self.token.kind {
            TokenKind::Dot | TokenKind::BracketOpen => self.designators()?,
            TokenKind::Identifier if self.next.kind == TokenKind::Colon => self.old_designator()?,
            _ => Range::EMPTY,
        };
        let value = self.initializer()?;
        if !self.eat(TokenKind::Comma) && !self.at(TokenKind::BraceClose) {
            return Err(self.expected("',' or '}' after initialiser"));
        }
        Ok(InitializerItem { designators, value })
    }

    /// `name: value`
    fn old_designator(&mut self) -> Parsed<Range<Designator>> {
        let (name, span) = self.expect_name("member name")?;
        self.advance();
        Ok(self.ast.designators.push([Designator::Field(name, span)]))
    }

    /// `.name`, `[index]`, `[first ... last]` in a row, and the `=` that only old code leaves out.
    fn designators(&mut self) -> Parsed<Range<Designator>> {
        let mut designators = SmallVec::<[Designator; 4]>::new();
        loop {
            if self.eat(TokenKind::Dot) {
                let (name, span) = self.expect_name("member name after '.'")?;
                designators.push(Designator::Field(name, span));
            } else if self.eat(TokenKind::BracketOpen) {
                designators.push(self.index_designator()?);
            } else {
                break;
            }
        }
        let only_index =
            matches!(designators.as_slice(), [Designator::Index(_) | Designator::IndexRange(..)]);
        if !self.eat(TokenKind::Equal) && !only_index {
            return Err(self.expected("'=' after designator"));
        }
        Ok(self.ast.designators.push(designators))
    }

    fn index_designator(&mut self) -> Parsed<Designator> {
        let first = self.constant()?;
        let designator = if self.eat(TokenKind::Ellipsis) {
            Designator::IndexRange(first, self.constant()?)
        } else {
            Designator::Index(first)
        };
        self.expect(TokenKind::BracketClose, "]", "after index")?;
        Ok(designator)
    }
}

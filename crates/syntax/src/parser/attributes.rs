//! `__attribute__((…))` and the words of other compilers that stand in the same places.

use super::{Parsed, Parser};
use crate::ast::{Attribute, ExprId, ExprKind};
use crate::lexer::token::TokenKind;
use base::Range;
use smallvec::SmallVec;

pub(super) type Attributes = SmallVec<[Attribute; 2]>;

impl Parser<'_> {
    /// Any number of attributes here, added to `attributes`.
    #[inline]
    pub(super) fn attributes(&mut self, attributes: &mut Attributes) -> Parsed<()> {
        loop {
            match self.token.kind {
                TokenKind::Attribute => self.attribute_list(attributes)?,
                TokenKind::Declspec => self.declspec(attributes)?,
                TokenKind::Ignored | TokenKind::Extension => self.advance(),
                _ => return Ok(()),
            }
        }
    }

    /// Attributes in a place where the tree has none.
    pub(super) fn skip_attributes(&mut self) -> Parsed<()> {
        self.attributes(&mut Attributes::new())
    }

    fn attribute_list(&mut self, attributes: &mut Attributes) -> Parsed<()> {
        self.advance();
        self.expect(TokenKind::ParenOpen, "(", "after '__attribute__'")?;
        self.expect(TokenKind::ParenOpen, "(", "after '__attribute__('")?;
        while !self.at(TokenKind::ParenClose) {
            if !self.eat(TokenKind::Comma) {
                let attribute = self.attribute()?;
                attributes.push(attribute);
                if !matches!(self.token.kind, TokenKind::Comma | TokenKind::ParenClose) {
                    return Err(self.expected("',' or ')' after attribute"));
                }
            }
        }
        self.advance();
        self.expect(TokenKind::ParenClose, ")", "after attributes")
    }

    fn attribute(&mut self) -> Parsed<Attribute> {
        let start = self.token.start;
        let text = self.lexer.text(self.token.span());
        if !text.first().is_some_and(|&b| b.is_ascii_alphabetic() || b == b'_' || b == b'$') {
            return Err(self.expected("attribute name"));
        }
        let name = String::from_utf8_lossy(&text);
        let name = name.strip_prefix("__").and_then(|name| name.strip_suffix("__")).unwrap_or(&name);
        let name = self.lexer.interner.intern(name);
        self.advance();
        let arguments =
            if self.eat(TokenKind::ParenOpen) { self.attribute_arguments()? } else { Range::EMPTY };
        Ok(Attribute { name, arguments, span: self.span_from(start) })
    }

    fn attribute_arguments(&mut self) -> Parsed<Range<ExprId>> {
        let mut arguments = SmallVec::<[ExprId; 4]>::new();
        while !self.at(TokenKind::ParenClose) {
            if let Some(argument) = self.attribute_argument()? {
                arguments.push(argument);
            }
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        self.expect(TokenKind::ParenClose, ")", "after attribute arguments")?;
        Ok(self.ast.expr_lists.push(arguments))
    }

    /// A lone name is a name even if it is a typedef (`mode(byte)`); a type is read and dropped.
    fn attribute_argument(&mut self) -> Parsed<Option<ExprId>> {
        let token = self.token;
        let alone = matches!(self.next.kind, TokenKind::Comma | TokenKind::ParenClose);
        if token.kind == TokenKind::Identifier && alone {
            self.advance();
            return Ok(Some(self.expr(token.start, ExprKind::Name(token.symbol))));
        }
        if self.starts_type(token) {
            self.type_name()?;
            return Ok(None);
        }
        self.assignment().map(Some)
    }

    /// `__declspec(name name(…) …)`: attributes by another name.
    fn declspec(&mut self, attributes: &mut Attributes) -> Parsed<()> {
        self.advance();
        self.expect(TokenKind::ParenOpen, "(", "after '__declspec'")?;
        while !self.at(TokenKind::ParenClose) {
            let mut attribute = self.attribute()?;
            if self.lexer.interner.resolve(attribute.name) == "align" {
                attribute.name = self.lexer.interner.intern("aligned");
            }
            attributes.push(attribute);
            self.eat(TokenKind::Comma);
        }
        self.advance();
        Ok(())
    }
}

//! Structs, unions and enums (C11 6.7.2.1, 6.7.2.2).

use super::attributes::Attributes;
use super::specifiers::Place;
use super::{Parsed, Parser};
use crate::ast::{
    Attribute, Enumerator, Expr, ExprKind, IntLiteral, Member, SpecifiersId, Tag, TagBody, TagId, TagKind,
};
use crate::lexer::token::TokenKind;
use base::{Range, Span};
use smallvec::SmallVec;

type Members = SmallVec<[Member; 8]>;

impl Parser<'_> {
    /// A struct, union or enum specifier; the current token is its keyword.
    pub(super) fn tag(&mut self) -> Parsed<TagId> {
        let start = self.token.start;
        let kind = match self.token.kind {
            TokenKind::Struct => TagKind::Struct,
            TokenKind::Union => TagKind::Union,
            _ => TagKind::Enum,
        };
        self.advance();
        let mut attributes = Attributes::new();
        self.attributes(&mut attributes)?;
        let name = self.at(TokenKind::Identifier).then_some(self.token.symbol);
        if name.is_some() {
            self.advance();
        }
        let span = self.span_from(start);
        let body = match (self.at(TokenKind::BraceOpen), kind) {
            (false, _) => None,
            (true, TagKind::Enum) => Some(TagBody::Enumerators(self.enumerators()?)),
            (true, _) => Some(TagBody::Members(self.members(span, &mut attributes)?)),
        };
        if body.is_some() {
            self.attributes(&mut attributes)?;
        } else if name.is_none() {
            return Err(self.expected("name or '{' in struct, union or enum"));
        }
        let attributes = self.ast.attributes.push(attributes);
        Ok(self.ast.tags.push(Tag { kind, name, body, attributes, span }))
    }

    /// `#pragma pack(n)` appears in the tree as the attribute `pragma_pack(n)` of each struct or union
    /// that it governs: no member is aligned to more than `n` bytes.
    fn packing_attribute(&mut self, span: Span, attributes: &mut Attributes) {
        let Some(limit) = self.lexer.packing() else { return };
        let literal = IntLiteral { value: limit.into(), unsigned: false, longs: 0, decimal: true };
        let value = self.ast.exprs.push(Expr { kind: ExprKind::Int(literal), span });
        let name = self.lexer.interner.intern("pragma_pack");
        attributes.push(Attribute { name, arguments: self.ast.expr_lists.push([value]), span });
    }

    /// `{ … }` of a struct or union.
    fn members(&mut self, tag: Span, attributes: &mut Attributes) -> Parsed<Range<Member>> {
        self.advance();
        let mut members = Members::new();
        while !self.at(TokenKind::BraceClose) {
            if self.at(TokenKind::End) {
                return Err(self.expected("'}' at the end of the members"));
            }
            if self.member_declaration(&mut members).is_err() {
                self.skip_statement();
            }
        }
        // Asked for before the `}` is consumed: a pragma behind it comes too late.
        self.packing_attribute(tag, attributes);
        self.advance();
        Ok(self.ast.members.push(members))
    }

    fn member_declaration(&mut self, members: &mut Members) -> Parsed<()> {
        while self.eat(TokenKind::Extension) {}
        if self.eat(TokenKind::Semicolon) {
            return Ok(());
        }
        if self.at(TokenKind::StaticAssert) {
            members.push(Member::StaticAssert(self.static_assert()?));
            return Ok(());
        }
        let start = self.token.start;
        let (specifiers, read) = self.specifiers(Place::Typed, Attributes::new())?;
        if self.previous_end <= start {
            return Err(self.expected("member"));
        }
        self.check_no_storage(&read);
        if matches!(self.token.kind, TokenKind::Semicolon | TokenKind::BraceClose) {
            let span = self.span_from(start);
            members.push(Member::Field { specifiers, declarator: None, width: None, span });
        } else {
            members.push(self.member(specifiers)?);
            while self.eat(TokenKind::Comma) {
                members.push(self.member(specifiers)?);
            }
        }
        // gcc lets the last member do without.
        if self.at(TokenKind::BraceClose) { Ok(()) } else { self.expect_semicolon("member") }
    }

    /// A declarator with the width of a bit-field, or the width alone.
    fn member(&mut self, specifiers: SpecifiersId) -> Parsed<Member> {
        let start = self.token.start;
        let mut leading = Attributes::new();
        self.attributes(&mut leading)?;
        if self.eat(TokenKind::Colon) {
            let width = Some(self.constant()?);
            self.skip_attributes()?;
            return Ok(Member::Field { specifiers, declarator: None, width, span: self.span_from(start) });
        }
        let mut parts = self.named_declarator(leading)?;
        let width = if self.eat(TokenKind::Colon) { Some(self.constant()?) } else { None };
        self.attributes(&mut parts.attributes)?;
        let declarator = Some(self.finish_declarator(parts));
        Ok(Member::Field { specifiers, declarator, width, span: self.span_from(start) })
    }

    /// `{ … }` of an enum.
    fn enumerators(&mut self) -> Parsed<Range<Enumerator>> {
        self.advance();
        if self.at(TokenKind::BraceClose) {
            self.expected("name of an enumerator");
        }
        let mut enumerators = SmallVec::<[Enumerator; 8]>::new();
        while !self.eat(TokenKind::BraceClose) {
            match self.enumerator() {
                Ok(enumerator) => enumerators.push(enumerator),
                Err(_) => {
                    self.skip_to_brace_close();
                    break;
                }
            }
        }
        Ok(self.ast.enumerators.push(enumerators))
    }

    /// `name [= value]` with the comma behind it.
    fn enumerator(&mut self) -> Parsed<Enumerator> {
        let (name, span) = self.expect_name("name of an enumerator")?;
        self.skip_attributes()?;
        let value = if self.eat(TokenKind::Equal) { Some(self.constant()?) } else { None };
        self.scopes.declare(name, false);
        if !self.eat(TokenKind::Comma) && !self.at(TokenKind::BraceClose) {
            return Err(self.expected("',' or '}' after enumerator"));
        }
        Ok(Enumerator { name, value, span })
    }
}

//! Structs, unions and enums (C11 6.7.2.1, 6.7.2.2).

use super::attributes::Attributes;
use super::specifiers::Place;
use super::{Parsed, Parser};
use crate::ast::{Enumerator, Member, SpecifiersId, Tag, TagBody, TagId, TagKind};
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
        let body = if self.at(TokenKind::BraceOpen) { Some(self.tag_body(kind)?) } else { None };
        if body.is_some() {
            self.attributes(&mut attributes)?;
        } else if name.is_none() {
            return Err(self.expected("name or '{' in struct, union or enum"));
        }
        let attributes = self.ast.attributes.push(attributes);
        Ok(self.ast.tags.push(Tag { kind, name, body, attributes, span }))
    }

    fn tag_body(&mut self, kind: TagKind) -> Parsed<TagBody> {
        self.advance();
        match kind {
            TagKind::Enum => self.enumerators().map(TagBody::Enumerators),
            TagKind::Struct | TagKind::Union => self.members().map(TagBody::Members),
        }
    }

    /// Members up to and including the `}`.
    fn members(&mut self) -> Parsed<Range<Member>> {
        let mut members = Members::new();
        while !self.at(TokenKind::BraceClose) {
            if self.at(TokenKind::End) {
                return Err(self.expected("'}' at the end of the members"));
            }
            if self.member_declaration(&mut members).is_err() {
                self.skip_statement();
            }
        }
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
        let (specifiers, _) = self.specifiers(Place::Typed, Attributes::new())?;
        if self.previous_end <= start {
            return Err(self.expected("member"));
        }
        if self.at(TokenKind::Semicolon) {
            let span = self.span_from(start);
            members.push(Member::Field { specifiers, declarator: None, width: None, span });
        } else {
            members.push(self.member(specifiers)?);
            while self.eat(TokenKind::Comma) {
                members.push(self.member(specifiers)?);
            }
        }
        self.expect_semicolon("member")
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

    /// Enumerators up to and including the `}`.
    fn enumerators(&mut self) -> Parsed<Range<Enumerator>> {
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
        Ok(Enumerator { name, value, span: Span::new(span.start, span.end) })
    }
}

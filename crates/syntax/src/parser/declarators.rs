//! Declarators (C11 6.7.6): pointers, arrays and functions around a name.
//!
//! A declarator is read inside out: what stands in parentheses comes first, then the suffixes behind
//! it, then the pointers before it. Pushing derivations in that order yields them from the name
//! outwards.

use super::attributes::Attributes;
use super::{NESTING_LIMIT, Parsed, Parser};
use crate::ast::{ArrayLength, Declarator, DeclaratorId, Derivation, Qualifiers};
use crate::lexer::token::TokenKind;
use base::{Span, Symbol};
use smallvec::SmallVec;

/// A declarator as it is being read: attributes may still follow.
pub(super) struct DeclaratorParts {
    pub name: Option<Symbol>,
    pub derivations: SmallVec<[Derivation; 4]>,
    pub attributes: Attributes,
    pub span: Span,
}

/// Whether a declarator has a name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Naming {
    /// In declarations.
    Required,
    /// In parameters.
    Optional,
    /// In type names.
    Absent,
}

impl Parser<'_> {
    /// The declarator of a declaration or member; `attributes` stand before it.
    pub(super) fn named_declarator(&mut self, attributes: Attributes) -> Parsed<DeclaratorParts> {
        self.declarator_of(Naming::Required, attributes)
    }

    /// The declarator of a parameter, which may lack a name.
    pub(super) fn parameter_declarator(&mut self) -> Parsed<DeclaratorParts> {
        let mut parts = self.declarator_of(Naming::Optional, Attributes::new())?;
        self.attributes(&mut parts.attributes)?;
        Ok(parts)
    }

    pub(super) fn abstract_declarator(&mut self) -> Parsed<DeclaratorId> {
        let mut parts = self.declarator_of(Naming::Absent, Attributes::new())?;
        self.attributes(&mut parts.attributes)?;
        Ok(self.finish_declarator(parts))
    }

    pub(super) fn finish_declarator(&mut self, parts: DeclaratorParts) -> DeclaratorId {
        let declarator = Declarator {
            name: parts.name,
            derivations: self.ast.derivations.push(parts.derivations),
            attributes: self.ast.attributes.push(parts.attributes),
            span: parts.span,
        };
        self.ast.declarators.push(declarator)
    }

    fn declarator_of(&mut self, naming: Naming, attributes: Attributes) -> Parsed<DeclaratorParts> {
        let place = Span::new(self.token.start, self.token.start);
        let mut parts = DeclaratorParts { name: None, derivations: SmallVec::new(), attributes, span: place };
        self.declarator(&mut parts, naming)?;
        Ok(parts)
    }

    fn declarator(&mut self, parts: &mut DeclaratorParts, naming: Naming) -> Parsed<()> {
        if !self.at(TokenKind::Star) {
            return self.direct_declarator(parts, naming);
        }
        let mut pointers = SmallVec::<[Qualifiers; 4]>::new();
        while self.eat(TokenKind::Star) {
            pointers.push(self.pointer_qualifiers(parts)?);
        }
        self.direct_declarator(parts, naming)?;
        parts.derivations.extend(pointers.into_iter().rev().map(Derivation::Pointer));
        self.check_derivations(parts)
    }

    fn pointer_qualifiers(&mut self, parts: &mut DeclaratorParts) -> Parsed<Qualifiers> {
        let mut qualifiers = Qualifiers::default();
        loop {
            self.attributes(&mut parts.attributes)?;
            if !self.qualifier(&mut qualifiers) {
                return Ok(qualifiers);
            }
        }
    }

    fn direct_declarator(&mut self, parts: &mut DeclaratorParts, naming: Naming) -> Parsed<()> {
        self.attributes(&mut parts.attributes)?;
        let token = self.token;
        let is_name = token.kind == TokenKind::Identifier || token.kind.is_redefinable_type();
        if is_name && naming != Naming::Absent {
            parts.name = Some(token.symbol);
            parts.span = token.span();
            self.advance();
        } else if token.kind == TokenKind::ParenOpen && self.groups(naming) {
            self.advance();
            self.nested(|parser| {
                parser.attributes(&mut parts.attributes)?;
                parser.declarator(parts, naming)
            })?;
            self.expect(TokenKind::ParenClose, ")", "after declarator")?;
        } else if naming == Naming::Required {
            return Err(self.expected("name in declaration"));
        } else {
            parts.span = Span::new(token.start, token.start);
        }
        self.declarator_suffixes(parts)
    }

    /// Whether the `(` here encloses a declarator rather than parameters.
    fn groups(&self, naming: Naming) -> bool {
        match self.next.kind {
            TokenKind::Star
            | TokenKind::ParenOpen
            | TokenKind::BracketOpen
            | TokenKind::Attribute
            | TokenKind::Ignored => true,
            TokenKind::Identifier => {
                naming == Naming::Required || (naming == Naming::Optional && !self.is_typedef_name(self.next))
            }
            _ => naming == Naming::Required,
        }
    }

    /// Arrays and parameter lists behind a name.
    fn declarator_suffixes(&mut self, parts: &mut DeclaratorParts) -> Parsed<()> {
        loop {
            let derivation = match self.token.kind {
                TokenKind::BracketOpen => self.array()?,
                TokenKind::ParenOpen => self.nested(Self::parameter_list)?,
                _ => return Ok(()),
            };
            parts.derivations.push(derivation);
            self.check_derivations(parts)?;
        }
    }

    fn check_derivations(&mut self, parts: &DeclaratorParts) -> Parsed<()> {
        if parts.derivations.len() <= NESTING_LIMIT as usize {
            return Ok(());
        }
        Err(self.give_up(format!("nested too deeply (more than {NESTING_LIMIT} levels)")))
    }

    /// `[…]` with all that may stand in it.
    fn array(&mut self) -> Parsed<Derivation> {
        self.advance();
        let mut qualifiers = Qualifiers::default();
        self.skip_attributes()?;
        while self.eat(TokenKind::Static) || self.qualifier(&mut qualifiers) {}
        let length = match self.token.kind {
            TokenKind::BracketClose => ArrayLength::None,
            TokenKind::Star if self.next.kind == TokenKind::BracketClose => {
                self.advance();
                ArrayLength::Star
            }
            _ => ArrayLength::Expr(self.assignment()?),
        };
        self.expect(TokenKind::BracketClose, "]", "after array length")?;
        Ok(Derivation::Array { length, qualifiers })
    }
}

//! Parameter lists: prototypes, and the lists of names of K&R C.

use super::attributes::Attributes;
use super::declarators::DeclaratorParts;
use super::specifiers::Place;
use super::{Parsed, Parser};
use crate::ast::{
    DeclaratorId, Derivation, Parameter, ParameterStyle, Qualifiers, Specifiers, Storage, TypeSpecifier,
};
use crate::lexer::token::TokenKind;
use base::{Range, Span};
use smallvec::SmallVec;

type Parameters = SmallVec<[Parameter; 4]>;

impl Parser<'_> {
    /// `( … )` behind the name of a function.
    pub(super) fn parameter_list(&mut self) -> Parsed<Derivation> {
        self.advance();
        if self.eat(TokenKind::ParenClose) {
            let style = ParameterStyle::Empty;
            return Ok(Derivation::Function { parameters: Range::EMPTY, variadic: false, style });
        }
        let is_list_of_names = self.at(TokenKind::Identifier)
            && !self.is_typedef_name(self.token)
            && matches!(self.next.kind, TokenKind::Comma | TokenKind::ParenClose);
        if is_list_of_names { self.names() } else { self.scoped(Self::prototype) }
    }

    /// `(a, b)`
    fn names(&mut self) -> Parsed<Derivation> {
        let mut parameters = Parameters::new();
        loop {
            let (name, span) = self.expect_name("parameter name")?;
            let parts = DeclaratorParts {
                name: Some(name),
                derivations: SmallVec::new(),
                attributes: Attributes::new(),
                span,
            };
            let declarator = self.finish_declarator(parts);
            parameters.push(Parameter { specifiers: None, declarator, span });
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        self.expect(TokenKind::ParenClose, ")", "after parameters")?;
        let parameters = self.ast.parameters.push(parameters);
        Ok(Derivation::Function { parameters, variadic: false, style: ParameterStyle::Names })
    }

    /// `(int a, char *b, ...)`; for `(void)` the list is empty.
    fn prototype(&mut self) -> Parsed<Derivation> {
        let mut parameters = Parameters::new();
        let mut variadic = false;
        loop {
            if self.eat(TokenKind::Ellipsis) {
                variadic = true;
                break;
            }
            parameters.push(self.parameter()?);
            // GNU forward declarations: `(int n; int a[n])`.
            if self.eat(TokenKind::Semicolon) {
                parameters.clear();
            } else if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        self.expect(TokenKind::ParenClose, ")", "after parameters")?;
        if let [only] = parameters.as_slice()
            && !variadic
            && self.is_void(only)
        {
            parameters.clear();
        }
        let parameters = self.ast.parameters.push(parameters);
        Ok(Derivation::Function { parameters, variadic, style: ParameterStyle::Prototype })
    }

    fn parameter(&mut self) -> Parsed<Parameter> {
        let start = self.token.start;
        let (specifiers, _) = self.specifiers(Place::Typed, Attributes::new())?;
        if self.previous_end <= start {
            return Err(self.expected("parameter"));
        }
        let parts = self.parameter_declarator()?;
        if let Some(name) = parts.name {
            self.scopes.declare(name, false);
        }
        let declarator = self.finish_declarator(parts);
        Ok(Parameter { specifiers: Some(specifiers), declarator, span: self.span_from(start) })
    }

    /// Whether a parameter is the lone `void` that says that there are none.
    fn is_void(&self, parameter: &Parameter) -> bool {
        let declarator = &self.ast.declarators[parameter.declarator];
        let Some(specifiers) = parameter.specifiers.map(|id| self.ast.specifiers[id]) else { return false };
        let Specifiers { ty: TypeSpecifier::Void, storage: Storage::None, qualifiers, .. } = specifiers
        else {
            return false;
        };
        qualifiers == Qualifiers::default() && declarator.name.is_none() && declarator.derivations.is_empty()
    }

    /// Brings the parameters of a function into the scope of its body.
    pub(super) fn declare_parameters(&mut self, function: DeclaratorId) {
        let derivations = self.ast.declarators[function].derivations;
        let Some(&Derivation::Function { parameters, .. }) = self.ast.derivations[derivations].first() else {
            return;
        };
        for parameter in &self.ast.parameters[parameters] {
            if let Some(name) = self.ast.declarators[parameter.declarator].name {
                self.scopes.declare(name, false);
            }
        }
    }

    /// The span of a declarator's name, for messages.
    pub(super) fn declarator_span(&self, declarator: DeclaratorId) -> Span {
        self.ast.declarators[declarator].span
    }
}

//! Declarations and function definitions, at file scope and in blocks (C11 6.7, 6.9).

use super::attributes::Attributes;
use super::specifiers::Place;
use super::{Parsed, Parser};
use crate::ast::{
    Declaration, DeclarationId, DeclaratorId, Derivation, Function, FunctionId, InitDeclarator, Item,
    ParameterStyle, SpecifiersId, StaticAssert, Storage, TypeSpecifier,
};
use crate::lexer::token::TokenKind;
use base::Range;
use smallvec::SmallVec;

/// What started like a declaration.
pub(super) enum Declared {
    Declaration(DeclarationId),
    Function(FunctionId),
}

type Declarators = SmallVec<[InitDeclarator; 2]>;

impl Parser<'_> {
    pub(super) fn translation_unit(&mut self) {
        while !self.at(TokenKind::End) {
            if self.external_declaration().is_err() {
                self.skip_statement();
                // A brace that closes nothing: its error has been reported.
                self.eat(TokenKind::BraceClose);
            }
        }
    }

    fn external_declaration(&mut self) -> Parsed<()> {
        while self.eat(TokenKind::Extension) {}
        let item = match self.token.kind {
            TokenKind::Semicolon => {
                self.advance();
                return Ok(());
            }
            TokenKind::Asm => Item::Asm(self.asm_declaration()?),
            TokenKind::StaticAssert => Item::StaticAssert(self.static_assert()?),
            TokenKind::BraceClose => return Err(self.expected("declaration")),
            _ => match self.declaration_or_function(Attributes::new())? {
                Declared::Declaration(declaration) => Item::Declaration(declaration),
                Declared::Function(function) => Item::Function(function),
            },
        };
        self.ast.items.push(item);
        Ok(())
    }

    /// A declaration, or a function definition; `attributes` have been read already.
    pub(super) fn declaration_or_function(&mut self, attributes: Attributes) -> Parsed<Declared> {
        let start = self.token.start;
        let (specifiers, read) = self.specifiers(Place::Declaration, attributes)?;
        if self.eat(TokenKind::Semicolon) {
            return Ok(Declared::Declaration(self.declaration(start, specifiers, Declarators::new())));
        }
        let nothing_read = self.previous_end <= start || matches!(read.ty, TypeSpecifier::Implicit);
        if nothing_read
            && !matches!(self.token.kind, TokenKind::Identifier | TokenKind::Star | TokenKind::ParenOpen)
        {
            return Err(self.expected("declaration"));
        }
        let is_typedef = read.storage == Storage::Typedef;
        let first = self.init_declarator_head(is_typedef, Attributes::new())?;
        if first.asm_name.is_none() && self.is_function_definition(first.declarator) {
            return self.function(start, specifiers, first.declarator).map(Declared::Function);
        }
        let declarators = self.init_declarators(first, is_typedef)?;
        self.expect_semicolon("declaration")?;
        Ok(Declared::Declaration(self.declaration(start, specifiers, declarators)))
    }

    fn declaration(
        &mut self,
        start: u32,
        specifiers: SpecifiersId,
        declarators: Declarators,
    ) -> DeclarationId {
        let declarators = self.ast.declarator_lists.push(declarators);
        let span = self.span_from(start);
        self.ast.declarations.push(Declaration { specifiers, declarators, span })
    }

    /// A declaration where no function definition can stand: `for` and old-style parameters.
    pub(super) fn plain_declaration(&mut self) -> Parsed<DeclarationId> {
        match self.declaration_or_function(Attributes::new())? {
            Declared::Declaration(declaration) => Ok(declaration),
            Declared::Function(function) => {
                let span = self.declarator_span(self.ast.functions[function].declarator);
                Err(self.error(span, "a function cannot be defined here"))
            }
        }
    }

    /// A declarator with assembly name and attributes, up to its initialiser. The name is declared.
    fn init_declarator_head(&mut self, is_typedef: bool, leading: Attributes) -> Parsed<InitDeclarator> {
        let mut parts = self.named_declarator(leading)?;
        self.attributes(&mut parts.attributes)?;
        let asm_name = if self.at(TokenKind::Asm) { Some(self.asm_name()?) } else { None };
        self.attributes(&mut parts.attributes)?;
        if let Some(name) = parts.name {
            self.scopes.declare(name, is_typedef);
        }
        let declarator = self.finish_declarator(parts);
        Ok(InitDeclarator { declarator, initializer: None, asm_name })
    }

    /// All declarators of a declaration, the first of which has been read up to its initialiser.
    fn init_declarators(&mut self, first: InitDeclarator, is_typedef: bool) -> Parsed<Declarators> {
        let mut declarators = Declarators::new();
        let mut current = first;
        loop {
            if self.eat(TokenKind::Equal) {
                current.initializer = Some(self.initializer()?);
            }
            declarators.push(current);
            if !self.eat(TokenKind::Comma) {
                return Ok(declarators);
            }
            let mut leading = Attributes::new();
            self.attributes(&mut leading)?;
            current = self.init_declarator_head(is_typedef, leading)?;
        }
    }

    /// Whether a body follows, or the parameter declarations of a K&R definition.
    fn is_function_definition(&self, declarator: DeclaratorId) -> bool {
        let derivations = self.ast.declarators[declarator].derivations;
        let Some(Derivation::Function { style, .. }) = self.ast.derivations[derivations].first() else {
            return false;
        };
        let old_parameters = *style == ParameterStyle::Names
            && (self.token.kind.starts_declaration() || self.is_typedef_name(self.token));
        self.at(TokenKind::BraceOpen) || old_parameters
    }

    fn function(
        &mut self,
        start: u32,
        specifiers: SpecifiersId,
        declarator: DeclaratorId,
    ) -> Parsed<FunctionId> {
        self.nested(|parser| {
            parser.scoped(|parser| {
                parser.declare_parameters(declarator);
                let old_parameters = parser.old_parameters()?;
                if !parser.at(TokenKind::BraceOpen) {
                    return Err(parser.expected("function body"));
                }
                let body = parser.block()?;
                let span = parser.span_from(start);
                let function = Function { specifiers, declarator, old_parameters, body, span };
                Ok(parser.ast.functions.push(function))
            })
        })
    }

    fn old_parameters(&mut self) -> Parsed<Range<DeclarationId>> {
        let mut declarations = SmallVec::<[DeclarationId; 4]>::new();
        while !matches!(self.token.kind, TokenKind::BraceOpen | TokenKind::End) {
            declarations.push(self.plain_declaration()?);
        }
        Ok(self.ast.declaration_lists.push(declarations))
    }

    /// `_Static_assert(condition, "message");`
    pub(super) fn static_assert(&mut self) -> Parsed<StaticAssert> {
        let start = self.token.start;
        self.advance();
        self.expect(TokenKind::ParenOpen, "(", "after '_Static_assert'")?;
        let condition = self.constant()?;
        let message = if self.eat(TokenKind::Comma) {
            Some(self.expect_string("message of '_Static_assert'")?)
        } else {
            None
        };
        self.expect(TokenKind::ParenClose, ")", "after '_Static_assert'")?;
        self.expect_semicolon("'_Static_assert'")?;
        Ok(StaticAssert { condition, message, span: self.span_from(start) })
    }
}

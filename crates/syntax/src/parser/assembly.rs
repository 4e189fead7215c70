//! Inline assembly: read in full, understood by nobody behind the parser.

use super::{Parsed, Parser};
use crate::ast::{Asm, AsmId, AsmOperand, StringId};
use crate::lexer::token::TokenKind;

impl Parser<'_> {
    /// `asm("name")` behind a declarator.
    pub(super) fn asm_name(&mut self) -> Parsed<StringId> {
        self.advance();
        self.expect(TokenKind::ParenOpen, "(", "after 'asm'")?;
        let name = self.expect_string("assembly name")?;
        self.expect(TokenKind::ParenClose, ")", "after assembly name")?;
        Ok(name)
    }

    /// `asm("…");` at file scope.
    pub(super) fn asm_declaration(&mut self) -> Parsed<AsmId> {
        let asm = self.asm()?;
        self.expect_semicolon("'asm'")?;
        Ok(asm)
    }

    /// `asm [volatile] [goto] ( … )` without the semicolon.
    pub(super) fn asm(&mut self) -> Parsed<AsmId> {
        let start = self.token.start;
        self.advance();
        let mut volatile = false;
        loop {
            match self.token.kind {
                TokenKind::Volatile => volatile = true,
                TokenKind::Goto | TokenKind::Inline | TokenKind::Const => {}
                _ => break,
            }
            self.advance();
        }
        self.expect(TokenKind::ParenOpen, "(", "after 'asm'")?;
        let mut asm = Asm {
            template: self.expect_string("assembly template")?,
            outputs: Vec::new(),
            inputs: Vec::new(),
            clobbers: Vec::new(),
            labels: Vec::new(),
            volatile,
            span: self.token.span(),
        };
        self.asm_sections(&mut asm)?;
        self.expect(TokenKind::ParenClose, ")", "after 'asm'")?;
        asm.span = self.span_from(start);
        Ok(self.ast.asms.push(asm))
    }

    fn asm_sections(&mut self, asm: &mut Asm) -> Parsed<()> {
        if self.eat(TokenKind::Colon) {
            asm.outputs = self.asm_list(Self::asm_operand)?;
        }
        if self.eat(TokenKind::Colon) {
            asm.inputs = self.asm_list(Self::asm_operand)?;
        }
        if self.eat(TokenKind::Colon) {
            asm.clobbers = self.asm_list(|parser| parser.expect_string("clobbered register"))?;
        }
        if self.eat(TokenKind::Colon) {
            asm.labels = self.asm_list(|parser| parser.expect_name("label").map(|(name, _)| name))?;
        }
        Ok(())
    }

    fn asm_list<T>(&mut self, element: impl Fn(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        let mut list = Vec::new();
        if matches!(self.token.kind, TokenKind::Colon | TokenKind::ParenClose) {
            return Ok(list);
        }
        loop {
            list.push(element(self)?);
            if !self.eat(TokenKind::Comma) {
                return Ok(list);
            }
        }
    }

    /// `[name] "constraint" (value)`; the name matters only inside the template.
    fn asm_operand(&mut self) -> Parsed<AsmOperand> {
        if self.eat(TokenKind::BracketOpen) {
            self.expect_name("operand name")?;
            self.expect(TokenKind::BracketClose, "]", "after operand name")?;
        }
        let constraint = self.expect_string("operand constraint")?;
        self.expect(TokenKind::ParenOpen, "(", "after operand constraint")?;
        let value = self.expression()?;
        self.expect(TokenKind::ParenClose, ")", "after operand")?;
        Ok(AsmOperand { constraint, value })
    }
}

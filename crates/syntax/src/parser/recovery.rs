//! Error messages, and where to resume after one.
//!
//! A construct that is a list of things between braces (blocks, members, enumerators, initialisers)
//! resumes by itself, so that an error in it does not end the constructs around it. A missing `;`
//! at the end of a line is reported and then taken as given.

use super::{Parsed, Parser, Reported};
use crate::lexer::token::{Token, TokenKind};
use base::{Diagnostic, Diagnostics, Span, Symbol};

/// Longer tokens are cut in messages.
const LONGEST_QUOTE: usize = 40;

impl Parser<'_> {
    /// Reports `expected …, found …` at the current token.
    #[cold]
    pub(super) fn expected(&mut self, what: &str) -> Reported {
        let message = format!("expected {what}, found {}", self.describe(self.token));
        self.error(self.token.span(), message)
    }

    #[cold]
    pub(super) fn expected_with_note(&mut self, what: &str, place: Span, note: &str) -> Reported {
        let message = format!("expected {what}, found {}", self.describe(self.token));
        self.report(Diagnostic::error(self.token.span(), message).with_note(place, note))
    }

    #[cold]
    pub(super) fn error(&mut self, span: Span, message: impl Into<String>) -> Reported {
        self.report(Diagnostic::error(span, message))
    }

    /// Reports an error, unless there has been one at the same token.
    fn report(&mut self, error: Diagnostic) -> Reported {
        if self.last_error == Some(self.token.start) || self.follows_lexical_error() {
            return Reported;
        }
        self.last_error = Some(self.token.start);
        let span = error.span;
        self.lexer.diagnostics.push(error);
        if self.lexer.diagnostics.too_many() {
            let message = format!("stopped after {} errors", Diagnostics::MOST_ERRORS);
            self.lexer.diagnostics.warning(span, message);
            self.stop();
        }
        Reported
    }

    /// Reports a name that should be a type, and takes it for one from now on.
    #[cold]
    pub(super) fn unknown_type(&mut self, name: Symbol, span: Span) -> Reported {
        let text = self.lexer.interner.resolve(name);
        let mut error = Diagnostic::error(span, format!("unknown type name '{text}'"));
        if let Some(header) = header_of(text) {
            error = error.with_note(Span::NONE, format!("'{text}' is declared in <{header}>"));
        }
        self.scopes.assume_type(name);
        self.report(error)
    }

    /// Whether the lexer has complained about the text just before the current token.
    fn follows_lexical_error(&self) -> bool {
        self.lexer.error_end.is_some_and(|end| (self.previous_end..=self.token.start).contains(&end))
    }

    /// Reports an error after which the rest of the text is not read.
    #[cold]
    pub(super) fn give_up(&mut self, message: String) -> Reported {
        self.error(self.token.span(), message);
        self.stop();
        Reported
    }

    /// Nothing but the end of the text from here on, and no further errors.
    fn stop(&mut self) {
        self.lexer.stop();
        let end = self.lexer.next_token();
        self.token = end;
        self.next = end;
        self.last_error = Some(end.start);
    }

    fn describe(&self, token: Token) -> String {
        if token.kind == TokenKind::End {
            return "end of file".into();
        }
        let text = self.lexer.text(token.span());
        let text = String::from_utf8_lossy(&text);
        let what = if self.is_typedef_name(token) { "type name " } else { "" };
        match text.char_indices().nth(LONGEST_QUOTE) {
            Some((cut, _)) => format!("{what}'{}…'", &text[..cut]),
            None => format!("{what}'{text}'"),
        }
    }

    /// Consumes the `;` after something. A missing one is reported at the end of the line it should
    /// stand on, and parsing goes on as if it were there, unless more follows on the same line.
    #[inline]
    pub(super) fn expect_semicolon(&mut self, after: &str) -> Parsed<()> {
        if self.eat(TokenKind::Semicolon) { Ok(()) } else { self.missing_semicolon(after) }
    }

    #[cold]
    fn missing_semicolon(&mut self, after: &str) -> Parsed<()> {
        let message = format!("expected ';' after {after}, found {}", self.describe(self.token));
        let place = Span::new(self.previous_end, self.previous_end);
        let reported = self.error(place, message);
        let between = Span::new(self.previous_end, self.token.start.max(self.previous_end));
        let next_line = self.lexer.raw_text(between).contains(&b'\n');
        if next_line || self.at(TokenKind::BraceClose) { Ok(()) } else { Err(reported) }
    }

    /// Skips the rest of a statement or declaration: up to and including a `;` or a braced group, but
    /// not beyond the `}` that closes the block around it.
    pub(super) fn skip_statement(&mut self) {
        loop {
            match self.token.kind {
                TokenKind::End | TokenKind::BraceClose => return,
                TokenKind::Semicolon => return self.advance(),
                TokenKind::BraceOpen => {
                    self.skip_group(TokenKind::BraceOpen, TokenKind::BraceClose);
                    // `{ … };` and `{ … }, b` belong together.
                    if !matches!(self.token.kind, TokenKind::Semicolon | TokenKind::Comma) {
                        return;
                    }
                }
                TokenKind::ParenOpen => self.skip_group(TokenKind::ParenOpen, TokenKind::ParenClose),
                _ => self.advance(),
            }
        }
    }

    /// Skips a bracketed group that starts here, and stops early at a brace that closes none of it.
    pub(super) fn skip_group(&mut self, open: TokenKind, close: TokenKind) {
        let mut level = 0usize;
        loop {
            let kind = self.token.kind;
            if kind == TokenKind::End || (kind == TokenKind::BraceClose && close != kind) {
                return;
            }
            if open == TokenKind::ParenOpen && matches!(kind, TokenKind::BraceOpen) {
                self.skip_group(TokenKind::BraceOpen, TokenKind::BraceClose);
                continue;
            }
            self.advance();
            if kind == open {
                level += 1;
            } else if kind == close {
                level -= 1;
                if level == 0 {
                    return;
                }
            }
        }
    }

    /// Skips to the end of a parenthesised group that has been entered, its `)` included.
    pub(super) fn skip_to_paren_close(&mut self) {
        loop {
            match self.token.kind {
                TokenKind::End | TokenKind::BraceOpen | TokenKind::BraceClose => return,
                TokenKind::ParenClose => return self.advance(),
                TokenKind::ParenOpen => self.skip_group(TokenKind::ParenOpen, TokenKind::ParenClose),
                _ => self.advance(),
            }
        }
    }

    /// Skips to the end of a braced list that has been entered, its `}` included.
    pub(super) fn skip_to_brace_close(&mut self) {
        loop {
            match self.token.kind {
                TokenKind::End => return,
                TokenKind::BraceClose => return self.advance(),
                TokenKind::BraceOpen => self.skip_group(TokenKind::BraceOpen, TokenKind::BraceClose),
                _ => self.advance(),
            }
        }
    }
}

/// The standard header that declares a type which people use without including it.
fn header_of(name: &str) -> Option<&'static str> {
    Some(match name {
        "bool" => "stdbool.h",
        "size_t" | "ptrdiff_t" | "wchar_t" => "stddef.h",
        "int8_t" | "int16_t" | "int32_t" | "int64_t" | "intptr_t" | "intmax_t" => "stdint.h",
        "uint8_t" | "uint16_t" | "uint32_t" | "uint64_t" | "uintptr_t" | "uintmax_t" => "stdint.h",
        "va_list" => "stdarg.h",
        "FILE" => "stdio.h",
        "ssize_t" | "off_t" | "pid_t" => "sys/types.h",
        "pthread_t" | "pthread_mutex_t" => "pthread.h",
        _ => return None,
    })
}

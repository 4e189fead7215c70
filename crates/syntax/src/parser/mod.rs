//! Recursive descent, one function per construct, one token of look-ahead behind the current one.
//!
//! Every construct that can contain itself passes through [`Parser::nested`], so the depth of the
//! recursion is bounded by [`NESTING_LIMIT`]. Constructs that real code repeats very often without
//! meaning to nest them (operators in a row, `else if`, stacked labels) are parsed by loops.
//!
//! An error is reported where it is found and travels up as [`Reported`] to the nearest construct
//! that can resume behind it (see [`recovery`]).

mod assembly;
mod attributes;
mod builtins;
mod declarations;
mod declarators;
mod expressions;
mod initializers;
mod literals;
mod operators;
mod parameters;
mod recovery;
mod scopes;
mod specifiers;
mod statements;
mod tags;

use crate::ast::{Ast, Expr, ExprId, ExprKind, Stmt, StmtId, StmtKind};
use crate::lexer::Lexer;
use crate::lexer::token::{Token, TokenKind};
use base::{Diagnostics, FileId, Interner, SourceMap, Span, Symbol};
use scopes::Scopes;

/// How deep parentheses, blocks, declarators, initialisers, … may nest in each other.
///
/// Measured over all constructs that nest: a level takes at most 1.2 KiB of stack in a release build
/// and 1.8 KiB in the `dev` profile, so that an ordinary thread with 8 MiB is enough.
pub const NESTING_LIMIT: u32 = 2_000;

/// How many operators, `else if` or labels may follow each other in one construct.
pub const CHAIN_LIMIT: usize = 1_000_000;

/// Parses a file of the source map. The tree is complete only if there are no errors.
///
/// Line markers in the text are recorded in `sources`.
pub fn parse(sources: &mut SourceMap, file: FileId, interner: &mut Interner) -> (Ast, Diagnostics) {
    let text = sources.text(file);
    let mut parser = Parser::new(Lexer::new(&text, file, sources, interner));
    parser.translation_unit();
    (parser.ast, parser.lexer.diagnostics)
}

/// How many tokens a file has: the lexer alone, for measuring it.
#[doc(hidden)]
pub fn count_tokens(sources: &mut SourceMap, file: FileId, interner: &mut Interner) -> usize {
    let text = sources.text(file);
    let mut lexer = Lexer::new(&text, file, sources, interner);
    std::iter::repeat_with(|| lexer.next_token()).take_while(|token| token.kind != TokenKind::End).count()
}

/// The error has been reported already; what remains is to resume behind it.
#[derive(Clone, Copy, Debug)]
struct Reported;

type Parsed<T> = Result<T, Reported>;

struct Parser<'a> {
    lexer: Lexer<'a>,
    /// The current token and the one after it.
    token: Token,
    next: Token,
    /// Where the token before the current one ended.
    previous_end: u32,
    ast: Ast,
    scopes: Scopes,
    depth: u32,
    /// Where the last error was reported: another one there would be a consequence of it.
    last_error: Option<u32>,
}

impl<'a> Parser<'a> {
    fn new(mut lexer: Lexer<'a>) -> Self {
        let ast = Ast::with_room_for(lexer.text_length());
        let token = lexer.next_token();
        let next = lexer.next_token();
        Self {
            lexer,
            token,
            next,
            previous_end: token.start,
            ast,
            scopes: Scopes::default(),
            depth: 0,
            last_error: None,
        }
    }

    #[inline]
    fn advance(&mut self) {
        self.previous_end = self.token.end;
        self.token = self.next;
        self.next = self.lexer.next_token();
    }

    #[inline]
    fn at(&self, kind: TokenKind) -> bool {
        self.token.kind == kind
    }

    /// Consumes the current token if it is of this kind.
    #[inline]
    fn eat(&mut self, kind: TokenKind) -> bool {
        let found = self.at(kind);
        if found {
            self.advance();
        }
        found
    }

    /// Consumes a token that must be there; `context` is the `after …` or `in …` of the message.
    #[inline]
    fn expect(&mut self, kind: TokenKind, text: &str, context: &str) -> Parsed<()> {
        if self.eat(kind) { Ok(()) } else { Err(self.expected(&format!("'{text}' {context}"))) }
    }

    fn expect_name(&mut self, context: &str) -> Parsed<(Symbol, Span)> {
        if !self.at(TokenKind::Identifier) {
            return Err(self.expected(context));
        }
        let token = self.token;
        self.advance();
        Ok((token.symbol, token.span()))
    }

    /// From `start` to the end of the last token that was consumed.
    #[inline]
    fn span_from(&self, start: u32) -> Span {
        Span::new(start, self.previous_end.max(start))
    }

    #[inline]
    fn expr(&mut self, start: u32, kind: ExprKind) -> ExprId {
        let span = self.span_from(start);
        self.ast.exprs.push(Expr { kind, span })
    }

    #[inline]
    fn stmt(&mut self, start: u32, kind: StmtKind) -> StmtId {
        let span = self.span_from(start);
        self.ast.stmts.push(Stmt { kind, span })
    }

    /// Runs a part of the parser one level deeper.
    #[inline]
    fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        self.deepen()?;
        let result = parse(self);
        self.depth -= 1;
        result
    }

    /// One level deeper; whoever calls this sets the depth back.
    #[inline]
    fn deepen(&mut self) -> Parsed<()> {
        if self.depth >= NESTING_LIMIT {
            return Err(self.give_up(format!("nested too deeply (more than {NESTING_LIMIT} levels)")));
        }
        self.depth += 1;
        Ok(())
    }

    #[inline]
    fn check_chain(&mut self, length: usize) -> Parsed<()> {
        if length < CHAIN_LIMIT {
            return Ok(());
        }
        Err(self.give_up(format!("too many in a row (more than {CHAIN_LIMIT})")))
    }

    /// Runs a part of the parser in a scope of its own.
    #[inline]
    fn scoped<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        let mark = self.scopes.enter();
        let result = parse(self);
        self.scopes.leave(mark);
        result
    }

    /// Whether the token is a name that stands for a type here.
    #[inline]
    fn is_typedef_name(&self, token: Token) -> bool {
        token.kind == TokenKind::Identifier && self.scopes.is_type(token.symbol)
    }

    #[inline]
    fn starts_type(&self, token: Token) -> bool {
        token.kind.starts_type() || self.is_typedef_name(token)
    }
}

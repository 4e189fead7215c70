//! A syntax tree as compact S-expressions, for tests and for looking at what the parser understood.
//!
//! Types read from the name outwards: `int *a[3]` is `(a [3] * int)`. The dump is recursive: it is
//! not meant for chains of many thousand operators.

mod expressions;
mod statements;
mod types;

use crate::ast::{Ast, Item, StaticAssert, StringId, Units};
use base::{Interner, SourceMap, Symbol};
use std::fmt::Write;

/// The whole tree, one item per line.
pub fn dump(ast: &Ast, interner: &Interner, sources: &SourceMap) -> String {
    let mut dumper = Dumper { ast, interner, sources, out: String::new() };
    for &item in &ast.items {
        dumper.item(item);
        dumper.out.push('\n');
    }
    dumper.out
}

struct Dumper<'a> {
    ast: &'a Ast,
    interner: &'a Interner,
    sources: &'a SourceMap,
    out: String,
}

impl Dumper<'_> {
    fn text(&mut self, text: &str) {
        self.out.push_str(text);
    }

    fn symbol(&mut self, symbol: Symbol) {
        self.out.push_str(self.interner.resolve(symbol));
    }

    /// `(head …)`
    fn node(&mut self, head: &str, children: impl FnOnce(&mut Self)) {
        self.out.push('(');
        self.out.push_str(head);
        children(self);
        self.out.push(')');
    }

    fn space(&mut self) -> &mut Self {
        self.out.push(' ');
        self
    }

    fn string(&mut self, string: StringId) {
        let literal = &self.ast.strings[string];
        let quoted = match &literal.units {
            Units::Bytes(bytes) => format!("\"{}\"", bytes.escape_ascii()),
            Units::Wide(units) => format!("{:?}{units:x?}", literal.kind),
        };
        self.text(&quoted);
    }

    fn number(&mut self, number: impl std::fmt::Display) {
        // Writing to a string cannot fail.
        let _ = write!(self.out, "{number}");
    }

    fn item(&mut self, item: Item) {
        match item {
            Item::Declaration(declaration) => self.declaration(declaration),
            Item::Function(function) => self.function(function),
            Item::StaticAssert(assertion) => self.static_assert(&assertion),
            Item::Asm(asm) => self.asm(asm),
        }
    }

    fn static_assert(&mut self, assertion: &StaticAssert) {
        self.node("static-assert", |d| {
            d.space().expr(assertion.condition);
            if let Some(message) = assertion.message {
                d.space().string(message);
            }
        });
    }
}

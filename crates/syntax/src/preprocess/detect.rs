//! Has this text been preprocessed?
//!
//! It has if no directive is left in it but line markers and pragmas. Macros that are used without
//! their header do not count: `assert(x)` is a call like any other.

use crate::lexer::cursor::BYTE_ORDER_MARK;
use crate::lexer::markers::{Directive, read_directive};

/// Whether a directive such as `#include` or `#define` stands at the start of a line, outside of
/// comments and strings.
pub fn needs_preprocessing(text: &[u8]) -> bool {
    may_have_directive(text) && has_directive(text)
}

/// A look at nothing but the characters that directives start with, which settles the matter for most
/// text that has been preprocessed. May be wrong when it says yes.
fn may_have_directive(text: &[u8]) -> bool {
    const BLOCK: usize = 64;
    let is_start = |byte: u8| byte == b'#' || byte == b'%';
    text.chunks(BLOCK).enumerate().any(|(number, block)| {
        // Without a branch for each byte, so that many are compared at once.
        let any = block.iter().fold(false, |any, &byte| any | is_start(byte));
        any && (0..block.len())
            .any(|index| is_start(block[index]) && may_start_directive(text, number * BLOCK + index))
    })
}

fn may_start_directive(text: &[u8], at: usize) -> bool {
    let (before, rest) = text.split_at(at);
    if rest[0] == b'%' {
        return rest.get(1) == Some(&b':');
    }
    let previous = before.iter().rev().find(|byte| !matches!(byte, b' ' | b'\t' | b'\r' | 0x0b | 0x0c));
    // A comment may stand before it.
    let is_first = matches!(previous, None | Some(b'\n' | b'/')) || before == BYTE_ORDER_MARK;
    is_first && is_unprocessed(line(&rest[1..]))
}

fn line(text: &[u8]) -> &[u8] {
    text.split(|&byte| byte == b'\n').next().unwrap_or_default()
}

/// What comes after the `#`.
fn is_unprocessed(line: &[u8]) -> bool {
    matches!(read_directive(line), Directive::Unprocessed)
}

fn has_directive(text: &[u8]) -> bool {
    let text = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
    let mut scanner = Scanner { text, at: 0, line_start: true };
    while let Some(&byte) = scanner.text.get(scanner.at) {
        match byte {
            b'\n' => {
                scanner.line_start = true;
                scanner.at += 1;
            }
            b' ' | b'\t' | b'\r' | 0x0b | 0x0c => scanner.at += 1,
            b'#' if scanner.line_start => {
                let line = line(&scanner.text[scanner.at + 1..]);
                if is_unprocessed(line) {
                    return true;
                }
                scanner.at += 1 + line.len();
            }
            b'/' => scanner.slash(),
            b'"' | b'\'' => scanner.quoted(byte),
            // A digraph for `#`.
            b'%' if scanner.line_start && scanner.byte(1) == b':' => return true,
            _ => {
                scanner.line_start = false;
                scanner.at += 1;
            }
        }
    }
    false
}

struct Scanner<'a> {
    text: &'a [u8],
    at: usize,
    /// Whether only blanks and comments have come since the start of the line.
    line_start: bool,
}

impl Scanner<'_> {
    fn byte(&self, ahead: usize) -> u8 {
        self.text.get(self.at + ahead).copied().unwrap_or(0)
    }

    /// A comment, or a division.
    fn slash(&mut self) {
        match self.byte(1) {
            b'/' => self.skip_to(b"\n", 0),
            b'*' => {
                self.at += 2;
                self.skip_to(b"*/", 2);
            }
            _ => {
                self.line_start = false;
                self.at += 1;
            }
        }
    }

    /// Moves to the next occurrence of `end` and `beyond` bytes further, or to the end of the text.
    fn skip_to(&mut self, end: &[u8], beyond: usize) {
        let rest = self.text.get(self.at..).unwrap_or_default();
        self.at = match rest.windows(end.len()).position(|window| window == end) {
            Some(distance) => self.at + distance + beyond,
            None => self.text.len(),
        };
    }

    /// A string or character constant; it ends with its line at the latest.
    fn quoted(&mut self, quote: u8) {
        self.line_start = false;
        self.at += 1;
        while let Some(&byte) = self.text.get(self.at) {
            if byte == b'\n' {
                return;
            }
            self.at += if byte == b'\\' { 2 } else { 1 };
            if byte == quote {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directives_call_for_a_preprocessor() {
        for text in [
            "#include <stdio.h>",
            "int x;\n  #  define A 1\n",
            "/* a */ #if 1",
            "\"a\" //\n#endif",
            "#error",
            "#undef X",
            "\u{feff}#include <stdio.h>",
            "%:define A",
            "#line 1 \"scanner.l\"\n#include <stdio.h>",
        ] {
            assert!(needs_preprocessing(text.as_bytes()), "{text}");
        }
    }

    #[test]
    fn markers_pragmas_comments_and_strings_do_not() {
        for text in [
            "",
            "# 1 \"a.c\" 2\nint x;",
            "#line 7",
            "#pragma once\n#ident \"x\"\n#\n",
            "/*\n#include <stdio.h>\n*/",
            "// \\\\n#include",
            "char *s = \"\\\n#define\";",
            "assert(x);",
            "\u{feff}#pragma once",
            "int a = '\\'' /* ' */; /* \"\n#if */",
        ] {
            assert!(!needs_preprocessing(text.as_bytes()), "{text}");
        }
    }
}

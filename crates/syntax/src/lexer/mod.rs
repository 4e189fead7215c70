//! C text to tokens, on demand and in one pass over the bytes.
//!
//! Comments, line splices, pragmas and line markers end here; the parser never sees them. The
//! lexer only finds where numbers and strings end: their values are read when they are used
//! ([`numbers`], [`strings`]).

pub(crate) mod cursor;
mod keywords;
pub(crate) mod markers;
pub(crate) mod numbers;
mod pragmas;
mod punctuators;
pub(crate) mod strings;
pub(crate) mod token;

use base::{Diagnostics, FileId, Interner, SourceMap, Span, Symbol};
use cursor::{BYTE_ORDER_MARK, Cursor, splice_length, universal_character, without_splices};
use keywords::KeywordTable;
use pragmas::Packing;
use std::borrow::Cow;
use token::{Token, TokenKind};

pub(crate) struct Lexer<'a> {
    cursor: Cursor<'a>,
    file: FileId,
    /// What to add to a position in the text to get an offset of the [`SourceMap`].
    base: u32,
    keywords: KeywordTable,
    packing: Packing,
    /// The file that the last line marker named.
    marker_file: String,
    /// Where the text of the last error that the lexer found ended.
    pub error_end: Option<u32>,
    pub sources: &'a mut SourceMap,
    pub interner: &'a mut Interner,
    pub diagnostics: Diagnostics,
}

/// Bytes that identifiers consist of; all bytes of non-ASCII characters count.
const IS_WORD: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = matches!(byte as u8, b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'$' | 0x80..);
        byte += 1;
    }
    table
};

impl<'a> Lexer<'a> {
    pub fn new(text: &'a [u8], file: FileId, sources: &'a mut SourceMap, interner: &'a mut Interner) -> Self {
        let at = if text.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
        Self {
            cursor: Cursor { text, at },
            file,
            base: sources.start(file),
            keywords: KeywordTable::new(interner),
            packing: Packing::default(),
            marker_file: sources.name(file).to_owned(),
            error_end: None,
            sources,
            interner,
            diagnostics: Diagnostics::default(),
        }
    }

    #[inline]
    pub fn next_token(&mut self) -> Token {
        loop {
            self.cursor.skip_blanks();
            let start = self.cursor.at;
            let Some(&byte) = self.cursor.text.get(start) else {
                return self.token(TokenKind::End, start);
            };
            match byte {
                b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'$' | 0x80.. => {
                    let token = self.word();
                    if token.kind != TokenKind::PragmaOperator {
                        return token;
                    }
                    self.pragma_operator(start);
                }
                b'0'..=b'9' => return self.number(),
                b'.' if self.cursor.peek(1).is_ascii_digit() => return self.number(),
                b'"' | b'\'' => return self.quoted(start),
                b'/' if matches!(self.cursor.peek(1), b'/' | b'*') => self.comment(self.cursor.peek(1)),
                b'#' if self.cursor.is_first_on_line() => self.directive(),
                _ => {
                    if let Some(token) = self.punctuator_or_other(start, byte) {
                        return token;
                    }
                }
            }
        }
    }

    /// The text that a token or span covers, without line splices.
    pub fn text(&self, span: Span) -> Cow<'a, [u8]> {
        without_splices(self.raw_text(span))
    }

    pub fn raw_text(&self, span: Span) -> &'a [u8] {
        &self.cursor.text[(span.start - self.base) as usize..(span.end - self.base) as usize]
    }

    /// Nothing but [`TokenKind::End`] from now on.
    pub fn stop(&mut self) {
        self.cursor.at = self.cursor.text.len();
    }

    #[inline]
    fn offset(&self, position: usize) -> u32 {
        // The source map takes no text whose offsets do not fit.
        self.base + position as u32
    }

    #[inline]
    fn token(&self, kind: TokenKind, start: usize) -> Token {
        Token { kind, start: self.offset(start), end: self.offset(self.cursor.at), symbol: Symbol(0) }
    }

    fn error_from(&mut self, start: usize, message: impl Into<String>) {
        let span = Span::new(self.offset(start), self.offset(self.cursor.at));
        self.error_end = Some(span.end);
        self.diagnostics.error(span, message);
        if self.diagnostics.too_many() {
            self.stop();
        }
    }

    /// An identifier or keyword, or a string or character with a prefix.
    #[inline]
    fn word(&mut self) -> Token {
        let start = self.cursor.at;
        let rest = &self.cursor.text[start..];
        let length = rest.iter().position(|&b| !IS_WORD[b as usize]).unwrap_or(rest.len());
        self.cursor.at += length;
        match self.cursor.peek(0) {
            b'"' | b'\'' if matches!(&rest[..length], b"L" | b"u" | b"U" | b"u8") => {
                return self.quoted(start);
            }
            b'\\' => return self.unusual_word(start),
            _ => {}
        }
        let Some(symbol) = self.intern(&rest[..length]) else { return self.unusual_word(start) };
        Token { symbol, ..self.token(self.keywords.kind(symbol), start) }
    }

    /// `None` if the name is not UTF-8, which need not be asked for one that has been seen before.
    #[inline]
    fn intern(&mut self, name: &[u8]) -> Option<Symbol> {
        let known = self.interner.lookup_bytes(name);
        known.or_else(|| std::str::from_utf8(name).ok().map(|name| self.interner.intern(name)))
    }

    /// A word with splices, universal character names or invalid UTF-8 in it.
    #[cold]
    fn unusual_word(&mut self, start: usize) -> Token {
        let mut name = Vec::new();
        self.cursor.at = start;
        loop {
            let text = self.cursor.text;
            let at = self.cursor.at;
            if IS_WORD[self.cursor.peek(0) as usize] {
                name.push(text[at]);
                self.cursor.at += 1;
            } else if let Some(length) = splice_length(text, at) {
                self.cursor.at += length;
            } else if let Some((character, length)) = self.universal_name(at) {
                name.extend(character.encode_utf8(&mut [0; 4]).bytes());
                self.cursor.at += length;
            } else {
                break;
            }
        }
        if std::str::from_utf8(&name).is_err() {
            self.error_from(start, "this name is not valid UTF-8");
        }
        let symbol = self.interner.intern(&String::from_utf8_lossy(&name));
        Token { symbol, ..self.token(self.keywords.kind(symbol), start) }
    }

    fn universal_name(&self, at: usize) -> Option<(char, usize)> {
        let rest = self.cursor.text.get(at..)?.strip_prefix(b"\\")?;
        let (value, length) = universal_character(rest)?;
        Some((char::from_u32(value)?, length + 1))
    }

    /// Finds the end of a number: a "preprocessing number" of the standard, except that `e` starts
    /// no exponent in a hexadecimal one, so that `0xe+1` is a sum.
    #[inline]
    fn number(&mut self) -> Token {
        let start = self.cursor.at;
        let hexadecimal = self.cursor.peek(0) == b'0' && matches!(self.cursor.peek(1), b'x' | b'X');
        loop {
            match self.cursor.peek(0) {
                b'e' | b'E' if !hexadecimal => self.exponent(),
                b'p' | b'P' if hexadecimal => self.exponent(),
                b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'.' => self.cursor.at += 1,
                b'\\' => match splice_length(self.cursor.text, self.cursor.at) {
                    Some(length) => self.cursor.at += length,
                    None => break,
                },
                _ => break,
            }
        }
        self.token(TokenKind::Number, start)
    }

    fn exponent(&mut self) {
        self.cursor.at += if matches!(self.cursor.peek(1), b'+' | b'-') { 2 } else { 1 };
    }

    /// A string or character constant that starts at `start`, its quote being at the cursor.
    #[inline]
    fn quoted(&mut self, start: usize) -> Token {
        let quote = self.cursor.peek(0);
        let kind = if quote == b'"' { TokenKind::String } else { TokenKind::Char };
        self.cursor.at += 1;
        loop {
            match self.cursor.peek(0) {
                byte if byte == quote => {
                    self.cursor.at += 1;
                    return self.token(kind, start);
                }
                b'\\' => {
                    let splice = splice_length(self.cursor.text, self.cursor.at);
                    self.cursor.at = (self.cursor.at + splice.unwrap_or(2)).min(self.cursor.text.len());
                }
                b'\n' => break,
                0 if self.cursor.is_at_end() => break,
                _ => self.cursor.at += 1,
            }
        }
        self.error_from(start, format!("missing {} at the end of this constant", quote as char));
        // Parses as an empty constant, without a second error.
        self.token(kind, start)
    }

    fn comment(&mut self, style: u8) {
        let start = self.cursor.at;
        self.cursor.at += 2;
        if style == b'/' {
            self.cursor.find(b'\n');
            while self.cursor.text[..self.cursor.at].ends_with(b"\\") && !self.cursor.is_at_end() {
                self.cursor.at += 1;
                self.cursor.find(b'\n');
            }
            return;
        }
        loop {
            self.cursor.find(b'*');
            if self.cursor.is_at_end() {
                self.cursor.at = start + 2;
                self.error_from(start, "this comment does not end");
                self.stop();
                return;
            }
            self.cursor.at += 1;
            let splice = splice_length(self.cursor.text, self.cursor.at).unwrap_or(0);
            if self.cursor.peek(splice) == b'/' {
                self.cursor.at += splice + 1;
                return;
            }
        }
    }

    #[inline]
    fn punctuator_or_other(&mut self, start: usize, byte: u8) -> Option<Token> {
        let bytes = [byte, self.cursor.peek(1), self.cursor.peek(2)];
        if !bytes.contains(&b'\\')
            && let Some((kind, length)) = punctuators::punctuator(bytes)
        {
            self.cursor.at += length;
            return Some(self.token(kind, start));
        }
        self.unusual(start)
    }

    /// What is left: splices, names that start with `\u`, and bytes that have no place in C.
    #[cold]
    fn unusual(&mut self, start: usize) -> Option<Token> {
        if let Some(length) = splice_length(self.cursor.text, start) {
            self.cursor.at += length;
            return None;
        }
        if self.universal_name(start).is_some() {
            return Some(self.unusual_word(start));
        }
        if let Some(token) = self.spliced_punctuator(start) {
            return token;
        }
        let byte = self.cursor.peek(0);
        self.cursor.at += 1;
        match byte {
            0 => {
                self.error_from(start, "zero byte in the text: this is not a C source file");
                self.stop();
            }
            b' '..=b'~' => self.error_from(start, format!("unexpected character '{}'", byte as char)),
            _ => self.error_from(start, format!("unexpected byte 0x{byte:02x}")),
        }
        None
    }

    /// A punctuator whose characters may have splices between them, or a comment that starts so.
    fn spliced_punctuator(&mut self, start: usize) -> Option<Option<Token>> {
        let mut bytes = [0; 3];
        let mut ends = [start; 3];
        let mut at = start;
        for (byte, end) in bytes.iter_mut().zip(&mut ends) {
            while let Some(length) = splice_length(self.cursor.text, at) {
                at += length;
            }
            *byte = self.cursor.text.get(at).copied().unwrap_or(0);
            at += 1;
            *end = at.min(self.cursor.text.len());
        }
        if bytes[0] == b'/' && matches!(bytes[1], b'/' | b'*') {
            self.cursor.at = ends[1] - 2;
            self.comment(bytes[1]);
            return Some(None);
        }
        let (kind, length) = punctuators::punctuator(bytes)?;
        self.cursor.at = ends[length - 1];
        Some(Some(self.token(kind, start)))
    }

    /// Skips `( … )` after `_Pragma`, and does what the strings in it say.
    #[cold]
    fn pragma_operator(&mut self, start: usize) {
        self.cursor.skip_blanks();
        if self.cursor.peek(0) != b'(' {
            return;
        }
        let mut open = 0usize;
        while !self.cursor.is_at_end() {
            match self.cursor.peek(0) {
                b'(' => open += 1,
                b')' => open -= 1,
                b'"' | b'\'' => {
                    let string = self.quoted(self.cursor.at);
                    let (_, body) = strings::split_prefix(self.raw_text(string.span()));
                    self.packing.pragma(&strings::decode_bytes(body));
                    continue;
                }
                _ => {}
            }
            self.cursor.at += 1;
            if open == 0 {
                return;
            }
        }
        self.error_from(start, "'_Pragma' without ')' at its end");
    }

    /// The largest alignment that `#pragma pack` allows members of a struct that ends here.
    pub fn packing(&self) -> Option<u32> {
        self.packing.current()
    }
}

//! Lines that start with `#`: line markers are recorded, pragmas are obeyed or skipped, the
//! rest is an error.

use super::Lexer;
use super::strings::decode_bytes;

/// What a `#` line says.
pub(crate) enum Directive<'a> {
    /// `# 12 "file.c" 1 3` or `#line 12 "file.c"`
    Marker { line: u32, file: Option<String> },
    /// `#pragma` and the text behind it.
    Pragma(&'a [u8]),
    /// `#ident`, a lone `#`
    Ignored,
    /// `#define`, `#include`, …: the text has not been preprocessed.
    Unprocessed,
}

/// Reads a directive; `line` is the text after the `#`, up to the end of the line.
pub(crate) fn read_directive(line: &[u8]) -> Directive<'_> {
    let rest = line.trim_ascii();
    let word_length = rest.iter().take_while(|b| b.is_ascii_alphanumeric() || **b == b'_').count();
    let (word, rest) = rest.split_at(word_length);
    match word {
        b"line" => read_marker(rest.trim_ascii_start()).unwrap_or(Directive::Unprocessed),
        b"pragma" => Directive::Pragma(rest),
        b"ident" | b"sccs" => Directive::Ignored,
        b"" if rest.is_empty() => Directive::Ignored,
        _ => read_marker(line.trim_ascii()).unwrap_or(Directive::Unprocessed),
    }
}

fn read_marker(text: &[u8]) -> Option<Directive<'_>> {
    let digits = text.iter().take_while(|b| b.is_ascii_digit()).count();
    let line = std::str::from_utf8(&text[..digits]).ok()?.parse().ok()?;
    let rest = text[digits..].trim_ascii_start();
    let Some(quoted) = rest.strip_prefix(b"\"") else {
        return Some(Directive::Marker { line, file: None });
    };
    let mut length = 0;
    while *quoted.get(length)? != b'"' {
        length += if quoted[length] == b'\\' { 2 } else { 1 };
    }
    let name = decode_bytes(&quoted[..length]);
    Some(Directive::Marker { line, file: Some(String::from_utf8_lossy(&name).into_owned()) })
}

impl Lexer<'_> {
    /// Handles the line whose `#` is at the cursor, and moves behind it.
    pub(super) fn directive(&mut self) {
        let start = self.cursor.at;
        self.cursor.find(b'\n');
        let line = &self.cursor.text[start + 1..self.cursor.at];
        match read_directive(line) {
            Directive::Marker { line, file } => self.record_marker(line, file),
            Directive::Pragma(text) => {
                self.packing.pragma(text);
                self.skip_continuation();
            }
            Directive::Ignored => self.skip_continuation(),
            Directive::Unprocessed => {
                self.cursor.at = start + 1 + line.trim_ascii_end().len();
                self.error_from(start, "this text has not been preprocessed: a directive is left in it");
                self.stop();
            }
        }
    }

    fn record_marker(&mut self, line: u32, file: Option<String>) {
        if let Some(file) = file {
            self.marker_file = file;
        }
        let next_line = (self.cursor.at + 1).min(self.cursor.text.len());
        self.sources.add_marker(self.file, next_line as u32, &self.marker_file, line);
    }

    /// A directive goes on behind a backslash at the end of its line.
    fn skip_continuation(&mut self) {
        while self.cursor.text[..self.cursor.at].trim_ascii_end().last() == Some(&b'\\')
            && !self.cursor.is_at_end()
        {
            self.cursor.at += 1;
            self.cursor.find(b'\n');
        }
    }
}

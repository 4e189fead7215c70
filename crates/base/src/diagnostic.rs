//! Messages about the user's input: what, where, and the source line with a caret under it.

use crate::{SourceMap, Span};
use std::fmt::Write;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Severity {
    Error,
    Warning,
}

/// One message with its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    pub severity: Severity,
    pub span: Span,
    pub message: String,
    /// Further places and hints, shown below the message.
    pub notes: Vec<(Span, String)>,
}

impl Diagnostic {
    pub fn error(span: Span, message: impl Into<String>) -> Self {
        Self { severity: Severity::Error, span, message: message.into(), notes: Vec::new() }
    }

    pub fn warning(span: Span, message: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, ..Self::error(span, message) }
    }

    #[must_use]
    pub fn with_note(mut self, span: Span, message: impl Into<String>) -> Self {
        self.notes.push((span, message.into()));
        self
    }

    /// The message as people read it: `file:line:column: error: …`, source line, caret.
    pub fn render(&self, sources: &SourceMap) -> String {
        let label = match self.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        let mut out = String::new();
        render_message(&mut out, sources, self.span, label, &self.message);
        for (span, note) in &self.notes {
            render_message(&mut out, sources, *span, "note", note);
        }
        out
    }
}

/// The longest source line that is still shown below a message.
const LONGEST_LINE: usize = 400;

fn render_message(out: &mut String, sources: &SourceMap, span: Span, label: &str, message: &str) {
    // Writing to a string cannot fail.
    let _ = match sources.position(span) {
        Some(position) => writeln!(out, "{position}: {label}: {message}"),
        None => writeln!(out, "{label}: {message}"),
    };
    let Some((line, columns)) = sources.line(span).filter(|(line, _)| line.len() <= LONGEST_LINE) else {
        return;
    };
    let _ = writeln!(out, "    {line}");
    let indent: String = line
        .bytes()
        .take(columns.start)
        .filter(|byte| byte & 0xC0 != 0x80)
        .map(|byte| if byte == b'\t' { '\t' } else { ' ' })
        .collect();
    let _ = writeln!(out, "    {indent}^{}", "~".repeat(columns.len().saturating_sub(1)));
}

/// Messages collected during a pass. Stops collecting errors after a sensible number.
#[derive(Default, Debug)]
pub struct Diagnostics {
    messages: Vec<Diagnostic>,
    errors: usize,
}

impl Diagnostics {
    /// More errors than this help nobody.
    pub const MOST_ERRORS: usize = 20;

    pub fn push(&mut self, diagnostic: Diagnostic) {
        if diagnostic.severity == Severity::Error {
            self.errors += 1;
            if self.errors > Self::MOST_ERRORS {
                return;
            }
        }
        self.messages.push(diagnostic);
    }

    pub fn error(&mut self, span: Span, message: impl Into<String>) {
        self.push(Diagnostic::error(span, message));
    }

    pub fn warning(&mut self, span: Span, message: impl Into<String>) {
        self.push(Diagnostic::warning(span, message));
    }

    pub fn error_count(&self) -> usize {
        self.errors
    }

    pub fn has_errors(&self) -> bool {
        self.errors > 0
    }

    pub fn too_many(&self) -> bool {
        self.errors >= Self::MOST_ERRORS
    }

    pub fn iter(&self) -> std::slice::Iter<'_, Diagnostic> {
        self.messages.iter()
    }

    pub fn append(&mut self, other: Diagnostics) {
        for message in other.messages {
            self.push(message);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_caret_stands_under_the_span() {
        let mut sources = SourceMap::default();
        sources.add("a.c", *b"int x\n\tint yy;\n").unwrap();
        let error = Diagnostic::error(Span::new(11, 13), "expected ';'");
        assert_eq!(error.render(&sources), "a.c:2:6: error: expected ';'\n    \tint yy;\n    \t    ^~\n");
    }

    #[test]
    fn a_message_without_a_place_has_no_source_line() {
        let warning = Diagnostic::warning(Span::NONE, "no main");
        assert_eq!(warning.render(&SourceMap::default()), "warning: no main\n");
    }
}

//! Source text and positions in it.
//!
//! All input files share one space of byte offsets, so that a [`Span`] is two integers and needs no
//! file. Line markers (`# 12 "file.c"`), which the lexer reports, say what file and line the text
//! came from before it was preprocessed; [`SourceMap::position`] answers in those terms.

use crate::define_id;
use std::sync::Arc;

define_id! {
    /// An input file of a [`SourceMap`].
    FileId
}

/// A stretch of source text, as offsets into the [`SourceMap`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct Span {
    pub start: u32,
    pub end: u32,
}

impl Span {
    /// For things that no text stands behind.
    pub const NONE: Span = Span { start: u32::MAX, end: u32::MAX };

    pub const fn new(start: u32, end: u32) -> Self {
        Self { start, end }
    }

    pub fn is_none(self) -> bool {
        self == Self::NONE
    }

    /// The smallest span that covers both.
    pub fn to(self, other: Span) -> Span {
        if self.is_none() {
            return other;
        }
        if other.is_none() {
            return self;
        }
        Span { start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

/// Where a span starts, for people: the original file, line and column (both from 1).
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Position {
    pub file: Arc<str>,
    pub line: u32,
    pub column: u32,
}

impl std::fmt::Display for Position {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

struct SourceFile {
    name: Arc<str>,
    text: Arc<Vec<u8>>,
    start: u32,
    line_starts: std::sync::OnceLock<Vec<u32>>,
    markers: Vec<LineMarker>,
}

/// From `offset` on, lines are those of `file`, counted from `line`.
struct LineMarker {
    /// Offset in the file of the first byte after the marker's own line.
    offset: u32,
    file: Arc<str>,
    line: u32,
}

/// The text of all input files and the way from offsets back to positions.
#[derive(Default)]
pub struct SourceMap {
    files: Vec<SourceFile>,
    end: u32,
}

/// The input is larger than offsets can name.
#[derive(Debug, PartialEq, Eq)]
pub struct TooLarge;

impl SourceMap {
    pub fn add(&mut self, name: &str, text: impl Into<Vec<u8>>) -> Result<FileId, TooLarge> {
        let text = Arc::new(text.into());
        let length = u32::try_from(text.len()).map_err(|_| TooLarge)?;
        let start = self.end;
        // One byte of distance, so that the end of one file is not the start of the next.
        self.end = start.checked_add(length).and_then(|e| e.checked_add(1)).ok_or(TooLarge)?;
        let line_starts = std::sync::OnceLock::new();
        self.files.push(SourceFile { name: name.into(), text, start, line_starts, markers: Vec::new() });
        Ok(FileId(self.files.len() as u32 - 1))
    }

    pub fn text(&self, file: FileId) -> Arc<Vec<u8>> {
        self.files[file.0 as usize].text.clone()
    }

    pub fn name(&self, file: FileId) -> &str {
        &self.files[file.0 as usize].name
    }

    /// What to add to an offset within the file to get the offset that spans use.
    pub fn start(&self, file: FileId) -> u32 {
        self.files[file.0 as usize].start
    }

    pub fn files(&self) -> impl Iterator<Item = FileId> + use<> {
        (0..self.files.len() as u32).map(FileId)
    }

    /// Records a line marker. `offset` is where, in `file`, the line after the marker starts.
    /// Markers must be recorded in the order of their offsets.
    pub fn add_marker(&mut self, file: FileId, offset: u32, name: &str, line: u32) {
        let own_name = self.files[file.0 as usize].name.clone();
        let markers = &mut self.files[file.0 as usize].markers;
        let name = match markers.iter().rev().take(8).find(|m| &*m.file == name) {
            Some(marker) => marker.file.clone(),
            None if *own_name == *name => own_name,
            None => name.into(),
        };
        markers.push(LineMarker { offset, file: name, line });
    }

    /// The original file, line and column of the start of a span; `None` for [`Span::NONE`].
    pub fn position(&self, span: Span) -> Option<Position> {
        let (file, offset) = self.locate(span.start)?;
        let (row, column) = file.row_and_column(offset);
        let index = file.markers.partition_point(|m| m.offset <= offset);
        let (name, line) = match index.checked_sub(1).map(|i| &file.markers[i]) {
            Some(marker) => {
                let marker_row = file.row_and_column(marker.offset).0;
                (marker.file.clone(), marker.line.saturating_add(row - marker_row))
            }
            None => (file.name.clone(), row + 1),
        };
        Some(Position { file: name, line, column: column + 1 })
    }

    /// The text of the physical line that a span starts in, and the span's byte columns in it.
    pub fn line(&self, span: Span) -> Option<(String, std::ops::Range<usize>)> {
        let (file, offset) = self.locate(span.start)?;
        let start = offset as usize - file.row_and_column(offset).1 as usize;
        let rest = &file.text[start..];
        let length = rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len());
        let from = offset as usize - start;
        let to = ((span.end.max(span.start) - file.start) as usize - start).clamp(from, length.max(from));
        Some((String::from_utf8_lossy(&rest[..length]).into_owned(), from..to))
    }

    /// The source text of a span.
    pub fn snippet(&self, span: Span) -> Option<String> {
        let (file, offset) = self.locate(span.start)?;
        let end = ((span.end - file.start) as usize).min(file.text.len());
        let bytes = file.text.get(offset as usize..end)?;
        Some(String::from_utf8_lossy(bytes).into_owned())
    }

    fn locate(&self, offset: u32) -> Option<(&SourceFile, u32)> {
        let index = self.files.partition_point(|f| f.start <= offset).checked_sub(1)?;
        let file = &self.files[index];
        let local = offset - file.start;
        (local as usize <= file.text.len()).then_some((file, local))
    }
}

impl SourceFile {
    /// Row and column from 0, the column in bytes.
    fn row_and_column(&self, offset: u32) -> (u32, u32) {
        let starts = self.line_starts.get_or_init(|| {
            let newlines = self.text.iter().enumerate().filter(|&(_, &b)| b == b'\n');
            std::iter::once(0).chain(newlines.map(|(i, _)| i as u32 + 1)).collect()
        });
        let row = starts.partition_point(|&start| start <= offset) - 1;
        (row as u32, offset - starts[row])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(map: &SourceMap, offset: u32) -> String {
        map.position(Span::new(offset, offset + 1)).unwrap().to_string()
    }

    #[test]
    fn positions_count_lines_and_columns_from_one() {
        let mut map = SourceMap::default();
        map.add("a.c", *b"x\nyz\n").unwrap();
        let second = map.add("b.c", *b"w").unwrap();
        assert_eq!(position(&map, 0), "a.c:1:1");
        assert_eq!(position(&map, 3), "a.c:2:2");
        assert_eq!(position(&map, map.start(second)), "b.c:1:1");
        assert_eq!(map.position(Span::NONE), None);
    }

    #[test]
    fn line_markers_rename_what_follows() {
        let mut map = SourceMap::default();
        let file = map.add("a.i", *b"# 7 \"orig.c\"\nint x;\nint y;\n").unwrap();
        map.add_marker(file, 13, "orig.c", 7);
        assert_eq!(position(&map, 13), "orig.c:7:1");
        assert_eq!(position(&map, 24), "orig.c:8:5");
    }

    #[test]
    fn lines_and_snippets() {
        let mut map = SourceMap::default();
        map.add("a.c", *b"one\ntwo three\n").unwrap();
        let span = Span::new(8, 13);
        assert_eq!(map.line(span), Some(("two three".into(), 4..9)));
        assert_eq!(map.snippet(span).as_deref(), Some("three"));
    }
}

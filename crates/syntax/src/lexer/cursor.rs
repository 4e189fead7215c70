//! Bytes of the source text, and the two things that hide in them: line splices (a backslash before
//! the end of a line, which joins it to the next) and universal character names (`\u00e9`).

use std::borrow::Cow;

/// What some editors put before UTF-8 text.
pub(crate) const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// A position in the text. Reading past the end yields zero bytes.
pub(super) struct Cursor<'a> {
    pub text: &'a [u8],
    pub at: usize,
}

impl<'a> Cursor<'a> {
    /// The byte `ahead` of the current one.
    #[inline]
    pub fn peek(&self, ahead: usize) -> u8 {
        self.text.get(self.at + ahead).copied().unwrap_or(0)
    }

    pub fn is_at_end(&self) -> bool {
        self.at >= self.text.len()
    }

    /// Moves on to the first byte that is not white space.
    #[inline]
    pub fn skip_blanks(&mut self) {
        let mut rest = &self.text[self.at.min(self.text.len())..];
        // Indentation, several blanks at once.
        while let Some((b"        ", after)) = rest.split_first_chunk() {
            rest = after;
            self.at += 8;
        }
        let blanks = rest.iter().position(|byte| !matches!(byte, b' ' | b'\t'..=b'\r'));
        self.at += blanks.unwrap_or(rest.len());
    }

    /// Moves on to the next occurrence of a byte, or to the end.
    pub fn find(&mut self, byte: u8) {
        self.at = match self.text[self.at..].iter().position(|&b| b == byte) {
            Some(distance) => self.at + distance,
            None => self.text.len(),
        };
    }

    /// Whether only blanks stand between the start of the line and the current byte.
    pub fn is_first_on_line(&self) -> bool {
        let before = &self.text[..self.at];
        let before = before.strip_prefix(BYTE_ORDER_MARK).unwrap_or(before).iter().rev();
        matches!(
            before.copied().find(|b| !matches!(b, b' ' | b'\t' | b'\r' | 0x0b | 0x0c)),
            None | Some(b'\n')
        )
    }
}

/// The length of the line splice that starts at `at`, if one does.
pub(super) fn splice_length(text: &[u8], at: usize) -> Option<usize> {
    let rest = text.get(at..)?;
    let [b'\\', rest @ ..] = rest else { return None };
    // Blanks between the backslash and the end of the line are tolerated, as gcc does.
    let blanks = rest.iter().take_while(|b| matches!(b, b' ' | b'\t' | b'\r')).count();
    (rest.get(blanks) == Some(&b'\n')).then_some(blanks + 2)
}

/// The text without its line splices.
pub(crate) fn without_splices(text: &[u8]) -> Cow<'_, [u8]> {
    if !text.contains(&b'\\') {
        return Cow::Borrowed(text);
    }
    let mut clean = Vec::with_capacity(text.len());
    let mut at = 0;
    while at < text.len() {
        match splice_length(text, at) {
            Some(length) => at += length,
            None => {
                clean.push(text[at]);
                at += 1;
            }
        }
    }
    Cow::Owned(clean)
}

/// Reads the digits of `\u` (four) or `\U` (eight) after the backslash: the character, and how many
/// bytes were read.
pub(crate) fn universal_character(text: &[u8]) -> Option<(u32, usize)> {
    let digits = match text.first()? {
        b'u' => 4,
        b'U' => 8,
        _ => return None,
    };
    let mut value = 0u32;
    for &byte in text.get(1..=digits)? {
        value = value << 4 | (byte as char).to_digit(16)?;
    }
    Some((value, digits + 1))
}

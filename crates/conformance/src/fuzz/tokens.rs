//! Cuts text into pieces that are more or less tokens of C. It need not be right about C, only keep
//! every byte, so that mutations work on units that the parser under test sees too.

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Word,
    Number,
    Quoted,
    Punctuation,
    Blank,
}

#[derive(Clone, Copy, Debug)]
pub struct Token<'a> {
    pub kind: Kind,
    pub bytes: &'a [u8],
}

/// The pieces; joined they are the text again.
pub fn tokens(text: &[u8]) -> Vec<Token<'_>> {
    let mut result = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.first() {
        let kind = kind(*first);
        let (bytes, after) = rest.split_at(length(kind, rest));
        result.push(Token { kind, bytes });
        rest = after;
    }
    result
}

fn kind(first: u8) -> Kind {
    match first {
        b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'$' => Kind::Word,
        b'0'..=b'9' => Kind::Number,
        b'"' | b'\'' => Kind::Quoted,
        b' ' | b'\t' | b'\n' | b'\r' => Kind::Blank,
        _ => Kind::Punctuation,
    }
}

fn length(kind: Kind, text: &[u8]) -> usize {
    let while_true = |holds: fn(u8) -> bool| text.iter().take_while(|byte| holds(**byte)).count();
    match kind {
        Kind::Word => while_true(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$')),
        Kind::Number => while_true(|byte| byte.is_ascii_alphanumeric() || byte == b'.'),
        Kind::Blank => while_true(|byte| byte.is_ascii_whitespace()).max(1),
        Kind::Quoted => quoted_length(text),
        Kind::Punctuation => 1,
    }
}

/// Up to the closing quote, or just the quote if there is none in the line.
fn quoted_length(text: &[u8]) -> usize {
    let mut index = 1;
    while let Some(byte) = text.get(index) {
        match *byte {
            b'\\' => index += 2,
            b'\n' => return 1,
            byte if byte == text[0] => return index + 1,
            _ => index += 1,
        }
    }
    1
}

pub fn join(tokens: &[Token]) -> Vec<u8> {
    tokens.iter().flat_map(|token| token.bytes).copied().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_every_byte() {
        let text = b"int $a=0x1fUL;\n\"open 'c' \\\" \"x\"\\\xff# 1.5e3'";
        assert_eq!(join(&tokens(text)), text);
        assert_eq!(tokens(b"a+ 'b'").iter().map(|token| token.kind).collect::<Vec<_>>().len(), 4);
    }
}

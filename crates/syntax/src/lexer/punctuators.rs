//! Operators and brackets, digraphs included.

use super::token::TokenKind::{self, *};

/// The longest punctuator that starts with these bytes, and its length.
#[inline]
pub(super) fn punctuator(bytes: [u8; 3]) -> Option<(TokenKind, usize)> {
    let [first, second, third] = bytes;
    let kind = match first {
        b'(' => ParenOpen,
        b')' => ParenClose,
        b'[' => BracketOpen,
        b']' => BracketClose,
        b'{' => BraceOpen,
        b'}' => BraceClose,
        b';' => Semicolon,
        b',' => Comma,
        b'?' => Question,
        b'~' => Tilde,
        b'#' => Hash,
        b'.' if second == b'.' && third == b'.' => return Some((Ellipsis, 3)),
        b'.' => Dot,
        b':' if second == b'>' => return Some((BracketClose, 2)),
        b':' => Colon,
        b'=' => return Some(select(second, [(b'=', EqualEqual)], Equal)),
        b'!' => return Some(select(second, [(b'=', BangEqual)], Bang)),
        b'*' => return Some(select(second, [(b'=', StarEqual)], Star)),
        b'/' => return Some(select(second, [(b'=', SlashEqual)], Slash)),
        b'^' => return Some(select(second, [(b'=', CaretEqual)], Caret)),
        b'+' => return Some(select(second, [(b'+', PlusPlus), (b'=', PlusEqual)], Plus)),
        b'-' => return Some(select(second, [(b'>', Arrow), (b'-', MinusMinus), (b'=', MinusEqual)], Minus)),
        b'&' => {
            return Some(select(second, [(b'&', AmpersandAmpersand), (b'=', AmpersandEqual)], Ampersand));
        }
        b'|' => return Some(select(second, [(b'|', PipePipe), (b'=', PipeEqual)], Pipe)),
        b'%' => {
            let choices = [(b'=', PercentEqual), (b'>', BraceClose), (b':', Hash)];
            return Some(select(second, choices, Percent));
        }
        b'<' if second == b'<' && third == b'=' => return Some((ShiftLeftEqual, 3)),
        b'<' => {
            let choices = [(b'=', LessEqual), (b'<', ShiftLeft), (b':', BracketOpen), (b'%', BraceOpen)];
            return Some(select(second, choices, Less));
        }
        b'>' if second == b'>' && third == b'=' => return Some((ShiftRightEqual, 3)),
        b'>' => return Some(select(second, [(b'=', GreaterEqual), (b'>', ShiftRight)], Greater)),
        _ => return None,
    };
    Some((kind, 1))
}

#[inline]
fn select<const N: usize>(second: u8, choices: [(u8, TokenKind); N], alone: TokenKind) -> (TokenKind, usize) {
    for (byte, kind) in choices {
        if byte == second {
            return (kind, 2);
        }
    }
    (alone, 1)
}

//! The binary and assignment operators of C and how tightly they bind.

use crate::ast::BinaryOp;
use crate::lexer::token::TokenKind;

/// The operator and its precedence, higher ones binding tighter.
#[inline]
pub(super) fn binary_operator(kind: TokenKind) -> Option<(BinaryOp, u8)> {
    Some(match kind {
        TokenKind::Star => (BinaryOp::Multiply, 10),
        TokenKind::Slash => (BinaryOp::Divide, 10),
        TokenKind::Percent => (BinaryOp::Remainder, 10),
        TokenKind::Plus => (BinaryOp::Add, 9),
        TokenKind::Minus => (BinaryOp::Subtract, 9),
        TokenKind::ShiftLeft => (BinaryOp::ShiftLeft, 8),
        TokenKind::ShiftRight => (BinaryOp::ShiftRight, 8),
        TokenKind::Less => (BinaryOp::Less, 7),
        TokenKind::Greater => (BinaryOp::Greater, 7),
        TokenKind::LessEqual => (BinaryOp::LessEqual, 7),
        TokenKind::GreaterEqual => (BinaryOp::GreaterEqual, 7),
        TokenKind::EqualEqual => (BinaryOp::Equal, 6),
        TokenKind::BangEqual => (BinaryOp::NotEqual, 6),
        TokenKind::Ampersand => (BinaryOp::BitAnd, 5),
        TokenKind::Caret => (BinaryOp::BitXor, 4),
        TokenKind::Pipe => (BinaryOp::BitOr, 3),
        TokenKind::AmpersandAmpersand => (BinaryOp::LogicalAnd, 2),
        TokenKind::PipePipe => (BinaryOp::LogicalOr, 1),
        _ => return None,
    })
}

/// The operator of a compound assignment, `None` inside for `=`.
#[inline]
pub(super) fn assignment_operator(kind: TokenKind) -> Option<Option<BinaryOp>> {
    Some(match kind {
        TokenKind::Equal => None,
        TokenKind::PlusEqual => Some(BinaryOp::Add),
        TokenKind::MinusEqual => Some(BinaryOp::Subtract),
        TokenKind::StarEqual => Some(BinaryOp::Multiply),
        TokenKind::SlashEqual => Some(BinaryOp::Divide),
        TokenKind::PercentEqual => Some(BinaryOp::Remainder),
        TokenKind::AmpersandEqual => Some(BinaryOp::BitAnd),
        TokenKind::PipeEqual => Some(BinaryOp::BitOr),
        TokenKind::CaretEqual => Some(BinaryOp::BitXor),
        TokenKind::ShiftLeftEqual => Some(BinaryOp::ShiftLeft),
        TokenKind::ShiftRightEqual => Some(BinaryOp::ShiftRight),
        _ => return None,
    })
}

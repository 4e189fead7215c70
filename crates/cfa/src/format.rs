//! Formats of `printf` and its like: printing writes to memory where there is `%n` in them.

use crate::library::Library;
use crate::program::*;

/// The position of the format among the arguments.
pub fn position(library: Library) -> Option<usize> {
    use Library::*;
    match library {
        Printf | Vprintf => Some(0),
        Fprintf | Vfprintf | Sprintf | Vsprintf => Some(1),
        Snprintf | Vsnprintf => Some(2),
        _ => None,
    }
}

/// Whether a call may write to where its argument of that index points because the format says so.
pub fn may_count(program: &Program, library: Library, arguments: &[ExprId], index: usize) -> bool {
    let Some(position) = position(library).filter(|&position| position < index) else { return false };
    let is_pointer = program.types.is_pointer(program.exprs[arguments[index]].ty);
    is_pointer && literal(program, arguments[position]).is_none_or(counts)
}

/// Whether a format has `%n` in it.
pub fn counts(format: &[u8]) -> bool {
    let mut rest = format.iter();
    while rest.any(|&byte| byte == b'%') {
        let is_modifier = |byte: &&u8| b"-+ #'0123456789.*$hlLqjzt".contains(byte);
        if rest.find(|byte| !is_modifier(byte)) == Some(&b'n') {
            return true;
        }
    }
    false
}

/// The text of a string literal.
fn literal(program: &Program, mut expr: ExprId) -> Option<&[u8]> {
    while let ExprKind::Cast(operand) = program.exprs[expr].kind {
        expr = operand;
    }
    match program.exprs[expr].kind {
        ExprKind::AddressOf(place) => match program.places[place].base {
            PlaceBase::String(string) => Some(&program.strings[string].bytes),
            _ => None,
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_conversions_count() {
        assert!(counts(b"abc%n"));
        assert!(counts(b"%d%%%5hhn"));
        assert!(!counts(b"100%%n"));
        assert!(!counts(b"%d n %s\n"));
        assert!(!counts(b"%"));
    }
}

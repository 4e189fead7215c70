//! Makes a failing input smaller: delta debugging (Zeller and Hildebrandt 2002, without the search in
//! subsets) first on lines, then on tokens.

use super::tokens::{join, tokens};

/// Runs of the tool that one minimisation may take.
const TRIALS: usize = 400;

/// The smallest text found that still fails.
pub fn minimised(text: &[u8], fails: impl Fn(&[u8]) -> bool) -> Vec<u8> {
    let mut trials = TRIALS;
    let lines: Vec<Vec<u8>> = text.split_inclusive(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect();
    let fewer_lines = reduced(lines, &fails, &mut trials).concat();
    let pieces: Vec<Vec<u8>> = tokens(&fewer_lines).iter().map(|token| join(&[*token])).collect();
    reduced(pieces, &fails, &mut trials).concat()
}

/// Leaves out chunks, from halves down to single pieces, as long as the rest still fails.
fn reduced(mut pieces: Vec<Vec<u8>>, fails: impl Fn(&[u8]) -> bool, trials: &mut usize) -> Vec<Vec<u8>> {
    let mut size = pieces.len().div_ceil(2);
    while size > 0 {
        let mut start = 0;
        while start < pieces.len() && *trials > 0 {
            *trials -= 1;
            let end = (start + size).min(pieces.len());
            let rest = [&pieces[..start], &pieces[end..]].concat();
            if fails(&rest.concat()) {
                pieces = rest;
            } else {
                start = end;
            }
        }
        size /= 2;
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_what_makes_it_fail() {
        let text = "int a;\nint b = 1 / 0 + 3;\nint c;\n".repeat(3);
        let small = minimised(text.as_bytes(), |text| text.windows(5).any(|window| window == b"1 / 0"));
        assert_eq!(small, b"1 / 0");
    }
}

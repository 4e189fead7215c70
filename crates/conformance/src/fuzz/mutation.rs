//! Mutations of existing C text: bytes, tokens, lines, nesting, numbers, truncation, splices of two
//! files. A mutated input has a few of them.

use super::tokens::{Kind, Token, join, tokens};
use crate::Random;

/// Numbers at and beyond the limits of what a front end can hold.
const EXTREME_NUMBERS: [&str; 26] = [
    "0",
    "1",
    "-1",
    "2147483647",
    "2147483648",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "0xffffffffffffffffffff",
    "99999999999999999999999999999999999999999999",
    "00000000000000000000000000000000000000000001",
    "08",
    "0x",
    "0b2",
    "1e308",
    "1e309",
    "1e-400",
    "1e999999999",
    "0x1p-1074",
    "0x1p9999999",
    "0x.p1",
    "1.5e",
    "1ulllu",
];

const FRAGMENTS: [&str; 30] = [
    "sizeof",
    "__attribute__((packed))",
    "__attribute__((aligned(1<<28)))",
    "__attribute__((",
    "struct",
    "union u {",
    "enum",
    "_Static_assert(",
    "_Generic(",
    "typeof(",
    "({",
    "})",
    "?:",
    "...",
    "->",
    "[0 ... 1000000000]",
    "[1u<<31]",
    ": 64",
    "goto *",
    "&&label",
    "case 0 ... 2147483647:",
    "default:",
    "__int128",
    "asm volatile(\"\" : : \"r\"(0));",
    "# 4294967296 \"f.c\" 3\n",
    "\\\n",
    "/*",
    "//",
    "\u{0}",
    "\u{feff}",
];

const BRACKETS: [(&str, &str); 8] =
    [("(", ")"), ("{", "}"), ("[", "]"), ("-(", ")"), ("*", ""), ("!", ""), ("{{", "}}"), ("(int)", "")];

/// The text with one to four mutations; `other` is a second file to take pieces from.
pub fn mutated(text: &[u8], other: &[u8], random: &mut Random) -> Vec<u8> {
    let mut result = text.to_vec();
    for _ in 0..random.between(1, 4) {
        result = mutated_once(&result, other, random);
    }
    result
}

fn mutated_once(text: &[u8], other: &[u8], random: &mut Random) -> Vec<u8> {
    if text.is_empty() {
        return other.to_vec();
    }
    match random.below(14) {
        0 => flip_bytes(text, random),
        1 => text[..random.below(text.len())].to_vec(),
        2 => splice_lines(text, other, random),
        3 | 4 => on_tokens(text, random, delete),
        5 => on_tokens(text, random, duplicate),
        6 => on_tokens(text, random, swap),
        7 => nest(text, random),
        8 | 9 => extreme_number(text, random),
        10 | 11 => insert_fragment(text, random),
        12 => foreign_token(text, other, random),
        _ => rename(text, random),
    }
}

fn flip_bytes(text: &[u8], random: &mut Random) -> Vec<u8> {
    let mut result = text.to_vec();
    for _ in 0..random.between(1, 8) {
        let position = random.below(result.len());
        result[position] = random.below(256) as u8;
    }
    result
}

fn splice_lines(text: &[u8], other: &[u8], random: &mut Random) -> Vec<u8> {
    let mut lines: Vec<&[u8]> = text.split_inclusive(|byte| *byte == b'\n').collect();
    let foreign: Vec<&[u8]> = other.split_inclusive(|byte| *byte == b'\n').collect();
    if foreign.is_empty() {
        return text.to_vec();
    }
    let start = random.below(foreign.len());
    let end = (start + random.between(1, 20)).min(foreign.len());
    let position = random.below(lines.len());
    lines.splice(position..position, foreign[start..end].iter().copied());
    lines.concat()
}

fn on_tokens(text: &[u8], random: &mut Random, change: fn(&mut Vec<Token>, &mut Random)) -> Vec<u8> {
    let mut list = tokens(text);
    change(&mut list, random);
    join(&list)
}

fn delete(list: &mut Vec<Token>, random: &mut Random) {
    let start = random.below(list.len());
    let end = (start + random.between(1, 6)).min(list.len());
    list.drain(start..end);
}

fn duplicate(list: &mut Vec<Token>, random: &mut Random) {
    let start = random.below(list.len());
    let end = (start + random.between(1, 12)).min(list.len());
    let repeats = if random.chance(5) { random.between(100, 2000) } else { random.between(1, 4) };
    let piece = list[start..end].repeat(repeats);
    list.splice(end..end, piece);
}

fn swap(list: &mut Vec<Token>, random: &mut Random) {
    let (first, second) = (random.below(list.len()), random.below(list.len()));
    list.swap(first, second);
}

/// Wraps a token into brackets, now and then thousands deep.
fn nest(text: &[u8], random: &mut Random) -> Vec<u8> {
    let list = tokens(text);
    let position = random.below(list.len());
    let (open, close) = random.choose(&BRACKETS);
    let depth = if random.chance(20) { random.between(1000, 50_000) } else { random.between(1, 40) };
    let close = if random.chance(80) { close } else { "" };
    let mut result = join(&list[..position]);
    result.extend(open.repeat(depth).bytes());
    result.extend(list[position].bytes);
    result.extend(close.repeat(depth).bytes());
    result.extend(join(&list[position + 1..]));
    result
}

fn extreme_number(text: &[u8], random: &mut Random) -> Vec<u8> {
    replace_kind(text, Kind::Number, random.choose(&EXTREME_NUMBERS).as_bytes(), random)
}

fn insert_fragment(text: &[u8], random: &mut Random) -> Vec<u8> {
    let list = tokens(text);
    let position = random.below(list.len() + 1);
    let mut result = join(&list[..position]);
    result.push(b' ');
    result.extend(random.choose(&FRAGMENTS).bytes());
    result.push(b' ');
    result.extend(join(&list[position..]));
    result
}

fn foreign_token(text: &[u8], other: &[u8], random: &mut Random) -> Vec<u8> {
    let foreign: Vec<Token> = tokens(other).into_iter().filter(|token| token.kind != Kind::Blank).collect();
    if foreign.is_empty() {
        return text.to_vec();
    }
    let token = foreign[random.below(foreign.len())];
    replace_kind(text, token.kind, token.bytes, random)
}

/// Gives one word the name of another: redeclarations, wrong types, shadowed typedefs.
fn rename(text: &[u8], random: &mut Random) -> Vec<u8> {
    let words: Vec<Token> = tokens(text).into_iter().filter(|token| token.kind == Kind::Word).collect();
    if words.is_empty() {
        return text.to_vec();
    }
    let word = words[random.below(words.len())];
    replace_kind(text, Kind::Word, word.bytes, random)
}

fn replace_kind(text: &[u8], kind: Kind, replacement: &[u8], random: &mut Random) -> Vec<u8> {
    let mut list = tokens(text);
    let positions: Vec<usize> = (0..list.len()).filter(|index| list[*index].kind == kind).collect();
    if positions.is_empty() {
        return text.to_vec();
    }
    list[random.choose(&positions)] = Token { kind, bytes: replacement };
    join(&list)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mutation_copes_with_every_text() {
        let texts: [&[u8]; 5] = [b"", b"x", b"int a = 1;\nint b;\n", b"\"\\", b"\n\n"];
        let mut random = Random::new(3);
        for _ in 0..2000 {
            let (text, other) = (random.choose(&texts), random.choose(&texts));
            mutated(text, other, &mut random);
        }
    }
}

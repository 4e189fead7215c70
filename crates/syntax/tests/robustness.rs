//! No input makes the parser panic or hang: small programs, mutated at random but reproducibly.

use base::{Interner, SourceMap};

const SEEDS: [&str; 4] = [
    "typedef int T; struct s { T a : 3; union { char b[2]; }; } __attribute__((packed)) x = { .a = 1, [0 ... 1] = 2 };\n\
     static inline int f(T *p, ...) { for (int i = 0; i < 3; i++) { if (p[i]) goto l; else if (!p) return 1; } l: \
     switch (*p) { case 1 ... 2: default: break; } return sizeof(T[2]) + (T)~p->a ? 'a' : L\"b\"[0]; }\n",
    "# 1 \"a.c\" 1\nint g(a, b) int a; char b; { asm volatile (\"x\" : \"=r\" (a) : [n] \"0\" (b) : \"cc\"); \
     return ({ __label__ q; q: a ?: b; }) + _Generic(a, int: 1, default: 0x1p-3f) /* c */ // d\n ; }\n#pragma pack(1)\n",
    "enum e { A, B = 2 }; int (*(*h)(void))[3] = &(int[]){1, 2}, *const volatile y; _Static_assert(1, \"m\"); \
     void k(void) { do { x += y <<= 2, --z; } while (1); goto *&&l; l: ; __builtin_va_arg(v, int *); }",
    "int a = ((((1 + 2) * 3) - 4) / 5) % 6; unsigned long long b = 0xFFull; double c = 1e-3L; char *s = \"\\x41\\n\" u8\"z\"; \
     _Alignas(8) _Atomic(int) d; typeof(a) e; _Complex double w; int i\\\nj;",
];

/// Text that mutations insert.
const PIECES: [&str; 24] = [
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    ";",
    ",",
    "*",
    "=",
    "\"",
    "'",
    "/*",
    "\\",
    "\n#",
    "T ",
    "int ",
    "struct ",
    "if ",
    "case ",
    ":",
    "__attribute__((",
    "\0",
    "\u{e9}",
];

/// Xorshift: reproducible, and good enough to choose places.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound.max(1) as u64) as usize
    }
}

fn mutate(random: &mut Random) -> Vec<u8> {
    let mut text = SEEDS[random.below(SEEDS.len())].as_bytes().to_vec();
    for _ in 0..=random.below(6) {
        let at = random.below(text.len());
        match random.below(5) {
            0 => text.truncate(at),
            1 => {
                let end = (at + random.below(12)).min(text.len());
                text.drain(at..end);
            }
            2 if at < text.len() => text[at] = random.below(256) as u8,
            3 => {
                let end = (at + random.below(40)).min(text.len());
                let copy = text[at..end].to_vec();
                let to = random.below(text.len());
                text.splice(to..to, copy);
            }
            _ => {
                let piece = PIECES[random.below(PIECES.len())];
                text.splice(at..at, piece.bytes());
            }
        }
    }
    text
}

#[test]
fn mutated_programs_are_parsed_or_refused() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for _ in 0..20_000 {
        let text = mutate(&mut random);
        let mut sources = SourceMap::default();
        let mut interner = Interner::default();
        let file = sources.add("a.c", text).expect("it is small");
        let (ast, diagnostics) = syntax::parse(&mut sources, file, &mut interner);
        for diagnostic in diagnostics.iter() {
            diagnostic.render(&sources);
        }
        syntax::dump::dump(&ast, &interner, &sources);
    }
}

#[test]
fn bytes_that_have_no_place_in_c_are_errors() {
    for (text, message) in [
        (&b"int a\x01;"[..], "a.c:1:6: error: unexpected byte 0x01\n"),
        (b"int a;\0int b;", "a.c:1:7: error: zero byte in the text: this is not a C source file\n"),
        (b"int \xff\xfe;", "a.c:1:5: error: this name is not valid UTF-8\n"),
    ] {
        let mut sources = SourceMap::default();
        let file = sources.add("a.c", text).expect("it is small");
        let (_, diagnostics) = syntax::parse(&mut sources, file, &mut Interner::default());
        let messages: Vec<_> = diagnostics.iter().map(|diagnostic| diagnostic.render(&sources)).collect();
        assert!(messages.len() == 1 && messages[0].starts_with(message), "{messages:?}");
    }
}

//! Long chains are parsed whatever their length; deep nesting is refused, never a stack overflow.
//!
//! Everything runs on a thread with the stack of an ordinary main thread, in the build profile of
//! the tests, whose frames are larger than those of a release build.

use base::{Interner, SourceMap};
use syntax::NESTING_LIMIT;

const STACK: usize = 8 << 20;

/// The messages for a text, without places.
fn errors(source: String) -> Vec<String> {
    let parse = move || {
        let mut sources = SourceMap::default();
        let file = sources.add("a.c", source.into_bytes()).expect("it fits");
        let (_, diagnostics) = syntax::parse(&mut sources, file, &mut Interner::default());
        diagnostics.iter().map(|diagnostic| diagnostic.message.clone()).collect()
    };
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(parse);
    thread.expect("a thread can be started").join().expect("the parser does not panic")
}

fn check_accepted(source: String) {
    assert_eq!(errors(source), [""; 0]);
}

/// `open` and `close` around `middle`: accepted well below the limit, refused far above it.
fn check_nesting(before: &str, open: &str, middle: &str, close: &str, after: &str) {
    let nest = |depth| format!("{before}{}{middle}{}{after}", open.repeat(depth), close.repeat(depth));
    check_accepted(nest(NESTING_LIMIT as usize / 10));
    let refused = format!("nested too deeply (more than {NESTING_LIMIT} levels)");
    for depth in [NESTING_LIMIT as usize + 1, 100_000] {
        assert_eq!(errors(nest(depth)), [refused.as_str()], "{open}");
    }
}

#[test]
fn long_chains_of_operators() {
    check_accepted(format!("int x = 0{};", " + a".repeat(100_000)));
    check_accepted(format!("int x = 0{};", " || a && b * c".repeat(100_000)));
    check_accepted(format!("void f(void) {{ a{}; }}", ", a".repeat(100_000)));
    check_accepted(format!("void f(void) {{ {}b; }}", "a = ".repeat(100_000)));
    check_accepted(format!("int x = {}0;", "a ? b : ".repeat(100_000)));
    check_accepted(format!("int x = a{};", ".b".repeat(100_000)));
}

#[test]
fn long_chains_of_statements() {
    check_accepted(format!("void f(void) {{ {} ; }}", "if (a) b; else ".repeat(50_000)));
    check_accepted(format!("void f(void) {{ switch (a) {{ {} ; }} }}", "case 1: ".repeat(20_000)));
    check_accepted(format!("void f(void) {{ {} ; }}", "l: ".repeat(100_000)));
    check_accepted(format!("void f(void) {{ {} }}", "a;".repeat(500_000)));
}

#[test]
fn long_lists() {
    check_accepted(format!("int a[] = {{ {} }};", "1,".repeat(1_000_000)));
    check_accepted(format!("enum e {{ {} }};", (0..100_000).map(|i| format!("e{i},")).collect::<String>()));
    check_accepted(format!("int x{};", ", y".repeat(100_000)));
    check_accepted(format!("void f(void) {{ g(1{}); }}", ", 2".repeat(100_000)));
    check_accepted(format!("char *s = {};", "\"abc\"".repeat(100_000)));
    check_accepted(format!("int x __attribute__(({}));", "a,".repeat(100_000)));
}

#[test]
fn chains_have_a_limit_too() {
    let message = "too many in a row (more than 1000000)";
    assert_eq!(errors(format!("int x = 0{};", "+a".repeat(1_000_001))), [message]);
}

#[test]
fn deep_expressions() {
    check_nesting("int x = ", "(", "1", ")", ";");
    check_nesting("int x = ", "f(", "1", ")", ";");
    check_nesting("int x = ", "a[", "1", "]", ";");
    check_nesting("int x = ", "- ", "1", "", ";");
    check_nesting("int x = ", "(int)", "1", "", ";");
    check_nesting("int x = ", "sizeof ", "a", "", ";");
    check_nesting("int x = ", "a ? ", "1", " : 2", ";");
    check_nesting("int x = ", "a || b && c | d ^ e & f == g < h << i + j * -(", "1", ")", ";");
    check_nesting("int x = ", "_Generic(1, int: ", "1", ")", ";");
}

#[test]
fn deep_statements() {
    check_nesting("void f(void) ", "{", "", "}", "");
    check_nesting("void f(void) { ", "if (a) ", ";", "", "}");
    check_nesting("void f(void) { ", "while (a) ", ";", "", "}");
    check_nesting("void f(void) { ", "for (;;) {", "", "}", "}");
    check_nesting("void f(void) { ", "do ", ";", " while (a);", "}");
    check_nesting("void f(void) { ", "if (a) ; else { ", "", "}", "}");
    check_nesting("void f(void) { ", "switch (a) case 1: l: ", ";", "", "}");
    check_nesting("void f(void) { ", "void g(void) {", "", "}", "}");
}

#[test]
fn deep_statement_expressions() {
    check_nesting("int x = ", "({ if (a) { int y = f(1, ", "1", "); } })", ";");
}

#[test]
fn deep_declarations() {
    check_nesting("int ", "(", "x", ")", ";");
    check_nesting("int ", "*", "x", "", ";");
    check_nesting("int ", "(*", "x", ")(void)", ";");
    check_nesting("int x", "[1]", "", "", ";");
    check_nesting("", "struct { ", "int x;", "} y;", "");
    check_nesting("int x = ", "{", "1", "}", ";");
    check_nesting("int f(", "int (*)(", "int", ")", ");");
    check_nesting("", "typeof(", "int", ")", " x;");
    check_nesting("", "_Atomic(", "int", ")", " x;");
    check_nesting("int x = ", "(int [", "1", "]){0}", ";");
    check_nesting("int x ", "__attribute__((a(sizeof(int ", "", "))))", ";");
}

#[test]
fn deep_nesting_after_errors() {
    assert!(!errors("(".repeat(100_000)).is_empty());
    assert!(!errors("{".repeat(100_000)).is_empty());
    assert!(!errors(format!("void f(void) {{ {}", "{ a b; ".repeat(100_000))).is_empty());
    assert!(!errors("_Pragma(".repeat(100_000)).is_empty());
}

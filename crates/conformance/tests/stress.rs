//! Programs of a size and depth that only generators write: chains, sums and switches of tens of
//! thousands, brackets within brackets. They must be run rightly, or be refused with a diagnostic where
//! they are deeper than anyone needs, but never end in a crash.

use conformance::fuzz::trial;
use conformance::interpreter::{self, Request};
use conformance::process::Limits;
use conformance::scratch::Scratch;
use conformance::{DataModel, tool};
use std::fmt::Write;
use std::fs;

/// The program runs and main returns the status.
fn check(text: &str, status: i32) {
    if tool::proviso().is_none() {
        return;
    }
    let scratch = Scratch::new("stress").unwrap();
    let program = scratch.join("stress.c");
    fs::write(&program, text).unwrap();
    let interpreted = interpreter::run(&Request {
        program: &program,
        model: DataModel::Lp64,
        inputs: None,
        include: None,
        step_limit: Some(10_000_000),
        limits: Limits::seconds(20),
    });
    let ended = interpreted.map(|interpreted| interpreted.outcome.ended);
    assert_eq!(ended, Ok(format!("exit status {status}")));
}

/// The front end takes the program or refuses it.
fn check_no_crash(text: &str) {
    if let Some(proviso) = tool::proviso() {
        assert_eq!(trial::run(proviso, text.as_bytes()), Ok(None));
    }
}

fn main_returning(expression: &str) -> String {
    format!("int main(void) {{ int x = 1; return {expression}; }}\n")
}

/// `head` with all the pieces in the middle.
fn joined(count: usize, head: &str, tail: &str, piece: impl Fn(usize) -> String) -> String {
    let mut text = head.to_string();
    for index in 0..count {
        let _ = writeln!(text, "{}", piece(index));
    }
    text + tail
}

#[test]
fn a_chain_of_20000_else_if() {
    let head = "int main(void) {\n  int x = 19990, y = 0;\n  if (x == -1) y = 1;\n";
    let piece = |index| format!("  else if (x == {index}) y = {};", index % 100);
    check(&joined(20_000, head, "  else y = 7;\n  return y;\n}\n", piece), 90);
}

#[test]
fn a_switch_with_20000_labels_in_a_row() {
    let head = "int main(void) {\n  int x = 12345, y = 0;\n  switch (x) {\n";
    let piece = |index| format!("    case {index}:");
    check(&joined(20_000, head, "      y = 3; break;\n    default: y = 4;\n  }\n  return y;\n}\n", piece), 3);
}

#[test]
fn a_switch_with_20000_arms() {
    let head = "int main(void) {\n  int x = 12345, y = 0;\n  switch (x) {\n";
    let piece = |index| format!("    case {index}: y = {}; break;", index % 200);
    check(&joined(20_000, head, "  }\n  return y;\n}\n", piece), 145);
}

#[test]
fn a_sum_of_100000_terms() {
    check(&main_returning(&vec!["x"; 100_000].join(" + ")), 100_000 % 256);
}

#[test]
fn a_conjunction_of_20000_terms() {
    check(&main_returning(&vec!["x"; 20_000].join(" && ")), 1);
}

#[test]
fn a_conditional_of_5000_branches() {
    let arms: String = (0..5000).map(|index| format!("x == {} ? {} : ", index + 2, index % 7)).collect();
    check(&main_returning(&(arms + "42")), 42);
}

#[test]
fn a_comma_expression_of_20000_parts() {
    check(&main_returning(&format!("({} 5)", "x = 2, ".repeat(20_000))), 5);
}

#[test]
fn a_string_of_a_million_bytes() {
    let text = format!("int main(void) {{ return sizeof(\"{}\") % 100; }}\n", "a".repeat(1_000_000));
    check(&text, 1);
}

#[test]
fn adjacent_string_literals_in_thousands() {
    let text = format!("int main(void) {{ return sizeof({}) % 100; }}\n", "\"ab\" ".repeat(20_000));
    check(&text, 1);
}

#[test]
fn an_array_with_100000_initialisers() {
    let values: String = (0..100_000).map(|index| format!("{},", index % 50)).collect();
    check(&format!("static int v[] = {{{values}}};\nint main(void) {{ return v[99999] + v[3]; }}\n"), 52);
}

#[test]
fn twenty_thousand_functions_that_call_each_other() {
    let piece = |index: usize| match index {
        0 => "int f0(int x) { return x; }".to_string(),
        _ => format!("int f{index}(int x) {{ return x > 100 ? f{}(x) : x + {index}; }}", index - 1),
    };
    check(&joined(20_000, "", "int main(void) { return f19999(1) % 256; }\n", piece), 20_000 % 256);
}

#[test]
fn ten_thousand_local_variables() {
    let head = "int main(void) {\n  int v0 = 1;\n";
    let piece = |index| format!("  int v{} = v{index} + 1;", index + 1);
    check(&joined(10_000, head, "  return v10000 % 256;\n}\n", piece), 10_001 % 256);
}

#[test]
fn two_hundred_nested_blocks_and_loops() {
    let head = "int main(void) {\n  int n = 0;\n";
    let opened = joined(200, head, "", |index| format!("  if (n == {index}) {{ n++; while (n > 0) {{"));
    check(&format!("{opened}{}  return n % 256;\n}}\n", "break; }}\n".repeat(200)), 200);
}

#[test]
fn deep_brackets_do_not_crash() {
    for depth in [256, 10_000, 100_000] {
        let (open, close) = ("(".repeat(depth), ")".repeat(depth));
        check_no_crash(&main_returning(&format!("{open}x{close}")));
        check_no_crash(&main_returning(&format!("{open}x")));
        check_no_crash(&main_returning(&format!("{}x", "- ".repeat(depth))));
        check_no_crash(&main_returning(&format!("{}x", "*&".repeat(depth))));
        check_no_crash(&format!("int {open}f{close};\n"));
        check_no_crash(&format!("int {}p;\n", "*".repeat(depth)));
    }
}

#[test]
fn deep_statements_do_not_crash() {
    for depth in [256, 10_000, 100_000] {
        let wrapped = |open: &str, close: &str| {
            format!(
                "int main(void) {{ int x = 1; {}x++; {} return x; }}\n",
                open.repeat(depth),
                close.repeat(depth)
            )
        };
        check_no_crash(&wrapped("{", "}"));
        check_no_crash(&wrapped("if (x) ", ""));
        check_no_crash(&wrapped("while (x) {", "}"));
        check_no_crash(&wrapped("do ", " while (0);"));
        check_no_crash(&wrapped("x = ", ""));
    }
}

#[test]
fn deep_types_and_initialisers_do_not_crash() {
    for depth in [256, 10_000, 100_000] {
        check_no_crash(&format!("int v{} = {{0}};\n", "[1]".repeat(depth)));
        check_no_crash(&format!("int v[1] = {}0{};\n", "{".repeat(depth), "}".repeat(depth)));
        check_no_crash(&format!("{}int x;{}\n", "struct {".repeat(depth), "} m;".repeat(depth)));
        check_no_crash(&format!("int x = {}0{};\n", "sizeof(int[".repeat(depth), "])".repeat(depth)));
    }
}

#[test]
fn odd_bytes_do_not_crash() {
    let Some(proviso) = tool::proviso() else { return };
    let texts: [&[u8]; 8] = [
        b"",
        b"\0",
        b"\xef\xbb\xbfint main(void) { return 0; }\n",
        b"int main(void) { char s[] = \"\xe9\xff\"; /* \xfc */ return s[0]; }\n",
        b"int main(void) { return 0; }\r\n\x1a",
        b"int main(void) { return\\\n 0; }",
        b"/* not closed",
        b"int main(void) { return \"not closed; }",
    ];
    for text in texts {
        assert_eq!(trial::run(proviso, text), Ok(None), "{text:?}");
    }
}

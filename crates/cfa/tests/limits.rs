//! What generated code makes long must be lowered whatever its length, and never deep.

mod front_end;

use cfa::{EdgeKind, Program};
use std::fmt::Write;

const STACK: usize = 64 << 20;

/// The number of edges of a kind after lowering and validating.
fn count(source: String, kind: fn(EdgeKind) -> bool) -> usize {
    let lower = move || {
        let program: Program = front_end::program(&source).expect("the source is fine");
        assert_eq!(cfa::validate::validate(&program), Ok(()));
        program.edges.iter().filter(|edge| kind(edge.kind)).count()
    };
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(lower);
    thread.expect("a thread can be started").join().expect("lowering does not panic")
}

fn is_assume(kind: EdgeKind) -> bool {
    matches!(kind, EdgeKind::Assume { .. })
}

fn is_assign(kind: EdgeKind) -> bool {
    matches!(kind, EdgeKind::Assign { .. })
}

#[test]
fn a_sum_of_100_000_terms() {
    let source = format!("int f(int a) {{ return a{}; }}", " + a".repeat(99_999));
    let cuts = count(source, is_assign);
    assert!((100_000 / cfa::MAX_DEPTH..2_000).contains(&cuts), "{cuts} temporaries");
}

#[test]
fn a_sum_of_100_000_calls() {
    let source = format!("int g(void); int f(int a) {{ return a{}; }}", " + g()".repeat(99_999));
    assert_eq!(count(source, |kind| matches!(kind, EdgeKind::Call(_))), 99_999);
}

#[test]
fn a_chain_of_100_000_logical_operators() {
    let and = format!("int f(int a, int b) {{ if (a{}) return 1; return 0; }}", " && b".repeat(99_999));
    assert_eq!(count(and, is_assume), 200_000);
    let value = format!("int f(int *a) {{ return *a{}; }}", " || *a".repeat(99_999));
    assert_eq!(count(value, is_assume), 200_000);
    let safe = format!("int f(int a, int b) {{ return a{}; }}", " && b".repeat(99_999));
    assert_eq!(count(safe, is_assume), 0);
}

#[test]
fn an_else_if_chain_of_50_000_arms() {
    let mut source = String::from("int f(int a) { if (a == 0) return 0;\n");
    for arm in 1..50_000 {
        writeln!(source, "else if (a == {arm}) a = {};", arm + 1).expect("a string can be written to");
    }
    source.push_str("return a; }");
    assert_eq!(count(source, is_assume), 100_000);
}

#[test]
fn a_switch_of_20_000_cases() {
    let mut source = String::from("int f(int a) { switch (a) {\n");
    for case in 0..20_000 {
        writeln!(source, "case {case}:").expect("a string can be written to");
    }
    source.push_str("a = 1; } return a; }");
    assert_eq!(count(source, is_assume), 40_000);
}

#[test]
fn a_choice_of_20_000_values() {
    let mut source = String::from("int f(int a, int *p) { return\n");
    for value in 0..20_000 {
        writeln!(source, "a == {value} ? *p :").expect("a string can be written to");
    }
    source.push_str("a; }");
    assert_eq!(count(source, is_assume), 40_000);
}

#[test]
fn a_comma_list_of_100_000_expressions() {
    let source = format!("void f(int a) {{ a = 1{}; }}", ", a = 2".repeat(99_999));
    assert_eq!(count(source, is_assign), 100_000);
}

#[test]
fn a_way_through_100_000_list_elements() {
    let way = "->next".repeat(100_000);
    let source = format!("struct s {{ struct s *next; }}; struct s *f(struct s *p) {{ return p{way}; }}");
    let cuts = count(source, is_assign);
    assert!((100_000 / cfa::MAX_DEPTH..2_000).contains(&cuts), "{cuts} temporaries");
}

#[test]
fn deep_nesting() {
    let depth = 900;
    let source = format!("int f(int a) {{ return {}a{}; }}", "-(".repeat(depth), ")".repeat(depth));
    assert!(count(source, is_assign) >= depth / cfa::MAX_DEPTH);
}

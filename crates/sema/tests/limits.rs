//! Sizes that generated code has: nothing recurses along them, and the work is linear.

mod support;
use support::{Ilp32, analyze, check_errors};

/// The stack that the front end is given.
fn with_large_stack(test: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new().stack_size(1 << 28).spawn(test).unwrap().join().unwrap();
}

/// A small stack: only loops survive this.
fn with_small_stack(source: String) {
    let test = move || assert!(analyze(&[&source], Ilp32).program.is_some());
    std::thread::Builder::new().stack_size(1 << 20).spawn(test).unwrap().join().unwrap();
}

fn repeated(count: usize, part: impl Fn(usize) -> String) -> String {
    (0..count).map(part).collect()
}

#[test]
fn long_chains_of_operators() {
    for operator in ["+", "&&", ",", "|", "=="] {
        let chain = vec!["a"; 100_000].join(operator);
        with_small_stack(format!("int f(int a) {{ return ({chain}); }}"));
    }
}

#[test]
fn long_chains_of_branches_and_labels() {
    let arms = repeated(50_000, |i| format!("if (a == {i}) a = 1; else "));
    with_small_stack(format!("void f(int a) {{ {arms} a = 0; }}"));
    let cases = repeated(20_000, |i| format!("case {i}: "));
    let labels = repeated(20_000, |i| format!("l{i}: "));
    with_small_stack(format!("void f(int a) {{ switch (a) {{ {cases} a = 0; }} {labels} ; }}"));
}

#[test]
fn large_initializers() {
    let values = repeated(300_000, |i| format!("{i},"));
    with_small_stack(format!("int a[] = {{ {values} }}; struct {{ int x, y[2]; }} s[] = {{ {values} }};"));
    with_small_stack("int a[1000000] = { [0 ... 999999] = 1 };".into());
}

#[test]
fn deep_nesting_ends_in_a_message_or_a_program() {
    with_large_stack(|| {
        let open = "(".repeat(1000);
        let close = ")".repeat(1000);
        let source = format!("int f(int a) {{ return {open}a{close}; }}");
        assert!(analyze(&[&source], Ilp32).program.is_some());
    });
}

#[test]
fn huge_objects_are_no_trouble() {
    check_errors("char a[1ull << 62]; int x;", &["1:6: size of array is too large"]);
    check_errors("struct s { char b[3u << 30], c[3u << 30]; };", &["1:1: size of 'struct s' is too large"]);
    check_errors("char a[3u << 30]; int x = sizeof a;", &[]);
    check_errors("int a[] = { [1ll << 40] = 1 };", &[]);
}

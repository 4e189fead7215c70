//! Every way in which a run ends.

mod front_end;

use base::{Budget, StopReason};
use front_end::ending;
use replay::{Checks, Ending, LeakCheck, List, Options, WhenExhausted, Zeros};
use std::time::Duration;

fn ends(source: &str, expected: &str) {
    assert_eq!(ending(source, &mut Zeros, &Options::default()), expected, "{source}");
}

fn ends_with(checks: Checks, source: &str, expected: &str) {
    let options = Options { checks, ..Options::default() };
    assert_eq!(ending(source, &mut Zeros, &options), expected, "{source}");
}

#[test]
fn ordinary_ends() {
    ends("int main(void) { return 7; }", "exit status 7");
    ends("int main(void) { }", "exit status 0");
    ends("void exit(int); void f(void) { exit(3); } int main(void) { f(); return 1; }", "exit status 3");
    ends("void abort(void);\nint main(void) { abort(); }", "2: aborted");
    ends("int f(void) { return 1; }", "the program has no main function");
    ends("int main(void) {\n__asm__(\"int $3\"); return 0; }", "2: unsupported: inline assembly");
    ends("int main(void) {\n__asm__(\"nop\"); return 0; }", "exit status 0");
}

#[test]
fn error_functions() {
    ends("void reach_error(void);\nint main(void) { reach_error(); }", "2: error call reach_error");
    ends("void reach_error(void) {}\nint main(void) { reach_error(); }", "2: error call reach_error");
    let options = Options { error_functions: vec!["bad".into()], ..Options::default() };
    let source = "void bad(void) {}\nvoid reach_error(void) {}\nint main(void) { reach_error();\nbad(); }";
    assert_eq!(ending(source, &mut Zeros, &options), "4: error call bad");
    ends(
        "void __assert_fail(const char *, const char *, unsigned, const char *);\n\
         int main(void) { __assert_fail(\"x > 0\", \"a.c\", 2, \"main\"); }",
        "2: assertion failed: x > 0",
    );
    ends(
        "void __VERIFIER_assume(int);\nint main(void) {\n__VERIFIER_assume(0); return 0; }",
        "3: assumption violated",
    );
}

#[test]
fn invalid_dereferences() {
    let invalid = |source: &str, detail: &str| ends(source, &format!("2: invalid dereference: {detail}"));
    invalid("int *p;\nint main(void) { return *p; }", "read through a null pointer");
    invalid(
        "struct s { int a, b; } *p;\nint main(void) { p->b = 1; }",
        "write at address 4, from a null pointer",
    );
    invalid(
        "int a[3]; int i = 3;\nint main(void) { return a[i]; }",
        "read of 4 bytes at offset 12 of a, which has 12",
    );
    invalid(
        "int a[3], b[99], *p = a; int i = 20;\nint main(void) { p[i] = 1; }",
        "write of 4 bytes at offset 80 of a, which has 12",
    );
    invalid(
        "void *malloc(unsigned long); void free(void *); int main(void) { int *p = malloc(4); free(p);\n\
         return *p; }",
        "read of heap object #1, which has been freed",
    );
    invalid(
        "int *f(void) { int x = 1; return &x; } int main(void) { int *p = f();\nreturn *p; }",
        "read of x, whose function has returned",
    );
    invalid(
        "int main(void) { int *p = 0; for (int i = 0; i < 2; i++) { int x = i; if (i == 0) p = &x;\n\
         if (i == 1) return *p; } }",
        "read of x, whose block has been left",
    );
    invalid("int main(void) { char *p = \"abc\";\n*p = 1; }", "write to a string literal");
    invalid("int (*f)(void);\nint main(void) { return f(); }", "call through a null pointer");
    invalid("int main(void) { int *p = (int *)main;\nreturn *p; }", "read of the code of main");
}

#[test]
fn invalid_frees() {
    let invalid = |source: &str, detail: &str| {
        let source = format!("void *malloc(unsigned long); void free(void *); int g;\n{source}");
        ends(&source, &format!("2: invalid free: {detail}"));
    };
    invalid("int main(void) { free(&g); }", "g was not allocated by malloc");
    invalid(
        "int main(void) { char *p = malloc(4); free(p + 1); }",
        "offset 1 of heap object #1, not its start",
    );
    invalid(
        "int main(void) { char *p = malloc(4); free(p); free(p); }",
        "heap object #1 has been freed before",
    );
}

#[test]
fn arithmetic() {
    let checks = Checks { signed_overflow: true, shift_range: true, ..Checks::default() };
    ends("int z;\nint main(void) { return 5 / z; }", "2: division by zero: 5 divided by 0");
    ends("int z;\nint main(void) { return 5 % z; }", "2: division by zero: 5 divided by 0");
    let wraps = "int x = 2147483647;\nint main(void) { x = x + 1; return x < 0; }";
    ends(wraps, "exit status 1");
    ends_with(checks, wraps, "2: signed overflow: 2147483647 + 1 does not fit 32 bits");
    let shift = "int n = 33;\nint main(void) { return 1 << n; }";
    ends(shift, "exit status 2");
    ends_with(checks, shift, "2: shift out of range: count 33 in a shift of 32 bits");
    let overflow = Checks { signed_overflow: true, ..Checks::default() };
    ends_with(overflow, shift, "2: signed overflow: 1 << 33 does not fit 32 bits");
    let lost = "int x = 1073741824;\nint main(void) { x = x << 1; return x < 0; }";
    ends(lost, "exit status 1");
    ends_with(overflow, lost, "2: signed overflow: 1073741824 << 1 does not fit 32 bits");
    ends_with(overflow, "int x = -1;\nint main(void) { return x << 31 < 0; }", "exit status 1");
    ends_with(
        overflow,
        "__int128 x = 1;\nint main(void) { x = x << 127; }",
        "2: signed overflow: 1 << 127 does not fit 128 bits",
    );
    ends_with(overflow, "int n = 33, z;\nint main(void) { return z << n; }", "exit status 0");
    ends(
        "int x = -2147483647 - 1, y = -1;\nint main(void) { return x / y; }",
        "2: signed overflow: -2147483648 / -1 does not fit 32 bits",
    );
}

#[test]
fn uninitialised_uses() {
    let checks = Checks { uninitialised_use: true, ..Checks::default() };
    let source = "int main(void) { int x;\nif (x) return 1; return 0; }";
    ends(source, "exit status 0");
    ends_with(checks, source, "2: use of an uninitialised value: x is read before it is written");
    let copied =
        "struct s { int a, b; }; int main(void) { struct s x, y; x.a = 1; y = x;\nreturn y.a - 1 + y.b; }";
    ends_with(checks, copied, "2: use of an uninitialised value: y at offset 4 is read before it is written");
    ends_with(checks, "int g; int main(void) { int x = 0; int *p = &x; return g + *p; }", "exit status 0");
}

#[test]
fn leaks() {
    let unreachable = Checks { leaks: LeakCheck::Unreachable, ..Checks::default() };
    let any = Checks { leaks: LeakCheck::Any, ..Checks::default() };
    let kept = "void *malloc(unsigned long); char *p; int main(void) { p = malloc(8); return 0; }";
    let lost = "void *malloc(unsigned long); int main(void) { char *p = malloc(8); return 0; }";
    ends(lost, "exit status 0");
    ends_with(unreachable, kept, "exit status 0");
    let leaked = |checks, source: &str| {
        let options = Options { checks, ..Options::default() };
        let ending = ending(source, &mut Zeros, &options);
        assert!(ending.contains("memory leak: 8 bytes of heap object"), "{ending}");
    };
    leaked(unreachable, lost);
    leaked(any, kept);
}

#[test]
fn inputs_run_out() {
    let source = "int __VERIFIER_nondet_int(void);\nint main(void) { int x = __VERIFIER_nondet_int();\n\
                  return x + __VERIFIER_nondet_int(); }";
    let mut one = List::parse("5").unwrap();
    assert_eq!(ending(source, &mut one, &Options::default()), "exit status 5");
    let options = Options { when_exhausted: WhenExhausted::Stop, ..Options::default() };
    let mut one = List::parse("5").unwrap();
    assert_eq!(ending(source, &mut one, &options), "3: inputs exhausted");
}

#[test]
fn limits() {
    let endless = "int main(void) { for (;;) {} }";
    let options = Options { step_limit: 1000, ..Options::default() };
    let (run, _) = front_end::run(endless, sema::types::DataModel::Lp64, &mut Zeros, &options);
    assert_eq!((run.ending, run.steps.edges), (Ending::StepLimit, 1000));
    let budget = Budget::unlimited().with_time(Duration::from_millis(10));
    let options = Options { budget, ..Options::default() };
    let (run, _) = front_end::run(endless, sema::types::DataModel::Lp64, &mut Zeros, &options);
    assert!(matches!(run.ending, Ending::Stopped(StopReason::TimeLimit(_))), "{:?}", run.ending);
    let deep = "int f(int n) { return f(n + 1) + 1; }\nint main(void) { return f(0); }";
    let options = Options { depth_limit: 1000, ..Options::default() };
    assert_eq!(ending(deep, &mut Zeros, &options), "1: stack overflow");
    let options = Options { memory_limit: 1 << 20, ..Options::default() };
    let greedy = "void *malloc(unsigned long);\nint main(void) { for (;;) malloc(1000); }";
    assert_eq!(ending(greedy, &mut Zeros, &options), "stopped: memory limit of 1 MiB");
}

#[test]
fn recursion_may_be_deep() {
    ends(
        "int f(int n) { return n == 0 ? 0 : 1 + f(n - 1); } int main(void) { return f(1000000) == 1000000; }",
        "exit status 1",
    );
    ends(
        "int f(int n) { int x = n, *p = &x; return *p == 0 ? 0 : 1 + f(*p - 1); }\n\
         int main(void) { return f(100000) == 100000; }",
        "exit status 1",
    );
}

#[test]
fn what_c_fixes_is_never_guessed() {
    ends(
        "double ldexp(double, int);\nint main(void) { return ldexp(1, 3) == 8; }",
        "2: unsupported: the library function ldexp",
    );
    ends(
        "int fesetround(int), fegetround(void);\n\
         int main(void) { return fesetround(0x400) + 2 * fesetround(1) + 4 * (fegetround() == 0x400); }",
        "exit status 6",
    );
    ends(
        "int *__errno_location(void); double sqrt(double);\n\
         int main(void) { volatile double m = -1; sqrt(m); return *__errno_location(); }",
        "exit status 33",
    );
}

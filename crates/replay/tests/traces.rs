//! What observers hear, and where values come from.

mod front_end;

use front_end::{ending, observed};
use replay::{Contents, Detail, InputValue, Inputs, List, Options, Piece, Random, Request, Trace};

const SOURCE: &str = "int __VERIFIER_nondet_int(void);
int g;
struct s { int f; double d; };
int twice(int x) { return x + x; }
int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x > 5) {
        int a[3]; struct s s; struct s *p = &s; int *q = &a[1];
        a[2] = twice(x);
        p->d = 0.5;
        *q = 'a';
        char c = 'a';
    }
    return 0;
}
";

#[test]
fn a_short_trace_tells_inputs_branches_and_assignments() {
    let mut trace = Trace::new(Detail::Short);
    observed(SOURCE, &mut List::parse("7").unwrap(), &Options::default(), &mut trace);
    let expected = "\
a.c:6: input __VERIFIER_nondet_int() = 7
a.c:7: [x > 5] true
a.c:8: p = &s
a.c:8: q = &a + 4
a.c:9: a[2] = 14
a.c:10: p->d = 0.5
a.c:11: *q = 97
a.c:12: c = 97 'a'
exit status 0";
    assert_eq!(trace.lines().join("\n"), expected);
}

#[test]
fn a_full_trace_tells_calls_too() {
    let mut trace = Trace::new(Detail::Full);
    observed(SOURCE, &mut List::parse("7").unwrap(), &Options::default(), &mut trace);
    let text = trace.lines().join("\n");
    assert!(text.contains("a.c:9: call twice(7)\n"), "{text}");
    assert!(text.contains("return from twice = 14\n"), "{text}");
}

#[test]
fn a_limited_trace_keeps_the_end() {
    let mut trace = Trace::new(Detail::Short).with_limit(10);
    let source = "int main(void) { int s = 0; for (int i = 0; i < 100; i++) s += i; return 0; }";
    observed(source, &mut List::default(), &Options::default(), &mut trace);
    assert!(trace.lines().len() <= 20 && trace.dropped() > 100, "{}", trace.dropped());
    assert_eq!(trace.lines().last().map(String::as_str), Some("exit status 0"));
}

#[test]
fn undefined_functions_are_inputs() {
    let source = "double half(int); struct s { char a, b; }; struct s get(void); int *where(void);
        int main(void) { struct s s = get(); int *p = where(); *p = 3; return half(1) * 10 + s.a + s.b + *p; }";
    struct Outside(u128);
    impl Inputs for Outside {
        fn next(&mut self, request: &Request<'_>) -> Option<InputValue> {
            self.0 += 1;
            Some(match request.function {
                Some("where") => InputValue::Memory(replay::Outside::zeros(4)),
                Some("half") => InputValue::Bits(2.5f64.to_bits().into()),
                _ => InputValue::Bits(self.0),
            })
        }
    }
    assert_eq!(ending(source, &mut Outside(0), &Options::default()), "exit status 31");
}

#[test]
fn random_inputs_are_reproducible() {
    let source = "int __VERIFIER_nondet_int(void); unsigned __VERIFIER_nondet_uint(void);
        int main(void) { unsigned h = 0; for (int i = 0; i < 100; i++)
            h = h * 31 + __VERIFIER_nondet_int() + __VERIFIER_nondet_uint(); return h & 0xffff; }";
    let run = |seed| ending(source, &mut Random::new(seed), &Options::default());
    assert_eq!(run(1), run(1));
    assert_ne!(run(1), run(2));
}

#[test]
fn fresh_memory_is_what_the_inputs_say() {
    struct Ones;
    impl Inputs for Ones {
        fn next(&mut self, _: &Request<'_>) -> Option<InputValue> {
            None
        }
        fn fresh(&mut self, _: cfa::EdgeId, size: u64) -> Contents {
            Contents {
                pieces: (0..size)
                    .map(|offset| (offset, Piece::Bits { size: 4, bits: 0x0101_0101 }))
                    .collect(),
            }
        }
    }
    let source = "void *malloc(unsigned long);
        int main(void) { int x, a[2]; short *p = malloc(2); return (x == 0x01010101) + (a[1] == x) + (*p == 257); }";
    assert_eq!(ending(source, &mut Ones, &Options::default()), "exit status 3");
}

#[test]
fn arguments_of_main() {
    let source = "int main(int argc, char **argv) { return argc * 10 + (argv[1][0] == 'x') + !argv[2]; }";
    let arguments = Some(vec!["program".into(), "xyz".into()]);
    let options = Options { arguments, ..Options::default() };
    assert_eq!(ending(source, &mut List::default(), &options), "exit status 22");
}

#[test]
fn the_middle_of_a_run_can_be_left_out() {
    let source = "int main(void) { int s = 0; for (int i = 0; i < 100; i++) s += 2; return 0; }";
    let mut whole = Trace::new(Detail::Short);
    let run = observed(source, &mut List::default(), &Options::default(), &mut whole);
    let (first, last) = (50, run.steps.edges - 50);
    let mut trace = Trace::new(Detail::Short);
    let options = Options { unobserved: first..last, ..Options::default() };
    observed(source, &mut List::default(), &options, &mut trace);
    let gap = trace.lines().iter().position(|line| line.starts_with("...")).expect("a gap is told");
    assert_eq!(trace.lines()[gap], format!("... {} steps are not shown", last - first));
    let (before, after) = (&trace.lines()[..gap], &trace.lines()[gap + 1..]);
    assert!(!before.is_empty() && whole.lines().starts_with(before), "{before:?}");
    assert!(after.len() > 1 && whole.lines().ends_with(after), "{after:?}");
    assert!(before.len() + after.len() < whole.lines().len());
}

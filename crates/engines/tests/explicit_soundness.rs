//! Doubts about the engine `explicit`, each as a program on which it would be wrong if they were justified.

mod support;

use base::Budget;
use cfa::Program;
use engines::{Analyses, Findings, Outcome, Task, bmc, explicit};
use replay::{Event, Happening, Interest, Observer};
use rustc_hash::FxHashMap;
use std::time::Duration;
use support::{load, unreachable};
use task::condition::{Automaton, EdgeName, Part, Target};
use task::{Condition, Goal, LoopBounds};

fn verify(program: &Program, goals: &[Goal], given: Option<&Condition>) -> Findings {
    let (analyses, budget) = (Analyses::new(program), Budget::unlimited().with_time(Duration::from_secs(60)));
    let task = Task { program, analyses: &analyses, goals, condition: given, budget: &budget };
    explicit::run(task, &explicit::Options::default()).0
}

fn verdict(source: &str) -> &'static str {
    match verify(&load(source), &unreachable(), None).outcome {
        Outcome::True => "true",
        Outcome::False { .. } => "false",
        Outcome::Unknown { .. } => "unknown",
    }
}

/// Several files, as one program.
fn load_all(sources: &[&str]) -> Program {
    let name = |index: usize| format!("proviso-sound-{}-{index}.c", std::process::id());
    let paths: Vec<_> = (0..sources.len()).map(|index| std::env::temp_dir().join(name(index))).collect();
    for (path, source) in paths.iter().zip(sources) {
        std::fs::write(path, source).expect("the temporary folder can be written to");
    }
    let data_model = sema::types::DataModel::Lp64;
    let options = frontend::Options::new(paths.clone(), data_model);
    let loaded = frontend::load(&options);
    paths.iter().for_each(|path| drop(std::fs::remove_file(path)));
    loaded.unwrap_or_else(|error| panic!("{error}")).program
}

/// Where an automaton is after a run: by nothing but its definition.
struct Follower<'a> {
    automaton: &'a Automaton,
    at: Target,
}

impl Observer for Follower<'_> {
    fn interest(&self) -> Interest {
        Interest::Everything
    }

    fn event(&mut self, program: &Program, event: &Event<'_>) {
        let returns = matches!(event.happening, Happening::Returned { .. });
        let is_decision = program.leaving(program.edges[event.edge].from).len() > 1;
        if let (Target::State(state), true, false) = (self.at, is_decision, returns) {
            let name = EdgeName::of(program, event.edge);
            let transitions = &self.automaton.states[state as usize].transitions;
            let taken = transitions.iter().find(|transition| transition.edge == name);
            self.at = taken.map_or(Target::Open, |transition| transition.target);
        }
    }
}

/// No two transitions of a state name the same decision.
fn is_deterministic(automaton: &Automaton) -> bool {
    automaton.states.iter().all(|state| {
        let mut seen: FxHashMap<_, u32> = FxHashMap::default();
        state.transitions.iter().for_each(|t| *seen.entry((&t.edge, &t.callee)).or_default() += 1);
        seen.values().all(|&count| count == 1)
    })
}

/// An overflow within loop bounds that are said to be covered is no alarm; one that follows on the same edge
/// must not be called verified with it.
#[test]
fn overflows_that_are_covered_hide_no_others() {
    let source = "int __VERIFIER_nondet_int(void);
        int main(void) { int x = __VERIFIER_nondet_int(); int n = 0;
        while (n < 3) { n++; if (x + 1 > 5) { n = n + 0; } x = x / 2 * 3; }
        return x; }";
    let (program, goals) = (load(source), vec![Goal::NoOverflow]);
    for bound in 0..4 {
        let mut given = Condition::nothing(&program, &goals);
        given.covered.push(Part::LoopBounds(LoopBounds { every_loop: bound, ..LoopBounds::default() }));
        let findings = verify(&program, &goals, Some(&given));
        if let Some(Part::Automaton(automaton)) = &findings.covered {
            assert!(is_deterministic(automaton), "{automaton:?}");
        }
        assert_eq!(matches!(findings.outcome, Outcome::False { .. }), bound < 2, "{:?}", findings.outcome);
    }
}

/// Two functions of one name in two files, with their branches in the same lines: conditions tell them apart.
#[test]
fn functions_of_the_same_name_are_told_apart() {
    let file = |name: &str, bad: &str| {
        format!(
            "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
            static int pick(int x) {{
              if (x) {{ {bad} return 1; }}
              return 2; }}
            int {name}(void) {{ return pick(__VERIFIER_nondet_int()); }}"
        )
    };
    let main = "extern int first(void); extern int second(void); void reach_error(void) { }
        int main(void) { int i = 0; first(); while (i < 50) { i++; } second(); return 0; }";
    let program = load_all(&[&file("first", ""), &file("second", "reach_error();"), main]);
    let names: Vec<EdgeName> = program.edges.ids().map(|edge| EdgeName::of(&program, edge)).collect();
    for (edge, name) in program.edges.ids().zip(&names) {
        assert_eq!(task::condition::edge_named(&program, name), Some(edge), "{name}");
    }
    let goals = unreachable();
    let (analyses, budget) = (Analyses::new(&program), Budget::unlimited());
    let task =
        Task { program: &program, analyses: &analyses, goals: &goals, condition: None, budget: &budget };
    let mut options = explicit::Options::default();
    options.limits.add("path-length=20").expect("a limit");
    let first = explicit::run(task, &options).0;
    let mut given = Condition::nothing(&program, &goals);
    given.covered.extend(first.covered);
    let second = verify(&program, &goals, Some(&given));
    assert!(matches!(second.outcome, Outcome::False { .. }), "{:?}", second.outcome);
}

#[test]
fn error_functions_of_all_files_count() {
    let file = |name: &str, guard: &str| {
        format!(
            "extern int __VERIFIER_nondet_int(void); static void reach_error(void) {{ }}
            int {name}(void) {{ if ({guard}) {{ reach_error(); }} return 0; }}"
        )
    };
    let main =
        "extern int first(void); extern int second(void); int main(void) { first(); return second(); }";
    let program = load_all(&[&file("first", "0"), &file("second", "__VERIFIER_nondet_int()"), main]);
    assert!(matches!(verify(&program, &unreachable(), None).outcome, Outcome::False { .. }));
}

/// What a function from outside does is not known, but it may well come back.
#[test]
fn calls_from_outside_do_not_end_the_program() {
    let source = "typedef int (*callback)(int); callback get(void); void reach_error(void);
        int main(void) { callback f = get(); int x = f(3); if (x) { reach_error(); } return 0; }";
    assert_eq!(verdict(source), "unknown");
}

#[test]
fn doubtful_programs() {
    let start = "int __VERIFIER_nondet_int(void); unsigned char __VERIFIER_nondet_uchar(void);
        void *malloc(unsigned long); void *memset(void *, int, unsigned long); void reach_error(void);";
    const SAFE: bool = true;
    const WRONG: bool = false;
    let cases = [
        // A narrow scalar that is learnt to equal something that it cannot hold.
        ("unsigned char c = __VERIFIER_nondet_uchar(); if (c == 300) reach_error();", SAFE),
        (
            "unsigned char c = __VERIFIER_nondet_uchar(); if ((signed char)c == -1) { if (c == 255) reach_error(); }",
            WRONG,
        ),
        ("int x = __VERIFIER_nondet_int(); if ((unsigned char)x == 0) { if (x) reach_error(); }", WRONG),
        ("_Bool b = __VERIFIER_nondet_int(); if (b == 1) { int x = b; if (x != 1) reach_error(); }", SAFE),
        // Several instances of one allocation, and writes through any of them.
        (
            "int *p[5]; for (int i = 0; i < 5; i++) { p[i] = malloc(4); *p[i] = i; } if (*p[0] != 0) reach_error();",
            SAFE,
        ),
        (
            "int *p[5]; for (int i = 0; i < 5; i++) { p[i] = malloc(4); *p[i] = i; } *p[4] = 7; if (*p[4] == 7) reach_error();",
            WRONG,
        ),
        // Memory of another type.
        (
            "union { int i; unsigned char b[4]; float f; } u; u.f = 1.0f; if (u.b[3] != 0x3f) reach_error();",
            SAFE,
        ),
        (
            "union { int i; short s[2]; } u; u.i = __VERIFIER_nondet_int(); u.s[0] = 0; if (u.i == 0x70000) reach_error();",
            WRONG,
        ),
        (
            "struct { unsigned a : 3; int b : 5; } s; s.a = 9; s.b = 16; if (s.a != 1 || s.b != -16) reach_error();",
            SAFE,
        ),
        // A library function that writes.
        (
            "int a[2] = {1, 2}; memset(a, 0, __VERIFIER_nondet_int() ? 4 : 8); if (a[1] == 0) reach_error();",
            WRONG,
        ),
        // Pointers to variables of functions below.
        (
            "int x = 1; int *p = &x; if (__VERIFIER_nondet_int()) p = 0; if (p) *p = 2; if (x == 2) reach_error();",
            WRONG,
        ),
        // Differences that wrap around.
        ("unsigned x = __VERIFIER_nondet_int(); unsigned y = x + 1; if (y < x) reach_error();", WRONG),
        ("unsigned x = __VERIFIER_nondet_int(); unsigned y = x + 1; if (y == x) reach_error();", SAFE),
        // Rounding.
        ("float f = 16777216.0f; f = f + 1.0f; if (f != 16777216.0f) reach_error();", SAFE),
        ("double d = 0.0; if (-d != 0.0 || 1 / -d > 0) reach_error();", SAFE),
        // A long array between scalars, and one that is too large to be tracked.
        (
            "struct { int a; int b[100]; int c; } s; s.c = 5; s.b[__VERIFIER_nondet_uchar() % 100] = 3; if (s.c != 5) reach_error();",
            SAFE,
        ),
        ("int a[1000]; a[999] = 1; if (a[999] == 1) reach_error();", WRONG),
    ];
    let mut proved = 0;
    for (body, is_safe) in cases {
        let source = format!("{start} int main(void) {{ {body} return 0; }}");
        let found = verdict(&source);
        // A violation must be found; that there is none may be too hard to say.
        let right = if is_safe { found != "false" } else { found == "false" };
        assert!(right, "{found}: {body}");
        proved += u32::from(found == "true");
    }
    assert!(proved >= 5, "only {proved} are proved");
}

/// Conditions of bounded model checking and of explicit values are taken up in turn; the automaton names no
/// violating run as verified.
#[test]
fn automata_beside_loop_bounds_verify_no_violation() {
    let source = "int __VERIFIER_nondet_int(void); void reach_error(void);
        int main(void) { int n = 0, x = 0;
        while (n < 6) { n++; if (__VERIFIER_nondet_int()) { x++; } if (x == 5) { reach_error(); } }
        return 0; }";
    let (program, goals) = (load(source), unreachable());
    let (analyses, budget) =
        (Analyses::new(&program), Budget::unlimited().with_time(Duration::from_secs(60)));
    let task =
        Task { program: &program, analyses: &analyses, goals: &goals, condition: None, budget: &budget };
    let bounded = bmc::run(task, &engines::Options { max_unwind: Some(2), ..engines::Options::default() });
    let mut given = Condition::nothing(&program, &goals);
    given.covered.extend(bounded.covered);
    let mut options = explicit::Options::default();
    options.limits.add("states=20").expect("a limit");
    let findings = explicit::run(Task { condition: Some(&given), ..task }, &options).0;
    let Some(Part::Automaton(automaton)) = &findings.covered else { panic!("{:?}", findings.outcome) };
    for number in 0u32..64 {
        let values = (0..6).map(|bit| u128::from(number >> bit & 1));
        let mut follower = Follower { automaton, at: automaton.start };
        let run =
            replay::run(&program, &mut replay::List::of_bits(values), &Default::default(), &mut follower);
        if matches!(run.ending, replay::Ending::ErrorCall { .. }) {
            assert_ne!(follower.at, Target::Verified, "{number:b}");
        }
    }
    given.covered.extend(findings.covered);
    assert!(matches!(verify(&program, &goals, Some(&given)).outcome, Outcome::False { .. }));
}

#[test]
fn what_is_rounded_in_other_modes_is_unknown() {
    let program = |rest: &str| {
        format!(
            "int fesetround(int); void reach_error(void); int main(void) {{ double one = 1, three = 3;
             fesetround(0x400); double low = one / three; fesetround(0x800); {rest} }}"
        )
    };
    let wrong = [
        "if (low < one / three) reach_error();",
        "long long big = 9007199254740993; if ((double)big > 9007199254740992.0) reach_error();",
        "if ((float)low > 0x1.555554p-2f) reach_error();",
    ];
    for rest in wrong {
        assert_eq!(verdict(&program(rest)), "false", "{rest}");
    }
}

#[test]
fn arrays_of_unknown_length_have_no_end() {
    let source = "void reach_error(void); extern char table[]; char one[64], two[64]; int main(void) {
        for (int k = 0; k < 64; k++) one[k] = two[k] = 1;
        for (int k = 0; k < 256; k++) table[(1 << 24) - 64 + k] = 2;
        for (int k = 0; k < 64; k++) if (one[k] != 1 || two[k] != 1) return 0;
        reach_error(); }";
    assert_ne!(verdict(source), "true");
    let local = "void reach_error(void); int __VERIFIER_nondet_int(void); int main(void) {
        int n = __VERIFIER_nondet_int(); if (n < 6000000) return 0;
        int a[n]; int *p = a; int x = 1; p[5000000] = 3; if (x == 1 && p != 0) reach_error(); }";
    assert_ne!(verdict(local), "true");
}

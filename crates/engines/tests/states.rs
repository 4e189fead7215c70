//! Loops that keep nothing but constants: their states are told apart, and each is looked at once.

mod support;

use base::Budget;
use engines::{Analyses, Findings, Options, Outcome, Task};
use std::collections::HashSet;
use std::fmt::Write;
use std::time::Duration;
use support::random::Random;
use support::{load, unreachable};
use task::condition::Part;

const HEAD: &str =
    "int __VERIFIER_nondet_int(void); _Bool __VERIFIER_nondet_bool(void); void reach_error(void);\n";

fn run(source: &str, options: &Options, engine: fn(Task<'_>, &Options) -> Findings) -> Findings {
    let program = load(&format!("{HEAD}{source}"));
    let (analyses, goals) = (Analyses::new(&program), unreachable());
    let budget = Budget::unlimited().with_time(Duration::from_secs(120));
    let task =
        Task { program: &program, analyses: &analyses, goals: &goals, condition: None, budget: &budget };
    let findings = engine(task, options);
    if matches!(findings.outcome, Outcome::True) {
        let checked = engines::proof::check(task, options, &findings);
        assert!(checked.is_ok(), "{checked:?}\n{source}");
    }
    findings
}

fn is_true(source: &str) -> bool {
    match run(source, &Options::default(), engines::bmc::run).outcome {
        Outcome::True => true,
        Outcome::False { .. } => false,
        Outcome::Unknown { reason } => panic!("{reason:?}\n{source}"),
    }
}

const VARIABLES: usize = 3;
const VALUES: u32 = 4;
const INPUTS: u32 = 4;

type Values = [u32; VARIABLES];

/// What happens in each iteration, one rule after the other.
struct Machine {
    rules: Vec<Rule>,
    error: Values,
}

struct Rule {
    variable: usize,
    value: u32,
    /// The largest input for which it applies, and whether smaller ones do, too.
    input: (u32, bool),
    change: Change,
}

enum Change {
    Set(usize, u32),
    Copy(usize, usize),
    Increase(usize),
    /// Once for each number below the input.
    IncreaseOften(usize),
    Leave,
}

impl Machine {
    fn new(random: &mut Random) -> Self {
        let rules = (0..3 + random.below(6)).map(|_| Rule::new(random)).collect();
        let mut machine = Self { rules, error: [(); VARIABLES].map(|()| random.below(VALUES)) };
        if random.below(2) == 0 {
            machine.error = machine.walk(random);
        }
        machine
    }

    /// The state after an iteration; none if the loop is left.
    fn step(&self, mut values: Values, input: u32) -> Option<Values> {
        for rule in &self.rules {
            let (largest, smaller) = rule.input;
            let applies = input == largest || (smaller && input < largest);
            if values[rule.variable] != rule.value || !applies {
                continue;
            }
            match rule.change {
                Change::Set(to, value) => values[to] = value,
                Change::Copy(to, from) => values[to] = values[from],
                Change::Increase(which) => values[which] = (values[which] + 1) % VALUES,
                Change::IncreaseOften(which) => values[which] = (values[which] + input) % VALUES,
                Change::Leave => return None,
            }
        }
        Some(values)
    }

    /// Where a few random inputs lead.
    fn walk(&self, random: &mut Random) -> Values {
        let mut values = [0; VARIABLES];
        for _ in 0..10 {
            values = self.step(values, random.below(INPUTS + 1)).unwrap_or(values);
        }
        values
    }

    /// After how many iterations the error is reached first.
    fn error_depth(&self) -> Option<u32> {
        let mut seen: HashSet<Values> = HashSet::from([[0; VARIABLES]]);
        let mut last = vec![[0; VARIABLES]];
        for depth in 0.. {
            if last.contains(&self.error) {
                return Some(depth);
            }
            let next = last.iter().flat_map(|&values| (0..=INPUTS).filter_map(move |i| self.step(values, i)));
            last = next.filter(|values| seen.insert(*values)).collect();
            if last.is_empty() {
                break;
            }
        }
        None
    }

    /// The machine in C, with variables of all kinds.
    fn source(&self, random: &mut Random) -> String {
        let names: Vec<&str> = match random.below(3) {
            0 => vec!["a", "b", "c"],
            1 => vec!["record.a", "record.b", "c"],
            _ => vec!["list[0]", "list[1]", "*pointer"],
        };
        let mut text =
            "struct pair { int a; int b; } record; int a, b, c, list[2], *pointer = &c;\n".to_string();
        let steps: String = self.rules.iter().map(|rule| rule.source(&names)).collect();
        let leaves = self.rules.iter().any(|rule| matches!(rule.change, Change::Leave));
        let error: Vec<String> =
            names.iter().zip(self.error).map(|(name, value)| format!("{name} == {value}")).collect();
        let (is_called, read) = (!leaves && random.below(2) == 0, "int input = __VERIFIER_nondet_int();");
        if is_called {
            let _ = writeln!(text, "int step(int input) {{ int j; {steps} return input; }}");
        }
        let body = if is_called { "last = step(input);" } else { &steps };
        let _ = write!(
            text,
            "int main(void) {{ int j, last = 0; while (1) {{
                if ({}) reach_error();
                {read} if (input < 0 || input > {INPUTS}) return 1;
                {body} }} return last; }}",
            error.join(" && ")
        );
        text
    }
}

impl Rule {
    fn new(random: &mut Random) -> Self {
        let mut variable = || random.below(VARIABLES as u32) as usize;
        let (which, to, from) = (variable(), variable(), variable());
        let change = match random.below(9) {
            0..3 => Change::Set(to, random.below(VALUES)),
            3 | 4 => Change::Copy(to, from),
            5 | 6 => Change::Increase(to),
            7 => Change::IncreaseOften(to),
            _ => Change::Leave,
        };
        let input = (random.below(INPUTS + 1), random.below(3) == 0);
        Self { variable: which, value: random.below(VALUES), input, change }
    }

    fn source(&self, names: &[&str]) -> String {
        let (largest, smaller) = self.input;
        let input = if smaller { format!("input <= {largest}") } else { format!("input == {largest}") };
        let change = match self.change {
            Change::Set(to, value) => format!("{} = {value};", names[to]),
            Change::Copy(to, from) => format!("{} = {};", names[to], names[from]),
            Change::Increase(which) => format!("{0} = ({0} + 1) % {VALUES};", names[which]),
            Change::IncreaseOften(which) => {
                format!("for (j = 0; j < input; j++) {0} = ({0} + 1) % {VALUES};", names[which])
            }
            Change::Leave => "return 2;".to_string(),
        };
        format!("if ({} == {} && {input}) {{ {change} }}\n", names[self.variable], self.value)
    }
}

/// Verdicts, and what is said to be verified below the bound at which the error is.
#[test]
fn machines_do_what_they_do() {
    let mut decided = [0, 0];
    for seed in 0..400 {
        let mut random = Random(seed);
        let machine = Machine::new(&mut random);
        let source = machine.source(&mut random);
        let depth = machine.error_depth();
        assert_eq!(is_true(&source), depth.is_none(), "{seed}: {depth:?}\n{source}");
        decided[usize::from(depth.is_some())] += 1;
        let Some(below) = depth.and_then(|depth| depth.checked_sub(1)) else { continue };
        let options = Options { max_unwind: Some(below), ..Options::default() };
        let findings = run(&source, &options, engines::bmc::run);
        assert!(!matches!(findings.outcome, Outcome::True), "{seed}\n{source}");
        if let (Outcome::Unknown { .. }, Some(Part::LoopBounds(bounds))) =
            (findings.outcome, findings.covered)
        {
            assert_eq!(bounds.every_loop, below, "{seed}\n{source}");
        }
    }
    assert!(decided.iter().all(|&count| count > 80), "{decided:?}");
}

#[test]
fn a_loop_with_few_states_has_few_unwindings() {
    let source = "int main(void) { int light = 0; while (1) { int input = __VERIFIER_nondet_int();
        if (light == 0 && input == 1) light = 1; else if (light == 1 && input == 2) light = 2;
        else if (light == 2 && input != 1) light = 0;
        if (light > 2) reach_error(); } }";
    let options = Options { max_unwind: Some(4), ..Options::default() };
    assert!(matches!(run(source, &options, engines::bmc::run).outcome, Outcome::True));
    let options = Options { states: false, ..options };
    assert!(matches!(run(source, &options, engines::bmc::run).outcome, Outcome::Unknown { .. }));
}

/// The same constants again are not the same state if something else is remembered.
#[test]
fn values_from_outside_count() {
    let source = "extern int setting; int main(void) { int s = 0; while (1) {
        int input = __VERIFIER_nondet_int();
        if (s == 0) { if (input == 1) { if (setting != 5) return 0; s = 1; } else s = 3; }
        else if (s == 3) s = 1;
        else if (s == 1) { if (setting == 7) reach_error(); s = 2; }
        else return 0; } }";
    assert!(!is_true(source));
    let source =
        source.replace("extern int setting;", "").replace("int s = 0", "int s = 0, setting = input()");
    assert!(!is_true(&format!("int input(void) {{ return __VERIFIER_nondet_int(); }} {source}")));
}

/// The loop is entered early with one argument, and late with another one, in the same state.
#[test]
fn arguments_that_are_not_variables_count() {
    let source = "typedef __builtin_va_list va_list; int setting;
        int watch(int first, ...) { int s = 0, i = 0; va_list list;
        __builtin_va_start(list, first); setting = __builtin_va_arg(list, int); __builtin_va_end(list);
        if (setting != 5) { if (setting != 7) return 0;
            while (i < 3 && __VERIFIER_nondet_bool()) i++; if (i < 3) return 0; i = 0; }
        setting = 0;
        while (1) { int input = __VERIFIER_nondet_int();
            if (s == 0) { if (input == 1) s = 1; if (input == 2) return 0; }
            else { __builtin_va_start(list, first); setting = __builtin_va_arg(list, int);
                __builtin_va_end(list); if (setting == 7) reach_error(); setting = 0; s = 0; } } }
        int main(void) { return watch(0, __VERIFIER_nondet_int()); }";
    assert!(!is_true(source));
}

/// A state that no run is in does not stand for one that a run is in.
#[test]
fn states_that_no_run_is_in_do_not_count() {
    let source = "int main(void) { int x = __VERIFIER_nondet_int(), s = 0; if (x > 3) return 0;
        while (1) { int input = __VERIFIER_nondet_int();
        if (input == 9) return 0;
        if (s == 1) reach_error();
        if (s == 0) { if (x == 4) s = 1; else s = 2; } else if (s == 2 && input == 5) s = 1;
        x = 0; } }";
    assert!(!is_true(source));
    assert!(is_true(&source.replace("input == 5", "x == 5")));
}

/// How often an inner loop may come back depends on when the state is entered.
#[test]
fn loops_inside_are_unwound_from_each_state() {
    let source = "int main(void) { int s = 0, i = 0; while (1) { int input = __VERIFIER_nondet_int();
        if (s == 0) { s = input == 1 ? 1 : 2; }
        else if (s == 1) { s = 2; }
        else { for (i = 0; i < 5; i++) if (__VERIFIER_nondet_bool()) break; if (i == 4) reach_error(); i = 0; s = 0; }
        } }";
    assert!(!is_true(source));
    assert!(is_true(&source.replace("i == 4", "i == 6")));
}

/// The search meets the paths behind the first loop one by one, and a check of all at once would not know `m`.
#[test]
fn states_behind_a_choice_are_told_apart_by_a_check_too() {
    let source = "int main(void) { int m = 5, s = 0; while (__VERIFIER_nondet_bool()) m = 2;
        while (m) { if (s < 9) s++; if (s == 10) reach_error(); } }";
    assert!(is_true(source));
    assert!(!is_true(&source.replace("s == 10", "s == 9")));
}

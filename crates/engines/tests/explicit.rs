//! The engine `explicit`: verdicts and conditions against brute force, limits, stops, the paper's examples.

mod brute_force;
mod generator;
mod support;

use base::Budget;
use brute_force::{all_inputs, brute_force};
use domains::monitors::Limit;
use engines::explicit::{self, Merge, Options, Order};
use engines::{Analyses, Findings, Outcome, Reason, Task};
use generator::Generator;
use replay::{Ending, Event, Happening, Interest, List, Observer};
use rustc_hash::FxHashMap;
use std::time::Duration;
use support::random::Random;
use support::{load, unreachable};
use task::Condition;
use task::condition::{Automaton, EdgeName, Part, Target};

/// Some of the random programs have endlessly many states.
const ENOUGH: &str = "states=1500";
/// Beside an automaton, the same state can occur several times.
const MORE: &str = "states=30000";

/// Runs the engine with these limits, on what the condition leaves open.
fn verify(program: &cfa::Program, limits: &[String], condition: Option<&Condition>) -> Findings {
    let budget = Budget::unlimited().with_time(Duration::from_secs(1));
    verify_within(program, limits, condition, &budget)
}

fn verify_within(
    program: &cfa::Program,
    limits: &[String],
    condition: Option<&Condition>,
    budget: &Budget,
) -> Findings {
    let mut options = Options::default();
    limits.iter().for_each(|limit| options.limits.add(limit).expect("a limit"));
    verify_with(program, &options, condition, budget)
}

fn verify_with(
    program: &cfa::Program,
    options: &Options,
    condition: Option<&Condition>,
    budget: &Budget,
) -> Findings {
    let (analyses, goals) = (Analyses::new(program), unreachable());
    let task = Task { program, analyses: &analyses, goals: &goals, condition, budget };
    explicit::run(task, options).0
}

/// All that has been verified so far; through its text, as from one process to the next.
fn condition(program: &cfa::Program, findings: &Findings, given: Option<&Condition>) -> Condition {
    let mut condition = given.cloned().unwrap_or_else(|| Condition::nothing(program, &unreachable()));
    condition.assumptions.clone_from(&findings.assumptions);
    condition.covered.extend(findings.covered.clone());
    let text = task::condition::text::write(&condition, Some(program));
    let read = Condition::parse(&text, program).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(read, condition);
    condition
}

fn automaton(findings: &Findings) -> &Automaton {
    match &findings.covered {
        Some(Part::Automaton(automaton)) => automaton,
        other => panic!("expected an automaton, not {other:?}"),
    }
}

/// Runs an automaton beside the program, by nothing but its definition.
struct Follower<'a> {
    automaton: &'a Automaton,
    at: Target,
    table: FxHashMap<(u32, EdgeName), Target>,
}

impl<'a> Follower<'a> {
    fn new(automaton: &'a Automaton) -> Self {
        let mut table = FxHashMap::default();
        for (index, state) in automaton.states.iter().enumerate() {
            for transition in &state.transitions {
                assert!(transition.callee.is_none() && transition.assumption.is_none());
                table.entry((index as u32, transition.edge.clone())).or_insert(transition.target);
            }
        }
        Self { automaton, at: automaton.start, table }
    }
}

impl Observer for Follower<'_> {
    fn interest(&self) -> Interest {
        Interest::Everything
    }

    fn event(&mut self, program: &cfa::Program, event: &Event<'_>) {
        let returns = matches!(event.happening, Happening::Returned { .. });
        let is_decision = program.leaving(program.edges[event.edge].from).len() > 1;
        if let (Target::State(state), true, false) = (self.at, is_decision, returns) {
            assert!((state as usize) < self.automaton.states.len());
            let name = EdgeName::of(program, event.edge);
            self.at = self.table.get(&(state, name)).copied().unwrap_or(Target::Open);
        }
    }
}

/// No run that violates the property is in what an automaton says is verified.
fn check_against_all_runs(program: &cfa::Program, automaton: &Automaton, source: &str) {
    for values in all_inputs() {
        let options = replay::Options { step_limit: 100_000, ..replay::Options::default() };
        let mut follower = Follower::new(automaton);
        let run = replay::run(program, &mut List::of_bits(values), &options, &mut follower);
        if let Ending::ErrorCall { .. } = run.ending {
            assert_ne!(follower.at, Target::Verified, "a violation is called verified:\n{source}");
        }
    }
}

fn check_verdict(outcome: &Outcome, reached: bool, source: &str) {
    match outcome {
        Outcome::True => assert!(!reached, "proves what is wrong:\n{source}"),
        Outcome::False { .. } => assert!(reached, "refutes what is right:\n{source}"),
        Outcome::Unknown { reason: Reason::Solver(error) } => panic!("{error}"),
        Outcome::Unknown { .. } => {}
    }
}

/// A run that takes a condition up decides what an undisturbed one decides. An alarm that has led that one to
/// more precision may be covered, so that it takes more states to find out what precision is needed.
fn check_same(program: &cfa::Program, alone: &Findings, given: Option<&Condition>, source: &str) {
    let is_decided = |findings: &Findings| !matches!(findings.outcome, Outcome::Unknown { .. });
    if !is_decided(alone) {
        return;
    }
    let mut taken_up = verify(program, &[MORE.into()], given);
    if !is_decided(&taken_up) {
        let budget = Budget::unlimited().with_time(Duration::from_secs(60));
        taken_up = verify_within(program, &[], given, &budget);
    }
    let same = std::mem::discriminant(&alone.outcome) == std::mem::discriminant(&taken_up.outcome);
    assert!(same, "{:?} {:?}\n{source}", alone.outcome, taken_up.outcome);
}

#[test]
fn verdicts_are_what_all_runs_say() {
    let (mut proved, mut refuted) = (0, 0);
    for seed in 0..200 {
        let source = Generator::program(seed);
        let program = load(&source);
        let Some(reached) = brute_force(&program) else { continue };
        let findings = verify(&program, &[ENOUGH.into()], None);
        check_verdict(&findings.outcome, reached, &source);
        match findings.outcome {
            Outcome::True => proved += 1,
            Outcome::False { .. } => refuted += 1,
            Outcome::Unknown { .. } => check_against_all_runs(&program, automaton(&findings), &source),
        }
    }
    assert!(proved > 5 && refuted > 30, "{proved} proved, {refuted} refuted");
}

/// Whatever the order, and whether states are merged or not: no verdict is wrong, and no condition either.
#[test]
fn every_order_is_right_with_and_without_merging() {
    let mut decided: FxHashMap<String, u32> = FxHashMap::default();
    for seed in 600..625 {
        let source = Generator::program(seed);
        let program = load(&source);
        let Some(reached) = brute_force(&program) else { continue };
        for order in [Order::DepthFirst, Order::BreadthFirst, Order::Topological] {
            for merge in [Merge::Separate, Merge::Join] {
                let mut options = Options { order, merge, ..Options::default() };
                options.limits.add(ENOUGH).expect("a limit");
                let budget = Budget::unlimited().with_time(Duration::from_millis(500));
                let findings = verify_with(&program, &options, None, &budget);
                check_verdict(&findings.outcome, reached, &source);
                if let Outcome::Unknown { .. } = findings.outcome {
                    check_against_all_runs(&program, automaton(&findings), &source);
                    let given = condition(&program, &findings, None);
                    check_verdict(&verify(&program, &[MORE.into()], Some(&given)).outcome, reached, &source);
                } else {
                    *decided.entry(format!("{order:?} {merge:?}")).or_default() += 1;
                }
            }
        }
    }
    assert!(decided.len() == 6 && decided.values().all(|&count| count > 3), "{decided:?}");
}

/// For every monitor: no violating path is excluded by the condition without being open, and a second run
/// that takes the condition up comes to the verdict that one run without limits comes to.
#[test]
fn what_a_limit_leaves_out_is_named_and_can_be_taken_up() {
    let mut random = Random(99);
    let mut stopped: FxHashMap<Limit, u32> = FxHashMap::default();
    for seed in 300..420 {
        let source = Generator::program(seed);
        let program = load(&source);
        let Some(reached) = brute_force(&program) else { continue };
        let alone = verify(&program, &[ENOUGH.into()], None);
        let limit = Limit::ALL[seed as usize % Limit::ALL.len()];
        let value = match limit {
            Limit::Time | Limit::PostTime | Limit::PathTime | Limit::RefineTime => "0s".to_string(),
            Limit::Memory | Limit::PostMemory | Limit::RefineMemory => "1".into(),
            Limit::FormulaSize => "10".into(),
            _ => (1 + random.below(12)).to_string(),
        };
        let mut limits = vec![format!("{}={value}", limit.name())];
        if limit != Limit::States {
            limits.push(ENOUGH.into());
        }
        let first = verify(&program, &limits, None);
        check_verdict(&first.outcome, reached, &source);
        if !matches!(first.outcome, Outcome::Unknown { .. }) {
            continue;
        }
        *stopped.entry(limit).or_default() += 1;
        check_against_all_runs(&program, automaton(&first), &source);
        let given = condition(&program, &first, None);
        let second = verify(&program, &[MORE.into()], Some(&given));
        check_verdict(&second.outcome, reached, &source);
        check_same(&program, &alone, Some(&given), &source);
    }
    let quiet: Vec<_> = Limit::ALL.iter().filter(|limit| !stopped.contains_key(limit)).collect();
    assert!(quiet.is_empty(), "these limits have never stopped a run: {quiet:?}");
}

/// Stopped after a random number of states, again and again, until the end.
#[test]
fn runs_stopped_at_random_moments_go_on() {
    let mut random = Random(5);
    let mut stops = 0;
    for seed in 500..535 {
        let source = Generator::program(seed);
        let program = load(&source);
        let Some(reached) = brute_force(&program) else { continue };
        let alone = verify(&program, &[ENOUGH.into()], None);
        let mut given: Option<Condition> = None;
        for round in 0..6 {
            let limit = format!("states={}", 1 + random.below(30) + 40 * round);
            let findings = verify(&program, &[limit], given.as_ref());
            check_verdict(&findings.outcome, reached, &source);
            if let Outcome::Unknown { .. } = findings.outcome {
                stops += 1;
                check_against_all_runs(&program, automaton(&findings), &source);
                given = Some(condition(&program, &findings, given.as_ref()));
            }
        }
        let last = verify(&program, &[MORE.into()], given.as_ref());
        check_verdict(&last.outcome, reached, &source);
        check_same(&program, &alone, given.as_ref(), &source);
    }
    assert!(stops >= 100, "only {stops} stops");
}

/// Cancelled from outside, as a signal does, at no particular moment.
#[test]
fn cancelled_runs_hand_in_a_condition() {
    let source = "int __VERIFIER_nondet_int(void); void reach_error(void);
        int main(void) { unsigned i = 0, j = 0; while (i < 200000) { if (__VERIFIER_nondet_int()) j++; i++; }
        if (i != 200000) reach_error(); return 0; }";
    let program = load(source);
    for round in 0..20 {
        let budget = Budget::unlimited().with_time(Duration::from_secs(60));
        let flag = budget.cancel_flag();
        let canceller = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_micros(300 * round));
            flag.store(true, std::sync::atomic::Ordering::Relaxed);
        });
        let findings = verify_within(&program, &[], None, &budget);
        canceller.join().expect("it only waits");
        assert!(matches!(findings.outcome, Outcome::Unknown { .. }), "{:?}", findings.outcome);
        condition(&program, &findings, None);
        assert_ne!(automaton(&findings).start, Target::Verified);
    }
}

/// The program of Fig. 2: a long loop before an assertion that does not hold.
const FIGURE_2: &str = "int nondet_int(void); void reach_error(void);
void check(int holds) { if (!holds) { reach_error(); } }
int main(void) {
  int x = 1;
  if (nondet_int()) {
    while (x < 10000) {
      x++;
    }
    check(x == 10000);
  } else {
    x = 0;
  }
  check(x != 0);
  return 0;
}
";

#[test]
fn figure_2_the_second_assertion_is_found_although_the_loop_is_cut() {
    let program = load(FIGURE_2);
    let limits = ["repeat-locations=10".to_string()];
    assert!(matches!(verify(&program, &limits, None).outcome, Outcome::False { .. }));
    // With the violation mended, the loop is what is left open.
    let program = load(&FIGURE_2.replace("x = 0;", "x = 7;"));
    let findings = verify(&program, &limits, None);
    assert!(matches!(findings.outcome, Outcome::Unknown { .. }));
    let open = &automaton(&findings).open;
    assert!(!open.is_empty() && open.iter().all(|place| (6..=7).contains(&place.line)), "{open:?}");
    assert!(matches!(verify(&program, &[], None).outcome, Outcome::True));
}

/// The program of Fig. 3. Here it is the loop that explicit values give up on.
const FIGURE_3: &str = "int nondet_int(void); void reach_error(void);
void check(int holds) { if (!holds) { reach_error(); } }
int main(void) {
  int p = nondet_int();
  if (p) {
    int i;
    for (i = 0; i < 30000; i++);
    check(i >= 30000);
  } else {
    int x = 5;
    int y = 6;
    int r = x * y;
    check(r >= x);
  }
  return 0;
}
";

#[test]
fn figure_3_one_place_is_open_and_the_other_branch_collapses_into_the_sink() {
    let program = load(FIGURE_3);
    let findings = verify(&program, &["repeat-locations=20".into()], None);
    let automaton = automaton(&findings);
    let lines: Vec<u32> = automaton.open.iter().map(|place| place.line).collect();
    assert_eq!(lines, [7], "{:?}", automaton.open);
    // Fig. 6: a chain to the open place, everything else goes to the sink.
    assert_eq!(automaton.start, Target::State(0));
    let first = &automaton.states[0].transitions;
    assert_eq!(first.len(), 2, "{first:?}");
    assert!(first.iter().all(|transition| transition.edge.line == 5));
    let sink = first.iter().find(|transition| transition.target == Target::Verified);
    let edge = task::condition::edge_named(&program, &sink.expect("one branch is verified").edge);
    let operation = cfa::expression::operation(&program, program.edges[edge.expect("it exists")].kind);
    assert_eq!(operation, "[!(p)]");
    assert_eq!(automaton.formula(), ["at main:7: false"]);
    // Another run takes it up and needs to look at the loop only.
    let given = condition(&program, &findings, None);
    assert!(matches!(verify(&program, &[], Some(&given)).outcome, Outcome::True));
}

//! Conditions survive each of their forms, and nothing that is read breaks the reader.

use super::*;

const SOURCE: &str = "void reach_error(void);
int nondet(void);
int main(void) {
  int p = nondet();
  for (int i = 0; i < 10; i++) { if (p == i) { p = 0; } }
  if (p < 3) { reach_error(); }
  while (nondet()) { p = 1; }
  return 0;
}
";

fn program(source: &str) -> Program {
    let loaded = frontend::load_text("a.c", source, sema::types::DataModel::Lp64);
    loaded.expect("the source is fine").program
}

fn goals() -> Vec<Goal> {
    vec![Goal::UnreachableCall("reach_error".into())]
}

/// A condition with one of everything.
fn example(program: &Program) -> Condition {
    let branches: Vec<cfa::EdgeId> =
        program.edges.ids().filter(|&e| program.leaving(program.edges[e].from).len() > 1).collect();
    let transition = |edge: usize, target| Transition {
        edge: EdgeName::of(program, branches[edge]),
        callee: None,
        target,
        assumption: None,
    };
    let states = vec![
        AutomatonState {
            transitions: vec![transition(0, Target::State(1)), transition(1, Target::Verified)],
        },
        AutomatonState {
            transitions: vec![Transition {
                assumption: Some("p >= 3".into()),
                ..transition(2, Target::Verified)
            }],
        },
    ];
    let open = vec![OpenPlace {
        function: "main".into(),
        line: 6,
        when: "p == 2".into(),
        because: "the limit path-length=20".into(),
    }];
    let mut condition = Condition::nothing(program, &goals());
    condition.assumptions.push("memory allocation succeeds".into());
    let loops = [("main:5".to_string(), 7)].into_iter().collect();
    let together = ["main:7".to_string()].into_iter().collect();
    condition.covered.push(Part::LoopBounds(LoopBounds { every_loop: 3, loops, together, recursion: 2 }));
    condition.covered.push(Part::Automaton(Automaton { start: Target::State(0), states, open }));
    condition
}

#[test]
fn text_and_json_are_read_back() {
    let program = program(SOURCE);
    let condition = example(&program);
    for form in
        [text::write(&condition, Some(&program)), text::write(&condition, None), json::write(&condition)]
    {
        assert_eq!(Condition::parse(&form, &program), Ok(condition.clone()), "{form}");
    }
}

#[test]
fn automaton_language_is_read_back() {
    let program = program(SOURCE);
    let mut condition = example(&program);
    condition.covered.remove(0);
    let Part::Automaton(automaton) = &mut condition.covered[0] else { panic!("an automaton") };
    automaton.open.clear();
    let form = cpachecker::write(&condition, &program).expect("it has an automaton");
    assert!(form.contains("STATE USEFIRST s0 :") && form.contains("GOTO __TRUE;"), "{form}");
    assert_eq!(Condition::parse(&form, &program), Ok(condition));
}

/// What a state of an automaton without edge names becomes, and where the automaton starts.
fn without_names(program: &Program, transitions: &str) -> (Target, Vec<Transition>) {
    let fingerprint = Fingerprint::of(program);
    let text = format!(
        "OBSERVER AUTOMATON AssumptionAutomaton\n/* program {fingerprint} */\nINITIAL STATE s;\n\
         STATE __TRUE :\n  TRUE -> ASSUME {{true}} GOTO __TRUE;\n\
         STATE USEFIRST s :\n{transitions}\nEND AUTOMATON\n"
    );
    let mut condition = Condition::parse(&text, program).expect("it is one of the program");
    match condition.covered.remove(0) {
        Part::Automaton(mut automaton) => (automaton.start, automaton.states.remove(0).transitions),
        Part::LoopBounds(_) => panic!("an automaton"),
    }
}

#[test]
fn statements_of_other_tools_are_matched_where_that_is_clear() {
    let program = program(SOURCE);
    let (start, transitions) = without_names(&program, "MATCH \"[p < 3]\" -> ASSUME {p > 1} GOTO __TRUE;");
    assert_eq!(start, Target::State(0));
    assert_eq!(transitions.len(), 1);
    assert_eq!((transitions[0].edge.line, transitions[0].target), (6, Target::Verified));
    assert_eq!(transitions[0].assumption.as_deref(), Some("p > 1"));
}

/// An automaton that may have gone elsewhere verifies nothing.
#[test]
fn states_that_may_be_left_unseen_are_open() {
    let program = program(SOURCE);
    let unclear = [
        "MATCH \"p = 0\" -> GOTO __FALSE;",
        "MATCH \"somewhere else\" -> GOTO __FALSE;",
        "TRUE -> GOTO __FALSE;",
        "MATCH \"[!(p < 3)]\" -> PRINT \"here\" ASSUME {p > 1} GOTO __TRUE;",
    ];
    for unclear in unclear {
        let text = format!("{unclear}\nMATCH \"[p < 3]\" -> GOTO __TRUE;");
        assert_eq!(without_names(&program, &text), (Target::Open, vec![]), "{unclear}");
    }
}

#[test]
fn a_condition_of_another_program_is_refused() {
    let (one, other) = (program(SOURCE), program(&SOURCE.replace("p < 3", "p < 4")));
    let form = text::write(&example(&one), None);
    assert!(matches!(Condition::parse(&form, &other), Err(ConditionError::OtherProgram { .. })));
    let condition = example(&one);
    assert!(condition.check_goals(&[Goal::NoOverflow]).is_err());
    assert!(condition.check_goals(&goals()).is_ok());
}

#[test]
fn the_same_program_in_another_model_is_another_program() {
    let narrow = frontend::load_text("a.c", SOURCE, sema::types::DataModel::Ilp32).expect("fine").program;
    assert_ne!(Fingerprint::of(&narrow), Fingerprint::of(&program(SOURCE)));
    assert_eq!(Fingerprint::of(&program(SOURCE)), Fingerprint::of(&program(SOURCE)));
}

#[test]
fn damaged_conditions_are_errors() {
    let program = program(SOURCE);
    let good = text::write(&example(&program), None);
    let bad = [
        ("", "does not begin"),
        ("hello", "expected 'proviso condition 1'"),
        (&good[..good.len() - 5], "stops before"),
        (&good.replace("-> s1", "-> s7"), "no state 7"),
        (&good.replace("main:5 comes", "main:99 comes"), "no loop"),
        (&good.replace("at most 7", "at most many"), "number"),
        (&good.replace("main:6 when", "main when"), "expected 'open"),
        ("{\"program\": 3}", "line 1"),
        ("OBSERVER AUTOMATON AssumptionAutomaton\nINITIAL STATE nowhere;\n", "no state 'nowhere'"),
    ];
    for (text, expected) in bad {
        let error = Condition::parse(text, &program).expect_err(expected).to_string();
        assert!(error.contains(expected), "{error} should contain {expected}");
    }
}

/// Cuts, doubled lines and changed bytes: an error or a condition, never a panic.
#[test]
fn mutilated_conditions_do_not_panic() {
    let program = program(SOURCE);
    let condition = example(&program);
    let forms = [
        text::write(&condition, None),
        json::write(&condition),
        cpachecker::write(&condition, &program).expect("it has an automaton"),
    ];
    let mut random = 12345u64;
    let mut next = |bound: usize| {
        random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (random >> 33) as usize % bound.max(1)
    };
    for round in 0..3000 {
        let mut bytes = forms[round % 3].clone().into_bytes();
        for _ in 0..=next(3) {
            let at = next(bytes.len());
            match next(4) {
                0 => bytes.truncate(at),
                1 => bytes.insert(at, b" {}[]:;#>\n9s/"[next(13)]),
                2 => drop((!bytes.is_empty()).then(|| bytes.remove(at))),
                _ => bytes.extend_from_within(at..),
            }
        }
        let text = String::from_utf8_lossy(&bytes);
        if let Ok(read) = Condition::parse(&text, &program) {
            assert!(read.check(&program).is_ok());
        }
    }
}

#[test]
fn deep_nesting_in_json_is_an_error() {
    let program = program(SOURCE);
    let deep = format!("{{\"program\":{}", "[".repeat(100_000));
    assert!(Condition::parse(&deep, &program).is_err());
}

//! Conditions as text, one statement a line.
//!
//! ```text
//! proviso condition 1
//! program 0123456789abcdef0123456789abcdef
//! goal unreach-call reach_error()
//! assuming memory allocation succeeds
//! covered loops
//!   every loop comes back at most 3 times
//!   main:12 comes back at most 7 times
//!   recursion at most 2 deep
//! covered automaton
//!   start s0
//!   state s0
//!     main:4#5 -> verified                  // [p]
//!     main:4#6 -> s1                        // [!(p)]
//!   state s1
//!     main:9#20 -> open                     // [!(r >= x)]
//!   open main:9 when r == 30 because of the limit path-length=20
//! end
//! ```
//!
//! `//` starts a comment; the operations there are for people.

use super::*;
use rustc_hash::FxHashMap;
use std::fmt::Write;

/// The text, with the operations of the edges as comments where the program is at hand.
pub fn write(condition: &Condition, program: Option<&Program>) -> String {
    let mut out = format!("proviso condition 1\nprogram {}\n", condition.program);
    // Writing to a string cannot fail.
    for goal in &condition.goals {
        let _ = writeln!(out, "goal {goal}");
    }
    for text in &condition.assumptions {
        let _ = writeln!(out, "assuming {text}");
    }
    for part in &condition.covered {
        match part {
            Part::LoopBounds(bounds) => write_bounds(&mut out, bounds),
            Part::Automaton(automaton) => write_automaton(&mut out, automaton, program),
        }
    }
    out.push_str("end\n");
    out
}

/// What has been verified, in short, for people.
pub fn summary(condition: &Condition) -> String {
    let mut out = String::new();
    for part in &condition.covered {
        match part {
            Part::LoopBounds(bounds) => summarise_bounds(&mut out, bounds),
            Part::Automaton(automaton) => summarise_automaton(&mut out, automaton),
        }
    }
    if !condition.covered.is_empty() {
        condition.assumptions.iter().for_each(|text| {
            let _ = writeln!(out, "assuming: {text}");
        });
    }
    out
}

fn summarise_bounds(out: &mut String, bounds: &LoopBounds) {
    let _ =
        write!(out, "verified: all runs in which no loop comes back more than {}", times(bounds.every_loop));
    for (name, bound) in &bounds.loops {
        let _ = write!(out, ", {name} not more than {}", times(*bound));
    }
    if !bounds.together.is_empty() {
        let names: Vec<&str> = bounds.together.iter().map(String::as_str).collect();
        let _ = write!(out, ", these taken together: {}", names.join(", "));
    }
    out.push('\n');
}

fn times(count: u32) -> String {
    if count == 1 { "once".into() } else { format!("{count} times") }
}

fn summarise_automaton(out: &mut String, automaton: &Automaton) {
    if automaton.start == Target::Verified {
        return out.push_str("verified: all runs\n");
    }
    out.push_str("verified: all runs but those that are open\n");
    let mut places: BTreeMap<(&str, u32, &str), Vec<&str>> = BTreeMap::new();
    for OpenPlace { function, line, when, because } in &automaton.open {
        places.entry((function, *line, because)).or_default().push(when);
    }
    for (&(function, line, because), states) in places.iter().take(MAX_SUMMARY) {
        let when = match states[..] {
            ["1"] => String::new(),
            [when] => format!(" when {when}"),
            _ => format!(" in {} states", states.len()),
        };
        let _ = writeln!(out, "open: from {function}:{line} on{when}, because {because}");
    }
    if let Some(more) = places.len().checked_sub(MAX_SUMMARY).filter(|&more| more > 0) {
        let _ = writeln!(out, "open: {more} more places");
    }
}

/// At most so many open places are told.
const MAX_SUMMARY: usize = 10;

fn write_bounds(out: &mut String, bounds: &LoopBounds) {
    let _ = writeln!(out, "covered loops\n  every loop comes back at most {} times", bounds.every_loop);
    for (name, bound) in &bounds.loops {
        let _ = writeln!(out, "  {name} comes back at most {bound} times");
    }
    for name in &bounds.together {
        let _ = writeln!(out, "  together {name}");
    }
    let _ = writeln!(out, "  recursion at most {} deep", bounds.recursion);
}

fn write_automaton<'a>(out: &mut String, automaton: &'a Automaton, program: Option<&'a Program>) {
    let mut operations = Operations { program, known: FxHashMap::default() };
    let _ = writeln!(out, "covered automaton\n  start {}", target_text(automaton.start));
    for (index, state) in automaton.states.iter().enumerate() {
        let _ = writeln!(out, "  state s{index}");
        for transition in &state.transitions {
            write_transition(out, transition, &mut operations);
        }
    }
    for open in &automaton.open {
        let OpenPlace { function, line, when, because } = open;
        let _ = writeln!(out, "  open {function}:{line} when {when} because {because}");
    }
}

/// The operations of edges, for comments: large automata name the same ones again and again.
struct Operations<'a> {
    program: Option<&'a Program>,
    known: FxHashMap<&'a EdgeName, String>,
}

impl<'a> Operations<'a> {
    fn comment(&mut self, name: &'a EdgeName) -> &str {
        let program = self.program;
        self.known.entry(name).or_insert_with(|| {
            let edge = program.and_then(|program| Some((program, edge_named(program, name)?)));
            edge.map_or(String::new(), |(program, edge)| {
                let operation = cfa::expression::operation(program, program.edges[edge].kind);
                format!("  // {}", operation.replace('\n', " "))
            })
        })
    }
}

fn write_transition<'a>(out: &mut String, transition: &'a Transition, operations: &mut Operations<'a>) {
    let mut line = format!("    {}", transition.edge);
    if let Some(callee) = &transition.callee {
        let _ = write!(line, " calling {callee}");
    }
    let _ = write!(line, " -> {}", target_text(transition.target));
    if let Some(assumption) = &transition.assumption {
        let _ = write!(line, " assuming {assumption}");
    }
    line.push_str(operations.comment(&transition.edge));
    out.push_str(&line);
    out.push('\n');
}

fn target_text(target: Target) -> String {
    match target {
        Target::Verified => "verified".into(),
        Target::Open => "open".into(),
        Target::State(index) => format!("s{index}"),
    }
}

pub(super) fn read(input: &str) -> Result<Condition, ConditionError> {
    let mut reader = Reader::default();
    for (index, line) in input.lines().enumerate() {
        let statement = line.split(" //").next().unwrap_or("").trim();
        if statement.is_empty() || statement.starts_with("//") {
            continue;
        }
        if reader.ended {
            return Err(ConditionError::Syntax { line: index + 1, message: "text after the end".into() });
        }
        reader.statement(statement).map_err(|message| ConditionError::Syntax { line: index + 1, message })?;
    }
    reader.finish()
}

#[derive(Default)]
struct Reader {
    started: bool,
    ended: bool,
    program: Option<Fingerprint>,
    goals: Vec<String>,
    assumptions: Vec<String>,
    covered: Vec<Part>,
}

impl Reader {
    fn finish(self) -> Result<Condition, ConditionError> {
        if !self.started {
            return Err(ConditionError::NotACondition("it does not begin with 'proviso condition 1'".into()));
        }
        if !self.ended {
            return Err(ConditionError::Damaged("it stops before its 'end'".into()));
        }
        let Some(program) = self.program else {
            return Err(ConditionError::Damaged("it does not say which program it is of".into()));
        };
        Ok(Condition { program, goals: self.goals, assumptions: self.assumptions, covered: self.covered })
    }

    fn statement(&mut self, text: &str) -> Result<(), String> {
        if !self.started {
            self.started = text == "proviso condition 1";
            return if self.started { Ok(()) } else { Err("expected 'proviso condition 1'".into()) };
        }
        let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
        match word {
            "program" => self.program = Some(rest.parse()?),
            "goal" => self.goals.push(rest.into()),
            "assuming" => self.assumptions.push(rest.into()),
            "covered" => self.covered.push(part(rest)?),
            "end" if rest.is_empty() => self.ended = true,
            _ => match self.covered.last_mut() {
                Some(Part::LoopBounds(bounds)) => bounds_statement(bounds, text)?,
                Some(Part::Automaton(automaton)) => automaton_statement(automaton, text)?,
                None => return Err(format!("unexpected '{}'", shortened(text))),
            },
        }
        Ok(())
    }
}

fn part(kind: &str) -> Result<Part, String> {
    match kind {
        "loops" => Ok(Part::LoopBounds(LoopBounds::default())),
        "automaton" => {
            Ok(Part::Automaton(Automaton { start: Target::Open, states: Vec::new(), open: Vec::new() }))
        }
        _ => Err(format!("unknown kind of part '{}': expected loops or automaton", shortened(kind))),
    }
}

fn bounds_statement(bounds: &mut LoopBounds, text: &str) -> Result<(), String> {
    let number = |text: &str| text.trim().parse::<u32>().map_err(|_| "expected a number".to_string());
    if let Some(depth) = text.strip_prefix("recursion at most ").and_then(|rest| rest.strip_suffix(" deep")) {
        bounds.recursion = number(depth)?;
        return Ok(());
    }
    if let Some(name) = text.strip_prefix("together ") {
        bounds.together.insert(name.into());
        return Ok(());
    }
    let parts = text.strip_suffix(" times").and_then(|rest| rest.split_once(" comes back at most "));
    let Some((name, bound)) = parts else { return Err(format!("unexpected '{}'", shortened(text))) };
    let bound = number(bound)?;
    match name {
        "every loop" => bounds.every_loop = bound,
        _ => drop(bounds.loops.insert(name.into(), bound)),
    }
    Ok(())
}

fn automaton_statement(automaton: &mut Automaton, text: &str) -> Result<(), String> {
    if let Some(start) = text.strip_prefix("start ") {
        automaton.start = target(start)?;
        return Ok(());
    }
    if let Some(name) = text.strip_prefix("state ") {
        if name != format!("s{}", automaton.states.len()) {
            return Err(format!("expected state s{}", automaton.states.len()));
        }
        automaton.states.push(AutomatonState::default());
        return Ok(());
    }
    if let Some(rest) = text.strip_prefix("open ") {
        automaton.open.push(open_place(rest)?);
        return Ok(());
    }
    let Some(state) = automaton.states.last_mut() else {
        return Err("a transition outside of a state".into());
    };
    state.transitions.push(transition(text)?);
    Ok(())
}

fn open_place(text: &str) -> Result<OpenPlace, String> {
    let parts = || {
        let (place, rest) = text.split_once(" when ")?;
        let (when, because) = rest.split_once(" because ")?;
        let (function, line) = place.rsplit_once(':')?;
        let line = line.parse().ok()?;
        Some(OpenPlace { function: function.into(), line, when: when.into(), because: because.into() })
    };
    parts().ok_or_else(|| "expected 'open function:line when … because …'".into())
}

fn transition(text: &str) -> Result<Transition, String> {
    let (source, rest) = text.split_once(" -> ").ok_or("expected 'edge -> state'")?;
    let (edge, callee) = match source.split_once(" calling ") {
        Some((edge, callee)) => (edge, Some(callee.trim().to_string())),
        None => (source, None),
    };
    let (goal, assumption) = match rest.split_once(" assuming ") {
        Some((goal, assumption)) => (goal, Some(assumption.trim().to_string())),
        None => (rest, None),
    };
    Ok(Transition { edge: edge.trim().parse()?, callee, target: target(goal.trim())?, assumption })
}

fn target(text: &str) -> Result<Target, String> {
    match text {
        "verified" => Ok(Target::Verified),
        "open" => Ok(Target::Open),
        _ => match text.strip_prefix('s').and_then(|number| number.parse().ok()) {
            Some(index) => Ok(Target::State(index)),
            None => Err(format!("'{}' is no state", shortened(text))),
        },
    }
}

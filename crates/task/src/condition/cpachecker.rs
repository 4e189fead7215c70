//! Assumption automata in CPAchecker's automaton language.
//!
//! ```text
//! OBSERVER AUTOMATON AssumptionAutomaton
//!
//! INITIAL STATE s0;
//!
//! STATE __TRUE :
//!     TRUE -> ASSUME {true} GOTO __TRUE;
//!
//! STATE USEFIRST s0 :
//!     MATCH "[p]" -> GOTO __TRUE;
//!
//! END AUTOMATON
//! ```
//!
//! Statements are matched by their text there. So that our own automata can be read back exactly, each
//! transition carries the edge's name in a comment, and the head the program's fingerprint and the goals;
//! text without names, from another tool, is read with the statements matched against the program where
//! they are unambiguous decisions. Where a state has any other transition, we do not know when the automaton
//! leaves it, so that the state is open. Only the first automaton part of a condition can be said in this
//! language.

use super::*;
use cfa::{EdgeId, EdgeKind};
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt::Write;

const SINK: &str = "__TRUE";
const OPEN: &str = "__FALSE";

/// The first automaton of a condition, if it has one.
pub fn write(condition: &Condition, program: &Program) -> Option<String> {
    let automaton = condition.covered.iter().find_map(|part| match part {
        Part::Automaton(automaton) => Some(automaton),
        Part::LoopBounds(_) => None,
    })?;
    let mut out = String::from("OBSERVER AUTOMATON AssumptionAutomaton\n");
    let _ = writeln!(out, "/* program {} */", condition.program);
    for goal in &condition.goals {
        let _ = writeln!(out, "/* goal {goal} */");
    }
    for text in &condition.assumptions {
        let _ = writeln!(out, "/* assuming {text} */");
    }
    let _ = writeln!(out, "\nINITIAL STATE {};", state_name(automaton.start));
    let _ = writeln!(out, "\nSTATE {SINK} :\n    TRUE -> ASSUME {{true}} GOTO {SINK};");
    let _ = writeln!(out, "\nSTATE {OPEN} :\n    TRUE -> ASSUME {{false}} GOTO {OPEN};");
    for (index, state) in automaton.states.iter().enumerate() {
        let _ = writeln!(out, "\nSTATE USEFIRST s{index} :");
        state.transitions.iter().for_each(|transition| write_transition(&mut out, transition, program));
    }
    out.push_str("\nEND AUTOMATON\n");
    Some(out)
}

fn write_transition(out: &mut String, transition: &Transition, program: &Program) {
    let statement =
        edge_named(program, &transition.edge).map_or(String::new(), |edge| statement(program, edge));
    let escaped = statement.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', " ");
    let _ = write!(out, "    MATCH \"{escaped}\" -> ");
    if let Some(assumption) = &transition.assumption {
        let _ = write!(out, "ASSUME {{{assumption}}} ");
    }
    let _ = write!(out, "GOTO {}; /* {}", state_name(transition.target), transition.edge);
    if let Some(callee) = &transition.callee {
        let _ = write!(out, " calling {callee}");
    }
    out.push_str(" */\n");
}

fn statement(program: &Program, edge: EdgeId) -> String {
    cfa::expression::operation(program, program.edges[edge].kind)
}

fn state_name(target: Target) -> String {
    match target {
        Target::Verified => SINK.into(),
        Target::Open => OPEN.into(),
        Target::State(index) => format!("s{index}"),
    }
}

pub(super) fn read(input: &str, program: &Program) -> Result<Condition, ConditionError> {
    let mut reader = Reader::new(program);
    reader.collect_states(input)?;
    for (index, line) in input.lines().enumerate() {
        reader.line(line.trim()).map_err(|message| ConditionError::Syntax { line: index + 1, message })?;
    }
    reader.finish()
}

struct Reader<'p> {
    program: &'p Program,
    fingerprint: Option<Fingerprint>,
    goals: Vec<String>,
    assumptions: Vec<String>,
    names: FxHashMap<String, Target>,
    edges: EdgeNames<'p>,
    automaton: Automaton,
    /// The state whose transitions are being read; the sink's are not kept.
    current: Option<u32>,
    /// States with a transition of which we do not know when it is taken.
    unclear: FxHashSet<u32>,
    ended: bool,
}

impl<'p> Reader<'p> {
    fn new(program: &'p Program) -> Self {
        let names = [(SINK.to_string(), Target::Verified), (OPEN.to_string(), Target::Open)];
        Self {
            program,
            fingerprint: None,
            goals: Vec::new(),
            assumptions: Vec::new(),
            names: names.into_iter().collect(),
            edges: EdgeNames::new(program),
            automaton: Automaton { start: Target::Open, states: Vec::new(), open: Vec::new() },
            current: None,
            unclear: FxHashSet::default(),
            ended: false,
        }
    }

    /// States may be named before they are described.
    fn collect_states(&mut self, input: &str) -> Result<(), ConditionError> {
        for line in input.lines() {
            if let Some(name) = state_head(line.trim())
                && !self.names.contains_key(name)
            {
                let index = self.automaton.states.len();
                if index >= automaton::MAX_STATES {
                    return Err(ConditionError::TooLarge("too many states".into()));
                }
                self.names.insert(name.into(), Target::State(index as u32));
                self.automaton.states.push(AutomatonState::default());
            }
        }
        Ok(())
    }

    fn line(&mut self, line: &str) -> Result<(), String> {
        if let Some(comment) = line.strip_prefix("/*").and_then(|rest| rest.strip_suffix("*/")) {
            return self.comment(comment.trim());
        }
        if line.is_empty() || line.starts_with("OBSERVER AUTOMATON") {
            return Ok(());
        }
        if let Some(name) = line.strip_prefix("INITIAL STATE ") {
            self.automaton.start = self.target(name.trim_end_matches(';'))?;
        } else if let Some(name) = state_head(line) {
            self.current = match self.names[name] {
                Target::State(index) => Some(index),
                _ => None,
            };
        } else if line == "END AUTOMATON" {
            self.ended = true;
        } else {
            self.transition(line)?;
        }
        Ok(())
    }

    fn comment(&mut self, text: &str) -> Result<(), String> {
        match text.split_once(' ') {
            Some(("program", rest)) => self.fingerprint = Some(rest.trim().parse()?),
            Some(("goal", rest)) => self.goals.push(rest.trim().into()),
            Some(("assuming", rest)) => self.assumptions.push(rest.trim().into()),
            _ => {}
        }
        Ok(())
    }

    fn target(&self, name: &str) -> Result<Target, String> {
        self.names.get(name.trim()).copied().ok_or_else(|| format!("there is no state '{}'", shortened(name)))
    }

    fn transition(&mut self, line: &str) -> Result<(), String> {
        let Some(current) = self.current else { return Ok(()) };
        let (trigger, rest) = line.split_once("-> ").ok_or("expected 'trigger -> … GOTO state;'")?;
        let (action, goal) = rest.split_once("GOTO ").ok_or("expected GOTO")?;
        let (goal, comment) = goal.split_once(';').ok_or("expected ';'")?;
        let target = self.target(goal)?;
        let name = comment.trim().strip_prefix("/*").and_then(|rest| rest.strip_suffix("*/"));
        let decision = match name {
            Some(name) => Some(named(name.trim())?),
            None => self.by_statement(trigger.trim()).map(|edge| (EdgeName::of(self.program, edge), None)),
        };
        match (decision, assumed(action.trim())) {
            (Some((edge, callee)), Some(assumption)) if self.is_decision(&edge, callee.is_some()) => {
                let transition = Transition { edge, callee, target, assumption };
                self.automaton.states[current as usize].transitions.push(transition);
            }
            _ => drop(self.unclear.insert(current)),
        }
        Ok(())
    }

    /// An automaton would never take the transition otherwise. What does not exist is reported later.
    fn is_decision(&mut self, name: &EdgeName, has_callee: bool) -> bool {
        self.edges.edge(name).is_none_or(|edge| {
            automaton::is_decision(self.program, edge)
                && has_callee == matches!(self.program.edges[edge].kind, EdgeKind::Call(_))
        })
    }

    /// The only edge with that text.
    fn by_statement(&self, trigger: &str) -> Option<EdgeId> {
        let text = trigger.strip_prefix("MATCH \"")?.strip_suffix('"')?;
        let text = text.replace("\\\"", "\"").replace("\\\\", "\\");
        let mut matching = self.program.edges.ids().filter(|&edge| statement(self.program, edge) == text);
        let edge = matching.next()?;
        matching.next().is_none().then_some(edge)
    }

    /// States of which we do not know when they are left are open.
    fn give_up_unclear(&mut self) {
        let unclear = &self.unclear;
        let settle = |target: &mut Target| {
            if matches!(target, Target::State(state) if unclear.contains(state)) {
                *target = Target::Open;
            }
        };
        settle(&mut self.automaton.start);
        for (index, state) in self.automaton.states.iter_mut().enumerate() {
            if unclear.contains(&(index as u32)) {
                state.transitions.clear();
            }
            state.transitions.iter_mut().for_each(|transition| settle(&mut transition.target));
        }
    }

    fn finish(mut self) -> Result<Condition, ConditionError> {
        self.give_up_unclear();
        if !self.ended {
            return Err(ConditionError::Damaged("it stops before END AUTOMATON".into()));
        }
        let program = self.fingerprint.ok_or_else(|| {
            ConditionError::Damaged("it does not say which program it is of (a comment 'program …')".into())
        })?;
        let covered = vec![Part::Automaton(self.automaton)];
        Ok(Condition { program, goals: self.goals, assumptions: self.assumptions, covered })
    }
}

/// The name in `STATE USEFIRST name :`.
fn state_head(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("STATE ")?.strip_suffix(':')?.trim();
    Some(rest.strip_prefix("USEFIRST ").unwrap_or(rest).trim())
}

/// The assumption of a transition, if it has one; nothing if it does something else.
fn assumed(action: &str) -> Option<Option<String>> {
    if action.is_empty() {
        return Some(None);
    }
    let text = action.strip_prefix("ASSUME {")?.strip_suffix('}')?;
    Some((text != "true").then(|| text.into()))
}

fn named(text: &str) -> Result<(EdgeName, Option<String>), String> {
    match text.split_once(" calling ") {
        Some((edge, callee)) => Ok((edge.trim().parse()?, Some(callee.trim().into()))),
        None => Ok((text.parse()?, None)),
    }
}

//! Assumption automata: which executions are verified, told by the decisions that they take.
//!
//! The automaton runs beside the program. A *decision* is an edge out of a location with several edges,
//! or which function a call through a pointer enters; every other step leaves the automaton where it is.
//! On a decision it takes the transition that names it, or goes to [`Target::Open`] if there is none.
//! Where it is at [`Target::Verified`], all that can follow is free of violations: the sink of the paper
//! ("parts of the ART where the assumption is always true are collapsed into a single sink state").
//! At [`Target::Open`], nothing is known of what follows.

use super::{ConditionError, EdgeName, EdgeNames, MAX_TEXT, function_named, shortened};
use cfa::{Callee, EdgeId, EdgeKind, Program};
use serde::{Deserialize, Serialize};

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Automaton {
    pub start: Target,
    pub states: Vec<AutomatonState>,
    /// What is left open, for people and as the assumption formula by location.
    #[serde(default)]
    pub open: Vec<OpenPlace>,
}

#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AutomatonState {
    pub transitions: Vec<Transition>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Transition {
    pub edge: EdgeName,
    /// The function that is entered, if the edge is a call through a pointer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub callee: Option<String>,
    pub target: Target,
    /// The target holds only under this assumption, a C expression over the program's variables after the
    /// edge; otherwise nothing is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assumption: Option<String>,
}

/// Where the automaton is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Target {
    /// All that can follow is free of violations.
    Verified,
    /// Nothing is known of what follows.
    Open,
    /// An index into [`Automaton::states`].
    State(u32),
}

/// A place of the program from which on something is open: `pc = line ⇒ !(when)` is the assumption.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OpenPlace {
    pub function: String,
    pub line: u32,
    /// The states that are open, as a C expression over the program's variables; `1` for all.
    pub when: String,
    /// Why, in plain words.
    pub because: String,
}

/// What automata decide on: an edge of several, and the function that a pointer points to.
pub fn is_decision(program: &Program, edge: EdgeId) -> bool {
    let edge = program.edges[edge];
    match edge.kind {
        EdgeKind::Call(call) => matches!(program.calls[call].callee, Callee::Indirect(_)),
        _ => program.locations[edge.from].edge_count > 1,
    }
}

/// The most states that are read.
pub const MAX_STATES: usize = 4 << 20;

impl Automaton {
    /// Everything is verified.
    pub fn everything() -> Self {
        Self { start: Target::Verified, states: Vec::new(), open: Vec::new() }
    }

    /// The assumption formula by location, in the order of the text.
    pub fn formula(&self) -> Vec<String> {
        let mut lines: Vec<String> = self
            .open
            .iter()
            .map(|open| match open.when.as_str() {
                "1" => format!("at {}:{}: false", open.function, open.line),
                when => format!("at {}:{}: !({when})", open.function, open.line),
            })
            .collect();
        lines.sort();
        lines.dedup();
        lines
    }

    pub(super) fn check(&self, program: &Program) -> Result<(), ConditionError> {
        if self.states.len() > MAX_STATES {
            return Err(ConditionError::TooLarge(format!("{} states", self.states.len())));
        }
        self.check_target(self.start)?;
        let mut names = EdgeNames::new(program);
        for transition in self.states.iter().flat_map(|state| &state.transitions) {
            self.check_target(transition.target)?;
            check_transition(transition, program, &mut names)?;
        }
        self.open.iter().try_for_each(check_open)
    }

    fn check_target(&self, target: Target) -> Result<(), ConditionError> {
        match target {
            Target::State(index) if index as usize >= self.states.len() => {
                Err(ConditionError::Damaged(format!("there is no state {index}")))
            }
            _ => Ok(()),
        }
    }
}

fn check_transition(
    transition: &Transition,
    program: &Program,
    names: &mut EdgeNames<'_>,
) -> Result<(), ConditionError> {
    if names.edge(&transition.edge).is_none() {
        let name = shortened(&transition.edge.to_string());
        return Err(ConditionError::Damaged(format!("there is no edge '{name}'")));
    }
    if let Some(callee) = &transition.callee
        && function_named(program, callee).is_none()
    {
        return Err(ConditionError::Damaged(format!("there is no function '{}'", shortened(callee))));
    }
    match &transition.assumption {
        Some(text) if text.len() > MAX_TEXT || text.contains('\n') => {
            Err(ConditionError::TooLarge("an assumption in it".into()))
        }
        _ => Ok(()),
    }
}

fn check_open(open: &OpenPlace) -> Result<(), ConditionError> {
    let texts = [&open.function, &open.when, &open.because];
    if texts.iter().any(|text| text.len() > MAX_TEXT || text.contains('\n')) {
        return Err(ConditionError::TooLarge("the description of what is open".into()));
    }
    Ok(())
}

//! Conditions as input: assumption automata run beside the program, and a path ends where one of them says
//! that all that follows is verified.

use crate::assumption::Assumption;
use crate::composite::{Decision, Facts, Step, Taken};
use crate::monitors::Limit;
use cfa::{EdgeId, FunctionId, Program};
use cpa::{Component, Onward};
use rustc_hash::{FxHashMap, FxHashSet};
use task::condition::{Automaton, Condition, EdgeNames, Part, Target, function_named};

/// Where all automata are, as one number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct AutomatonState(pub u32);

const OPEN: u32 = u32::MAX;
const VERIFIED: u32 = u32::MAX - 1;

/// The automata of a condition, side by side.
pub struct Automata {
    transitions: Vec<Transitions>,
    /// The decisions that each automaton knows in each of its states.
    known: Vec<FxHashMap<u32, Vec<Choice>>>,
    states: Vec<Box<[u32]>>,
    ids: FxHashMap<Box<[u32]>, AutomatonState>,
    /// Some transition is under an assumption.
    has_assumptions: bool,
    /// Where they are now.
    current: AutomatonState,
    /// `None` if the condition covers everything.
    pub start: Option<AutomatonState>,
}

type Transitions = FxHashMap<(u32, EdgeId, Option<FunctionId>), Next>;

/// An edge of several, or the function that a call through a pointer enters.
type Choice = (EdgeId, Option<FunctionId>);

/// Where a transition leads, and under which assumption.
struct Next {
    target: u32,
    assumption: Option<Proviso>,
}

/// What has to hold after the edge.
enum Proviso {
    /// It cannot be told.
    Never,
    If(Assumption),
}

fn state_of(target: Target) -> u32 {
    match target {
        Target::Verified => VERIFIED,
        Target::Open => OPEN,
        Target::State(index) => index,
    }
}

impl Automata {
    /// The automata of a condition, or none.
    pub fn new(program: &Program, condition: Option<&Condition>) -> Self {
        let parts = condition.into_iter().flat_map(|condition| &condition.covered);
        let automata: Vec<&Automaton> = parts
            .filter_map(|part| match part {
                Part::Automaton(automaton) => Some(automaton),
                Part::LoopBounds(_) => None,
            })
            .collect();
        let transitions: Vec<Transitions> =
            automata.iter().map(|automaton| transitions(program, automaton)).collect();
        let all =
            automata.iter().flat_map(|automaton| &automaton.states).flat_map(|state| &state.transitions);
        let has_assumptions = all.into_iter().any(|transition| transition.assumption.is_some());
        let (states, ids) = (Vec::new(), FxHashMap::default());
        let known = transitions.iter().map(decisions_by_state).collect();
        let current = AutomatonState(0);
        let mut own = Self { transitions, known, states, ids, has_assumptions, current, start: None };
        let start: Box<[u32]> = automata.iter().map(|automaton| state_of(automaton.start)).collect();
        own.start = own.intern(start);
        own
    }

    /// `None` if one of the automata says that everything is verified from here on.
    fn intern(&mut self, state: Box<[u32]>) -> Option<AutomatonState> {
        if state.contains(&VERIFIED) {
            return None;
        }
        if let Some(&id) = self.ids.get(&state) {
            return Some(id);
        }
        let id = AutomatonState(self.states.len() as u32);
        self.states.push(state.clone());
        self.ids.insert(state, id);
        Some(id)
    }

    /// All that can be reached by decisions, if that is not more than so much: otherwise nothing.
    pub fn reachable(&mut self, most: usize) -> Vec<AutomatonState> {
        let mut found: Vec<AutomatonState> = self.start.into_iter().collect();
        let mut known: FxHashSet<AutomatonState> = found.iter().copied().collect();
        let mut next = 0;
        while let Some(&state) = found.get(next) {
            next += 1;
            for (edge, callee) in self.decisions(state) {
                if let Some(target) = self.decide(state, edge, callee)
                    && !self.is_open(target)
                    && known.insert(target)
                {
                    found.push(target);
                }
            }
            if found.len() > most {
                return Vec::new();
            }
        }
        found
    }

    /// The edges of decisions that some automaton knows at a state.
    pub fn edges(&self, state: AutomatonState) -> impl Iterator<Item = EdgeId> + '_ {
        self.decisions(state).into_iter().map(|(edge, _)| edge)
    }

    fn decisions(&self, state: AutomatonState) -> Vec<Choice> {
        let states = self.states[state.0 as usize].iter();
        let known = states.zip(&self.known).filter_map(|(state, known)| known.get(state));
        let mut decisions: Vec<Choice> = known.flatten().copied().collect();
        decisions.sort_unstable();
        decisions.dedup();
        decisions
    }

    /// No automaton will ever say that something is verified again.
    pub fn is_open(&self, state: AutomatonState) -> bool {
        self.states[state.0 as usize].iter().all(|&state| state == OPEN)
    }

    /// Takes a decision: an edge of several, or which function a call through a pointer enters. Transitions
    /// under an assumption are not taken.
    pub fn decide(
        &mut self,
        state: AutomatonState,
        edge: EdgeId,
        callee: Option<FunctionId>,
    ) -> Option<AutomatonState> {
        self.decide_if(state, edge, callee, |_| false)
    }

    /// The same, with those under an assumption that holds.
    fn decide_if(
        &mut self,
        state: AutomatonState,
        edge: EdgeId,
        callee: Option<FunctionId>,
        holds: impl Fn(&Assumption) -> bool,
    ) -> Option<AutomatonState> {
        let states = &self.states[state.0 as usize];
        if states.iter().all(|&state| state == OPEN) {
            return Some(state);
        }
        let follow = |(&state, table): (&u32, &Transitions)| match state {
            OPEN => OPEN,
            _ => match table.get(&(state, edge, callee)) {
                Some(Next { target, assumption: None }) => *target,
                Some(Next { target, assumption: Some(Proviso::If(assumption)) }) if holds(assumption) => {
                    *target
                }
                _ => OPEN,
            },
        };
        let next = states.iter().zip(&self.transitions).map(follow).collect();
        self.intern(next)
    }

    /// Where the decision leads is where the automata are now.
    fn follow(&mut self, next: Option<AutomatonState>) -> Onward<Limit> {
        self.current = next.unwrap_or(self.current);
        if next.is_some() { Onward::On } else { Onward::Verified }
    }
}

impl<'f> Component<Step, dyn Facts + 'f> for Automata {
    type State = AutomatonState;
    type Key = AutomatonState;
    type Reason = Limit;

    #[inline]
    fn load(&mut self, state: AutomatonState) {
        self.current = state;
    }

    /// Decisions, unless they wait for what is known behind the edge.
    #[inline]
    fn transfer(&mut self, step: &Step) -> Onward<Limit> {
        match *step {
            Step::Take(Taken { edge, decision: Decision::Branch, .. }) if !self.has_assumptions => {
                let next = self.decide(self.current, edge, None);
                self.follow(next)
            }
            Step::Take(Taken { edge, decision: Decision::Callee(function), .. }) => {
                let next = self.decide(self.current, edge, Some(function));
                self.follow(next)
            }
            _ => Onward::On,
        }
    }

    #[inline]
    fn strengthen(&mut self, step: &Step, facts: &(dyn Facts + 'f)) -> Onward<Limit> {
        match *step {
            Step::Take(Taken { edge, decision: Decision::Branch, .. }) if self.has_assumptions => {
                let next = self.decide_if(self.current, edge, None, |assumption| assumption.holds(facts));
                self.follow(next)
            }
            _ => Onward::On,
        }
    }

    #[inline]
    fn store(&mut self) -> AutomatonState {
        self.current
    }

    #[inline]
    fn key(&self, state: AutomatonState) -> AutomatonState {
        state
    }
}

fn decisions_by_state(transitions: &Transitions) -> FxHashMap<u32, Vec<Choice>> {
    let mut known: FxHashMap<u32, Vec<Choice>> = FxHashMap::default();
    for &(state, edge, callee) in transitions.keys() {
        known.entry(state).or_default().push((edge, callee));
    }
    known
}

/// Of several transitions that name the same decision, the first counts.
fn transitions(program: &Program, automaton: &Automaton) -> Transitions {
    let (mut table, mut names) = (Transitions::default(), EdgeNames::new(program));
    for (index, state) in automaton.states.iter().enumerate() {
        for transition in &state.transitions {
            let callee = transition.callee.as_ref().and_then(|name| function_named(program, name));
            let Some(edge) = names.edge(&transition.edge) else { continue };
            let function = program.locations[program.edges[edge].from].function;
            let assumption = transition.assumption.as_ref().map(|text| {
                let parsed = Assumption::parse(text, program, function).filter(|_| callee.is_none());
                parsed.map_or(Proviso::Never, Proviso::If)
            });
            let next = Next { target: state_of(transition.target), assumption };
            table.entry((index as u32, edge, callee)).or_insert(next);
        }
    }
    table
}

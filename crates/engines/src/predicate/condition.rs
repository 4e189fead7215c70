//! What a stopped run has verified, as an assumption automaton.
//!
//! The search goes layer by layer: when `n` layers have been looked at, no execution in which loops come back
//! to their heads less than `n` times, all in all, violates the property. The automaton follows the program
//! along its decisions, with a stack of calls, and counts. Where too many loops have come back, nothing is
//! known; where none can come back any more, everything is verified.

use crate::explicit::minimise::{self, State as Merged};
use crate::outcome::Task;
use cfa::{Callee, EdgeId, EdgeKind, FunctionId, LocationId};
use rustc_hash::FxHashMap;
use task::condition::{Automaton, AutomatonState, EdgeName, OpenPlace, Target, Transition};

/// More positions than these are not told apart: they are open.
const MAX_STATES: usize = 20_000;
/// Calls on the stack beyond this number are not followed: they are open.
const DEEPEST: usize = 200;

/// The automaton of all executions in which loops come back less than so many times.
pub fn automaton(task: Task<'_>, returns: u32, open: Vec<OpenPlace>) -> Automaton {
    let mut builder =
        Builder { task, returns, states: Vec::new(), ids: FxHashMap::default(), work: Vec::new() };
    let body = task.program.functions[task.program.entry].body.as_ref();
    let start = match body {
        Some(body) => builder.target(Position { calls: Vec::new(), location: body.entry, count: 0 }),
        None => Target::Verified,
    };
    let mut next = 0;
    while let Some(position) = builder.work.get(next).cloned() {
        let steps = builder.steps(&position);
        builder.states.push(steps);
        next += 1;
    }
    let (start, states) =
        minimise::minimise(start, builder.states.iter().cloned().map(Merged::Decides).collect());
    let states = states.iter().map(|steps| builder.named(steps)).collect();
    Automaton { start, states, open }
}

/// Where an execution is.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Position {
    /// Edges of the calls that have not returned.
    calls: Vec<EdgeId>,
    location: LocationId,
    /// How often loops have come back.
    count: u32,
}

type Step = (u32, Option<u32>, Target);

struct Builder<'p> {
    task: Task<'p>,
    returns: u32,
    /// Transitions of each position at a decision, in the order of `work`.
    states: Vec<Vec<Step>>,
    ids: FxHashMap<Position, u32>,
    work: Vec<Position>,
}

impl Builder<'_> {
    /// The state of the automaton at a position: straight lines do not count.
    fn target(&mut self, mut position: Position) -> Target {
        // A line that meets no decision goes round for ever, or ends.
        for _ in 0..self.task.program.edges.len() * (position.calls.len() + 1) + 1 {
            if position.count >= self.returns || position.calls.len() > DEEPEST {
                return Target::Open;
            }
            match self.next(&position) {
                Next::Decision => return self.state(position),
                Next::Nothing => return Target::Verified,
                Next::Position(next) => position = next,
            }
        }
        Target::Open
    }

    fn state(&mut self, position: Position) -> Target {
        if let Some(&id) = self.ids.get(&position) {
            return Target::State(id);
        }
        if self.work.len() >= MAX_STATES {
            return Target::Open;
        }
        let id = self.work.len() as u32;
        self.ids.insert(position.clone(), id);
        self.work.push(position);
        Target::State(id)
    }

    /// What follows a position.
    fn next(&self, position: &Position) -> Next {
        let program = self.task.program;
        let mut edges = program.leaving_ids(position.location);
        if let Some(next) = self.leave(position) {
            return next;
        }
        match (edges.next(), edges.next()) {
            (None, _) => Next::Nothing,
            (Some(_), Some(_)) => Next::Decision,
            (Some(edge), None) => match program.edges[edge].kind {
                EdgeKind::Call(call) => match program.calls[call].callee {
                    Callee::Indirect(_) => Next::Decision,
                    Callee::Direct(function) => Next::Position(self.call(position, edge, function)),
                },
                _ => Next::Position(self.along(position, edge)),
            },
        }
    }

    /// Returning, if the position is at the end of its function.
    fn leave(&self, position: &Position) -> Option<Next> {
        let program = self.task.program;
        let function = program.locations[position.location].function;
        let body = program.functions[function].body.as_ref()?;
        if body.exit != position.location {
            return None;
        }
        let mut calls = position.calls.clone();
        Some(match calls.pop() {
            Some(edge) => Next::Position(self.along(&Position { calls, ..position.clone() }, edge)),
            None => Next::Nothing,
        })
    }

    fn call(&self, position: &Position, edge: EdgeId, function: FunctionId) -> Position {
        match &self.task.program.functions[function].body {
            Some(body) => {
                let mut calls = position.calls.clone();
                calls.push(edge);
                Position { calls, location: body.entry, count: position.count }
            }
            None => self.along(position, edge),
        }
    }

    fn along(&self, position: &Position, edge: EdgeId) -> Position {
        let edge = self.task.program.edges[edge];
        let loops = &self.task.analyses.loops;
        let comes_back = loops.headed_by(edge.to).is_some_and(|id| loops.contains(id, edge.from));
        let count = position.count + u32::from(comes_back);
        Position { calls: position.calls.clone(), location: edge.to, count }
    }

    /// The transitions of a position at a decision.
    fn steps(&mut self, position: &Position) -> Vec<Step> {
        let program = self.task.program;
        let mut steps = Vec::new();
        for edge in program.leaving_ids(position.location) {
            let EdgeKind::Call(call) = program.edges[edge].kind else {
                let target = self.target(self.along(position, edge));
                steps.push((edge.0, None, target));
                continue;
            };
            let callees = match program.calls[call].callee {
                Callee::Direct(function) => vec![(function, None)],
                Callee::Indirect(_) => {
                    let callees = self.task.analyses.points_to.callees(edge);
                    callees.iter().map(|&function| (function, Some(function.0))).collect()
                }
            };
            for (function, name) in callees {
                let target = self.target(self.call(position, edge, function));
                steps.push((edge.0, name, target));
            }
        }
        steps.sort_unstable();
        steps.dedup();
        steps
    }

    fn named(&self, steps: &[Step]) -> AutomatonState {
        let program = self.task.program;
        let name = |&(edge, callee, target): &Step| Transition {
            edge: EdgeName::of(program, EdgeId(edge)),
            callee: callee.map(|function| program.function_name(FunctionId(function)).to_string()),
            target,
            assumption: None,
        };
        AutomatonState { transitions: steps.iter().map(name).collect() }
    }
}

enum Next {
    /// It depends on values.
    Decision,
    Position(Position),
    /// The execution ends.
    Nothing,
}

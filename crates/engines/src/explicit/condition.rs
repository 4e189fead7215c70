//! From the reached set and the waitlist to a condition.
//!
//! The post-processing of the paper: what still waits, what belongs to an alarm, and what a monitor has cut
//! is open; every other state is verified. A state of the automaton is a node of the graph from which
//! something open can be reached; all others collapse into `verified`. Between two nodes lies a straight
//! line, whose decided branches become states of their own. At last, states that cannot be told apart are
//! merged, and those that lead to `open` only are `open`.

use super::Engine;
use super::analysis::Choice;
use super::minimise;
use cfa::{EdgeKind, LocationId};
use cpa::{Analysis, ByNode, NodeId, Successor};
use domains::storage::{Because, Excluded};
use rustc_hash::FxHashMap;
use std::time::{Duration, Instant};
use task::condition::automaton::is_decision;
use task::condition::{Automaton, AutomatonState, EdgeName, OpenPlace, Target, Transition, function_name};

/// Making the condition may take the time that is left; where there is none, this part of what was used, or so long.
const SHARE: f64 = 100.0;
const SHORTEST: Duration = Duration::from_millis(50);
/// At most so many open places are listed.
const MAX_OPEN: usize = 1_000;

/// The automaton of what has been verified; in a hurry, less of it is told.
pub fn build(engine: &mut Engine<'_>, in_a_hurry: bool) -> Automaton {
    Builder::new(engine, in_a_hurry).automaton()
}

struct Builder<'e, 'p> {
    engine: &'e mut Engine<'p>,
    /// Nodes from which something open can be reached.
    leads_to_open: Vec<bool>,
    waiting: Vec<bool>,
    /// Ends of paths, by the node that they leave.
    ends: ByNode,
    targets: FxHashMap<NodeId, Target>,
    states: Vec<Vec<Step>>,
    /// Nodes that have a state but no transitions yet.
    work: Vec<NodeId>,
    /// What is not told apart until then is open.
    deadline: Option<Instant>,
}

/// A transition: the decision, and where it leads.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
struct Step {
    edge: u32,
    callee: Option<u32>,
    target: Target,
}

impl<'e, 'p> Builder<'e, 'p> {
    fn new(engine: &'e mut Engine<'p>, in_a_hurry: bool) -> Self {
        let count = engine.stage.reached.len();
        let mut waiting = vec![false; count];
        engine.waiting().into_iter().for_each(|node| waiting[node.0 as usize] = true);
        let leads_to_open = leads_to_open(engine, &waiting);
        let ends = ByNode::new(count, engine.stage.reached.ends.iter().map(|ended| ended.from));
        let least = engine.start.elapsed().div_f64(SHARE).max(SHORTEST);
        // Most of the time is for what comes after the nodes have been told apart.
        let left = match in_a_hurry || engine.is_over() {
            true => Some(Duration::ZERO),
            false => engine.time_left().map(|left| left / 8),
        };
        let deadline = left.map(|left| Instant::now() + left.max(least));
        Self {
            engine,
            leads_to_open,
            waiting,
            ends,
            targets: FxHashMap::default(),
            states: Vec::new(),
            work: Vec::new(),
            deadline,
        }
    }

    fn automaton(mut self) -> Automaton {
        if self.engine.stage.reached.is_empty() {
            return Automaton::everything();
        }
        let open = self.open_places();
        let start = self.node_target(NodeId(0));
        let mut next = 0;
        while let Some(&node) = self.work.get(next) {
            next += 1;
            self.expand(node);
        }
        let (start, states) = minimise::minimise(start, self.resolve_aliases());
        let mut names = FxHashMap::default();
        let states = states.into_iter().map(|steps| self.named(&mut names, &steps)).collect();
        Automaton { start, states, open }
    }

    /// The automaton's state for a node of the graph.
    fn node_target(&mut self, node: NodeId) -> Target {
        if !self.leads_to_open[node.0 as usize] {
            return Target::Verified;
        }
        if self.waiting[node.0 as usize] || self.may_overflow(node) {
            return Target::Open;
        }
        if let Some(&target) = self.targets.get(&node) {
            return target;
        }
        if self.work.len() >= self.engine.options.condition_nodes || self.is_late() {
            return Target::Open;
        }
        let target = self.fresh();
        self.targets.insert(node, target);
        self.work.push(node);
        target
    }

    /// Looked at once in a while.
    fn is_late(&self) -> bool {
        let is_time = self.work.len().is_multiple_of(1024);
        is_time && self.deadline.is_some_and(|deadline| Instant::now() > deadline)
    }

    /// An overflow comes before the next decision, so that all of the node is open.
    fn may_overflow(&self, node: NodeId) -> bool {
        self.cut_choices(node).any(Choice::is_overflow)
    }

    fn fresh(&mut self) -> Target {
        self.states.push(Vec::new());
        Target::State(self.states.len() as u32 - 1)
    }

    /// Adds what can follow a node.
    fn expand(&mut self, node: NodeId) {
        let Some(&Target::State(state)) = self.targets.get(&node) else { return };
        let from = self.engine.state(node);
        let mut choices = Vec::new();
        self.engine.analysis.choices(&from, &mut choices);
        // An overflow that is no alarm is covered by what was given; the same edge has a choice of its own.
        choices.retain(|choice| !choice.is_overflow());
        if choices.len() > 1 {
            // Decisions that values exclude lead nowhere.
            self.exclude_others(state, from.location, &choices);
        }
        let shared = choices.len() > 1;
        for choice in choices {
            let (line, successor) = self.engine.analysis.replay(&from, choice);
            let end = match successor {
                Successor::State(new) => {
                    match self.engine.stage.reached.covering(&self.engine.analysis, &new) {
                        Some(covering) => self.node_target(covering),
                        // Not in the graph: a limit has kept it out.
                        None => Target::Open,
                    }
                }
                Successor::Nothing => Target::Verified,
                Successor::End(_) => Target::Open,
            };
            let end = if self.was_cut(node, choice) { Target::Open } else { end };
            self.add_line(state, &line, end, shared);
        }
    }

    /// A limit that is not seen when following the choice again has cut it.
    fn was_cut(&self, node: NodeId, choice: Choice) -> bool {
        self.cut_choices(node).any(|other| other == choice)
    }

    /// The choices of a node that are not followed to the end.
    fn cut_choices(&self, node: NodeId) -> impl Iterator<Item = Choice> {
        let ends = &self.engine.stage.reached.ends;
        self.ends.of(node).iter().map(|&index| ends[index as usize].choice)
    }

    /// A straight line from a state to where it ends; `shared` if it is one of several from there.
    fn add_line(&mut self, mut state: u32, line: &[Choice], end: Target, shared: bool) {
        let decisions: Vec<Choice> =
            line.iter().copied().filter(|&choice| self.is_decision(choice)).collect();
        if decisions.is_empty() {
            self.states[state as usize].push(Step { edge: ALIAS, callee: None, target: end });
        }
        for (index, &choice) in decisions.iter().enumerate() {
            let target = if index + 1 == decisions.len() { end } else { self.fresh() };
            let step = self.step(choice, target);
            self.states[state as usize].push(step);
            if index > 0 || !shared {
                let location = self.engine.analysis.program.edges[choice.edge].from;
                self.exclude_others(state, location, &[choice]);
            }
            if let Target::State(next) = target {
                state = next;
            }
        }
    }

    fn step(&self, choice: Choice, target: Target) -> Step {
        let callee = choice.callee().filter(|_| self.is_branch_free(choice)).map(|function| function.0);
        Step { edge: choice.edge.0, callee, target }
    }

    fn is_branch_free(&self, choice: Choice) -> bool {
        let program = self.engine.analysis.program;
        matches!(program.edges[choice.edge].kind, EdgeKind::Call(_))
    }

    /// The other decisions at a location: the values exclude them, so they are verified.
    fn exclude_others(&mut self, state: u32, location: LocationId, taken: &[Choice]) {
        let program = self.engine.analysis.program;
        for edge in program.leaving_ids(location) {
            let call = matches!(program.edges[edge].kind, EdgeKind::Call(_));
            let listed = taken.iter().any(|choice| choice.edge == edge);
            if !call && !listed {
                let step = Step { edge: edge.0, callee: None, target: Target::Verified };
                if !self.states[state as usize].contains(&step) {
                    self.states[state as usize].push(step);
                }
            } else if call {
                self.exclude_callees(state, edge, taken);
            }
        }
    }

    fn exclude_callees(&mut self, state: u32, edge: cfa::EdgeId, taken: &[Choice]) {
        let callees = self.engine.checker.points_to.callees(edge).to_vec();
        for function in callees {
            if !taken.iter().any(|choice| choice.callee() == Some(function)) {
                let step = Step { edge: edge.0, callee: Some(function.0), target: Target::Verified };
                self.states[state as usize].push(step);
            }
        }
    }

    fn is_decision(&self, choice: Choice) -> bool {
        is_decision(self.engine.analysis.program, choice.edge)
    }

    /// States without a decision of their own are where they lead to.
    fn resolve_aliases(&self) -> Vec<minimise::State> {
        let resolved = self.aliases();
        let resolve = |target: Target| match target {
            Target::State(state) => resolved[state as usize].unwrap_or(target),
            other => other,
        };
        let states = self.states.iter().zip(&resolved).map(|(steps, alias)| match alias {
            Some(target) => minimise::State::Alias(*target),
            None => {
                let mut steps: Vec<_> =
                    steps.iter().map(|step| (step.edge, step.callee, resolve(step.target))).collect();
                steps.sort_unstable();
                steps.dedup();
                minimise::State::Decides(steps)
            }
        });
        states.collect()
    }

    /// For each state without a decision where its chain of such states ends.
    fn aliases(&self) -> Vec<Option<Target>> {
        let alias = |state: u32| match self.states[state as usize][..] {
            [Step { edge: ALIAS, target, .. }] => Some(target),
            _ => None,
        };
        let mut resolved: Vec<Option<Target>> = vec![None; self.states.len()];
        let mut on_chain = vec![false; self.states.len()];
        for start in 0..self.states.len() as u32 {
            let (mut chain, mut target) = (Vec::new(), Target::State(start));
            while let Target::State(state) = target {
                if let Some(end) = resolved[state as usize] {
                    target = end;
                    break;
                }
                let Some(next) = alias(state) else { break };
                if std::mem::replace(&mut on_chain[state as usize], true) {
                    // Round and round without a decision: nothing ever follows.
                    target = Target::Verified;
                    break;
                }
                chain.push(state);
                target = next;
            }
            for state in chain {
                resolved[state as usize] = Some(target);
            }
        }
        resolved
    }

    fn named(
        &self,
        names: &mut FxHashMap<u32, EdgeName>,
        steps: &[(u32, Option<u32>, Target)],
    ) -> AutomatonState {
        let program = self.engine.analysis.program;
        let name = |&(edge, callee, target): &(u32, Option<u32>, Target)| Transition {
            edge: names.entry(edge).or_insert_with(|| EdgeName::of(program, cfa::EdgeId(edge))).clone(),
            callee: callee.map(|function| function_name(program, cfa::FunctionId(function))),
            target,
            assumption: None,
        };
        AutomatonState { transitions: steps.iter().map(name).collect() }
    }

    /// What is open, and why, for people.
    fn open_places(&mut self) -> Vec<OpenPlace> {
        let ends = self.engine.stage.reached.ends.iter().map(|ended| ended.end);
        let mut assumed = self.engine.analysis.storage.conjunction(ends);
        assumed.truncate(MAX_OPEN);
        let mut places: Vec<OpenPlace> =
            assumed.into_iter().map(|excluded| self.excluded_place(excluded)).collect();
        for node in self.engine.waiting() {
            if places.len() >= MAX_OPEN {
                break;
            }
            let state = self.engine.state(node);
            let when = self.engine.describe_state(&state);
            places.push(self.open_place(state.location, when, "the run was stopped there".into()));
        }
        places.sort();
        places.dedup();
        places
    }

    fn excluded_place(&self, Excluded { at, because }: Excluded) -> OpenPlace {
        let because = match because {
            Because::Error(_) => "a path to an error could not be excluded by values".into(),
            Because::Overflow(_) => "an overflow could not be excluded by values".into(),
            Because::Limit(limit) => format!("of the limit {}", self.engine.options.limits.text(limit)),
            Because::Unsupported(what) => format!("{what} is not modelled"),
        };
        self.open_place(at, "1".into(), because)
    }

    fn open_place(&self, at: LocationId, when: String, because: String) -> OpenPlace {
        let program = self.engine.analysis.program;
        let function = program.function_name(program.locations[at].function).to_string();
        let line = self.engine.line_of(at);
        OpenPlace { function, line, when, because }
    }
}

/// Marks a state that has no decision of its own.
const ALIAS: u32 = u32::MAX;

/// The nodes from which an open one can be reached: backward over the graph.
fn leads_to_open(engine: &Engine<'_>, waiting: &[bool]) -> Vec<bool> {
    let reached = &engine.stage.reached;
    let covered = ByNode::new(reached.len(), reached.covered.iter().map(|way| way.to));
    let mut marked = waiting.to_vec();
    reached.ends.iter().for_each(|ended| marked[ended.from.0 as usize] = true);
    let mut work: Vec<NodeId> = reached.nodes().filter(|node| marked[node.0 as usize]).collect();
    while let Some(node) = work.pop() {
        let sources = covered.of(node).iter().map(|&way| reached.covered[way as usize].from);
        for before in sources.chain(reached.parent(node).map(|(parent, _)| parent)) {
            if !std::mem::replace(&mut marked[before.0 as usize], true) {
                work.push(before);
            }
        }
    }
    marked
}

//! Which of two conditions covers more, and what each leaves open.
//!
//! Both run beside the program, along all paths of the automata of its functions, whatever the values are.
//! Where one says *verified* and the other *open*, the first covers executions that the other does not. What
//! can be reached while a condition is open is what it leaves to do. Loop bounds are compared by number.

use cfa::loops::Loops;
use cfa::pointsto::PointsTo;
use cfa::{Callee, EdgeId, EdgeKind, FunctionId, LocationId, Program};
use domains::automaton::{Automata, AutomatonState};
use domains::callstack::{CallStacks, FrameSize, StackId};
use rustc_hash::{FxHashMap, FxHashSet};
use task::Condition;
use task::condition::LoopBounds;

/// Positions of the program, with call stacks, that are looked at.
const MAX_POSITIONS: usize = 300_000;
/// Paths with at most so many decisions are counted.
pub const COUNTED_DECISIONS: usize = 12;

/// What there is to say about two conditions.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// Somewhere the first covers what the second leaves open, and the other way round.
    pub first_covers_more: Option<LocationId>,
    pub second_covers_more: Option<LocationId>,
    pub open: [Open; 2],
    /// Not all positions could be looked at.
    pub is_partial: bool,
    /// How the largest loop bounds compare, if both have some.
    pub bounds: Option<std::cmp::Ordering>,
}

/// What a condition leaves open.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Open {
    pub edges: usize,
    pub branches: usize,
    pub loops: usize,
    /// Paths of [`COUNTED_DECISIONS`] decisions (or fewer, to an end) that are not verified, and all.
    pub paths: u64,
    pub all_paths: u64,
}

/// Where the automaton of a condition is; `None`: verified.
type Side = Option<AutomatonState>;

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Position {
    location: LocationId,
    stack: StackId,
    sides: [Side; 2],
}

pub fn compare(
    program: &Program,
    points_to: &PointsTo,
    loops: &Loops,
    first: &Condition,
    second: &Condition,
) -> Comparison {
    let automata = [Automata::new(program, Some(first)), Automata::new(program, Some(second))];
    let stacks = CallStacks::new(program.entry, 0, 0);
    let walk = Walk { program, points_to, automata, stacks, seen: FxHashMap::default(), order: Vec::new() };
    let mut comparison = walk.run(loops);
    comparison.bounds = match (first.largest_bounds(), second.largest_bounds()) {
        (Some(first), Some(second)) => compare_bounds(first, second),
        _ => None,
    };
    comparison
}

/// `None` if each is larger somewhere.
fn compare_bounds(first: &LoopBounds, second: &LoopBounds) -> Option<std::cmp::Ordering> {
    let names = first.loops.keys().chain(second.loops.keys());
    let mut pairs: Vec<(u32, u32)> = names.map(|name| (first.bound(name), second.bound(name))).collect();
    pairs.extend([(first.every_loop, second.every_loop), (first.recursion, second.recursion)]);
    match (pairs.iter().any(|(a, b)| a > b), pairs.iter().any(|(a, b)| a < b)) {
        (false, false) => Some(std::cmp::Ordering::Equal),
        (true, false) => Some(std::cmp::Ordering::Greater),
        (false, true) => Some(std::cmp::Ordering::Less),
        (true, true) => None,
    }
}

struct Walk<'p> {
    program: &'p Program,
    points_to: &'p PointsTo,
    automata: [Automata; 2],
    stacks: CallStacks,
    seen: FxHashMap<Position, u32>,
    order: Vec<Position>,
}

/// A step: by which edge, whether it is a decision, and where it leads.
type Step = (EdgeId, bool, Position);

impl Walk<'_> {
    fn run(mut self, loops: &Loops) -> Comparison {
        let mut steps: Vec<Vec<Step>> = Vec::new();
        if let Some(body) = &self.program.functions[self.program.entry].body {
            let sides = [self.automata[0].start, self.automata[1].start];
            self.add(Position { location: body.entry, stack: CallStacks::BOTTOM, sides });
        }
        while steps.len() < self.order.len() && self.order.len() < MAX_POSITIONS {
            let next = self.steps(self.order[steps.len()]);
            next.iter().for_each(|&(.., position)| self.add(position));
            steps.push(next);
        }
        let is_partial = steps.len() < self.order.len();
        let covers = |this: usize, other: usize| {
            let differs = |p: &&Position| p.sides[this].is_none() && self.is_open(p.sides[other], other);
            self.order.iter().find(differs).map(|position| position.location)
        };
        let (first_covers_more, second_covers_more) = (covers(0, 1), covers(1, 0));
        let open = [self.open(0, &steps, loops), self.open(1, &steps, loops)];
        Comparison { first_covers_more, second_covers_more, open, is_partial, bounds: None }
    }

    fn is_open(&self, side: Side, which: usize) -> bool {
        side.is_some_and(|state| self.automata[which].is_open(state))
    }

    fn add(&mut self, position: Position) {
        let next = self.order.len() as u32;
        if *self.seen.entry(position).or_insert(next) == next {
            self.order.push(position);
        }
    }

    /// What can follow, whatever the values are.
    fn steps(&mut self, position: Position) -> Vec<Step> {
        let program = self.program;
        let function = program.locations[position.location].function;
        if program.functions[function].body.as_ref().is_some_and(|body| body.exit == position.location) {
            let back = self.stacks.top(position.stack).caller;
            let step = back.map(|(stack, edge)| {
                (edge, false, Position { location: program.edges[edge].to, stack, ..position })
            });
            return step.into_iter().collect();
        }
        let several = program.locations[position.location].edge_count > 1;
        let mut steps = Vec::new();
        for edge in program.leaving_ids(position.location) {
            match program.edges[edge].kind {
                EdgeKind::Call(call) => self.calls(position, edge, program.calls[call].callee, &mut steps),
                _ => {
                    let sides = if several { self.decide(position, edge, None) } else { position.sides };
                    let position = Position { location: program.edges[edge].to, sides, ..position };
                    steps.push((edge, several, position));
                }
            }
        }
        steps
    }

    fn decide(&mut self, position: Position, edge: EdgeId, callee: Option<FunctionId>) -> [Side; 2] {
        let mut sides = position.sides;
        for (side, automata) in sides.iter_mut().zip(&mut self.automata) {
            *side = side.and_then(|state| automata.decide(state, edge, callee));
        }
        sides
    }

    fn calls(&mut self, position: Position, edge: EdgeId, callee: Callee, steps: &mut Vec<Step>) {
        let program = self.program;
        let (callees, decides) = match callee {
            Callee::Direct(function) => (vec![function], false),
            Callee::Indirect(_) => (self.points_to.callees(edge).to_vec(), true),
        };
        for function in callees {
            let sides = if decides { self.decide(position, edge, Some(function)) } else { position.sides };
            let position = match &program.functions[function].body {
                Some(body) => {
                    let nothing = FrameSize { slots: 0, bytes: 0 };
                    let stack = self.stacks.enter(position.stack, edge, function, nothing);
                    Position { location: body.entry, stack, sides }
                }
                None => Position { location: program.edges[edge].to, sides, ..position },
            };
            steps.push((edge, decides, position));
        }
    }

    fn open(&self, which: usize, steps: &[Vec<Step>], loops: &Loops) -> Open {
        let (mut edges, mut branches, mut heads) =
            (FxHashSet::default(), FxHashSet::default(), FxHashSet::default());
        for (position, steps) in self.order.iter().zip(steps) {
            if !self.is_open(position.sides[which], which) {
                continue;
            }
            heads.extend(loops.headed_by(position.location));
            for &(edge, decides, _) in steps {
                edges.insert(edge);
                if decides {
                    branches.insert(edge);
                }
            }
        }
        let (paths, all_paths) = self.count_paths(which, steps);
        Open { edges: edges.len(), branches: branches.len(), loops: heads.len(), paths, all_paths }
    }

    /// Paths up to a number of decisions, those that are not verified and all; numbers that are too large
    /// stay at the largest.
    fn count_paths(&self, which: usize, steps: &[Vec<Step>]) -> (u64, u64) {
        let mut layer: FxHashMap<u32, u64> = FxHashMap::default();
        if !self.order.is_empty() {
            layer.insert(0, 1);
        }
        let (mut open, mut all) = (0u64, 0u64);
        for decisions in 0..=COUNTED_DECISIONS {
            let mut next: FxHashMap<u32, u64> = FxHashMap::default();
            for (node, count) in layer {
                let (end, branches) = self.next_decision(node, steps);
                if branches.is_empty() || decisions == COUNTED_DECISIONS {
                    all = all.saturating_add(count);
                    let verified = self.order[end as usize].sides[which].is_none();
                    open = open.saturating_add(if verified { 0 } else { count });
                    continue;
                }
                for branch in branches {
                    let entry = next.entry(branch).or_insert(0);
                    *entry = entry.saturating_add(count);
                }
            }
            layer = next;
        }
        (open, all)
    }

    /// Follows a path to where it has to be decided: the position, and those behind the decision.
    fn next_decision(&self, mut node: u32, steps: &[Vec<Step>]) -> (u32, Vec<u32>) {
        for _ in 0..self.order.len() {
            let Some(next) = steps.get(node as usize) else { return (node, Vec::new()) };
            match next[..] {
                [(_, false, position)] => node = self.seen[&position],
                _ => return (node, next.iter().map(|(.., position)| self.seen[position]).collect()),
            }
        }
        // Round and round.
        (node, Vec::new())
    }
}

//! Which of two conditions covers more, and what each leaves open.
//!
//! Both run beside the program, along all paths of the automata of its functions, whatever the values are.
//! Where one covers what happens (its automaton says *verified*, or no loop is beyond its bounds) and the
//! other is open, the first covers executions that the other does not. What can be reached while a condition
//! is open is what it leaves to do. Two conditions that only bound loops are compared by number.

use cfa::loops::Loops;
use cfa::pointsto::PointsTo;
use cfa::{Callee, EdgeId, EdgeKind, FunctionId, LocationId, Program};
use domains::automaton::{Automata, AutomatonState};
use domains::callstack::{CallStacks, FrameSize, StackId};
use domains::loopbound::{CountsId, LoopCounts};
use rustc_hash::{FxHashMap, FxHashSet};
use task::Condition;
use task::condition::{LoopBounds, Part};

/// Positions of the program, with call stacks, that are looked at.
const MAX_POSITIONS: usize = 300_000;
/// So many places at which conditions differ are named.
const MAX_PLACES: usize = 10;
/// Paths with at most so many decisions are counted.
pub const COUNTED_DECISIONS: usize = 12;

/// What there is to say about two conditions.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// Where the first covers what the second leaves open, and the other way round; the first few places.
    pub first_covers_more: Vec<LocationId>,
    pub second_covers_more: Vec<LocationId>,
    pub open: [Open; 2],
    /// Not all positions could be looked at.
    pub is_partial: bool,
    /// Whether the largest loop bounds of the first, and of the second, are larger somewhere, if there is
    /// nothing else to compare.
    pub larger_bounds: (bool, bool),
}

/// What a condition leaves open.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Open {
    pub edges: usize,
    pub branches: usize,
    pub loops: usize,
    /// The same of all that paths of the control flow can reach.
    pub all: [usize; 3],
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
    counts: [CountsId; 2],
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
    let by_number = !has_automaton(first) && !has_automaton(second);
    let counted = |condition| LoopCounts::new(program, loops, Some(condition).filter(|_| !by_number));
    let counts = [counted(first), counted(second)];
    let (seen, order) = (FxHashMap::default(), Vec::new());
    let mut comparison = Walk { program, points_to, automata, counts, stacks, seen, order }.run(loops);
    if by_number {
        comparison.larger_bounds = compare_bounds(first.largest_bounds(), second.largest_bounds());
    }
    comparison
}

fn has_automaton(condition: &Condition) -> bool {
    condition.covered.iter().any(|part| matches!(part, Part::Automaton(_)))
}

/// Whether the first is larger somewhere, and whether the second is.
fn compare_bounds(first: Option<&LoopBounds>, second: Option<&LoopBounds>) -> (bool, bool) {
    let (Some(first), Some(second)) = (first, second) else { return (first.is_some(), second.is_some()) };
    let names = first.loops.keys().chain(second.loops.keys());
    let mut pairs: Vec<(u32, u32)> = names.map(|name| (first.bound(name), second.bound(name))).collect();
    pairs.extend([(first.every_loop, second.every_loop), (first.recursion, second.recursion)]);
    // Loops that only the other one counts together may come back more often in all.
    let apart =
        |one: &LoopBounds, other: &LoopBounds| one.every_loop > 0 && !other.together.is_subset(&one.together);
    let is_larger = pairs.iter().any(|(a, b)| a > b) || apart(first, second);
    let is_smaller = pairs.iter().any(|(a, b)| a < b) || apart(second, first);
    (is_larger, is_smaller)
}

struct Walk<'p> {
    program: &'p Program,
    points_to: &'p PointsTo,
    automata: [Automata; 2],
    counts: [LoopCounts<'p>; 2],
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
            let counts = [self.counts[0].start, self.counts[1].start];
            self.add(Position { location: body.entry, stack: CallStacks::BOTTOM, sides, counts });
        }
        while steps.len() < self.order.len() && self.order.len() < MAX_POSITIONS {
            let next = self.steps(self.order[steps.len()]);
            next.iter().for_each(|&(.., position)| self.add(position));
            steps.push(next);
        }
        let is_partial = steps.len() < self.order.len();
        let covers = |this: usize, other: usize| {
            let differs = |p: &&Position| self.covers(p, this) && self.is_open(p, other);
            let mut places: Vec<LocationId> = Vec::new();
            for position in self.order.iter().filter(differs) {
                if places.len() < MAX_PLACES && !places.contains(&position.location) {
                    places.push(position.location);
                }
            }
            places
        };
        let (first_covers_more, second_covers_more) = (covers(0, 1), covers(1, 0));
        let open = [self.open(0, &steps, loops), self.open(1, &steps, loops)];
        Comparison { first_covers_more, second_covers_more, open, is_partial, larger_bounds: (false, false) }
    }

    /// A violation that happens here is covered.
    fn covers(&self, position: &Position, which: usize) -> bool {
        position.sides[which].is_none() || position.counts[which].is_covered()
    }

    /// It is not, and what follows never will be.
    fn is_open(&self, position: &Position, which: usize) -> bool {
        let automaton = position.sides[which].is_some_and(|state| self.automata[which].is_open(state));
        automaton && !position.counts[which].is_covered()
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
            let counts = self.count(position, |counts, at| counts.leave(at));
            let step = back.map(|(stack, edge)| {
                (edge, false, Position { location: program.edges[edge].to, stack, counts, ..position })
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
                    let position = self.passed(Position { sides, ..position }, edge);
                    steps.push((edge, several, position));
                }
            }
        }
        steps
    }

    /// Behind an edge within a function.
    fn passed(&mut self, position: Position, edge: EdgeId) -> Position {
        let (from, to) = (position.location, self.program.edges[edge].to);
        let counts = self.count(position, |counts, at| counts.step(at, from, to));
        Position { location: to, counts, ..position }
    }

    fn count(
        &mut self,
        position: Position,
        mut step: impl FnMut(&mut LoopCounts<'_>, CountsId) -> CountsId,
    ) -> [CountsId; 2] {
        let mut next = position.counts;
        for (at, counts) in next.iter_mut().zip(&mut self.counts) {
            *at = step(counts, *at);
        }
        next
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
                    let counts = self.count(position, |counts, at| counts.enter(at, edge, function));
                    Position { location: body.entry, stack, sides, counts }
                }
                None => self.passed(Position { sides, ..position }, edge),
            };
            steps.push((edge, decides, position));
        }
    }

    fn open(&self, which: usize, steps: &[Vec<Step>], loops: &Loops) -> Open {
        let [edges, branches, loop_heads] =
            self.reach(steps, loops, |position| self.is_open(position, which));
        let all = self.reach(steps, loops, |_| true);
        let (paths, all_paths) = self.count_paths(which, steps);
        Open { edges, branches, loops: loop_heads, all, paths, all_paths }
    }

    /// The numbers of edges, branches and loops at some positions.
    fn reach(&self, steps: &[Vec<Step>], loops: &Loops, counts: impl Fn(&Position) -> bool) -> [usize; 3] {
        let (mut edges, mut branches, mut heads) =
            (FxHashSet::default(), FxHashSet::default(), FxHashSet::default());
        for (position, steps) in self.order.iter().zip(steps).filter(|(position, _)| counts(position)) {
            heads.extend(loops.headed_by(position.location));
            edges.extend(steps.iter().map(|&(edge, ..)| edge));
            branches.extend(steps.iter().filter(|step| step.1).map(|&(edge, ..)| edge));
        }
        [edges.len(), branches.len(), heads.len()]
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
                    let verified = self.covers(&self.order[end as usize], which);
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

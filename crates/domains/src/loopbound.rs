//! Loop bounds as input: how often the loops on the path have come back, against what a condition covers.
//!
//! A part of a condition that bounds loops covers all executions in which each loop, each time it is
//! entered, comes back to its head at most so often. So counts are kept for the loops that the path is in,
//! in every function on the call stack, and they are dropped where a loop is left; loops that are counted together
//! have one count, which is never dropped. Once a count is larger
//! than the bound, nothing on the path is covered any more, and there is nothing left to count: all such
//! paths share one state.

use crate::composite::{Facts, Step, Taken};
use crate::monitors::Limit;
use cfa::loops::{LoopId, Loops};
use cfa::{EdgeId, FunctionId, LocationId, Program};
use cpa::{Component, Onward};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use task::Condition;

/// The counts of all functions on the call stack, as one number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct CountsId(u32);

impl CountsId {
    /// Some loop, or recursion, is beyond its bound.
    pub const BEYOND: CountsId = CountsId(u32::MAX);

    /// What happens here is covered.
    #[inline]
    pub fn is_covered(self) -> bool {
        self != Self::BEYOND
    }
}

/// One function's loops, from the outermost in, and the functions below it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Frame {
    function: FunctionId,
    counts: SmallVec<[u32; 4]>,
    /// Of the loops that are counted together.
    turns: u32,
    caller: Option<(CountsId, EdgeId)>,
}

/// What a condition says about loops.
pub struct LoopCounts<'p> {
    program: &'p Program,
    loops: &'p Loops,
    /// By loop.
    bounds: Vec<u32>,
    /// By loop, whether it is counted together with others.
    together: Vec<bool>,
    recursion: u32,
    frames: Vec<Frame>,
    ids: FxHashMap<Frame, CountsId>,
    current: CountsId,
    /// In the function that everything starts in.
    pub start: CountsId,
}

impl<'p> LoopCounts<'p> {
    pub fn new(program: &'p Program, loops: &'p Loops, condition: Option<&Condition>) -> Self {
        let covered = condition.and_then(Condition::largest_bounds);
        let bound = |name: &str| covered.map_or(0, |covered| covered.bound(name));
        let is_together = |name: &str| covered.is_some_and(|covered| covered.together.contains(name));
        let mut own = Self {
            program,
            loops,
            bounds: loops.loops.iter().map(|info| bound(&info.name)).collect(),
            together: loops.loops.iter().map(|info| is_together(&info.name)).collect(),
            recursion: covered.map_or(0, |covered| covered.recursion),
            frames: Vec::new(),
            ids: FxHashMap::default(),
            current: CountsId::BEYOND,
            start: CountsId::BEYOND,
        };
        if covered.is_some()
            && let Some(body) = &program.functions[program.entry].body
        {
            own.start = own.begin(program.entry, body.entry, 0, None);
        }
        own
    }

    fn intern(&mut self, frame: Frame) -> CountsId {
        if let Some(&id) = self.ids.get(&frame) {
            return id;
        }
        let id = CountsId(self.frames.len() as u32);
        self.frames.push(frame.clone());
        self.ids.insert(frame, id);
        id
    }

    fn begin(
        &mut self,
        function: FunctionId,
        entry: LocationId,
        turns: u32,
        caller: Option<(CountsId, EdgeId)>,
    ) -> CountsId {
        let counts = self.loops.enclosing(entry).map(|_| 0).collect();
        self.intern(Frame { function, counts, turns, caller })
    }

    /// From one location of a function to the next.
    #[inline]
    pub fn step(&mut self, at: CountsId, from: LocationId, to: LocationId) -> CountsId {
        let outside = self.loops.innermost(from).is_none() && self.loops.innermost(to).is_none();
        if at == CountsId::BEYOND || outside {
            return at;
        }
        let nest: SmallVec<[LoopId; 4]> = self.loops.enclosing(to).collect();
        let frame = &self.frames[at.0 as usize];
        let (mut counts, mut turns) = (SmallVec::new(), frame.turns);
        for (level, &id) in nest.iter().rev().enumerate() {
            let inside = self.loops.contains(id, from);
            let count = if inside { frame.counts[level] } else { 0 };
            let back = u32::from(inside && self.loops.loops[id].head == to);
            let count = if self.together[id.0 as usize] {
                turns += back;
                counts.push(0);
                turns
            } else {
                counts.push(count + back);
                count + back
            };
            if count > self.bounds[id.0 as usize] {
                return CountsId::BEYOND;
            }
        }
        let frame = Frame { counts, turns, ..frame.clone() };
        self.intern(frame)
    }

    /// Into a function with a body.
    pub fn enter(&mut self, at: CountsId, edge: EdgeId, function: FunctionId) -> CountsId {
        let Some(body) = &self.program.functions[function].body else { return at };
        if at == CountsId::BEYOND || self.activations(at, function) > self.recursion {
            return CountsId::BEYOND;
        }
        let turns = self.frames[at.0 as usize].turns;
        self.begin(function, body.entry, turns, Some((at, edge)))
    }

    fn activations(&self, at: CountsId, function: FunctionId) -> u32 {
        let frame = |id: CountsId| &self.frames[id.0 as usize];
        let frames = std::iter::successors(Some(frame(at)), |top| top.caller.map(|(below, _)| frame(below)));
        frames.filter(|frame| frame.function == function).count() as u32
    }

    /// Back to the caller, behind the call.
    pub fn leave(&mut self, at: CountsId) -> CountsId {
        if at == CountsId::BEYOND {
            return at;
        }
        let Frame { turns, caller, .. } = self.frames[at.0 as usize];
        let Some((below, edge)) = caller else { return at };
        let below = Frame { turns, ..self.frames[below.0 as usize].clone() };
        let below = self.intern(below);
        let call = self.program.edges[edge];
        self.step(below, call.from, call.to)
    }

    /// Bytes in use.
    pub fn memory(&self) -> usize {
        2 * self.frames.capacity() * size_of::<Frame>()
    }
}

impl<'f> Component<Step, dyn Facts + 'f> for LoopCounts<'_> {
    type State = CountsId;
    type Key = CountsId;
    type Reason = Limit;

    #[inline]
    fn load(&mut self, state: CountsId) {
        self.current = state;
    }

    /// An error is only worth looking at beyond the bounds.
    #[inline]
    fn transfer(&mut self, step: &Step) -> Onward<Limit> {
        self.current = match *step {
            Step::Take(Taken { edge, enters: Some(function), .. }) => {
                self.enter(self.current, edge, function)
            }
            Step::Take(Taken { from, to, .. }) => self.step(self.current, from, to),
            Step::Leave => self.leave(self.current),
            Step::Error if self.current.is_covered() => return Onward::Verified,
            Step::Error | Step::Arrive(_) => return Onward::On,
        };
        Onward::On
    }

    #[inline]
    fn store(&mut self) -> CountsId {
        self.current
    }

    #[inline]
    fn key(&self, state: CountsId) -> CountsId {
        state
    }
}

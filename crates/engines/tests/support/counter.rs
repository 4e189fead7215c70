//! Whether a run stays within bounds, by nothing but their definition.

use cfa::loops::{LoopId, Loops};
use cfa::{EdgeId, FunctionId, Program};
use replay::{Event, Happening, Interest, Observer};
use rustc_hash::FxHashMap;
use task::LoopBounds;

pub struct Counter<'a> {
    loops: &'a Loops,
    bounds: &'a LoopBounds,
    frames: Vec<(FunctionId, Option<EdgeId>, FxHashMap<LoopId, u32>)>,
    /// How often the loops that are counted together have come back.
    pub turns: u32,
    pub beyond: bool,
}

impl<'a> Counter<'a> {
    pub fn new(program: &Program, loops: &'a Loops, bounds: &'a LoopBounds) -> Self {
        let frames = vec![(program.entry, None, FxHashMap::default())];
        Self { loops, bounds, frames, turns: 0, beyond: false }
    }

    fn pass(&mut self, program: &Program, edge: EdgeId) {
        let edge = program.edges[edge];
        let Some((_, _, counts)) = self.frames.last_mut() else { return };
        counts.retain(|&id, _| self.loops.contains(id, edge.to));
        if let Some(id) = self.loops.headed_by(edge.to).filter(|&id| self.loops.contains(id, edge.from)) {
            let name = &self.loops.loops[id].name;
            let is_together = self.bounds.together.contains(name);
            let count = if is_together { &mut self.turns } else { counts.entry(id).or_insert(0) };
            *count += 1;
            self.beyond |= *count > self.bounds.bound(name);
        }
    }
}

impl Observer for Counter<'_> {
    fn interest(&self) -> Interest {
        Interest::Everything
    }

    fn event(&mut self, program: &Program, event: &Event<'_>) {
        match event.happening {
            Happening::Called { function, .. } if program.functions[function].body.is_some() => {
                let activations = self.frames.iter().filter(|(other, ..)| *other == function).count();
                self.beyond |= activations as u32 > self.bounds.recursion;
                self.frames.push((function, Some(event.edge), FxHashMap::default()));
            }
            Happening::Returned { function, .. } if program.functions[function].body.is_some() => {
                if let Some((_, Some(call), _)) = self.frames.pop() {
                    self.pass(program, call);
                }
            }
            _ => self.pass(program, event.edge),
        }
    }
}

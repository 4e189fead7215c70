//! Which plain variables may still be read: the value of any other can be forgotten.
//!
//! Looked at are the scalars of each function whose address is never taken: parameters, locals and
//! temporaries. Nothing but their own function can read them, so a walk within it is exact up to
//! infeasible paths. Globals, aggregates and what pointers reach always count as live.
//!
//! One walk per variable, backward from its reads to its writes. What is live where is kept as
//! intervals of location numbers, which follow the text and hence make few intervals: bit vectors
//! per location would take gigabytes on a generated function with a million locations.

use crate::program::*;
use crate::usage;

#[derive(Clone, Debug)]
pub struct Liveness {
    /// For each variable where its intervals start, or [`UNTRACKED`].
    starts: Vec<u32>,
    ends: Vec<u32>,
    /// Locations `first..=last` at which the variable is live, ascending.
    intervals: Vec<(u32, u32)>,
    /// For each edge where its list in `dying` starts; one more entry than there are edges.
    dying_starts: Vec<u32>,
    dying: Vec<VariableId>,
}

const UNTRACKED: u32 = u32::MAX;

impl Liveness {
    pub fn new(program: &Program) -> Self {
        let mut builder = Builder::new(program);
        for (_, _, body) in program.defined_functions() {
            builder.function(body);
        }
        builder.finish()
    }

    /// True unless it is known that the variable's value at the location is never read.
    pub fn is_live(&self, location: LocationId, variable: VariableId) -> bool {
        let variable = variable.0 as usize;
        if self.starts[variable] == UNTRACKED {
            return true;
        }
        let intervals = &self.intervals[self.starts[variable] as usize..self.ends[variable] as usize];
        let index = intervals.partition_point(|&(_, last)| last < location.0);
        intervals.get(index).is_some_and(|&(first, _)| first <= location.0)
    }

    /// Variables that nobody reads after the edge although they were live before it, or although
    /// the edge writes them: what to forget on taking it.
    pub fn dying(&self, edge: EdgeId) -> &[VariableId] {
        let edge = edge.0 as usize;
        &self.dying[self.dying_starts[edge] as usize..self.dying_starts[edge + 1] as usize]
    }

    /// The variable is one of those that this analysis follows.
    pub fn is_tracked(&self, variable: VariableId) -> bool {
        self.starts[variable.0 as usize] != UNTRACKED
    }

    /// The tracked variables of the location's function that are live there.
    pub fn live<'a>(
        &'a self,
        program: &'a Program,
        location: LocationId,
    ) -> impl Iterator<Item = VariableId> + 'a {
        let body = program.functions[program.locations[location].function].body.as_ref();
        let variables = body.into_iter().flat_map(|body| body.parameters.iter().chain(&body.locals));
        variables.copied().filter(move |&v| self.is_tracked(v) && self.is_live(location, v))
    }
}

fn is_plain(program: &Program, variable: VariableId) -> bool {
    let Variable { ty, kind, address_taken, .. } = program.variables[variable];
    !kind.is_global() && !address_taken && program.types.is_scalar(ty)
}

struct Builder<'p> {
    program: &'p Program,
    starts: Vec<u32>,
    ends: Vec<u32>,
    intervals: Vec<(u32, u32)>,
    /// (edge, variable) pairs, in order of variables.
    deaths: Vec<(EdgeId, VariableId)>,
    /// The last variable whose walk came to each location.
    stamp: Vec<u32>,
    /// Locations at which the current variable is live.
    live: Vec<u32>,
}

/// A variable's mentions within a function: reads and overwrites, as edges.
#[derive(Default)]
struct Mentions {
    reads: Vec<(VariableId, EdgeId)>,
    kills: Vec<(VariableId, EdgeId)>,
}

impl<'p> Builder<'p> {
    fn new(program: &'p Program) -> Self {
        Self {
            program,
            starts: vec![UNTRACKED; program.variables.len()],
            ends: vec![UNTRACKED; program.variables.len()],
            intervals: Vec::new(),
            deaths: Vec::new(),
            stamp: vec![u32::MAX; program.locations.len()],
            live: Vec::new(),
        }
    }

    fn function(&mut self, body: &Body) {
        let mentions = self.mentions(body);
        let (mut reads, mut kills) = (&mentions.reads[..], &mentions.kills[..]);
        let mut variables: Vec<VariableId> = body.parameters.iter().chain(&body.locals).copied().collect();
        variables.sort_unstable();
        variables.dedup();
        for variable in variables {
            let own_reads = split_off(&mut reads, variable);
            let own_kills = split_off(&mut kills, variable);
            if is_plain(self.program, variable) {
                self.variable(variable, own_reads, own_kills);
            }
        }
    }

    fn mentions(&self, body: &Body) -> Mentions {
        let mut mentions = Mentions::default();
        for id in body.edges.clone().map(EdgeId) {
            let edge = &self.program.edges[id].kind;
            usage::variables_read(self.program, edge, &mut |variable| mentions.reads.push((variable, id)));
            if let Some(variable) = usage::variable_killed(self.program, edge) {
                mentions.kills.push((variable, id));
            }
        }
        mentions.reads.sort_unstable();
        mentions.reads.dedup();
        mentions.kills.sort_unstable();
        mentions
    }

    fn variable(
        &mut self,
        variable: VariableId,
        reads: &[(VariableId, EdgeId)],
        kills: &[(VariableId, EdgeId)],
    ) {
        self.live.clear();
        let mark = |builder: &mut Self, location: LocationId| {
            let slot = &mut builder.stamp[location.0 as usize];
            if *slot != variable.0 {
                *slot = variable.0;
                builder.live.push(location.0);
            }
        };
        for &(_, edge) in reads {
            mark(self, self.program.edges[edge].from);
        }
        let mut next = 0;
        while let Some(&location) = self.live.get(next) {
            next += 1;
            for &edge in self.program.entering(LocationId(location)) {
                if kills.binary_search(&(variable, edge)).is_err() {
                    mark(self, self.program.edges[edge].from);
                }
            }
        }
        self.record(variable, kills);
    }

    fn record(&mut self, variable: VariableId, kills: &[(VariableId, EdgeId)]) {
        self.live.sort_unstable();
        let is_live = |builder: &Self, location: LocationId| builder.stamp[location.0 as usize] == variable.0;
        for index in 0..self.live.len() {
            let location = LocationId(self.live[index]);
            for id in self.program.leaving_ids(location) {
                if !is_live(self, self.program.edges[id].to) {
                    self.deaths.push((id, variable));
                }
            }
        }
        for &(_, id) in kills {
            let edge = &self.program.edges[id];
            if !is_live(self, edge.to) && !is_live(self, edge.from) {
                self.deaths.push((id, variable));
            }
        }
        self.starts[variable.0 as usize] = self.intervals.len() as u32;
        for &location in &self.live {
            let own = self.intervals.len() > self.starts[variable.0 as usize] as usize;
            match self.intervals.last_mut().filter(|_| own) {
                Some((_, last)) if *last + 1 == location => *last = location,
                _ => self.intervals.push((location, location)),
            }
        }
        self.ends[variable.0 as usize] = self.intervals.len() as u32;
    }

    fn finish(mut self) -> Liveness {
        self.deaths.sort_unstable();
        let mut dying_starts = vec![0u32; self.program.edges.len() + 1];
        for (edge, _) in &self.deaths {
            dying_starts[edge.0 as usize + 1] += 1;
        }
        for edge in 1..dying_starts.len() {
            dying_starts[edge] += dying_starts[edge - 1];
        }
        let dying = self.deaths.into_iter().map(|(_, variable)| variable).collect();
        Liveness { starts: self.starts, ends: self.ends, intervals: self.intervals, dying_starts, dying }
    }
}

/// Takes the variable's mentions from the front of a sorted list; those before it are dropped.
fn split_off<'m>(list: &mut &'m [(VariableId, EdgeId)], variable: VariableId) -> &'m [(VariableId, EdgeId)] {
    let rest = &list[list.partition_point(|&(v, _)| v < variable)..];
    let (own, rest) = rest.split_at(rest.partition_point(|&(v, _)| v == variable));
    *list = rest;
    own
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Random, random_program};
    use std::collections::BTreeSet;

    /// Live variables before each location, by iterating the equations until nothing changes.
    fn naive(program: &Program) -> Vec<BTreeSet<VariableId>> {
        let mut live = vec![BTreeSet::new(); program.locations.len()];
        loop {
            let mut changed = false;
            for edge in program.edges.iter() {
                let mut before = live[edge.to.0 as usize].clone();
                if let Some(variable) = usage::variable_killed(program, &edge.kind) {
                    before.remove(&variable);
                }
                usage::variables_read(program, &edge.kind, &mut |v| {
                    before.insert(v);
                });
                let slot: &mut BTreeSet<VariableId> = &mut live[edge.from.0 as usize];
                let count = slot.len();
                slot.extend(before);
                changed |= slot.len() != count;
            }
            if !changed {
                return live;
            }
        }
    }

    #[test]
    fn agrees_with_the_equations() {
        let mut random = Random::new(5);
        for _ in 0..300 {
            let program = random_program(&mut random, 8);
            let (liveness, expected) = (Liveness::new(&program), naive(&program));
            for variable in program.variables.ids().filter(|&v| is_plain(&program, v)) {
                for location in program.locations.ids() {
                    let live = expected[location.0 as usize].contains(&variable);
                    assert_eq!(liveness.is_live(location, variable), live);
                }
                for (id, edge) in program.edges.enumerated() {
                    let before = expected[edge.from.0 as usize].contains(&variable);
                    let written = usage::variable_killed(&program, &edge.kind) == Some(variable);
                    let after = expected[edge.to.0 as usize].contains(&variable);
                    assert_eq!(liveness.dying(id).contains(&variable), (before || written) && !after);
                }
            }
        }
    }
}

//! What monitors remember of a path: its length, its branches, the time spent on it, and how often it came to
//! each location.
//!
//! This is beside the abstract state and never part of what makes two states equal: a state that was reached
//! on a short path covers the same state on a long one. Counts of locations are kept like slots of memory,
//! in collapsed form.

use super::{Limit, Limits};
use crate::composite::{Decision, Facts, Step, Taken};
use crate::value::collapse::{Chunks, Vector};
use cfa::LocationId;
use cpa::{Component, Onward};

/// The path to a state; 0 where nothing is monitored.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct PathId(pub u32);

#[derive(Clone, Copy, Default, Debug)]
struct Record {
    length: u64,
    assumes: u64,
    nanoseconds: u64,
    /// Counts by location, collapsed.
    counts: u32,
}

/// The path that is worked on, and those of all states.
pub struct Paths {
    active: bool,
    limits: Limits,
    records: Vec<Record>,
    current: Record,
    locations: usize,
    chunks: Chunks,
    counts: Vector,
}

impl Paths {
    pub fn new(limits: &Limits, locations: usize) -> Self {
        let kinds = [Limit::PathLength, Limit::PathAssumes, Limit::PathTime, Limit::RepeatLocations];
        let repeats = limits.get(Limit::RepeatLocations).is_some();
        let mut paths = Self {
            active: limits.any(&kinds),
            limits: limits.clone(),
            records: vec![Record::default()],
            current: Record::default(),
            locations: if repeats { locations } else { 0 },
            chunks: Chunks::default(),
            counts: Vector::default(),
        };
        paths.counts.resize(paths.locations);
        if repeats {
            paths.records[0].counts = paths.counts.collapse(&mut paths.chunks);
        }
        paths
    }

    /// Goes back to the path to a state.
    #[inline]
    fn go_back(&mut self, path: PathId) {
        if self.active {
            self.current = self.records[path.0 as usize];
            if self.locations > 0 {
                self.counts.expand(self.current.counts, self.locations, &self.chunks);
            }
        }
    }

    #[inline]
    pub fn record(&mut self) -> PathId {
        if !self.active {
            return PathId(0);
        }
        if self.locations > 0 {
            self.current.counts = self.counts.collapse(&mut self.chunks);
        }
        self.records.push(self.current);
        PathId(self.records.len() as u32 - 1)
    }

    /// The path takes a statement, which may be a branch; which limit it exceeds then.
    #[inline]
    fn step(&mut self, is_branch: bool) -> Option<Limit> {
        if !self.active {
            return None;
        }
        self.current.length += 1;
        self.current.assumes += u64::from(is_branch);
        let measures = [(Limit::PathLength, self.current.length), (Limit::PathAssumes, self.current.assumes)];
        measures
            .into_iter()
            .find(|&(limit, measure)| self.limits.exceeded(limit, measure))
            .map(|(limit, _)| limit)
    }

    /// The path comes to a location.
    #[inline]
    fn arrive(&mut self, location: LocationId) -> Option<Limit> {
        if self.locations == 0 {
            return None;
        }
        let slot = location.0 as usize;
        let count = self.counts.get(slot) + 1;
        self.counts.set(slot, count);
        self.limits.exceeded(Limit::RepeatLocations, count.into()).then_some(Limit::RepeatLocations)
    }

    /// Time was spent on the path.
    pub fn spend(&mut self, nanoseconds: u64) -> Option<Limit> {
        self.current.nanoseconds += nanoseconds;
        self.limits.exceeded(Limit::PathTime, self.current.nanoseconds).then_some(Limit::PathTime)
    }

    pub fn memory(&self) -> usize {
        self.records.capacity() * size_of::<Record>() + self.chunks.memory()
    }
}

impl<'f> Component<Step, dyn Facts + 'f> for Paths {
    type State = PathId;
    type Key = ();
    type Reason = Limit;

    #[inline]
    fn load(&mut self, state: PathId) {
        self.go_back(state);
    }

    #[inline]
    fn transfer(&mut self, step: &Step) -> Onward<Limit> {
        match *step {
            Step::Take(Taken { is_statement: true, decision, .. }) => {
                super::onward(self.step(decision == Decision::Branch))
            }
            Step::Arrive(location) => super::onward(self.arrive(location)),
            _ => Onward::On,
        }
    }

    #[inline]
    fn store(&mut self) -> PathId {
        self.record()
    }

    fn key(&self, _: PathId) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(limit: &str) -> Paths {
        let mut limits = Limits::default();
        limits.add(limit).expect("a limit");
        Paths::new(&limits, 20)
    }

    #[test]
    fn lengths_are_counted_along_each_path() {
        let mut paths = paths("path-length=3");
        assert_eq!([paths.step(false), paths.step(true)], [None, None]);
        let fork = paths.record();
        assert_eq!([paths.step(false), paths.step(false)], [None, Some(Limit::PathLength)]);
        paths.go_back(fork);
        assert_eq!([paths.step(false), paths.step(false)], [None, Some(Limit::PathLength)]);
    }

    #[test]
    fn only_branches_count_as_assumes() {
        let mut paths = paths("path-assumes=1");
        assert_eq!([paths.step(false), paths.step(true), paths.step(false)], [None; 3]);
        assert_eq!(paths.step(true), Some(Limit::PathAssumes));
    }

    #[test]
    fn locations_are_counted_along_each_path() {
        let mut paths = paths("repeat-locations=2");
        assert_eq!(paths.arrive(LocationId(3)), None);
        let fork = paths.record();
        assert_eq!([paths.arrive(LocationId(3)), paths.arrive(LocationId(4))], [None, None]);
        assert_eq!(paths.arrive(LocationId(3)), Some(Limit::RepeatLocations));
        paths.go_back(fork);
        assert_eq!(paths.arrive(LocationId(3)), None);
    }

    #[test]
    fn time_adds_up() {
        let mut paths = paths("path-time=1ms");
        assert_eq!([paths.spend(600_000), paths.spend(600_000)], [None, Some(Limit::PathTime)]);
    }

    #[test]
    fn nothing_is_kept_without_limits() {
        let mut paths = Paths::new(&Limits::default(), 20);
        assert_eq!((paths.step(true), paths.record()), (None, PathId(0)));
    }
}

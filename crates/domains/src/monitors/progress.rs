//! Monitors of the analysis as a whole and of single steps.

use super::{Limit, Limits};
use crate::composite::{Facts, Step, Taken};
use base::StopReason;
use cfa::{EdgeId, LocationId};
use cpa::{Component, Onward};
use std::time::{Duration, Instant};

/// Counts what the whole analysis does.
pub struct Progress {
    limits: Limits,
    start: Instant,
    calls: u32,
    /// Empty unless limited.
    states: Vec<u64>,
    visits: Vec<u64>,
}

/// Clock and memory are looked at once in so many states.
const LOOK_EVERY: u32 = 64;

impl Progress {
    pub fn new(limits: &Limits, locations: usize, edges: usize) -> Self {
        let counters = |limit, count| vec![0; if limits.get(limit).is_some() { count } else { 0 }];
        Self {
            limits: limits.clone(),
            start: Instant::now(),
            calls: 0,
            states: counters(Limit::StatesPerLocation, locations),
            visits: counters(Limit::EdgeVisits, edges),
        }
    }

    /// Whether the analysis may go on with so many states.
    pub fn check(&mut self, states: usize) -> Result<(), StopReason> {
        let stop = |limit| Err(StopReason::Limit(self.limits.text(limit)));
        if self.limits.exceeded(Limit::States, states as u64) {
            return stop(Limit::States);
        }
        self.calls = self.calls.wrapping_add(1);
        if !self.calls.is_multiple_of(LOOK_EVERY) && self.calls != 1 {
            return Ok(());
        }
        if self.limits.exceeded(Limit::Time, self.start.elapsed().as_nanos() as u64) {
            return stop(Limit::Time);
        }
        if let Some(limit) = self.limits.get(Limit::Memory)
            && base::memory::resident().is_some_and(|used| used > limit)
        {
            return stop(Limit::Memory);
        }
        Ok(())
    }

    /// Counts from zero again; time goes on.
    pub fn restart(&mut self) {
        self.states.fill(0);
        self.visits.fill(0);
    }

    /// What is left of the time limit.
    pub fn remaining(&self) -> Option<Duration> {
        self.limits.duration(Limit::Time).map(|limit| limit.saturating_sub(self.start.elapsed()))
    }

    /// A state of that location is about to be added.
    pub fn add_state(&mut self, location: LocationId) -> Option<Limit> {
        let count = self.states.get_mut(location.0 as usize)?;
        *count += 1;
        self.limits.exceeded(Limit::StatesPerLocation, *count).then_some(Limit::StatesPerLocation)
    }

    /// An edge is about to be followed.
    #[inline]
    fn visit(&mut self, edge: EdgeId) -> Option<Limit> {
        let count = self.visits.get_mut(edge.0 as usize)?;
        *count += 1;
        self.limits.exceeded(Limit::EdgeVisits, *count).then_some(Limit::EdgeVisits)
    }
}

impl<'f> Component<Step, dyn Facts + 'f> for Progress {
    type State = ();
    type Key = ();
    type Reason = Limit;

    fn load(&mut self, (): ()) {}

    #[inline]
    fn transfer(&mut self, step: &Step) -> Onward<Limit> {
        match *step {
            Step::Take(Taken { edge, is_statement: true, .. }) => super::onward(self.visit(edge)),
            _ => Onward::On,
        }
    }

    fn store(&mut self) {}

    fn key(&self, (): ()) {}
}

/// Watches the computation of one successor.
pub struct Post {
    start: Instant,
    memory: usize,
}

impl Post {
    /// Does nothing unless one of its limits is set.
    pub fn begin(limits: &Limits, memory: usize) -> Option<Post> {
        let kinds = [Limit::PostTime, Limit::PostMemory, Limit::PathTime];
        limits.any(&kinds).then(|| Post { start: Instant::now(), memory })
    }

    pub fn nanoseconds(&self) -> u64 {
        self.start.elapsed().as_nanos() as u64
    }

    /// The limit that the computation has exceeded.
    pub fn exceeded(&self, limits: &Limits, memory: usize) -> Option<Limit> {
        if limits.exceeded(Limit::PostTime, self.nanoseconds()) {
            return Some(Limit::PostTime);
        }
        let grown = memory.saturating_sub(self.memory) as u64;
        limits.exceeded(Limit::PostMemory, grown).then_some(Limit::PostMemory)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits(text: &str) -> Limits {
        let mut limits = Limits::default();
        limits.add(text).expect("a limit");
        limits
    }

    #[test]
    fn states_are_counted() {
        let mut progress = Progress::new(&limits("states=2"), 5, 5);
        assert_eq!(progress.check(2), Ok(()));
        assert_eq!(progress.check(3), Err(StopReason::Limit("states=2".into())));
    }

    #[test]
    fn locations_and_edges_are_counted_apart() {
        let mut progress = Progress::new(&limits("states-per-location=1"), 5, 5);
        assert_eq!([progress.add_state(LocationId(1)), progress.add_state(LocationId(2))], [None, None]);
        assert_eq!(progress.add_state(LocationId(1)), Some(Limit::StatesPerLocation));
        let mut progress = Progress::new(&limits("edge-visits=1"), 5, 5);
        assert_eq!([progress.visit(EdgeId(1)), progress.visit(EdgeId(2))], [None, None]);
        assert_eq!(progress.visit(EdgeId(1)), Some(Limit::EdgeVisits));
    }

    #[test]
    fn time_and_memory_stop_everything() {
        assert!(Progress::new(&limits("time=0s"), 5, 5).check(0).is_err());
        assert!(Progress::new(&limits("memory=1"), 5, 5).check(0).is_err());
        assert!(Progress::new(&limits("memory=100GB"), 5, 5).check(0).is_ok());
    }

    #[test]
    fn a_slow_or_greedy_step_is_noticed() {
        let slow = limits("post-time=0s");
        let post = Post::begin(&slow, 0).expect("limited");
        std::thread::sleep(Duration::from_millis(1));
        assert_eq!(post.exceeded(&slow, 0), Some(Limit::PostTime));
        let greedy = limits("post-memory=10");
        let post = Post::begin(&greedy, 100).expect("limited");
        assert_eq!(post.exceeded(&greedy, 105), None);
        assert_eq!(post.exceeded(&greedy, 111), Some(Limit::PostMemory));
        assert!(Post::begin(&Limits::default(), 0).is_none());
    }
}

//! How long and how large a run may become, and why it stopped.
//!
//! Every engine asks its [`Budget`] regularly. Asking is cheap: the clock and the memory counter are
//! read only once in a while. Running out is not an error: it is a [`StopReason`], and the engine
//! hands in what it has.

use crate::memory;
use crate::progress::Watcher;
use std::cell::Cell;
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Why an engine stopped before it had a verdict.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StopReason {
    TimeLimit(Duration),
    /// The limit, in bytes.
    MemoryLimit(u64),
    /// Ctrl-C, SIGTERM, or another engine was faster.
    Cancelled,
    /// A limit of the user, as it was given: `states=1000`.
    Limit(String),
}

impl fmt::Display for StopReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StopReason::TimeLimit(limit) => write!(f, "time limit of {} s", rounded(limit.as_secs_f64())),
            StopReason::MemoryLimit(limit) => write!(f, "memory limit of {} MiB", limit >> 20),
            StopReason::Cancelled => write!(f, "interrupted"),
            StopReason::Limit(limit) => write!(f, "limit {limit}"),
        }
    }
}

/// Limits of a run. Clones share the cancel flag, and may be narrowed for a stage of the run.
#[derive(Clone, Debug)]
pub struct Budget {
    start: Instant,
    time: Option<Duration>,
    /// Of the time, what is left for what comes after.
    rest: Duration,
    memory: Option<u64>,
    addresses: Option<u64>,
    cancel: Arc<AtomicBool>,
    calls: Cell<u32>,
    /// When the memory counter was read last.
    looked: Cell<Option<Duration>>,
    watcher: Watcher,
}

impl Default for Budget {
    fn default() -> Self {
        Self::unlimited()
    }
}

/// The clock is read at one in so many checks.
const CHECKS_PER_LOOK: u32 = 32;

/// Reading the memory counter takes microseconds, so it is read after such a time only.
const TIME_PER_LOOK: Duration = Duration::from_millis(2);

/// So many bytes are not taken at once without a look at the memory counter.
const MUCH_AT_ONCE: u64 = 1 << 24;

impl Budget {
    pub fn unlimited() -> Self {
        Self {
            start: Instant::now(),
            time: None,
            rest: Duration::ZERO,
            memory: None,
            addresses: None,
            cancel: Arc::default(),
            calls: Cell::new(0),
            looked: Cell::default(),
            watcher: Watcher::default(),
        }
    }

    /// The same budget, but at most `time` from now on.
    #[must_use]
    pub fn with_time(mut self, time: Duration) -> Self {
        let spent = self.start.elapsed();
        let limit = spent.saturating_add(time);
        self.time = Some(self.time.map_or(limit, |old| old.min(limit)));
        self
    }

    /// The same budget for all but the end of a stage, which has this part of the time that remains.
    #[must_use]
    pub fn leaving(mut self, part: f64) -> Self {
        self.rest = self.remaining().map_or(self.rest, |remaining| self.rest + remaining.mul_f64(part));
        self
    }

    /// The same budget, but at most `bytes` of resident memory for the whole process.
    #[must_use]
    pub fn with_memory(mut self, bytes: u64) -> Self {
        self.memory = Some(self.memory.map_or(bytes, |old| old.min(bytes)));
        self
    }

    /// The same budget, but at most `bytes` of addresses for the whole process.
    #[must_use]
    pub fn with_address_space(mut self, bytes: u64) -> Self {
        self.addresses = Some(self.addresses.map_or(bytes, |old| old.min(bytes)));
        self
    }

    /// The same budget, watched.
    #[must_use]
    pub fn with_watcher(mut self, watcher: Watcher) -> Self {
        self.watcher = watcher;
        self
    }

    /// Tells what is being done, if somebody watches.
    pub fn tell(&self, text: impl FnOnce() -> String) {
        self.watcher.tell(text);
    }

    /// Set it, from a signal handler for example, to stop every engine that shares this budget.
    pub fn cancel_flag(&self) -> Arc<AtomicBool> {
        self.cancel.clone()
    }

    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// What is left of the time, if it is limited.
    pub fn remaining(&self) -> Option<Duration> {
        self.time.map(|limit| limit.saturating_sub(self.start.elapsed() + self.rest))
    }

    /// To be called in every inner loop.
    #[inline]
    pub fn check(&self) -> Result<(), StopReason> {
        let calls = self.calls.get().wrapping_add(1);
        self.calls.set(calls);
        if calls.is_multiple_of(CHECKS_PER_LOOK) { self.check_now() } else { Ok(()) }
    }

    /// Reads the clock and, unless it has just been read, the memory counter: before something that takes long.
    pub fn check_now(&self) -> Result<(), StopReason> {
        let elapsed = self.start.elapsed();
        self.check_time(elapsed)?;
        if self.looked.get().is_none_or(|looked| elapsed.saturating_sub(looked) >= TIME_PER_LOOK) {
            self.looked.set(Some(elapsed));
            self.check_memory(0)?;
        }
        Ok(())
    }

    fn check_time(&self, elapsed: Duration) -> Result<(), StopReason> {
        if self.cancel.load(Ordering::Relaxed) {
            return Err(StopReason::Cancelled);
        }
        match self.time {
            Some(limit) if elapsed + self.rest >= limit => Err(StopReason::TimeLimit(limit)),
            _ => Ok(()),
        }
    }

    /// Before so many things are put into a table: one that is full doubles, which can take more than all that is left.
    pub fn check_growth<K, V, S>(&self, table: &HashMap<K, V, S>, more: usize) -> Result<(), StopReason> {
        let growth = 2 * (table.capacity().max(more) * size_of::<(K, V)>()) as u64;
        let is_full = table.capacity() - table.len() < more;
        if is_full { self.check_room(growth) } else { Ok(()) }
    }

    /// Before so many bytes are taken at once: reads the memory counter, if they are many.
    #[inline]
    pub fn check_room(&self, bytes: u64) -> Result<(), StopReason> {
        if bytes >= MUCH_AT_ONCE { self.check_memory(bytes) } else { Ok(()) }
    }

    fn check_memory(&self, bytes: u64) -> Result<(), StopReason> {
        if self.memory.is_none() && self.addresses.is_none() {
            return Ok(());
        }
        let Some(used) = memory::usage() else { return Ok(()) };
        for (limit, used) in [(self.memory, used.resident), (self.addresses, used.mapped)] {
            if let Some(limit) = limit.filter(|&limit| used.saturating_add(bytes) > headroom(limit)) {
                return Err(StopReason::MemoryLimit(limit));
            }
        }
        Ok(())
    }
}

/// To three digits after the point. A limit counts from the start of the clock, microseconds before
/// it is set.
fn rounded(seconds: f64) -> f64 {
    (seconds * 1000.0).round() / 1000.0
}

/// Tables grow by a piece at a time, and what has been found must still be told: a run stops before
/// it is at the limit.
fn headroom(limit: u64) -> u64 {
    limit / 5 * 4
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stages_share_the_cancel_flag() {
        let whole = Budget::unlimited();
        let stage = whole.clone().with_time(Duration::from_secs(1000));
        assert_eq!(stage.check_now(), Ok(()));
        whole.cancel_flag().store(true, Ordering::Relaxed);
        assert_eq!(stage.check_now(), Err(StopReason::Cancelled));
    }

    #[test]
    fn a_stage_cannot_get_more_than_the_whole() {
        let whole = Budget::unlimited().with_time(Duration::ZERO);
        let stage = whole.with_time(Duration::from_secs(1000));
        assert!(matches!(stage.check_now(), Err(StopReason::TimeLimit(_))));
    }

    #[test]
    fn time_is_left_for_the_end() {
        let whole = Budget::unlimited().with_time(Duration::from_secs(1000));
        let search = whole.clone().leaving(0.1);
        let rest = whole.remaining().unwrap() - search.remaining().unwrap();
        assert!(rest > Duration::from_secs(99) && rest < Duration::from_secs(101), "{rest:?}");
        assert_eq!(search.check_now(), Ok(()));
        assert!(matches!(whole.leaving(1.0).check_now(), Err(StopReason::TimeLimit(_))));
        assert_eq!(Budget::unlimited().leaving(1.0).check_now(), Ok(()));
    }

    #[test]
    fn limits_are_told_as_they_were_set() {
        let stop = |nanoseconds| StopReason::TimeLimit(Duration::from_nanos(nanoseconds)).to_string();
        assert_eq!(stop(60_000_003_475), "time limit of 60 s");
        assert_eq!(stop(1_500_000_000), "time limit of 1.5 s");
    }

    #[test]
    fn what_is_about_to_be_taken_counts() {
        let budget = Budget::unlimited().with_memory(1 << 40);
        assert_eq!(budget.check_room(1 << 30), Ok(()));
        assert_eq!(budget.check_room(1 << 40), Err(StopReason::MemoryLimit(1 << 40)));
        assert_eq!(Budget::unlimited().check_room(u64::MAX), Ok(()));
    }

    #[test]
    fn a_table_is_asked_about_when_it_is_full() {
        let budget = Budget::unlimited().with_memory(1);
        let mut table: HashMap<u64, u64> = HashMap::with_capacity(1 << 20);
        assert_eq!(budget.check_growth(&table, 1 << 20), Ok(()));
        table.extend((0..table.capacity() as u64).map(|entry| (entry, entry)));
        assert_eq!(budget.check_growth(&table, 1), Err(StopReason::MemoryLimit(1)));
    }

    #[test]
    fn memory_is_limited() {
        let budget = Budget::unlimited().with_memory(1);
        assert_eq!(budget.check_now(), Err(StopReason::MemoryLimit(1)));
        let budget = Budget::unlimited().with_memory(1 << 40).with_address_space(2);
        assert_eq!(budget.check_now(), Err(StopReason::MemoryLimit(2)));
    }
}

//! Work that cannot be stopped at once, on a thread of its own.

use base::{Budget, StopReason};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

/// So often the budget is asked while the other thread works.
const BETWEEN_LOOKS: Duration = Duration::from_millis(20);

/// So long a stopped work may take to come to its end.
const PATIENCE: Duration = Duration::from_millis(200);

/// The stack of the other thread.
const STACK: usize = 8 << 20;

/// Something that is worked with here or, when that may take long, on another thread: if that does not stop in time,
/// this thread goes on without it.
pub struct Aside<T> {
    here: Option<T>,
    away: Option<Receiver<T>>,
}

impl<T: Send + 'static> Aside<T> {
    pub fn new(it: T) -> Self {
        Self { here: Some(it), away: None }
    }

    /// `None` as long as the other thread has it.
    pub fn here(&mut self) -> Option<&mut T> {
        if let Some(it) = self.away.as_ref().and_then(|away| away.try_recv().ok()) {
            self.come_back(it);
        }
        self.here.as_mut()
    }

    /// As [`Self::here`], but waits for the other thread.
    pub fn fetch(&mut self, budget: &Budget) -> Result<&mut T, StopReason> {
        if let Some(away) = &self.away {
            let it = wait(away, budget)?;
            self.come_back(it);
        }
        Ok(self.here.as_mut().expect("it is here if it is not away"))
    }

    fn come_back(&mut self, it: T) {
        self.here = Some(it);
        self.away = None;
    }

    /// Does the work on another thread. An error means that it has not ended shortly after the budget has.
    pub fn work(
        &mut self,
        budget: &Budget,
        work: impl FnOnce(&mut T) + Send + 'static,
    ) -> Result<&mut T, StopReason> {
        self.fetch(budget)?;
        let mut it = self.here.take().expect("it has been fetched");
        let (give_back, away) = mpsc::sync_channel(1);
        self.away = Some(away);
        let started = thread::Builder::new().stack_size(STACK).spawn(move || {
            work(&mut it);
            // Nobody listens any more if the run is over.
            let _ = give_back.send(it);
        });
        started.expect("there is room for one more thread");
        self.fetch(budget)
    }
}

/// Waits for the other thread, and a little longer than the budget allows.
fn wait<R>(answers: &Receiver<R>, budget: &Budget) -> Result<R, StopReason> {
    let mut stopped = None;
    loop {
        match answers.recv_timeout(BETWEEN_LOOKS) {
            Ok(answer) => return Ok(answer),
            Err(RecvTimeoutError::Disconnected) => panic!("the other thread has panicked"),
            Err(RecvTimeoutError::Timeout) => {}
        }
        if let Err(reason) = budget.check_now() {
            let since = *stopped.get_or_insert_with(Instant::now);
            if since.elapsed() >= PATIENCE {
                return Err(reason);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::Ordering;

    fn over() -> Budget {
        let budget = Budget::unlimited();
        budget.cancel_flag().store(true, Ordering::Relaxed);
        budget
    }

    #[test]
    fn work_is_done_on_another_thread() {
        let mut threads = Aside::new(vec![thread::current().id()]);
        let threads = threads.work(&Budget::unlimited(), |threads| threads.push(thread::current().id()));
        let threads = threads.expect("nothing is limited");
        assert_eq!(threads.len(), 2);
        assert_ne!(threads[0], threads[1]);
    }

    #[test]
    fn what_does_not_stop_is_left_behind_and_comes_back() {
        let mut list = Aside::new(vec![1]);
        let (go_on, until) = mpsc::channel();
        let answer = list.work(&over(), move |list| {
            until.recv().expect("told to go on");
            list.push(2);
        });
        assert_eq!(answer, Err(StopReason::Cancelled));
        assert_eq!(list.here(), None);
        assert_eq!(list.fetch(&over()), Err(StopReason::Cancelled));
        go_on.send(()).expect("it waits");
        assert_eq!(list.fetch(&Budget::unlimited()), Ok(&mut vec![1, 2]));
        assert_eq!(list.here(), Some(&mut vec![1, 2]));
    }

    #[test]
    fn what_stops_shortly_after_the_budget_is_waited_for() {
        let mut number = Aside::new(1);
        let answer = number.work(&over(), |number| {
            thread::sleep(PATIENCE / 4);
            *number = 7;
        });
        assert_eq!(answer, Ok(&mut 7));
    }
}

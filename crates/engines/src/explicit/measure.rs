//! The exploration alone, for benchmarks: nobody looks at the alarms, so that the figures are those of the
//! CPA algorithm and the domains, on programs with an early violation, too.

use super::{Engine, Options, Statistics, analysis, code};
use crate::outcome::Task;
use cpa::Pause;
use std::time::Duration;

/// Explores all that can be reached, again and again until `enough` time has passed. Steps and time are
/// those of all rounds together, and the rest is of the last one.
pub fn explore(task: Task<'_>, options: &Options, enough: Duration) -> Statistics {
    let (mut steps, mut time) = (0, Duration::ZERO);
    loop {
        let (code, overflow) = code(&task);
        let mut engine = Engine::new(task, analysis(&task, &code, overflow, options), options);
        engine.start();
        engine.explore_alone();
        let round = engine.statistics();
        steps += round.steps;
        time += round.time;
        if time >= enough || task.budget.check_now().is_err() {
            return Statistics { steps, time, ..round };
        }
    }
}

impl Engine<'_> {
    fn explore_alone(&mut self) {
        let stage = &mut self.stage;
        while let Ok(Pause::End) =
            cpa::run(&mut self.analysis, &mut stage.reached, stage.waitlist.as_mut(), self.task.budget)
        {
        }
    }
}

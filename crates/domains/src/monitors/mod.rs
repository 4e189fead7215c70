//! Monitors: the conditions of Fig. 7 of "Conditional Model Checking" under which an analysis gives up on a
//! path, or altogether, before it fails.
//!
//! | part of the analysis | limits |
//! |---|---|
//! | all of it | `time`, `memory`, `states`, `states-per-location`, `edge-visits` |
//! | one successor | `post-time`, `post-memory`, `state-size` |
//! | one path | `path-length`, `path-time`, `repeat-locations`, `path-assumes` |
//! | checking an alarm | `refine-time`, `refine-memory`, `formula-size` |
//!
//! A monitor only observes and says *stop*; what is left out then is the business of whoever asked.

mod limits;
mod path;
mod progress;

pub use limits::{Limit, LimitError, Limits};
pub use path::{PathId, Paths};
pub use progress::{Post, Progress};

use cpa::Onward;

/// A path goes on unless it exceeds a limit.
#[inline]
fn onward(exceeded: Option<Limit>) -> Onward<Limit> {
    exceeded.map_or(Onward::On, Onward::GivenUp)
}

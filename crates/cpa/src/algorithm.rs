//! Algorithm 1 of "Conditional Model Checking".

use crate::{Analysis, Reached, Successor, Waitlist};
use base::{Budget, StopReason};

/// Why the algorithm handed back control before it was stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pause {
    /// The waitlist is empty.
    Done,
    /// At least one path ended in a way that [`Analysis::pauses`] asks to look at.
    End,
}

/// Explores until the waitlist is empty, an alarm is found, or the budget runs out. Can be called again
/// with the same sets to go on: a state is on the waitlist until all that follows it has been added.
pub fn run<A: Analysis>(
    analysis: &mut A,
    reached: &mut Reached<A>,
    waitlist: &mut dyn Waitlist,
    budget: &Budget,
) -> Result<Pause, StopReason> {
    let (mut choices, mut pause) = (Vec::new(), false);
    while !pause && let Some(node) = waitlist.pop() {
        if let Err(reason) = budget.check().and_then(|()| analysis.limit(reached.len())) {
            waitlist.push(node, analysis.rank(reached.state(node)));
            return Err(reason);
        }
        let state = *reached.state(node);
        choices.clear();
        analysis.choices(&state, &mut choices);
        for &choice in &choices {
            let new = match analysis.successor(&state, choice) {
                Successor::State(new) => new,
                Successor::Nothing => continue,
                Successor::End(end) => {
                    pause |= analysis.pauses(&end);
                    reached.end(node, choice, end);
                    continue;
                }
            };
            reached.merge(analysis, &new, waitlist);
            match reached.covering(analysis, &new) {
                Some(old) => reached.cover(node, choice, old),
                None => waitlist.push(reached.add(analysis, new, Some((node, choice))), analysis.rank(&new)),
            }
        }
    }
    Ok(if pause { Pause::End } else { Pause::Done })
}

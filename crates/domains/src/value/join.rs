//! Merging states: what two vectors of slots have in common.

use super::collapse::{NON_ZERO, UNKNOWN};
use super::execute::Machine;
use crate::callstack::StackId;
use crate::interval::Interval;

impl Machine<'_> {
    /// The number of a state that covers two others of the same call stack.
    pub fn join(&mut self, stack: StackId, first: u32, second: u32) -> u32 {
        let other = self.chunks.slots(second, self.length(stack));
        self.load_state(stack, first);
        for (slot, &code) in other.iter().enumerate() {
            let joined = self.join_codes(self.vector.get(slot), code);
            self.vector.set(slot, joined);
        }
        self.vector.collapse(&mut self.chunks)
    }

    /// Whether all that is known in a state also holds in another one.
    pub fn covers(&self, stack: StackId, general: u32, special: u32) -> bool {
        if general == special {
            return true;
        }
        let length = self.length(stack);
        let (general, special) = (self.chunks.slots(general, length), self.chunks.slots(special, length));
        general.iter().zip(&special).all(|(&general, &special)| {
            general == special
                || general == UNKNOWN
                || general == NON_ZERO && self.is_non_zero(special)
                || self.is_within(special, general)
        })
    }

    /// Two inputs of the same number stand for the same in both states only where both have them, and what
    /// they have in common with other slots is said by those.
    fn join_codes(&mut self, first: u32, second: u32) -> u32 {
        if first == second {
            return first;
        }
        if self.bounded
            && let (Some(first), Some(second)) = (self.bounds_of(first), self.bounds_of(second))
        {
            return self.widened(first.hull(second));
        }
        if self.is_non_zero(first) && self.is_non_zero(second) { NON_ZERO } else { UNKNOWN }
    }

    fn bounds_of(&self, code: u32) -> Option<Interval> {
        match self.chunks.number(code) {
            Some(number) => Some(Interval::point(number.into())),
            None => self.chunks.interval(code),
        }
    }

    fn is_within(&self, special: u32, general: u32) -> bool {
        match (self.bounds_of(special), self.chunks.interval(general)) {
            (Some(special), Some(general)) => special.is_within(general),
            _ => false,
        }
    }

    fn is_non_zero(&self, code: u32) -> bool {
        match self.chunks.number(code) {
            Some(number) => number != 0,
            None => {
                code == NON_ZERO
                    || self.chunks.symbol(code).is_some_and(|symbol| symbol.non_zero)
                    || self.chunks.interval(code).is_some_and(|interval| !interval.contains(0))
            }
        }
    }
}

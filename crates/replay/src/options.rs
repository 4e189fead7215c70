//! What a run watches for, and its limits.

use base::Budget;
use std::ops::Range;

/// Which kinds of undefined behaviour end the run. Invalid dereferences, invalid frees and divisions
/// by zero always do, because no machine goes on after them.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Checks {
    /// Without it, signed arithmetic wraps, as with `-fwrapv`.
    pub signed_overflow: bool,
    /// Without it, the count is taken modulo the width, as the machine does.
    pub shift_range: bool,
    /// Without it, an index may leave its array as long as it stays inside of the object.
    pub index_range: bool,
    pub uninitialised_use: bool,
    pub leaks: LeakCheck,
}

/// What heap memory may be left at the end of the run.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum LeakCheck {
    #[default]
    Off,
    /// All memory must be freed or still be reachable through pointers (SV-COMP: valid-memtrack).
    Unreachable,
    /// All memory must be freed (SV-COMP: valid-memcleanup).
    Any,
}

/// What happens when the inputs have no more values.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum WhenExhausted {
    /// Go on with zeros.
    #[default]
    Zero,
    Stop,
}

#[derive(Clone, Debug)]
pub struct Options {
    pub checks: Checks,
    /// Calling one of these is the error, even if it has a body.
    pub error_functions: Vec<String>,
    pub when_exhausted: WhenExhausted,
    /// What `main` gets as `argv`; `None` makes its parameters inputs.
    pub arguments: Option<Vec<String>>,
    /// Edges that may be taken.
    pub step_limit: u64,
    /// The observer does not see the edges with these numbers.
    pub unobserved: Range<u64>,
    /// Calls that may be open at a time.
    pub depth_limit: u64,
    /// Bytes of the program's own memory that may be alive at a time.
    pub memory_limit: u64,
    /// `malloc` gives no null pointer, also for more memory than any machine has: then the run stops.
    pub allocation_succeeds: bool,
    pub budget: Budget,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            checks: Checks::default(),
            error_functions: vec!["reach_error".into(), "__VERIFIER_error".into()],
            when_exhausted: WhenExhausted::default(),
            arguments: None,
            step_limit: u64::MAX,
            unobserved: 0..0,
            depth_limit: 4_000_000,
            memory_limit: 2 << 30,
            allocation_succeeds: false,
            budget: Budget::unlimited(),
        }
    }
}

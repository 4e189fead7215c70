//! How much work it was, as in Table III of the paper on large-block encoding.

use std::time::Duration;

#[derive(Clone, Default, Debug)]
pub struct Statistics {
    pub locations: usize,
    /// Nodes of the symbolic execution of all blocks, and the terms of it.
    pub steps: u64,
    pub terms: usize,
    /// Where blocks start, come back and end in a violation.
    pub blocks: (usize, usize, usize),
    /// Abstract states found, and those in the end.
    pub states: usize,
    pub reached: usize,
    pub refinements: u32,
    pub paths_checked: u32,
    pub predicates: usize,
    pub most_predicates: usize,
    /// All of them, as C expressions, each with the name of its location.
    pub texts: Vec<(String, String)>,
    /// Successors of which something was known from before.
    pub cached: u64,
    /// Questions to the solver about what is reached.
    pub queries: u64,
    /// Executing the blocks symbolically.
    pub post: Duration,
    pub abstraction: Duration,
    pub refinement: Duration,
    /// Deciding whether a path is real.
    pub feasibility: Duration,
    /// Inside the solver, in the abstraction.
    pub solver: Duration,
    /// Inside the SAT solver, in all.
    pub sat: Duration,
    pub total: Duration,
}

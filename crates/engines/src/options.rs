//! What can be set about bounded model checking and induction.

use cfa::loops::LoopId;
use rustc_hash::FxHashMap;

#[derive(Clone, Debug)]
pub struct Options {
    pub max_unwind: Option<u32>,
    /// Loops with a limit of their own.
    pub max_unwind_of: FxHashMap<LoopId, u32>,
    /// Unwindings that nothing depends on are not counted up to this number.
    pub free: u32,
    pub strategy: Strategy,
    /// Build everything anew for each bound, as tools without incremental solving do.
    pub restart: bool,
    /// Go on after a violation, until every place where a goal could be violated is decided.
    pub all_properties: bool,
    /// Give the solver only what the question depends on.
    pub slicing: bool,
    /// Let the SAT solver simplify the formula before and during the search.
    pub preprocessing: bool,
    /// Leave out expensive operations until the answer depends on them.
    pub refinement: bool,
    /// Tell known states at loop heads apart, and look at each once.
    pub states: bool,
    /// An SMT-LIB 2 solver, instead of our own.
    pub solver: Option<String>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            max_unwind: None,
            max_unwind_of: FxHashMap::default(),
            free: 10_000,
            strategy: Strategy::Auto,
            restart: false,
            all_properties: false,
            slicing: true,
            preprocessing: true,
            refinement: true,
            states: true,
            solver: None,
        }
    }
}

/// In which order loops are unwound where there are several.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Strategy {
    /// Inner loops that count to a constant first, the others one step at a time; reactive loops that are inside of
    /// each other together, where that saves work and no bound is asked for.
    Auto,
    /// An inner loop is unwound to its end before the loop around it goes on.
    InnerFirst,
    /// All loops one step at a time.
    AllLoops,
    /// Reactive loops that are inside of each other are counted as one.
    Together,
}

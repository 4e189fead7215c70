//! Abstract domains for configurable program analysis. Domains do not know each other: an engine puts
//! them together and passes on what one has to tell the others.

pub mod assumption;
pub mod automaton;
pub mod callstack;
pub mod composite;
pub mod interval;
pub mod loopbound;
pub mod monitors;
pub mod overflow;
pub mod storage;
pub mod value;

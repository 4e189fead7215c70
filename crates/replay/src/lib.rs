//! A concrete interpreter of control-flow automata: it runs a program on given inputs, and says how
//! the run ended. It is the only maker of a FALSE verdict, and shares no code with the encoder.
//!
//! Values and memory are as in a program that gcc built for x86 (ILP32 or LP64) without optimisation
//! and with `-fwrapv`, to the bit: [`integers`], [`floats`], [`memory`] and `library` each say how.
//! [`run`] executes; [`Options`] say what undefined behaviour ends the run; [`Inputs`] are asked for
//! what the program does not compute; an [`Observer`] hears of what happens.
//!
//! ```text
//! program ─ decode ─ code ─┐
//!                          ├─ machine: evaluate, place, call, edge, library ─ Ending
//!             Inputs ──────┘        └─ Observer (Trace, Printer)
//! ```

mod arguments;
mod call;
mod code;
mod decode;
mod edge;
pub mod ending;
mod evaluate;
mod evaluate_wide;
pub mod floats;
pub mod inputs;
pub mod integers;
mod leaks;
mod library;
mod machine;
pub mod memory;
pub mod observe;
pub mod options;
mod place;
pub mod trace;
mod value;
mod varargs;

pub use ending::{Ending, Run, Steps, Violation, ViolationKind};
pub use inputs::{Contents, InputKind, InputValue, Inputs, List, Outside, Piece, Random, Request, Zeros};
pub use machine::run;
pub use observe::{Event, Happening, Interest, Observer, Printer, Silent, Stream};
pub use options::{Checks, LeakCheck, Options, WhenExhausted};
pub use trace::{Detail, Trace};
pub use value::Value;

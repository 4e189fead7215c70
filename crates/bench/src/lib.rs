//! Speed, and how it grows: a generator of controllers of any size ([`controller`]), and measurements
//! of processes ([`measure`]) from which the binary `frontend` makes its table.

pub mod controller;
pub mod measure;
pub mod size;
pub mod table;
pub mod tasks;
pub mod usage;

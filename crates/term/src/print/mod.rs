//! Terms as text: SMT-LIB 2 for solvers, C for people.

pub mod c;
pub mod smtlib;

pub use c::CPrinter;
pub use smtlib::SmtlibPrinter;

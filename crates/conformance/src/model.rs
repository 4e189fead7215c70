//! The two data models and the compiler flags that stand for them.

use clap::ValueEnum;
use std::fmt;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, ValueEnum)]
pub enum DataModel {
    #[value(name = "ILP32")]
    Ilp32,
    #[value(name = "LP64")]
    Lp64,
}

impl DataModel {
    pub const ALL: [DataModel; 2] = [DataModel::Ilp32, DataModel::Lp64];

    pub fn name(self) -> &'static str {
        match self {
            DataModel::Ilp32 => "ILP32",
            DataModel::Lp64 => "LP64",
        }
    }

    /// SSE arithmetic for ILP32, as the x87 unit computes with more digits than `double` has.
    pub fn compiler_flags(self) -> &'static [&'static str] {
        match self {
            DataModel::Ilp32 => &["-m32", "-msse2", "-mfpmath=sse"],
            DataModel::Lp64 => &["-m64"],
        }
    }
}

impl fmt::Display for DataModel {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

//! Where blocks begin and end: the abstraction points.

use crate::unwind::CutKind;
use encode::{Encoder, FEW_OFFSETS};
use std::fmt;
use std::str::FromStr;

/// What is one step of the abstraction.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Blocks {
    /// A single operation.
    Single,
    /// Whatever has no loop, as the paper's rules summarise it: points are the heads of loops, and behind
    /// calls of functions that have loops.
    Large,
    /// So many operations, and no further than the next loop head.
    Adjustable(u32),
    /// From loop head to loop head, calls included.
    #[default]
    Loops,
}

/// How the program is executed symbolically.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    pub blocks: Blocks,
    /// Recursion is followed so deep.
    pub recursion: u32,
    /// Memory that is not encoded exactly is forgotten, instead of being an obstacle.
    pub approximates: bool,
    /// So is memory that an access may be to, where that is much.
    pub is_coarse: bool,
}

impl Shape {
    pub(super) fn set_up(self, encoder: &mut Encoder<'_>) {
        encoder.forgets_above = self.approximates.then_some(FEW_OFFSETS);
        encoder.is_coarse = self.is_coarse;
    }
}

impl Blocks {
    pub(super) fn cuts(self) -> CutKind {
        match self {
            Blocks::Single => CutKind::Everywhere { operations: 1 },
            Blocks::Large => CutKind::LoopsAndCalls,
            Blocks::Adjustable(operations) => CutKind::Everywhere { operations },
            Blocks::Loops => CutKind::Loops,
        }
    }
}

impl fmt::Display for Blocks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Blocks::Single => f.write_str("sbe"),
            Blocks::Large => f.write_str("lbe"),
            Blocks::Adjustable(operations) => write!(f, "abe={operations}"),
            Blocks::Loops => f.write_str("loops"),
        }
    }
}

impl FromStr for Blocks {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "sbe" => Ok(Blocks::Single),
            "lbe" => Ok(Blocks::Large),
            "loops" => Ok(Blocks::Loops),
            _ => match text.strip_prefix("abe=").and_then(|number| number.parse().ok()) {
                Some(operations) if operations > 0 => Ok(Blocks::Adjustable(operations)),
                _ => Err("expected sbe, lbe, loops, or abe=N with a number of operations".into()),
            },
        }
    }
}

//! Refinement: what is known of a way to an error that is not real, and how predicates that rule it out are found.
//!
//! [`Linking`] is ours; [`Interpolation`] is there to compare it with.

use super::abstraction::Reached;
use super::interpolation::Interpolation;
use super::linking::Linking;
use super::template::Template;
use crate::outcome::Reason;
use base::Budget;
use rustc_hash::FxHashSet;
use term::TermId;

/// A block on the way to an error.
pub struct Step {
    pub reached: Reached,
    /// The location that is reached; none for an error.
    pub location: Option<usize>,
    /// Jumps in the block, in order, with the step that each starts from.
    pub jumps: Vec<(usize, usize)>,
}

/// All blocks that lead to an error, each behind those that it depends on, the error last.
pub struct Derivation {
    pub steps: Vec<Step>,
}

impl Derivation {
    /// The steps of the way itself, from the start: a block continues what its last jump starts from.
    pub fn main_path(&self) -> Vec<&Step> {
        let mut steps: Vec<&Step> = self.steps.last().into_iter().collect();
        while let Some(&(_, before)) = steps.last().and_then(|step| step.jumps.last()) {
            steps.extend(self.steps.get(before));
        }
        steps.reverse();
        steps
    }

    pub fn locations(&self) -> Vec<usize> {
        let locations: FxHashSet<usize> = self.steps.iter().filter_map(|step| step.location).collect();
        let mut locations: Vec<usize> = locations.into_iter().collect();
        locations.sort_unstable();
        locations
    }
}

/// Finds predicates that rule out what is not real.
pub trait Refinement {
    /// New predicates with their locations, such that abstraction with them does not find this way again.
    fn refine(
        &mut self,
        template: &mut Template<'_>,
        precision: &[Vec<TermId>],
        derivation: &Derivation,
        budget: &Budget,
    ) -> Result<Vec<(usize, TermId)>, Reason>;
}

/// How predicates are found.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum RefinementKind {
    /// Blocks are linked by candidate predicates; the minimised core is taken.
    #[default]
    Core,
    /// Craig interpolation on the bit-blasted blocks.
    Interpolation,
}

impl RefinementKind {
    pub fn refinement(self) -> Box<dyn Refinement> {
        match self {
            Self::Core => Box::<Linking>::default(),
            Self::Interpolation => Box::<Interpolation>::default(),
        }
    }
}

//! Sets of states of a location: Boolean combinations of its predicates, as BDDs.
//!
//! Variable `i` is the `i`-th predicate of whatever location the region is of, so that a region stays the
//! same set of states when its location gets more predicates.

use crate::outcome::Reason;
use oxidd::bdd::{BDDFunction, BDDManagerRef};
use oxidd::util::AllocResult;
use oxidd::{BooleanFunction, Function, HasLevel, Manager, ManagerRef, Node};

#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Region(BDDFunction);

/// The manager of all regions. A copy has the same manager: it comes with threads of its own, and their stacks
/// take a gigabyte of addresses, so that there is one for a whole run.
#[derive(Clone)]
pub struct Regions {
    manager: BDDManagerRef,
    variables: Vec<BDDFunction>,
    everything: BDDFunction,
    nothing: BDDFunction,
}

/// Nodes that there can be, and entries of the cache.
const NODES: usize = 1 << 20;
const CACHE: usize = 1 << 14;

/// One of a region's nodes: a decision on a predicate.
pub struct Decision {
    pub predicate: usize,
    pub then: Region,
    pub otherwise: Region,
}

impl Regions {
    pub fn new() -> Self {
        let manager = oxidd::bdd::new_manager(NODES, CACHE, 1);
        let (everything, nothing) =
            manager.with_manager_shared(|manager| (BDDFunction::t(manager), BDDFunction::f(manager)));
        Self { manager, variables: Vec::new(), everything, nothing }
    }

    pub fn everything(&self) -> Region {
        Region(self.everything.clone())
    }

    pub fn nothing(&self) -> Region {
        Region(self.nothing.clone())
    }

    /// What is known of each predicate, as a conjunction.
    pub fn cube(&mut self, truth: &[Option<bool>]) -> Result<Region, Reason> {
        self.add_variables(truth.len()).map_err(too_large)?;
        let mut result = self.everything.clone();
        for (variable, truth) in self.variables.iter().zip(truth).rev() {
            result = match truth {
                Some(true) => result.and(variable),
                // `¬variable ∧ result`
                Some(false) => variable.imp_strict(&result),
                None => continue,
            }
            .map_err(too_large)?;
        }
        Ok(Region(result))
    }

    fn add_variables(&mut self, count: usize) -> AllocResult<()> {
        if self.variables.len() >= count {
            return Ok(());
        }
        let new = (count - self.variables.len()).max(16);
        let first = self.variables.len() as u32;
        let added: AllocResult<Vec<BDDFunction>> = self.manager.with_manager_exclusive(|manager| {
            // Another copy may have added some.
            let missing = (first + new as u32).saturating_sub(manager.num_vars());
            if missing > 0 {
                manager.add_vars(missing);
            }
            (first..first + new as u32).map(|variable| BDDFunction::var(manager, variable)).collect()
        });
        self.variables.extend(added?);
        Ok(())
    }

    pub fn union(&self, one: &Region, other: &Region) -> Result<Region, Reason> {
        one.0.or(&other.0).map(Region).map_err(too_large)
    }

    pub fn without(&self, one: &Region, other: &Region) -> Result<Region, Reason> {
        // `¬other ∧ one`
        other.0.imp_strict(&one.0).map(Region).map_err(too_large)
    }

    pub fn implies(&self, one: &Region, other: &Region) -> Result<bool, Reason> {
        Ok(self.without(one, other)?.is_nothing())
    }

    /// A conjunction for each way to the truth: together they are the region.
    pub fn cubes(&self, region: &Region) -> Vec<Vec<Option<bool>>> {
        let mut result = Vec::new();
        let mut rest = vec![(region.clone(), vec![None; self.variables.len()])];
        while let Some((region, truth)) = rest.pop() {
            match region.decision() {
                Some(decision) => {
                    for (value, next) in [(false, decision.otherwise), (true, decision.then)] {
                        let mut truth = truth.clone();
                        truth[decision.predicate] = Some(value);
                        rest.push((next, truth));
                    }
                }
                None if region.is_nothing() => {}
                None => result.push(truth),
            }
        }
        result
    }
}

impl Region {
    pub fn is_nothing(&self) -> bool {
        !self.0.satisfiable()
    }

    /// The first decision; none if the region is everything or nothing.
    pub fn decision(&self) -> Option<Decision> {
        let predicate = self.0.with_manager_shared(|manager, edge| match manager.get_node(edge) {
            Node::Inner(node) => Some(manager.level_to_var(node.level()) as usize),
            Node::Terminal(_) => None,
        })?;
        let (then, otherwise) = self.0.cofactors()?;
        Some(Decision { predicate, then: Region(then), otherwise: Region(otherwise) })
    }
}

fn too_large(_: oxidd::util::OutOfMemory) -> Reason {
    Reason::Open("the abstract states are too large".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unions_of_cubes_are_what_they_say() {
        let mut regions = Regions::new();
        let both = regions.cube(&[Some(true), Some(true)]).unwrap();
        let first = regions.cube(&[Some(true), None]).unwrap();
        let other = regions.cube(&[Some(true), Some(false)]).unwrap();
        assert!(regions.implies(&both, &first).unwrap() && !regions.implies(&first, &both).unwrap());
        let union = regions.union(&both, &other).unwrap();
        assert!(union == first);
        assert!(regions.without(&first, &both).unwrap() == other);
        assert!(regions.cube(&[]).unwrap() == regions.everything());
        let far = regions.cube(&[None; 40].map(|_: Option<bool>| Some(false))).unwrap();
        assert!(!regions.implies(&far, &first).unwrap());
        let cubes = regions.cubes(&regions.union(&far, &both).unwrap());
        assert_eq!(cubes.len(), 2);
    }
}

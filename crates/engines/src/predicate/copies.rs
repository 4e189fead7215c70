//! Copies of blocks: each block on a way to an error gets variables of its own.

use super::abstraction::Reached;
use super::refine::Step;
use super::template::Template;
use rustc_hash::FxHashMap;
use term::{Op, TermId, TermPool};

/// For each copy, from terms of the template to those of the copy.
#[derive(Default)]
pub struct Copies {
    maps: Vec<FxHashMap<TermId, TermId>>,
}

impl Copies {
    /// A copy of a step's block, through the step's jumps and no others.
    pub fn add(&mut self, template: &mut Template<'_>, _step: &Step) {
        let mut fixed: FxHashMap<TermId, TermId> =
            template.choices().into_iter().map(|choice| (choice, TermPool::TRUE)).collect();
        fixed.extend(template.jumps.iter().map(|jump| (jump.assumed, TermPool::TRUE)));
        self.maps.push(fixed);
    }

    /// When the block takes the step, in a copy.
    pub fn conditions(&mut self, template: &mut Template<'_>, copy: usize, step: &Step) -> Vec<TermId> {
        let (condition, jumps) = match step.reached {
            Reached::Return(number) => (template.returns[number].path, template.returns[number].jumps_before),
            Reached::End(number) => (template.ends[number].guard, template.jumps.len()),
        };
        let mut conditions = vec![self.copy(template, copy, condition)];
        for jump in 0..jumps {
            let taken = self.copy(template, copy, template.jumps[jump].path);
            let is_taken = step.jumps.iter().any(|&(other, _)| other == jump);
            conditions.push(if is_taken { taken } else { template.pool().not(taken) });
        }
        conditions
    }

    /// A term in a copy.
    pub fn copy(&mut self, template: &mut Template<'_>, copy: usize, term: TermId) -> TermId {
        let (pool, map) = (&mut template.unwinder.encoder.pool, &mut self.maps[copy]);
        let variables = pool.reachable(&[term], |part| map.contains_key(&part));
        for variable in variables {
            if pool.op(variable) == Op::Variable {
                let fresh = pool.fresh_variable("copy", pool.sort(variable));
                map.insert(variable, fresh);
            }
        }
        pool.substitute_cached(term, map)
    }
}

//! Copies of blocks: each block on a way to an error gets variables of its own.

use super::abstraction::Reached;
use super::refine::Step;
use super::template::Template;
use rustc_hash::FxHashMap;
use term::{Op, TermId};

/// For each copy, from terms of the template to those of the copy.
#[derive(Default)]
pub struct Copies {
    maps: Vec<FxHashMap<TermId, TermId>>,
}

impl Copies {
    /// A copy of a step's block, through the step's jumps and no others.
    pub fn add(&mut self, template: &mut Template<'_>, step: &Step) {
        self.maps.push(template.fixed(&step.jumps));
    }

    /// When the block takes the step, in a copy.
    pub fn conditions(&mut self, template: &mut Template<'_>, copy: usize, step: &Step) -> Vec<TermId> {
        let condition = match step.reached {
            Reached::Return(number) => template.returns[number].path,
            Reached::End(number) => template.ends[number].guard,
        };
        let taken = step.jumps.iter().map(|&(jump, _)| template.jumps[jump].path);
        let conditions: Vec<TermId> = [condition].into_iter().chain(taken).collect();
        conditions.into_iter().map(|condition| self.copy(template, copy, condition)).collect()
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

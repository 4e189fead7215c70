//! Why it is true: the reached set as invariants that a solver can check.
//!
//! At each loop head the states that were reached there are a formula: one of them holds, with all that it
//! knows of what can be observed. That this is an invariant, and that nothing between the loop heads violates
//! the goals, is checked by encoding every block once ([`crate::predicate::check`]): the check shares the
//! program with the exploration and nothing else, neither transfer functions nor coverage.

use super::Engine;
use crate::options::Options;
use crate::outcome::{Proof, Reason};
use crate::predicate::{Blocks, Invariants, Shape, Template};
use cfa::loops::LoopId;
use cpa::NodeId;
use domains::value::Seen;
use invariants::{Observable, Source, Watched};
use rustc_hash::FxHashSet;
use term::{Sort, TermId, TermPool};

/// More states of a loop head are too much for one formula.
const MOST_STATES: usize = 5_000;

/// What a state says of each observable.
type Row = Vec<Seen>;

impl Engine<'_> {
    /// What a check needs to know; an error if there is too much of it.
    pub(super) fn proof(&mut self) -> Result<Proof, Reason> {
        if self.task.condition.is_some() {
            return Err(Reason::NoProof("what the condition covers is not part of the proof"));
        }
        let (recursion, options) = (self.recursion(), Options::default());
        let shape = Shape { blocks: Blocks::Loops, recursion, approximates: true, is_coarse: false };
        let mut template = Template::new(self.task, &options, shape, None)?;
        let mut rows = vec![FxHashSet::default(); template.locations.len()];
        for node in self.stage.reached.nodes() {
            self.task.budget.check().map_err(Reason::Stopped)?;
            let Some(id) = self.task.analyses.loops.headed_by(self.state(node).location) else { continue };
            rows[id.0 as usize].insert(self.row(node, id, &template));
            if rows[id.0 as usize].len() > MOST_STATES {
                return Err(Reason::NoProof("there are too many states to check them with a solver"));
            }
        }
        let formulas = rows.into_iter().enumerate().map(|(location, rows)| {
            let mut sorted: Vec<Row> = rows.into_iter().collect();
            sorted.sort_by_cached_key(|row| format!("{row:?}"));
            let formulas: Vec<TermId> =
                sorted.iter().map(|row| formula(&mut template, location, row)).collect();
            template.pool().or_all(formulas)
        });
        let formulas: Vec<TermId> = formulas.collect();
        Ok(Proof::Predicates(Invariants::with(template, &formulas, shape)))
    }

    /// How many activations of itself a function has below it, at most.
    fn recursion(&self) -> u32 {
        let stacks = &self.analysis.machine.stacks;
        let kept: FxHashSet<_> = self.stage.reached.nodes().map(|node| self.state(node).stack).collect();
        let below = |&stack: &_| {
            let top = stacks.top(stack).function;
            stacks.frames(stack).filter(|frame| frame.function == top).count() as u32 - 1
        };
        kept.iter().map(below).max().unwrap_or(0)
    }

    fn row(&mut self, node: NodeId, id: LoopId, template: &Template<'_>) -> Row {
        let state = self.state(node);
        self.analysis.load(&state);
        template.locations[id.0 as usize].observed.iter().map(|watched| self.seen(watched)).collect()
    }

    /// Addresses are numbers of the engine's own choice: of a pointer counts whether it is null.
    fn seen(&self, watched: &Watched) -> Seen {
        let (machine, program) = (&self.analysis.machine, self.analysis.program);
        let (seen, ty) = match watched.observable {
            Observable::Value(Source::Variable(variable)) => {
                (machine.see_variable(variable), program.variables[variable].ty)
            }
            Observable::Value(Source::Place(place)) => (machine.see_place(place), program.places[place].ty),
            _ => return Seen::Nothing,
        };
        match seen {
            Seen::Number(bits) if bits != 0 && program.types.pointee(ty).is_some() => Seen::NonZero,
            Seen::Between(..) if program.types.pointee(ty).is_some() => Seen::Nothing,
            seen => seen,
        }
    }
}

/// A row as a formula over the placeholders of a location.
fn formula(template: &mut Template<'_>, location: usize, row: &Row) -> TermId {
    let placeholders = template.locations[location].placeholders.clone();
    let pool = template.pool();
    let known = row.iter().zip(&placeholders).filter_map(|(&seen, &placeholder)| {
        let (term, width) = width_of(pool, placeholder?)?;
        Some((seen, term, width))
    });
    let known: Vec<(Seen, TermId, u32)> = known.collect();
    let facts: Vec<TermId> =
        (0..known.len()).filter_map(|index| fact(pool, &known[..index], known[index])).collect();
    pool.and_all(facts)
}

/// What is said of one observable, given those before it.
fn fact(
    pool: &mut TermPool,
    before: &[(Seen, TermId, u32)],
    (seen, term, width): (Seen, TermId, u32),
) -> Option<TermId> {
    match seen {
        Seen::Nothing => None,
        Seen::Number(bits) => {
            let number = pool.bitvec(width, bits);
            Some(pool.eq(term, number))
        }
        Seen::NonZero => {
            let zero = pool.bitvec(width, 0);
            let is_zero = pool.eq(term, zero);
            Some(pool.not(is_zero))
        }
        Seen::Between(low, high) => {
            let limit = 1i128 << (width - 1);
            let signed = low >= -limit && high < limit;
            let [low, high] =
                [low, high].map(|end| pool.bitvec(width, end as u64 & u64::MAX >> (64 - width)));
            let (above, below) = match signed {
                true => (pool.sle(low, term), pool.sle(term, high)),
                false => (pool.ule(low, term), pool.ule(term, high)),
            };
            Some(pool.and(above, below))
        }
        Seen::Same { input, offset } => {
            let same = |&(other, term, its_width): &(Seen, TermId, u32)| match other {
                Seen::Same { input: its, offset } if its == input && its_width == width => {
                    Some((term, offset))
                }
                _ => None,
            };
            let (first, from) = before.iter().find_map(same)?;
            let distance = offset.wrapping_sub(from) as u64 & u64::MAX >> (64 - width);
            let distance = pool.bitvec(width, distance);
            let sum = pool.add(first, distance);
            Some(pool.eq(term, sum))
        }
    }
}

fn width_of(pool: &TermPool, term: TermId) -> Option<(TermId, u32)> {
    match pool.sort(term) {
        Sort::BitVec(width) if width <= 64 => Some((term, width)),
        _ => None,
    }
}

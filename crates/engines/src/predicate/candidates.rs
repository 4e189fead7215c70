//! Candidate predicates, in ranks: the general ones first, loop counters' values and bits last.
//!
//! 1. What the blocks themselves compare, if it is an observable with a constant or another one. Blocks
//!    are executed from the state at their jump, so what they compare is said in terms of that state.
//!    With small blocks, the same everywhere on the way.
//! 2. The other orders of what is compared, values that the program names, relations of what blocks add
//!    to the observables (`k == 2*i`), low bits that stay the same, bounds by what the first visits bring.
//! 3. Relations that all [`samples`](super::samples) have, then order and equality of each two observables,
//!    then relations of the samples on one side of a predicate.
//! 4. Longer comparisons, which are weakest preconditions for free, and the chain of those along the way.
//! 5. Values that the observables have, what counts iterations, and the chain again.
//! 6. Single bits of all that can be observed: these link everything.

use super::abstraction::Reached;
use super::policy::{Generality, Policy};
use super::refine::Derivation;
use super::relations::relations;
use super::samples::{Agreement, Samples};
use super::template::{Reading, Template};
use crate::outcome::Reason;
use base::Budget;
use rustc_hash::{FxHashMap, FxHashSet};
use term::{Op, Sort, TermId, TermPool};

/// The stages that have names: longer comparisons, behind which weakest preconditions are chained; values; bits.
const LONGER: u32 = 6;
const VALUES: u32 = 11;
const BITS: u32 = 20;
/// Comparisons of this size (in terms) have no arithmetic; those up to the second are short; longer than the
/// third, they are nothing to look at.
const PLAIN: usize = 3;
const SHORT: usize = 6;
const LONG: usize = 40;
/// In one rank.
const MOST: usize = 1000;
/// Observables that are compared with each other.
const PAIRED: usize = 12;
/// Predicates that tell cases apart, at one location.
const MOST_CASES: usize = 8;
/// Leaves of an if-then-else that are looked at.
const LEAVES: usize = 12;

/// A predicate for a location.
#[derive(Clone, Copy, Debug)]
pub struct Candidate {
    pub location: usize,
    pub predicate: TermId,
    pub generality: Generality,
}

pub struct Candidates {
    stage: u32,
    policy: Policy,
    seen: FxHashSet<(usize, TermId)>,
    /// All so far, for weakest preconditions.
    all: Vec<(usize, TermId)>,
    /// Where those begin that have not been taken back over a block yet.
    fresh: usize,
    rank: Vec<Candidate>,
    later: Vec<(usize, TermId)>,
    values: Vec<(usize, TermId)>,
    locations: Vec<usize>,
    /// Jumps that the way takes, with the conditions of the blocks behind them.
    behind: Vec<(usize, TermId)>,
    /// Returns on the way, each with the last jump of its block.
    blocks: Vec<(usize, usize)>,
}

impl Candidates {
    pub fn new(template: &mut Template<'_>, precision: &[Vec<TermId>], derivation: &Derivation) -> Self {
        let mut seen = FxHashSet::default();
        let locations = derivation.locations();
        let mut all = Vec::new();
        for &location in &locations {
            seen.extend(precision[location].iter().map(|&predicate| (location, predicate)));
            all.extend(precision[location].iter().map(|&predicate| (location, predicate)));
        }
        let mut behind = FxHashSet::default();
        let mut blocks = FxHashSet::default();
        for step in &derivation.steps {
            let condition = match step.reached {
                Reached::Return(number) => template.returns[number].path,
                Reached::End(number) => template.ends[number].guard,
            };
            behind.extend(step.jumps.iter().map(|&(jump, _)| (jump, condition)));
            if let (Reached::Return(number), Some(&(jump, _))) = (step.reached, step.jumps.last()) {
                blocks.insert((number, jump));
            }
        }
        let (mut behind, mut blocks) = (Vec::from_iter(behind), Vec::from_iter(blocks));
        behind.sort_unstable();
        blocks.sort_unstable();
        let (rank, later, values) = (Vec::new(), Vec::new(), Vec::new());
        let policy = Policy::new(template);
        Self { stage: 0, policy, seen, all, fresh: 0, rank, later, values, locations, behind, blocks }
    }

    /// The candidates of the next rank that has some, with their locations.
    pub fn next_rank(
        &mut self,
        template: &mut Template<'_>,
        samples: &mut Option<Samples>,
        budget: &Budget,
    ) -> Result<Option<Vec<Candidate>>, Reason> {
        while self.stage < BITS {
            budget.check().map_err(Reason::Stopped)?;
            self.stage += 1;
            match self.stage {
                1 => self.compared(template),
                2 => self.suggested(template),
                3 => {
                    let samples = samples.get_or_insert_with(|| Samples::new(template, budget));
                    self.sampled(template, samples);
                }
                4 => {
                    let samples = samples.get_or_insert_with(|| Samples::new(template, budget));
                    self.pairs(template, samples);
                }
                5 => {
                    let samples = samples.get_or_insert_with(|| Samples::new(template, budget));
                    self.sampled_by_cases(template, samples);
                }
                LONGER => self.put_later(template),
                VALUES => self.put_values(template),
                BITS => self.bits(template),
                _ => self.preconditions(template),
            }
            if !self.rank.is_empty() {
                let rank = std::mem::take(&mut self.rank);
                self.all.extend(rank.iter().map(|candidate| (candidate.location, candidate.predicate)));
                return Ok(Some(rank));
            }
        }
        Ok(None)
    }

    fn put(&mut self, pool: &TermPool, location: usize, predicate: TermId) {
        if self.rank.len() >= MOST {
            return;
        }
        let generality = self.policy.generality(pool, location, predicate, self.stage);
        if generality.counts && self.stage < VALUES {
            self.values.push((location, predicate));
        } else if self.seen.insert((location, predicate)) {
            self.rank.push(Candidate { location, predicate, generality });
        }
    }

    /// Values that observables have, and whatever else counts iterations.
    fn put_values(&mut self, template: &mut Template<'_>) {
        let values = std::mem::take(&mut self.values);
        values.into_iter().for_each(|(location, predicate)| self.put(template.pool(), location, predicate));
        self.preconditions(template);
    }

    /// Puts what a condition over a visit's state compares, as predicates of the visit's location.
    fn put_atoms(&mut self, template: &mut Template<'_>, jump: usize, conditions: &[TermId]) {
        let reading = &template.jumps[jump];
        let location = reading.location;
        let (mut reverse, known) = reversed(template, reading);
        let pool = &mut template.unwinder.encoder.pool;
        for atom in atoms(pool, conditions) {
            let predicate = pool.substitute_cached(atom, &mut reverse);
            let predicate = positive(pool, predicate);
            if pool.is_constant(predicate) || !is_closed(pool, predicate, &known) {
                continue;
            }
            match pool.dag_size(&[predicate]) {
                0..=PLAIN => self.put(pool, location, predicate),
                size if size <= LONG && self.stage >= LONGER => self.put(pool, location, predicate),
                size if size <= LONG => self.later.push((location, predicate)),
                _ => {}
            }
        }
    }

    fn compared(&mut self, template: &mut Template<'_>) {
        for (jump, condition) in self.behind.clone() {
            self.put_atoms(template, jump, &[condition]);
        }
        if template.is_exclusive {
            self.spread(template);
        }
    }

    /// Small blocks forget everything, so what one of them compares must be said all along the way to it.
    fn spread(&mut self, template: &mut Template<'_>) {
        let locations = self.locations.clone();
        for Candidate { location: from, predicate, .. } in self.rank.clone() {
            for &to in locations.iter().filter(|&&to| to != from) {
                if let Some(predicate) = template.translate(predicate, from, to) {
                    self.put(template.pool(), to, predicate);
                }
            }
        }
    }

    /// Longer comparisons, the shorter ones first.
    fn put_later(&mut self, template: &mut Template<'_>) {
        let mut later = std::mem::take(&mut self.later);
        later.sort_by_key(|&(_, predicate)| template.pool().dag_size(&[predicate]));
        later.into_iter().for_each(|(location, predicate)| self.put(template.pool(), location, predicate));
        self.preconditions(template);
    }

    fn preconditions(&mut self, template: &mut Template<'_>) {
        let from = std::mem::replace(&mut self.fresh, self.all.len());
        let predicates = self.all[from..].to_vec();
        for (number, jump) in self.blocks.clone() {
            let location = template.returns[number].location;
            let here = predicates.iter().filter(|&&(of, _)| of == location);
            let before: Vec<TermId> =
                here.map(|&(_, predicate)| template.at_return(number, predicate)).collect();
            self.put_atoms(template, jump, &before);
        }
    }

    /// Relations that all samples have.
    fn sampled(&mut self, template: &mut Template<'_>, samples: &Samples) {
        for location in self.locations.clone() {
            for predicate in relations(template, location, &samples.states[location]) {
                self.put_positive(template.pool(), location, predicate);
            }
        }
    }

    /// Relations of those samples that a predicate tells from the others: invariants with cases.
    fn sampled_by_cases(&mut self, template: &mut Template<'_>, samples: &Samples) {
        for location in self.locations.clone() {
            let here = self.all.iter().filter(|&&(of, _)| of == location);
            let mixed = |&&(_, predicate): &&(usize, TermId)| {
                samples.agreement(template, location, predicate) == Agreement::Mixed
            };
            let cases: Vec<TermId> =
                here.filter(mixed).map(|&(_, predicate)| predicate).take(MOST_CASES).collect();
            for case in cases {
                for states in samples.split(template, location, case) {
                    for predicate in relations(template, location, &states) {
                        self.put_positive(template.pool(), location, predicate);
                    }
                }
            }
        }
    }

    fn suggested(&mut self, template: &mut Template<'_>) {
        self.other_orders(template);
        for location in self.locations.clone() {
            self.named_values(template, location);
            self.first_values(template, location);
            self.steps(template, location);
        }
    }

    /// For `a < b` also `b < a` and `a == b`.
    fn other_orders(&mut self, template: &mut Template<'_>) {
        let pool = template.pool();
        for (location, predicate) in self.all.clone() {
            let &[left, right] = pool.children(predicate) else { continue };
            let others = match pool.op(predicate) {
                Op::Slt => [pool.slt(right, left), pool.eq(left, right)],
                Op::Ult => [pool.ult(right, left), pool.eq(left, right)],
                _ => continue,
            };
            others.into_iter().for_each(|other| self.put_positive(pool, location, other));
        }
    }

    /// Values that the program names, and where ranges may end.
    fn named_values(&mut self, template: &mut Template<'_>, location: usize) {
        for index in 0..template.locations[location].observed.len() {
            let here = &template.locations[location];
            let (Some(value), watched) = (here.placeholders[index], here.observed[index].clone()) else {
                continue;
            };
            let pool = template.pool();
            let Sort::BitVec(width) = pool.sort(value) else { continue };
            for &bits in watched.named.iter() {
                let constant = pool.bitvec(width, bits);
                let predicate = pool.eq(value, constant);
                self.put(pool, location, predicate);
            }
            for &threshold in watched.thresholds.iter() {
                let constant = pool.bitvec(width, threshold as u64);
                let predicate = less(pool, watched.signed, constant, value);
                self.put_positive(pool, location, predicate);
            }
        }
    }

    fn put_positive(&mut self, pool: &mut TermPool, location: usize, predicate: TermId) {
        let predicate = positive(pool, predicate);
        if !pool.is_constant(predicate) {
            self.put(pool, location, predicate);
        }
    }

    /// Bounds by constants that observables have when a path comes back.
    fn first_values(&mut self, template: &mut Template<'_>, location: usize) {
        let visits: Vec<usize> = visits_of(template, location);
        for number in visits {
            for index in 0..template.locations[location].observed.len() {
                let here = &template.locations[location];
                let (value, signed) = (here.placeholders[index], here.observed[index].signed);
                let (Some(value), Some(term)) = (value, template.returns[number].terms[index]) else {
                    continue;
                };
                let pool = template.pool();
                if !matches!(pool.sort(value), Sort::BitVec(_)) {
                    continue;
                }
                for leaf in
                    leaves(pool, term).into_iter().filter(|&leaf| pool.is_constant(leaf)).collect::<Vec<_>>()
                {
                    let below = less(pool, signed, value, leaf);
                    let above = less(pool, signed, leaf, value);
                    let same = pool.eq(value, leaf);
                    for predicate in [below, above] {
                        self.put_positive(pool, location, predicate);
                    }
                    self.values.push((location, same));
                }
            }
        }
    }

    /// Affine relations of two observables to which blocks add constants, and low bits of one.
    fn steps(&mut self, template: &mut Template<'_>, location: usize) {
        let mut slopes: FxHashMap<usize, Vec<(usize, u64)>> = FxHashMap::default();
        for (number, jump) in self.blocks.clone() {
            if template.returns[number].location == location && template.jumps[jump].location == location {
                for (index, delta) in deltas(template, number, jump) {
                    slopes.entry(index).or_default().push((number, delta));
                }
            }
        }
        let mut changed: Vec<usize> = slopes.keys().copied().collect();
        changed.sort_unstable();
        changed.truncate(PAIRED);
        for &first in &changed {
            self.low_bits(template, location, first, &slopes[&first]);
            for &second in changed.iter().filter(|&&second| second > first) {
                for p in distinct(&slopes[&first]) {
                    for q in distinct(&slopes[&second]) {
                        let of = [(first, p), (second, q)];
                        self.relation(template, location, of);
                        self.relation_to_others(template, location, of, &slopes);
                    }
                }
            }
        }
    }

    /// `q*u - p*v` is what it is in the first visits.
    fn relation(&mut self, template: &mut Template<'_>, location: usize, of: [(usize, u64); 2]) {
        let [(first, p), (second, q)] = of;
        let (p, q) = reduced(p, q);
        let here = &template.locations[location];
        let (Some(u), Some(v)) = (here.placeholders[first], here.placeholders[second]) else { return };
        if template.unwinder.encoder.pool.sort(u) != template.unwinder.encoder.pool.sort(v) {
            return;
        }
        let relation = combination(template.pool(), (q, u), (p, v));
        for number in visits_of(template, location) {
            let base = template.at_return(number, relation);
            let (mut reverse, known) = reversed(template, &template.returns[number]);
            let pool = template.pool();
            let base = pool.substitute_cached(base, &mut reverse);
            if is_closed(pool, base, &known) && pool.dag_size(&[base]) <= SHORT {
                let predicate = pool.eq(relation, base);
                self.put_positive(pool, location, predicate);
            }
        }
    }

    /// `q*u - p*v` is what the blocks do not change: another observable, or twice that, or its negation.
    fn relation_to_others(
        &mut self,
        template: &mut Template<'_>,
        location: usize,
        of: [(usize, u64); 2],
        slopes: &FxHashMap<usize, Vec<(usize, u64)>>,
    ) {
        let [(first, p), (second, q)] = of;
        let (p, q) = reduced(p, q);
        let here = &template.locations[location];
        let (Some(u), Some(v)) = (here.placeholders[first], here.placeholders[second]) else { return };
        let numbered = here.placeholders.iter().enumerate();
        let others =
            numbered.filter(|(index, _)| !slopes.contains_key(index)).filter_map(|(_, &other)| other);
        let others: Vec<TermId> = others.take(PAIRED).collect();
        let pool = template.pool();
        if pool.sort(u) != pool.sort(v) {
            return;
        }
        let relation = combination(pool, (q, u), (p, v));
        for other in others.into_iter().filter(|&other| pool.sort(other) == pool.sort(u)).collect::<Vec<_>>()
        {
            let twice = pool.add(other, other);
            for value in [other, twice, pool.neg(other), pool.neg(twice)] {
                let predicate = pool.eq(relation, value);
                self.put_positive(pool, location, predicate);
            }
        }
    }

    fn low_bits(
        &mut self,
        template: &mut Template<'_>,
        location: usize,
        index: usize,
        deltas: &[(usize, u64)],
    ) {
        let zeros = deltas.iter().map(|&(_, delta)| delta.trailing_zeros()).min().unwrap_or(0);
        let Some(value) = template.locations[location].placeholders[index] else { return };
        if zeros == 0 || zeros >= template.unwinder.encoder.pool.width(value) {
            return;
        }
        for number in visits_of(template, location) {
            let Some(term) = template.returns[number].terms[index] else { continue };
            let pool = template.pool();
            let (low, first) = (pool.extract(value, zeros - 1, 0), pool.extract(term, zeros - 1, 0));
            if pool.is_constant(first) {
                let predicate = pool.eq(low, first);
                self.put_positive(pool, location, predicate);
            }
        }
    }

    /// Order and equality of each two of the first observables; first those that the samples agree on.
    fn pairs(&mut self, template: &mut Template<'_>, samples: &Samples) {
        for location in self.locations.clone() {
            let here = &template.locations[location];
            let values: Vec<(TermId, bool)> = here
                .placeholders
                .iter()
                .zip(&here.observed)
                .filter_map(|(&value, watched)| Some((value?, watched.signed)))
                .take(PAIRED)
                .collect();
            let mut compared = Vec::new();
            let pool = template.pool();
            for (position, &(left, signed)) in values.iter().enumerate() {
                for &(right, _) in &values[position + 1..] {
                    if pool.sort(left) == pool.sort(right) && matches!(pool.sort(left), Sort::BitVec(_)) {
                        compared.extend([
                            pool.eq(left, right),
                            less(pool, signed, left, right),
                            less(pool, signed, right, left),
                        ]);
                    }
                }
            }
            compared.sort_by_cached_key(|&predicate| {
                samples.agreement(template, location, predicate) == Agreement::Mixed
            });
            let pool = template.pool();
            compared.into_iter().for_each(|predicate| self.put_positive(pool, location, predicate));
        }
    }

    fn bits(&mut self, template: &mut Template<'_>) {
        for location in self.locations.clone() {
            let values: Vec<TermId> =
                template.locations[location].placeholders.iter().flatten().copied().collect();
            let pool = template.pool();
            for value in values {
                let word = match pool.sort(value) {
                    Sort::BitVec(_) => value,
                    Sort::Float(_) => pool.float_to_bits(value),
                    _ => continue,
                };
                for index in 0..pool.width(word) {
                    let bit = pool.bit(word, index);
                    if self.seen.insert((location, bit)) {
                        let generality = Generality { counts: true, rank: BITS, size: index };
                        self.rank.push(Candidate { location, predicate: bit, generality });
                    }
                }
            }
        }
    }
}

/// From a visit's terms back to placeholders, and the placeholders.
fn reversed(template: &Template<'_>, reading: &Reading) -> (FxHashMap<TermId, TermId>, FxHashSet<TermId>) {
    let pool = &template.unwinder.encoder.pool;
    let placeholders = &template.locations[reading.location].placeholders;
    let pairs = placeholders.iter().zip(&reading.terms).filter_map(|(&to, &from)| Some((from?, to?)));
    let mut reverse = FxHashMap::default();
    for (from, to) in pairs.filter(|&(from, _)| !pool.is_constant(from)) {
        reverse.entry(from).or_insert(to);
    }
    (reverse, placeholders.iter().flatten().copied().collect())
}

fn is_closed(pool: &TermPool, term: TermId, known: &FxHashSet<TermId>) -> bool {
    pool.free_variables(&[term]).iter().all(|variable| known.contains(variable))
}

/// Returns to a location, those that no jump to it is needed for first.
fn visits_of(template: &Template<'_>, location: usize) -> Vec<usize> {
    let visits = template.returns.iter().enumerate();
    visits.filter(|(_, visit)| visit.location == location).map(|(number, _)| number).collect()
}

fn positive(pool: &TermPool, predicate: TermId) -> TermId {
    match pool.op(predicate) {
        Op::Not => pool.children(predicate)[0],
        _ => predicate,
    }
}

fn less(pool: &mut TermPool, signed: bool, left: TermId, right: TermId) -> TermId {
    if signed { pool.slt(left, right) } else { pool.ult(left, right) }
}

/// The comparisons in conditions; those of an if-then-else as one for each of its leaves.
fn atoms(pool: &mut TermPool, conditions: &[TermId]) -> Vec<TermId> {
    let is_atom = |pool: &TermPool, term: TermId| {
        let over_words = |pool: &TermPool| pool.sort(pool.children(term)[0]) != Sort::Bool;
        match pool.op(term) {
            Op::Ult | Op::Slt | Op::FloatEq | Op::FloatLt | Op::FloatLe => true,
            Op::Eq => over_words(pool),
            _ => false,
        }
    };
    let parts = pool.reachable(conditions, |_| false);
    let mut result = Vec::new();
    for atom in parts.into_iter().filter(|&part| is_atom(pool, part)).collect::<Vec<_>>() {
        let (left, right) = (pool.children(atom)[0], pool.children(atom)[1]);
        let (lefts, rights) = (leaves(pool, left), leaves(pool, right));
        if lefts.len() * rights.len() > 1 {
            for &left in &lefts {
                result.extend(rights.iter().map(|&right| pool.rebuild(atom, &[left, right])));
            }
        } else {
            result.push(atom);
        }
    }
    result
}

/// The different values that an if-then-else can have; the term itself if it is none.
fn leaves(pool: &TermPool, term: TermId) -> Vec<TermId> {
    let mut result = Vec::new();
    let mut seen = FxHashSet::default();
    let mut stack = vec![term];
    while let Some(next) = stack.pop() {
        if !seen.insert(next) || result.len() >= LEAVES {
            continue;
        }
        match pool.op(next) {
            Op::Ite => stack.extend_from_slice(&pool.children(next)[1..]),
            _ => result.push(next),
        }
    }
    result
}

/// The constants that a block adds to observables.
pub fn deltas(template: &mut Template<'_>, number: usize, jump: usize) -> Vec<(usize, u64)> {
    let mut result = Vec::new();
    for index in 0..template.returns[number].terms.len() {
        let (before, after) = (template.jumps[jump].terms[index], template.returns[number].terms[index]);
        let (Some(before), Some(after)) = (before, after) else { continue };
        let pool = template.pool();
        if !matches!(pool.sort(before), Sort::BitVec(width) if width <= 64) {
            continue;
        }
        for leaf in leaves(pool, after) {
            let delta = pool.sub(leaf, before);
            if let Some(delta) = pool.small_value(delta)
                && leaf != before
            {
                result.push((index, delta));
            }
        }
    }
    result
}

fn distinct(deltas: &[(usize, u64)]) -> Vec<u64> {
    let mut values: Vec<u64> = deltas.iter().map(|&(_, delta)| delta).collect();
    values.sort_unstable();
    values.dedup();
    values.truncate(LEAVES / 3);
    values
}

/// Without common factors of two small numbers, by value or by its negation.
fn reduced(p: u64, q: u64) -> (u64, u64) {
    let gcd = |mut a: u64, mut b: u64| {
        while b != 0 {
            (a, b) = (b, a % b);
        }
        a.max(1)
    };
    let common = gcd(p, q);
    (p / common, q / common)
}

/// `q*u - p*v`
fn combination(pool: &mut TermPool, (q, u): (u64, TermId), (p, v): (u64, TermId)) -> TermId {
    let width = pool.width(u);
    let (q, p) = (pool.bitvec(width, q), pool.bitvec(width, p));
    let (left, right) = (pool.mul(q, u), pool.mul(p, v));
    pool.sub(left, right)
}

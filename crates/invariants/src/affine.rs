//! Affine relations modulo 2ⁿ.
//!
//! Of some integers, all relations `a·x + b·y + … + c == 0 (mod 2ⁿ)` that every state seen so far satisfies: sums
//! that stay the same, multiples of each other and, as 2 divides zero, remainders: `2³¹·x == 2³¹` says that x is odd
//! (King, Søndergaard: "Automatic abstraction for congruences", VMCAI 2010). They form a module, of which generators
//! are kept. Before there is a state, everything is a relation; a state takes out what it does not
//! satisfy, which cannot happen more than n times for each integer.

use crate::observable::Watched;
use crate::values::mask;
use std::ops::RangeInclusive;
use term::{Op, TermId, TermPool};

/// The width that C computes in at least.
const INT: u32 = 32;
/// Told apart in the formula of a relation.
const MOST_CASES: u32 = 32;
const MOST_PARTS: usize = 48;
/// What an odd factor of a relation is multiplied to.
const SMALL_FACTORS: RangeInclusive<u64> = 1..=15;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Affine {
    width: u32,
    /// Which observables.
    pub members: Vec<usize>,
    /// The factors of each member, and a constant.
    rows: Vec<Box<[u64]>>,
}

/// A relation between the low bits of its members: the factors times the members and the constant sum up to zero.
pub struct Relation {
    /// Of the members.
    pub whole: u32,
    /// Of the low bits.
    pub width: u32,
    pub factors: Vec<u64>,
    pub constant: u64,
}

/// The inverse of an odd number, modulo 2⁶⁴.
fn inverse(odd: u64) -> u64 {
    // Each step doubles the number of bits that are right, and of an odd number three are.
    (0..5).fold(odd, |found, _| found.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(found))))
}

/// The width that relations of an observable are looked for in.
fn width_of(watched: &Watched) -> u32 {
    watched.shape.width.max(INT)
}

impl Affine {
    /// All relations of those among the observables that have the same width.
    pub fn groups(watched: &[Watched], related: &[usize]) -> Vec<Affine> {
        let group = |width: u32| {
            let members = related.iter().copied().filter(|&member| width_of(&watched[member]) == width);
            Affine::new(width, members.collect())
        };
        [INT, 64].map(group).into_iter().filter(|affine| !affine.members.is_empty()).collect()
    }

    fn new(width: u32, members: Vec<usize>) -> Self {
        let mut affine = Self { width, members, rows: Vec::new() };
        affine.restart();
        affine
    }

    /// Forgets all states.
    pub fn restart(&mut self) {
        let columns = self.members.len() + 1;
        let unit = |column: usize| (0..columns).map(|other| u64::from(other == column)).collect();
        self.rows = (0..columns).map(unit).collect();
    }

    /// Takes out what a state does not satisfy; true if there is something.
    pub fn observe(&mut self, state: &[Option<u64>], watched: &[Watched]) -> bool {
        let mut changed = false;
        for column in 0..self.members.len() {
            if state[self.members[column]].is_none() {
                let mut anything = vec![0; self.members.len() + 1];
                anything[column] = 1;
                changed |= self.restrict(&anything);
            }
        }
        self.restrict(&self.vector(state, watched)) | changed
    }

    /// Takes out generators that a state does not satisfy, with all that follows from them; true if there are some.
    pub fn forget(&mut self, state: &[Option<u64>], watched: &[Watched]) -> bool {
        let (vector, before) = (self.vector(state, watched), self.rows.len());
        let width = self.width;
        self.rows.retain(|row| product(row, &vector) & mask(width) == 0);
        self.rows.len() < before
    }

    pub fn holds(&self, state: &[Option<u64>], watched: &[Watched]) -> bool {
        let vector = self.vector(state, watched);
        let is_seen = |row: &[u64]| {
            let mut members = self.members.iter().zip(row);
            members.all(|(&member, &factor)| factor == 0 || state[member].is_some())
        };
        self.rows.iter().all(|row| !is_seen(row) || product(row, &vector) & mask(self.width) == 0)
    }

    /// The values of the members, and 1 for the constant.
    fn vector(&self, state: &[Option<u64>], watched: &[Watched]) -> Vec<u64> {
        let value = |&member: &usize| {
            state[member].map_or(0, |bits| crate::values::value(bits, watched[member].shape) as u64)
        };
        self.members.iter().map(value).chain([1]).collect()
    }

    /// Keeps just the combinations of the generators whose product with a vector is zero; true if some are lost.
    fn restrict(&mut self, vector: &[u64]) -> bool {
        let all = mask(self.width);
        let products: Vec<u64> = self.rows.iter().map(|row| product(row, vector) & all).collect();
        let nonzero = (0..products.len()).filter(|&row| products[row] != 0);
        let Some(pivot) = nonzero.min_by_key(|&row| products[row].trailing_zeros()) else { return false };
        let rank = products[pivot].trailing_zeros();
        let unit = inverse(products[pivot] >> rank);
        let lost = self.rows[pivot].clone();
        for (row, &product) in self.rows.iter_mut().zip(&products) {
            let factor = (product >> rank).wrapping_mul(unit);
            for (entry, &of_lost) in row.iter_mut().zip(&lost) {
                *entry = entry.wrapping_sub(factor.wrapping_mul(of_lost)) & all;
            }
        }
        if rank > 0 {
            self.rows[pivot] = lost.iter().map(|&entry| entry << (self.width - rank) & all).collect();
        }
        self.rows.retain(|row| row.iter().any(|&entry| entry != 0));
        true
    }

    /// Whether something is known of an observable.
    pub fn knows(&self, observable: usize) -> bool {
        let column = self.members.iter().position(|&member| member == observable);
        column.is_some_and(|column| self.rows.iter().any(|row| row[column] != 0))
    }

    /// The generators.
    pub fn relations(&self) -> impl Iterator<Item = Relation> {
        self.rows.iter().map(|row| relation(row, self.width))
    }

    pub fn formula(&self, pool: &mut TermPool, terms: &[Option<TermId>], watched: &[Watched]) -> TermId {
        let mut formula = TermPool::TRUE;
        for relation in self.relations() {
            let used = self.members.iter().zip(&relation.factors).filter(|(_, factor)| **factor != 0);
            let parts: Option<Vec<Part>> = used
                .map(|(&member, &factor)| {
                    Some((self.extended(pool, terms[member]?, &watched[member]), factor))
                })
                .collect();
            if let Some(parts) = parts {
                let mut cases = MOST_CASES;
                let holds = holds(pool, &relation, &flattened(pool, parts), &mut cases);
                formula = pool.and(formula, holds);
            }
        }
        formula
    }

    fn extended(&self, pool: &mut TermPool, term: TermId, watched: &Watched) -> TermId {
        match watched.shape.signed {
            true => pool.sign_extend(term, self.width),
            false => pool.zero_extend(term, self.width),
        }
    }
}

/// A term and its factor.
type Part = (TermId, u64);

/// Whether parts satisfy a relation, case by case where a part is one of two terms: in each case there is a
/// sum of what there was before, and where that is the same sum, it is the same term.
fn holds(pool: &mut TermPool, relation: &Relation, parts: &[Part], cases: &mut u32) -> TermId {
    let choice = |&(term, _): &Part| (pool.op(term) == Op::Ite).then(|| pool.children(term)[0]);
    if let Some(choice) = parts.iter().find_map(choice)
        && *cases > 0
    {
        *cases -= 1;
        let [then, otherwise] = [1, 2].map(|branch| {
            let chosen = |&(term, factor): &Part| match *pool.children(term) {
                [condition, ..] if pool.op(term) == Op::Ite && condition == choice => {
                    (pool.children(term)[branch], factor)
                }
                _ => (term, factor),
            };
            let chosen = parts.iter().map(chosen).collect();
            let parts = flattened(pool, chosen);
            holds(pool, relation, &parts, cases)
        });
        return pool.ite(choice, then, otherwise);
    }
    let mut sum = pool.bitvec(relation.whole, relation.constant);
    for &(term, factor) in parts {
        let factor = pool.bitvec(relation.whole, factor);
        let part = pool.mul(term, factor);
        sum = pool.add(sum, part);
    }
    let low = pool.extract(sum, relation.width - 1, 0);
    let zero = pool.bitvec(relation.width, 0);
    pool.eq(low, zero)
}

/// The summands of sums.
fn flattened(pool: &TermPool, mut parts: Vec<Part>) -> Vec<Part> {
    let mut position = 0;
    while position < parts.len() {
        let (term, factor) = parts[position];
        match (pool.op(term), pool.children(term)) {
            (Op::Add, &[left, right]) if parts.len() < MOST_PARTS => {
                parts[position] = (left, factor);
                parts.push((right, factor));
            }
            _ => position += 1,
        }
    }
    parts
}

fn product(row: &[u64], vector: &[u64]) -> u64 {
    row.iter().zip(vector).fold(0, |sum, (&a, &b)| sum.wrapping_add(a.wrapping_mul(b)))
}

/// A generator without common factors of 2, multiplied such that its factors are small.
fn relation(row: &[u64], whole: u32) -> Relation {
    let common = row.iter().map(|entry| entry.trailing_zeros()).min().unwrap_or(0);
    let width = whole - common;
    let entries: Vec<u64> = row.iter().map(|entry| entry >> common).collect();
    let scaled = |unit: u64| entries.iter().map(move |entry| entry.wrapping_mul(unit) & mask(width));
    let size = |&unit: &u64| -> u128 {
        scaled(unit)
            .take(entries.len() - 1)
            .map(|factor| u128::from(factor.min(factor.wrapping_neg() & mask(width))))
            .sum()
    };
    let odd = entries.iter().filter(|entry| *entry & 1 == 1);
    let units = odd
        .flat_map(|&entry| SMALL_FACTORS.step_by(2).map(move |wanted| inverse(entry).wrapping_mul(wanted)));
    let unit = units.min_by_key(size).unwrap_or(1);
    let mut factors: Vec<u64> = scaled(unit).collect();
    let constant = factors.pop().unwrap_or(0);
    Relation { whole, width, factors, constant }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::observable::{Observable, Source};
    use cfa::VariableId;
    use sema::types::IntShape;
    use std::collections::BTreeSet;
    use std::rc::Rc;
    use term::{Sort, Value};

    const WIDTH: u32 = 3;
    const SIZE: u64 = 1 << WIDTH;

    fn watched(width: u32) -> Watched {
        Watched {
            observable: Observable::Value(Source::Variable(VariableId(0))),
            shape: IntShape { width, signed: false },
            signed: false,
            named: Rc::default(),
            thresholds: [].into(),
            capacity: 0,
        }
    }

    fn all_rows() -> impl Iterator<Item = [u64; 3]> {
        (0..SIZE.pow(3)).map(|number| [number % SIZE, number / SIZE % SIZE, number / SIZE / SIZE])
    }

    /// All combinations of the generators.
    fn span(rows: &[Box<[u64]>]) -> BTreeSet<[u64; 3]> {
        let mut span = BTreeSet::from([[0; 3]]);
        for row in rows {
            let multiples = |sum: &[u64; 3]| {
                let sum = *sum;
                (0..SIZE).map(move |factor| [0, 1, 2].map(|entry| (sum[entry] + factor * row[entry]) % SIZE))
            };
            span = span.iter().flat_map(multiples).collect();
        }
        span
    }

    /// States that look random.
    fn states(seed: u64) -> Vec<Vec<Option<u64>>> {
        let number = |index: u64| (seed * 31 + index).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
        let value = |index: u64| (!number(index).is_multiple_of(16)).then_some(number(index + 100) % SIZE);
        (0..1 + seed % 4).map(|state| vec![value(2 * state), value(2 * state + 1)]).collect()
    }

    #[test]
    fn what_is_kept_are_the_relations_of_all_states() {
        let watched = [watched(WIDTH), watched(WIDTH)];
        for seed in 0..500 {
            let mut affine = Affine::new(WIDTH, vec![0, 1]);
            let states = states(seed);
            for state in &states {
                affine.observe(state, &watched);
                assert!(affine.holds(state, &watched));
                assert!(!affine.observe(state, &watched));
            }
            let holds = |row: &[u64; 3], state: &Vec<Option<u64>>| {
                let sum = |value: [u64; 2]| row[0] * value[0] + row[1] * value[1] + row[2];
                let is_any = |column: usize| state[column].is_none() && row[column] != 0;
                let value = [0, 1].map(|column| state[column].unwrap_or(0));
                !is_any(0) && !is_any(1) && sum(value).is_multiple_of(SIZE)
            };
            let expected = all_rows().filter(|row| states.iter().all(|state| holds(row, state)));
            assert_eq!(span(&affine.rows), expected.collect(), "{states:?}");
        }
    }

    #[test]
    fn the_formula_says_what_the_relations_say() {
        let watched = [watched(8), watched(8), watched(8)];
        let mut pool = TermPool::new();
        let (x, y) = (pool.variable("x", Sort::BitVec(8)), pool.variable("y", Sort::BitVec(8)));
        let z = pool.variable("z", Sort::BitVec(8));
        let (choice, seven) = (pool.variable("c", Sort::Bool), pool.bitvec(8, 7));
        // One of two terms, in a sum.
        let (then, otherwise) = (pool.add(x, seven), pool.mul(z, seven));
        let chosen = pool.ite(choice, then, otherwise);
        let chosen = pool.add(chosen, y);
        let mut affine = Affine::new(8, vec![0, 1, 2]);
        for state in [[1, 7, 3], [5, 9, 3], [9, 19, 7], [21, 19, 15]] {
            affine.observe(&state.map(Some), &watched);
        }
        assert!(affine.relations().count() > 0);
        let formula = affine.formula(&mut pool, &[Some(chosen), Some(y), Some(z)], &watched);
        let mut held = 0;
        for number in 0..1 << 16 {
            let values = [number & 0xff, number >> 3 & 0xff, number >> 7 & 0xff].map(|v| v as u64);
            let is_first = number % 3 == 0;
            let bits = |value: u64| Value::BitVec(term::BitVec::new(8, value));
            let assignment = |variable| match variable {
                _ if variable == x => bits(values[0]),
                _ if variable == y => bits(values[1]),
                _ if variable == z => bits(values[2]),
                _ => Value::Bool(is_first),
            };
            let mut known = [x, y, z, choice].into_iter().map(|v| (v, assignment(v))).collect();
            let first = if is_first { values[0] + 7 } else { 7 * values[2] };
            let state = [(first + values[1]) & 0xff, values[1], values[2]];
            let expected = affine.holds(&state.map(Some), &watched);
            assert_eq!(pool.evaluate_cached(formula, &mut known), Value::Bool(expected), "{state:?}");
            held += u32::from(expected);
        }
        assert!(held > 100, "{held}");
    }

    #[test]
    fn relations_of_long_words_have_small_factors() {
        let [minus_three, minus_two] = [3u64, 2].map(u64::wrapping_neg);
        let found = relation(&[minus_three, 0, 6], 64);
        assert_eq!((found.width, &found.factors[..], found.constant), (64, &[1, 0][..], minus_two));
    }

    #[test]
    fn relations_have_small_factors() {
        let watched = [watched(32), watched(32)];
        let mut affine = Affine::new(32, vec![0, 1]);
        for x in [0, 1, 5] {
            affine.observe(&[Some(3 * x), Some(5 * x + 2)], &watched);
        }
        let relations: Vec<Relation> = affine.relations().collect();
        let [Relation { whole: 32, width: 32, factors, constant }] = &relations[..] else {
            panic!("one relation")
        };
        let minus = |value: u32| u64::from(value.wrapping_neg());
        let is_small = |sign: fn(u32) -> u64| *factors == [sign(5), sign(3).wrapping_neg() & mask(32)];
        assert!(
            is_small(u64::from) && *constant == 6 || is_small(minus) && *constant == minus(6),
            "{factors:?}"
        );
    }
}

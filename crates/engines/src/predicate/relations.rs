//! Relations that all sampled states of a location have: linear equations of two or three observables,
//! low bits that stay the same, differences within narrow bounds, exact multiples.
//!
//! All arithmetic is modulo 2ⁿ, as that of the program, so wrap-around spoils no equation. What all samples
//! have in common may still be wrong: these are candidates.

use super::samples::State;
use super::template::Template;
use term::{Sort, TermId, TermPool};

/// Observables that are looked at.
const OBSERVED: usize = 14;
/// Those that are looked at four by four.
const FOURS: usize = 10;
/// States in which a relation must hold before it is worth a candidate.
const FEWEST: usize = 4;
const MOST: usize = 120;
/// How far apart two observables may be for a bound on their difference.
const NARROW: i64 = 8;

/// A column of the samples: one observable.
struct Column {
    term: TermId,
    width: u32,
    signed: bool,
    values: Vec<u64>,
}

impl Column {
    fn is_constant(&self) -> bool {
        self.values.windows(2).all(|pair| pair[0] == pair[1])
    }
}

/// Relations of a location's observables, the simple ones first.
pub fn relations(template: &mut Template<'_>, location: usize, states: &[State]) -> Vec<TermId> {
    if states.len() < FEWEST {
        return Vec::new();
    }
    let columns = columns(template, location, states);
    let pool = template.pool();
    let mut found = Found { pool, columns: &columns, related: Vec::new(), predicates: Vec::new() };
    found.low_bits();
    found.pairs();
    found.triples();
    found.quadruples();
    found.differences();
    found.predicates.truncate(MOST);
    found.predicates
}

/// The observables that have a value in all states and not always the same.
fn columns(template: &Template<'_>, location: usize, states: &[State]) -> Vec<Column> {
    let here = &template.locations[location];
    let pool = &template.unwinder.encoder.pool;
    let mut columns = Vec::new();
    for (index, (&term, watched)) in here.placeholders.iter().zip(&here.observed).enumerate() {
        let Some(term) = term else { continue };
        let Sort::BitVec(width @ 2..=64) = pool.sort(term) else { continue };
        let values: Option<Vec<u64>> = states.iter().map(|state| state[index]).collect();
        let Some(values) = values else { continue };
        let column = Column { term, width, signed: watched.signed, values };
        if !column.is_constant() {
            columns.push(column);
        }
    }
    columns.truncate(OBSERVED);
    columns
}

struct Found<'a> {
    pool: &'a mut TermPool,
    columns: &'a [Column],
    /// Pairs with an equation.
    related: Vec<(usize, usize)>,
    predicates: Vec<TermId>,
}

impl Found<'_> {
    /// The low bits that do not change, as far as they go.
    fn low_bits(&mut self) {
        for column in self.columns {
            let first = column.values[0];
            let differ = column.values.iter().fold(0, |bits, value| bits | (value ^ first));
            let same = differ.trailing_zeros().min(column.width);
            if (1..column.width).contains(&same) {
                let low = self.pool.extract(column.term, same - 1, 0);
                let value = self.pool.bitvec(same, first);
                let predicate = self.pool.eq(low, value);
                self.predicates.push(predicate);
            }
        }
    }

    /// `q*u - p*v == c`, with the slope of two states that differ.
    fn pairs(&mut self) {
        for second in 0..self.columns.len() {
            for first in 0..second {
                let (u, v) = (&self.columns[first], &self.columns[second]);
                if u.width != v.width {
                    continue;
                }
                for (q, p) in slopes(u, v) {
                    if self.equation(&[(first, q), (second, p.wrapping_neg())]) {
                        self.related.push((first, second));
                        break;
                    }
                }
            }
        }
    }

    /// An equation of three, none of which two have one: its factors are orthogonal to the differences of states.
    fn triples(&mut self) {
        let count = self.columns.len();
        for third in 0..count {
            for second in 0..third {
                for first in 0..second {
                    let members = [first, second, third];
                    let same = members.iter().all(|&m| self.columns[m].width == self.columns[first].width);
                    let known = self.related.iter().any(|(a, b)| members.contains(a) && members.contains(b));
                    if same && !known {
                        let planes = planes(members.map(|member| &self.columns[member]));
                        let _ = planes.into_iter().any(|factors| {
                            self.equation(&[(first, factors[0]), (second, factors[1]), (third, factors[2])])
                        });
                    }
                }
            }
        }
    }

    /// Sums and differences of four, none of which two have an equation.
    fn quadruples(&mut self) {
        const SIGNS: [[u64; 3]; 7] = [
            [1, 1, MINUS],
            [1, MINUS, 1],
            [MINUS, 1, 1],
            [1, MINUS, MINUS],
            [MINUS, 1, MINUS],
            [MINUS, MINUS, 1],
            [MINUS, MINUS, MINUS],
        ];
        let count = self.columns.len().min(FOURS);
        for d in 0..count {
            for c in 0..d {
                for b in 0..c {
                    for a in 0..b {
                        let members = [a, b, c, d];
                        let width = self.columns[a].width;
                        let same = members.iter().all(|&member| self.columns[member].width == width);
                        let known =
                            self.related.iter().any(|(u, v)| members.contains(u) && members.contains(v));
                        if same && !known {
                            let _ = SIGNS
                                .iter()
                                .any(|&[x, y, z]| self.equation(&[(a, 1), (b, x), (c, y), (d, z)]));
                        }
                    }
                }
            }
        }
    }

    /// Adds the equation if the sum is the same in all states.
    fn equation(&mut self, members: &[(usize, u64)]) -> bool {
        let width = self.columns[members[0].0].width;
        let mask = u64::MAX >> (64 - width);
        let sum = |state: usize| {
            let terms = members.iter().map(|&(m, factor)| factor.wrapping_mul(self.columns[m].values[state]));
            terms.fold(0, u64::wrapping_add) & mask
        };
        let first = sum(0);
        if (1..self.columns[members[0].0].values.len()).any(|state| sum(state) != first) {
            return false;
        }
        let left = self.sum(members, width);
        let right = self.pool.bitvec(width, first);
        let predicate = self.pool.eq(left, right);
        self.predicates.push(predicate);
        true
    }

    fn sum(&mut self, members: &[(usize, u64)], width: u32) -> TermId {
        let mut sum = self.pool.bitvec(width, 0);
        for &(member, factor) in members {
            let factor = self.pool.bitvec(width, factor);
            let product = self.pool.mul(factor, self.columns[member].term);
            sum = self.pool.add(sum, product);
        }
        sum
    }

    /// `low <= u - v <= high` and the same of the sum, where the bounds are narrow on one side.
    fn differences(&mut self) {
        for second in 0..self.columns.len() {
            for first in 0..second {
                let (u, v) = (&self.columns[first], &self.columns[second]);
                if u.width == v.width && !self.related.contains(&(first, second)) {
                    let is_signed = u.signed && v.signed;
                    self.bounds(&[(first, 1), (second, MINUS)]);
                    if is_signed {
                        self.bounds(&[(first, 1), (second, 1)]);
                    }
                }
            }
        }
    }

    fn bounds(&mut self, members: &[(usize, u64)]) {
        let width = self.columns[members[0].0].width;
        let count = self.columns[members[0].0].values.len();
        let sums = (0..count).map(|state| {
            let terms = members.iter().map(|&(m, factor)| factor.wrapping_mul(self.columns[m].values[state]));
            let bits = terms.fold(0, u64::wrapping_add) << (64 - width);
            (bits as i64) >> (64 - width)
        });
        let (low, high) = sums.fold((i64::MAX, i64::MIN), |(low, high), sum| (low.min(sum), high.max(sum)));
        let sum = self.sum(members, width);
        if low.abs() <= NARROW {
            let bound = self.pool.bitvec(width, low as u64);
            let below = self.pool.slt(sum, bound);
            self.predicates.push(below);
        }
        if high.abs() <= NARROW {
            let bound = self.pool.bitvec(width, high as u64);
            let above = self.pool.slt(bound, sum);
            self.predicates.push(above);
        }
    }
}

const MINUS: u64 = u64::MAX;
/// Differences of states that factors are computed from are no larger, lest they have wrapped around.
const LARGEST: i64 = 1 << 20;
/// Factors that are tried for one triple, and the largest.
const TRIES: usize = 3;
const LARGEST_FACTOR: i64 = 1 << 16;

/// The difference of a column between a state and the first one.
fn difference(column: &Column, state: usize) -> i64 {
    let bits = column.values[state].wrapping_sub(column.values[0]) << (64 - column.width);
    (bits as i64) >> (64 - column.width)
}

/// Factors of equations that some states have: vectors orthogonal to two differences, none of them zero.
fn planes(columns: [&Column; 3]) -> Vec<[u64; 3]> {
    let states = 1..columns[0].values.len();
    let differences = states.map(|state| columns.map(|column| difference(column, state)));
    let is_small = |d: &[i64; 3]| d.iter().all(|part| part.abs() <= LARGEST) && *d != [0; 3];
    let differences: Vec<[i64; 3]> = differences.filter(is_small).take(24).collect();
    let mut result = Vec::new();
    for (index, a) in differences.iter().enumerate() {
        for b in &differences[..index] {
            let product = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
            let common = product.iter().fold(0, |common, part| gcd(common, part.unsigned_abs())) as i64;
            if common == 0 {
                continue;
            }
            let factors = product.map(|part| part / common);
            if factors.iter().all(|&factor| factor != 0 && factor.abs() <= LARGEST_FACTOR) {
                result.push(factors.map(|factor| factor as u64));
            }
            if result.len() == TRIES {
                return result;
            }
        }
    }
    result
}

/// Pairs `(q, p)` without a common factor for which `q*du == p*dv` in the first states that differ.
fn slopes(u: &Column, v: &Column) -> Vec<(u64, u64)> {
    let mut result = Vec::new();
    for state in 1..u.values.len() {
        let (p, q) = (difference(u, state), difference(v, state));
        if p != 0 && q != 0 {
            let common = gcd(p.unsigned_abs(), q.unsigned_abs()) as i64;
            if common != 0 {
                result.push(((q / common) as u64, (p / common) as u64));
            }
            if result.len() == 3 {
                break;
            }
        }
    }
    result
}

fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The relations of columns of 32 bits.
    fn found(columns: &[&[u64]]) -> (TermPool, Vec<TermId>) {
        let mut pool = TermPool::new();
        let columns: Vec<Column> = columns
            .iter()
            .enumerate()
            .map(|(number, values)| {
                let term = pool.variable(&format!("v{number}"), Sort::BitVec(32));
                Column { term, width: 32, signed: true, values: values.to_vec() }
            })
            .collect();
        let mut found =
            Found { pool: &mut pool, columns: &columns, related: Vec::new(), predicates: Vec::new() };
        found.pairs();
        found.triples();
        found.quadruples();
        let predicates = found.predicates;
        (pool, predicates)
    }

    /// `factors · v == constant`
    fn equation(pool: &mut TermPool, factors: &[i64], constant: i64) -> TermId {
        let mut sum = pool.bitvec(32, 0);
        for (number, &factor) in factors.iter().enumerate() {
            let variable = pool.variable(&format!("v{number}"), Sort::BitVec(32));
            let factor = pool.bitvec(32, factor as u64);
            let product = pool.mul(factor, variable);
            sum = pool.add(sum, product);
        }
        let constant = pool.bitvec(32, constant as u64);
        pool.eq(sum, constant)
    }

    #[track_caller]
    fn check(columns: &[&[u64]], factors: &[i64], constant: i64) {
        let (mut pool, predicates) = found(columns);
        let expected = equation(&mut pool, factors, constant);
        assert!(predicates.contains(&expected), "{} relations", predicates.len());
    }

    #[test]
    fn pairs_have_any_slope() {
        check(&[&[0, 2, 4, 10], &[1, 4, 7, 16]], &[3, -2], -2);
    }

    #[test]
    fn equations_survive_wrap_around() {
        let top = u64::from(u32::MAX);
        check(&[&[0, 1, 2, 5], &[top, top - 1, top - 2, top - 5]], &[-1, -1], 1);
    }

    #[test]
    fn triples_have_any_factors() {
        check(&[&[476, 477, 480, 481], &[4, 3, 0, 4], &[95, 95, 95, 96]], &[1, 1, -5], 5);
    }

    #[test]
    fn quadruples_are_sums_and_differences() {
        let (a, b, c) = ([1, 5, 2, 9, 4], [3, 1, 8, 0, 7], [2, 2, 6, 1, 1]);
        let d: Vec<u64> = (0..5).map(|state| a[state] + b[state] - c[state]).collect();
        check(&[&a, &b, &c, &d], &[1, 1, -1, -1], 0);
    }

    #[test]
    fn what_one_state_lacks_is_no_relation() {
        let (_, predicates) = found(&[&[0, 1, 2, 3], &[0, 2, 4, 7]]);
        assert!(predicates.is_empty());
    }
}

//! Formulas over a few floats, by intervals and by cases.
//!
//! Polynomials of one or two float inputs are hopeless for a SAT solver, and easy for intervals: the range
//! of the inputs is cut into boxes until the formula is false on each of them, or true at a point of one.
//! (The idea is that of D'Silva, Haller, Kroening, Tautschnig: "Numeric Bounds Analysis with
//! Conflict-Driven Learning", without the learning.) What is no float is not looked into. The answer
//! "unsatisfiable" is a proof; a point is only a suggestion where to look.

mod interval;

use base::Budget;
use interval::{Interval, Truth};
use rustc_hash::FxHashMap;
use term::{FloatFormat, Op, RoundingMode, Sort, TermId, TermPool};

/// What is found out about a conjunction.
#[derive(Clone, PartialEq, Debug)]
pub enum Finding {
    Unsatisfiable,
    /// Where the formula is true as far as floats are concerned: variables with the bits of their values.
    Point(Vec<(TermId, u64)>),
    Nothing,
}

/// More float variables than this are too many to cut.
const MOST_VARIABLES: usize = 4;

/// Disjunctions at the top are taken apart into at most so many cases.
const MOST_CASES: usize = 64;

/// Looks for a refutation or a point, with no more than `work` evaluations of terms.
pub fn explore(pool: &TermPool, conditions: &[TermId], work: &mut u64, budget: &Budget) -> Finding {
    let Some(cases) = cases(pool, conditions) else { return Finding::Nothing };
    for case in &cases {
        let Some(mut search) = Search::new(pool, case) else { return Finding::Nothing };
        match search.run(work, budget) {
            Finding::Unsatisfiable => {}
            other => return other,
        }
    }
    Finding::Unsatisfiable
}

/// A term, and whether it is to be true.
type Literal = (TermId, bool);

/// A conjunction as a list of conjunctions of literals, one of which must hold.
fn cases(pool: &TermPool, conditions: &[TermId]) -> Option<Vec<Vec<Literal>>> {
    let mut done = Vec::new();
    let mut open: Vec<(Vec<Literal>, Vec<Literal>)> =
        vec![(Vec::new(), conditions.iter().map(|&term| (term, true)).collect())];
    while let Some((mut literals, mut rest)) = open.pop() {
        let mut splits = Vec::new();
        while let Some((term, truth)) = rest.pop() {
            match (pool.op(term), truth) {
                (Op::Not, _) => rest.push((pool.children(term)[0], !truth)),
                (Op::And, true) => rest.extend(pool.children(term).iter().map(|&child| (child, true))),
                (Op::And, false) => splits.push(term),
                _ => literals.push((term, truth)),
            }
        }
        match splits.pop() {
            None => done.push(literals),
            Some(split) => {
                let others = splits.iter().map(|&term| (term, false));
                for &child in pool.children(split) {
                    let rest = others.clone().chain([(child, false)]).collect();
                    open.push((literals.clone(), rest));
                }
            }
        }
        if done.len() + open.len() > MOST_CASES {
            return None;
        }
    }
    Some(done)
}

/// The search for one case.
struct Search<'p> {
    pool: &'p TermPool,
    literals: &'p [Literal],
    /// All terms below the literals, children first.
    terms: Vec<TermId>,
    place: FxHashMap<TermId, usize>,
    variables: Vec<TermId>,
    floats: Vec<Interval>,
    truths: Vec<Truth>,
}

impl<'p> Search<'p> {
    /// `None` if this is no formula for intervals.
    fn new(pool: &'p TermPool, literals: &'p [Literal]) -> Option<Self> {
        let roots: Vec<TermId> = literals.iter().map(|&(term, _)| term).collect();
        let opaque = |term| !matches!(pool.sort(term), Sort::Bool | Sort::Float(_));
        let terms = pool.reachable(&roots, opaque);
        let variables: Vec<TermId> = terms
            .iter()
            .copied()
            .filter(|&term| pool.op(term) == Op::Variable && plain(pool, term))
            .collect();
        let computes = |&term: &TermId| matches!(pool.op(term), Op::FloatMul | Op::FloatDiv | Op::FloatSqrt);
        if variables.is_empty() || variables.len() > MOST_VARIABLES || !terms.iter().any(computes) {
            return None;
        }
        let place = terms.iter().enumerate().map(|(place, &term)| (term, place)).collect();
        let count = terms.len();
        let (floats, truths) = (vec![Interval::ALL; count], vec![Truth::Unknown; count]);
        Some(Self { pool, literals, terms, place, variables, floats, truths })
    }

    fn run(&mut self, work: &mut u64, budget: &Budget) -> Finding {
        let mut open = vec![self.first_box()];
        while let Some(ranges) = open.pop() {
            let cost = 2 * self.terms.len() as u64;
            if *work < cost || budget.check().is_err() {
                return Finding::Nothing;
            }
            *work -= cost;
            match self.evaluate(&ranges) {
                Truth::False => continue,
                Truth::True => return self.point(&middle(&ranges)),
                Truth::Unknown => {}
            }
            let middle = middle(&ranges);
            if self.evaluate(&middle) == Truth::True {
                return self.point(&middle);
            }
            match self.cut(&ranges) {
                Some((low, high)) => open.extend([high, low]),
                None => return Finding::Nothing,
            }
        }
        Finding::Unsatisfiable
    }

    fn point(&self, ranges: &[Interval]) -> Finding {
        let bits = |(&variable, range): (&TermId, &Interval)| {
            let single = self.pool.format(variable) == FloatFormat::SINGLE;
            let bits = if single { u64::from((range.low as f32).to_bits()) } else { range.low.to_bits() };
            (variable, bits)
        };
        Finding::Point(self.variables.iter().zip(ranges).map(bits).collect())
    }

    /// The ranges of the variables that comparisons with constants leave.
    fn first_box(&mut self) -> Vec<Interval> {
        let mut ranges = vec![Interval::ALL; self.variables.len()];
        self.evaluate(&ranges);
        for &(term, truth) in self.literals {
            let children = self.pool.children(term);
            let (Op::FloatLt | Op::FloatLe | Op::FloatEq, &[left, right]) = (self.pool.op(term), children)
            else {
                continue;
            };
            let equal = self.pool.op(term) == Op::FloatEq;
            if let Some(index) = self.variable_behind(left) {
                let bound = self.floats[self.place[&right]];
                ranges[index] = ranges[index].meet(limited(bound, truth, equal));
            }
            if let Some(index) = self.variable_behind(right) {
                let bound = self.floats[self.place[&left]].negate();
                ranges[index] = ranges[index].meet(limited(bound, truth, equal).negate());
            }
        }
        ranges
    }

    /// The variable that a term is, perhaps widened to double.
    fn variable_behind(&self, mut term: TermId) -> Option<usize> {
        if self.pool.op(term) == Op::FloatFromFloat && self.pool.format(term) == FloatFormat::DOUBLE {
            term = self.pool.children(term)[0];
        }
        self.variables.iter().position(|&variable| variable == term)
    }

    /// Whether the literals can hold where the variables are in these ranges.
    fn evaluate(&mut self, ranges: &[Interval]) -> Truth {
        for index in 0..self.terms.len() {
            let term = self.terms[index];
            match self.pool.sort(term) {
                Sort::Bool => self.truths[index] = self.truth(term),
                Sort::Float(format) => self.floats[index] = self.interval(term, format, ranges),
                _ => {}
            }
        }
        let mut all = Truth::True;
        for &(term, truth) in self.literals {
            let value = self.truths[self.place[&term]];
            all = all.and(if truth { value } else { value.negate() });
        }
        all
    }

    fn float(&self, term: TermId) -> Interval {
        self.place.get(&term).map_or(Interval::ALL, |&place| self.floats[place])
    }

    fn known(&self, term: TermId) -> Truth {
        self.place.get(&term).map_or(Truth::Unknown, |&place| self.truths[place])
    }

    fn truth(&self, term: TermId) -> Truth {
        if let Some(value) = self.pool.truth_value(term) {
            return if value { Truth::True } else { Truth::False };
        }
        let children = self.pool.children(term);
        match (self.pool.op(term), children) {
            (Op::Not, &[a]) => self.known(a).negate(),
            (Op::And, &[a, b]) => self.known(a).and(self.known(b)),
            (Op::Eq, &[a, b]) => match self.pool.sort(a) {
                Sort::Bool => self.known(a).equal(self.known(b)),
                Sort::Float(_) => Truth::same(self.float(a), self.float(b)),
                _ => Truth::Unknown,
            },
            (Op::Ite, &[choice, a, b]) => match self.known(choice) {
                Truth::True => self.known(a),
                Truth::False => self.known(b),
                Truth::Unknown if self.known(a) == self.known(b) => self.known(a),
                Truth::Unknown => Truth::Unknown,
            },
            (Op::FloatLt, &[a, b]) => Truth::less(self.float(a), self.float(b)),
            (Op::FloatLe, &[a, b]) => Truth::less_or_equal(self.float(a), self.float(b)),
            (Op::FloatEq, &[a, b]) => Truth::equal_numbers(self.float(a), self.float(b)),
            (Op::FloatIsNan, &[a]) => Truth::is_nan(self.float(a)),
            (Op::FloatIsInfinite, &[a]) => Truth::is_infinite(self.float(a)),
            (Op::FloatIsZero, &[a]) => Truth::is_zero(self.float(a)),
            (Op::FloatIsNegative, &[a]) => Truth::is_negative(self.float(a)),
            _ => Truth::Unknown,
        }
    }

    fn interval(&self, term: TermId, format: FloatFormat, ranges: &[Interval]) -> Interval {
        let single = match format {
            FloatFormat::SINGLE => true,
            FloatFormat::DOUBLE => false,
            _ => return Interval::ALL,
        };
        if let Some(value) = self.pool.float_value(term) {
            let value = value.to_f64().or(value.to_f32().map(f64::from));
            return value.map_or(Interval::ALL, Interval::point);
        }
        let exact = match (self.pool.op(term), self.pool.children(term)) {
            (Op::Variable, _) => {
                let index = self.variables.iter().position(|&variable| variable == term);
                index.map_or(Interval::ALL, |index| ranges[index])
            }
            (Op::Ite, &[choice, a, b]) => match self.known(choice) {
                Truth::True => self.float(a),
                Truth::False => self.float(b),
                Truth::Unknown => self.float(a).hull(self.float(b)),
            },
            (Op::FloatNeg, &[a]) => self.float(a).negate(),
            (Op::FloatAbs, &[a]) => self.float(a).absolute(),
            _ if !self.is_nearest(term) => return Interval::ALL,
            (Op::FloatAdd, &[a, b]) => self.float(a).add(self.float(b)),
            (Op::FloatMul, &[a, b]) => self.float(a).multiply(self.float(b)),
            (Op::FloatDiv, &[a, b]) => self.float(a).divide(self.float(b)),
            (Op::FloatSqrt, &[a]) => self.float(a).root(),
            (Op::FloatFromFloat, &[a]) => self.float(a),
            _ => return Interval::ALL,
        };
        if single { exact.map(|end| f64::from(end as f32)) } else { exact }
    }

    /// Whether the operation is one that rounds to nearest.
    fn is_nearest(&self, term: TermId) -> bool {
        let op = self.pool.op(term);
        matches!(op, Op::FloatAdd | Op::FloatMul | Op::FloatDiv | Op::FloatSqrt | Op::FloatFromFloat)
            && self.pool.rounding_mode(term) == RoundingMode::NearestEven
    }

    /// The box in two halves; `None` if it is a point.
    fn cut(&self, ranges: &[Interval]) -> Option<(Vec<Interval>, Vec<Interval>)> {
        let width = |range: &Interval| if range.is_empty() { 0.0 } else { range.high - range.low };
        let mut order: Vec<usize> = (0..ranges.len()).collect();
        order.sort_by(|&a, &b| width(&ranges[b]).total_cmp(&width(&ranges[a])));
        for index in order {
            let single = self.pool.format(self.variables[index]) == FloatFormat::SINGLE;
            if let Some((first, second)) = halves(ranges[index], single) {
                let (mut low, mut high) = (ranges.to_vec(), ranges.to_vec());
                (low[index], high[index]) = (first, second);
                return Some((low, high));
            }
        }
        None
    }
}

/// Variables of formats that intervals are of.
fn plain(pool: &TermPool, term: TermId) -> bool {
    matches!(pool.sort(term), Sort::Float(FloatFormat::SINGLE | FloatFormat::DOUBLE))
}

/// What a comparison `x < bound`, or `x == bound`, being true or false leaves for `x`.
fn limited(bound: Interval, truth: bool, equal: bool) -> Interval {
    match (truth, equal) {
        (true, true) => Interval { nan: false, ..bound },
        (true, false) => Interval::numbers(f64::NEG_INFINITY, bound.high),
        (false, true) => Interval::ALL,
        // Also if one of them is NaN.
        (false, false) if bound.nan => Interval::ALL,
        (false, false) => Interval { low: bound.low, ..Interval::ALL },
    }
}

/// The point in the middle of a box.
fn middle(ranges: &[Interval]) -> Vec<Interval> {
    let middle = |range: &Interval| match range.is_empty() {
        true => Interval::point(f64::NAN),
        false => Interval::point(between(range.low, range.high)),
    };
    ranges.iter().map(middle).collect()
}

/// A number between two: the order of magnitude counts where they differ in it.
fn between(low: f64, high: f64) -> f64 {
    let (low, high) = (low.max(-f64::MAX), high.min(f64::MAX));
    match () {
        () if low < 0.0 && high > 0.0 => 0.0,
        () if low > 0.0 && high / low > 16.0 => low.sqrt() * high.sqrt(),
        () if high < 0.0 && low / high > 16.0 => -((-low).sqrt() * (-high).sqrt()),
        () => low / 2.0 + high / 2.0,
    }
}

/// Two parts of an interval that have all its members, each smaller.
fn halves(range: Interval, single: bool) -> Option<(Interval, Interval)> {
    if range.is_empty() {
        return None;
    }
    if range.nan {
        return Some((Interval { nan: false, ..range }, Interval::point(f64::NAN)));
    }
    let middle = between(range.low, range.high);
    let middle = if single { f64::from(middle as f32) } else { middle };
    let next = if single { f64::from((middle as f32).next_up()) } else { middle.next_up() };
    let (first, second) = (Interval::numbers(range.low, middle), Interval::numbers(next, range.high));
    let smaller = |part: Interval| part.is_empty() || part != range;
    (range.low < range.high && smaller(first) && smaller(second)).then_some((first, second))
}

#[cfg(test)]
mod tests;

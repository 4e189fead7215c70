//! Deciding equality of small polynomials, so that `a * (b + c)` is `a * b + a * c`.
//!
//! Products are multiplied out only to compare: the terms themselves keep the form with the fewest
//! multiplications.

use super::linear::{Part, Ring};
use crate::pool::{TermId, TermPool};
use smallvec::SmallVec;

/// A polynomial with more monomials than this is given up.
const MOST_MONOMIALS: usize = 32;
/// Steps of expansion after which it is given up.
const MOST_STEPS: usize = 256;

/// A product of atoms, in the order of their ids.
type Monomial = SmallVec<[TermId; 4]>;

struct Polynomial<C> {
    monomials: Vec<(Monomial, C)>,
}

impl<C: Ring> Polynomial<C> {
    fn normalise(&mut self) {
        self.monomials.sort_by(|a, b| a.0.cmp(&b.0));
        let mut merged: Vec<(Monomial, C)> = Vec::with_capacity(self.monomials.len());
        for (monomial, coefficient) in self.monomials.drain(..) {
            match merged.last_mut() {
                Some((last, sum)) if *last == monomial => *sum = sum.plus(&coefficient),
                _ => merged.push((monomial, coefficient)),
            }
        }
        merged.retain(|(_, coefficient)| !coefficient.vanishes());
        self.monomials = merged;
    }
}

impl TermPool {
    /// The constant that the difference of two terms always is, if multiplying out shows it.
    pub(super) fn constant_difference<C: Ring>(&self, a: TermId, b: TermId, one: &C) -> Option<C> {
        let mut sum = Polynomial { monomials: Vec::new() };
        // Products still to be multiplied out: factors to expand, atoms so far, coefficient.
        let mut work: Vec<(SmallVec<[TermId; 4]>, Monomial, C)> = vec![
            (SmallVec::from_slice(&[a]), Monomial::new(), one.clone()),
            (SmallVec::from_slice(&[b]), Monomial::new(), one.negated()),
        ];
        for _ in 0..MOST_STEPS {
            let Some((mut factors, mut atoms, coefficient)) = work.pop() else {
                sum.normalise();
                return constant_of(&sum, one);
            };
            let Some(factor) = factors.pop() else {
                atoms.sort_unstable();
                sum.monomials.push((atoms, coefficient));
                if sum.monomials.len() > MOST_MONOMIALS {
                    return None;
                }
                continue;
            };
            match C::part(self, factor) {
                Part::Constant(value) => work.push((factors, atoms, coefficient.times(&value))),
                Part::Sum(x, y) => {
                    let mut other = factors.clone();
                    factors.push(x);
                    other.push(y);
                    work.push((factors, atoms.clone(), coefficient.clone()));
                    work.push((other, atoms, coefficient));
                }
                Part::Affine { inner, factor, offset } => {
                    if !offset.vanishes() {
                        work.push((factors.clone(), atoms.clone(), coefficient.times(&offset)));
                    }
                    factors.push(inner);
                    work.push((factors, atoms, coefficient.times(&factor)));
                }
                Part::Product(x, y) => {
                    factors.extend([x, y]);
                    work.push((factors, atoms, coefficient));
                }
                Part::Atom => {
                    atoms.push(factor);
                    work.push((factors, atoms, coefficient));
                }
            }
        }
        None
    }
}

fn constant_of<C: Ring>(sum: &Polynomial<C>, one: &C) -> Option<C> {
    match sum.monomials.as_slice() {
        [] => Some(one.zero_like()),
        [(monomial, coefficient)] if monomial.is_empty() => Some(coefficient.clone()),
        _ => None,
    }
}

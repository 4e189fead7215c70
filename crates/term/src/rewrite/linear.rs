//! Sums as linear forms: coefficients times atoms, plus a constant, over a ring.
//!
//! The ring is that of the integers modulo 2^n for bit-vectors, and that of the integers for `Int`.
//! Only a bounded number of nodes is looked at; a larger sum is an atom (but see `reduction.rs`).

use crate::bitvec::BitVec;
use crate::op::Op;
use crate::pool::{TermId, TermPool};
use dashu::integer::IBig;
use smallvec::SmallVec;

/// A sum of more nodes than this is not looked into.
const MOST_NODES: usize = 24;

/// Coefficients, and how terms over them are built up.
pub(super) trait Ring: Clone + PartialEq {
    fn plus(&self, other: &Self) -> Self;
    fn times(&self, other: &Self) -> Self;
    fn negated(&self) -> Self;
    fn zero_like(&self) -> Self;
    fn vanishes(&self) -> bool;
    /// How the root of a term enters a sum.
    fn part(pool: &TermPool, term: TermId) -> Part<Self>;
}

/// One step into a sum.
pub(super) enum Part<C> {
    Constant(C),
    Sum(TermId, TermId),
    /// `factor * inner + offset`
    Affine {
        inner: TermId,
        factor: C,
        offset: C,
    },
    /// A product of two terms neither of which is constant.
    Product(TermId, TermId),
    Atom,
}

impl Ring for BitVec {
    fn plus(&self, other: &Self) -> Self {
        self.add(other)
    }

    fn times(&self, other: &Self) -> Self {
        self.mul(other)
    }

    fn negated(&self) -> Self {
        self.neg()
    }

    fn zero_like(&self) -> Self {
        BitVec::zero(self.width())
    }

    fn vanishes(&self) -> bool {
        self.is_zero()
    }

    fn part(pool: &TermPool, term: TermId) -> Part<Self> {
        let scaled = |inner, factor: BitVec| Part::Affine { inner, offset: factor.zero_like(), factor };
        let children = pool.children(term);
        match pool.op(term) {
            Op::Constant => pool.bitvec_value(term).map_or(Part::Atom, Part::Constant),
            Op::Add => Part::Sum(children[0], children[1]),
            Op::Neg => scaled(children[0], BitVec::ones(pool.width(term))),
            Op::BitNot => {
                let minus_one = BitVec::ones(pool.width(term));
                Part::Affine { inner: children[0], factor: minus_one.clone(), offset: minus_one }
            }
            Op::Mul => match pool.bitvec_value(children[1]) {
                Some(factor) => scaled(children[0], factor),
                None => Part::Product(children[0], children[1]),
            },
            Op::Concat => match shifted_left(pool, term) {
                Some((inner, by)) => scaled(inner, BitVec::power_of_two(pool.width(term), by)),
                None => Part::Atom,
            },
            _ => Part::Atom,
        }
    }
}

/// `(x, k)` if the term is `x << k`.
fn shifted_left(pool: &TermPool, term: TermId) -> Option<(TermId, u32)> {
    let (high, low) = pool.operands(term, Op::Concat)?;
    let by = pool.bitvec_value(low).filter(BitVec::is_zero)?.width();
    let inner = pool.operand(high, Op::Extract)?;
    (pool.extract_low(high) == 0 && pool.width(inner) == pool.width(term)).then_some((inner, by))
}

impl Ring for IBig {
    fn plus(&self, other: &Self) -> Self {
        self + other
    }

    fn times(&self, other: &Self) -> Self {
        self * other
    }

    fn negated(&self) -> Self {
        -self
    }

    fn zero_like(&self) -> Self {
        IBig::ZERO
    }

    fn vanishes(&self) -> bool {
        self.is_zero()
    }

    fn part(pool: &TermPool, term: TermId) -> Part<Self> {
        let children = pool.children(term);
        match pool.op(term) {
            Op::Constant => pool.int_value(term).map_or(Part::Atom, Part::Constant),
            Op::IntAdd => Part::Sum(children[0], children[1]),
            Op::IntMul => match pool.int_value(children[1]) {
                Some(factor) => Part::Affine { inner: children[0], factor, offset: IBig::ZERO },
                None => Part::Product(children[0], children[1]),
            },
            _ => Part::Atom,
        }
    }
}

/// A sum of coefficients times atoms, and a constant.
#[derive(Clone)]
pub(super) struct Linear<C> {
    pub monomials: SmallVec<[(TermId, C); 8]>,
    pub constant: C,
}

impl<C: Ring> Linear<C> {
    pub fn new(zero: C) -> Self {
        Self { monomials: SmallVec::new(), constant: zero }
    }

    /// Adds `scale * term`; false if the term is too large.
    pub fn collect(&mut self, pool: &TermPool, term: TermId, scale: C) -> bool {
        self.collect_within(pool, term, scale, &mut { MOST_NODES })
    }

    /// Adds `scale * term`, and takes its nodes off those that are left; false if they are too few.
    pub fn collect_within(&mut self, pool: &TermPool, term: TermId, scale: C, left: &mut usize) -> bool {
        let mut stack: SmallVec<[(TermId, C); 8]> = SmallVec::new();
        stack.push((term, scale));
        while let Some((term, scale)) = stack.pop() {
            if *left == 0 {
                return false;
            }
            *left -= 1;
            match C::part(pool, term) {
                Part::Constant(value) => self.constant = self.constant.plus(&scale.times(&value)),
                Part::Sum(a, b) => stack.extend([(a, scale.clone()), (b, scale)]),
                Part::Affine { inner, factor, offset } => {
                    self.constant = self.constant.plus(&scale.times(&offset));
                    stack.push((inner, scale.times(&factor)));
                }
                Part::Product(..) | Part::Atom => self.monomials.push((term, scale)),
            }
        }
        true
    }

    /// Orders the atoms and adds up the coefficients of each; true if there are fewer now.
    pub fn normalise(&mut self) -> bool {
        let before = self.monomials.len();
        self.monomials.sort_by_key(|&(atom, _)| atom);
        let mut merged: SmallVec<[(TermId, C); 8]> = SmallVec::new();
        for (atom, coefficient) in self.monomials.drain(..) {
            match merged.last_mut() {
                Some((last, sum)) if *last == atom => *sum = sum.plus(&coefficient),
                _ => merged.push((atom, coefficient)),
            }
        }
        merged.retain(|(_, coefficient)| !coefficient.vanishes());
        self.monomials = merged;
        self.monomials.len() < before
    }
}

/// The difference of two terms as a linear form.
pub(super) struct Difference<C> {
    pub linear: Linear<C>,
    /// The difference has fewer parts than the two terms together.
    pub simpler: bool,
}

impl TermPool {
    /// The difference of two terms, if they are small.
    pub(super) fn difference<C: Ring>(&self, a: TermId, b: TermId, one: &C) -> Option<Difference<C>> {
        self.difference_within(a, b, one, &mut { 2 * MOST_NODES })
    }

    /// The difference of two terms, if they have no more nodes than are left.
    pub(super) fn difference_within<C: Ring>(
        &self,
        a: TermId,
        b: TermId,
        one: &C,
        left: &mut usize,
    ) -> Option<Difference<C>> {
        let mut linear = Linear::new(one.zero_like());
        if !linear.collect_within(self, a, one.clone(), left) {
            return None;
        }
        let left_constant = std::mem::replace(&mut linear.constant, one.zero_like());
        let atoms_left = linear.monomials.len();
        if !linear.collect_within(self, b, one.negated(), left) {
            return None;
        }
        let right_constant = std::mem::replace(&mut linear.constant, one.zero_like());
        let atoms_right = linear.monomials.len() - atoms_left;
        linear.constant = left_constant.plus(&right_constant);
        let two_constants = !left_constant.vanishes() && !right_constant.vanishes();
        let offset_on_one_side =
            atoms_right == 0 && !left_constant.vanishes() || atoms_left == 0 && !right_constant.vanishes();
        let simpler = linear.normalise() || two_constants || offset_on_one_side;
        Some(Difference { linear, simpler })
    }
}

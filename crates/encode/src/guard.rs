//! Path conditions.
//!
//! A guard is a conjunction that grows along a path. It is kept as a list that branches share, so
//! that where two branches meet again, what they have in common is found by going back to the place
//! where they parted: `(g ∧ c) ∨ (g ∧ ¬c)` is `g` without looking at the whole of `g`, and the values
//! of the two branches are told apart by `c` alone.

use std::rc::Rc;
use term::{TermId, TermPool};

#[derive(Clone, Debug)]
pub struct Guard(Option<Rc<Node>>);

#[derive(Debug)]
struct Node {
    parent: Guard,
    length: u32,
    conjunct: TermId,
    /// The conjunction of all up to here.
    term: TermId,
}

impl Guard {
    pub const TRUE: Guard = Guard(None);

    pub fn term(&self) -> TermId {
        self.0.as_ref().map_or(TermPool::TRUE, |node| node.term)
    }

    pub fn is_false(&self) -> bool {
        self.term() == TermPool::FALSE
    }

    fn length(&self) -> u32 {
        self.0.as_ref().map_or(0, |node| node.length)
    }

    fn is(&self, other: &Guard) -> bool {
        match (&self.0, &other.0) {
            (None, None) => true,
            (Some(a), Some(b)) => Rc::ptr_eq(a, b),
            _ => false,
        }
    }

    #[must_use]
    pub fn and(&self, pool: &mut TermPool, conjunct: TermId) -> Guard {
        if conjunct == TermPool::TRUE || self.is_false() || self.recently_has(conjunct) {
            return self.clone();
        }
        let term = pool.and(self.term(), conjunct);
        if term == self.term() {
            return self.clone();
        }
        Guard(Some(Rc::new(Node { parent: self.clone(), length: self.length() + 1, conjunct, term })))
    }

    /// Whether one of the last few conjuncts is this one.
    fn recently_has(&self, conjunct: TermId) -> bool {
        let mut guard = self;
        for _ in 0..8 {
            match &guard.0 {
                Some(node) if node.conjunct == conjunct => return true,
                Some(node) => guard = &node.parent,
                None => return false,
            }
        }
        false
    }

    /// Whether the guard, as far back as is cheap to see, decides the term.
    pub fn decides(&self, pool: &mut TermPool, term: TermId) -> Option<bool> {
        if let Some(value) = pool.truth_value(term) {
            return Some(value);
        }
        let negated = pool.not(term);
        let mut guard = self;
        for _ in 0..32 {
            let node = guard.0.as_ref()?;
            if node.conjunct == term {
                return Some(true);
            }
            if node.conjunct == negated {
                return Some(false);
            }
            guard = &node.parent;
        }
        None
    }

    /// The guard of a place that is reached under one of two exclusive guards, and a condition that
    /// is true in the first case and false in the second.
    pub fn merge(&self, other: &Guard, pool: &mut TermPool) -> (Guard, TermId) {
        let (common, left, right) = self.part(other);
        let (a, b) = (pool.and_all(left.iter().copied()), pool.and_all(right.iter().copied()));
        let condition = match (left.first(), right.first()) {
            (Some(&first), Some(&second)) if pool.not(first) == second => first,
            _ => a,
        };
        let either = pool.or(a, b);
        (common.and(pool, either), condition)
    }

    /// What has been added to another guard, oldest first; `None` if this one does not start with it.
    pub fn since(&self, other: &Guard) -> Option<Vec<TermId>> {
        let (common, added, missing) = self.part(other);
        (missing.is_empty() && common.is(other)).then_some(added)
    }

    /// The common start of two guards and the conjuncts that each adds to it, oldest first.
    fn part(&self, other: &Guard) -> (Guard, Vec<TermId>, Vec<TermId>) {
        let (mut a, mut b) = (self.clone(), other.clone());
        let (mut left, mut right) = (Vec::new(), Vec::new());
        while !a.is(&b) {
            let (behind, conjuncts) =
                if a.length() >= b.length() { (&mut a, &mut left) } else { (&mut b, &mut right) };
            let Some(node) = behind.0.clone() else { break };
            conjuncts.push(node.conjunct);
            *behind = node.parent.clone();
        }
        left.reverse();
        right.reverse();
        (a, left, right)
    }
}

impl Drop for Node {
    /// Long lists are dropped in a loop.
    fn drop(&mut self) {
        let mut next = self.parent.0.take();
        while let Some(node) = next {
            match Rc::try_unwrap(node) {
                Ok(mut node) => next = node.parent.0.take(),
                Err(_) => break,
            }
        }
    }
}

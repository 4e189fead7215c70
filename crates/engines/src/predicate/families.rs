//! State machines: who needs to know three of a variable's states needs to know them all.
//!
//! Refinement finds the predicates that one way to an error needs, so a loop around a `switch` gets one
//! `state == 3` after the other, each from a longer way than the last. Once a few values of an observable are
//! told apart at a location, all values that the program names for it are.

use super::template::Template;
use term::{Op, TermId, TermPool};

/// So many values are looked at one by one.
const FEW: usize = 3;

/// The rest of the families that new predicates belong to.
pub fn complete(
    template: &mut Template<'_>,
    precision: &[Vec<TermId>],
    new: &[(usize, TermId)],
) -> Vec<(usize, TermId)> {
    let mut result: Vec<(usize, TermId)> = Vec::new();
    for &(location, predicate) in new {
        let Some(observable) = value_of(template, location, predicate) else { continue };
        let known: Vec<TermId> =
            new.iter().filter(|(at, _)| *at == location).map(|&(_, term)| term).collect();
        let all = precision[location].iter().chain(&known);
        let told = all.filter(|&&other| value_of(template, location, other) == Some(observable)).count();
        if told < FEW {
            continue;
        }
        let here = &template.locations[location];
        let (Some(term), Some(watched)) = (here.placeholders[observable], here.observed.get(observable))
        else {
            continue;
        };
        let named = watched.named.clone();
        let pool = template.pool();
        for &value in named.iter() {
            let value = pool.bitvec(pool.width(term), value);
            let family = pool.eq(term, value);
            let is_known = precision[location].contains(&family) || known.contains(&family);
            if !pool.is_constant(family) && !is_known && !result.contains(&(location, family)) {
                result.push((location, family));
            }
        }
    }
    result
}

/// The observable that a predicate compares with a constant, if it does nothing else.
fn value_of(template: &Template<'_>, location: usize, predicate: TermId) -> Option<usize> {
    let pool: &TermPool = &template.unwinder.encoder.pool;
    if pool.op(predicate) != Op::Eq {
        return None;
    }
    let (left, right) = (pool.children(predicate)[0], pool.children(predicate)[1]);
    let variable = if pool.is_constant(left) { right } else { left };
    let other = if pool.is_constant(left) { left } else { right };
    if !pool.is_constant(other) {
        return None;
    }
    template.locations[location].placeholders.iter().position(|&known| known == Some(variable))
}

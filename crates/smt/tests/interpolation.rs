//! Interpolants of random trees of formulas, checked against their definition.

use base::Budget;
use rustc_hash::FxHashMap;
use smt::interpolation::Parts;
use smt::sat::{Literal, SatSolver};
use smt::{BitBlaster, Check, CheckResult};
use term::{Sort, TermId, TermPool};

struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }
}

/// For each part in post-order, the first part below it.
const CHAIN: [u32; 4] = [0, 0, 0, 0];
const TREE: [u32; 5] = [0, 1, 0, 3, 0];

/// The part above each part but the last.
fn above(first: &[u32], part: usize) -> Option<usize> {
    (part + 1..first.len()).find(|&other| (first[other] as usize) <= part)
}

struct Tree {
    pool: TermPool,
    parts: Parts,
    /// What each part says.
    formulas: Vec<TermId>,
    interfaces: Vec<FxHashMap<Literal, TermId>>,
}

fn random_tree(first: &[u32], random: &mut Random) -> Tree {
    let (mut pool, mut parts) = (TermPool::new(), Parts::new());
    let mut known: Vec<Vec<(Literal, TermId)>> = vec![Vec::new(); first.len()];
    let mut interfaces = vec![FxHashMap::default(); first.len()];
    for part in 0..first.len() {
        for _ in 0..3 {
            let term = pool.fresh_variable("shared", Sort::Bool);
            let literal = parts.interface(part as u32);
            known[part].push((literal, term));
            if let Some(above) = above(first, part) {
                known[above].push((literal, term));
            }
            interfaces[part].insert(literal, term);
        }
    }
    let mut formulas = Vec::new();
    for part in 0..first.len() {
        parts.set_part(Some(part as u32));
        for _ in 0..2 {
            let literal = parts.new_variable();
            let term = pool.fresh_variable("own", Sort::Bool);
            known[part].push((literal, term));
        }
        let mut formula = TermPool::TRUE;
        for _ in 0..2 * known[part].len() {
            let chosen: Vec<(Literal, TermId)> =
                (0..2 + random.below(2)).map(|_| known[part][random.below(known[part].len())]).collect();
            let mut clause = Vec::new();
            let mut term = TermPool::FALSE;
            for (literal, of) in chosen {
                let is_negated = random.below(2) == 0;
                clause.push(literal.negated_if(is_negated));
                let of = if is_negated { pool.not(of) } else { of };
                term = pool.or(term, of);
            }
            parts.add_clause(&clause);
            formula = pool.and(formula, term);
        }
        formulas.push(formula);
    }
    Tree { pool, parts, formulas, interfaces }
}

fn is_unsatisfiable(pool: &TermPool, terms: &[TermId]) -> bool {
    BitBlaster::new().check(pool, terms, &Budget::unlimited()) == Ok(CheckResult::Unsat)
}

/// Checks a random tree; false if it has a model.
fn check(first: &[u32], seed: u64) -> bool {
    let Tree { mut pool, parts, formulas, interfaces } = random_tree(first, &mut Random(seed));
    let is_refuted = is_unsatisfiable(&pool, &formulas);
    let found = parts.refute(&Budget::unlimited()).expect("there is no limit");
    assert_eq!(found.is_some(), is_refuted);
    let Some(proof) = found else { return false };
    let interpolants: Vec<TermId> = (0..first.len())
        .map(|part| {
            proof.interpolant((first[part], part as u32), &interfaces[part], &mut pool, &Budget::unlimited())
        })
        .map(|interpolant| interpolant.expect("there is no limit").expect("all clauses have a part"))
        .collect();
    for part in 0..first.len() {
        let interface: Vec<TermId> = interfaces[part].values().copied().collect();
        assert!(pool.free_variables(&[interpolants[part]]).iter().all(|v| interface.contains(v)));
        // It follows from the part and the interpolants right below, and contradicts what is above.
        let below = (0..part).filter(|&other| above(first, other) == Some(part));
        let mut terms: Vec<TermId> = below.map(|other| interpolants[other]).collect();
        terms.extend([formulas[part], pool.not(interpolants[part])]);
        assert!(is_unsatisfiable(&pool, &terms), "seed {seed}, part {part} does not imply it");
        let outside = (0..first.len()).filter(|&other| other < first[part] as usize || other > part);
        let mut terms: Vec<TermId> = outside.map(|other| formulas[other]).collect();
        terms.push(interpolants[part]);
        assert!(is_unsatisfiable(&pool, &terms), "seed {seed}, part {part} does not contradict the rest");
    }
    true
}

#[test]
fn chains_have_interpolants() {
    let refuted = (0..300).filter(|&seed| check(&CHAIN, seed)).count();
    assert!(refuted > 50 && refuted < 300, "{refuted}");
}

#[test]
fn trees_have_interpolants() {
    let refuted = (0..300).filter(|&seed| check(&TREE, seed)).count();
    assert!(refuted > 50 && refuted < 300, "{refuted}");
}

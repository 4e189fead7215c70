//! A small SAT solver that says why: every learnt clause comes with the resolutions that derive it.
//!
//! Conflict-driven clause learning with two watched literals, activities, saved phases and restarts
//! (Eén and Sörensson: "An Extensible SAT-solver", SAT 2003), and nothing that makes derivations hard to
//! follow. It is used where the default solver has already said that there is no model.

use crate::sat::Literal;
use base::{Budget, StopReason};

/// A clause and where it is from.
pub struct Clause {
    pub literals: Vec<Literal>,
    /// Of a learnt one: the clauses that it is resolved from, the first one first; each of the others
    /// resolves on the variable given.
    pub chain: Vec<(u32, u32)>,
}

/// The clauses given, those learnt behind them, and the empty one at the end.
pub struct Refutation {
    pub clauses: Vec<Clause>,
    pub given: usize,
}

/// Refutes clauses over variables `1..=variables`. `None` if there is a model.
pub fn refute(
    variables: usize,
    clauses: impl IntoIterator<Item = Vec<Literal>>,
    budget: &Budget,
) -> Result<Option<Refutation>, StopReason> {
    let mut solver = Solver::new(variables);
    for clause in clauses {
        solver.give(clause);
    }
    let is_refuted = solver.attach_all() || solver.search(budget)?;
    let Solver { clauses, given, .. } = solver;
    Ok(is_refuted.then_some(Refutation { clauses, given }))
}

const UNASSIGNED: u8 = 2;
const NONE: u32 = u32::MAX;

struct Solver {
    clauses: Vec<Clause>,
    given: usize,
    /// By literal: the clauses that watch its negation.
    watches: Vec<Vec<(u32, Literal)>>,
    /// By variable.
    values: Vec<u8>,
    levels: Vec<u32>,
    reasons: Vec<u32>,
    positions: Vec<u32>,
    phases: Vec<bool>,
    activities: Vec<f64>,
    seen: Vec<bool>,
    /// Those that have been seen.
    marked: Vec<usize>,
    /// The unit clause of each variable that is assigned without decisions.
    units: Vec<u32>,
    trail: Vec<Literal>,
    decisions: Vec<usize>,
    propagated: usize,
    step: f64,
    order: Heap,
    /// Learnt clauses that are watched, by age.
    learnt: Vec<u32>,
    most_learnt: usize,
}

fn variable(literal: Literal) -> usize {
    literal.to_dimacs().unsigned_abs() as usize
}

fn code(literal: Literal) -> usize {
    2 * variable(literal) + usize::from(literal.to_dimacs() < 0)
}

impl Solver {
    fn new(variables: usize) -> Self {
        let count = variables + 1;
        let activities = vec![0.0; count];
        Self {
            clauses: Vec::new(),
            given: 0,
            watches: vec![Vec::new(); 2 * count],
            values: vec![UNASSIGNED; count],
            levels: vec![0; count],
            reasons: vec![NONE; count],
            positions: vec![0; count],
            phases: vec![false; count],
            order: Heap::new(count, &activities),
            activities,
            seen: vec![false; count],
            marked: Vec::new(),
            units: vec![NONE; count],
            trail: Vec::new(),
            decisions: Vec::new(),
            propagated: 0,
            step: 1.0,
            learnt: Vec::new(),
            most_learnt: 4000,
        }
    }

    /// Keeps the clause with the number that it was given with.
    fn give(&mut self, mut literals: Vec<Literal>) {
        literals.sort_by_key(|&literal| code(literal));
        literals.dedup();
        self.clauses.push(Clause { literals, chain: Vec::new() });
        self.given += 1;
    }

    fn value(&self, literal: Literal) -> u8 {
        match self.values[variable(literal)] {
            UNASSIGNED => UNASSIGNED,
            value => value ^ u8::from(literal.to_dimacs() < 0),
        }
    }

    /// Watches all clauses and propagates; true if that refutes them.
    fn attach_all(&mut self) -> bool {
        for id in 0..self.given as u32 {
            let literals = &self.clauses[id as usize].literals;
            let is_tautology = literals.windows(2).any(|pair| pair[0] == !pair[1]);
            if is_tautology {
                continue;
            }
            match *literals.as_slice() {
                [] => return self.derive_empty(id),
                [unit] => match self.value(unit) {
                    UNASSIGNED => self.assign(unit, id),
                    0 => return self.derive_empty(id),
                    _ => {}
                },
                [first, second, ..] => self.watch(id, first, second),
            }
        }
        // Watching does not look at what is assigned: propagation visits every assignment.
        match self.propagate() {
            Some(conflict) => self.derive_empty(conflict),
            None => false,
        }
    }

    fn watch(&mut self, id: u32, first: Literal, second: Literal) {
        self.watches[code(!first)].push((id, second));
        self.watches[code(!second)].push((id, first));
    }

    fn assign(&mut self, literal: Literal, reason: u32) {
        let of = variable(literal);
        self.values[of] = u8::from(literal.to_dimacs() > 0);
        self.levels[of] = self.decisions.len() as u32;
        self.reasons[of] = reason;
        self.positions[of] = self.trail.len() as u32;
        self.trail.push(literal);
        if self.decisions.is_empty() {
            self.units[of] = self.unit_clause(literal, reason);
        }
    }

    /// Derives the clause with nothing but a literal that is assigned without decisions.
    fn unit_clause(&mut self, literal: Literal, reason: u32) -> u32 {
        if self.clauses[reason as usize].literals.len() == 1 {
            return reason;
        }
        let others = self.clauses[reason as usize].literals.iter().filter(|&&other| other != literal);
        let mut chain = vec![(reason, 0)];
        chain.extend(others.map(|&other| (self.units[variable(other)], variable(other) as u32)));
        self.clauses.push(Clause { literals: vec![literal], chain });
        self.clauses.len() as u32 - 1
    }

    /// The empty clause, from one that is false without decisions.
    fn derive_empty(&mut self, conflict: u32) -> bool {
        let literals = &self.clauses[conflict as usize].literals;
        let mut chain = vec![(conflict, 0)];
        chain.extend(literals.iter().map(|&other| (self.units[variable(other)], variable(other) as u32)));
        self.clauses.push(Clause { literals: Vec::new(), chain });
        true
    }

    /// Propagates assignments; the clause that becomes false, if one does.
    fn propagate(&mut self) -> Option<u32> {
        while self.propagated < self.trail.len() {
            let literal = self.trail[self.propagated];
            self.propagated += 1;
            let mut watching = std::mem::take(&mut self.watches[code(literal)]);
            let (mut kept, mut next) = (0, 0);
            let mut conflict = None;
            while next < watching.len() {
                let (id, blocker) = watching[next];
                next += 1;
                if self.value(blocker) == 1 || !self.moves_on(id, !literal) {
                    watching[kept] = (id, blocker);
                    kept += 1;
                    if self.value(blocker) == 1 {
                        continue;
                    }
                    let first = self.clauses[id as usize].literals[0];
                    watching[kept - 1].1 = first;
                    match self.value(first) {
                        1 => {}
                        UNASSIGNED => self.assign(first, id),
                        _ => {
                            conflict = Some(id);
                            break;
                        }
                    }
                }
            }
            while next < watching.len() {
                watching[kept] = watching[next];
                (kept, next) = (kept + 1, next + 1);
            }
            watching.truncate(kept);
            self.watches[code(literal)] = watching;
            if conflict.is_some() {
                return conflict;
            }
        }
        None
    }

    /// Finds another literal to watch in place of a false one, and puts the other watched one first.
    fn moves_on(&mut self, id: u32, false_literal: Literal) -> bool {
        let literals = &mut self.clauses[id as usize].literals;
        if literals[0] == false_literal {
            literals.swap(0, 1);
        }
        let (first, values) = (literals[0], &self.values);
        let is_false = |literal: Literal| {
            let value = values[variable(literal)];
            value != UNASSIGNED && value ^ u8::from(literal.to_dimacs() < 0) == 0
        };
        if !is_false(first) && values[variable(first)] != UNASSIGNED {
            return false;
        }
        let Some(other) = (2..literals.len()).find(|&index| !is_false(literals[index])) else { return false };
        literals.swap(1, other);
        let watched = literals[1];
        self.watches[code(!watched)].push((id, first));
        true
    }

    /// Searches until the empty clause is derived; false if there is a model.
    fn search(&mut self, budget: &Budget) -> Result<bool, StopReason> {
        let mut conflicts = 0u64;
        let mut restarts = 1;
        let mut until = 100 * luby(restarts);
        loop {
            if let Some(conflict) = self.propagate() {
                if self.decisions.is_empty() {
                    return Ok(self.derive_empty(conflict));
                }
                conflicts += 1;
                if conflicts.is_multiple_of(64) {
                    budget.check_now()?;
                }
                self.learn(conflict);
            } else if conflicts >= until {
                restarts += 1;
                until = conflicts + 100 * luby(restarts);
                self.back_to(0);
                self.reduce();
            } else if !self.decide() {
                return Ok(false);
            }
        }
    }

    fn decide(&mut self) -> bool {
        while let Some(next) = self.order.pop(&self.activities) {
            if self.values[next] == UNASSIGNED {
                let number = if self.phases[next] { next as i32 } else { -(next as i32) };
                let Some(literal) = Literal::from_dimacs(number) else { continue };
                self.decisions.push(self.trail.len());
                self.assign(literal, NONE);
                return true;
            }
        }
        false
    }

    fn back_to(&mut self, level: usize) {
        if self.decisions.len() <= level {
            return;
        }
        let length = self.decisions[level];
        for literal in self.trail.drain(length..) {
            let of = variable(literal);
            self.phases[of] = literal.to_dimacs() > 0;
            self.values[of] = UNASSIGNED;
            self.order.push(of, &self.activities);
        }
        self.decisions.truncate(level);
        self.propagated = length;
    }

    fn bump(&mut self, of: usize) {
        self.activities[of] += self.step;
        if self.activities[of] > 1e100 {
            self.activities.iter_mut().for_each(|activity| *activity *= 1e-100);
            self.step *= 1e-100;
        }
        self.order.raise(of, &self.activities);
    }

    /// Learns the clause of the first unique implication point, and goes back to where it says something.
    fn learn(&mut self, conflict: u32) {
        let (mut literals, mut chain) = self.analyse(conflict);
        self.minimise(&mut literals, &mut chain);
        self.resolve_units(&mut literals, &mut chain);
        for of in self.marked.drain(..) {
            self.seen[of] = false;
        }
        self.step *= 1.0 / 0.95;
        // The literal of the highest level but the current is watched second.
        let mut level = 0;
        for index in 1..literals.len() {
            if self.levels[variable(literals[index])] > level {
                level = self.levels[variable(literals[index])];
                literals.swap(1, index);
            }
        }
        self.back_to(level as usize);
        let (id, first) = (self.clauses.len() as u32, literals[0]);
        if literals.len() > 1 {
            self.watch(id, first, literals[1]);
            self.learnt.push(id);
        }
        self.clauses.push(Clause { literals, chain });
        self.assign(first, id);
    }

    /// The clause of the first unique implication point, that point first.
    fn analyse(&mut self, conflict: u32) -> (Vec<Literal>, Vec<(u32, u32)>) {
        let level = self.decisions.len() as u32;
        let mut learnt = Vec::new();
        let mut chain = vec![(conflict, 0)];
        let (mut open, mut position, mut clause) = (0, self.trail.len(), conflict);
        loop {
            for index in 0..self.clauses[clause as usize].literals.len() {
                let literal = self.clauses[clause as usize].literals[index];
                let of = variable(literal);
                if self.seen[of] || self.value(literal) == 1 {
                    continue;
                }
                self.seen[of] = true;
                self.marked.push(of);
                self.bump(of);
                match self.levels[of] == level {
                    true => open += 1,
                    false => learnt.push(literal),
                }
            }
            loop {
                position -= 1;
                if self.seen[variable(self.trail[position])] {
                    break;
                }
            }
            let literal = self.trail[position];
            open -= 1;
            if open == 0 {
                learnt.insert(0, !literal);
                return (learnt, chain);
            }
            clause = self.reasons[variable(literal)];
            chain.push((clause, variable(literal) as u32));
        }
    }

    /// Leaves out literals whose reasons have nothing that is not in the clause anyway.
    fn minimise(&mut self, literals: &mut Vec<Literal>, chain: &mut Vec<(u32, u32)>) {
        let is_redundant = |literal: Literal| {
            let (of, reason) = (variable(literal), self.reasons[variable(literal)]);
            self.levels[of] > 0
                && reason != NONE
                && self.clauses[reason as usize].literals.iter().all(|&other| {
                    variable(other) == of || self.seen[variable(other)] || self.levels[variable(other)] == 0
                })
        };
        let mut redundant: Vec<Literal> =
            literals[1..].iter().copied().filter(|&l| is_redundant(l)).collect();
        // What was assigned last is resolved first: it may bring back what is left out after it.
        redundant.sort_by_key(|&literal| std::cmp::Reverse(self.positions[variable(literal)]));
        for &literal in &redundant {
            let reason = self.reasons[variable(literal)];
            chain.push((reason, variable(literal) as u32));
            for &other in &self.clauses[reason as usize].literals {
                if self.levels[variable(other)] == 0 && !self.seen[variable(other)] {
                    self.seen[variable(other)] = true;
                    self.marked.push(variable(other));
                    literals.push(other);
                }
            }
        }
        literals.retain(|literal| !redundant.contains(literal));
    }

    /// Resolves with what is assigned without decisions.
    fn resolve_units(&self, literals: &mut Vec<Literal>, chain: &mut Vec<(u32, u32)>) {
        literals.retain(|&literal| {
            let of = variable(literal);
            if self.levels[of] == 0 {
                chain.push((self.units[of], of as u32));
            }
            self.levels[of] > 0
        });
    }

    /// Forgets the longer half of the learnt clauses; their derivations stay. There are no decisions.
    fn reduce(&mut self) {
        if self.learnt.len() < self.most_learnt {
            return;
        }
        self.most_learnt += 1000;
        let mut lengths: Vec<usize> =
            self.learnt.iter().map(|&id| self.clauses[id as usize].literals.len()).collect();
        lengths.sort_unstable();
        let median = lengths[lengths.len() / 2].max(3);
        let mut dropped = vec![false; self.clauses.len()];
        let clauses = &self.clauses;
        self.learnt.retain(|&id| {
            let keeps = clauses[id as usize].literals.len() <= median;
            dropped[id as usize] = !keeps;
            keeps
        });
        for watching in &mut self.watches {
            watching.retain(|&(id, _)| !dropped[id as usize]);
        }
    }
}

/// The Luby sequence: 1, 1, 2, 1, 1, 2, 4, …
fn luby(mut index: u64) -> u64 {
    loop {
        let power = (index + 1).next_power_of_two();
        if power == index + 1 {
            return power / 2;
        }
        index -= power / 2 - 1;
    }
}

/// Variables by activity, the most active first.
struct Heap {
    heap: Vec<usize>,
    places: Vec<usize>,
}

const NOWHERE: usize = usize::MAX;

impl Heap {
    fn new(count: usize, activities: &[f64]) -> Self {
        let mut heap = Self { heap: Vec::new(), places: vec![NOWHERE; count] };
        (1..count).for_each(|of| heap.push(of, activities));
        heap
    }

    fn push(&mut self, of: usize, activities: &[f64]) {
        if self.places[of] == NOWHERE {
            self.places[of] = self.heap.len();
            self.heap.push(of);
            self.raise(of, activities);
        }
    }

    fn pop(&mut self, activities: &[f64]) -> Option<usize> {
        let last = self.heap.len().checked_sub(1)?;
        self.swap(0, last);
        let top = self.heap.pop()?;
        self.places[top] = NOWHERE;
        self.sink(activities);
        Some(top)
    }

    fn raise(&mut self, of: usize, activities: &[f64]) {
        let mut place = self.places[of];
        while place != NOWHERE && place > 0 {
            let parent = (place - 1) / 2;
            if activities[self.heap[parent]] >= activities[of] {
                return;
            }
            self.swap(place, parent);
            place = parent;
        }
    }

    fn sink(&mut self, activities: &[f64]) {
        let mut place = 0;
        loop {
            let children = [2 * place + 1, 2 * place + 2];
            let inside = children.into_iter().filter(|&child| child < self.heap.len());
            let larger = inside.max_by(|&a, &b| {
                activities[self.heap[a]].total_cmp(&activities[self.heap[b]]).then(b.cmp(&a))
            });
            match larger {
                Some(child) if activities[self.heap[child]] > activities[self.heap[place]] => {
                    self.swap(place, child);
                    place = child;
                }
                _ => return,
            }
        }
    }

    fn swap(&mut self, a: usize, b: usize) {
        self.heap.swap(a, b);
        self.places[self.heap[a]] = a;
        self.places[self.heap[b]] = b;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::CheckResult;
    use crate::sat::{Cadical, SatSolver};
    use std::collections::BTreeSet;

    fn random(state: &mut u64) -> u64 {
        *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        *state >> 33
    }

    fn random_clauses(seed: u64, variables: u64, count: u64) -> Vec<Vec<Literal>> {
        let mut state = seed;
        let mut literal = || {
            let variable = 1 + (random(&mut state) % variables) as i32;
            Literal::from_dimacs(if random(&mut state).is_multiple_of(2) { variable } else { -variable })
        };
        (0..count).map(|number| (0..2 + number % 2).filter_map(|_| literal()).collect()).collect()
    }

    /// Follows every derivation.
    fn check_derivations(refutation: &Refutation) {
        let clauses = &refutation.clauses;
        for clause in &clauses[refutation.given..] {
            let set = |id: u32| clauses[id as usize].literals.iter().copied().collect::<BTreeSet<Literal>>();
            let mut resolvent = set(clause.chain[0].0);
            for &(other, pivot) in &clause.chain[1..] {
                let other = set(other);
                let pivot = Literal::from_dimacs(pivot as i32).expect("a variable is not zero");
                let pivot = if resolvent.contains(&pivot) { pivot } else { !pivot };
                assert!(resolvent.remove(&pivot) && other.contains(&!pivot));
                resolvent.extend(other.into_iter().filter(|&literal| literal != !pivot));
            }
            assert_eq!(resolvent, clause.literals.iter().copied().collect());
        }
        assert!(clauses.last().is_some_and(|last| last.literals.is_empty()));
    }

    #[test]
    fn derivations_are_resolutions_and_answers_are_those_of_the_default_solver() {
        let mut refuted = 0;
        for seed in 0..600 {
            let variables = 5 + seed % 40;
            let clauses = random_clauses(seed, variables, variables * 3);
            let mut sat = Cadical::without_preprocessing();
            (0..variables).for_each(|_| {
                sat.new_variable();
            });
            clauses.iter().for_each(|clause| sat.add_clause(clause));
            let expected = sat.solve(&[], &Budget::unlimited()) == CheckResult::Unsat;
            let found = refute(variables as usize, clauses, &Budget::unlimited()).expect("no limit");
            assert_eq!(found.is_some(), expected, "seed {seed}");
            if let Some(refutation) = found {
                refuted += 1;
                check_derivations(&refutation);
            }
        }
        assert!(refuted > 50 && refuted < 550, "{refuted}");
    }

    #[test]
    fn pigeons_do_not_fit() {
        let (pigeons, holes) = (7, 6);
        let literal = |p: i32, h: i32| Literal::from_dimacs(1 + p * holes + h).expect("not zero");
        let mut clauses: Vec<Vec<Literal>> =
            (0..pigeons).map(|p| (0..holes).map(|h| literal(p, h)).collect()).collect();
        for h in 0..holes {
            for p in 0..pigeons {
                clauses.extend((0..p).map(|q| vec![!literal(p, h), !literal(q, h)]));
            }
        }
        let found = refute((pigeons * holes) as usize, clauses, &Budget::unlimited()).expect("no limit");
        check_derivations(&found.expect("there is no model"));
    }
}

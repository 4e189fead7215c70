//! What is known of the states at one loop head.

use crate::affine::{Affine, Relation};
use crate::observable::Watched;
use crate::values::{Class, Values};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;
use term::{TermId, TermPool};

/// The values of the watched observables in a state, in their order; `None` where it has none.
pub type Observation = [Option<u64>];

/// Joint values of several observables are told apart up to this many.
const MOST_JOINT: usize = 300;
/// Observables whose joint values are told apart on demand.
const MOST_TOGETHER: usize = 6;

/// A fact of a loop: the values of an observable, the joint values of several, or their affine relations.
pub type FactId = usize;

/// Classes of several observables at once.
type Row = Vec<Class>;

#[derive(Clone, Debug)]
struct Joint {
    /// Which observables, ascending.
    members: Vec<usize>,
    /// `None` if there are too many.
    rows: Option<BTreeSet<Row>>,
}

#[derive(Clone, Debug)]
pub struct LoopFacts {
    pub watched: Vec<Watched>,
    values: Vec<Values>,
    joints: Vec<Joint>,
    affine: Vec<Affine>,
    /// How often each fact has changed: its formula is the same as long as this is.
    revisions: Vec<u32>,
    ignored: Vec<bool>,
    /// The states seen so far.
    states: Vec<Vec<Option<u64>>>,
}

impl LoopFacts {
    /// Facts about observables; affine relations are looked for between the `related` ones.
    pub fn new(watched: Vec<Watched>, related: &[usize]) -> Self {
        let affine = Affine::groups(&watched, related);
        let (ignored, values) = (vec![false; watched.len()], vec![Values::NONE; watched.len()]);
        let revisions = vec![0; watched.len() + affine.len()];
        Self { watched, values, joints: Vec::new(), affine, revisions, ignored, states: Vec::new() }
    }

    /// Tells the joint values of each two observables apart from now on. All facts are to
    /// [start anew](Self::restart).
    pub fn add_pairs(&mut self) {
        let is_told_apart = |&index: &usize| self.watched[index].is_told_apart();
        let several: Vec<usize> = (0..self.watched.len()).filter(is_told_apart).collect();
        for (position, &first) in several.iter().enumerate() {
            for &second in &several[position + 1..] {
                self.add_joint(vec![first, second]);
            }
        }
    }

    /// Whether joint values are new to be told apart.
    fn add_joint(&mut self, members: Vec<usize>) -> bool {
        let is_new = !self.joints.iter().any(|joint| joint.members == members);
        if is_new {
            self.joints.push(Joint { members, rows: Some(BTreeSet::new()) });
        }
        is_new
    }

    /// Whether some state has been seen. Before that, no state is covered.
    pub fn is_reached(&self) -> bool {
        !self.states.is_empty()
    }

    pub fn fact_count(&self) -> usize {
        self.revisions.len()
    }

    /// The relations of a group come behind values and joint values.
    fn affine_fact(&self, index: usize) -> FactId {
        self.values.len() + self.joints.len() + index
    }

    pub fn revision(&self, fact: FactId) -> u32 {
        self.revisions[fact]
    }

    pub fn values(&self, observable: usize) -> &Values {
        &self.values[observable]
    }

    /// Weakens the facts so that they cover a state.
    pub fn observe(&mut self, state: &Observation) {
        let state = &self.masked(state)[..];
        self.states.push(state.to_vec());
        let changed: Vec<bool> =
            state.iter().enumerate().map(|(index, &value)| self.observe_value(index, value)).collect();
        for index in 0..self.joints.len() {
            self.observe_joint(index, state, &changed);
        }
        for index in 0..self.affine.len() {
            let (fact, changed) = (self.affine_fact(index), self.affine[index].observe(state, &self.watched));
            self.revisions[fact] += u32::from(changed);
        }
    }

    /// Says nothing of an observable: some states do not have it.
    pub fn ignore(&mut self, observable: usize) {
        self.ignored[observable] = true;
    }

    /// Whether some fact says something of an observable.
    pub fn knows(&self, observable: usize) -> bool {
        let is_known = |joint: &Joint| joint.rows.is_some() && joint.members.contains(&observable);
        self.values[observable] != Values::any(&self.watched[observable])
            || self.joints.iter().any(is_known)
            || self.affine.iter().any(|affine| affine.knows(observable))
    }

    fn masked(&self, state: &Observation) -> Vec<Option<u64>> {
        state.iter().zip(&self.ignored).map(|(&value, &ignored)| value.filter(|_| !ignored)).collect()
    }

    /// Adds a value; true if the classes of the observable are others than before.
    fn observe_value(&mut self, index: usize, value: Option<u64>) -> bool {
        let (watched, values) = (&self.watched[index], &mut self.values[index]);
        let changed = match value {
            Some(bits) => values.add(bits, watched),
            None => {
                let any = Values::any(watched);
                std::mem::replace(values, any.clone()) != any
            }
        };
        self.revisions[index] += u32::from(changed);
        changed
    }

    fn observe_joint(&mut self, index: usize, state: &Observation, changed: &[bool]) {
        let Joint { members, rows } = &mut self.joints[index];
        let Some(known) = rows else { return };
        let row: Option<Row> = members
            .iter()
            .map(|&member| Some(self.values[member].class(state[member]?, &self.watched[member])))
            .collect();
        let mut new = true;
        match row {
            Some(row) => {
                if members.iter().any(|&member| changed[member] && self.values[member].is_coarse) {
                    *known = coarsened(known, members, &self.values, &self.watched);
                }
                new = known.insert(row);
                if known.len() > MOST_JOINT {
                    *rows = None;
                    new = true;
                }
            }
            None => *rows = None,
        }
        // The formula leaves out what the values of the last one say, so it changes with them.
        let dependent = members.iter().any(|&member| changed[member]);
        self.revisions[self.values.len() + index] += u32::from(new || dependent);
    }

    /// Stops looking for joint values and relations that a state would still change.
    pub fn forget_what_changes(&mut self, state: &Observation) {
        for index in 0..self.joints.len() {
            if !self.joint_holds(&self.joints[index], state) {
                self.joints[index].rows = None;
                self.revisions[self.values.len() + index] += 1;
            }
        }
        for index in 0..self.affine.len() {
            let (fact, changed) = (self.affine_fact(index), self.affine[index].forget(state, &self.watched));
            self.revisions[fact] += u32::from(changed);
        }
    }

    /// The fact as a condition on the observables' terms.
    pub fn formula(&self, pool: &mut TermPool, fact: FactId, terms: &[Option<TermId>]) -> TermId {
        let Some(joint) = fact.checked_sub(self.values.len()) else {
            let Some(term) = terms[fact] else { return TermPool::TRUE };
            return self.values[fact].formula(pool, term, &self.watched[fact]);
        };
        match joint.checked_sub(self.joints.len()) {
            None => self.joint_formula(pool, &self.joints[joint], terms),
            Some(affine) => self.affine[affine].formula(pool, terms, &self.watched),
        }
    }

    /// For each way the first ones can be, where it says something: what the last one can be.
    fn joint_formula(&self, pool: &mut TermPool, joint: &Joint, terms: &[Option<TermId>]) -> TermId {
        let mut formula = TermPool::TRUE;
        if joint.members.iter().any(|&member| terms[member].is_none()) {
            return formula;
        }
        for (first, last) in self.implications(joint) {
            let mut implication = TermPool::FALSE;
            for (&member, &class) in joint.members.iter().zip(&first) {
                let here = self.one_of(pool, member, &[class].into_iter().collect(), terms);
                let elsewhere = pool.not(here);
                implication = pool.or(implication, elsewhere);
            }
            let conclusion = self.one_of(pool, joint.members[first.len()], &last, terms);
            implication = pool.or(implication, conclusion);
            formula = pool.and(formula, implication);
        }
        formula
    }

    fn one_of(
        &self,
        pool: &mut TermPool,
        member: usize,
        classes: &BTreeSet<Class>,
        terms: &[Option<TermId>],
    ) -> TermId {
        match terms[member] {
            Some(term) => self.values[member].one_of(pool, term, &self.watched[member], classes),
            None => TermPool::TRUE,
        }
    }

    /// The rows grouped by all but the last column, if that leaves out values of the last one.
    fn implications(&self, joint: &Joint) -> Vec<(Row, BTreeSet<Class>)> {
        let mut groups: Vec<(Row, BTreeSet<Class>)> = Vec::new();
        for row in joint.rows.iter().flatten() {
            let Some((&last, first)) = row.split_last() else { continue };
            match groups.last_mut() {
                Some((group, classes)) if group == first => {
                    classes.insert(last);
                }
                _ => groups.push((first.to_vec(), [last].into_iter().collect())),
            }
        }
        let all = joint.members.last().map_or(0, |&last| self.values[last].classes.len());
        groups.retain(|(_, classes)| classes.len() < all);
        groups
    }

    /// All that is known of several observables beyond what is known of each: if they have these
    /// classes, the last one has one of those.
    pub fn correlations(&self) -> impl Iterator<Item = (&[usize], Row, BTreeSet<Class>)> {
        self.joints.iter().flat_map(move |joint| {
            let implications = self.implications(joint);
            implications.into_iter().map(move |(first, last)| (&joint.members[..], first, last))
        })
    }

    /// Whether a state is covered.
    pub fn holds(&self, state: &Observation) -> bool {
        let value_holds = |(index, value): (usize, &Option<u64>)| {
            value.is_none_or(|bits| self.values[index].contains(bits, &self.watched[index]))
        };
        self.is_reached()
            && state.iter().enumerate().all(value_holds)
            && self.joints.iter().all(|joint| self.joint_holds(joint, state))
            && self.affine.iter().all(|affine| affine.holds(state, &self.watched))
    }

    /// The affine relations, each with the observables that it is about.
    pub fn relations(&self) -> impl Iterator<Item = (&[usize], Relation)> {
        self.affine
            .iter()
            .flat_map(|affine| affine.relations().map(|relation| (&affine.members[..], relation)))
    }

    fn joint_holds(&self, joint: &Joint, state: &Observation) -> bool {
        match (&joint.rows, self.row(&joint.members, state)) {
            (Some(rows), Some(row)) => rows.contains(&row),
            _ => true,
        }
    }

    fn row(&self, members: &[usize], state: &Observation) -> Option<Row> {
        members.iter().map(|&m| Some(self.values[m].class(state[m]?, &self.watched[m]))).collect()
    }

    /// Finds observables whose values in a covered state have never been seen together, and tells
    /// their joint values apart from now on. Returns whether there are any; then all facts are to
    /// [start anew](Self::restart).
    pub fn refine(&mut self, unwanted: &Observation) -> bool {
        let unwanted = &self.masked(unwanted)[..];
        let usable: Vec<usize> = (0..self.watched.len())
            .filter(|&index| unwanted[index].is_some() && self.values[index].classes.len() > 1)
            .collect();
        let mut found: FxHashSet<Vec<usize>> = FxHashSet::default();
        for start in 0..usable.len() {
            let mut members = usable.clone();
            members.rotate_left(start);
            if let Some(mut members) = self.distinguishing(members, unwanted) {
                members.sort_unstable();
                found.insert(members);
            }
        }
        let mut found: Vec<Vec<usize>> = found.into_iter().collect();
        found.sort();
        found.into_iter().fold(false, |any, members| self.add_joint(members) | any)
    }

    /// A smallest part of the observables that tells a state from all that were seen.
    fn distinguishing(&self, mut members: Vec<usize>, unwanted: &Observation) -> Option<Vec<usize>> {
        let is_seen = |members: &[usize]| {
            let wanted = self.row(members, unwanted);
            self.states.iter().any(|state| self.row(members, state) == wanted)
        };
        if is_seen(&members) {
            return None;
        }
        let mut position = 0;
        while position < members.len() {
            let member = members.remove(position);
            if is_seen(&members) {
                members.insert(position, member);
                position += 1;
            }
        }
        (members.len() <= MOST_TOGETHER).then_some(members)
    }

    /// Forgets all states; what is looked at stays.
    pub fn restart(&mut self) {
        self.values = vec![Values::NONE; self.watched.len()];
        for joint in &mut self.joints {
            joint.rows = Some(BTreeSet::new());
        }
        self.affine.iter_mut().for_each(Affine::restart);
        self.revisions = vec![0; self.affine_fact(self.affine.len())];
        self.states.clear();
    }
}

/// Rows with the values that are not told apart any more as one class.
fn coarsened(
    rows: &BTreeSet<Row>,
    members: &[usize],
    values: &[Values],
    watched: &[Watched],
) -> BTreeSet<Row> {
    let class = |(&member, &class): (&usize, &Class)| values[member].class(class?, &watched[member]);
    rows.iter().map(|row| members.iter().zip(row).map(class).collect()).collect()
}

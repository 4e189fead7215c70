//! Facts as C expressions.

use crate::affine::Relation;
use crate::facts::LoopFacts;
use crate::observable::{Observable, Source, Watched};
use crate::values::{Class, Values, mask, value};
use cfa::Program;
use sema::types::IntShape;
use std::collections::BTreeSet;

impl LoopFacts {
    /// Every fact that says something, as a C expression.
    pub fn expressions(&self, program: &Program) -> Vec<String> {
        let mut result = Vec::new();
        if !self.is_reached() {
            return vec!["0".into()];
        }
        for (index, watched) in self.watched.iter().enumerate() {
            let name = observable(program, watched.observable);
            result.extend(values(&name, self.values(index), watched));
        }
        for (members, first, last) in self.correlations() {
            let mut cases: Vec<String> = Vec::new();
            for (&member, &class) in members.iter().zip(&first) {
                let name = observable(program, self.watched[member].observable);
                cases.push(match class {
                    Some(bits) => format!("{name} != {}", value(bits, self.watched[member].shape)),
                    None => {
                        format!("({})", one_of(&name, &self.watched[member].named, &self.watched[member]))
                    }
                });
            }
            let member = members[first.len()];
            let name = observable(program, self.watched[member].observable);
            cases.push(classes(&name, &last, &self.watched[member]));
            result.push(cases.join(" || "));
        }
        for (members, relation) in self.relations() {
            let name = |&member: &usize| observable(program, self.watched[member].observable);
            result.push(affine(&relation, &members.iter().map(name).collect::<Vec<_>>()));
        }
        result
    }
}

/// A relation, with what does not depend on anything on its right side.
fn affine(relation: &Relation, names: &[String]) -> String {
    let shape = IntShape { width: relation.width, signed: true };
    let mut sum = String::new();
    for (&factor, name) in relation.factors.iter().zip(names).filter(|(factor, _)| **factor != 0) {
        let factor = value(factor, shape);
        let sign = match (sum.is_empty(), factor < 0) {
            (true, false) => "",
            (true, true) => "-",
            (false, false) => " + ",
            (false, true) => " - ",
        };
        let times = if factor.abs() == 1 { String::new() } else { format!("{} * ", factor.abs()) };
        sum += &format!("{sign}{times}{name}");
    }
    let low = mask(relation.width);
    let right = relation.constant.wrapping_neg() & low;
    match relation.width == relation.whole {
        true => format!("{sum} == {}", value(right, shape)),
        false => format!("(({sum}) & {low}) == {right}"),
    }
}

/// The observable is in one of the classes.
fn classes(name: &str, classes: &BTreeSet<Class>, watched: &Watched) -> String {
    let known: BTreeSet<u64> = classes.iter().copied().flatten().collect();
    if !classes.contains(&None) {
        return one_of(name, &known, watched);
    }
    let missing: BTreeSet<u64> = watched.named.difference(&known).copied().collect();
    if missing.is_empty() { "1".into() } else { format!("!({})", one_of(name, &missing, watched)) }
}

fn one_of(name: &str, values: &BTreeSet<u64>, watched: &Watched) -> String {
    let cases: Vec<String> =
        values.iter().map(|&bits| format!("{name} == {}", value(bits, watched.shape))).collect();
    cases.join(" || ")
}

fn values(name: &str, values: &Values, watched: &Watched) -> Vec<String> {
    let mut result = vec![classes(name, &values.classes, watched)];
    result.retain(|text| text != "1");
    if let Some((low, high)) = values.range {
        result.push(format!("{low} <= {name} && {name} <= {high}"));
    }
    result
}

/// What is observed, as a C expression.
pub fn observable(program: &Program, observable: Observable) -> String {
    match observable {
        Observable::Value(at) => source(program, at),
        Observable::Difference(left, right) => {
            format!("({} - {})", source(program, left), source(program, right))
        }
        Observable::Less(left, right) => format!("({} < {})", source(program, left), source(program, right)),
    }
}

fn source(program: &Program, source: Source) -> String {
    match source {
        Source::Variable(variable) => program.name(program.variables[variable].name).to_string(),
        Source::Place(place) => cfa::expression::place(program, place),
    }
}

//! Facts against runs: whenever a run of a random program is back at a loop head, all facts hold.
//!
//! The variables' values come from what the interpreter tells of each step. Places behind pointers
//! are not followed: facts about those are tested by the verdicts only.

mod generator;
mod support;

use base::Budget;
use cfa::loops::{LoopId, Loops};
use cfa::{EdgeKind, LocationId, Program, VariableId};
use engines::{Analyses, Options, Task};
use generator::{Generator, INPUTS, VALUES};
use invariants::{LoopFacts, Observable, Source, Watched};
use replay::{Event, Happening, Interest, List, Observer};
use rustc_hash::FxHashMap;
use std::time::Duration;
use support::{load, unreachable};

/// Follows the variables of a run, and looks at the facts at loop heads.
struct Checker<'a> {
    loops: &'a Loops,
    facts: &'a [LoopFacts],
    values: FxHashMap<VariableId, u64>,
    visits: u32,
    wrong: Vec<String>,
}

impl Observer for Checker<'_> {
    fn interest(&self) -> Interest {
        Interest::Everything
    }

    fn event(&mut self, program: &Program, event: &Event<'_>) {
        let edge = program.edges[event.edge];
        match &event.happening {
            Happening::Called { function, arguments } => {
                let parameters = program.functions[*function].body.iter().flat_map(|body| &body.parameters);
                for (&parameter, argument) in parameters.zip(arguments) {
                    self.set(program, parameter, argument);
                }
                return;
            }
            Happening::Assigned { value, .. } | Happening::Input { value, .. } => {
                if let Some(variable) =
                    cfa::usage::written(program, &edge.kind).and_then(|p| program.as_variable(p))
                {
                    self.set(program, variable, value);
                }
            }
            Happening::Returned { .. } => return,
            Happening::Passed | Happening::Branched { .. } => {}
        }
        let is_call = matches!(edge.kind, EdgeKind::Call(_));
        if !is_call || matches!(event.happening, Happening::Assigned { .. }) {
            self.arrive(program, edge.from, edge.to);
        }
    }
}

impl Checker<'_> {
    fn set(&mut self, program: &Program, variable: VariableId, value: &replay::Value) {
        let shape = program.types.int_shape(program.variables[variable].ty);
        match (shape, value.bits) {
            (Some(shape), Some(bits)) if shape.width <= 64 => {
                self.values.insert(variable, bits as u64 & (u64::MAX >> (64 - shape.width)));
            }
            _ => {
                self.values.remove(&variable);
            }
        }
    }

    fn arrive(&mut self, program: &Program, from: LocationId, to: LocationId) {
        let Some(id) = self.loops.headed_by(to).filter(|&id| self.loops.contains(id, from)) else { return };
        self.visits += 1;
        let LoopId(number) = id;
        let facts = &self.facts[number as usize];
        let state: Vec<Option<u64>> = facts.watched.iter().map(|watched| self.observe(watched)).collect();
        if !facts.holds(&state) {
            let expressions = facts.expressions(program);
            self.wrong.push(format!("{}: {state:?} is none of {expressions:#?}", self.loops.loops[id].name));
        }
    }

    fn observe(&self, watched: &Watched) -> Option<u64> {
        let value = |source| match source {
            Source::Variable(variable) => self.values.get(&variable).copied(),
            Source::Place(_) => None,
        };
        let mask = u64::MAX >> (64 - watched.shape.width);
        match watched.observable {
            Observable::Value(source) => value(source),
            Observable::Difference(left, right) => Some(value(left)?.wrapping_sub(value(right)?) & mask),
            Observable::Less(..) => None,
        }
    }
}

#[test]
fn facts_hold_in_all_runs() {
    let goals = unreachable();
    let options = Options { free: 0, ..Options::default() };
    let (mut visits, mut found) = (0, 0);
    for seed in 1000..1200 {
        let source = Generator::program(seed);
        let program = load(&source);
        let analyses = Analyses::new(&program);
        let budget = Budget::unlimited().with_time(Duration::from_secs(5));
        let task =
            Task { program: &program, analyses: &analyses, goals: &goals, condition: None, budget: &budget };
        let Ok(facts) = engines::kinduction::invariants(task, &options) else { continue };
        if facts.is_empty() {
            continue;
        }
        found += 1;
        for number in 0..VALUES.pow(INPUTS) {
            let (values, wrong) = (FxHashMap::default(), Vec::new());
            let mut checker = Checker { loops: &analyses.loops, facts: &facts, values, visits: 0, wrong };
            let limits = replay::Options { step_limit: 100_000, ..replay::Options::default() };
            let inputs = (0..INPUTS).map(|input| u128::from(number / VALUES.pow(input) % VALUES));
            replay::run(&program, &mut List::of_bits(inputs), &limits, &mut checker);
            assert!(checker.wrong.is_empty(), "{}\n{source}", checker.wrong.join("\n"));
            visits += checker.visits;
        }
    }
    assert!(found > 50 && visits > 1000, "{found} programs with facts, {visits} visits");
}

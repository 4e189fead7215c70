//! What a program really does, explicit values must allow: the interpreter runs the corpus, and its decisions
//! are followed abstractly, with and without symbols and bounds.

use crate::outcome::Analyses;
use cfa::{Callee, EdgeId, EdgeKind, FunctionId, LocationId, Program};
use domains::value::{Code, Effect, Machine};
use replay::{Ending, Event, Happening, Interest, Observer, Options, Zeros};
use sema::types::DataModel;
use std::collections::VecDeque;
use std::path::{Path, PathBuf};

/// What a run decides, in order.
#[derive(Default)]
struct Decisions {
    branches: VecDeque<EdgeId>,
    callees: VecDeque<FunctionId>,
}

fn is_indirect(program: &Program, edge: EdgeId) -> bool {
    let EdgeKind::Call(call) = program.edges[edge].kind else { return false };
    matches!(program.calls[call].callee, Callee::Indirect(_))
}

impl Observer for Decisions {
    fn interest(&self) -> Interest {
        Interest::Everything
    }

    fn event(&mut self, program: &Program, event: &Event<'_>) {
        match event.happening {
            Happening::Branched { .. } if program.leaving(program.edges[event.edge].from).len() == 2 => {
                self.branches.push_back(event.edge);
            }
            Happening::Called { function, .. } if is_indirect(program, event.edge) => {
                self.callees.push_back(function);
            }
            _ => {}
        }
    }
}

/// Follows a run's decisions; where the values do not allow them.
fn follow(
    program: &Program,
    machine: &mut Machine<'_>,
    mut decisions: Decisions,
) -> Result<usize, LocationId> {
    machine.reset();
    let Some(body) = &program.functions[program.entry].body else { return Ok(0) };
    let (mut location, mut steps) = (body.entry, 0);
    loop {
        let info = program.locations[location];
        let function = program.functions[info.function].body.as_ref();
        let effect = match info.edge_count {
            0 if function.is_some_and(|body| body.exit == location) => machine.leave(),
            0 => Effect::Nothing,
            1 => single(program, machine, info.first_edge, &mut decisions),
            2 => match decisions.branches.pop_front() {
                Some(edge) if program.edges[edge].from == location => machine.step(edge),
                // The run ended here.
                _ => return Ok(steps),
            },
            _ => return Ok(steps),
        };
        steps += 1;
        location = match effect {
            Effect::At(location) => location,
            Effect::Nothing if decisions.branches.is_empty() => return Ok(steps),
            Effect::Nothing => return Err(location),
            Effect::Unsupported(_) => return Ok(steps),
        };
        if steps > 300_000 {
            return Ok(steps);
        }
    }
}

fn single(program: &Program, machine: &mut Machine<'_>, edge: EdgeId, decisions: &mut Decisions) -> Effect {
    let EdgeKind::Call(call) = program.edges[edge].kind else { return machine.step(edge) };
    match program.calls[call].callee {
        Callee::Direct(function) => machine.call(edge, function),
        Callee::Indirect(_) => match decisions.callees.pop_front() {
            Some(function) if machine.callees(edge).contains(&function) => machine.call(edge, function),
            Some(_) => Effect::Nothing,
            None => Effect::Unsupported("the end of the run"),
        },
    }
}

fn corpus() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpus");
    let entries = std::fs::read_dir(folder).expect("the corpus is part of the project");
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "c"));
    files.sort();
    files
}

#[test]
fn what_the_corpus_does_is_allowed() {
    let (mut compared, mut steps) = (0, 0);
    for path in corpus() {
        for data_model in [DataModel::Ilp32, DataModel::Lp64] {
            let options = frontend::Options::new(vec![path.clone()], data_model);
            let Ok(loaded) = frontend::load(&options) else { continue };
            let program = &loaded.program;
            let analyses = Analyses::new(program);
            let code = Code::new(program, &analyses.points_to);
            for (symbolic, bounded) in [(false, false), (true, false), (true, true), (false, true)] {
                let mut decisions = Decisions::default();
                let limits = Options { step_limit: 100_000, ..Options::default() };
                let run = replay::run(program, &mut Zeros, &limits, &mut decisions);
                if !matches!(run.ending, Ending::Exit(_)) {
                    continue;
                }
                let mut machine = Machine::new(&code);
                (machine.symbolic, machine.bounded) = (symbolic, bounded);
                match follow(program, &mut machine, decisions) {
                    Ok(count) => steps += count,
                    Err(location) => {
                        let edge = program.leaving(location).first().copied();
                        let text = edge.map(|edge| cfa::text::edge_text(program, edge));
                        let place = edge.and_then(|edge| program.sources.position(edge.span));
                        panic!(
                            "{place:?} ({data_model:?}, symbols: {symbolic}, bounds: {bounded}): {text:?} is not allowed"
                        )
                    }
                }
                compared += 1;
            }
        }
    }
    assert!(compared > 800 && steps > 100_000, "{compared} runs, {steps} steps");
}

//! The encoder against the interpreter, on the corpus of C programs.
//!
//! A program without inputs has one run, so the encoder computes it by folding constants alone: the
//! exit status that it comes to must be the one that the interpreter reports.

mod observer;

use base::Budget;
use cfa::{Callee, EdgeId, EdgeKind, PlaceId, Program};
use encode::{Encoder, Frame};
use engines::Analyses;
use engines::unwind::{Bounds, Unwinder};
use sema::types::DataModel;
use std::path::Path;
use std::time::Duration;

/// What came of a program.
enum Compared {
    Equal,
    /// One of the two has no result to compare.
    Skipped,
    Different(String),
}

/// Where the entry function puts the result of `main`.
fn status_place(program: &Program) -> Option<PlaceId> {
    let body = program.functions[program.entry].body.as_ref()?;
    body.edges.clone().find_map(|edge| match program.edges[EdgeId(edge)].kind {
        EdgeKind::Call(call) => {
            let call = program.calls[call];
            if call.callee == Callee::Direct(program.main?) { call.result } else { None }
        }
        _ => None,
    })
}

fn compare(path: &Path, data_model: DataModel) -> Compared {
    let Some((mut program, expected)) = observer::load(path, data_model) else { return Compared::Skipped };
    observer::without_input(&mut program);
    let Some(place) = status_place(&program) else { return Compared::Skipped };
    let analyses = Analyses::new(&program);
    let encoder = Encoder::new(&program, &analyses.points_to, []);
    let bounds = Bounds {
        all: 10_000,
        recursion: 10_000,
        loops: Default::default(),
        searches: Default::default(),
        free: 0,
        free_steps: 0,
    };
    let mut unwinder = Unwinder::new(encoder, &analyses.loops, &analyses.order, Default::default(), bounds);
    let budget = Budget::unlimited().with_time(Duration::from_secs(5));
    if unwinder.run(&budget).is_err() || !unwinder.obstacles.is_empty() || !unwinder.suspended.is_empty() {
        return Compared::Skipped;
    }
    let [state] = unwinder.finished.as_slice() else {
        return Compared::Different(format!("{} ends instead of one", unwinder.finished.len()));
    };
    let state = state.clone();
    let value = unwinder.encoder.value_of(&state, Frame::OUTERMOST, place);
    let value = value.map(|term| unwinder.encoder.pool.small_value(term));
    match value {
        Ok(Some(status)) if status as u32 as i32 == expected => Compared::Equal,
        // Some value of memory that was never written: not the encoder's to know.
        Ok(None) => Compared::Skipped,
        other => Compared::Different(format!("exit status {other:?}, the interpreter says {expected}")),
    }
}

#[test]
fn the_encoder_computes_what_the_interpreter_does() {
    let mut equal = 0;
    let mut different = Vec::new();
    for path in observer::programs() {
        for data_model in [DataModel::Ilp32, DataModel::Lp64] {
            match compare(&path, data_model) {
                Compared::Equal => equal += 1,
                Compared::Skipped => {}
                Compared::Different(how) => {
                    different.push(format!("{} {data_model:?}: {how}", path.display()))
                }
            }
        }
    }
    assert!(different.is_empty(), "{}", different.join("\n"));
    assert!(equal >= 400, "only {equal} programs were compared");
}

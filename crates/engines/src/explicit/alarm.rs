//! Is a path to an error feasible? Asked bit by bit: the path is encoded and given to the solver, and what
//! the solver finds is run by the interpreter.

use super::analysis::Choice;
use crate::counterexample::{Counterexample, read_model, spare_memory, violated};
use crate::outcome::Reason;
use base::Budget;
use cfa::pointsto::PointsTo;
use cfa::{EdgeId, FunctionId, Program};
use encode::{Encoder, Frame, State, Step};
use smt::{BitBlaster, Check};
use task::Goal;
use term::{TermId, TermPool};

/// What has become of an alarm.
pub enum Alarm {
    /// A run of the program violates the goal.
    Confirmed(Goal, Counterexample),
    /// No run follows the path.
    Infeasible,
    /// It could not be decided.
    Open(String),
}

/// A path that no run follows, as far as the encoder sees.
fn excluded(encoder: &Encoder<'_>) -> Alarm {
    let unseen = encoder.blind.iter().find(|(guard, _)| *guard != TermPool::FALSE);
    unseen.map_or(Alarm::Infeasible, |(_, what)| Alarm::Open(what.to_string()))
}

pub struct Checker<'p> {
    pub program: &'p Program,
    pub points_to: &'p PointsTo,
    pub goals: &'p [Goal],
    /// Formulas with more terms are not given to the solver.
    pub formula_size: Option<u64>,
}

/// The path so far.
struct Position {
    state: State,
    frames: Vec<(Frame, FunctionId, Option<EdgeId>)>,
}

impl Checker<'_> {
    /// Checks the path of these steps, the last of which calls a function that must not be called, or
    /// overflows.
    pub fn check(&self, path: &[Choice], budget: &Budget) -> Alarm {
        let mut encoder = Encoder::new(self.program, self.points_to, crate::bmc::faults(self.goals));
        let guard = match self.encode(&mut encoder, path, budget) {
            Ok(Some(guard)) => guard,
            Ok(None) => return excluded(&encoder),
            Err(what) => return Alarm::Open(what),
        };
        if self.formula_size.is_some_and(|limit| encoder.pool.len() as u64 > limit) {
            return Alarm::Open("the limit formula-size".into());
        }
        match self.solve(&mut encoder, guard, budget) {
            Ok(alarm) => alarm,
            Err(Reason::Stopped(reason)) => Alarm::Open(reason.to_string()),
            Err(_) => Alarm::Open("the solver has no answer".into()),
        }
    }

    fn solve(&self, encoder: &mut Encoder<'_>, guard: TermId, budget: &Budget) -> Result<Alarm, Reason> {
        let mut solver = BitBlaster::new();
        let answer = solver.check(&encoder.pool, &[guard], budget);
        if !crate::bmc::is_satisfiable(answer)? {
            return Ok(excluded(encoder));
        }
        spare_memory(encoder, &mut solver, guard, budget)?;
        let found = read_model(encoder, &mut solver)?;
        let ending = found.replay(self.program, self.goals, budget, &mut replay::Silent);
        Ok(match violated(self.goals, &ending) {
            Some(goal) => Alarm::Confirmed(goal, found),
            None => Alarm::Open(format!("a counterexample was not confirmed by running it ({ending})")),
        })
    }

    /// When the program follows the path; `None` if it never does.
    fn encode(
        &self,
        encoder: &mut Encoder<'_>,
        path: &[Choice],
        budget: &Budget,
    ) -> Result<Option<TermId>, String> {
        let entry = self.program.entry;
        let mut position = Position { state: State::new(), frames: vec![(Frame::OUTERMOST, entry, None)] };
        let Some((last, steps)) = path.split_last() else { return Ok(None) };
        for &choice in steps {
            budget.check_now().map_err(|reason| reason.to_string())?;
            self.step(encoder, &mut position, choice)?;
            if position.state.guard.is_false() {
                return Ok(None);
            }
        }
        match last.is_overflow() {
            true => self.overflow(encoder, position, last.edge),
            false => Ok(Some(position.state.guard.term())),
        }
    }

    /// When something that the edge computes overflows.
    fn overflow(
        &self,
        encoder: &mut Encoder<'_>,
        position: Position,
        edge: EdgeId,
    ) -> Result<Option<TermId>, String> {
        let frame = position.frames.last().map_or(Frame::OUTERMOST, |&(frame, ..)| frame);
        encoder.obligations.clear();
        let step = encoder.step(position.state, frame, edge).map_err(|what| what.0.to_string())?;
        if let Step::Call { state, callees } = step {
            for callee in callees {
                let depth = position.frames.iter().filter(|(_, f, _)| *f == callee.0).count() as u32;
                let entered = encoder.enter(state.clone(), frame, edge, callee, depth);
                entered.map_err(|what| what.0.to_string())?;
            }
        }
        let violated: Vec<TermId> = encoder.obligations.iter().map(|found| found.violated).collect();
        let any = encoder.pool.or_all(violated);
        Ok((any != term::TermPool::FALSE).then_some(any))
    }

    fn step(&self, encoder: &mut Encoder<'_>, position: &mut Position, choice: Choice) -> Result<(), String> {
        let edge = choice.edge;
        let frame = position.frames.last().map_or(Frame::OUTERMOST, |&(frame, ..)| frame);
        let state = std::mem::take(&mut position.state);
        match encoder.step(state, frame, edge).map_err(|what| what.0.to_string())? {
            Step::Next(state) => {
                position.state = state;
                self.leave_at_exit(encoder, position, edge)
            }
            Step::Call { state, callees } => {
                let function = choice.callee();
                let Some(&callee) = callees.iter().find(|(f, _)| Some(*f) == function) else {
                    position.state.guard = position.state.guard.and(&mut encoder.pool, term::TermPool::FALSE);
                    return Ok(());
                };
                let depth = position.frames.iter().filter(|(_, f, _)| *f == callee.0).count() as u32;
                let entered = encoder.enter(state, frame, edge, callee, depth);
                let (state, frame) = entered.map_err(|what| what.0.to_string())?;
                position.state = state;
                position.frames.push((frame, callee.0, Some(edge)));
                Ok(())
            }
        }
    }

    fn leave_at_exit(
        &self,
        encoder: &mut Encoder<'_>,
        position: &mut Position,
        edge: EdgeId,
    ) -> Result<(), String> {
        let mut location = self.program.edges[edge].to;
        while let Some(&(frame, function, Some(call))) = position.frames.last() {
            let body = self.program.functions[function].body.as_ref();
            if body.is_none_or(|body| body.exit != location) {
                break;
            }
            position.frames.pop();
            let caller = position.frames.last().map_or(Frame::OUTERMOST, |&(frame, ..)| frame);
            let state = std::mem::take(&mut position.state);
            let left = encoder.leave(state, caller, call, function, frame.depth);
            position.state = left.map_err(|what| what.0.to_string())?;
            location = self.program.edges[call].to;
        }
        Ok(())
    }
}

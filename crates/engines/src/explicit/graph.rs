//! The abstract reachability graph for people and programs.

use super::Engine;
use super::analysis::{Choice, State};
use domains::storage::{AssumptionId, Because};
use std::cell::RefCell;

/// How a graph is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// Graphviz text.
    Dot,
    Json,
}

impl Engine<'_> {
    pub(super) fn draw(&mut self, form: Form) -> String {
        let stage = std::mem::replace(&mut self.stage, super::Stage::new(self.options.order));
        let engine = RefCell::new(&mut *self);
        let state = |state: &State| engine.borrow_mut().state_text(state);
        let choice = |choice: Choice| engine.borrow().choice_text(choice);
        let end = |end: &AssumptionId| engine.borrow().end_text(end);
        match form {
            Form::Dot => cpa::dot(&stage.reached, state, choice, end),
            Form::Json => cpa::json(&stage.reached, state, choice, end),
        }
    }

    fn state_text(&mut self, state: &State) -> String {
        let program = self.analysis.program;
        let function = program.function_name(program.locations[state.location].function);
        let known = self.describe_state(state);
        format!("{function}:{} {known}", self.line_of(state.location))
    }

    fn choice_text(&self, choice: Choice) -> String {
        let program = self.analysis.program;
        match program.edges.as_slice().get(choice.edge.0 as usize) {
            Some(edge) if choice.is_overflow() => {
                format!("overflow in {}", cfa::expression::operation(program, edge.kind))
            }
            Some(edge) => cfa::expression::operation(program, edge.kind),
            None => "return".into(),
        }
    }

    fn end_text(&self, end: &AssumptionId) -> String {
        match self.analysis.storage.get(*end).because {
            Because::Error(edge) | Because::Overflow(edge) => {
                format!("error: {}", self.choice_text(Choice::at(edge)))
            }
            Because::Limit(limit) => format!("limit {}", self.options.limits.text(limit)),
            Because::Unsupported(what) => format!("not modelled: {what}"),
        }
    }
}

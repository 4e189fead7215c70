//! What a verification has found, for people and for programs.

use crate::Exit;
use crate::arguments::TraceDetail;
use base::Budget;
use cfa::Program;
use engines::counterexample::{self, Counterexample};
use engines::unwind::Violation;
use engines::{Findings, Outcome, PropertyVerdict, Reason, Status, Task};
use replay::{Ending, Trace};
use serde_json::{Value, json};
use std::time::Duration;
use task::Condition;

pub struct Report<'a> {
    pub task: Task<'a>,
    pub findings: &'a Findings,
    /// By this run, and before.
    pub verified: &'a Condition,
    pub detail: TraceDetail,
}

impl Report<'_> {
    pub fn exit(&self) -> Exit {
        match self.findings.outcome {
            Outcome::True => Exit::Success,
            Outcome::False { .. } => Exit::Violated,
            Outcome::Unknown { .. } => Exit::Inconclusive,
        }
    }

    /// What was found, and as the last line the verdict.
    pub fn text(&self) -> String {
        let mut text = self.properties_text();
        match &self.findings.outcome {
            Outcome::True => {
                let assuming = |assumption| format!("assuming: {assumption}\n");
                text.extend(self.findings.assumptions.iter().map(assuming));
            }
            Outcome::False { counterexample, .. } if self.findings.properties.is_empty() => {
                text.extend(self.trace(counterexample).iter().map(|line| format!("{line}\n")));
            }
            Outcome::False { .. } => {}
            Outcome::Unknown { reason } => {
                text += &format!("stopped: {}\n", describe(self.task.program, reason));
                text += &task::condition::text::summary(self.verified);
            }
        }
        text + &self.verdict() + "\n"
    }

    /// The same as data.
    pub fn json(&self) -> String {
        let mut object = json!({
            "verdict": self.verdict(),
            "assumptions": self.findings.assumptions,
            "seconds": self.task.budget.elapsed().as_secs_f64(),
        });
        if !self.findings.properties.is_empty() {
            object["properties"] = self.findings.properties.iter().map(|p| self.property_json(p)).collect();
        }
        match &self.findings.outcome {
            Outcome::True => {}
            Outcome::False { counterexample, .. } => object["trace"] = json!(self.trace(counterexample)),
            Outcome::Unknown { reason } => {
                object["stopped"] = json!(describe(self.task.program, reason));
                object["condition"] = json!(self.verified);
            }
        }
        format!("{object:#}\n")
    }

    fn verdict(&self) -> String {
        match &self.findings.outcome {
            Outcome::True => "TRUE".into(),
            Outcome::False { goal, .. } => format!("FALSE({goal})"),
            Outcome::Unknown { .. } => "UNKNOWN".into(),
        }
    }

    /// A line, and a trace if it is violated, for each place where the property can be violated.
    fn properties_text(&self) -> String {
        let mut text = String::new();
        for property in &self.findings.properties {
            if let Status::Violated(run) = &property.status {
                text.extend(self.trace(run).iter().map(|line| format!("{line}\n")));
            }
            let place = self.place(property).map_or(String::new(), |place| format!("{place}: "));
            let what = describe_violation(self.task.program, property.violation);
            text += &format!("{place}{what}: {}\n", status(property));
        }
        text
    }

    fn property_json(&self, property: &PropertyVerdict) -> Value {
        let mut object = json!({
            "place": self.place(property),
            "what": describe_violation(self.task.program, property.violation),
            "verdict": status(property),
        });
        if let Status::Violated(run) = &property.status {
            object["trace"] = json!(self.trace(run));
        }
        object
    }

    fn place(&self, property: &PropertyVerdict) -> Option<String> {
        let program = self.task.program;
        program.sources.position(program.edges[property.edge].span).map(|place| place.to_string())
    }

    /// What happened in a run. Unless all is asked for, the middle of a long one is left out.
    fn trace(&self, found: &Counterexample) -> Vec<String> {
        let mut options = counterexample::options(self.task.goals, &Budget::unlimited());
        if self.detail == TraceDetail::Short {
            self.shorten(found, &mut options);
        }
        let mut trace = Trace::new(self.detail.into());
        found.run(self.task.program, &options, &mut trace);
        trace.lines().to_vec()
    }

    /// Runs the program once to see how long that takes: there must be time for a second one that is told.
    fn shorten(&self, found: &Counterexample, options: &mut replay::Options) {
        let mut silent = options.clone();
        if let Some(remaining) = self.task.budget.remaining() {
            silent.budget = Budget::unlimited().with_time((remaining + TELLING) / 2);
        }
        let run = found.run(self.task.program, &silent, &mut replay::Silent);
        if matches!(run.ending, Ending::Stopped(_)) {
            options.step_limit = SHOWN;
        }
        options.unobserved = SHOWN..run.steps.edges.saturating_sub(SHOWN).max(SHOWN);
    }
}

/// So many steps are shown at the start and at the end of a long run.
const SHOWN: u64 = 5_000;

/// What telling may take when the time limit has come.
const TELLING: Duration = Duration::from_millis(600);

fn status(property: &PropertyVerdict) -> &'static str {
    match property.status {
        Status::Holds => "TRUE",
        Status::Violated(_) => "FALSE",
        Status::Open => "UNKNOWN",
    }
}

fn describe_violation(program: &Program, violation: Violation) -> String {
    match violation {
        Violation::Call(function) => format!("call of {}()", program.function_name(function)),
        Violation::Check(check) => check.to_string(),
    }
}

/// Why there is no verdict.
pub fn describe(program: &Program, reason: &Reason) -> String {
    match reason {
        Reason::Stopped(reason) => reason.to_string(),
        Reason::BoundReached => "the unwinding limit".into(),
        Reason::Obstacle { what, edge } => match program.sources.position(program.edges[*edge].span) {
            Some(position) => format!("not modelled: {what} at {position}"),
            None => format!("not modelled: {what}"),
        },
        Reason::NotConfirmed(ending) => {
            format!("a counterexample was not confirmed by running it ({ending})")
        }
        Reason::Open(why) => why.clone(),
        Reason::NoProof(why) => (*why).into(),
        Reason::Solver(error) => error.to_string(),
    }
}

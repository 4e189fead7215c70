//! More precision, or less of it, after alarms that are not real and in endless state spaces.
//!
//! At first all variables are tracked. An alarm that is not real makes inputs into symbols, so that copies
//! of them are known to be equal, and the next one has bounds kept of what is not known. If there are too many
//! states, both are tried at once, and then another exploration with as few variables as the alarms on the way
//! ask for (value analysis with counterexample-guided refinement: Beyer and Löwe, FASE 2013): a path that is not feasible is followed with fewer and fewer variables for as long as
//! their values still exclude it, and those that are left are tracked from then on. If that does not come to
//! an end either, of variables that only count just the differences are kept; and if not even that, the
//! first exploration goes on where it was.

use super::analysis::Choice;
use super::{Engine, Merge, Options, Stage};
use base::StopReason;
use cfa::{BinaryOp, EdgeKind, ExprKind, Program, VariableId};
use domains::monitors::Limit;
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;
use task::Goal;

/// So many states are looked at before another mode is tried.
const PATIENCE: usize = 400_000;
const LATER_PATIENCE: usize = 1_000_000;

/// How the exploration goes about its precision.
pub struct Mode {
    phase: Phase,
    /// The phases may change.
    may_change: bool,
    /// Whether inputs were symbols, and bounds kept, when the first phase was left.
    before: (bool, bool),
    /// The exploration has begun anew since this was last looked at.
    pub restarted: bool,
}

/// In the order in which they are tried.
enum Phase {
    /// All values.
    All,
    /// All, and what is not known has bounds, and is the same where it is copied.
    Bounds,
    /// Those of the variables that alarms have asked for.
    Lazy(BTreeSet<VariableId>),
    /// All, but of counters only how far they are apart.
    Differences,
}

impl Mode {
    /// Limits on paths and states are about one exploration, with all that can be known; so is merging.
    pub fn new(options: &Options) -> Self {
        let limits = &options.limits;
        let others = Limit::ALL.iter().filter(|limit| !matches!(limit, Limit::Time | Limit::Memory));
        let limited = others.into_iter().any(|&limit| limits.get(limit).is_some());
        let may_change = !limited && options.merge == Merge::Separate;
        Self { phase: Phase::All, may_change, before: (false, false), restarted: false }
    }

    /// An exploration that is not the one to come back to.
    pub fn is_attempt(&self) -> bool {
        !matches!(self.phase, Phase::All)
    }

    /// An alarm that is not real ends the attempt: nothing more can be known there.
    pub fn gives_up(&self) -> bool {
        matches!(self.phase, Phase::Differences)
    }

    /// How many states there may be before the mode changes.
    pub fn patience(&self) -> Option<usize> {
        match (&self.phase, self.may_change) {
            (_, false) => None,
            (Phase::All | Phase::Bounds, true) => Some(PATIENCE),
            (_, true) => Some(LATER_PATIENCE),
        }
    }

    pub fn is_change(&self, reason: &StopReason) -> bool {
        matches!(reason, StopReason::Limit(text) if text == CHANGE)
    }
}

/// What the analysis stops with when it has run out of patience.
pub const CHANGE: &str = "patience";

impl Engine<'_> {
    /// To the next phase, or back to where all variables were tracked.
    pub(super) fn change_mode(&mut self) {
        let machine = &mut self.analysis.machine;
        let counters = counters(self.analysis.program);
        if matches!(self.mode.phase, Phase::All) {
            self.mode.before = (machine.symbolic, machine.bounded);
        }
        self.mode.phase = match self.mode.phase {
            Phase::All if !(machine.symbolic && machine.bounded) => {
                (machine.symbolic, machine.bounded) = (true, true);
                Phase::Bounds
            }
            Phase::All | Phase::Bounds => {
                (machine.symbolic, machine.bounded) = self.mode.before;
                machine.track_only(&[]);
                Phase::Lazy(BTreeSet::new())
            }
            Phase::Lazy(_) if !counters.is_empty() => {
                machine.track_all();
                machine.symbolic = true;
                machine.keep_differences(&counters);
                Phase::Differences
            }
            Phase::Lazy(_) | Phase::Differences => {
                machine.track_all();
                (machine.symbolic, machine.bounded) = self.mode.before;
                machine.keep_differences(&FxHashSet::default());
                self.mode.may_change = false;
                Phase::All
            }
        };
        self.analysis.patience = self.mode.patience();
        match &self.mode.phase {
            Phase::All => self.stage = self.parked.take().unwrap_or_else(|| Stage::new(self.options.order)),
            _ => {
                let old = std::mem::replace(&mut self.stage, Stage::new(self.options.order));
                if self.parked.is_none() {
                    self.parked = Some(old);
                }
                self.restart();
            }
        }
        self.mode.restarted = true;
    }

    /// Tracks variables whose values exclude an alarm; whether there are any.
    pub(super) fn refine_tracking(&mut self, path: &[Choice]) -> bool {
        let Phase::Lazy(tracked) = &self.mode.phase else { return false };
        let tracked = tracked.clone();
        self.analysis.machine.track_all();
        let refuted = !self.analysis.is_feasible(path, &self.alarm_budget());
        if !refuted {
            self.track(&tracked);
            return false;
        }
        let needed = self.needed_variables(path, &tracked);
        self.track(&needed);
        if needed == tracked {
            // What excludes the path gets lost where states are kept: more variables do not help.
            return false;
        }
        self.mode.phase = Phase::Lazy(needed);
        self.restart();
        true
    }

    fn track(&mut self, variables: &BTreeSet<VariableId>) {
        let list: Vec<VariableId> = variables.iter().copied().collect();
        self.analysis.machine.track_only(&list);
    }

    /// After an alarm that numbers cannot exclude: copies of inputs are the same from now on, or what is not
    /// known has bounds. Overflows depend on bounds above all.
    pub(super) fn refine_values(&mut self) -> bool {
        let bounds_first = self.task.goals.contains(&Goal::NoOverflow);
        let machine = &mut self.analysis.machine;
        match (machine.symbolic, machine.bounded) {
            (true, true) => return false,
            (false, false) if bounds_first => machine.bounded = true,
            (true, false) => machine.bounded = true,
            (false, _) => machine.symbolic = true,
        }
        self.restart();
        true
    }

    /// As few variables as possible, beside those tracked already, that exclude the path.
    fn needed_variables(&mut self, path: &[Choice], tracked: &BTreeSet<VariableId>) -> BTreeSet<VariableId> {
        let program = self.analysis.program;
        let mut candidates = mentioned(program, path);
        candidates.retain(|variable| !tracked.contains(variable));
        // Those that count without end are given up first.
        let counters = counters(program);
        candidates.sort_by_key(|variable| (!counters.contains(variable), *variable));
        let mut size = candidates.len().div_ceil(2);
        while size > 0 {
            let mut start = 0;
            while start < candidates.len() {
                let budget = self.alarm_budget();
                if budget.check_now().is_err() {
                    // No time left to ask for less.
                    break;
                }
                let end = (start + size).min(candidates.len());
                let rest: Vec<VariableId> = [&candidates[..start], &candidates[end..]].concat();
                let mut all: BTreeSet<VariableId> = tracked.clone();
                all.extend(&rest);
                self.track(&all);
                if self.analysis.is_feasible(path, &budget) {
                    start = end;
                } else {
                    candidates = rest;
                }
            }
            size = if size == 1 { 0 } else { size.div_ceil(2) };
        }
        tracked.iter().copied().chain(candidates).collect()
    }
}

/// The variables that the steps of a path, or the calls on it, mention.
fn mentioned(program: &Program, path: &[Choice]) -> Vec<VariableId> {
    let mut found = BTreeSet::new();
    let mut seen = FxHashSet::default();
    for choice in path {
        if !seen.insert(choice.edge) {
            continue;
        }
        let kind = program.edges[choice.edge].kind;
        cfa::usage::variables_read(program, &kind, &mut |variable| {
            found.insert(variable);
        });
        cfa::usage::accesses(program, &kind, &mut |access| {
            let place = match access {
                cfa::usage::Access::Read(place)
                | cfa::usage::Access::Write(place)
                | cfa::usage::Access::Address(place) => place,
                cfa::usage::Access::Birth(_) => return,
            };
            if let cfa::PlaceBase::Variable(variable) = program.places[place].base {
                found.insert(variable);
            }
        });
        let body = choice.callee().and_then(|function| program.functions[function].body.as_ref());
        found.extend(body.into_iter().flat_map(|body| &body.parameters));
    }
    found.into_iter().collect()
}

/// Variables that are assigned a sum of themselves somewhere.
fn counters(program: &Program) -> FxHashSet<VariableId> {
    let mut found = FxHashSet::default();
    for edge in program.edges.iter() {
        let EdgeKind::Assign { target, value } = edge.kind else { continue };
        let Some(variable) = program.as_variable(target) else { continue };
        let ExprKind::Binary { op: BinaryOp::Add | BinaryOp::Subtract, left, .. } = program.exprs[value].kind
        else {
            continue;
        };
        if let ExprKind::Load(place) = program.exprs[left].kind
            && program.as_variable(place) == Some(variable)
        {
            found.insert(variable);
        }
    }
    found
}

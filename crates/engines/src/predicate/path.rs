//! Is an abstract path real?
//!
//! The program is executed from its start, exactly, along the loops that the path comes back to:
//! everything else stays suspended. That is more than the one path of blocks, and all of it is real: a
//! violation found on the way counts, whether the path meant it or not; if there is none, the path
//! does not exist. Refinement makes paths longer, so the next path often begins with the last one: then the
//! execution goes on from there.

use super::blocks::Shape;
use crate::bmc::{is_satisfiable, unwinder};
use crate::counterexample::{read_model, spare_memory, violated};
use crate::options::Options;
use crate::outcome::{Outcome, Reason, Task};
use crate::solver::Solver;
use crate::unwind::{Bounded, Bounds, Suspended, Unwinder};
use cfa::loops::LoopId;
use domains::automaton::Automata;
use smt::Check;
use term::{TermId, TermPool};

/// An execution along loops, and what is known of it.
pub struct Follower<'p> {
    task: Task<'p>,
    options: &'p Options,
    pub bounds: Bounds,
    shape: Shape,
    /// The last path.
    last: Option<Followed<'p>>,
}

struct Followed<'p> {
    unwinder: Unwinder<'p>,
    solver: Solver,
    loops: Vec<LoopId>,
    /// So many violations are known not to happen.
    refuted: usize,
}

impl<'p> Follower<'p> {
    pub fn new(task: Task<'p>, options: &'p Options, bounds: Bounds, shape: Shape) -> Self {
        Self { task, options, bounds, shape, last: None }
    }

    /// Follows the loops in the order in which a path comes back to them. `None` if the path is not real;
    /// an error if it goes deeper into a recursion than the bound allows.
    pub fn follow(&mut self, loops: &[LoopId]) -> Result<Option<Outcome>, Reason> {
        let mut followed = match self.last.take() {
            Some(last) if loops.starts_with(&last.loops) => last,
            _ => self.start()?,
        };
        for &id in &loops[followed.loops.len()..] {
            followed.come_back(id, self.task)?;
        }
        let outcome = followed.decide(self.task)?;
        self.last = Some(followed);
        Ok(outcome)
    }

    fn start(&self) -> Result<Followed<'p>, Reason> {
        let mut unwinder = unwinder(&self.task, self.options);
        unwinder.bounds = self.bounds.clone();
        self.shape.set_up(&mut unwinder.encoder);
        if self.task.condition.is_some() {
            unwinder.leave_out(Automata::new(self.task.program, self.task.condition));
        }
        unwinder.run(self.task.budget).map_err(Reason::Stopped)?;
        let solver = Solver::start(self.options)?;
        Ok(Followed { unwinder, solver, loops: Vec::new(), refuted: 0 })
    }
}

impl Followed<'_> {
    /// Goes on where a loop has come back.
    fn come_back(&mut self, id: LoopId, task: Task<'_>) -> Result<(), Reason> {
        let suspended = std::mem::take(&mut self.unwinder.suspended);
        let (next, rest): (Vec<Suspended>, Vec<Suspended>) =
            suspended.into_iter().partition(|path| path.by == Bounded::Loop(id));
        self.unwinder.suspended = rest;
        self.unwinder.resume(next);
        self.loops.push(id);
        self.unwinder.run(task.budget).map_err(Reason::Stopped)
    }

    fn decide(&mut self, task: Task<'_>) -> Result<Option<Outcome>, Reason> {
        let new = &self.unwinder.targets[self.refuted..];
        let any: Vec<TermId> = new.iter().map(|target| target.guard).collect();
        let any = self.unwinder.encoder.pool.or_all(any);
        if self.is_possible(any, task)? {
            spare_memory(&mut self.unwinder.encoder, &mut self.solver, any, task.budget)?;
            return self.replay(task).map(Some);
        }
        self.refuted = self.unwinder.targets.len();
        for obstacle in std::mem::take(&mut self.unwinder.obstacles) {
            if self.is_possible(obstacle.guard, task)? {
                return Err(Reason::Obstacle { what: obstacle.what, edge: obstacle.edge });
            }
        }
        let suspended = self.unwinder.suspended.iter();
        let recursive = suspended.filter(|path| matches!(path.by, Bounded::Recursion(_)));
        let guards: Vec<TermId> = recursive.map(|path| path.guard()).collect();
        let any = self.unwinder.encoder.pool.or_all(guards);
        match self.is_possible(any, task)? {
            true => Err(Reason::BoundReached),
            false => Ok(None),
        }
    }

    fn is_possible(&mut self, condition: TermId, task: Task<'_>) -> Result<bool, Reason> {
        let pool = &self.unwinder.encoder.pool;
        match condition {
            TermPool::FALSE => Ok(false),
            condition => is_satisfiable(self.solver.check(pool, &[condition], task.budget)),
        }
    }

    fn replay(&mut self, task: Task<'_>) -> Result<Outcome, Reason> {
        let found = read_model(&mut self.unwinder.encoder, &mut self.solver)?;
        let ending = found.replay(task.program, task.goals, task.budget, &mut replay::Silent);
        match violated(task.goals, &ending) {
            Some(goal) => Ok(Outcome::False { goal, counterexample: found }),
            None => Err(Reason::NotConfirmed(ending.to_string())),
        }
    }
}

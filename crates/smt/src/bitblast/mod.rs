//! The default back end: terms to gates to clauses to a SAT solver.
//!
//! Everything is incremental: a term is translated once, when it is first asserted or assumed; a
//! gate gets clauses once, when something first depends on it; and the SAT solver keeps what it has
//! learnt. Assumptions are literals, so that a core comes with every `Unsat`.

pub mod aig;
mod arrays;
mod blast;
mod cnf;
mod float;
mod forms;
mod lazy;
mod range;
mod ranges;
mod word;

use crate::intervals::{self, Finding};
use crate::sat::{Cadical, Literal, SatSolver};
use crate::{Check, CheckResult, Model, SolverError, UnsatCore};
use aig::Bit;
use arrays::{ArrayModel, BitValues, Verdict};
use base::{Budget, StopReason};
use blast::Blaster;
use cnf::Encoder;
use lazy::Refinement;
pub use ranges::Ranges;
use rustc_hash::FxHashMap;
use term::{BitVec, FloatValue, Op, Sort, TermId, TermPool, Value};

/// Evaluations of terms that one look at floats by intervals may take: a fraction of a second.
const INTERVAL_WORK: u64 = 20_000_000;

/// The terms that are looked at for a comparison in a question; fewer while that finds nothing.
const QUESTION_FUEL: u32 = 2000;

/// Conflicts that looking for a simple model may take.
const SIMPLE_CONFLICTS: i32 = 1000;

/// A solver for Booleans, bit-vectors, arrays and floats.
pub struct BitBlaster<S = Cadical> {
    sat: S,
    blaster: Blaster,
    encoder: Encoder,
    core: Vec<TermId>,
    model: Option<ModelState>,
    /// What was asserted, unless something was added that is no term.
    asserted: Option<Vec<TermId>>,
    /// Work that may still be spent on looking at floats by intervals.
    interval_work: u64,
    question_fuel: u32,
    /// How many times an assignment was refuted by array lemmas.
    refinements: u64,
}

/// What is known about the model of the last check.
struct ModelState {
    arrays: ArrayModel,
    /// Values of terms that have been asked for.
    values: FxHashMap<TermId, Value>,
    /// The model was found without the SAT solver: variables without a value may have any.
    guessed: bool,
}

/// Reads the assignment of the SAT solver. Inputs that it does not know may have any value.
struct Assigned<'a, S> {
    sat: &'a mut S,
    encoder: &'a Encoder,
}

impl<S: SatSolver> BitValues for Assigned<'_, S> {
    fn bit(&mut self, bit: Bit) -> bool {
        match self.encoder.known(bit) {
            Some(literal) => self.sat.value(literal),
            None => bit.is_negated(),
        }
    }
}

impl<S: SatSolver + Default> Default for BitBlaster<S> {
    fn default() -> Self {
        Self::with_sat_solver(S::default())
    }
}

impl BitBlaster<Cadical> {
    pub fn new() -> Self {
        Self::default()
    }
}

/// Sizes of what a [`BitBlaster`] has built.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Statistics {
    pub gates: usize,
    pub refinements: u64,
}

impl<S: SatSolver> BitBlaster<S> {
    /// A solver on top of a SAT solver that has no clauses yet.
    pub fn with_sat_solver(sat: S) -> Self {
        Self {
            sat,
            blaster: Blaster::new(),
            encoder: Encoder::new(),
            core: Vec::new(),
            model: None,
            asserted: Some(Vec::new()),
            interval_work: INTERVAL_WORK,
            question_fuel: QUESTION_FUEL,
            refinements: 0,
        }
    }

    /// The SAT solver, for clauses over literals from [`literal`](Self::literal) and
    /// [`new_literal`](Self::new_literal). Changing it ends the life of the model.
    pub fn sat(&mut self) -> &mut S {
        self.model = None;
        self.asserted = None;
        &mut self.sat
    }

    /// Leaves out expensive operations on words of at least this width until the answer depends on
    /// them; for terms that come from now on.
    pub fn leave_out_operations(&mut self, width: u32) {
        self.blaster.lazy_from = Some(width);
    }

    /// Takes terms older than this one for unknowns, of which only the ranges are known. Then only
    /// `Unsat` means something: what cannot be true however they turn out cannot be true.
    pub fn forget_before(&mut self, first: TermId, ranges: Ranges) {
        self.blaster.known_from = Some(first);
        self.blaster.ranges = ranges;
    }

    /// What is known of the ranges of words.
    pub fn into_ranges(self) -> Ranges {
        self.blaster.ranges
    }

    /// Translates all terms that there are, whether something depends on them or not.
    pub fn translate_all(&mut self, pool: &TermPool, budget: &Budget) -> Result<(), SolverError> {
        self.model = None;
        for term in pool.ids() {
            if pool.sort(term) == Sort::Int {
                continue;
            }
            self.blaster.blast(pool, term, budget)?;
            let bits = self.blaster.known_bits(pool, term).map_or(Vec::new(), <[Bit]>::to_vec);
            for bit in bits {
                self.encoder.literal(&self.blaster.aig, bit, &mut self.sat, budget)?;
            }
        }
        self.encode_deciding(budget)?;
        Ok(())
    }

    pub fn statistics(&self) -> Statistics {
        Statistics { gates: self.blaster.aig.len(), refinements: self.refinements }
    }

    /// The SAT literal that is true just if a Boolean term is. Arrays in the term are only as exact
    /// as the lemmas found so far; use [`Check::check`] to decide.
    pub fn literal(
        &mut self,
        pool: &TermPool,
        term: TermId,
        budget: &Budget,
    ) -> Result<Literal, SolverError> {
        self.model = None;
        let bit = self.bit(pool, term, budget)?;
        Ok(self.encoder.literal(&self.blaster.aig, bit, &mut self.sat, budget)?)
    }

    /// A literal that stands for nothing yet: for activation.
    pub fn new_literal(&mut self) -> Literal {
        self.sat.new_variable()
    }

    /// The value of a literal in the model of the last check, as long as nothing was added since.
    pub fn is_true(&mut self, literal: Literal) -> bool {
        self.sat.value(literal)
    }

    /// Adds a clause over literals.
    pub fn add_clause(&mut self, clause: &[Literal]) {
        self.model = None;
        self.asserted = None;
        self.sat.add_clause(clause);
    }

    /// A look at floats by intervals; each look that finds nothing makes the next ones shorter.
    fn by_intervals(&mut self, pool: &TermPool, assumptions: &[TermId], budget: &Budget) -> Finding {
        let mut work = self.interval_work;
        let finding = intervals::explore(pool, assumptions, &mut work, budget);
        if finding == Finding::Nothing && work < self.interval_work / 2 {
            self.interval_work /= 2;
        }
        finding
    }

    /// Whether everything is true where these variables have these values, and all others are zero. If so,
    /// that is the model.
    fn is_model(&mut self, pool: &TermPool, assumptions: &[TermId], values: &[(TermId, u64)]) -> bool {
        let Some(asserted) = &self.asserted else { return false };
        let mut roots = asserted.clone();
        roots.extend_from_slice(assumptions);
        let mut known: FxHashMap<TermId, Value> = FxHashMap::default();
        for &(variable, bits) in values {
            let format = pool.format(variable);
            let bits = BitVec::new(format.width(), bits);
            known.insert(variable, Value::Float(FloatValue::from_bits(format, bits)));
        }
        for variable in pool.free_variables(&roots) {
            known.entry(variable).or_insert_with(|| Value::default_of(pool.sort(variable)));
        }
        let holds = |&root: &TermId| pool.evaluate_cached(root, &mut known).as_bool() == Some(true);
        let all = roots.iter().all(holds);
        if all {
            self.model = Some(ModelState { arrays: ArrayModel::default(), values: known, guessed: true });
        }
        all
    }

    /// The literals that give variables these values.
    fn literals_of(
        &mut self,
        pool: &TermPool,
        values: &[(TermId, u64)],
        literals: &mut Vec<Literal>,
        budget: &Budget,
    ) -> Result<(), StopReason> {
        for &(variable, value) in values {
            let bits = self.blaster.known_bits(pool, variable).map_or(Vec::new(), <[Bit]>::to_vec);
            for (position, bit) in bits.into_iter().enumerate() {
                let literal = self.encoder.literal(&self.blaster.aig, bit, &mut self.sat, budget)?;
                literals.push(literal.negated_if(value >> position & 1 == 0));
            }
        }
        Ok(())
    }

    fn bit(&mut self, pool: &TermPool, term: TermId, budget: &Budget) -> Result<Bit, SolverError> {
        let bit = self.blaster.bit(pool, term, budget)?;
        while let Some(&fact) = self.blaster.facts.last() {
            self.encoder.assert(&self.blaster.aig, fact, &mut self.sat, budget)?;
            self.blaster.facts.pop();
        }
        self.encode_deciding(budget)?;
        Ok(bit)
    }

    /// A literal for a question: it is true just if the term is, without the cases of it that cannot be.
    fn question(&mut self, pool: &TermPool, term: TermId, budget: &Budget) -> Result<Literal, SolverError> {
        if self.blaster.known_bits(pool, term).is_some() {
            return self.literal(pool, term, budget);
        }
        self.blaster.ranges.learn_below(pool, term, budget)?;
        let mut any = Bit::FALSE;
        let cases = self.blaster.ranges.cases(pool, term, self.question_fuel);
        self.question_fuel = match cases.excluded {
            0 => (self.question_fuel * 3 / 4).max(QUESTION_FUEL / 10),
            _ => QUESTION_FUEL,
        };
        for (case, holds) in cases.possible {
            let bit = self.bit(pool, case, budget)?;
            any = self.blaster.aig.or(any, if holds { bit } else { !bit });
        }
        Ok(self.encoder.literal(&self.blaster.aig, any, &mut self.sat, budget)?)
    }

    fn encode_deciding(&mut self, budget: &Budget) -> Result<(), StopReason> {
        while let Some(&bit) = self.blaster.arrays.deciding.last() {
            if !bit.is_constant() {
                self.encoder.literal(&self.blaster.aig, bit, &mut self.sat, budget)?;
            }
            self.blaster.arrays.deciding.pop();
        }
        Ok(())
    }

    /// Like [`Check::check`], with assumptions that are literals; there is no core in terms then.
    pub fn check_literals(&mut self, assumptions: &[Literal], budget: &Budget) -> CheckResult {
        self.model = None;
        self.core.clear();
        let mut simple = Vec::new();
        loop {
            match self.solve_simply(assumptions, &mut simple, budget) {
                CheckResult::Sat => {}
                other => return other,
            }
            let Refinement { facts, unlikely } = self.wrong_operations();
            if !facts.is_empty() {
                if let Err(reason) = self.add_lemmas(&facts, budget) {
                    return CheckResult::Unknown(reason);
                }
                match self.literals_against(&unlikely, budget) {
                    Ok(literals) => simple.extend(literals),
                    Err(reason) => return CheckResult::Unknown(reason),
                }
                continue;
            }
            let mut assigned = Assigned { sat: &mut self.sat, encoder: &self.encoder };
            match self.blaster.arrays.check(&mut self.blaster.aig, &mut assigned, budget) {
                Verdict::Stopped(reason) => return CheckResult::Unknown(reason),
                Verdict::Model(arrays) => {
                    self.model = Some(ModelState { arrays, values: FxHashMap::default(), guessed: false });
                    return CheckResult::Sat;
                }
                Verdict::Lemmas(lemmas) => {
                    self.refinements += 1;
                    if let Err(reason) = self.add_lemmas(&lemmas, budget) {
                        return CheckResult::Unknown(reason);
                    }
                }
            }
        }
    }

    /// Solves, with a simple model if one is found soon.
    fn solve_simply(
        &mut self,
        assumptions: &[Literal],
        simple: &mut Vec<Literal>,
        budget: &Budget,
    ) -> CheckResult {
        if !simple.is_empty() {
            let together: Vec<Literal> = assumptions.iter().chain(&*simple).copied().collect();
            self.sat.limit_conflicts(SIMPLE_CONFLICTS);
            match self.sat.solve(&together, budget) {
                CheckResult::Unsat if simple.iter().any(|&literal| self.sat.failed(literal)) => {
                    simple.clear()
                }
                CheckResult::Unknown(_) if budget.check_now().is_ok() => simple.clear(),
                result => return result,
            }
        }
        self.sat.solve(assumptions, budget)
    }

    fn literals_against(&mut self, bits: &[Bit], budget: &Budget) -> Result<Vec<Literal>, StopReason> {
        bits.iter()
            .map(|&bit| Ok(!self.encoder.literal(&self.blaster.aig, bit, &mut self.sat, budget)?))
            .collect()
    }

    /// What must hold for operations that were left out, and does not in the assignment.
    fn wrong_operations(&mut self) -> Refinement {
        let (sat, encoder) = (&mut self.sat, &self.encoder);
        let mut known = |bit| encoder.known(bit).map(|literal| sat.value(literal));
        let refinement = self.blaster.lazy.refine(&mut self.blaster.aig, &mut known);
        self.refinements += u64::from(!refinement.facts.is_empty());
        refinement
    }

    fn add_lemmas(&mut self, lemmas: &[Bit], budget: &Budget) -> Result<(), StopReason> {
        for &lemma in lemmas {
            self.encoder.assert(&self.blaster.aig, lemma, &mut self.sat, budget)?;
        }
        self.encode_deciding(budget)
    }

    /// The value of a term that the SAT solver knows all bits of: no need to evaluate what it is made of.
    fn assigned_value(&mut self, pool: &TermPool, term: TermId) -> Option<Value> {
        self.model.as_ref().filter(|model| !model.guessed)?;
        let bits = self.blaster.known_bits(pool, term)?.to_vec();
        let is_known = |bit: &Bit| bit.is_constant() || self.encoder.known(*bit).is_some();
        if bits.is_empty() || !bits.iter().all(is_known) {
            return None;
        }
        let mut assigned = Assigned { sat: &mut self.sat, encoder: &self.encoder };
        match pool.sort(term) {
            Sort::Bool => Some(Value::Bool(assigned.word(&bits).is_one())),
            Sort::BitVec(_) => Some(Value::BitVec(assigned.word(&bits))),
            _ => None,
        }
    }

    fn variable_value(&mut self, pool: &TermPool, variable: TermId) -> Value {
        let sort = pool.sort(variable);
        if self.model.as_ref().is_some_and(|model| model.guessed) {
            return Value::default_of(sort);
        }
        let bits = |solver: &mut Self| -> Option<BitVec> {
            let bits = solver.blaster.known_bits(pool, variable)?.to_vec();
            let mut assigned = Assigned { sat: &mut solver.sat, encoder: &solver.encoder };
            (!bits.is_empty()).then(|| assigned.word(&bits))
        };
        let value = match sort {
            Sort::Bool => bits(self).map(|bits| Value::Bool(bits.is_one())),
            Sort::BitVec(_) => bits(self).map(Value::BitVec),
            Sort::Float(format) => bits(self).map(|bits| Value::Float(FloatValue::from_bits(format, bits))),
            Sort::Array { .. } => {
                self.model.as_ref().and_then(|model| model.arrays.get(&variable).cloned()).map(Value::Array)
            }
            Sort::Int => None,
        };
        value.unwrap_or_else(|| Value::default_of(sort))
    }
}

impl<S: SatSolver> Check for BitBlaster<S> {
    fn assert(&mut self, pool: &TermPool, term: TermId, budget: &Budget) -> Result<(), SolverError> {
        self.model = None;
        let bit = self.bit(pool, term, budget)?;
        self.encoder.assert(&self.blaster.aig, bit, &mut self.sat, budget)?;
        if let Some(asserted) = &mut self.asserted {
            asserted.push(term);
        }
        Ok(())
    }

    fn check(
        &mut self,
        pool: &TermPool,
        assumptions: &[TermId],
        budget: &Budget,
    ) -> Result<CheckResult, SolverError> {
        self.core.clear();
        let finding = self.by_intervals(pool, assumptions, budget);
        if finding == Finding::Unsatisfiable {
            self.model = None;
            self.core = assumptions.to_vec();
            return Ok(CheckResult::Unsat);
        }
        if let Finding::Point(values) = &finding
            && self.is_model(pool, assumptions, values)
        {
            return Ok(CheckResult::Sat);
        }
        let mut literals = Vec::with_capacity(assumptions.len());
        for &assumption in assumptions {
            match self.question(pool, assumption, budget) {
                Ok(literal) => literals.push(literal),
                Err(SolverError::Stopped(reason)) => return Ok(CheckResult::Unknown(reason)),
                Err(error) => return Err(error),
            }
        }
        if let Finding::Point(values) = finding {
            let mut closer = literals.clone();
            self.literals_of(pool, &values, &mut closer, budget)?;
            if self.check_literals(&closer, budget) == CheckResult::Sat {
                return Ok(CheckResult::Sat);
            }
        }
        let result = self.check_literals(&literals, budget);
        if result == CheckResult::Unsat {
            let failed = assumptions.iter().zip(&literals).filter(|&(_, &literal)| self.sat.failed(literal));
            self.core = failed.map(|(&assumption, _)| assumption).collect();
        }
        Ok(result)
    }
}

impl<S: SatSolver> Model for BitBlaster<S> {
    fn value(&mut self, pool: &TermPool, term: TermId) -> Result<Value, SolverError> {
        if let Some(value) = self.assigned_value(pool, term) {
            return Ok(value);
        }
        let Some(state) = &mut self.model else { return Err(SolverError::NoModel) };
        let mut values = std::mem::take(&mut state.values);
        for variable in pool.reachable(&[term], |part| values.contains_key(&part)) {
            if pool.op(variable) == Op::Variable {
                values.insert(variable, self.variable_value(pool, variable));
            }
        }
        let value = pool.evaluate_cached(term, &mut values);
        if let Some(state) = &mut self.model {
            state.values = values;
        }
        Ok(value)
    }
}

impl<S: SatSolver> UnsatCore for BitBlaster<S> {
    fn unsat_core(&self) -> &[TermId] {
        &self.core
    }
}

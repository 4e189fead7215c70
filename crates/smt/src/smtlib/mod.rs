//! Any SMT-LIB 2 solver over a pipe.
//!
//! Terms become definitions, each written once; assumptions are named Booleans for
//! `check-sat-assuming`, so neither `push` nor `pop` is needed. Values of variables are asked for,
//! and terms are evaluated here. There is no portable way to interrupt a solver, so when the budget
//! runs out the process is ended; the next call starts another one and tells it everything again.

mod parse;
mod process;

use crate::{Check, CheckResult, Model, SolverError, UnsatCore};
use base::Budget;
use parse::Expression;
use process::Process;
use rustc_hash::FxHashMap;
use std::fmt::Write;
use term::print::SmtlibPrinter;
use term::print::smtlib::symbol;
use term::{Op, TermId, TermPool, Value};

/// How to start a solver.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Command {
    pub program: String,
    pub arguments: Vec<String>,
    pub logic: String,
}

impl Command {
    /// A program with the arguments that it needs to read commands from a pipe, where it is one of
    /// the solvers that are known here; words after the first are further arguments.
    pub fn new(command: &str) -> Self {
        let mut words = command.split_whitespace().map(str::to_owned);
        let program = words.next().unwrap_or_default();
        let name = std::path::Path::new(&program).file_stem().and_then(|name| name.to_str()).unwrap_or("");
        let (known, logic): (&[&str], _) = match name {
            "z3" => (&["-in", "-smt2"], "ALL"),
            "cvc5" => (&["--lang=smt2", "--incremental", "--fp-exp"], "ALL"),
            "bitwuzla" => (&["--lang=smt2"], "QF_ABVFP"),
            "yices-smt2" => (&["--incremental"], "QF_AUFBV"),
            "boolector" => (&["--smt2", "--incremental"], "QF_AUFBV"),
            _ => (&[], "ALL"),
        };
        let arguments = known.iter().map(|&word| word.to_owned()).chain(words).collect();
        Self { program, arguments, logic: logic.to_owned() }
    }
}

/// A solver process, and what it has to know.
pub struct SmtlibSolver {
    command: Command,
    process: Option<Process>,
    printer: SmtlibPrinter,
    /// Everything that was asserted, for a new process.
    asserted: Vec<TermId>,
    /// How many of those this process knows.
    told: usize,
    /// Names of assumptions that this process knows.
    names: FxHashMap<TermId, String>,
    core: Vec<TermId>,
    model: Option<FxHashMap<TermId, Value>>,
}

impl SmtlibSolver {
    /// Starts a solver, for example `z3` or `cvc5 --some-option`.
    pub fn start(command: &str) -> Result<Self, SolverError> {
        Self::start_command(Command::new(command))
    }

    pub fn start_command(command: Command) -> Result<Self, SolverError> {
        let mut solver = Self {
            command,
            process: None,
            printer: SmtlibPrinter::new(),
            asserted: Vec::new(),
            told: 0,
            names: FxHashMap::default(),
            core: Vec::new(),
            model: None,
        };
        // An exchange shows that it is a solver.
        solver.exchange("", &Budget::unlimited())?;
        Ok(solver)
    }

    /// Forgets what the last process was told.
    fn reset(&mut self) {
        self.process = None;
        self.printer = SmtlibPrinter::new();
        self.told = 0;
        self.names.clear();
    }

    fn preamble(&self) -> String {
        format!(
            "(set-option :print-success false)\n(set-option :produce-models true)\n\
             (set-option :produce-unsat-assumptions true)\n(set-logic {})\n",
            self.command.logic
        )
    }

    /// Sends commands and returns what the solver answered to them.
    fn exchange(&mut self, commands: &str, budget: &Budget) -> Result<Vec<String>, Interrupted> {
        if self.process.is_none() {
            let mut process = Process::start(&self.command)?;
            process.exchange(&self.preamble(), budget)?;
            self.process = Some(process);
        }
        let Some(process) = &mut self.process else { return Ok(Vec::new()) };
        let answers = process.exchange(commands, budget);
        if answers.is_err() {
            self.reset();
        }
        let answers = answers?;
        match answers.iter().find(|answer| answer.starts_with("(error")) {
            Some(error) => Err(SolverError::Reported(error.clone()).into()),
            None => Ok(answers),
        }
    }

    /// The commands that bring the process up to date.
    fn outstanding(&mut self, pool: &TermPool) -> String {
        let mut out = String::new();
        for index in self.told..self.asserted.len() {
            let name = self.printer.define(pool, self.asserted[index], &mut out);
            // Writing to a string cannot fail.
            let _ = writeln!(out, "(assert {name})");
        }
        self.told = self.asserted.len();
        out
    }

    fn assumption(&mut self, pool: &TermPool, term: TermId, out: &mut String) -> String {
        if let Some(name) = self.names.get(&term) {
            return name.clone();
        }
        let definition = self.printer.define(pool, term, out);
        let name = format!("!assume{}", term.0);
        let _ = writeln!(out, "(declare-const {name} Bool)\n(assert (= {name} {definition}))");
        self.names.insert(term, name.clone());
        name
    }

    fn try_check(
        &mut self,
        pool: &TermPool,
        assumptions: &[TermId],
        budget: &Budget,
    ) -> Result<CheckResult, Interrupted> {
        if self.process.is_none() {
            self.reset();
        }
        let mut commands = self.outstanding(pool);
        let mut names = Vec::with_capacity(assumptions.len());
        for &assumption in assumptions {
            names.push(self.assumption(pool, assumption, &mut commands));
        }
        let _ = writeln!(commands, "(check-sat-assuming ({}))", names.join(" "));
        let answers = self.exchange(&commands, budget)?;
        match answers.last().map(String::as_str) {
            Some("sat") => {
                self.model = Some(FxHashMap::default());
                Ok(CheckResult::Sat)
            }
            Some("unsat") => {
                self.core = self.ask_core(assumptions, &names, budget)?;
                Ok(CheckResult::Unsat)
            }
            Some("unknown") => {
                let reason = self.exchange("(get-info :reason-unknown)\n", budget)?;
                Err(SolverError::GaveUp(reason.concat()).into())
            }
            other => Err(SolverError::Answer(other.unwrap_or("no answer").to_owned()).into()),
        }
    }

    fn ask_core(
        &mut self,
        assumptions: &[TermId],
        names: &[String],
        budget: &Budget,
    ) -> Result<Vec<TermId>, Interrupted> {
        if assumptions.is_empty() {
            return Ok(Vec::new());
        }
        let answer = self.exchange("(get-unsat-assumptions)\n", budget)?.concat();
        let core = parse::expression(&answer)?;
        let Expression::List(members) = core else { return Err(SolverError::Answer(answer).into()) };
        let failed = |name: &String| members.iter().any(|member| member.is_atom(name));
        let pairs = assumptions.iter().zip(names);
        Ok(pairs.filter(|(_, name)| failed(name)).map(|(&assumption, _)| assumption).collect())
    }

    /// Asks for the values of all variables that the solver knows.
    fn ask_values(&mut self, pool: &TermPool) -> Result<FxHashMap<TermId, Value>, SolverError> {
        let variables = self.printer.declared().to_vec();
        if variables.is_empty() {
            return Ok(FxHashMap::default());
        }
        let names: Vec<_> =
            variables.iter().map(|&variable| symbol(pool.variable_name(variable).unwrap_or(""))).collect();
        let command = format!("(get-value ({}))\n", names.join(" "));
        let answer = self.exchange(&command, &Budget::unlimited())?.concat();
        let Expression::List(pairs) = parse::expression(&answer)? else {
            return Err(SolverError::Answer(answer));
        };
        let mut values = FxHashMap::default();
        for (&variable, pair) in variables.iter().zip(&pairs) {
            let Expression::List(pair) = pair else { return Err(SolverError::Answer(answer)) };
            let value = pair.get(1).and_then(|value| parse::value(value, pool.sort(variable)));
            values.insert(variable, value.ok_or_else(|| SolverError::Answer(answer.clone()))?);
        }
        Ok(values)
    }
}

/// An exchange that did not end.
enum Interrupted {
    Stopped(base::StopReason),
    Failed(SolverError),
}

impl From<SolverError> for Interrupted {
    fn from(error: SolverError) -> Self {
        Interrupted::Failed(error)
    }
}

impl From<Interrupted> for SolverError {
    fn from(interrupted: Interrupted) -> Self {
        match interrupted {
            Interrupted::Stopped(reason) => SolverError::GaveUp(reason.to_string()),
            Interrupted::Failed(error) => error,
        }
    }
}

impl Check for SmtlibSolver {
    fn assert(&mut self, _pool: &TermPool, term: TermId, _budget: &Budget) -> Result<(), SolverError> {
        self.model = None;
        self.asserted.push(term);
        Ok(())
    }

    fn check(
        &mut self,
        pool: &TermPool,
        assumptions: &[TermId],
        budget: &Budget,
    ) -> Result<CheckResult, SolverError> {
        self.model = None;
        self.core.clear();
        if let Err(reason) = budget.check_now() {
            return Ok(CheckResult::Unknown(reason));
        }
        match self.try_check(pool, assumptions, budget) {
            Ok(result) => Ok(result),
            Err(Interrupted::Stopped(reason)) => Ok(CheckResult::Unknown(reason)),
            Err(Interrupted::Failed(error)) => {
                // What the process was told is not certain any more.
                self.reset();
                Err(error)
            }
        }
    }
}

impl Model for SmtlibSolver {
    fn value(&mut self, pool: &TermPool, term: TermId) -> Result<Value, SolverError> {
        let mut values = match &mut self.model {
            None => return Err(SolverError::NoModel),
            Some(values) => std::mem::take(values),
        };
        let unknown = |part: &TermId| pool.op(*part) == Op::Variable && !values.contains_key(part);
        if pool.free_variables(&[term]).iter().any(unknown) {
            values.extend(self.ask_values(pool)?);
        }
        let value = pool.evaluate_cached(term, &mut values);
        self.model = Some(values);
        Ok(value)
    }
}

impl UnsatCore for SmtlibSolver {
    fn unsat_core(&self) -> &[TermId] {
        &self.core
    }
}

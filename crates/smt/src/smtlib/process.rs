//! The process at the other end of the pipe.
//!
//! A thread reads its output and cuts it into expressions, so that waiting for an answer can look at
//! the budget. After each batch of commands comes an `echo` of a number: the answers up to it belong
//! to the batch, whatever else the solver may have said.

use super::{Command, Interrupted};
use crate::SolverError;
use base::Budget;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::JoinHandle;
use std::time::Duration;

/// How long to wait before looking at the budget again.
const PATIENCE: Duration = Duration::from_millis(20);

pub(super) struct Process {
    child: Child,
    input: ChildStdin,
    answers: Receiver<String>,
    errors: Option<JoinHandle<String>>,
    batches: u64,
}

impl Process {
    pub fn start(command: &Command) -> Result<Self, SolverError> {
        let failure = |message: String| SolverError::Start { command: command.program.clone(), message };
        let mut child = std::process::Command::new(&command.program)
            .args(&command.arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| failure(error.to_string()))?;
        let (Some(input), Some(output), Some(mut errors)) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            return Err(failure("no pipes".to_owned()));
        };
        let (sender, answers) = channel();
        std::thread::spawn(move || {
            let mut splitter = Splitter::default();
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if let Some(answer) = splitter.feed(&line)
                    && sender.send(answer).is_err()
                {
                    return;
                }
            }
        });
        let errors = std::thread::spawn(move || {
            let mut text = Vec::new();
            // What cannot be read is not worth more than what can.
            let _ = errors.read_to_end(&mut text);
            String::from_utf8_lossy(&text).into_owned()
        });
        Ok(Self { child, input, answers, errors: Some(errors), batches: 0 })
    }

    /// Sends a batch of commands and waits for the answers to it.
    pub fn exchange(&mut self, commands: &str, budget: &Budget) -> Result<Vec<String>, Interrupted> {
        self.batches += 1;
        let marker = format!("batch-{}", self.batches);
        let sent = writeln!(self.input, "{commands}(echo \"{marker}\")").and_then(|()| self.input.flush());
        if let Err(error) = sent {
            return Err(self.death(&error.to_string()).into());
        }
        let mut answers = Vec::new();
        loop {
            match self.answers.recv_timeout(PATIENCE) {
                Ok(answer) if answer.trim_matches('"') == marker => return Ok(answers),
                Ok(answer) => answers.push(answer),
                Err(RecvTimeoutError::Timeout) => budget.check_now().map_err(Interrupted::Stopped)?,
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(self.death(&answers.join(" ")).into());
                }
            }
        }
    }

    /// What there is to say about a solver that is gone.
    fn death(&mut self, last: &str) -> SolverError {
        // It may be hanging rather than gone.
        let _ = self.child.kill();
        let status = self.child.wait().map_or_else(|error| error.to_string(), |status| status.to_string());
        let errors = self.errors.take().and_then(|thread| thread.join().ok()).unwrap_or_default();
        SolverError::Died(format!("{status} {last} {}", errors.trim()).trim().to_owned())
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // A process that has ended already cannot be killed, which is fine.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Puts lines together until parentheses match.
#[derive(Default)]
struct Splitter {
    text: String,
    depth: i64,
    /// The quote that is open.
    quote: Option<char>,
}

impl Splitter {
    fn feed(&mut self, line: &str) -> Option<String> {
        for c in line.chars() {
            match (self.quote, c) {
                (Some(open), _) if open == c => self.quote = None,
                (Some(_), _) => {}
                (None, '"' | '|') => self.quote = Some(c),
                (None, '(') => self.depth += 1,
                (None, ')') => self.depth -= 1,
                _ => {}
            }
        }
        self.text.push_str(line);
        self.text.push('\n');
        if self.depth > 0 || self.quote.is_some() {
            return None;
        }
        self.depth = 0;
        let answer = std::mem::take(&mut self.text).trim().to_owned();
        (!answer.is_empty()).then_some(answer)
    }
}

//! A readable record of a run: one line for each thing that happened.

use crate::ending::Ending;
use crate::observe::{Event, Happening, Interest, Observer, Stream};
use crate::value::Value;
use base::Span;
use cfa::{EdgeKind, PlaceBase, Program};

/// How much a trace tells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Detail {
    /// Inputs, branches and assignments to variables of the program.
    Short,
    /// Also calls, returns, temporaries and the initialisation of globals.
    Full,
}

/// Collects lines such as `file.c:12: x = 3`, and what the program prints.
#[derive(Clone, Debug)]
pub struct Trace {
    detail: Detail,
    lines: Vec<String>,
    /// Lines that may be kept; the oldest go first.
    limit: usize,
    dropped: u64,
    pub output: Vec<u8>,
    pub error: Vec<u8>,
}

impl Trace {
    pub fn new(detail: Detail) -> Self {
        Self {
            detail,
            lines: Vec::new(),
            limit: usize::MAX,
            dropped: 0,
            output: Vec::new(),
            error: Vec::new(),
        }
    }

    /// Keeps about the last `limit` lines.
    #[must_use]
    pub fn with_limit(mut self, limit: usize) -> Self {
        self.limit = limit.max(1);
        self
    }

    pub fn lines(&self) -> &[String] {
        &self.lines
    }

    /// How many lines were dropped because of the limit.
    pub fn dropped(&self) -> u64 {
        self.dropped
    }

    fn push(&mut self, program: &Program, span: Span, text: &str) {
        let place = match program.sources.position(span) {
            Some(position) => format!("{}:{}: ", position.file, position.line),
            None => String::new(),
        };
        self.lines.push(format!("{place}{text}"));
        if self.lines.len() >= self.limit.saturating_mul(2) {
            let excess = self.lines.len() - self.limit;
            self.lines.drain(..excess);
            self.dropped += excess as u64;
        }
    }

    fn text(&self, program: &Program, event: &Event<'_>) -> Option<String> {
        let full = self.detail == Detail::Full;
        if !full && event.span == Span::NONE {
            return None;
        }
        if !full && event.function == program.entry && !matches!(event.happening, Happening::Input { .. }) {
            return None;
        }
        match &event.happening {
            Happening::Passed => None,
            Happening::Assigned { .. } if !full && is_temporary(program, event) => None,
            Happening::Assigned { target, value } => Some(format!("{target} = {}", value.text)),
            Happening::Branched { truth } => Some(branch(program, event.span, *truth)),
            Happening::Input { function: Some(name), value } => {
                Some(format!("input {name}() = {}", value.text))
            }
            Happening::Input { function: None, value } => {
                Some(format!("input {}= {}", read_by(program, event), value.text))
            }
            Happening::Called { .. } | Happening::Returned { .. } if !full => None,
            Happening::Called { function, arguments } => {
                let arguments: Vec<&str> = arguments.iter().map(|value| value.text.as_str()).collect();
                Some(format!("call {}({})", program.function_name(*function), arguments.join(", ")))
            }
            Happening::Returned { function, value } => {
                let name = program.function_name(*function);
                Some(format!("return from {name}{}", value.as_ref().map_or(String::new(), returned)))
            }
        }
    }
}

fn returned(value: &Value) -> String {
    format!(" = {}", value.text)
}

fn branch(program: &Program, span: Span, truth: bool) -> String {
    format!("[{}] {truth}", source_text(program, span))
}

/// The beginning of what the source says, on one line.
fn source_text(program: &Program, span: Span) -> String {
    let text = program.sources.snippet(span).unwrap_or_default();
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    text.chars().take(80).collect()
}

/// What takes an input that no function gives, and a space: a variable, or an expression that reads it.
fn read_by(program: &Program, event: &Event<'_>) -> String {
    let EdgeKind::Input { target, .. } = program.edges[event.edge].kind else { return String::new() };
    let PlaceBase::Variable(variable) = program.places[target].base else { return String::new() };
    let variable = &program.variables[variable];
    if !variable.kind.is_temporary() {
        return format!("{} ", program.name(variable.name));
    }
    // The arguments of `main` have no text.
    if event.function == program.entry {
        return String::new();
    }
    format!("{} ", source_text(program, event.span))
}

/// Whether the edge writes a variable that the lowering made.
fn is_temporary(program: &Program, event: &Event<'_>) -> bool {
    let target = match program.edges[event.edge].kind {
        EdgeKind::Assign { target, .. } => Some(target),
        EdgeKind::Call(call) => program.calls[call].result,
        _ => None,
    };
    let variable = target.and_then(|target| program.as_variable(target));
    variable.is_some_and(|v| program.variables[v].kind.is_temporary())
}

impl Observer for Trace {
    fn interest(&self) -> Interest {
        Interest::Everything
    }

    fn event(&mut self, program: &Program, event: &Event<'_>) {
        if let Some(text) = self.text(program, event) {
            self.push(program, event.span, &text);
        }
    }

    fn skips(&mut self, edges: u64) {
        self.lines.push(format!("... {edges} steps are not shown"));
    }

    fn output(&mut self, stream: Stream, bytes: &[u8]) {
        match stream {
            Stream::Output => self.output.extend(bytes),
            Stream::Error => self.error.extend(bytes),
        }
    }

    fn ended(&mut self, program: &Program, ending: &Ending) {
        self.push(program, ending.span().unwrap_or(Span::NONE), &ending.to_string());
    }
}

//! Watches a run and checks every pointer that it stores, and every call, against the analysis.

use cfa::pointsto::{CellId, ObjectId, ObjectKind, Offset, PointsTo};
use cfa::{EdgeId, Program, usage};
use replay::{Event, Happening, Inputs, Interest, Observer, Options, Value};

pub struct Watcher<'a> {
    points_to: &'a PointsTo,
    /// Pointers and calls that were looked at.
    pub checked: usize,
    pub misses: Vec<String>,
}

/// Runs the program and checks what it does; how much was checked, and what was missed.
pub fn watch(
    program: &Program,
    points_to: &PointsTo,
    inputs: &mut dyn Inputs,
    steps: u64,
) -> (usize, Vec<String>) {
    let mut watcher = Watcher { points_to, checked: 0, misses: Vec::new() };
    let options = Options { step_limit: steps, memory_limit: 1 << 28, ..Options::default() };
    replay::run(program, inputs, &options, &mut watcher);
    (watcher.checked, watcher.misses)
}

impl Observer for Watcher<'_> {
    fn interest(&self) -> Interest {
        Interest::Everything
    }

    fn event(&mut self, program: &Program, event: &Event<'_>) {
        match &event.happening {
            Happening::Assigned { value, .. } if program.types.is_pointer(value.ty) => {
                self.stored(program, event.edge, value);
            }
            Happening::Called { function, .. } => {
                self.checked += 1;
                let edge = event.edge;
                let mut known = self.points_to.callees(edge).iter().chain(self.points_to.callbacks(edge));
                if !known.any(|callee| callee == function) {
                    let line = program.sources.position(event.span).map_or(0, |position| position.line);
                    self.misses.push(format!("line {line} calls {}", program.function_name(*function)));
                }
            }
            _ => {}
        }
    }
}

impl Watcher<'_> {
    fn stored(&mut self, program: &Program, edge: EdgeId, value: &Value) {
        let Some(place) = usage::written(program, &program.edges[edge].kind) else { return };
        let text = value.text.as_str();
        if text == "NULL" || text.starts_with("0x") || text.contains("library") {
            return;
        }
        self.checked += 1;
        let mut targets = Vec::new();
        self.points_to.place_cells(program, place, &mut |_, cells| {
            targets.extend(cells.map(CellId).flat_map(|cell| self.points_to.contents(cell)));
        });
        if !targets.iter().any(|&target| self.matches(program, target, text)) {
            let span = program.edges[edge].span;
            let position = program.sources.position(span).map_or(0, |position| position.line);
            self.misses.push(format!("line {position} stores {text}"));
        }
    }

    /// The text is the interpreter's: `&object`, `&object + offset`, a function, or a string literal.
    fn matches(&self, program: &Program, (object, offset): (ObjectId, Offset), text: &str) -> bool {
        let (name, byte) = match text.rsplit_once(" + ") {
            Some((name, byte)) if !text.ends_with('"') => (name, byte.parse().unwrap_or(0)),
            _ => (text, 0),
        };
        let at = |byte| offset == Offset::Any || offset == self.points_to.folded(program, object, byte);
        match self.points_to.object(object).kind {
            ObjectKind::Variable(variable) => {
                name.strip_prefix('&') == Some(program.name(program.variables[variable].name)) && at(byte)
            }
            ObjectKind::Function(function) => name == program.function_name(function),
            ObjectKind::Heap(_) => (name.starts_with("&heap") || name.starts_with("&alloca")) && at(byte),
            ObjectKind::String(_) => name.starts_with('"'),
            ObjectKind::Outside => name.contains("outside"),
            ObjectKind::Label(_) | ObjectKind::Variadic(_) => false,
        }
    }
}

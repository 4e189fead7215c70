//! Precisions as text, so that the next run, or the next version of a program, starts from the predicates of
//! this one.
//!
//! ```text
//! proviso precision 1
//! at main:12
//!   i < 10
//! in step
//!   count == 0u
//! everywhere
//!   locked == 1
//! end
//! ```
//!
//! Predicates are C expressions over what can be observed at a location. `at` names an abstraction point,
//! `in` a function and all its points. What is not in the program any more, or cannot be said at a
//! point, is left out; a point that is gone stands for its function. `//` starts a comment.

mod expression;

use super::template::Template;
use expression::Names;
use std::fmt::Write;
use term::TermId;

/// Predicates by where they are used, as they were read.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Precision {
    sections: Vec<Section>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct Section {
    place: Place,
    /// C expressions.
    predicates: Vec<String>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Place {
    At(String),
    In(String),
    Everywhere,
}

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct PrecisionError {
    pub line: usize,
    pub message: String,
}

const HEAD: &str = "proviso precision 1";
/// The largest text that is read.
const MAX_BYTES: usize = 64 << 20;
/// The longest line in it.
const MAX_LINE: usize = 1 << 16;

impl Precision {
    /// Predicates as C expressions, each with the name of its location.
    pub fn new(predicates: &[(String, String)]) -> Self {
        let mut sections: Vec<Section> = Vec::new();
        for (location, text) in predicates {
            match sections.last_mut() {
                Some(last) if last.place == Place::At(location.clone()) => last.predicates.push(text.clone()),
                _ => sections
                    .push(Section { place: Place::At(location.clone()), predicates: vec![text.clone()] }),
            }
        }
        Self { sections }
    }

    pub fn write(&self) -> String {
        let mut out = format!("{HEAD}\n");
        // Writing to a string cannot fail.
        for section in &self.sections {
            let _ = match &section.place {
                Place::At(location) => writeln!(out, "at {location}"),
                Place::In(function) => writeln!(out, "in {function}"),
                Place::Everywhere => writeln!(out, "everywhere"),
            };
            for predicate in &section.predicates {
                let _ = writeln!(out, "  {predicate}");
            }
        }
        out.push_str("end\n");
        out
    }

    /// Reads a text; every predicate must be an expression, over whatever names.
    pub fn parse(text: &str) -> Result<Self, PrecisionError> {
        let fault = |line: usize, message: String| Err(PrecisionError { line, message });
        if text.len() > MAX_BYTES {
            return fault(1, format!("the file is too large ({} bytes)", text.len()));
        }
        let mut lines = text.lines().enumerate().map(|(number, line)| (number + 1, without_comment(line)));
        if lines.next().is_none_or(|(_, line)| line.trim() != HEAD) {
            return fault(1, format!("not a precision: the first line is not '{HEAD}'"));
        }
        let mut precision = Self::default();
        for (number, line) in lines {
            let line = line.trim();
            if line.len() > MAX_LINE {
                return fault(number, "the line is too long".into());
            }
            match (section(line), precision.sections.last_mut()) {
                _ if line.is_empty() => {}
                _ if line == "end" => return Ok(precision),
                (Some(place), _) => precision.sections.push(Section { place, predicates: Vec::new() }),
                (None, None) => return fault(number, "expected 'at', 'in' or 'everywhere' first".into()),
                (None, Some(last)) => match expression::check(line) {
                    Ok(()) => last.predicates.push(line.to_string()),
                    Err(error) => return fault(number, error.to_string()),
                },
            }
        }
        fault(text.lines().count(), "the file is cut off: there is no 'end'".into())
    }

    /// The predicates as terms of a template, wherever they can be said.
    pub(super) fn terms(&self, template: &mut Template<'_>, program: &cfa::Program) -> Vec<(usize, TermId)> {
        let mut result = Vec::new();
        for section in &self.sections {
            for location in places(&section.place, template, program) {
                let names =
                    Names::new(&template.locations[location], &template.unwinder.encoder.pool, program);
                for text in &section.predicates {
                    let predicate = expression::parse(&mut template.unwinder.encoder.pool, &names, text);
                    if let Ok(predicate) = predicate
                        && !result.contains(&(location, predicate))
                        && !template.unwinder.encoder.pool.is_constant(predicate)
                    {
                        result.push((location, predicate));
                    }
                }
            }
        }
        result
    }
}

fn without_comment(line: &str) -> &str {
    line.split("//").next().unwrap_or_default()
}

fn section(line: &str) -> Option<Place> {
    if line == "everywhere" {
        return Some(Place::Everywhere);
    }
    let name = |word: &str| line.strip_prefix(word).map(|rest| rest.trim().to_string());
    // An expression cannot begin with a name and go on with another one.
    name("at ").map(Place::At).or_else(|| name("in ").map(Place::In))
}

/// The locations that a section is about.
fn places(place: &Place, template: &Template<'_>, program: &cfa::Program) -> Vec<usize> {
    let all = || template.locations.iter().enumerate();
    let in_function = |name: &str| {
        let here = |function: cfa::FunctionId| program.function_name(function) == name;
        all().filter(|(_, location)| location.function.is_some_and(here)).map(|(index, _)| index).collect()
    };
    match place {
        Place::Everywhere => all().map(|(index, _)| index).collect(),
        Place::In(function) => in_function(function),
        Place::At(name) => match all().find(|(_, location)| location.name == *name) {
            Some((index, _)) => vec![index],
            None => in_function(name.split([':', '#']).next().unwrap_or_default()),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let text =
            "proviso precision 1\nat main:3\n  i < 10\n  i == 2u\nin f\n  x != y\neverywhere\n  !z\nend\n";
        let precision = Precision::parse(text).unwrap();
        assert_eq!(precision.write(), text);
        assert_eq!(precision.sections.len(), 3);
    }

    #[test]
    fn faults_are_told_with_their_line() {
        let line = |text: &str| Precision::parse(text).unwrap_err().line;
        assert_eq!(line(""), 1);
        assert_eq!(line("proviso precision 2\nend\n"), 1);
        assert_eq!(line("proviso precision 1\n  i < 10\nend\n"), 2);
        assert_eq!(line("proviso precision 1\nat main:3\n  i < \nend\n"), 3);
        assert_eq!(line("proviso precision 1\nat main:3\n  i < 10\n"), 3);
        assert_eq!(line(&format!("proviso precision 1\nin f\n{}x\nend\n", "(".repeat(5000))), 3);
    }
}

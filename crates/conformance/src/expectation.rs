//! What a C program of the corpus promises in the comment lines at its head:
//!
//! ```text
//! // Feature: unsigned arithmetic wraps          what it is about; comes first
//! // Exit: 0                                     main returns this, or exit is called with it
//! // Output: a line that it prints               repeated, in order
//! // Ended: assertion failed                     in place of Exit: an abnormal end
//! // At: original.c:7                           the place of the end, where line markers say so
//! // Data-model: LP64                            only this one; both otherwise
//! // Inputs: 1 -2 3.5                            what the nondet functions return, in order
//! // Gcc: no                                     undefined behaviour: do not compare with a compiler
//! ```
//!
//! `Exit`, `Output` and `Ended` take a data model (`Output-ILP32: 4`) where the two differ. The line
//! where an abnormal end must be located carries the comment `// ends here`.

use crate::{DataModel, Outcome};

/// The mark of the line at which a program must end.
const END_MARK: &str = "// ends here";

#[derive(Debug, Clone)]
pub struct Expectation {
    pub feature: String,
    pub models: Vec<DataModel>,
    pub inputs: Option<String>,
    pub comparable_with_compiler: bool,
    promises: [Promise; 2],
    end_line: Option<usize>,
    end_place: Option<String>,
}

/// What is expected in one data model.
#[derive(Debug, Clone, Default)]
struct Promise {
    ended: Option<String>,
    output: String,
}

/// One line of the head: `// Key: value` or `// Key-MODEL: value`.
pub struct Directive<'a> {
    pub key: &'a str,
    pub model: Option<DataModel>,
    pub value: &'a str,
}

/// Whether this is a line of the head at all; none also for an ordinary comment.
pub fn directive(line: &str) -> Option<Directive<'_>> {
    let (key, value) = line.strip_prefix("// ")?.split_once(':')?;
    let value = value.strip_prefix(' ').unwrap_or(value);
    for model in DataModel::ALL {
        if let Some(key) = key.strip_suffix(model.name()).and_then(|key| key.strip_suffix('-')) {
            return Some(Directive { key, model: Some(model), value });
        }
    }
    Some(Directive { key, model: None, value })
}

impl Expectation {
    /// Reads the head of a program; an error says what is wrong with it.
    pub fn parse(text: &str) -> Result<Expectation, String> {
        let mut expectation = Expectation {
            feature: String::new(),
            models: DataModel::ALL.to_vec(),
            inputs: None,
            comparable_with_compiler: true,
            promises: Default::default(),
            end_place: None,
            end_line: text.lines().position(|line| line.ends_with(END_MARK)).map(|index| index + 1),
        };
        for line in text.lines().take_while(|line| line.starts_with("//")) {
            let directive = directive(line).ok_or_else(|| format!("not `// Key: value`: {line}"))?;
            expectation.add(&directive)?;
        }
        expectation.complete()
    }

    fn add(&mut self, directive: &Directive) -> Result<(), String> {
        match directive.key {
            "Feature" => self.feature = directive.value.to_string(),
            "Data-model" => {
                self.models.retain(|model| model.name() == directive.value);
            }
            "Inputs" => self.inputs = Some(directive.value.to_string()),
            "At" => self.end_place = Some(directive.value.to_string()),
            "Gcc" => self.comparable_with_compiler = directive.value != "no",
            "Exit" => self.expect_end(directive.model, &format!("exit status {}", directive.value)),
            "Ended" => self.expect_end(directive.model, directive.value),
            "Output" => {
                for promise in self.promises_of(directive.model) {
                    promise.output.push_str(directive.value);
                    promise.output.push('\n');
                }
            }
            unknown => return Err(format!("unknown key `{unknown}`")),
        }
        Ok(())
    }

    fn promises_of(&mut self, model: Option<DataModel>) -> impl Iterator<Item = &mut Promise> {
        let chosen = move |index: usize| model.is_none_or(|model| model as usize == index);
        self.promises
            .iter_mut()
            .enumerate()
            .filter(move |(index, _)| chosen(*index))
            .map(|(_, promise)| promise)
    }

    /// A line for one data model wins over the line for both, wherever it stands.
    fn expect_end(&mut self, model: Option<DataModel>, ended: &str) {
        for promise in self.promises_of(model) {
            if model.is_some() || promise.ended.is_none() {
                promise.ended = Some(ended.to_string());
            }
        }
    }

    fn complete(self) -> Result<Expectation, String> {
        if self.feature.is_empty() {
            return Err("there is no `// Feature:` line".to_string());
        }
        if self.models.is_empty() {
            return Err("`// Data-model:` names neither ILP32 nor LP64".to_string());
        }
        if self.models.iter().any(|model| self.promises[*model as usize].ended.is_none()) {
            return Err("there is neither an `// Exit:` nor an `// Ended:` line".to_string());
        }
        Ok(self)
    }

    /// An error shows what was expected beside what came.
    pub fn check(&self, model: DataModel, outcome: &Outcome) -> Result<(), String> {
        let promise = &self.promises[model as usize];
        check_output(&promise.output, &outcome.output)?;
        let expected = promise.ended.as_deref().unwrap_or_default();
        if !ends_as(expected, &outcome.ended) {
            return Err(format!("expected end: {expected}\n  actual end: {}", outcome.ended));
        }
        self.check_place(outcome)
    }

    /// A compiled program does not say where it ended, and need not.
    fn check_place(&self, outcome: &Outcome) -> Result<(), String> {
        let Some(line) = outcome.line() else { return Ok(()) };
        let wrong =
            |expected: String| Err(format!("expected end at {expected}\n  actual end: {}", outcome.ended));
        match (&self.end_place, self.end_line) {
            (Some(place), _) if !outcome.ended.contains(&format!("{place}:")) => wrong(place.clone()),
            (None, Some(expected)) if expected != line => wrong(format!("line {expected}")),
            _ => Ok(()),
        }
    }
}

/// The expected words, with or without a location or details after them.
fn ends_as(expected: &str, actual: &str) -> bool {
    actual.strip_prefix(expected).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
}

fn check_output(expected: &str, actual: &str) -> Result<(), String> {
    if expected == actual {
        return Ok(());
    }
    let (mut expected_lines, mut actual_lines) = (expected.lines(), actual.lines());
    for number in 1.. {
        let (expected, actual) = (expected_lines.next(), actual_lines.next());
        if expected != actual {
            let shown =
                |line: Option<&str>| line.map_or("(no more lines)".to_string(), |line| format!("{line:?}"));
            return Err(format!(
                "expected output line {number}: {}\n  actual output line {number}: {}",
                shown(expected),
                shown(actual)
            ));
        }
        if expected.is_none() {
            break;
        }
    }
    Err("the output differs in line ends only".to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str =
        "// Feature: f\n// Exit: 8\n// Exit-ILP32: 4\n// Output: a: b\n// Output-LP64: 64\nint x;\n";

    fn outcome(output: &str, ended: &str) -> Outcome {
        Outcome { output: output.to_string(), ended: ended.to_string() }
    }

    #[test]
    fn keeps_the_data_models_apart() {
        let expectation = Expectation::parse(HEAD).unwrap();
        expectation.check(DataModel::Ilp32, &outcome("a: b\n", "exit status 4")).unwrap();
        expectation.check(DataModel::Lp64, &outcome("a: b\n64\n", "exit status 8")).unwrap();
        assert!(expectation.check(DataModel::Lp64, &outcome("a: b\n64\n", "exit status 4")).is_err());
        assert!(expectation.check(DataModel::Lp64, &outcome("a: b\n", "exit status 8")).is_err());
    }

    #[test]
    fn checks_the_line_of_an_abnormal_end() {
        let text = "// Feature: f\n// Ended: assertion failed\nint x; // ends here\n";
        let expectation = Expectation::parse(text).unwrap();
        expectation.check(DataModel::Lp64, &outcome("", "assertion failed at f.c:3:1")).unwrap();
        expectation.check(DataModel::Lp64, &outcome("", "assertion failed")).unwrap();
        assert!(expectation.check(DataModel::Lp64, &outcome("", "assertion failed at f.c:2:1")).is_err());
    }

    #[test]
    fn checks_the_place_that_line_markers_give() {
        let text = "// Feature: f\n// Ended: assertion failed\n// At: original.c:7\n";
        let expectation = Expectation::parse(text).unwrap();
        expectation.check(DataModel::Lp64, &outcome("", "assertion failed at original.c:7:1")).unwrap();
        assert!(expectation.check(DataModel::Lp64, &outcome("", "assertion failed at f.c:7:1")).is_err());
    }

    #[test]
    fn refuses_a_head_that_promises_nothing() {
        assert!(Expectation::parse("// Feature: f\nint x;\n").is_err());
        assert!(Expectation::parse("// Exit: 0\nint x;\n").is_err());
        assert!(Expectation::parse("// Feature: f\n// Exi: 0\n").is_err());
    }
}

//! Writes the `Exit`, `Ended` and `Output` lines of a program from what the C compiler makes of it.
//! Read the result before you commit it: the compiler is right about most things, but it does not
//! know what you meant.
//!
//! The program is also built with optimisation and, where the compiler has them, with its sanitizers.
//! If these do not agree, the program relies on something that C does not define.

use crate::expectation::directive;
use crate::process::Limits;
use crate::{DataModel, Outcome, compiler};
use std::path::Path;

const LIMITS: Limits = Limits { time: std::time::Duration::from_secs(20), address_space: None };
const OPTIMISED: [&str; 2] = ["-O2", "-fno-builtin"];
const SANITIZED: [&str; 4] =
    ["-g", "-fsanitize=undefined,address", "-fno-sanitize=alignment", "-fno-sanitize-recover=all"];

/// The text with new expectation lines; an error when the compiler does not agree with itself.
pub fn renewed(path: &Path, text: &str) -> Result<String, String> {
    let head: Vec<&str> = text.lines().take_while(|line| line.starts_with("//")).collect();
    let value = |key: &str| head.iter().filter_map(|line| directive(line)).find(|line| line.key == key);
    if value("Gcc").is_some_and(|line| line.value == "no") {
        return Ok(text.to_string());
    }
    let inputs = value("Inputs").map_or("", |line| line.value);
    let models: Vec<DataModel> = DataModel::ALL
        .into_iter()
        .filter(|model| value("Data-model").is_none_or(|line| line.value == model.name()))
        .collect();
    let outcomes = models
        .iter()
        .map(|model| Ok((*model, agreed_outcome(*model, path, inputs)?)))
        .collect::<Result<Vec<_>, String>>()?;
    let kept = head.iter().filter(|line| !is_promise(line)).map(|line| line.to_string());
    let body = text.lines().skip(head.len()).map(str::to_string);
    let lines: Vec<String> = kept.chain(promises(&outcomes)).chain(body).collect();
    Ok(lines.join("\n") + "\n")
}

fn is_promise(line: &str) -> bool {
    directive(line).is_some_and(|line| matches!(line.key, "Exit" | "Ended" | "Output"))
}

fn agreed_outcome(model: DataModel, path: &Path, inputs: &str) -> Result<Outcome, String> {
    let plain = compiler::outcome(model, &[], path, inputs, LIMITS)?;
    for flags in [&OPTIMISED[..], &SANITIZED[..]] {
        let other = compiler::outcome(model, flags, path, inputs, LIMITS)?;
        if other != plain {
            return Err(format!("{model}: {flags:?} gives\n{other:?}\nin place of\n{plain:?}"));
        }
    }
    if plain.output.lines().any(|line| line.ends_with([' ', '\t'])) {
        return Err("a line of the output ends in a blank, which editors like to remove".to_string());
    }
    Ok(plain)
}

fn promises(outcomes: &[(DataModel, Outcome)]) -> Vec<String> {
    let ends: Vec<_> = outcomes.iter().map(|(model, outcome)| (*model, outcome.ended.as_str())).collect();
    let mut lines: Vec<String> =
        split(&ends).into_iter().map(|(suffix, ended)| end_line(suffix, ended)).collect();
    let outputs: Vec<_> = outcomes
        .iter()
        .map(|(model, outcome)| (*model, outcome.output.lines().collect::<Vec<_>>()))
        .collect();
    lines.extend(output_lines(&outputs));
    lines
}

fn end_line(suffix: Option<DataModel>, ended: &str) -> String {
    match ended.strip_prefix("exit status ") {
        Some(status) => line("Exit", suffix, status),
        None => line("Ended", suffix, ended),
    }
}

fn line(key: &str, model: Option<DataModel>, value: &str) -> String {
    let suffix = model.map_or(String::new(), |model| format!("-{model}"));
    format!("// {key}{suffix}: {value}").trim_end().to_string()
}

/// One value for all models if they agree, otherwise each with its model.
fn split<'a>(values: &[(DataModel, &'a str)]) -> Vec<(Option<DataModel>, &'a str)> {
    match values {
        [(_, first), rest @ ..] if rest.iter().all(|(_, other)| other == first) => vec![(None, *first)],
        _ => values.iter().map(|(model, value)| (Some(*model), *value)).collect(),
    }
}

fn output_lines(outputs: &[(DataModel, Vec<&str>)]) -> Vec<String> {
    let length = outputs.iter().map(|(_, lines)| lines.len()).max().unwrap_or(0);
    let mut result = Vec::new();
    for index in 0..length {
        let row: Vec<_> =
            outputs.iter().filter_map(|(model, lines)| Some((*model, *lines.get(index)?))).collect();
        let complete = row.len() == outputs.len();
        let parts = if complete {
            split(&row)
        } else {
            row.iter().map(|(model, text)| (Some(*model), *text)).collect()
        };
        result.extend(parts.into_iter().map(|(suffix, text)| line("Output", suffix, text)));
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(output: &str, ended: &str) -> Outcome {
        Outcome { output: output.to_string(), ended: ended.to_string() }
    }

    #[test]
    fn names_the_data_model_only_where_it_matters() {
        let outcomes = [
            (DataModel::Ilp32, outcome("same\n4\n", "exit status 0")),
            (DataModel::Lp64, outcome("same\n8\n", "exit status 0")),
        ];
        let expected = ["// Exit: 0", "// Output: same", "// Output-ILP32: 4", "// Output-LP64: 8"];
        assert_eq!(promises(&outcomes), expected);
    }
}

//! Properties, as the field writes them in `.prp` files.
//!
//! A file holds one or more lines `CHECK( init(main()), LTL(formula) )` or
//! `COVER( init(main()), FQL(COVER EDGES(goals)) )`. A property can also be given by its usual name
//! (`unreach-call`, `no-overflow`, `valid-memsafety`, …).

use cfa::Lives;
use std::fmt;

/// Everything that a run shall check or cover.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Property {
    /// The function in which runs begin, `main` as a rule.
    pub entry: String,
    pub goals: Vec<Goal>,
}

/// One thing to check or to cover.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Goal {
    /// `G ! call(f())`: the function is never called.
    UnreachableCall(String),
    /// `G ! overflow`: no signed integer overflow.
    NoOverflow,
    /// `G valid-free`
    ValidFree,
    /// `G valid-deref`
    ValidDereference,
    /// `G valid-memtrack`: memory that is still allocated is still pointed to.
    ValidMemoryTracking,
    /// `G valid-memcleanup`: all memory is freed when the program ends.
    ValidMemoryCleanup,
    /// Nothing is divided by zero.
    ValidDivision,
    /// Indices are inside of their arrays.
    ValidIndex,
    /// Shift counts are neither negative nor too large.
    ValidShift,
    /// Nothing is read before it is written.
    Initialised,
    /// `G def-behavior`: nothing undefined happens.
    DefinedBehavior,
    /// `G ! data-race`
    NoDataRace,
    /// `F end`: every run ends.
    Termination,
    Cover(Coverage),
}

/// What a test suite shall cover.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Coverage {
    /// `@BASICBLOCKENTRY`
    Statements,
    /// `@DECISIONEDGE`
    Branches,
    /// `@CONDITIONEDGE`
    Conditions,
    /// `@CALL(f)`
    Calls(String),
}

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PropertyError {
    #[error("line {line}: {message}")]
    Syntax { line: usize, message: String },
    #[error(
        "no property in it: expected lines such as 'CHECK( init(main()), LTL(G ! call(reach_error())) )'"
    )]
    Empty,
    #[error("unknown property '{name}': expected a file, or one of {}", Property::NAMES.join(", "))]
    UnknownName { name: String },
    #[error(
        "line {line}: all properties of a file must start in the same function, here '{found}' and '{expected}'"
    )]
    Entry { line: usize, found: String, expected: String },
}

impl Property {
    /// The names that [`Property::named`] knows.
    pub const NAMES: &[&str] = &[
        "unreach-call",
        "no-overflow",
        "valid-memsafety",
        "valid-memcleanup",
        "def-behavior",
        "no-data-race",
        "termination",
        "coverage-statements",
        "coverage-branches",
        "coverage-conditions",
        "coverage-error-call",
    ];

    /// The property of that name in the field's collections.
    pub fn named(name: &str) -> Result<Property, PropertyError> {
        let goals = match name {
            "unreach-call" => error_functions().map(Goal::UnreachableCall).collect(),
            "no-overflow" => vec![Goal::NoOverflow],
            "valid-memsafety" => vec![Goal::ValidFree, Goal::ValidDereference, Goal::ValidMemoryTracking],
            "valid-memcleanup" => vec![Goal::ValidMemoryCleanup],
            "def-behavior" => vec![Goal::DefinedBehavior],
            "no-data-race" => vec![Goal::NoDataRace],
            "termination" => vec![Goal::Termination],
            "coverage-statements" => vec![Goal::Cover(Coverage::Statements)],
            "coverage-branches" => vec![Goal::Cover(Coverage::Branches)],
            "coverage-conditions" => vec![Goal::Cover(Coverage::Conditions)],
            "coverage-error-call" => error_functions().map(|f| Goal::Cover(Coverage::Calls(f))).collect(),
            _ => return Err(PropertyError::UnknownName { name: name.into() }),
        };
        Ok(Property { entry: "main".into(), goals })
    }

    /// Reads the text of a `.prp` file.
    pub fn parse(text: &str) -> Result<Property, PropertyError> {
        let mut entry: Option<String> = None;
        let mut goals = Vec::new();
        for (index, line) in text.lines().enumerate() {
            let line_number = index + 1;
            let line = line.trim();
            if line.is_empty() || line.starts_with("//") || line.starts_with('#') {
                continue;
            }
            let (start, goal) =
                parse_line(line).map_err(|message| PropertyError::Syntax { line: line_number, message })?;
            match &entry {
                Some(expected) if *expected != start => {
                    let expected = expected.clone();
                    return Err(PropertyError::Entry { line: line_number, found: start, expected });
                }
                _ => entry = Some(start),
            }
            goals.push(goal);
        }
        let entry = entry.ok_or(PropertyError::Empty)?;
        Ok(Property { entry, goals })
    }
}

/// What tasks call to say that something went wrong; the older name first.
fn error_functions() -> impl Iterator<Item = String> {
    ["__VERIFIER_error", "reach_error"].into_iter().map(String::from)
}

fn parse_line(line: &str) -> Result<(String, Goal), String> {
    let mut parser = Parser { rest: line };
    let covers = match parser.word() {
        Some("CHECK") => false,
        Some("COVER") => true,
        _ => return Err("expected 'CHECK(' or 'COVER('".into()),
    };
    parser.expect("(")?;
    parser.expect("init")?;
    parser.expect("(")?;
    let entry = parser.function()?;
    parser.expect(")")?;
    parser.expect(",")?;
    let goal = if covers { parser.coverage()? } else { parser.formula()? };
    parser.expect(")")?;
    parser.end()?;
    Ok((entry, goal))
}

/// What is left of a line.
struct Parser<'a> {
    rest: &'a str,
}

impl<'a> Parser<'a> {
    fn eat(&mut self, token: &str) -> bool {
        match self.rest.trim_start().strip_prefix(token) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn expect(&mut self, token: &str) -> Result<(), String> {
        if self.eat(token) { Ok(()) } else { Err(format!("expected '{token}', found {}", self.found())) }
    }

    fn end(&mut self) -> Result<(), String> {
        if self.rest.trim().is_empty() { Ok(()) } else { Err(format!("unexpected {}", self.found())) }
    }

    fn found(&self) -> String {
        match self.rest.trim() {
            "" => "the end of the line".into(),
            rest => format!("'{rest}'"),
        }
    }

    /// Letters, digits, and what names of properties and functions have in between.
    fn word(&mut self) -> Option<&'a str> {
        let text = self.rest.trim_start();
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '$');
        let length = text.find(|c| !is_part(c)).unwrap_or(text.len());
        let (word, rest) = text.split_at(length);
        if word.is_empty() {
            return None;
        }
        self.rest = rest;
        Some(word)
    }

    /// `name()`, or just `name`.
    fn function(&mut self) -> Result<String, String> {
        let name = self.word().ok_or_else(|| format!("expected a function, found {}", self.found()))?;
        if self.eat("(") {
            self.expect(")")?;
        }
        Ok(name.into())
    }

    fn formula(&mut self) -> Result<Goal, String> {
        self.expect("LTL")?;
        self.expect("(")?;
        let goal = match self.word() {
            Some("G") => self.invariant()?,
            Some("F") => {
                self.expect("end")?;
                Goal::Termination
            }
            _ => return Err(format!("expected 'G' or 'F', found {}", self.found())),
        };
        self.expect(")")?;
        Ok(goal)
    }

    fn invariant(&mut self) -> Result<Goal, String> {
        let negated = self.eat("!");
        let word = self.word().ok_or_else(|| format!("expected a property, found {}", self.found()))?;
        match (negated, word) {
            (true, "call") => {
                self.expect("(")?;
                let function = self.function()?;
                self.expect(")")?;
                Ok(Goal::UnreachableCall(function))
            }
            (true, "overflow") => Ok(Goal::NoOverflow),
            (true, "data-race") => Ok(Goal::NoDataRace),
            (false, "valid-free") => Ok(Goal::ValidFree),
            (false, "valid-deref") => Ok(Goal::ValidDereference),
            (false, "valid-memtrack") => Ok(Goal::ValidMemoryTracking),
            (false, "valid-memcleanup") => Ok(Goal::ValidMemoryCleanup),
            (false, "def-behavior") => Ok(Goal::DefinedBehavior),
            (true, _) => Err(format!("unknown property '! {word}'")),
            (false, _) => Err(format!("unknown property '{word}'")),
        }
    }

    fn coverage(&mut self) -> Result<Goal, String> {
        for token in ["FQL", "(", "COVER", "EDGES", "(", "@"] {
            self.expect(token)?;
        }
        let coverage = match self.word() {
            Some("BASICBLOCKENTRY") => Coverage::Statements,
            Some("DECISIONEDGE") => Coverage::Branches,
            Some("CONDITIONEDGE") => Coverage::Conditions,
            Some("CALL") => {
                self.expect("(")?;
                let function = self.function()?;
                self.expect(")")?;
                Coverage::Calls(function)
            }
            _ => return Err(format!("unknown coverage goal before {}", self.found())),
        };
        self.expect(")")?;
        self.expect(")")?;
        Ok(Goal::Cover(coverage))
    }
}

/// What a program must tell of its variables' lives for these goals to be checked.
pub fn lives(goals: &[Goal]) -> Lives {
    if goals.contains(&Goal::ValidMemoryTracking) { Lives::Pointing } else { Lives::PointedTo }
}

impl fmt::Display for Goal {
    /// The name that verdicts use, as in `FALSE(unreach-call)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Goal::UnreachableCall(_) => "unreach-call",
            Goal::NoOverflow => "no-overflow",
            Goal::ValidFree => "valid-free",
            Goal::ValidDereference => "valid-deref",
            Goal::ValidMemoryTracking => "valid-memtrack",
            Goal::ValidMemoryCleanup => "valid-memcleanup",
            Goal::ValidDivision => "valid-division",
            Goal::ValidIndex => "valid-index",
            Goal::ValidShift => "valid-shift",
            Goal::Initialised => "initialised",
            Goal::DefinedBehavior => "def-behavior",
            Goal::NoDataRace => "no-data-race",
            Goal::Termination => "termination",
            Goal::Cover(Coverage::Statements) => "coverage-statements",
            Goal::Cover(Coverage::Branches) => "coverage-branches",
            Goal::Cover(Coverage::Conditions) => "coverage-conditions",
            Goal::Cover(Coverage::Calls(_)) => "coverage-error-call",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn goals(text: &str) -> Vec<Goal> {
        Property::parse(text).unwrap().goals
    }

    fn error(text: &str) -> String {
        Property::parse(text).unwrap_err().to_string()
    }

    #[test]
    fn the_field_s_properties_are_recognised() {
        assert_eq!(
            goals("CHECK( init(main()), LTL(G ! call(reach_error())) )"),
            [Goal::UnreachableCall("reach_error".into())]
        );
        assert_eq!(goals("CHECK( init(main()), LTL(G ! overflow) )\n\n"), [Goal::NoOverflow]);
        assert_eq!(goals("CHECK( init(main()), LTL(F end) )"), [Goal::Termination]);
        assert_eq!(
            goals(
                "CHECK( init(main()), LTL(G valid-free) )\n\
                 CHECK( init(main()), LTL(G valid-deref) )\n\
                 CHECK( init(main()), LTL(G valid-memtrack) )"
            ),
            [Goal::ValidFree, Goal::ValidDereference, Goal::ValidMemoryTracking]
        );
    }

    #[test]
    fn coverage_goals_are_recognised() {
        let edges = |goal| goals(&format!("COVER( init(main()), FQL(COVER EDGES({goal})) )")).remove(0);
        assert_eq!(edges("@DECISIONEDGE"), Goal::Cover(Coverage::Branches));
        assert_eq!(edges("@CONDITIONEDGE"), Goal::Cover(Coverage::Conditions));
        assert_eq!(edges("@BASICBLOCKENTRY"), Goal::Cover(Coverage::Statements));
        assert_eq!(edges("@CALL(f)"), Goal::Cover(Coverage::Calls("f".into())));
    }

    #[test]
    fn every_name_is_known() {
        for name in Property::NAMES {
            assert!(!Property::named(name).unwrap().goals.is_empty(), "{name}");
        }
        let message = Property::named("unreach").unwrap_err().to_string();
        assert!(message.contains("unreach-call"), "{message}");
    }

    #[test]
    fn errors_say_what_was_expected_and_where() {
        assert_eq!(error("\n"), PropertyError::Empty.to_string());
        assert_eq!(error("\nCHECK init"), "line 2: expected '(', found 'init'");
        assert_eq!(
            error("CHECK( init(main()), LTL(G ! deadlock) )"),
            "line 1: unknown property '! deadlock'"
        );
        assert_eq!(error("CHECK( init(main()), LTL(G ! overflow) ) )"), "line 1: unexpected ')'");
        assert!(
            error("CHECK( init(a()), LTL(F end) )\nCHECK( init(b()), LTL(F end) )").contains("'b' and 'a'")
        );
    }
}

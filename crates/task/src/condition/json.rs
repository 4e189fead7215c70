//! Conditions as JSON: the types as serde writes them.

use super::{Condition, ConditionError};

pub fn write(condition: &Condition) -> String {
    serde_json::to_string_pretty(condition).unwrap_or_default() + "\n"
}

pub(super) fn read(input: &str) -> Result<Condition, ConditionError> {
    serde_json::from_str(input)
        .map_err(|error| ConditionError::Syntax { line: error.line(), message: error.to_string() })
}

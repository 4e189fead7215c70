//! What came out of running a C program, interpreted or compiled.

/// `ended` is in the words of `proviso run`, without the leading `ended: `.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    pub output: String,
    pub ended: String,
}

impl Outcome {
    /// The line of a location `FILE:LINE:COLUMN` at the end of `ended`.
    pub fn line(&self) -> Option<usize> {
        let (_, location) = self.ended.rsplit_once(" at ")?;
        let mut parts = location.rsplit(':');
        parts.next()?;
        parts.next()?.parse().ok()
    }
}

/// The exit code `proviso run` should have for an ending; none where either is reasonable.
pub fn tool_exit_code(ended: &str) -> Option<i32> {
    const VIOLATIONS: [&str; 6] = [
        "error call",
        "assertion failed",
        "signed overflow",
        "division by zero",
        "invalid dereference",
        "invalid free",
    ];
    if VIOLATIONS.iter().any(|violation| ended.starts_with(violation)) {
        Some(10)
    } else if ended.starts_with("step limit") || ended.starts_with("unsupported") {
        Some(5)
    } else if ended.starts_with("exit status") || ended == "aborted" {
        Some(0)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_line_of_an_ending() {
        let outcome = |ended: &str| Outcome { output: String::new(), ended: ended.to_string() };
        assert_eq!(outcome("assertion failed at a b/c:d.c:14:3").line(), Some(14));
        assert_eq!(outcome("aborted").line(), None);
    }
}

//! C expressions over the values that can be observed at a location, as terms.
//!
//! A small parser of what [`term::print::c`] writes, with C's rules for types: promotions, the usual
//! arithmetic conversions, casts between integer types. Anything else is refused.

use super::super::template::Location;
use cfa::Program;
use invariants::Observable;
use term::{Sort, TermId, TermPool};

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ExpressionError {
    #[error("expected {expected} at '{found}'")]
    Syntax { expected: &'static str, found: String },
    #[error("the expression is too deep")]
    TooDeep,
    #[error("'{0}' is not known here")]
    Unknown(String),
}

/// What can be observed at a location, by name.
#[derive(Default)]
pub struct Names {
    /// The longest names first.
    names: Vec<(String, Value)>,
}

impl Names {
    pub fn new(location: &Location, pool: &TermPool, program: &Program) -> Self {
        let known = location.placeholders.iter().zip(&location.observed);
        let mut names: Vec<(String, Value)> = known
            .filter_map(|(&placeholder, watched)| {
                let Observable::Value(_) = watched.observable else { return None };
                let term = placeholder?;
                let Sort::BitVec(width) = pool.sort(term) else { return None };
                let value = Value { term, width, signed: watched.signed };
                Some((invariants::text_of(program, watched.observable), value))
            })
            .collect();
        names.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
        Self { names }
    }
}

/// An integer of a type.
#[derive(Clone, Copy, Debug)]
pub struct Value {
    term: TermId,
    width: u32,
    signed: bool,
}

/// Nesting deeper than this is refused.
const MAX_DEPTH: u32 = 200;
const INT: u32 = 32;

/// Whether a text is an expression, whatever its names are.
pub fn check(text: &str) -> Result<(), ExpressionError> {
    let mut pool = TermPool::new();
    let mut parser = Parser { pool: &mut pool, names: None, rest: text, depth: 0 };
    match parser.whole() {
        Ok(_) | Err(ExpressionError::Unknown(_)) => Ok(()),
        Err(error) => Err(error),
    }
}

/// The condition that an expression says.
pub fn parse(pool: &mut TermPool, names: &Names, text: &str) -> Result<TermId, ExpressionError> {
    Parser { pool, names: Some(names), rest: text, depth: 0 }.whole()
}

struct Parser<'a> {
    pool: &'a mut TermPool,
    /// None if every name is a number.
    names: Option<&'a Names>,
    rest: &'a str,
    depth: u32,
}

type Parsed = Result<Value, ExpressionError>;

/// Operators with two operands, those that bind least first.
const LEVELS: [&[&str]; 10] = [
    &["||"],
    &["&&"],
    &["|"],
    &["^"],
    &["&"],
    &["==", "!="],
    &["<=", ">=", "<", ">"],
    &["<<", ">>"],
    &["+", "-"],
    &["*", "/", "%"],
];

/// Types, the longest names first; with width, sign.
const TYPES: [(&str, u32, bool); 12] = [
    ("unsigned long long", 64, false),
    ("unsigned __int128", 128, false),
    ("unsigned short", 16, false),
    ("unsigned char", 8, false),
    ("unsigned int", 32, false),
    ("signed char", 8, true),
    ("long long", 64, true),
    ("__int128", 128, true),
    ("unsigned", 32, false),
    ("short", 16, true),
    ("int", 32, true),
    ("char", 8, true),
];

impl<'a> Parser<'a> {
    fn whole(&mut self) -> Result<TermId, ExpressionError> {
        let value = self.conditional()?;
        self.space();
        if !self.rest.is_empty() {
            return self.expected("an operator");
        }
        Ok(self.truth(value))
    }

    fn expected<T>(&self, expected: &'static str) -> Result<T, ExpressionError> {
        Err(ExpressionError::Syntax { expected, found: self.rest.chars().take(20).collect() })
    }

    fn space(&mut self) {
        self.rest = self.rest.trim_start();
    }

    fn eat(&mut self, token: &str) -> bool {
        self.space();
        match self.rest.strip_prefix(token) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn deeper<T>(
        &mut self,
        parse: impl FnOnce(&mut Self) -> Result<T, ExpressionError>,
    ) -> Result<T, ExpressionError> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(ExpressionError::TooDeep);
        }
        let result = parse(self);
        self.depth -= 1;
        result
    }

    fn conditional(&mut self) -> Parsed {
        let condition = self.binary(0)?;
        if !self.eat("?") {
            return Ok(condition);
        }
        let then = self.deeper(Self::conditional)?;
        if !self.eat(":") {
            return self.expected("':'");
        }
        let otherwise = self.deeper(Self::conditional)?;
        let (then, otherwise) = self.common(then, otherwise);
        let condition = self.truth(condition);
        Ok(Value { term: self.pool.ite(condition, then.term, otherwise.term), ..then })
    }

    fn binary(&mut self, level: usize) -> Parsed {
        let Some(operators) = LEVELS.get(level) else { return self.unary() };
        let mut left = self.binary(level + 1)?;
        while let Some(operator) = self.operator(operators) {
            let right = self.binary(level + 1)?;
            left = self.apply(operator, left, right)?;
        }
        Ok(left)
    }

    /// One of the operators, and not the start of a longer one.
    fn operator(&mut self, operators: &[&'static str]) -> Option<&'static str> {
        self.space();
        let all = LEVELS.iter().flat_map(|level| level.iter().copied());
        let longest = all.filter(|operator| self.rest.starts_with(operator)).max_by_key(|text| text.len())?;
        if !operators.contains(&longest) {
            return None;
        }
        self.rest = &self.rest[longest.len()..];
        Some(longest)
    }

    fn apply(&mut self, operator: &str, left: Value, right: Value) -> Parsed {
        match operator {
            "||" | "&&" => {
                let (left, right) = (self.truth(left), self.truth(right));
                let result = match operator {
                    "||" => self.pool.or(left, right),
                    _ => self.pool.and(left, right),
                };
                return Ok(self.int(result));
            }
            "<<" | ">>" => return self.shift(operator, left, right),
            _ => {}
        }
        let (left, right) = self.common(left, right);
        let (signed, a, b) = (left.signed, left.term, right.term);
        let pool = &mut *self.pool;
        let less = |pool: &mut TermPool, a, b| if signed { pool.slt(a, b) } else { pool.ult(a, b) };
        let truth = match operator {
            "==" => pool.eq(a, b),
            "!=" => {
                let same = pool.eq(a, b);
                pool.not(same)
            }
            "<" => less(pool, a, b),
            ">" => less(pool, b, a),
            "<=" => {
                let above = less(pool, b, a);
                pool.not(above)
            }
            ">=" => {
                let below = less(pool, a, b);
                pool.not(below)
            }
            _ => return self.arithmetic(operator, left, right),
        };
        Ok(self.int(truth))
    }

    fn arithmetic(&mut self, operator: &str, left: Value, right: Value) -> Parsed {
        let (signed, a, b) = (left.signed, left.term, right.term);
        let pool = &mut *self.pool;
        let term = match operator {
            "+" => pool.add(a, b),
            "-" => pool.sub(a, b),
            "*" => pool.mul(a, b),
            "/" if signed => pool.sdiv(a, b),
            "/" => pool.udiv(a, b),
            "%" if signed => pool.srem(a, b),
            "%" => pool.urem(a, b),
            "&" => pool.bit_and(a, b),
            "|" => pool.bit_or(a, b),
            _ => pool.bit_xor(a, b),
        };
        Ok(Value { term, ..left })
    }

    fn shift(&mut self, operator: &str, left: Value, right: Value) -> Parsed {
        let left = self.promoted(left);
        let right = self.cast(right, left.width, right.signed);
        let (a, b) = (left.term, right.term);
        let term = match (operator, left.signed) {
            ("<<", _) => self.pool.shl(a, b),
            (_, true) => self.pool.ashr(a, b),
            (_, false) => self.pool.lshr(a, b),
        };
        Ok(Value { term, ..left })
    }

    fn unary(&mut self) -> Parsed {
        if let Some(operator) = ["!", "~", "-"].into_iter().find(|operator| self.eat(operator)) {
            let operand = self.deeper(Self::unary)?;
            if operator == "!" {
                let truth = self.truth(operand);
                let result = self.pool.not(truth);
                return Ok(self.int(result));
            }
            let operand = self.promoted(operand);
            let term =
                if operator == "~" { self.pool.bit_not(operand.term) } else { self.pool.neg(operand.term) };
            return Ok(Value { term, ..operand });
        }
        if let Some(value) = self.name() {
            return Ok(value);
        }
        if self.eat("(") {
            return self.deeper(Self::enclosed);
        }
        self.number()
    }

    /// Behind an opening parenthesis: a cast, or an expression.
    fn enclosed(&mut self) -> Parsed {
        self.space();
        for (name, width, signed) in TYPES {
            if let Some(rest) = self.rest.strip_prefix(name)
                && let Some(rest) = rest.trim_start().strip_prefix(')')
            {
                self.rest = rest;
                let operand = self.unary()?;
                return Ok(self.cast(operand, width, signed));
            }
        }
        let value = self.conditional()?;
        if !self.eat(")") {
            return self.expected("')'");
        }
        Ok(value)
    }

    fn number(&mut self) -> Parsed {
        self.space();
        let digits = self.rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(self.rest.len());
        let (number, rest) = self.rest.split_at(digits);
        if number.is_empty() {
            return self.unknown_name();
        }
        let Ok(number) = number.parse::<u128>() else { return self.expected("a number that fits") };
        let suffix = rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len());
        let (suffix, after) = rest.split_at(suffix);
        let (width, signed) = match suffix.to_ascii_lowercase().as_str() {
            "" if number <= i32::MAX as u128 => (INT, true),
            "" if number <= i64::MAX as u128 => (64, true),
            "u" if number <= u128::from(u32::MAX) => (INT, false),
            "u" | "ul" | "ull" if number <= u128::from(u64::MAX) => (64, false),
            "l" | "ll" if number <= i64::MAX as u128 => (64, true),
            _ => return self.expected("a number that fits"),
        };
        self.rest = after;
        let term = self.pool.bitvec(width, number as u64);
        Ok(Value { term, width, signed })
    }

    /// A name that can be observed.
    fn name(&mut self) -> Option<Value> {
        self.space();
        let names = self.names?;
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.' || c == '[';
        let (name, value) = names.names.iter().find(|(name, _)| {
            let rest = self.rest.strip_prefix(name.as_str());
            rest.is_some_and(|rest| !rest.starts_with(is_word) && !rest.starts_with("->"))
        })?;
        self.rest = &self.rest[name.len()..];
        Some(*value)
    }

    /// A name of something that is not here, or no expression at all.
    fn unknown_name(&mut self) -> Parsed {
        let start = self.rest.trim_start_matches('*');
        let length = start.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(start.len());
        if length == 0 || start.starts_with(|c: char| c.is_ascii_digit()) {
            return self.expected("an operand");
        }
        if self.names.is_some() {
            return Err(ExpressionError::Unknown(start[..length].to_string()));
        }
        self.rest = &start[length..];
        self.skip_access()?;
        let term = self.pool.variable("anything", Sort::BitVec(INT));
        Ok(Value { term, width: INT, signed: true })
    }

    /// Fields, indices and arguments behind a name, when only the form is checked.
    fn skip_access(&mut self) -> Result<(), ExpressionError> {
        loop {
            if self.rest.starts_with(['[', '(']) {
                let close = if self.rest.starts_with('[') { "]" } else { ")" };
                self.rest = &self.rest[1..];
                self.deeper(Self::conditional)?;
                while self.eat(",") {
                    self.deeper(Self::conditional)?;
                }
                if !self.eat(close) {
                    return self.expected("a closing bracket");
                }
            } else if let Some(rest) = self.rest.strip_prefix("->").or_else(|| self.rest.strip_prefix('.')) {
                self.rest = rest.trim_start_matches(|c: char| c.is_alphanumeric() || c == '_');
            } else {
                return Ok(());
            }
        }
    }

    fn truth(&mut self, value: Value) -> TermId {
        let zero = self.pool.bitvec(value.width, 0);
        let is_zero = self.pool.eq(value.term, zero);
        self.pool.not(is_zero)
    }

    /// 0 or 1.
    fn int(&mut self, truth: TermId) -> Value {
        Value { term: self.pool.bool_to_bitvec(truth, INT), width: INT, signed: true }
    }

    fn promoted(&mut self, value: Value) -> Value {
        if value.width < INT { self.cast(value, INT, true) } else { value }
    }

    /// The usual arithmetic conversions.
    fn common(&mut self, left: Value, right: Value) -> (Value, Value) {
        let (left, right) = (self.promoted(left), self.promoted(right));
        let width = left.width.max(right.width);
        let signed = [left, right].iter().all(|value| value.signed || value.width < width);
        (self.cast(left, width, signed), self.cast(right, width, signed))
    }

    fn cast(&mut self, value: Value, width: u32, signed: bool) -> Value {
        let term = match width.cmp(&value.width) {
            std::cmp::Ordering::Less => self.pool.extract(value.term, width - 1, 0),
            std::cmp::Ordering::Equal => value.term,
            std::cmp::Ordering::Greater if value.signed => self.pool.sign_extend(value.term, width),
            std::cmp::Ordering::Greater => self.pool.zero_extend(value.term, width),
        };
        Value { term, width, signed }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use term::print::c::CPrinter;

    fn names(pool: &mut TermPool) -> Names {
        let mut value = |name: &str, width, signed| {
            let term = pool.variable(name, Sort::BitVec(width));
            (name.to_string(), Value { term, width, signed })
        };
        Names {
            names: vec![
                value("p->next", 32, false),
                value("ii", 32, true),
                value("i", 32, true),
                value("c", 8, true),
            ],
        }
    }

    #[test]
    fn what_is_printed_is_read() {
        let mut pool = TermPool::new();
        let names = names(&mut pool);
        let mut printer = CPrinter::new();
        names
            .names
            .iter()
            .filter(|(_, value)| value.signed)
            .for_each(|(_, value)| printer.declare_signed(value.term));
        let texts = [
            "i < 10",
            "ii >= i",
            "i == 2",
            "p->next == 0u",
            "(i < 3) || (c == 7)",
            "(unsigned int)i + 4u == (unsigned int)ii",
            "c < i",
            "i % 4 == 2",
            "(i & 1) != 0",
            "(i < 5 ? 1 : 2) == ii",
            "-i == 7 && !(ii <= -3)",
        ];
        for text in texts {
            let term = parse(&mut pool, &names, text).unwrap();
            let printed = printer.print(&pool, term).unwrap();
            let again = parse(&mut pool, &names, &printed).unwrap();
            assert_eq!(term, again, "{text} is printed as {printed}");
        }
    }

    #[test]
    fn conversions_are_those_of_c() {
        let mut pool = TermPool::new();
        let names = names(&mut pool);
        let truth = |pool: &mut TermPool, text: &str| {
            let term = parse(pool, &names, text).unwrap();
            pool.truth_value(term)
        };
        assert_eq!(truth(&mut pool, "-1 < 1u"), Some(false));
        assert_eq!(truth(&mut pool, "-1 < 1"), Some(true));
        assert_eq!(truth(&mut pool, "(unsigned char)255 == 255"), Some(true));
        assert_eq!(truth(&mut pool, "(signed char)255 == -1"), Some(true));
        assert_eq!(truth(&mut pool, "-1 >> 1 == -1"), Some(true));
        assert_eq!(truth(&mut pool, "1 + 2 * 3 == 7"), Some(true));
    }

    #[test]
    fn unknown_names_and_nonsense_are_told_apart() {
        let mut pool = TermPool::new();
        let names = names(&mut pool);
        assert!(matches!(parse(&mut pool, &names, "gone == 1"), Err(ExpressionError::Unknown(_))));
        assert!(check("gone->a[3].b == f(1, 2)").is_ok());
        for text in
            ["", "i <", "i 3", "(i", "i == ", "1x", ")", "i ? 1", "99999999999999999999999999999999999999999"]
        {
            assert!(check(text).is_err(), "{text}");
        }
    }
}

//! Assumptions of condition automata: C expressions over the variables of a function.
//!
//! They come from outside, so nothing is taken for granted. An assumption counts as true only if all values
//! in it are known and all results are small enough to be the same in every integer type that the expression
//! can have; in every other case the automaton goes to `open`, where nothing is lost but time.

use crate::composite::Facts;
use cfa::{BinaryOp, FunctionId, Program, VariableId};

/// A parsed assumption.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Assumption {
    root: Expression,
    /// Values below zero would be something else in an unsigned type.
    has_unsigned: bool,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Expression {
    Number(i128),
    Variable(VariableId),
    Negate(Box<Expression>),
    Not(Box<Expression>),
    And(Box<Expression>, Box<Expression>),
    Or(Box<Expression>, Box<Expression>),
    Binary(BinaryOp, Box<Expression>, Box<Expression>),
}

/// Deeper nesting is not read.
const MAX_DEPTH: u32 = 100;

impl Assumption {
    /// `None` if it is something else than a simple expression over variables that have unique names.
    pub fn parse(text: &str, program: &Program, function: FunctionId) -> Option<Self> {
        let tokens = tokens(text)?;
        let mut parser =
            Parser { program, function, tokens: &tokens, next: 0, depth: 0, has_unsigned: false };
        let root = parser.binary(0)?;
        (parser.next == tokens.len()).then_some(Self { root, has_unsigned: parser.has_unsigned })
    }

    /// Whether it surely holds in the state that is worked on.
    pub fn holds(&self, facts: &dyn Facts) -> bool {
        self.value(&self.root, facts).is_some_and(|value| value != 0)
    }

    /// The value, if it is the same in all types.
    fn value(&self, expression: &Expression, facts: &dyn Facts) -> Option<i128> {
        let value = |expression: &Expression| self.value(expression, facts);
        let result = match expression {
            Expression::Number(number) => *number,
            Expression::Variable(variable) => facts.number(*variable)?,
            Expression::Negate(operand) => -value(operand)?,
            Expression::Not(operand) => i128::from(value(operand)? == 0),
            Expression::And(left, right) => match (value(left), value(right)) {
                (Some(0), _) => 0,
                (Some(_), right) => i128::from(right? != 0),
                (None, _) => return None,
            },
            Expression::Or(left, right) => match (value(left), value(right)) {
                (Some(0), right) => i128::from(right? != 0),
                (Some(_), _) => 1,
                (None, _) => return None,
            },
            Expression::Binary(op, left, right) => apply(*op, value(left)?, value(right)?)?,
        };
        let lowest = if self.has_unsigned { 0 } else { i128::from(i32::MIN) + 1 };
        (lowest..=i128::from(i32::MAX)).contains(&result).then_some(result)
    }
}

fn apply(op: BinaryOp, left: i128, right: i128) -> Option<i128> {
    use BinaryOp::*;
    Some(match op {
        Add => left + right,
        Subtract => left - right,
        Multiply => left * right,
        Divide => left.checked_div(right)?,
        Remainder => left.checked_rem(right)?,
        Less => i128::from(left < right),
        LessEqual => i128::from(left <= right),
        Greater => i128::from(left > right),
        GreaterEqual => i128::from(left >= right),
        Equal => i128::from(left == right),
        NotEqual => i128::from(left != right),
        _ => return None,
    })
}

fn tokens(text: &str) -> Option<Vec<&str>> {
    let (mut found, mut rest) = (Vec::new(), text.trim_start());
    while let Some(first) = rest.chars().next() {
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let length = match first {
            _ if is_word(first) => rest.find(|c: char| !is_word(c)).unwrap_or(rest.len()),
            _ if ["<=", ">=", "==", "!=", "&&", "||"].iter().any(|two| rest.starts_with(two)) => 2,
            '<' | '>' | '!' | '+' | '-' | '*' | '/' | '%' | '(' | ')' => 1,
            _ => return None,
        };
        found.push(&rest[..length]);
        rest = rest[length..].trim_start();
    }
    Some(found)
}

struct Parser<'a> {
    program: &'a Program,
    function: FunctionId,
    tokens: &'a [&'a str],
    next: usize,
    depth: u32,
    has_unsigned: bool,
}

impl Parser<'_> {
    /// Operators that bind at least as strongly as the level, from the left.
    fn binary(&mut self, level: u32) -> Option<Expression> {
        let mut left = self.unary()?;
        while let Some((own, make)) = self.tokens.get(self.next).and_then(|token| operator(token))
            && own >= level
        {
            self.next += 1;
            let right = self.binary(own + 1)?;
            left = make(left, right);
        }
        Some(left)
    }

    fn unary(&mut self) -> Option<Expression> {
        let &token = self.tokens.get(self.next)?;
        self.next += 1;
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return None;
        }
        let found = match token {
            "-" => Expression::Negate(Box::new(self.unary()?)),
            "!" => Expression::Not(Box::new(self.unary()?)),
            "(" => {
                let inner = self.binary(0)?;
                (*self.tokens.get(self.next)? == ")").then(|| self.next += 1)?;
                inner
            }
            _ if token.starts_with(|c: char| c.is_ascii_digit()) => {
                Expression::Number(i128::from(token.parse::<i32>().ok()?))
            }
            _ => self.variable(token)?,
        };
        self.depth -= 1;
        Some(found)
    }

    /// The function's own variable of that name, or the global one.
    fn variable(&mut self, name: &str) -> Option<Expression> {
        let program = self.program;
        let symbol = program.names.lookup(name)?;
        let of = |owner: Option<FunctionId>| {
            let mut found = program
                .variables
                .enumerated()
                .filter(move |(_, v)| v.name == symbol && v.kind.function() == owner);
            (found.next().map(|(id, _)| id), found.next().is_some())
        };
        let variable = match of(Some(self.function)) {
            (Some(variable), false) => variable,
            (Some(_), true) => return None,
            (None, _) => match of(None) {
                (Some(variable), false) => variable,
                _ => return None,
            },
        };
        let shape = program.types.int_shape(program.variables[variable].ty)?;
        self.has_unsigned |= !shape.signed && shape.width >= 32;
        Some(Expression::Variable(variable))
    }
}

type Make = fn(Expression, Expression) -> Expression;

/// How strongly an operator binds, and what it makes.
fn operator(token: &str) -> Option<(u32, Make)> {
    macro_rules! binary {
        ($op:ident) => {
            |left, right| Expression::Binary(BinaryOp::$op, Box::new(left), Box::new(right))
        };
    }
    Some(match token {
        "||" => (0, |left, right| Expression::Or(Box::new(left), Box::new(right))),
        "&&" => (1, |left, right| Expression::And(Box::new(left), Box::new(right))),
        "==" => (2, binary!(Equal)),
        "!=" => (2, binary!(NotEqual)),
        "<" => (3, binary!(Less)),
        "<=" => (3, binary!(LessEqual)),
        ">" => (3, binary!(Greater)),
        ">=" => (3, binary!(GreaterEqual)),
        "+" => (4, binary!(Add)),
        "-" => (4, binary!(Subtract)),
        "*" => (5, binary!(Multiply)),
        "/" => (5, binary!(Divide)),
        "%" => (5, binary!(Remainder)),
        _ => return None,
    })
}

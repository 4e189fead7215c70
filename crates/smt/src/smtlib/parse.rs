//! Reading what solvers write: s-expressions, and values of each sort.

use crate::SolverError;
use dashu::integer::{IBig, UBig};
use rustc_hash::FxHashMap;
use term::{ArrayValue, BitVec, FloatFormat, FloatValue, Sort, Value};

/// An s-expression.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Expression {
    Atom(String),
    List(Vec<Expression>),
}

impl Expression {
    pub fn is_atom(&self, name: &str) -> bool {
        matches!(self, Expression::Atom(text) if text == name)
    }

    fn atom(&self) -> Option<&str> {
        match self {
            Expression::Atom(text) => Some(text),
            Expression::List(_) => None,
        }
    }

    fn list(&self) -> Option<&[Expression]> {
        match self {
            Expression::Atom(_) => None,
            Expression::List(items) => Some(items),
        }
    }
}

/// Reads one expression.
pub(super) fn expression(text: &str) -> Result<Expression, SolverError> {
    let wrong = || SolverError::Answer(text.to_owned());
    let mut open: Vec<Vec<Expression>> = Vec::new();
    for token in tokens(text) {
        let done = match token {
            "(" => {
                open.push(Vec::new());
                continue;
            }
            ")" => Expression::List(open.pop().ok_or_else(wrong)?),
            atom => Expression::Atom(atom.to_owned()),
        };
        match open.last_mut() {
            Some(items) => items.push(done),
            None => return Ok(done),
        }
    }
    Err(wrong())
}

fn tokens(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        rest = rest.trim_start();
        let first = rest.chars().next()?;
        let length = match first {
            '(' | ')' => 1,
            '"' | '|' => rest[1..].find(first).map_or(rest.len(), |end| end + 2),
            _ => rest.find(|c: char| c.is_whitespace() || c == '(' || c == ')').unwrap_or(rest.len()),
        };
        let (token, after) = rest.split_at(length);
        rest = after;
        Some(token)
    })
}

/// Reads a value of a sort.
pub(super) fn value(text: &Expression, sort: Sort) -> Option<Value> {
    match sort {
        Sort::Bool => match text.atom()? {
            "true" => Some(Value::Bool(true)),
            "false" => Some(Value::Bool(false)),
            _ => None,
        },
        Sort::BitVec(width) => bits(text).filter(|bits| bits.width() == width).map(Value::BitVec),
        Sort::Float(format) => float(text, format).map(Value::Float),
        Sort::Int => integer(text).map(Value::Int),
        Sort::Array { index, element } => array(text, index, element).map(Value::Array),
    }
}

/// `#b…`, `#x…` or `(_ bvN width)`
fn bits(text: &Expression) -> Option<BitVec> {
    if let Some(items) = text.list() {
        let [_, number, width] = items else { return None };
        let number = UBig::from_str_radix(number.atom()?.strip_prefix("bv")?, 10).ok()?;
        return Some(BitVec::from_big(width.atom()?.parse().ok().filter(|&width| width > 0)?, &number));
    }
    let text = text.atom()?;
    let (radix, per_digit) = match text.get(..2)? {
        "#b" => (2, 1),
        "#x" => (16, 4),
        _ => return None,
    };
    let digits = &text[2..];
    let width = u32::try_from(digits.len()).ok()? * per_digit;
    (width > 0).then_some(BitVec::from_big(width, &UBig::from_str_radix(digits, radix).ok()?))
}

/// `(fp sign exponent fraction)` or `(_ +zero e s)` and the like.
fn float(text: &Expression, format: FloatFormat) -> Option<FloatValue> {
    let items = text.list()?;
    if items.first()?.is_atom("fp") {
        let [_, sign, exponent, fraction] = items else { return None };
        let packed = bits(sign)?.concat(&bits(exponent)?).concat(&bits(fraction)?);
        return (packed.width() == format.width()).then(|| FloatValue::from_bits(format, packed));
    }
    match items.get(1)?.atom()? {
        "+zero" => Some(FloatValue::zero(format, false)),
        "-zero" => Some(FloatValue::zero(format, true)),
        "+oo" => Some(FloatValue::infinity(format, false)),
        "-oo" => Some(FloatValue::infinity(format, true)),
        "NaN" => Some(FloatValue::nan(format)),
        _ => None,
    }
}

/// A numeral or `(- numeral)`.
fn integer(text: &Expression) -> Option<IBig> {
    match text {
        Expression::Atom(digits) => IBig::from_str_radix(digits, 10).ok(),
        Expression::List(items) => match items.as_slice() {
            [minus, number] if minus.is_atom("-") => Some(-integer(number)?),
            _ => None,
        },
    }
}

/// `((as const …) element)` or `(store array index element)`, with `let`s for long ones.
fn array(text: &Expression, index: u32, element: u32) -> Option<ArrayValue> {
    let mut names: FxHashMap<&str, &Expression> = FxHashMap::default();
    let mut stores = Vec::new();
    let mut text = text;
    loop {
        match text {
            // Every name is met once at most: it is taken out, so that a circle ends.
            Expression::Atom(name) => text = names.remove(name.as_str())?,
            Expression::List(items) => match items.as_slice() {
                [word, bindings, body] if word.is_atom("let") => {
                    for binding in bindings.list()? {
                        let [name, value] = binding.list()? else { return None };
                        names.insert(name.atom()?, value);
                    }
                    text = body;
                }
                [word, below, at, value] if word.is_atom("store") => {
                    stores.push((bits(at)?, bits(value)?));
                    text = below;
                }
                [_, default] => {
                    let default = bits(default).filter(|bits| bits.width() == element)?;
                    let mut result = ArrayValue::new(index, default);
                    for (at, value) in stores.into_iter().rev() {
                        result.store(at, value);
                    }
                    return Some(result);
                }
                _ => return None,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, sort: Sort) -> Option<Value> {
        value(&expression(text).ok()?, sort)
    }

    #[test]
    fn values_of_all_sorts() {
        assert_eq!(read("true", Sort::Bool), Some(Value::Bool(true)));
        assert_eq!(read("#x0f", Sort::BitVec(8)), Some(Value::BitVec(BitVec::new(8, 15))));
        assert_eq!(read("(_ bv3 5)", Sort::BitVec(5)), Some(Value::BitVec(BitVec::new(5, 3))));
        assert_eq!(read("(- 7)", Sort::Int), Some(Value::Int((-7).into())));
        let single = Sort::Float(FloatFormat::SINGLE);
        assert_eq!(read("(_ NaN 8 24)", single), Some(Value::Float(FloatValue::nan(FloatFormat::SINGLE))));
        let text = "(fp #b1 #x7f #b00000000000000000000000)";
        assert_eq!(read(text, single), Some(Value::Float(FloatValue::from_f32(-1.0))));
        let sort = Sort::Array { index: 2, element: 4 };
        let text = "(store ((as const (Array (_ BitVec 2) (_ BitVec 4))) #x1) #b10 #x7)";
        let Some(Value::Array(array)) = read(text, sort) else { panic!("not an array") };
        assert_eq!(array.select(&BitVec::new(2, 2)), &BitVec::new(4, 7));
        assert_eq!(array.select(&BitVec::new(2, 0)), &BitVec::new(4, 1));
        let text = "(let ((a!1 ((as const (Array (_ BitVec 2) (_ BitVec 4))) #x1))) (store a!1 #b10 #x7))";
        assert_eq!(read(text, sort), Some(Value::Array(array)));
        assert_eq!(read("(let ((a b) (b a)) a)", sort), None);
    }

    #[test]
    fn nonsense_is_refused() {
        for text in ["", ")", "(", "(fp)", "#b", "#q1", "(_ bvx 3)", "(_ bv1 0)"] {
            for sort in [Sort::Bool, Sort::BitVec(3), Sort::Float(FloatFormat::HALF), Sort::Int] {
                assert_eq!(read(text, sort), None, "{text}");
            }
        }
    }
}

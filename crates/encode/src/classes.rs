//! Inputs that only decide what happens: telling apart the cases that they make.
//!
//! Where a program does nothing with an input but compare it with constants, all inputs of one *class* do the same:
//! a class is one of the constants, or everything between two of them. So a term over such
//! inputs has one value for each choice of classes, which is found by putting in any member. (A value of
//! which there is only one in its class may be used in other ways, too.)

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use std::collections::BTreeSet;
use term::evaluate::apply;
use term::{BitVec, Op, Sort, TermId, TermPool, Value};

/// What some terms come to, and when.
pub struct Case {
    pub condition: TermId,
    /// Constants, in the order of the terms.
    pub values: Box<[TermId]>,
}

/// Choices of classes that are tried.
const MOST_CHOICES: usize = 256;

/// Parts of terms that are looked at.
const MOST_PARTS: usize = 1 << 16;

/// The values that the terms can have together where the conditions hold, each of them possible whatever came before the
/// first of the inputs; `None` if they depend on older ones, in another way than by comparison, or in too many ways.
pub fn cases(
    pool: &mut TermPool,
    terms: &[TermId],
    conditions: &[TermId],
    first: TermId,
) -> Option<Vec<Case>> {
    let inputs =
        inputs(pool, terms, conditions).filter(|inputs| inputs.iter().all(|input| input.term >= first))?;
    let parts = Parts::new(pool, terms, conditions);
    let mut cases: Vec<Case> = Vec::new();
    let mut by_values: FxHashMap<Box<[TermId]>, usize> = FxHashMap::default();
    for choice in 0..choices(&inputs)? {
        let chosen = choose(&inputs, choice);
        let values = parts.evaluate(pool, &inputs, &chosen);
        let value = |term: &TermId| &values[parts.place(*term)];
        let holds: Option<Vec<bool>> =
            conditions.iter().map(|condition| value(condition).as_ref()?.as_bool()).collect();
        if holds?.contains(&false) {
            continue;
        }
        let values: Option<Vec<&Value>> = terms.iter().map(|term| value(term).as_ref()).collect();
        let values: Box<[TermId]> = values?.into_iter().map(|value| pool.constant(value)).collect();
        let members: Vec<TermId> =
            inputs.iter().zip(chosen).map(|(input, class)| is_in(pool, input, class)).collect();
        let condition = pool.and_all(members);
        match by_values.get(&values) {
            Some(&case) => cases[case].condition = pool.or(cases[case].condition, condition),
            None => {
                by_values.insert(values.clone(), cases.len());
                cases.push(Case { condition, values });
            }
        }
    }
    if let [only] = &mut cases[..] {
        // The conditions say all there is to say.
        only.condition = TermPool::TRUE;
    }
    Some(cases)
}

/// The inputs that terms and conditions depend on, if these are few and only compared.
fn inputs(pool: &TermPool, terms: &[TermId], conditions: &[TermId]) -> Option<Vec<Input>> {
    let compared = compared_inputs(pool, terms, conditions)?;
    let inputs: Vec<Input> =
        compared.into_iter().map(|(input, constants)| classes(input, &constants)).collect();
    choices(&inputs).is_some_and(|choices| choices <= MOST_CHOICES).then_some(inputs)
}

fn choices(inputs: &[Input]) -> Option<usize> {
    inputs.iter().try_fold(1usize, |all, input| all.checked_mul(input.classes.len()))
}

struct Input {
    term: TermId,
    classes: Vec<Class>,
    width: Option<u32>,
}

impl Input {
    fn member(&self, class: Class) -> Value {
        match self.width {
            Some(width) => Value::BitVec(BitVec::new(width, class.0)),
            None => Value::Bool(class.0 == 1),
        }
    }
}

/// What each input is compared with.
type Compared = Vec<(TermId, Constants)>;

struct Constants {
    /// `None` for Booleans.
    width: Option<u32>,
    values: BTreeSet<u64>,
}

fn compared_inputs(pool: &TermPool, terms: &[TermId], conditions: &[TermId]) -> Option<Compared> {
    let mut compared = Compared::new();
    let mut places: FxHashMap<TermId, usize> = FxHashMap::default();
    let mut note = |input: TermId, width: Option<u32>, constant: Option<u64>| {
        let place = *places.entry(input).or_insert_with(|| {
            compared.push((input, Constants { width, values: BTreeSet::new() }));
            compared.len() - 1
        });
        compared[place].1.values.extend(constant);
    };
    let mut seen: FxHashSet<TermId> = FxHashSet::default();
    let mut open: Vec<TermId> = terms.iter().chain(conditions).copied().collect();
    while let Some(term) = open.pop() {
        if pool.is_constant(term) || !seen.insert(term) {
            continue;
        }
        if seen.len() > MOST_PARTS {
            return None;
        }
        match (pool.op(term), pool.sort(term)) {
            (Op::Variable, Sort::Bool) => note(term, None, None),
            (Op::Variable, Sort::BitVec(width @ 1..=64)) => note(term, Some(width), None),
            (Op::Variable, _) => return None,
            (op, _) => match comparison(pool, op, term) {
                Some((input, constant)) => note(input, Some(pool.width(input)), Some(constant)),
                None => open.extend(pool.children(term)),
            },
        }
    }
    Some(compared)
}

/// The input that the term compares with a constant, and the constant.
fn comparison(pool: &TermPool, op: Op, term: TermId) -> Option<(TermId, u64)> {
    if !matches!(op, Op::Eq | Op::Ult | Op::Slt) {
        return None;
    }
    let &[left, right] = pool.children(term) else { return None };
    let (input, constant) = if pool.is_constant(right) { (left, right) } else { (right, left) };
    let is_input = pool.op(input) == Op::Variable && matches!(pool.sort(input), Sort::BitVec(1..=64));
    is_input.then(|| pool.small_value(constant)).flatten().map(|constant| (input, constant))
}

/// Cuts the values of an input at what it is compared with, and where signs change.
fn classes(term: TermId, constants: &Constants) -> Input {
    let Some(width) = constants.width else {
        return Input { term, classes: vec![(0, 0), (1, 1)], width: None };
    };
    let last = u64::MAX >> (64 - width);
    let first_negative = 1u64 << (width - 1);
    let mut classes = Vec::new();
    let mut next = Some(0);
    let mut gap = |from: u64, to: u64| {
        if from < first_negative && first_negative <= to {
            classes.extend([(from, first_negative - 1), (first_negative, to)]);
        } else {
            classes.push((from, to));
        }
    };
    for &constant in &constants.values {
        if let Some(from) = next.filter(|&from| from < constant) {
            gap(from, constant - 1);
        }
        gap(constant, constant);
        next = constant.checked_add(1).filter(|&next| next <= last);
    }
    if let Some(from) = next {
        gap(from, last);
    }
    Input { term, classes, width: Some(width) }
}

/// First and last value.
type Class = (u64, u64);

fn choose(inputs: &[Input], mut choice: usize) -> Vec<Class> {
    let class = |input: &Input| {
        let class = input.classes[choice % input.classes.len()];
        choice /= input.classes.len();
        class
    };
    inputs.iter().map(class).collect()
}

/// Some terms and all that is below them.
struct Parts {
    /// Each behind its own parts.
    order: Vec<TermId>,
    places: FxHashMap<TermId, usize>,
}

impl Parts {
    fn new(pool: &TermPool, terms: &[TermId], conditions: &[TermId]) -> Self {
        let roots: Vec<TermId> = conditions.iter().chain(terms).copied().collect();
        let order = pool.reachable(&roots, |_| false);
        let places = order.iter().enumerate().map(|(place, &term)| (term, place)).collect();
        Self { order, places }
    }

    fn place(&self, term: TermId) -> usize {
        self.places[&term]
    }

    /// The values of all parts where inputs are of the chosen classes; `None` for those that are not the same for
    /// all members.
    fn evaluate(&self, pool: &TermPool, inputs: &[Input], chosen: &[Class]) -> Vec<Option<Value>> {
        let mut values: Vec<Option<Value>> = Vec::with_capacity(self.order.len());
        let input = |term: TermId| inputs.iter().zip(chosen).find(|(input, _)| input.term == term);
        for &term in &self.order {
            let value = match pool.op(term) {
                Op::Variable => input(term)
                    .filter(|(_, class)| class.0 == class.1)
                    .map(|(input, class)| input.member(*class)),
                Op::Constant => pool.value(term),
                op if comparison(pool, op, term).is_some() => {
                    let member = |term: &TermId| match input(*term) {
                        Some((input, class)) => Some(input.member(*class)),
                        None => pool.value(*term),
                    };
                    let sides: Option<SmallVec<[Value; 2]>> =
                        pool.children(term).iter().map(member).collect();
                    sides.map(|sides| apply(&pool.operation(term), &[&sides[0], &sides[1]]))
                }
                _ => self.value_of(pool, term, &values),
            };
            values.push(value);
        }
        values
    }

    /// The value of a term from those of its parts.
    fn value_of(&self, pool: &TermPool, term: TermId, values: &[Option<Value>]) -> Option<Value> {
        let parts: SmallVec<[Option<&Value>; 3]> =
            pool.children(term).iter().map(|&part| values[self.place(part)].as_ref()).collect();
        match (pool.op(term), &parts[..]) {
            (Op::And, [Some(Value::Bool(false)), _] | [_, Some(Value::Bool(false))]) => {
                Some(Value::Bool(false))
            }
            (Op::Ite, [Some(Value::Bool(condition)), then, otherwise]) => {
                if *condition { *then } else { *otherwise }.cloned()
            }
            _ => {
                let parts: Option<SmallVec<[&Value; 3]>> = parts.into_iter().collect();
                Some(apply(&pool.operation(term), &parts?))
            }
        }
    }
}

fn is_in(pool: &mut TermPool, input: &Input, (first, last): Class) -> TermId {
    let Some(width) = input.width else {
        return if first == 1 { input.term } else { pool.not(input.term) };
    };
    let (low, high) = (pool.bitvec(width, first), pool.bitvec(width, last));
    if first == last {
        return pool.eq(input.term, low);
    }
    let (below, above) = (pool.ult(input.term, low), pool.ult(high, input.term));
    let (from, to) = (pool.not(below), pool.not(above));
    pool.and(from, to)
}

#[cfg(test)]
mod tests {
    use super::*;

    const WIDTH: u32 = 4;

    struct Terms {
        seed: u64,
        inputs: [TermId; 2],
        flag: TermId,
    }

    impl Terms {
        fn below(&mut self, bound: u64) -> u64 {
            self.seed = self.seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (self.seed >> 33) % bound
        }

        fn condition(&mut self, pool: &mut TermPool, depth: u32) -> TermId {
            let (input, constant) = (self.inputs[self.below(2) as usize], self.below(1 << WIDTH));
            let constant = pool.bitvec(WIDTH, constant);
            match self.below(if depth == 0 { 6 } else { 8 }) {
                0 | 1 => pool.eq(input, constant),
                2 => pool.ult(input, constant),
                3 => pool.ult(constant, input),
                4 => pool.slt(input, constant),
                5 => self.flag,
                6 => {
                    let inner = self.condition(pool, depth - 1);
                    pool.not(inner)
                }
                _ => {
                    let (left, right) = (self.condition(pool, depth - 1), self.condition(pool, depth - 1));
                    pool.and(left, right)
                }
            }
        }

        fn word(&mut self, pool: &mut TermPool, depth: u32) -> TermId {
            let constant = self.below(1 << WIDTH);
            if depth == 0 {
                return pool.bitvec(WIDTH, constant);
            }
            let (left, right) = (self.word(pool, depth - 1), self.word(pool, depth - 1));
            if self.below(4) == 0 {
                return pool.add(left, right);
            }
            let condition = self.condition(pool, 2);
            pool.ite(condition, left, right)
        }
    }

    /// Each input is in exactly one case, which has its values; all others fail a condition.
    #[test]
    fn every_input_is_in_its_case() {
        for seed in 0..200 {
            let mut pool = TermPool::new();
            let inputs = ["a", "b"].map(|name| pool.variable(name, Sort::BitVec(WIDTH)));
            let flag = pool.variable("flag", Sort::Bool);
            let mut terms = Terms { seed, inputs, flag };
            let words = [terms.word(&mut pool, 3), terms.word(&mut pool, 2)];
            let condition = terms.condition(&mut pool, 2);
            let found = cases(&mut pool, &words, &[condition], inputs[0]).expect("these are comparisons");
            for choice in 0u64..1 << (2 * WIDTH + 1) {
                let bits = |from: u32| BitVec::new(WIDTH, choice >> from & ((1 << WIDTH) - 1));
                let mut values = FxHashMap::default();
                values.insert(inputs[0], Value::BitVec(bits(0)));
                values.insert(inputs[1], Value::BitVec(bits(WIDTH)));
                values.insert(flag, Value::Bool(choice >> (2 * WIDTH) == 1));
                let mut evaluate = |term: TermId| pool.evaluate_cached(term, &mut values);
                if evaluate(condition) == Value::Bool(false) {
                    continue;
                }
                let here: Vec<&Case> =
                    found.iter().filter(|case| evaluate(case.condition) == Value::Bool(true)).collect();
                let [case] = here[..] else { panic!("{} cases for {choice} of {seed}", here.len()) };
                for (&word, &value) in words.iter().zip(&case.values) {
                    assert_eq!(evaluate(word), evaluate(value));
                }
            }
        }
    }

    #[test]
    fn inputs_that_are_used_otherwise_are_none() {
        let mut pool = TermPool::new();
        let input = pool.variable("input", Sort::BitVec(8));
        let (one, two) = (pool.bitvec(8, 1), pool.bitvec(8, 2));
        let sum = pool.add(input, one);
        assert!(cases(&mut pool, &[sum], &[], input).is_none());
        let product = pool.mul(input, input);
        let is_two = pool.eq(product, two);
        assert!(cases(&mut pool, &[one], &[is_two], input).is_none());
        let is_one = pool.eq(input, one);
        assert!(cases(&mut pool, &[two], &[is_one], input).is_some_and(|cases| cases.len() == 1));
        assert!(cases(&mut pool, &[two], &[is_one], TermId(input.0 + 1)).is_none());
    }
}

//! Small formulas whose answers are known, and random ones against evaluation.

use super::*;
use term::{Assignment, FloatValue, Value};

const NEAREST: RoundingMode = RoundingMode::NearestEven;

fn single(pool: &mut TermPool, value: f32) -> TermId {
    pool.float_constant(&FloatValue::from_f32(value))
}

/// `low <= x <= high`
fn between_constants(pool: &mut TermPool, x: TermId, low: f32, high: f32) -> Vec<TermId> {
    let (low, high) = (single(pool, low), single(pool, high));
    vec![pool.float_le(low, x), pool.float_le(x, high)]
}

fn find(pool: &TermPool, conditions: &[TermId]) -> Finding {
    explore(pool, conditions, &mut 5_000_000, &Budget::unlimited())
}

#[test]
fn a_polynomial_stays_in_its_range() {
    let mut pool = TermPool::new();
    let x = pool.variable("x", Sort::Float(FloatFormat::SINGLE));
    let mut conditions = between_constants(&mut pool, x, -1.5, 1.5);
    let square = pool.float_mul(NEAREST, x, x);
    let cube = pool.float_mul(NEAREST, square, x);
    let six = single(&mut pool, 6.0);
    let sixth = pool.float_div(NEAREST, cube, six);
    let sine = pool.float_sub(NEAREST, x, sixth);
    let bound = single(&mut pool, 1.0);
    let above = pool.float_lt(bound, sine);
    conditions.push(above);
    assert_eq!(find(&pool, &conditions), Finding::Unsatisfiable);
    let tight = single(&mut pool, 0.9);
    conditions.pop();
    conditions.push(pool.float_lt(tight, sine));
    assert!(matches!(find(&pool, &conditions), Finding::Point(_)));
}

#[test]
fn not_a_number_is_not_forgotten() {
    let mut pool = TermPool::new();
    let x = pool.variable("x", Sort::Float(FloatFormat::DOUBLE));
    let square = pool.float_mul(NEAREST, x, x);
    // Not a number if x is none, and only then; infinity times zero needs two operands.
    let odd = pool.float_is_nan(square);
    assert!(find(&pool, &[odd]) != Finding::Unsatisfiable);
    let inverse = pool.float_div(NEAREST, x, x);
    let odd = pool.float_is_nan(inverse);
    let is_number = pool.float_le(x, x);
    assert!(find(&pool, &[odd, is_number]) != Finding::Unsatisfiable);
    let difference = pool.float_sub(NEAREST, square, square);
    let odd = pool.float_is_nan(difference);
    assert!(find(&pool, &[odd, is_number]) != Finding::Unsatisfiable);
}

/// A small generator of pseudo-random numbers: the same formulas every time.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % bound
    }

    fn float(&mut self) -> f32 {
        let special = [0.0, -0.0, 1.0, -1.5, f32::MAX, f32::INFINITY, f32::MIN_POSITIVE, 3e-41, f32::NAN];
        match self.below(3) {
            0 => special[self.below(special.len() as u64) as usize],
            1 => self.below(2000) as f32 / 100.0 - 10.0,
            _ => f32::from_bits((self.below(1 << 16) << 16 | self.below(1 << 16)) as u32),
        }
    }

    fn term(&mut self, pool: &mut TermPool, variables: &[TermId], depth: u32) -> TermId {
        if depth == 0 {
            return match self.below(4) {
                0 => single(pool, self.float()),
                _ => variables[self.below(variables.len() as u64) as usize],
            };
        }
        let a = self.term(pool, variables, depth - 1);
        let b = self.term(pool, variables, depth - 1);
        match self.below(8) {
            0 | 1 => pool.float_add(NEAREST, a, b),
            2 | 3 => pool.float_mul(NEAREST, a, b),
            4 => pool.float_div(NEAREST, a, b),
            5 => pool.float_sqrt(NEAREST, a),
            6 => pool.float_abs(a),
            _ => {
                let choice = pool.float_lt(a, b);
                pool.ite(choice, a, b)
            }
        }
    }
}

/// What some values satisfy is never called unsatisfiable.
#[test]
fn refutations_are_right() {
    let mut random = Random(1);
    let mut refuted = 0;
    for round in 0..800 {
        let mut pool = TermPool::new();
        let x = pool.variable("x", Sort::Float(FloatFormat::SINGLE));
        let y = pool.variable("y", Sort::Float(FloatFormat::SINGLE));
        let (a, b) = (random.term(&mut pool, &[x, y], 2), random.term(&mut pool, &[x, y], 2));
        let atom = match random.below(5) {
            0 => pool.float_lt(a, b),
            1 => pool.float_le(a, b),
            2 => pool.float_eq(a, b),
            3 => pool.float_is_nan(a),
            _ => pool.float_is_negative(a),
        };
        let atom = if random.below(2) == 0 { pool.not(atom) } else { atom };
        let (low, high) = (random.float(), random.float());
        let mut conditions = between_constants(&mut pool, x, low.min(high), low.max(high));
        let start = random.below(64) as f32 / 8.0 - 4.0;
        conditions.extend(between_constants(&mut pool, y, start, start + 0.5));
        conditions.push(atom);
        let finding = explore(&pool, &conditions, &mut 200_000, &Budget::unlimited());
        let all = pool.and_all(conditions.iter().copied());
        for _ in 0..200 {
            let mut assignment = Assignment::default();
            assignment.insert(x, Value::Float(FloatValue::from_f32(random.float())));
            let near = start + random.below(17) as f32 / 32.0;
            assignment.insert(y, Value::Float(FloatValue::from_f32(near)));
            let holds = pool.evaluate(all, &assignment).as_bool() == Some(true);
            assert!(!(holds && finding == Finding::Unsatisfiable), "round {round}");
        }
        refuted += u32::from(finding == Finding::Unsatisfiable);
    }
    assert!(refuted > 40, "{refuted} refuted");
}

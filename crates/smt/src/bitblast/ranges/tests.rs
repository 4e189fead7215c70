use super::floats::number;
use super::*;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use term::{BitVec, FloatFormat, FloatValue, RoundingMode, Value};

/// Every range that is learnt, in the order of the terms.
fn learn_all(pool: &TermPool) -> Ranges {
    let mut ranges = Ranges::default();
    for term in pool.ids() {
        ranges.learn(pool, term);
    }
    ranges
}

#[test]
fn a_filter_stays_between_its_inputs() {
    let mut pool = TermPool::new();
    let [y, u] = ["y", "u"].map(|name| {
        let narrow = pool.variable(name, Sort::BitVec(16));
        pool.sign_extend(narrow, 32)
    });
    let (factor, shift) = (pool.bitvec(32, 42), pool.bitvec(32, 6));
    let difference = pool.sub(u, y);
    let product = pool.mul(difference, factor);
    let part = pool.ashr(product, shift);
    let next = pool.add(y, part);
    assert_eq!(learn_all(&pool).of(&pool, next), Range { low: -32768, high: 32767 });
}

#[test]
fn a_rate_limiter_stays_between_its_inputs() {
    let mut pool = TermPool::new();
    let [last, u] = ["last", "u"].map(|name| {
        let narrow = pool.variable(name, Sort::BitVec(16));
        pool.sign_extend(narrow, 32)
    });
    let difference = pool.sub(u, last);
    let (most, least) = (pool.bitvec(32, 404), pool.bitvec(32, -296i64 as u64));
    let (too_much, too_little) = (pool.slt(most, difference), pool.slt(difference, least));
    let limited = pool.ite(too_little, least, difference);
    let limited = pool.ite(too_much, most, limited);
    let next = pool.add(last, limited);
    assert_eq!(learn_all(&pool).of(&pool, next), Range { low: -32768, high: 32767 });
}

/// What is sent to the limiter is multiplied out together with the sum of all steps so far.
#[test]
fn a_rate_limiter_behind_a_gain_stays_between_its_inputs_for_ever() {
    let mut pool = TermPool::new();
    let number = |pool: &mut TermPool, value: i64| pool.bitvec(32, value as u64);
    let mut last = number(&mut pool, -12663);
    for round in 0..60 {
        let narrow = pool.variable(&format!("u{round}"), Sort::BitVec(16));
        let wide = pool.sign_extend(narrow, 32);
        let u = saturated(&mut pool, wide, 27607, 30624);
        let (limit, mask) = (number(&mut pool, 29141), number(&mut pool, 3));
        let (is_large, status) = (pool.slt(limit, u), pool.bit_and(u, mask));
        let u = pool.ite(is_large, status, u);
        let (gain, divisor, bias) =
            (number(&mut pool, -565), number(&mut pool, 1327), number(&mut pool, -256));
        let scaled = pool.mul(u, gain);
        let scaled = pool.sdiv(scaled, divisor);
        let scaled = pool.add(scaled, bias);
        let difference = pool.sub(scaled, last);
        let limited = saturated(&mut pool, difference, -223, 322);
        last = pool.add(last, limited);
    }
    assert_eq!(learn_all(&pool).of(&pool, last), Range { low: -12663, high: -256 });
}

/// What is looked up in a table stays in the table, also where it is looked up behind a rate limiter.
#[test]
fn a_question_about_a_table_has_no_cases() {
    let mut pool = TermPool::new();
    let number = |pool: &mut TermPool, value: i64| pool.bitvec(32, value as u64);
    let values = [-100, 250, 8, -77, 300, 299];
    let mut last = number(&mut pool, 500);
    for round in 0..20 {
        let narrow = pool.variable(&format!("u{round}"), Sort::BitVec(10));
        let wide = pool.sign_extend(narrow, 32);
        let difference = pool.sub(wide, last);
        let limited = saturated(&mut pool, difference, -50, 70);
        last = pool.add(last, limited);
        let mut found = number(&mut pool, 299);
        for segment in (0..5).rev() {
            let (start, end) = (200 * segment - 500, 200 * segment - 300);
            let rise = values[segment as usize + 1] - values[segment as usize];
            let [start, end, step, rise, value] =
                [start, end, 200, rise, values[segment as usize]].map(|value| number(&mut pool, value));
            let (is_here, beside) = (pool.sle(last, end), pool.sub(last, start));
            let part = pool.mul(rise, beside);
            let part = pool.sdiv(part, step);
            let inside = pool.add(value, part);
            found = pool.ite(is_here, inside, found);
        }
        let (first, least, most) = (number(&mut pool, -500), number(&mut pool, -100), number(&mut pool, 300));
        let (is_in, is_low, is_high) = (pool.sle(first, last), pool.slt(found, least), pool.slt(most, found));
        let either = pool.or(is_low, is_high);
        let question = pool.and(is_in, either);
        assert_eq!(learn_all(&pool).cases(&pool, question, 2000).possible, []);
        let less = number(&mut pool, 200);
        let possible = pool.slt(less, found);
        assert_eq!(learn_all(&pool).cases(&pool, possible, 2000).possible, [(possible, true)]);
    }
}

fn saturated(pool: &mut TermPool, value: TermId, least: i64, most: i64) -> TermId {
    let (least, most) = (pool.bitvec(32, least as u64), pool.bitvec(32, most as u64));
    let (too_much, too_little) = (pool.slt(most, value), pool.slt(value, least));
    let limited = pool.ite(too_little, least, value);
    pool.ite(too_much, most, limited)
}

#[test]
fn a_counter_stops_at_its_limit() {
    let mut pool = TermPool::new();
    let count = pool.variable("count", Sort::BitVec(8));
    let wide = pool.zero_extend(count, 32);
    let (limit, one) = (pool.bitvec(32, 143), pool.bitvec(32, 1));
    let within = pool.slt(wide, limit);
    let more = pool.add(wide, one);
    let next = pool.ite(within, more, limit);
    assert_eq!(learn_all(&pool).of(&pool, next), Range { low: 1, high: 143 });
}

#[test]
fn a_counter_of_a_byte_stops_at_more_than_half_of_it() {
    let mut pool = TermPool::new();
    let mut count = pool.bitvec(8, 0);
    let [zero, limit, one] = [0, 172, 1].map(|number| pool.bitvec(32, number));
    for round in 0..300 {
        let up = pool.variable(&format!("up{round}"), Sort::Bool);
        let wide = pool.zero_extend(count, 32);
        let (below, above) = (pool.slt(wide, limit), pool.slt(zero, wide));
        let more = pool.add(wide, one);
        let more = pool.extract(more, 7, 0);
        let less = pool.sub(wide, one);
        let less = pool.extract(less, 7, 0);
        let (more, less) = (pool.ite(below, more, count), pool.ite(above, less, count));
        count = pool.ite(up, more, less);
    }
    let wide = pool.zero_extend(count, 32);
    assert_eq!(learn_all(&pool).of(&pool, wide), Range { low: 0, high: 172 });
}

/// What is done, and to what.
type Step = (u8, u8, u8, u8);

/// A step of a counter that is kept in fewer bits than are calculated with.
fn narrow_step(pool: &mut TermPool, x: TermId, y: TermId, condition: TermId, by: u8) -> TermId {
    let (x, y) = (pool.extract(x, 3, 0), pool.extract(y, 3, 0));
    let one = pool.bitvec(4, by.into());
    let more = pool.add(x, one);
    let next = pool.ite(condition, more, y);
    pool.zero_extend(next, 6)
}

/// Words and conditions, made step by step from what was made before; returns the conditions.
fn build(pool: &mut TermPool, steps: &[Step]) -> Vec<TermId> {
    const WIDTH: u32 = 6;
    let mut words = vec![pool.variable("x", Sort::BitVec(4)), pool.variable("y", Sort::BitVec(4))];
    words = vec![pool.sign_extend(words[0], WIDTH), pool.zero_extend(words[1], WIDTH)];
    let mut conditions = vec![TermPool::TRUE];
    for &(op, a, b, c) in steps {
        let (x, y) = (words[a as usize % words.len()], words[b as usize % words.len()]);
        let condition = conditions[c as usize % conditions.len()];
        let constant = pool.bitvec(WIDTH, c.into());
        let shift = pool.bitvec(WIDTH, u64::from(c) % 4);
        let word = match op % 16 {
            0 => pool.add(x, y),
            1 => pool.sub(x, y),
            2 => pool.mul(x, constant),
            3 => pool.mul(x, y),
            4 => pool.ashr(x, shift),
            5 => pool.lshr(x, shift),
            6 => pool.sdiv(x, constant),
            7 => pool.srem(x, y),
            8 => pool.urem(x, constant),
            9 => pool.bit_and(x, y),
            10 => pool.bit_or(x, y),
            11 => pool.add(x, constant),
            12 => pool.shl(x, shift),
            13 => narrow_step(pool, x, y, condition, c),
            _ => pool.ite(condition, x, y),
        };
        words.push(word);
        let compared = match op / 16 % 4 {
            0 => pool.slt(x, constant),
            1 => pool.slt(x, y),
            2 => pool.ult(x, y),
            _ => pool.eq(x, constant),
        };
        let negated = pool.not(condition);
        conditions.push(match c % 3 {
            0 => pool.and(compared, condition),
            1 => pool.and(compared, negated),
            _ => pool.or(compared, condition),
        });
    }
    conditions
}

/// Floats, conditions on them and integers made of them; returns the conditions.
fn build_floats(pool: &mut TermPool, steps: &[Step]) -> Vec<TermId> {
    let formats = [FloatFormat::SINGLE, FloatFormat::DOUBLE];
    let format = formats[steps.len() % 2];
    let constants =
        [0.5, -3.0, 1.0, 0.0, 1e38, 1e-45, f64::NAN, f64::INFINITY, 16_777_217.0, -0.0, 7.99, -1e308];
    let constant = |pool: &mut TermPool, index: u8| {
        let value = constants[index as usize % constants.len()];
        let value = FloatValue::from_f64(value).to_format(format, RoundingMode::NearestEven);
        pool.float_constant(&value)
    };
    let modes = [RoundingMode::NearestEven, RoundingMode::TowardZero, RoundingMode::Upward];
    let mut floats = Vec::new();
    let mut conditions = vec![TermPool::TRUE];
    for name in ["x", "y"] {
        let narrow = pool.variable(name, Sort::BitVec(4));
        floats.push(pool.float_from_signed(modes[0], format, narrow));
    }
    for &(op, a, b, c) in steps {
        let (x, y) = (floats[a as usize % floats.len()], floats[b as usize % floats.len()]);
        let condition = conditions[c as usize % conditions.len()];
        let (mode, number) = (modes[b as usize % 3], constant(pool, c));
        let float = match op % 8 {
            0 => pool.float_add(mode, x, y),
            1 => pool.float_mul(mode, x, number),
            2 => pool.float_add(mode, x, number),
            3 => pool.float_abs(x),
            4 => pool.float_neg(x),
            5 => {
                let word = pool.float_to_signed(mode, 16, x);
                let zero = pool.bitvec(16, u64::from(c % 3));
                conditions.push(pool.eq(word, zero));
                pool.float_from_signed(mode, format, word)
            }
            6 => pool.float_mul(mode, x, y),
            _ => pool.ite(condition, x, y),
        };
        floats.push(float);
        let compared = if op & 8 == 0 { pool.float_lt(x, number) } else { pool.float_le(y, x) };
        let negated = pool.not(compared);
        conditions.push(if op & 16 == 0 { pool.and(negated, condition) } else { compared });
    }
    conditions
}

fn assert_floats_in_ranges(pool: &TermPool, ranges: &Ranges, values: &mut FxHashMap<TermId, Value>) {
    for (&term, range) in &ranges.floats {
        let Value::Float(value) = pool.evaluate_cached(term, values) else { unreachable!("a float") };
        let value = number(value).expect("of a format that is followed");
        assert!(range.has(value), "{} is {value}, not in {range:?}", pool.to_smtlib(term));
    }
}

/// Limiters and filters behind each other, several rounds of them, in narrow words.
fn build_rounds(pool: &mut TermPool, inputs: &[TermId], blocks: &[(u8, i8, u8)]) {
    const WIDTH: u32 = 8;
    let mut states = vec![pool.bitvec(WIDTH, 3); blocks.len()];
    for &input in inputs {
        let mut signal = pool.sign_extend(input, WIDTH);
        for (&(kind, number, shift), state) in blocks.iter().zip(&mut states) {
            let [number_term, shift] = [number as u64, u64::from(shift % 4)].map(|n| pool.bitvec(WIDTH, n));
            let difference = pool.sub(signal, *state);
            let step = match kind % 4 {
                0 => {
                    let too_much = pool.slt(number_term, difference);
                    pool.ite(too_much, number_term, difference)
                }
                1 => {
                    let product = pool.mul(difference, number_term);
                    pool.ashr(product, shift)
                }
                2 => {
                    let product = pool.shl(difference, shift);
                    pool.ashr(product, shift)
                }
                _ => pool.mul(signal, number_term),
            };
            *state = pool.add(*state, step);
            signal = if number % 2 == 0 { *state } else { pool.add(*state, number_term) };
        }
    }
}

fn assert_in_ranges(pool: &TermPool, ranges: &Ranges, values: &mut FxHashMap<TermId, Value>) {
    for term in pool.ids().filter(|&term| word_width(pool, term).is_some()) {
        let value = pool.evaluate_cached(term, values);
        let bits = value.as_bitvec().and_then(|bits| bits.to_u64()).expect("a short word");
        let (range, value) = (ranges.of(pool, term), signed(bits, pool.width(term)));
        assert!(
            range.low <= value && value <= range.high,
            "{} is {value}, not in {range:?}",
            pool.to_smtlib(term)
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 400, failure_persistence: None, rng_seed: RngSeed::Fixed(1), ..ProptestConfig::default()
    })]
    #[test]
    fn every_value_is_in_its_range(steps in prop::collection::vec(any::<Step>(), 1..14)) {
        check_all(&steps, build);
    }

    #[test]
    fn every_float_is_in_its_range(steps in prop::collection::vec(any::<Step>(), 1..14)) {
        check_all(&steps, build_floats);
    }
}

/// Looks at the values of everything that is built of two words of four bits.
fn check_all(steps: &[Step], build: fn(&mut TermPool, &[Step]) -> Vec<TermId>) {
    let mut pool = TermPool::new();
    let conditions = build(&mut pool, steps);
    let ranges = learn_all(&pool);
    let questions: Vec<_> = conditions
        .iter()
        .map(|&condition| (condition, ranges.cases(&pool, condition, 2000).possible))
        .collect();
    let (x, y) = (pool.variable("x", Sort::BitVec(4)), pool.variable("y", Sort::BitVec(4)));
    for assignment in 0..256u64 {
        let mut values = FxHashMap::default();
        values.insert(x, Value::BitVec(BitVec::new(4, assignment & 15)));
        values.insert(y, Value::BitVec(BitVec::new(4, assignment >> 4)));
        assert_in_ranges(&pool, &ranges, &mut values);
        assert_floats_in_ranges(&pool, &ranges, &mut values);
        for (condition, cases) in &questions {
            let mut is = |term| pool.evaluate_cached(term, &mut values).as_bool() == Some(true);
            let is_one = cases.iter().any(|&(case, holds)| is(case) == holds);
            assert_eq!(is(*condition), is_one, "{}", pool.to_smtlib(*condition));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 60, failure_persistence: None, rng_seed: RngSeed::Fixed(1), ..ProptestConfig::default()
    })]
    #[test]
    fn running_sums_are_in_their_ranges(blocks in prop::collection::vec(any::<(u8, i8, u8)>(), 1..4)) {
        check_rounds(&blocks);
    }
}

#[test]
fn factors_whose_product_is_zero_leave_no_summand() {
    check_rounds(&[(127, -128, 0), (29, 2, 0)]);
}

fn check_rounds(blocks: &[(u8, i8, u8)]) {
    let mut pool = TermPool::new();
    let inputs: Vec<TermId> =
        (0..5).map(|round| pool.variable(&format!("u{round}"), Sort::BitVec(2))).collect();
    build_rounds(&mut pool, &inputs, blocks);
    let ranges = learn_all(&pool);
    for assignment in 0..1024u64 {
        let input = |round: usize| Value::BitVec(BitVec::new(2, assignment >> (2 * round) & 3));
        let mut values = inputs.iter().enumerate().map(|(round, &term)| (term, input(round))).collect();
        assert_in_ranges(&pool, &ranges, &mut values);
    }
}

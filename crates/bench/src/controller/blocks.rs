//! Blocks without memory: gain, saturation, look-up table, selection. A block is a function from one
//! signal to one signal; the generator knows the range of both.

use conformance::Random;

/// All values of a signal, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    pub low: i64,
    pub high: i64,
}

/// What is larger than this must not be scaled: its product with a coefficient may not fit 32 bits.
pub const LARGEST: i64 = 500_000;

impl Range {
    pub fn new(low: i64, high: i64) -> Range {
        Range { low: low.min(high), high: low.max(high) }
    }

    pub fn width(self) -> i64 {
        self.high - self.low
    }

    pub fn magnitude(self) -> i64 {
        self.low.abs().max(self.high.abs())
    }

    pub fn contains(self, value: i64) -> bool {
        (self.low..=self.high).contains(&value)
    }

    /// Some value inside.
    pub fn value(self, random: &mut Random) -> i64 {
        self.low + (random.number() % (self.width() as u64 + 1)) as i64
    }
}

/// What a block adds to its module.
pub struct Block {
    pub function: String,
    /// Members of the state structure, with their first values.
    pub state: Vec<(String, String)>,
    pub name: String,
    pub range: Range,
}

/// Where a block stands: the module, its number there, and what comes in.
pub struct Place<'a> {
    pub module: u64,
    pub block: usize,
    pub input: Range,
    pub random: &'a mut Random,
}

impl Place<'_> {
    pub fn function_name(&self, kind: &str) -> String {
        format!("m{}_b{}_{kind}", self.module, self.block)
    }

    /// The state member of this block in the structure of its module.
    pub fn state(&self, member: &str) -> String {
        format!("m{}_state.b{}_{member}", self.module, self.block)
    }

    pub fn member(&self, member: &str) -> String {
        format!("b{}_{member}", self.block)
    }

    /// The head of a function, in the style of generated code.
    pub fn head(&self, kind: &str, what: &str) -> String {
        let name = self.function_name(kind);
        format!(
            "/*\n * Block '<S{}>/{kind}{}': {what}\n * Input range: {} .. {}\n */\n\
             static int32_T {name}(int32_T u)\n{{\n",
            self.module, self.block, self.input.low, self.input.high
        )
    }
}

/// Multiplies by a fraction and adds an offset: the scaling of a sensor.
pub fn gain(place: &mut Place) -> Block {
    let numerator = place.random.between(1, 900) as i64 * if place.random.chance(30) { -1 } else { 1 };
    let denominator = place.random.between(numerator.unsigned_abs() as usize / 2 + 1, 1800) as i64;
    let offset = place.random.between(0, 2000) as i64 - 1000;
    let at = |value: i64| value * numerator / denominator + offset;
    let function = place.head("Gain", "linear scaling")
        + &format!(
            "  int32_T y;\n\n  /* Product: '<S{}>/b{}/Product' */\n  y = u * {numerator} / {denominator};\n\n  \
             /* Bias: '<S{}>/b{}/Bias' */\n  y = y + ({offset});\n  return y;\n}}\n\n",
            place.module, place.block, place.module, place.block
        );
    let range = Range::new(at(place.input.low), at(place.input.high));
    Block { function, state: vec![], name: place.function_name("Gain"), range }
}

pub fn saturation(place: &mut Place) -> Block {
    let range = Range::new(place.input.value(place.random), place.input.value(place.random));
    let Range { low, high } = range;
    let function = place.head("Saturation", "upper and lower limit")
        + &format!(
            "  int32_T y;\n\n  if (u > {high}) {{\n    y = {high};\n  }} else if (u < {low}) {{\n    y = {low};\n  }} \
             else {{\n    y = u;\n  }}\n\n  return y;\n}}\n\n"
        );
    Block { function, state: vec![], name: place.function_name("Saturation"), range }
}

/// Interpolates linearly between break points, and is constant outside.
pub fn table(place: &mut Place) -> Block {
    let points = place.random.between(4, 16);
    let step = (place.input.width() / points as i64).clamp(1, 2000);
    let breaks: Vec<i64> = (0..points as i64).map(|index| place.input.low + index * step).collect();
    let values: Vec<i64> = (0..points).map(|_| place.random.between(0, 20_000) as i64 - 10_000).collect();
    let list = |numbers: &[i64]| numbers.iter().map(i64::to_string).collect::<Vec<_>>().join(", ");
    let name = place.function_name("Table");
    let last = points - 1;
    let function = format!(
        "/* Break points and values of '<S{}>/Table{}' */\n\
         static const int32_T {name}_x[{points}] = {{ {} }};\n\
         static const int16_T {name}_y[{points}] = {{ {} }};\n\n",
        place.module,
        place.block,
        list(&breaks),
        list(&values)
    ) + &place.head("Table", "1-D look-up table, linear interpolation, clipped ends")
        + &format!(
            "  uint32_T index;\n  int32_T y;\n\n  if (u <= {name}_x[0]) {{\n    return {name}_y[0];\n  }}\n\n  \
             if (u >= {name}_x[{last}]) {{\n    return {name}_y[{last}];\n  }}\n\n  index = 0U;\n  \
             while (u > {name}_x[index + 1U]) {{\n    index++;\n  }}\n\n  \
             y = {name}_y[index] + ({name}_y[index + 1U] - {name}_y[index]) * (u - {name}_x[index]) /\n    \
             ({name}_x[index + 1U] - {name}_x[index]);\n  return y;\n}}\n\n"
        );
    let range = Range { low: *values.iter().min().unwrap_or(&0), high: *values.iter().max().unwrap_or(&0) };
    Block { function, state: vec![], name, range }
}

/// Chooses between bit fields of a status word, dead zone and absolute value by thresholds.
pub fn selection(place: &mut Place) -> Block {
    let threshold = place.input.value(place.random);
    let width = place.random.between(1, 200) as i64;
    let mask = (1i64 << place.random.between(2, 8)) - 1;
    let function = place.head("Switch", "dead zone or masked status")
        + &format!(
            "  int32_T y;\n  uint32_T status;\n\n  status = (uint32_T)u & {mask}U;\n  \
             if (u > {threshold}) {{\n    y = (int32_T)status;\n  }} else if ((u < {width}) && (u > -{width})) {{\n    \
             y = 0;\n  }} else {{\n    y = (u < 0) ? -u : u;\n  }}\n\n  return y;\n}}\n\n"
        );
    let high = mask.max(place.input.magnitude());
    Block { function, state: vec![], name: place.function_name("Switch"), range: Range { low: 0, high } }
}

//! Blocks with memory: filters in fixed and floating point, rate limiter, debounce counter, state
//! machine. That their outputs stay in range holds by induction only.

use super::blocks::{Block, Place, Range};

/// First-order low-pass in fixed point: the state moves towards the input and never past it.
pub fn fixed_filter(place: &mut Place) -> Block {
    let shift = place.random.between(3, 8);
    let coefficient = place.random.between(1, 1 << shift);
    let start = place.input.value(place.random);
    let state = place.state("y");
    let function = place.head("Filter", "first-order low-pass, fixed point")
        + &format!(
            "  int32_T difference;\n\n  /* Sum: '<S{}>/b{}/Sum' */\n  difference = u - {state};\n\n  \
             /* UnitDelay: '<S{}>/b{}/Delay' */\n  {state} = {state} + ((difference * {coefficient}) >> {shift});\n  \
             return {state};\n}}\n\n",
            place.module, place.block, place.module, place.block
        );
    let declared = vec![(format!("int32_T {}", place.member("y")), start.to_string())];
    Block { function, state: declared, name: place.function_name("Filter"), range: place.input }
}

/// First-order low-pass in floating point, limited before it is converted back.
pub fn float_filter(place: &mut Place) -> Block {
    let coefficient = place.random.between(1, 99);
    let range = place.input;
    let Range { low, high } = range;
    let state = place.state("f");
    let function = place.head("FloatFilter", "first-order low-pass, floating point")
        + &format!(
            "  real32_T x;\n\n  x = (real32_T)u;\n  {state} = {state} + 0.{coefficient:02}F * (x - {state});\n\n  \
             /* Saturate: '<S{}>/b{}/Limit' */\n  if ({state} > {high}.0F) {{\n    {state} = {high}.0F;\n  }} else if \
             ({state} < {low}.0F) {{\n    {state} = {low}.0F;\n  }}\n\n  return (int32_T){state};\n}}\n\n",
            place.module, place.block
        );
    let start = range.value(place.random);
    let declared = vec![(format!("real32_T {}", place.member("f")), format!("{start}.0F"))];
    Block { function, state: declared, name: place.function_name("FloatFilter"), range }
}

pub fn rate_limiter(place: &mut Place) -> Block {
    let (rise, fall) = (place.random.between(1, 500), place.random.between(1, 500));
    let start = place.input.value(place.random);
    let state = place.state("last");
    let function = place.head("Rate", "rate limiter")
        + &format!(
            "  int32_T difference;\n\n  difference = u - {state};\n  if (difference > {rise}) {{\n    \
             difference = {rise};\n  }} else if (difference < -{fall}) {{\n    difference = -{fall};\n  }}\n\n  \
             {state} += difference;\n  return {state};\n}}\n\n"
        );
    let declared = vec![(format!("int32_T {}", place.member("last")), start.to_string())];
    Block { function, state: declared, name: place.function_name("Rate"), range: place.input }
}

/// Counts up while the input is above a threshold and down while it is below.
pub fn debounce(place: &mut Place) -> Block {
    let limit = place.random.between(2, 200) as i64;
    let threshold = place.input.value(place.random);
    let state = place.state("count");
    let function = place.head("Debounce", "counter between two ends")
        + &format!(
            "  if (u > {threshold}) {{\n    if ({state} < {limit}U) {{\n      {state}++;\n    }}\n  }} else if \
             ({state} > 0U) {{\n    {state}--;\n  }}\n\n  return (int32_T){state};\n}}\n\n"
        );
    let declared = vec![(format!("uint8_T {}", place.member("count")), "0U".to_string())];
    let range = Range { low: 0, high: limit };
    Block { function, state: declared, name: place.function_name("Debounce"), range }
}

/// A chart with a timer: each state waits for a condition on the input or for the timer.
pub fn state_machine(place: &mut Place) -> Block {
    let states = place.random.between(3, 9);
    let outputs: Vec<i64> = (0..states).map(|_| place.random.between(0, 4000) as i64 - 1000).collect();
    let (state, timer) = (place.state("chart"), place.state("timer"));
    let mut function = place.head("Chart", "state machine")
        + &format!(
            "  int32_T y;\n\n  if ({timer} < 65535U) {{\n    {timer}++;\n  }}\n\n  switch ({state}) {{\n"
        );
    for (index, output) in outputs.iter().enumerate() {
        function += &transitions(place, index, states);
        function += &format!("    y = {output};\n    break;\n\n");
    }
    let fallback = outputs[0];
    function += &format!(
        "   default:\n    /* Unreachable */\n    {state} = 0U;\n    y = {fallback};\n    break;\n  }}\n\n  return y;\n}}\n\n"
    );
    let declared = vec![
        (format!("uint8_T {}", place.member("chart")), "0U".to_string()),
        (format!("uint16_T {}", place.member("timer")), "0U".to_string()),
    ];
    let range = Range { low: *outputs.iter().min().unwrap_or(&0), high: *outputs.iter().max().unwrap_or(&0) };
    Block { function, state: declared, name: place.function_name("Chart"), range }
}

/// The `case` of a state, without its output.
fn transitions(place: &mut Place, index: usize, states: usize) -> String {
    let (state, timer) = (place.state("chart"), place.state("timer"));
    let (threshold, wait) = (place.input.value(place.random), place.random.between(1, 50));
    let (on_input, on_timer) = (place.random.below(states), (index + 1) % states);
    let comparison = if place.random.chance(50) { ">" } else { "<" };
    format!(
        "   case {index}U:\n    /* During '<S{}>/b{}/State{index}' */\n    if (u {comparison} {threshold}) {{\n      \
         {state} = {on_input}U;\n      {timer} = 0U;\n    }} else if ({timer} >= {wait}U) {{\n      \
         {state} = {on_timer}U;\n      {timer} = 0U;\n    }}\n\n",
        place.module, place.block
    )
}

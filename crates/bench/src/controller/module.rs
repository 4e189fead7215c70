//! A module: a bus of signals, its state, a chain of blocks, and a step function that ends with the
//! assertion that the output is in its range.

use super::Plan;
use super::blocks::{Block, LARGEST, Place, Range, gain, saturation, selection, table};
use super::stateful::{debounce, fixed_filter, float_filter, rate_limiter, state_machine};
use conformance::Random;

type Kind = fn(&mut Place) -> Block;

/// Those of discrete control come first.
const KINDS: [Kind; 10] = [
    gain,
    gain,
    saturation,
    selection,
    fixed_filter,
    rate_limiter,
    debounce,
    state_machine,
    table,
    float_filter,
];
const DISCRETE: usize = 8;

/// The sensor that a module reads: a 16-bit number.
const SENSOR: Range = Range { low: -32_768, high: 32_767 };

pub fn text(module: u64, plan: &Plan, bug: Option<u64>, random: &mut Random) -> String {
    let kinds = if plan.discrete { &KINDS[..DISCRETE] } else { &KINDS[..] };
    let blocks = chain(module, kinds, random);
    let mut text = head(module, &blocks);
    text += &types(module, &blocks, bug.is_some());
    blocks.iter().for_each(|block| text += &block.function);
    text += &read_function(module);
    text + &step_function(module, &blocks, bug)
}

fn chain(module: u64, kinds: &[Kind], random: &mut Random) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut input = SENSOR;
    for block in 0..random.between(3, 8) {
        // Products must fit and floats be exact: what has grown large is made smaller first.
        let smaller = if kinds.len() == DISCRETE { saturation } else { table };
        let kind = if input.magnitude() > LARGEST { smaller } else { random.choose(kinds) };
        let made = kind(&mut Place { module, block, input, random });
        input = made.range;
        blocks.push(made);
    }
    blocks
}

fn head(module: u64, blocks: &[Block]) -> String {
    let rule = "*".repeat(74);
    let mut text = format!("/*{rule}\n * Module {module}\n * Blocks:\n");
    blocks.iter().for_each(|block| text += &format!(" *   {}\n", block.name));
    text + &format!(" {rule}*/\n\n")
}

fn types(module: u64, blocks: &[Block], with_bug: bool) -> String {
    let mut text = format!(
        "/* Signals of module {module} */\ntypedef struct {{\n  int16_T sensor;\n  uint8_T enable;\n"
    );
    for (index, _) in blocks.iter().enumerate() {
        text += &format!("  int32_T signal{index};\n");
    }
    text += &format!(
        "  int32_T command;\n}} M{module}_Bus_T;\n\n/* State of module {module} */\ntypedef struct {{\n"
    );
    let rounds = ("uint32_T rounds".to_string(), "0U".to_string());
    let mut members: Vec<&(String, String)> = blocks.iter().flat_map(|block| &block.state).collect();
    if with_bug || members.is_empty() {
        members.push(&rounds);
    }
    members.iter().for_each(|(member, _)| text += &format!("  {member};\n"));
    let values: Vec<&str> = members.iter().map(|(_, value)| value.as_str()).collect();
    text + &format!(
        "}} M{module}_State_T;\n\nstatic M{module}_Bus_T m{module}_bus;\nstatic M{module}_State_T m{module}_state = {{ {} }};\n\n",
        values.join(", ")
    )
}

fn read_function(module: u64) -> String {
    format!(
        "/* Inputs of module {module} */\nstatic void m{module}_read(void)\n{{\n  \
         m{module}_bus.sensor = __VERIFIER_nondet_short();\n  \
         m{module}_bus.enable = (uint8_T)(__VERIFIER_nondet_uchar() & 1U);\n}}\n\n"
    )
}

fn step_function(module: u64, blocks: &[Block], bug: Option<u64>) -> String {
    let bus = format!("m{module}_bus");
    let mut text = format!("/* Step of module {module} */\nstatic void m{module}_step(void)\n{{\n");
    let mut signal = format!("{bus}.sensor");
    for (index, block) in blocks.iter().enumerate() {
        text += &format!("  {bus}.signal{index} = {}({signal});\n", block.name);
        signal = format!("{bus}.signal{index}");
    }
    let range = blocks.last().map_or(SENSOR, |block| block.range);
    let idle = if range.contains(0) { 0 } else { range.low };
    text += &format!(
        "\n  /* Switch: '<S{module}>/Enable' */\n  if ({bus}.enable != 0U) {{\n    {bus}.command = {signal};\n  }} else {{\n    \
         {bus}.command = {idle};\n  }}\n\n"
    );
    if let Some(depth) = bug {
        text += &bug_text(module, depth, range);
    }
    text + &format!(
        "  /* Assertion: '<S{module}>/Range' */\n  if (!(({bus}.command >= {}) && ({bus}.command <= {}))) {{\n    \
         reach_error();\n  }}\n}}\n\n",
        range.low, range.high
    )
}

/// Enabled for so many rounds in a row, the module leaves its range.
fn bug_text(module: u64, depth: u64, range: Range) -> String {
    let rounds = format!("m{module}_state.rounds");
    format!(
        "  /* Monitor: '<S{module}>/Enabled' */\n  if (m{module}_bus.enable != 0U) {{\n    {rounds}++;\n  }} else {{\n    \
         {rounds} = 0U;\n  }}\n\n  if ({rounds} >= {depth}U) {{\n    m{module}_bus.command = {};\n  }}\n\n",
        range.high + 1
    )
}

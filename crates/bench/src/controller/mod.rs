//! A generator of C that looks like what code generators make of controller models: typed signals in
//! structures, a function for each block, global state, look-up tables, state machines, filters in
//! fixed and floating point, and one loop without end that reads the inputs and steps every module.
//!
//! The generator keeps the range of every signal. So no arithmetic overflows, and the assertion at the
//! end of each module (its output is in its range) always holds, though most of them only by
//! induction over the state. A bug, if asked for, makes one of them fail after so many rounds.

mod blocks;
mod module;
mod stateful;

use conformance::Random;
use std::io::{self, Write};

/// How large the program is to be.
#[derive(Clone, Copy, Debug)]
pub enum Extent {
    Modules(u64),
    Bytes(u64),
}

#[derive(Clone, Copy, Debug)]
pub struct Plan {
    pub extent: Extent,
    pub seed: u64,
    /// Only blocks of discrete control: no look-up tables, no floating point.
    pub discrete: bool,
    /// Rounds of the main loop after which the error can first be reached.
    pub bug: Option<u64>,
}

/// Modules that one task function steps, so that no function has thousands of calls.
const MODULES_PER_TASK: u64 = 50;

const PRELUDE: &str = "\
/* Basic types of the target */
typedef signed char int8_T;
typedef unsigned char uint8_T;
typedef short int16_T;
typedef unsigned short uint16_T;
typedef int int32_T;
typedef unsigned int uint32_T;
typedef float real32_T;
typedef unsigned char boolean_T;

/* Environment of the controller */
extern void reach_error(void);
extern short __VERIFIER_nondet_short(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

";

/// Writes the whole program; the number of modules in it.
pub fn write(plan: &Plan, output: &mut impl Write) -> io::Result<u64> {
    let head = format!("/*\n * Controller, generated from seed {}.\n */\n\n{PRELUDE}", plan.seed);
    output.write_all(head.as_bytes())?;
    let mut written = head.len() as u64;
    let mut count = 0;
    while match plan.extent {
        Extent::Modules(modules) => count < modules,
        Extent::Bytes(bytes) => count == 0 || written < bytes,
    } {
        let mut random = Random::new(plan.seed.wrapping_mul(1_000_003).wrapping_add(count));
        // The bug is in the first module: it is there whatever the size.
        let bug = plan.bug.filter(|_| count == 0);
        let text = module::text(count, plan, bug, &mut random);
        output.write_all(text.as_bytes())?;
        written += text.len() as u64;
        count += 1;
    }
    output.write_all(main_text(count).as_bytes())?;
    Ok(count)
}

fn main_text(modules: u64) -> String {
    let tasks = modules.div_ceil(MODULES_PER_TASK);
    let mut text = String::new();
    for task in 0..tasks {
        text += &format!("/* Task {task} */\nstatic void task_{task}(void)\n{{\n");
        for module in task * MODULES_PER_TASK..modules.min((task + 1) * MODULES_PER_TASK) {
            text += &format!("  m{module}_read();\n  m{module}_step();\n");
        }
        text += "}\n\n";
    }
    text += "int main(void)\n{\n  while (1) {\n";
    for task in 0..tasks {
        text += &format!("    task_{task}();\n");
    }
    text + "  }\n}\n"
}

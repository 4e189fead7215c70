//! Terms that are printed as C mean the same to a C compiler, where there is one.

mod support;

use std::fmt::Write;
use std::process::Command;
use support::{Cook, Theory, scramble};
use term::print::CPrinter;
use term::{Sort, Value};

fn c_type(width: u32, signed: bool) -> String {
    format!("{}int{}_t", if signed { "" } else { "u" }, width)
}

/// A C program that returns the number of the first expression that has another value than here.
fn program(recipes: u64) -> String {
    let mut text = String::from("#include <stdint.h>\nint main(void) {\n");
    let mut number = 0;
    for recipe in 0..recipes {
        let width = [8, 16, 32][(recipe % 3) as usize];
        let sorts = [Sort::BitVec(width), Sort::BitVec(width), Sort::BitVec(8), Sort::Bool];
        let mut cook = Cook::new(&sorts, 2, recipe);
        for k in 0..40 {
            let random = scramble(recipe << 20 | k);
            cook.step(
                Theory::BitVec,
                (random as u16, (random >> 16) as u16, (random >> 32) as u16, (random >> 48) as u16),
            );
        }
        let mut printer = CPrinter::new();
        printer.declare_signed(cook.variables[1]);
        for (a, assignment) in cook.assignments.iter().enumerate() {
            text.push_str("{\n");
            for (i, variable) in cook.variables.iter().enumerate() {
                let (kind, value) = match &assignment[variable] {
                    Value::BitVec(bits) => (c_type(bits.width(), i == 1), bits.to_u64().unwrap()),
                    value => ("int".to_owned(), u64::from(value.as_bool().unwrap())),
                };
                writeln!(text, "{kind} v{i} = ({kind}){value}ull;").unwrap();
            }
            for entry in &cook.entries {
                let Some(expression) = printer.print(&cook.pool, entry.term) else { continue };
                if expression.len() > 2000 {
                    continue;
                }
                number += 1;
                let (mask, value) = match &entry.values[a] {
                    Value::BitVec(bits) if bits.width() <= 64 => {
                        (u64::MAX >> (64 - bits.width()), bits.to_u64().unwrap())
                    }
                    Value::Bool(truth) => (u64::MAX, u64::from(*truth)),
                    _ => continue,
                };
                let code = number % 250 + 1;
                writeln!(text, "if (((uint64_t)({expression}) & {mask}ull) != {value}ull) return {code};")
                    .unwrap();
            }
            text.push_str("}\n");
        }
    }
    text.push_str("return 0;\n}\n");
    text
}

#[test]
fn the_compiler_agrees() {
    if Command::new("cc").arg("--version").output().is_err() {
        eprintln!("skipped: there is no C compiler");
        return;
    }
    let directory = std::env::temp_dir().join(format!("proviso-term-{}", std::process::id()));
    std::fs::create_dir_all(&directory).unwrap();
    let (source, binary) = (directory.join("expressions.c"), directory.join("expressions"));
    std::fs::write(&source, program(40)).unwrap();
    let compiled = Command::new("cc").arg("-w").arg("-o").arg(&binary).arg(&source).output().unwrap();
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    let status = Command::new(&binary).status().unwrap();
    assert_eq!(status.code(), Some(0), "see {}", source.display());
    std::fs::remove_dir_all(&directory).unwrap();
}

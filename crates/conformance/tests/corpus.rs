//! Every program of `tests/corpus`, interpreted by `proviso run` and built by the C compiler, does what
//! the lines at its head say; one module for each topic, which is the first word of a program's name.

use conformance::corpus::{check_compiled, check_interpreted, failures, paths};
use conformance::{DataModel, compiler, tool};

fn report(failures: Vec<String>) {
    assert!(failures.is_empty(), "{} failures\n\n{}\n", failures.len(), failures.join("\n\n"));
}

fn interpreted(topic: &str) {
    if tool::proviso().is_some() {
        report(failures(topic, check_interpreted));
    }
}

fn compiled(topic: &str) {
    report(failures(
        topic,
        |program, model: DataModel| {
            if compiler::available(model) { check_compiled(program, model) } else { Ok(()) }
        },
    ));
}

macro_rules! topics {
    ($($topic:ident)*) => {
        const TOPICS: &[&str] = &[$(stringify!($topic)),*];
        $(mod $topic {
            #[test]
            fn interpreted() {
                super::interpreted(stringify!($topic));
            }

            #[test]
            fn compiled() {
                super::compiled(stringify!($topic));
            }
        })*
    };
}

topics! {
    array bitfield builtin control declaration expression float function gnu initialiser
    input integer library literal pointer structure types unions violation
}

#[test]
fn every_program_belongs_to_a_topic() {
    for path in paths() {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let topic = name.split('-').next().unwrap_or_default();
        assert!(TOPICS.contains(&topic), "{name}: `{topic}` is none of {TOPICS:?}");
    }
}

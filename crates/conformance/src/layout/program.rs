//! The C program that prints the layout of a list of types.

use super::types::{Aggregate, Content, Member};
use std::fmt::Write;

const PRELUDE: &str = "int printf(const char *, ...);
enum colour { RED, GREEN, BLUE };
enum __attribute__((packed)) tiny { SMALL, SMALLER };
typedef int strict_int __attribute__((aligned(8)));
typedef long long loose_long __attribute__((aligned(2)));

static void dump(const char *name, const void *object, int size) {
  const unsigned char *bytes = object;
  printf(\"%s \", name);
  for (int i = 0; i < size; i++) printf(\"%02x\", bytes[i]);
  printf(\"\\n\");
}

";

pub fn program(aggregates: &[Aggregate]) -> String {
    let mut text = PRELUDE.to_string();
    for aggregate in aggregates {
        text += &definition(aggregate, aggregates, 0);
        text += ";\n\n";
    }
    for aggregate in aggregates {
        text += &report(aggregate, aggregates);
    }
    text += "int main(void) {\n";
    for aggregate in aggregates {
        let _ = writeln!(text, "  report_{}();", aggregate.tag);
    }
    text + "  return 0;\n}\n"
}

fn attribute_text(attributes: &[String]) -> String {
    attributes.iter().map(|attribute| format!(" __attribute__(({attribute}))")).collect()
}

/// `struct TAG { … }` without the semicolon.
fn definition(aggregate: &Aggregate, all: &[Aggregate], depth: usize) -> String {
    let indent = "  ".repeat(depth);
    let attributes = attribute_text(&aggregate.attributes);
    let (before, after) =
        if aggregate.attributes_first { (attributes, String::new()) } else { (String::new(), attributes) };
    let mut text = format!("{}{before} {} {{\n", aggregate.keyword, aggregate.tag);
    for member in &aggregate.members {
        let _ = writeln!(text, "{indent}  {};", declaration(member, all, depth + 1));
    }
    text + &format!("{indent}}}{after}")
}

fn declaration(member: &Member, all: &[Aggregate], depth: usize) -> String {
    let name = member.name.as_deref().unwrap_or("");
    let text = match &member.content {
        Content::Plain { declarator, dimensions } => declarator.replace('@', &array(name, dimensions)),
        Content::BitField { base, width } => format!("{base} {name} : {width}"),
        Content::Nested { aggregate, dimensions } => {
            format!("{} {}", definition(aggregate, all, depth), array(name, dimensions))
        }
        Content::Earlier { index, dimensions } => {
            format!("{} {} {}", all[*index].keyword, all[*index].tag, array(name, dimensions))
        }
        Content::FlexibleArray { declarator } => declarator.replace('@', &format!("{name}[]")),
    };
    text + &attribute_text(&member.attributes)
}

fn array(name: &str, dimensions: &[usize]) -> String {
    let brackets: String = dimensions.iter().map(|dimension| format!("[{dimension}]")).collect();
    format!("{name}{brackets}")
}

/// Something that can be asked about a member at a path such as `m1.m2[1]`.
enum Question {
    Offset(String),
    Bits { path: String, boolean: bool },
}

fn report(aggregate: &Aggregate, all: &[Aggregate]) -> String {
    let name = format!("{} {}", aggregate.keyword, aggregate.tag);
    let tag = &aggregate.tag;
    let mut text = format!(
        "static void report_{tag}(void) {{\n  static {name} object;\n  \
         printf(\"{tag} size %d alignment %d\\n\", (int)sizeof({name}), (int)_Alignof({name}));\n"
    );
    let mut questions = Vec::new();
    ask(aggregate, all, "", &mut questions);
    for question in questions {
        let _ = match question {
            Question::Offset(path) => writeln!(
                text,
                "  printf(\"{tag}.{path} offset %d\\n\", (int)__builtin_offsetof({name}, {path}));"
            ),
            Question::Bits { path, boolean } => writeln!(
                text,
                "  __builtin_memset(&object, 0, sizeof object);\n  object.{path} = {};\n  \
                 dump(\"{tag}.{path} bits\", &object, sizeof object);",
                if boolean { "1" } else { "-1" }
            ),
        };
    }
    text + "}\n\n"
}

fn ask(aggregate: &Aggregate, all: &[Aggregate], prefix: &str, questions: &mut Vec<Question>) {
    for member in &aggregate.members {
        match (&member.name, &member.content) {
            (None, Content::Nested { aggregate, .. }) => ask(aggregate, all, prefix, questions),
            (None, _) => {}
            (Some(name), Content::BitField { base, .. }) => {
                questions.push(Question::Bits { path: format!("{prefix}{name}"), boolean: *base == "_Bool" });
            }
            (Some(name), content) => {
                questions.push(Question::Offset(format!("{prefix}{name}")));
                let inner = match content {
                    Content::Nested { aggregate, dimensions } => Some((aggregate, dimensions)),
                    Content::Earlier { index, dimensions } => Some((&all[*index], dimensions)),
                    _ => None,
                };
                if let Some((aggregate, dimensions)) = inner {
                    ask(aggregate, all, &format!("{prefix}{name}{}.", last_element(dimensions)), questions);
                }
            }
        }
    }
}

fn last_element(dimensions: &[usize]) -> String {
    dimensions.iter().map(|dimension| format!("[{}]", dimension - 1)).collect()
}

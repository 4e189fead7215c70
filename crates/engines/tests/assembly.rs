//! Inline assembly: what it may change can be anything, what it cannot change stays.

mod support;

use sema::types::DataModel;
use support::{check_engines, load_with, unreachable};

/// In both data models.
fn check(source: &str, expected: &str) {
    let source = format!("void reach_error(void); int __VERIFIER_nondet_int(void);\n{source}");
    for model in [DataModel::Lp64, DataModel::Ilp32] {
        let program = load_with(&source, model, cfa::Lives::default());
        check_engines(&program, &unreachable(), expected, &format!("{model:?}: {source}"));
    }
}

#[test]
fn outputs_can_be_anything() {
    check(
        "int main(void) { int x = 1, y = 2; asm(\"addl %1, %0\" : \"+r\"(x) : \"r\"(y)); if (y != 2) reach_error(); }",
        "TRUE",
    );
    check(
        "int main(void) { int x = 1, y = 2; asm(\"addl %1, %0\" : \"+r\"(x) : \"r\"(y)); if (x != 3) reach_error(); }",
        "UNKNOWN",
    );
    check(
        "int main(void) {
            int x = __VERIFIER_nondet_int();
            if (x == 5) reach_error();
            asm(\"bswap %0\" : \"+r\"(x));
        }",
        "FALSE",
    );
}

#[test]
fn outputs_of_the_machine_are_inputs() {
    let program = |error: &str| {
        format!(
            "int main(void) {{
                unsigned char b; asm volatile(\"inb %w1, %b0\" : \"=a\"(b) : \"Nd\"(0x60));
                if ({error}) reach_error();
            }}"
        )
    };
    check(&program("b == 7"), "FALSE");
    check(&program("b > 255"), "TRUE");
}

#[test]
fn empty_templates_are_exact() {
    check(
        "int x; int main(void) {
            int *p = &x, *q; x = 3;
            asm(\"\" : \"=r\"(q) : \"0\"(p)); asm volatile(\"\" : : : \"memory\"); asm(\"\" : \"+r\"(x));
            *q = 4; if (x != 4 || q != p) reach_error();
        }",
        "TRUE",
    );
    check("int main(void) { int *p; asm(\"\" : \"=r\"(p)); if (p) reach_error(); }", "UNKNOWN");
}

/// A bit number counts from the start of an array of words.
#[test]
fn bits_may_lie_behind_the_operand() {
    let program = |number: &str, error: &str| {
        format!(
            "unsigned long map[4]; int other; int main(void) {{
                int n = __VERIFIER_nondet_int();
                if (n < 0 || n > 60) return 0;
                asm volatile(\"lock; bts %1, %0\" : \"+m\"(*map) : \"Ir\"({number}) : \"memory\");
                if ({error}) reach_error();
            }}"
        )
    };
    check(&program("n", "map[2] || map[3] || other"), "TRUE");
    check(&program("n", "sizeof map[0] == 4 ? map[1] : map[0]"), "UNKNOWN");
    check(&program("5", "map[1]"), "TRUE");
}

/// The pointers that an instruction may copy as numbers are followed.
#[test]
fn pointers_go_through_numbers() {
    check(
        "int x = 1; int main(void) {
            unsigned long a = (unsigned long)&x, b;
            asm(\"mov %1, %0\" : \"=r\"(b) : \"r\"(a));
            if (b == (unsigned long)&x) { *(int *)b = 2; }
            if (x != 1) reach_error();
        }",
        "UNKNOWN",
    );
}

/// `esp` leads to memory that a number does not lead to.
#[test]
fn registers_may_hold_addresses() {
    let program = |ty: &str| {
        format!(
            "struct task {{ int number; }};
            int main(void) {{
                {ty} stack; asm(\"mov %%esp, %0\" : \"=r\"(stack));
                struct task *task = (struct task *)(unsigned long)(stack & ~8191ul);
                if (task->number == 3) reach_error();
            }}"
        )
    };
    check(&program("unsigned long"), "UNKNOWN");
    check(&program("unsigned short"), "TRUE");
}

/// Variables that are names for registers have the values that the machine gives them.
#[test]
fn the_values_of_registers_are_not_known() {
    let program = |reads: &str| {
        format!(
            "register unsigned long stack asm(\"esp\"); unsigned long esp;
            int main(void) {{ if ({reads}) reach_error(); }}"
        )
    };
    check(&program("stack"), "UNKNOWN");
    check(&program("__VERIFIER_nondet_int() && (stack & 4)"), "UNKNOWN");
    check(&program("esp"), "TRUE");
    let local = |declared: &str| {
        format!(
            "struct task {{ int number; }} other = {{3}};
            int main(void) {{
                {declared};
                struct task *task = (struct task *)(stack & ~3ul);
                if (task->number != 3) reach_error();
            }}"
        )
    };
    check(&local("register unsigned long stack asm(\"esp\")"), "UNKNOWN");
    check(&local("register unsigned long stack asm(\"esp\") = (unsigned long)&other"), "TRUE");
}

#[test]
fn memory_is_written_only_with_a_clobber() {
    let program = |clobber: &str| {
        format!(
            "int main(void) {{
                int x = 1, v = 2;
                asm volatile(\"movl %0, %1\" : : \"r\"(v), \"m\"(x) {clobber}); if (x != 1) reach_error();
            }}"
        )
    };
    check(&program(": \"memory\""), "UNKNOWN");
    check(&program(""), "TRUE");
}

#[test]
fn other_assembly_leaves_the_answer_open() {
    for statement in
        ["asm volatile(\"rep movsb\" : : : \"memory\");", "asm(\"call f\");", "asm(\"movl $1, x\");"]
    {
        check(&format!("int x; int main(void) {{ {statement} if (x) reach_error(); }}"), "UNKNOWN");
    }
}

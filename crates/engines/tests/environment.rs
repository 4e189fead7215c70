//! What the world around a program may do, and what it does if nothing else is asked for.

mod support;

use cfa::Environment;
use sema::types::DataModel;
use support::{check_engines, load_as, unreachable};
use task::Goal;

const HEAD: &str =
    "void reach_error(void); void *malloc(unsigned long); void *calloc(unsigned long, unsigned long);
    void *realloc(void *, unsigned long); void free(void *); void *__VERIFIER_nondet_pointer(void);\n";

fn check_goals(goals: &[Goal], source: &str, environment: Environment, expected: &str) {
    let options = frontend::Options {
        lives: task::lives(goals),
        environment,
        ..frontend::Options::new(Vec::new(), DataModel::Lp64)
    };
    let program = load_as(&format!("{HEAD}{source}"), options);
    check_engines(&program, goals, expected, &format!("{environment:?}: {source}"));
}

/// The answers in a benign and in a hostile environment.
fn check(source: &str, benign: &str, hostile: &str) {
    check_goals(&unreachable(), source, Environment::Benign, benign);
    check_goals(&unreachable(), source, Environment::Hostile, hostile);
}

#[test]
fn memory_may_run_out() {
    check("int main(void) { int *p = malloc(4); if (!p) reach_error(); }", "TRUE", "FALSE");
    check(
        "int main(void) { int *p = calloc(1, 4); if (!p) return 1; if (*p) reach_error(); }",
        "TRUE",
        "TRUE",
    );
    let goals = [Goal::ValidDereference];
    for (guard, hostile) in [("", "FALSE"), ("if (!p) return 1;", "TRUE")] {
        let source = format!("int main(void) {{ int *p = malloc(4); {guard} *p = 1; }}");
        check_goals(&goals, &source, Environment::Benign, "TRUE");
        check_goals(&goals, &source, Environment::Hostile, hostile);
    }
}

#[test]
fn what_cannot_grow_is_still_there() {
    let source = |error: &str| {
        format!(
            "int main(void) {{
                char *p = malloc(4);
                if (!p) return 1;
                p[0] = 7;
                char *q = realloc(p, 8);
                if (!q) {{ if (p[0] {error} 7) reach_error(); free(p); return 1; }}
                if (q[0] != 7) reach_error();
                free(q);
            }}"
        )
    };
    check(&source("!="), "TRUE", "TRUE");
    check(&source("=="), "TRUE", "FALSE");
    let goals = [Goal::ValidMemoryCleanup];
    check_goals(&goals, &source("!="), Environment::Hostile, "TRUE");
}

#[test]
fn memory_may_run_out_behind_a_pointer() {
    check(
        "static void *(*get)(unsigned long) = malloc;
        int main(void) { int *p = get(4); if (!p) reach_error(); }",
        "TRUE",
        "FALSE",
    );
}

#[test]
fn volatile_objects_change_by_themselves() {
    check("volatile int state = 1; int main(void) { if (state != 1) reach_error(); }", "TRUE", "FALSE");
    check(
        "volatile unsigned char port;
        int main(void) { unsigned x = port; port |= 3; int y = port++; if (x > 255 || y > 255) reach_error(); }",
        "TRUE",
        "TRUE",
    );
    check("volatile int v; int main(void) { if (v + v == 3) reach_error(); }", "TRUE", "FALSE");
    check(
        "struct { volatile unsigned flag : 3; unsigned other : 5; } r; volatile int *p; int x;
        int main(void) { r.other = 9; if (r.flag > 7 || r.other != 9) reach_error(); }",
        "TRUE",
        "TRUE",
    );
    check(
        "struct { volatile unsigned flag : 3; } r; int main(void) { r.flag = 2; if (r.flag == 5) reach_error(); }",
        "TRUE",
        "FALSE",
    );
    check("int main(void) { volatile int mine = 3; if (mine != 3) reach_error(); }", "TRUE", "TRUE");
    check("int main(void) { int x = 3; if (*(volatile int *)&x != 3) reach_error(); }", "TRUE", "FALSE");
}

#[test]
fn functions_without_a_body_write_what_they_can_name() {
    let source = |error: &str| {
        format!(
            "int seen; static int hidden; extern const int fixed; const int own = 3; void other(int);
            int main(void) {{ seen = 1; hidden = 2; other(3); if ({error}) reach_error(); }}"
        )
    };
    check(&source("hidden != 2 || own != 3"), "TRUE", "TRUE");
    check(&source("seen != 1"), "TRUE", "FALSE");
    check(
        "int seen; void other(int); int main(void) { void (*f)(int) = other; f(1); if (seen) reach_error(); }",
        "TRUE",
        "FALSE",
    );
    check(
        "int other(int); int main(void) { if (other(1) == other(1)) return 0; reach_error(); }",
        "FALSE",
        "FALSE",
    );
}

/// What pointers lead to is not known, so there is no TRUE; errors that need nothing of it are errors.
#[test]
fn pointers_leave_the_answer_open() {
    check(
        "void fill(int *); int main(void) { int x = 1; fill(&x); if (x != 1) reach_error(); }",
        "TRUE",
        "UNKNOWN",
    );
    check(
        "void fill(int *); int main(void) { int x = 1; fill(&x); if (x == 1) reach_error(); }",
        "FALSE",
        "FALSE",
    );
    check(
        "void fill(int *); int main(void) {
            int x = 1; void (*f)(int *) = fill; f(&x); if (x != 1) reach_error();
        }",
        "TRUE",
        "UNKNOWN",
    );
    check(
        "void log(const char *, int *, ...); int main(void) { int x = 1; log(\"%d\", 0, x); if (x != 1) reach_error(); }",
        "TRUE",
        "TRUE",
    );
    check(
        "int *get(void); int main(void) { int x = 1; int *p = get(); if (p) *p = 2; if (x != 1) reach_error(); }",
        "TRUE",
        "UNKNOWN",
    );
    check(
        "int main(void) { int x = 1; int *p = __VERIFIER_nondet_pointer(); if (p) *p = 2; if (x != 1) reach_error(); }",
        "TRUE",
        "UNKNOWN",
    );
    check(
        "extern int *shared; int x = 1; int main(void) { if (shared) *shared = 2; if (x != 1) reach_error(); }",
        "TRUE",
        "UNKNOWN",
    );
    check("int main(int argc, char **argv) { if (argc < 0 || !argv) reach_error(); }", "TRUE", "TRUE");
}

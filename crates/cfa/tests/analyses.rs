//! Loops, summaries, slices and what is reachable, on C text.

mod front_end;

use cfa::callgraph::CallGraph;
use cfa::loops::Loops;
use cfa::pointsto::PointsTo;
use cfa::reachable::Reachable;
use cfa::slice::{Criterion, Facts, Slice, apply};
use cfa::summary::{Boundaries, Summary};
use cfa::{Program, text, validate};

fn program(source: &str) -> Program {
    front_end::program(source).expect("the program is C")
}

#[test]
fn loops_are_named_after_their_line() {
    let program = program(
        "int main(void) { int i, j, n = 3;
           for (i = 0; i < n; i++) for (j = 0; j < i; j++) n = n;
           while (n) n--;
           again: if (n < 5) { n++; goto again; }
           return 0; }",
    );
    let loops = Loops::new(&program);
    let mut found: Vec<String> =
        loops.loops.iter().map(|item| format!("{} {} {}", item.name, item.depth, item.exits.len())).collect();
    found.sort();
    assert_eq!(found, ["main:2 1 1", "main:2#2 2 1", "main:3 1 1", "main:4 1 1"]);
}

#[test]
fn jumps_into_a_loop_make_more_entries() {
    let program =
        program("int main(void) { int n = 0; if (n) goto in; while (n < 9) { n++; in: n += 2; } return 0; }");
    let loops = Loops::new(&program);
    let irreducible: Vec<bool> = loops.loops.iter().map(|item| item.is_irreducible()).collect();
    assert_eq!(irreducible, [true]);
}

#[test]
fn a_loop_of_branches_is_one_block_around_its_head() {
    let program = program(
        "int x; int main(void) { int i = 5, z; while (i > 0) { if (x == 1) z = 0; else z = 1; i = i - 1; }
           return 0; }",
    );
    let main = program.main.and_then(|main| program.functions[main].body.as_ref()).expect("main has a body");
    let summary = Summary::new(&program, main, &Boundaries::of_function(&program, main, None));
    let ends: Vec<bool> = summary.edges.iter().map(|edge| edge.from == edge.to).collect();
    assert_eq!((summary.locations.len(), ends.len()), (3, 3));
    assert_eq!(ends.iter().filter(|&&is_loop| is_loop).count(), 1);
}

/// The text of the program's slice for calls of `reach_error`.
fn sliced(source: &str) -> String {
    let mut program = program(source);
    let points_to = PointsTo::compute(&program);
    let calls = CallGraph::new(&program, &points_to);
    let loops = Loops::new(&program);
    let facts = Facts { program: &program, points_to: &points_to, calls: &calls, loops: &loops };
    let error = program.function_named("reach_error").expect("the program has an error");
    let slice = Slice::new(facts, &Criterion::calls_to(&calls, error));
    apply(&mut program, &slice);
    assert!(validate::validate(&program).is_ok());
    text::listing(&program)
}

#[track_caller]
fn check_slice(source: &str, kept: &[&str], gone: &[&str]) {
    let text = sliced(source);
    assert!(kept.iter().all(|part| text.contains(part)), "{text}");
    assert!(!gone.iter().any(|part| text.contains(part)), "{text}");
}

#[test]
fn what_the_error_does_not_depend_on_is_gone() {
    check_slice(
        "void reach_error(void); int nondet_int(void); int a, b, c;
         void count(int n) { c = c + n; }
         int main(void) { a = nondet_int(); b = 17; if (b) c = 18; count(19); if (a == 20) reach_error(); return 0; }",
        &["a = ", "20", "reach_error"],
        &["17", "18", "19", "c = "],
    );
}

#[test]
fn writes_through_pointers_and_what_is_passed_are_followed() {
    check_slice(
        "void reach_error(void); int a, b; void set(int *p, int v, int w) { *p = v; b = w; }
         int main(void) { int *q = &a; set(q, 17, 18); if (a == 19) reach_error(); return 0; }",
        &["17", "19", "*p = v"],
        &["18", "b = w"],
    );
}

#[test]
fn what_may_stop_the_run_before_the_error_stays() {
    check_slice(
        "void reach_error(void); void abort(void); int nondet_int(void); int x;
         void check(int n) { if (n < 17) abort(); }
         int main(void) { int i = nondet_int(), j = 0; check(i); while (j != 18) j = j + 2; x = 19;
           reach_error(); return 0; }",
        &["17", "18", "check(i)", "j + 2"],
        &["19"],
    );
}

#[test]
fn what_comes_after_the_error_is_gone() {
    check_slice(
        "void reach_error(void); int nondet_int(void);
         int main(void) { if (nondet_int()) reach_error(); else { int i = 17; while (i != 18) i++; } return 0; }",
        &["reach_error"],
        &["17", "18"],
    );
}

#[test]
fn unused_globals_and_functions_are_found() {
    let program = program(
        "int used, *unused = &used, other; static int f(void) { return other; }
         int main(void) { return used; }",
    );
    let calls = CallGraph::new(&program, &PointsTo::compute(&program));
    let reachable = Reachable::new(&program, &calls);
    let is_global = |v: &cfa::VariableId| program.variables[*v].kind.is_global();
    let needed = program.variables.ids().filter(is_global).filter(|&v| reachable.variable(v));
    let names: Vec<&str> = needed.map(|v| program.name(program.variables[v].name)).collect();
    assert_eq!(names, ["used"]);
    assert!(program.function_named("f").is_none_or(|f| !reachable.function(f)));
}

//! What pointers of small C programs point to: the expected targets, and what runs really store.

mod front_end;
mod pointers;

use cfa::Program;
use cfa::pointsto::{ObjectId, ObjectKind, Offset, PointsTo};

/// The targets of the pointers in a global variable, by name and offset, sorted.
fn targets(program: &Program, points_to: &PointsTo, variable: &str) -> Vec<String> {
    let name = |id| program.name(program.variables[id].name);
    let id = program.variables.ids().find(|&id| name(id) == variable).expect("the variable is there");
    let object = points_to.find_object(ObjectKind::Variable(id)).expect("variables have objects");
    let text = |(object, offset): (ObjectId, Offset)| {
        let name = match points_to.object(object).kind {
            ObjectKind::Variable(variable) => name(variable).to_string(),
            ObjectKind::Function(function) => program.function_name(function).to_string(),
            ObjectKind::Heap(edge) => {
                let span = program.edges[edge].span;
                format!("heap{}", program.sources.position(span).map_or(0, |p| p.line))
            }
            ObjectKind::String(_) => "string".into(),
            ObjectKind::Outside => "outside".into(),
            other => format!("{other:?}"),
        };
        match offset {
            Offset::At(0) => name,
            Offset::At(at) => format!("{name}+{at}"),
            Offset::Any => format!("{name}+?"),
        }
    };
    let mut found: Vec<String> = points_to
        .cells(object)
        .flat_map(|cell| points_to.contents(cell).map(text).collect::<Vec<_>>())
        .collect();
    found.sort();
    found.dedup();
    found
}

/// Checks `expected`, lines of `variable: target target …`, and runs the program.
#[track_caller]
fn check(source: &str, expected: &str) {
    let program = front_end::program(source).expect("the program is C");
    let points_to = PointsTo::compute(&program);
    for line in expected.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let (variable, expected) = line.split_once(':').expect("a variable and its targets");
        let expected: Vec<&str> = expected.split_whitespace().collect();
        assert_eq!(targets(&program, &points_to, variable), expected, "{variable}");
    }
    for seed in 0..3 {
        let (checked, misses) = pointers::watch(&program, &points_to, &mut replay::Random::new(seed), 10_000);
        assert_eq!(misses, Vec::<String>::new());
        assert!(checked > 0);
    }
}

#[test]
fn members_are_told_apart() {
    check(
        "int x, y; struct s { int *a; int n; int *b; } s, *q; int *p, *r;
         int main(void) { s.a = &x; s.b = &y; q = &s; p = q->a; r = q->b; return 0; }",
        "p: x
         r: y
         q: s",
    );
}

#[test]
fn elements_are_one() {
    check(
        "int x, y, a[4]; struct e { int k; int *v; } t[3]; int *p, *q, *r;
         int main(void) { int i = 2; t[0].v = &x; t[i].v = &y; p = t[1].v; q = &a[i] + 1; r = &t[i].k;
           for (q = a; q < a + 4; q++) *q = 0; return 0; }",
        "p: x y
         q: a
         r: t",
    );
}

#[test]
fn records_are_copied_cell_by_cell() {
    check(
        "int x, y; struct s { int *a[2]; int *b; } s, t, u; struct s f(struct s v) { return v; } int *p, *q;
         void *memcpy(void *, const void *, unsigned long);
         int main(void) { s.a[1] = &x; s.b = &y; t = f(s); struct s *w = &t; memcpy(&u, w, sizeof u);
           p = u.a[0]; q = u.b; return 0; }",
        "p: x
         q: y",
    );
}

#[test]
fn the_record_around_a_member_is_found() {
    check(
        "struct list { struct list *next; }; struct item { int n; struct list link; int *v; } a, b; int x;
         struct item *p; int *q;
         int main(void) { struct list *l = &a.link; l->next = &b.link; b.v = &x;
           p = (struct item *)((char *)l->next - __builtin_offsetof(struct item, link)); q = p->v; return 0; }",
        "p: b
         q: x",
    );
}

#[test]
fn pointers_survive_integers_unions_and_bytes() {
    check(
        "int x, y; union u { int *p; unsigned long n; char c[8]; } u, v; int *p, *q, *r; unsigned long n;
         int main(void) { n = (unsigned long)&x; p = (int *)n; u.p = &y; for (int i = 0; i < 8; i++)
           v.c[i] = u.c[i]; q = v.p; r = (int *)(unsigned long)&y; return 0; }",
        "p: outside+? x
         q: y
         r: y",
    );
}

#[test]
fn bytes_of_a_record_reach_all_of_it() {
    check(
        "int x; struct s { char name[8]; int *p; } s, t; int *q;
         int main(void) { s.p = &x; char *from = (char *)&s, *to = (char *)&t;
           for (int i = 0; i < sizeof s; i++) to[i] = from[i]; q = t.p; return 0; }",
        "q: x",
    );
}

#[test]
fn the_heap_is_told_apart_by_allocation() {
    check(
        "void *malloc(unsigned long); struct n { struct n *next; int *v; }; int x, y; int *p, *q; struct n *l;
         int main(void) {
           struct n *a = (struct n *)malloc(sizeof(struct n));
           struct n *b = (struct n *)malloc(sizeof(struct n));
           a->v = &x; b->v = &y; b->next = a; l = b->next; p = a->v; q = l->v; return 0; }",
        "l: heap3 outside+?
         p: outside+? x
         q: outside+? x",
    );
}

#[test]
fn calls_through_tables_of_functions_are_resolved() {
    check(
        "int x, y; int *f(int *p) { return p; } int *g(int *p) { return &y; }
         struct ops { int *(*run)(int *); int *(*other)(int *); } ops = { f, g }; int *p;
         int main(void) { struct ops *o = &ops; p = o->run(&x); return 0; }",
        "p: x",
    );
}

#[test]
fn arguments_without_a_name_are_followed() {
    check(
        "int x; int *p; void f(int n, ...) { __builtin_va_list l; __builtin_va_start(l, n);
           p = __builtin_va_arg(l, int *); __builtin_va_end(l); }
         int main(void) { f(1, &x); return 0; }",
        "p: x",
    );
}

#[test]
fn what_comes_from_outside_stays_outside() {
    check(
        "int *get(void); extern int *e; int x; int *p, *q, **r;
         int main(void) { int *l; p = get(); q = e; r = &l; q = *r; p = &x; return 0; }",
        "p: outside+? x
         q: outside+?",
    );
}

#[test]
fn the_library_hands_pointers_on() {
    check(
        "char *strchr(const char *, int); char *strcpy(char *, const char *); char b[9]; char *p, *q, *r;
         void qsort(void *, unsigned long, unsigned long, int (*)(const void *, const void *));
         int a[3]; const int *c; int less(const void *x, const void *y) { c = x; return 0; }
         int main(void) { p = strcpy(b, \"abc\"); q = strchr(b, 'c'); r = \"abc\"; qsort(a, 3, 4, less); return 0; }",
        "p: b
         q: b
         r: string+?
         c: a+?",
    );
}

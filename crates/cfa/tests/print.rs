//! The other forms of a program: graph, JSON, and where each edge comes from.

mod front_end;

const SOURCE: &str = "int f(int a) {\n  if (a)\n    a = '\"';\n  return a;\n}\n";

#[test]
fn a_function_as_a_graph() {
    let program = front_end::program(SOURCE).expect("the source is fine");
    let function = program.function_named("f").expect("it is there");
    let expected = r#"digraph cfa {
  node [shape=circle];
  subgraph cluster_0 {
    label="f";
    L0 [label="0", penwidth=2];
    L1 [label="1"];
    L2 [label="2"];
    L3 [label="3", shape=doublecircle];
    L0 -> L1 [label="[a]"];
    L0 -> L2 [label="[!(a)]"];
    L1 -> L2 [label="a = 34"];
    L2 -> L3 [label="return a"];
  }
}
"#;
    assert_eq!(cfa::dot::function_dot(&program, function), expected);
    assert!(cfa::dot::dot(&program).contains("label=\"proviso.entry\""));
}

#[test]
fn a_program_as_json() {
    let program = front_end::program("char *s = \"a\\\\\";\n").expect("the source is fine");
    let expected = r#"{"entry":"proviso.entry",
"functions":[
{"name":"proviso.entry","type":"void (void)","parameters":[],"locals":[],
"entry":0,"exit":2,"locations":[0,2],
"edges":[
{"from":0,"to":1,"kind":"assign","text":"s = \"a\\\\\"","file":"a.c","line":1,"column":7},
{"from":1,"to":2,"kind":"return","text":"return"}]}],
"globals":[
{"name":"s","type":"char *","declaration":"char *s"}]}
"#;
    assert_eq!(cfa::json::json(&program, None), expected);
}

#[test]
fn edges_know_their_lines() {
    let program = front_end::program(SOURCE).expect("the source is fine");
    let lines: Vec<u32> = program
        .edges
        .iter()
        .filter_map(|edge| program.sources.position(edge.span))
        .map(|position| position.line)
        .collect();
    assert_eq!(lines, [2, 2, 3, 4]);
}

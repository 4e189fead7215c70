//! Line markers lead from the preprocessed text back to the files that people wrote.

use base::{Interner, SourceMap};
use syntax::ast::{ExprKind, Item};

/// Where each file-scope declaration and each name in an expression was written.
fn positions(source: &str) -> Vec<String> {
    let mut sources = SourceMap::default();
    let mut interner = Interner::default();
    // An earlier file, so that offsets and positions in the text differ.
    sources.add("first.c", *b"int unused;\n").expect("it is small");
    let file = sources.add("a.i", source.as_bytes()).expect("it is small");
    let (ast, diagnostics) = syntax::parse(&mut sources, file, &mut interner);
    assert!(!diagnostics.has_errors());
    let items = ast.items.iter().filter_map(|item| match item {
        Item::Declaration(id) => Some(ast.declarations[*id].span),
        _ => None,
    });
    let names = ast.exprs.iter().filter(|expr| matches!(expr.kind, ExprKind::Name(_))).map(|expr| expr.span);
    items.chain(names).filter_map(|span| sources.position(span)).map(|place| place.to_string()).collect()
}

#[test]
fn without_markers_places_are_those_of_the_text() {
    assert_eq!(positions("int x;\n\n  int y;"), ["a.i:1:1", "a.i:3:3"]);
}

#[test]
fn markers_of_the_preprocessor() {
    let text =
        "# 1 \"a.c\"\n# 1 \"<built-in>\"\n# 10 \"dir/b.h\" 1 3 4\nint x;\nint y;\n# 5 \"a.c\" 2\nint z;\n";
    assert_eq!(positions(text), ["dir/b.h:10:1", "dir/b.h:11:1", "a.c:5:1"]);
}

#[test]
fn line_directives() {
    assert_eq!(positions("#line 7 \"q.c\"\nint x;\n#line 20\nint y;\n"), ["q.c:7:1", "q.c:20:1"]);
    assert_eq!(positions("  #  line 3\nint x;\n"), ["a.i:3:1"]);
    assert_eq!(positions("# 33\nint x;\n"), ["a.i:33:1"]);
}

#[test]
fn markers_in_the_middle_of_an_expression() {
    let text = "int x = a +\n# 50 \"m.c\"\n  b\n# 60 \"m.c\"\n   + c;";
    assert_eq!(positions(text), ["a.i:1:1", "a.i:1:9", "m.c:50:3", "m.c:60:6"]);
}

#[test]
fn names_of_files_are_unescaped() {
    assert_eq!(positions("# 1 \"a\\\\b \\\"c\\\".c\"\nint x;"), ["a\\b \"c\".c:1:1"]);
}

#[test]
fn windows_line_ends() {
    assert_eq!(positions("# 4 \"w.c\"\r\nint x;\r\nint y;\r\n"), ["w.c:4:1", "w.c:5:1"]);
}

#[test]
fn a_marker_at_the_end_of_the_text() {
    assert_eq!(positions("int x;\n# 4 \"w.c\""), ["a.i:1:1"]);
}

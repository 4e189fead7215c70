//! Runs programs on random inputs and checks all pointers that they store against the points-to
//! analysis. A list on standard input, with a file and its data model on each line.

#[path = "../tests/pointers/mod.rs"]
mod pointers;

use base::{Interner, SourceMap};
use cfa::pointsto::PointsTo;
use sema::types::DataModel;

fn main() {
    let run = std::thread::Builder::new().stack_size(64 << 20).spawn(|| {
        let (mut files, mut checked, mut missed) = (0, 0, 0);
        for line in std::io::stdin().lines().map_while(Result::ok) {
            let (path, model) = line.split_once(char::is_whitespace).unwrap_or((&line, ""));
            let Some(program) = build(path, model) else { continue };
            let points_to = PointsTo::compute(&program);
            files += 1;
            for seed in 0..3 {
                let mut inputs = replay::Random::new(seed);
                let (count, misses) = pointers::watch(&program, &points_to, &mut inputs, 100_000);
                checked += count;
                missed += misses.len();
                misses.iter().take(2).for_each(|miss| println!("{path}: {miss}"));
            }
        }
        println!("{files} files, {checked} pointers and calls checked, {missed} missed");
    });
    if run.map(std::thread::JoinHandle::join).is_err() {
        eprintln!("no thread could be started");
    }
}

fn build(path: &str, model: &str) -> Option<cfa::Program> {
    let model = if model.trim() == "ILP32" { DataModel::Ilp32 } else { DataModel::Lp64 };
    let (mut sources, mut names) = (SourceMap::default(), Interner::default());
    let file = sources.add(path, std::fs::read(path).ok()?).ok()?;
    let (ast, _) = syntax::parse(&mut sources, file, &mut names);
    let (hir, _) = sema::analyze(&[ast], model, &mut names, &sources);
    Some(cfa::lower(hir?, names, sources))
}

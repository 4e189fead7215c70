//! The inputs of the fuzzer, by number: the same seed and the same files give the same inputs.

use super::grammar::Grammar;
use super::mutation;
use crate::Random;
use std::fs;
use std::path::{Path, PathBuf};

/// Larger files are left out: a mutation in them is lost, and they are slow to copy.
const LARGEST_FILE: u64 = 200_000;

pub struct Inputs {
    grammar: Grammar,
    files: Vec<Vec<u8>>,
    seed: u64,
}

impl Inputs {
    /// Mutates the C files below the directories.
    pub fn new(directories: &[PathBuf], seed: u64) -> Inputs {
        Inputs { grammar: Grammar::c(), files: read_files(directories), seed }
    }

    pub fn files(&self) -> usize {
        self.files.len()
    }

    /// Mutated file and grammar in turn; a third of the latter is confused, a third mutated.
    pub fn input(&self, number: u64) -> Vec<u8> {
        let mut random = Random::new(self.seed.wrapping_mul(0x1_0000_0001).wrapping_add(number));
        if number.is_multiple_of(2) && !self.files.is_empty() {
            let text = &self.files[random.below(self.files.len())];
            let other = &self.files[random.below(self.files.len())];
            return mutation::mutated(text, other, &mut random);
        }
        let confusion = if random.chance(33) { random.between(1, 20) } else { 0 };
        let text = self.grammar.text(&mut random, confusion).into_bytes();
        if random.chance(33) { mutation::mutated(&text, &text, &mut random) } else { text }
    }
}

/// The preprocessed C files below the directories, in a fixed order.
fn read_files(directories: &[PathBuf]) -> Vec<Vec<u8>> {
    let mut paths = Vec::new();
    directories.iter().for_each(|directory| collect(directory, &mut paths));
    paths.sort();
    paths.iter().filter_map(|path| fs::read(path).ok()).filter(|text| is_preprocessed(text)).collect()
}

fn collect(directory: &Path, paths: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, paths);
        } else if path.extension().is_some_and(|extension| extension == "c" || extension == "i")
            && entry.metadata().is_ok_and(|metadata| metadata.len() <= LARGEST_FILE)
        {
            paths.push(path);
        }
    }
}

/// The fuzzer is after the front end, not after the compiler's preprocessor.
fn is_preprocessed(text: &[u8]) -> bool {
    !String::from_utf8_lossy(text).lines().any(|line| {
        let line = line.trim_start();
        ["#include", "#define", "#if"].iter().any(|directive| line.starts_with(directive))
    })
}

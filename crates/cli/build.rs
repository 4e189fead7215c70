//! Links everything statically where the compiler has the libraries for it.
//!
//! Loading shared libraries takes longer than checking a small program, and a binary without them
//! runs on any machine. This is not `-Ctarget-feature=+crt-static`, as that would reach procedural
//! macros, which cannot be static, or need a target to be named. The linker takes the first library
//! of a name on its search path: a directory that holds the static ones alone comes first.

use std::path::{Path, PathBuf};
use std::process::Command;

/// What the program is linked with, and the compiler's static library that does the same.
const LIBRARIES: [(&str, &str); 4] = [
    ("libstdc++.a", "libstdc++.a"),
    ("libgcc_s.a", "libgcc_eh.a"),
    ("libm.a", "libm.a"),
    ("libc.a", "libc.a"),
];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=CC");
    let variable = |name| std::env::var(name).unwrap_or_default();
    let is_linux = variable("CARGO_CFG_TARGET_OS") == "linux" && variable("CARGO_CFG_TARGET_ENV") == "gnu";
    if !is_linux || variable("HOST") != variable("TARGET") {
        return;
    }
    let directory = PathBuf::from(variable("OUT_DIR")).join("static");
    let found: Option<Vec<PathBuf>> = LIBRARIES.iter().map(|(_, file)| find(file)).collect();
    let Some(found) = found else { return };
    if std::fs::create_dir_all(&directory).is_err() {
        return;
    }
    for ((name, _), file) in LIBRARIES.iter().zip(found) {
        let copy = directory.join(name);
        if std::fs::copy(file, copy).is_err() {
            return;
        }
    }
    println!("cargo::rustc-link-search=native={}", directory.display());
    println!("cargo::rustc-link-arg=-static");
    println!("cargo::rustc-link-arg=-no-pie");
}

/// Where the compiler keeps one of its libraries.
fn find(file: &str) -> Option<PathBuf> {
    let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".into());
    let output = Command::new(compiler).arg(format!("-print-file-name={file}")).output().ok()?;
    let path = PathBuf::from(String::from_utf8(output.stdout).ok()?.trim());
    (Path::new(&path).is_absolute() && path.exists()).then_some(path)
}

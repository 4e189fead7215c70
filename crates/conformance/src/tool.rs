//! Finds the `proviso` binary: the one named by the environment variable PROVISO, or else the one that
//! cargo builds from this workspace, in the profile these tests were built in, so that it is never an
//! old one.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// The root of the workspace.
pub fn workspace() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    root.canonicalize().unwrap_or(root)
}

/// The binary; none while the workspace has no command-line crate yet.
///
/// # Panics
/// When the crate is there and does not build: that must not look like a skipped test.
pub fn proviso() -> Option<&'static Path> {
    static TOOL: OnceLock<Option<PathBuf>> = OnceLock::new();
    TOOL.get_or_init(find).as_deref()
}

fn find() -> Option<PathBuf> {
    if let Some(path) = env::var_os("PROVISO") {
        return Some(PathBuf::from(path));
    }
    if !workspace().join("crates/cli/Cargo.toml").exists() {
        eprintln!("skipped: there is no proviso binary, as the workspace has no crates/cli yet");
        return None;
    }
    Some(build())
}

fn build() -> PathBuf {
    let (arguments, directory): (&[&str], _) = if cfg!(debug_assertions) {
        (&["build", "--package", "proviso-cli"], "debug")
    } else {
        (&["build", "--release", "--package", "proviso-cli"], "release")
    };
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(workspace()).args(arguments).arg("--quiet");
    let status = command.status().expect("cargo can be started");
    assert!(status.success(), "cargo {} failed", arguments.join(" "));
    target_directory().join(directory).join("proviso")
}

/// Where cargo puts what it builds.
pub fn target_directory() -> PathBuf {
    match env::var_os("CARGO_TARGET_DIR") {
        Some(directory) => workspace().join(directory),
        None => workspace().join("target"),
    }
}

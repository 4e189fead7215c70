//! Remembers which programs the C compiler has agreed with: as long as the text, the support functions
//! and the compiler are the same, it would only say so again, and compiling takes most of the time.

use crate::{DataModel, compiler, tool};
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::PathBuf;
use std::sync::OnceLock;

/// The mark of a program that has passed, whether it is there or not.
pub struct Mark {
    path: PathBuf,
}

impl Mark {
    pub fn of(text: &str, model: DataModel) -> Mark {
        static SURROUNDINGS: OnceLock<(String, String)> = OnceLock::new();
        let surroundings = SURROUNDINGS.get_or_init(|| {
            let support = fs::read_to_string(compiler::support_source()).unwrap_or_default();
            (support, compiler::version())
        });
        let mut hasher = DefaultHasher::new();
        (text, model, model.compiler_flags(), surroundings).hash(&mut hasher);
        let directory = tool::target_directory().join("conformance/passed");
        Mark { path: directory.join(format!("{:016x}", hasher.finish())) }
    }

    pub fn exists(&self) -> bool {
        self.path.exists()
    }

    /// A mark that cannot be set only costs time.
    pub fn set(&self) {
        if let Some(directory) = self.path.parent() {
            let _ = fs::create_dir_all(directory).and_then(|()| fs::write(&self.path, ""));
        }
    }
}

//! The inputs that failed, one for each cause, in a directory.

use super::trial::Finding;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{fs, io};

pub struct Findings {
    directory: PathBuf,
    counts: BTreeMap<Finding, usize>,
}

impl Findings {
    pub fn new(directory: &Path) -> Findings {
        Findings { directory: directory.to_path_buf(), counts: BTreeMap::new() }
    }

    /// Whether this cause has not been seen before.
    pub fn is_new(&mut self, finding: &Finding) -> bool {
        let count = self.counts.entry(finding.clone()).or_default();
        *count += 1;
        *count == 1
    }

    pub fn keep(&self, finding: &Finding, number: u64, text: &[u8]) -> io::Result<PathBuf> {
        fs::create_dir_all(&self.directory)?;
        let path = self.directory.join(format!("{}-{number}.i", finding.name()));
        fs::write(&path, text)?;
        Ok(path)
    }

    pub fn counts(&self) -> &BTreeMap<Finding, usize> {
        &self.counts
    }
}

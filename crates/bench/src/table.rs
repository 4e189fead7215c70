//! The table of the front-end benchmark: one row for a file or a group of files.

use crate::measure::Measurement;
use std::time::Duration;

/// What one tool did on all files of a row.
#[derive(Clone, Copy, Debug, Default)]
pub struct Total {
    pub processor: Duration,
    pub peak: u64,
    pub failures: usize,
}

impl Total {
    pub fn add(&mut self, measurement: &Measurement) {
        self.processor += measurement.processor;
        self.peak = self.peak.max(measurement.peak);
        self.failures += usize::from(!measurement.succeeded);
    }
}

#[derive(Clone, Debug, Default)]
pub struct Row {
    pub name: String,
    pub files: usize,
    pub bytes: u64,
    pub proviso: Total,
    pub compiler: Total,
}

impl Row {
    pub fn merge(&mut self, other: &Row) {
        self.files += other.files;
        self.bytes += other.bytes;
        for (sum, part) in [(&mut self.proviso, other.proviso), (&mut self.compiler, other.compiler)] {
            sum.processor += part.processor;
            sum.peak = sum.peak.max(part.peak);
            sum.failures += part.failures;
        }
    }
}

pub fn head() -> String {
    format!(
        "{:<32} {:>6} {:>9} | {:>9} {:>8} {:>8} {:>5} | {:>9} {:>8} {:>8} {:>5} | {:>6}",
        "",
        "files",
        "MB",
        "proviso s",
        "MB/s",
        "peak MB",
        "fail",
        "gcc s",
        "MB/s",
        "peak MB",
        "fail",
        "ratio"
    )
}

pub fn line(row: &Row) -> String {
    let half = |total: &Total| {
        format!(
            "{:>9.3} {:>8.1} {:>8.1} {:>5}",
            total.processor.as_secs_f64(),
            megabytes(row.bytes) / total.processor.as_secs_f64().max(1e-6),
            megabytes(total.peak),
            total.failures
        )
    };
    format!(
        "{:<32} {:>6} {:>9.3} | {} | {} | {:>6.2}",
        row.name,
        row.files,
        megabytes(row.bytes),
        half(&row.proviso),
        half(&row.compiler),
        row.proviso.processor.as_secs_f64() / row.compiler.processor.as_secs_f64().max(1e-6)
    )
}

fn megabytes(bytes: u64) -> f64 {
    bytes as f64 / 1e6
}

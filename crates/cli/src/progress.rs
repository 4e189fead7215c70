//! The progress line: on a terminal only, and gone when the answer comes.

use base::Watcher;
use std::io::{IsTerminal, Write};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Writing more often would only flicker.
const INTERVAL: Duration = Duration::from_millis(100);

/// Writes what engines tell to the terminal, if standard error is one.
pub fn watcher() -> Watcher {
    if !std::io::stderr().is_terminal() {
        return Watcher::default();
    }
    let start = Instant::now();
    let last = Mutex::new(start);
    Watcher::new(move |text| {
        let Ok(mut last) = last.lock() else { return };
        if last.elapsed() >= INTERVAL {
            *last = Instant::now();
            // Nothing can be done about a closed terminal.
            let _ = write!(std::io::stderr(), "\r\x1b[K{:.1} s  {text}", start.elapsed().as_secs_f64());
        }
    })
}

/// Takes the line away.
pub fn clear() {
    if std::io::stderr().is_terminal() {
        let _ = write!(std::io::stderr(), "\r\x1b[K");
    }
}

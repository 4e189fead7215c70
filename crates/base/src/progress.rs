//! Telling what an engine is doing, for whoever watches.

use std::fmt;
use std::sync::Arc;

type Watch = dyn Fn(&str) + Send + Sync;

/// Somebody who watches a run; nobody at first.
#[derive(Clone, Default)]
pub struct Watcher(Option<Arc<Watch>>);

impl Watcher {
    pub fn new(watch: impl Fn(&str) + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(watch)))
    }

    /// The text is made only if somebody watches.
    pub fn tell(&self, text: impl FnOnce() -> String) {
        if let Some(watch) = &self.0 {
            watch(&text());
        }
    }
}

impl fmt::Debug for Watcher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "watched" } else { "not watched" })
    }
}

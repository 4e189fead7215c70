//! Writing to standard output, where the reader may go away at any time.

use std::io::{self, ErrorKind, Write};

/// Prints text. A closed pipe (`proviso … | head`) is a normal end.
pub fn print(text: &str) -> Result<(), String> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(format!("cannot write the output: {error}"))
        }
        _ => Ok(()),
    }
}

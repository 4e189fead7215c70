//! Runs a process to its end, or to a limit of time or memory, and collects what it wrote.

use std::io::{self, Read};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Sender};
use std::thread;
use std::time::{Duration, Instant};

/// More output than this is cut off: a run that writes without end must not fill our own memory.
const OUTPUT_LIMIT: u64 = 64 << 20;

#[derive(Clone, Copy, Debug)]
pub struct Limits {
    pub time: Duration,
    /// Bytes of address space; none means no limit.
    pub address_space: Option<u64>,
}

impl Limits {
    pub fn seconds(seconds: u64) -> Limits {
        Limits { time: Duration::from_secs(seconds), address_space: None }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    Exit(i32),
    Signal(i32),
    TimeOut,
}

#[derive(Debug)]
pub struct Finished {
    pub ending: Ending,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
}

impl Finished {
    pub fn stderr_text(&self) -> String {
        String::from_utf8_lossy(&self.stderr).into_owned()
    }
}

pub fn run(command: &Command, limits: Limits) -> io::Result<Finished> {
    let mut child = limited(command, limits.address_space)
        .process_group(0)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    let (sender, receiver) = mpsc::channel();
    read_all(child.stdout.take(), 0, sender.clone());
    read_all(child.stderr.take(), 1, sender);
    let deadline = Instant::now() + limits.time;
    let mut written = [Vec::new(), Vec::new()];
    for _ in 0..written.len() {
        match receiver.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            Ok((stream, bytes)) => written[stream] = bytes,
            Err(_) => return stop(child, written),
        }
    }
    let ending = wait_until(&mut child, deadline)?;
    let [stdout, stderr] = written;
    Ok(Finished { ending, stdout, stderr })
}

/// The command as it is, or under a shell that sets the limit before it becomes the command.
fn limited(command: &Command, address_space: Option<u64>) -> Command {
    let mut wrapped = match address_space {
        None => Command::new(command.get_program()),
        Some(bytes) => {
            let mut shell = Command::new("sh");
            shell.arg("-c").arg(format!("ulimit -v {}; exec \"$0\" \"$@\"", bytes / 1024));
            shell.arg(command.get_program());
            shell
        }
    };
    wrapped.args(command.get_args());
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => wrapped.env(name, value),
            None => wrapped.env_remove(name),
        };
    }
    if let Some(directory) = command.get_current_dir() {
        wrapped.current_dir(directory);
    }
    wrapped
}

fn read_all(stream: Option<impl Read + Send + 'static>, index: usize, sender: Sender<(usize, Vec<u8>)>) {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(stream) = stream {
            // What could be read before an error is still what the process wrote.
            let _ = stream.take(OUTPUT_LIMIT).read_to_end(&mut bytes);
        }
        let _ = sender.send((index, bytes));
    });
}

/// The streams are closed, so the process is all but over; one that closes them and lives on is not.
fn wait_until(child: &mut Child, deadline: Instant) -> io::Result<Ending> {
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(ending_of(status));
        }
        if Instant::now() >= deadline {
            kill(child)?;
            return Ok(Ending::TimeOut);
        }
        thread::sleep(Duration::from_micros(200));
    }
}

/// Ends the process and, as it leads a group of its own, what it has started.
fn kill(child: &mut Child) -> io::Result<()> {
    let group = format!("-{}", child.id());
    Command::new("kill").args(["-KILL", "--", &group]).stderr(Stdio::null()).status()?;
    child.kill()?;
    child.wait()?;
    Ok(())
}

fn stop(mut child: Child, written: [Vec<u8>; 2]) -> io::Result<Finished> {
    kill(&mut child)?;
    let [stdout, stderr] = written;
    Ok(Finished { ending: Ending::TimeOut, stdout, stderr })
}

fn ending_of(status: ExitStatus) -> Ending {
    match (status.code(), status.signal()) {
        (Some(code), _) => Ending::Exit(code),
        (None, signal) => Ending::Signal(signal.unwrap_or(0)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.arg("-c").arg(script);
        command
    }

    #[test]
    fn collects_both_streams_and_the_exit_code() {
        let finished = run(&shell("echo out; echo err >&2; exit 3"), Limits::seconds(10)).unwrap();
        assert_eq!(finished.ending, Ending::Exit(3));
        assert_eq!((finished.stdout.as_slice(), finished.stderr.as_slice()), (&b"out\n"[..], &b"err\n"[..]));
    }

    #[test]
    fn stops_a_process_that_takes_too_long() {
        let limits = Limits { time: Duration::from_millis(50), address_space: None };
        assert_eq!(run(&shell("exec sleep 20"), limits).unwrap().ending, Ending::TimeOut);
    }

    #[test]
    fn stops_what_the_process_has_started_too() {
        let limits = Limits { time: Duration::from_millis(50), address_space: None };
        let marker = "4321.125";
        run(&shell(&format!("sleep {marker}; true")), limits).unwrap();
        let running = Command::new("ps").args(["-eo", "args"]).output().unwrap();
        assert!(
            !String::from_utf8_lossy(&running.stdout).lines().any(|line| line == format!("sleep {marker}"))
        );
    }

    #[test]
    fn reports_signals_and_passes_arguments_through_the_limiting_shell() {
        let limits = Limits { address_space: Some(1 << 30), ..Limits::seconds(10) };
        assert_eq!(run(&shell("kill -ABRT $$"), limits).unwrap().ending, Ending::Signal(6));
        let finished = run(Command::new("echo").args(["a  b", "$c"]), limits).unwrap();
        assert_eq!(finished.stdout, b"a  b $c\n");
    }
}

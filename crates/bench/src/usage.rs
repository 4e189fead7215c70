//! Waits for a child process and says what it used: the one place that needs the system's own call,
//! as the standard library does not tell the peak memory of a single child.
#![allow(unsafe_code)]

use std::io;
use std::mem::MaybeUninit;
use std::process::Child;
use std::time::Duration;

pub struct Usage {
    /// User and system time of all threads.
    pub processor: Duration,
    /// The largest resident set, in bytes.
    pub peak: u64,
    /// None when a signal ended the process.
    pub exit_code: Option<i32>,
}

/// Takes the child, which must not be waited for twice.
pub fn wait(child: Child) -> io::Result<Usage> {
    let pid = libc::pid_t::try_from(child.id()).map_err(io::Error::other)?;
    let mut status = 0;
    let mut usage = MaybeUninit::<libc::rusage>::zeroed();
    // SAFETY: both pointers are valid for writes for the time of the call, and `pid` is a child of ours
    // that nobody else waits for.
    let waited = unsafe { libc::wait4(pid, &mut status, 0, usage.as_mut_ptr()) };
    if waited != pid {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: all bytes zero is a valid `rusage`, and the call has succeeded and filled it in.
    let usage = unsafe { usage.assume_init() };
    let exit_code = libc::WIFEXITED(status).then(|| libc::WEXITSTATUS(status));
    Ok(Usage {
        processor: duration(usage.ru_utime) + duration(usage.ru_stime),
        peak: peak_bytes(&usage),
        exit_code,
    })
}

fn duration(time: libc::timeval) -> Duration {
    Duration::from_secs(time.tv_sec.try_into().unwrap_or(0))
        + Duration::from_micros(time.tv_usec.try_into().unwrap_or(0))
}

/// Linux counts kilobytes, macOS bytes.
fn peak_bytes(usage: &libc::rusage) -> u64 {
    let peak: u64 = usage.ru_maxrss.try_into().unwrap_or(0);
    if cfg!(target_os = "macos") { peak } else { peak * 1024 }
}

/// Processor time that this process has used so far.
pub fn own_time() -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the pointer is to a value that lives through the call.
    unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &raw mut time) };
    Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap_or(0))
}

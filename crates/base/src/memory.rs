//! What the system tells about memory. Where it tells nothing, there is nothing to go by.

use std::fs::read_to_string;

const PAGE: u64 = 4096;

/// What this process has, in bytes.
#[derive(Clone, Copy, Debug)]
pub struct Usage {
    /// Of addresses.
    pub mapped: u64,
    /// Of memory.
    pub resident: u64,
}

pub fn usage() -> Option<Usage> {
    let statm = read_to_string("/proc/self/statm").ok()?;
    let mut pages = statm.split_ascii_whitespace().map_while(|pages| pages.parse::<u64>().ok());
    Some(Usage { mapped: pages.next()? * PAGE, resident: pages.next()? * PAGE })
}

/// Resident memory of this process in bytes.
pub fn resident() -> Option<u64> {
    Some(usage()?.resident)
}

/// How much memory there is for this process: in the machine, or for its group.
pub fn available() -> Option<u64> {
    let machine = read_to_string("/proc/meminfo").ok().and_then(|text| in_machine(&text));
    let group = read_to_string("/sys/fs/cgroup/memory.max").ok().and_then(|text| text.trim().parse().ok());
    [machine, group].into_iter().flatten().min()
}

/// How many addresses this process may use, if that is limited.
pub fn address_space() -> Option<u64> {
    addresses_in(&read_to_string("/proc/self/limits").ok()?)
}

fn in_machine(text: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes << 10)
}

fn addresses_in(text: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix("Max address space"))?;
    line.split_ascii_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_read() {
        let limits = "Limit                     Soft Limit           Hard Limit           Units     \n\
                      Max address space         8388608000           unlimited            bytes     \n";
        assert_eq!(addresses_in(limits), Some(8_388_608_000));
        assert_eq!(addresses_in(&limits.replace("8388608000", "unlimited ")), None);
        let machine = "MemTotal:       24606208 kB\nMemFree:        12345678 kB\n";
        assert_eq!(in_machine(machine), Some(24_606_208 << 10));
        assert_eq!(in_machine("MemTotal: many"), None);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_process_uses_less_than_there_is() {
        let Usage { mapped, resident } = usage().expect("told");
        assert!(resident < available().expect("told") && resident < mapped);
        assert!(address_space().is_none_or(|limit| mapped < limit));
    }
}

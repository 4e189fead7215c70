//! The limits that a user can give: `--limit NAME=VALUE`.

use std::fmt;
use std::time::Duration;

macro_rules! limits {
    ($($limit:ident, $name:literal, $unit:ident, $help:literal;)*) => {
        /// What can be limited.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum Limit { $($limit,)* }

        impl Limit {
            pub const ALL: &[Limit] = &[$(Limit::$limit,)*];

            pub fn name(self) -> &'static str {
                match self { $(Limit::$limit => $name,)* }
            }

            pub fn help(self) -> &'static str {
                match self { $(Limit::$limit => $help,)* }
            }

            fn unit(self) -> Unit {
                match self { $(Limit::$limit => Unit::$unit,)* }
            }
        }
    };
}

limits! {
    Time, "time", Time, "stop after this time";
    Memory, "memory", Size, "stop when the process uses this much memory";
    States, "states", Count, "stop after so many abstract states";
    StatesPerLocation, "states-per-location", Count, "at most so many abstract states of each location";
    EdgeVisits, "edge-visits", Count, "follow each edge at most so often";
    PostTime, "post-time", Time, "give up a path when computing one successor takes longer";
    PostMemory, "post-memory", Size, "give up a path when computing one successor takes more memory";
    StateSize, "state-size", Count, "give up a path when a state knows more values";
    PathLength, "path-length", Count, "give up a path after so many statements";
    PathTime, "path-time", Time, "give up a path on which so much time has been spent";
    RepeatLocations, "repeat-locations", Count, "give up a path that comes to a location more often";
    PathAssumes, "path-assumes", Count, "give up a path after so many branches";
    RefineTime, "refine-time", Time, "give up checking an alarm after this time";
    RefineMemory, "refine-memory", Size, "give up checking an alarm that takes more memory";
    FormulaSize, "formula-size", Count, "give up checking an alarm whose formula has more terms";
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Unit {
    Count,
    /// In nanoseconds.
    Time,
    /// In bytes.
    Size,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LimitError(String);

impl fmt::Display for LimitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for LimitError {}

/// The limits of a run.
#[derive(Clone, Default, Debug)]
pub struct Limits {
    values: [Option<u64>; Limit::ALL.len()],
    texts: Vec<(Limit, String)>,
}

impl Limits {
    /// Adds `NAME=VALUE`.
    pub fn add(&mut self, text: &str) -> Result<(), LimitError> {
        let Some((name, value)) = text.split_once('=') else {
            return Err(LimitError(format!("expected NAME=VALUE, such as path-length=100, not '{text}'")));
        };
        let Some(&limit) = Limit::ALL.iter().find(|limit| limit.name() == name) else {
            let names: Vec<&str> = Limit::ALL.iter().map(|limit| limit.name()).collect();
            return Err(LimitError(format!("unknown limit '{name}': expected one of {}", names.join(", "))));
        };
        let number = parse(limit.unit(), value).ok_or_else(|| {
            LimitError(format!("'{value}' is no value for {name}: {}", example(limit.unit())))
        })?;
        self.values[limit as usize] = Some(number);
        self.texts.push((limit, text.into()));
        Ok(())
    }

    #[inline]
    pub fn get(&self, limit: Limit) -> Option<u64> {
        self.values[limit as usize]
    }

    pub fn duration(&self, limit: Limit) -> Option<Duration> {
        self.get(limit).map(Duration::from_nanos)
    }

    /// Whether a measure is above the limit.
    #[inline]
    pub fn exceeded(&self, limit: Limit, measure: u64) -> bool {
        self.get(limit).is_some_and(|value| measure > value)
    }

    /// As it was given.
    pub fn text(&self, limit: Limit) -> String {
        let given = self.texts.iter().rev().find(|(other, _)| *other == limit);
        given.map_or(limit.name().into(), |(_, text)| text.clone())
    }

    pub fn any(&self, limits: &[Limit]) -> bool {
        limits.iter().any(|&limit| self.get(limit).is_some())
    }
}

fn parse(unit: Unit, text: &str) -> Option<u64> {
    let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, suffix) = text.split_at(digits);
    let factor = match (unit, suffix) {
        (Unit::Count, "") | (Unit::Size, "" | "B") => 1,
        (Unit::Time, "" | "s") => 1_000_000_000,
        (Unit::Time, "ms") => 1_000_000,
        (Unit::Time, "us") => 1_000,
        (Unit::Time, "min" | "m") => 60_000_000_000,
        (Unit::Time, "h") => 3_600_000_000_000,
        (Unit::Size, "kB" | "KB" | "K") => 1 << 10,
        (Unit::Size, "MB" | "M") => 1 << 20,
        (Unit::Size, "GB" | "G") => 1 << 30,
        _ => return None,
    };
    if let Ok(whole) = number.parse::<u64>() {
        return whole.checked_mul(factor);
    }
    let fraction: f64 = number.parse().ok().filter(|_| unit != Unit::Count)?;
    let product = fraction * factor as f64;
    (product.is_finite() && product < 1e18).then_some(product as u64)
}

fn example(unit: Unit) -> &'static str {
    match unit {
        Unit::Count => "expected a number",
        Unit::Time => "expected a time such as 10s, 500ms or 2min",
        Unit::Size => "expected a size such as 500MB or 4GB",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_fifteen_are_known() {
        assert_eq!(Limit::ALL.len(), 15);
        let mut limits = Limits::default();
        for limit in Limit::ALL {
            assert_eq!(limits.add(&format!("{}=3", limit.name())), Ok(()));
            assert!(limits.get(*limit).is_some());
            assert_eq!(limits.text(*limit), format!("{}=3", limit.name()));
        }
    }

    #[test]
    fn values_have_units() {
        let mut limits = Limits::default();
        limits.add("time=1.5s").expect("a time");
        limits.add("memory=2GB").expect("a size");
        assert_eq!(limits.duration(Limit::Time), Some(Duration::from_millis(1500)));
        assert_eq!(limits.get(Limit::Memory), Some(2 << 30));
        for bad in
            ["time", "time=", "time=3 apples", "states=1.5", "states=-1", "speed=3", "memory=99999999999GB"]
        {
            assert!(limits.add(bad).is_err(), "{bad}");
        }
    }
}

//! Sizes as people write them: `500kB`, `10MB`.

/// Bytes; an error says what is accepted.
pub fn parse(text: &str) -> Result<u64, String> {
    let digits = text.find(|character: char| !character.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let factor = match unit {
        "" | "B" => 1,
        "kB" | "KB" => 1_000,
        "MB" => 1_000_000,
        "GB" => 1_000_000_000,
        _ => return Err(format!("unknown unit `{unit}`: use B, kB, MB or GB")),
    };
    let number: u64 = number.parse().map_err(|_| format!("`{text}` does not start with a number"))?;
    number.checked_mul(factor).ok_or_else(|| format!("`{text}` is too large"))
}

#[cfg(test)]
mod tests {
    #[test]
    fn understands_units() {
        assert_eq!(super::parse("10MB"), Ok(10_000_000));
        assert_eq!(super::parse("7"), Ok(7));
        assert!(super::parse("7 MB").is_err());
        assert!(super::parse("MB").is_err());
    }
}

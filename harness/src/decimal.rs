//! The one place that reads a resourceVersion as a number.
//!
//! Everywhere else a version is opaque. Two questions need more: whether versions are ordered as the newer rules
//! say, and what a server answers for a version that it has not reached or surely no longer holds.

/// The version as a number, if it is written as a decimal without leading zeros.
pub fn decimal(version: &str) -> Option<u128> {
    let digits = version.bytes().all(|byte| byte.is_ascii_digit());
    if digits && !version.starts_with('0') { version.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_decimals_are_numbers() {
        assert_eq!(decimal("1"), Some(1));
        assert_eq!(decimal("9223372036854775807"), Some(9_223_372_036_854_775_807));
        for version in ["", "0", "007", "-1", "+1", "1.5", "0x1", "4b1d", "99:7"] {
            assert_eq!(decimal(version), None, "{version}");
        }
    }
}

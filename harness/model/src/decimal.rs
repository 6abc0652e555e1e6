//! The one place that reads a resourceVersion as a number.
//!
//! Everywhere else a version is opaque. Four checks need numbers: the order of comparable versions, the response to a
//! version from the future or older than the history, the search for the newest object after a 410, and the search for a
//! store that was restored from a backup.

/// The version as a number; `None` unless it is a decimal without leading zeros that fits.
pub fn decimal(version: &str) -> Option<u128> {
    if is_decimal(version) { version.parse().ok() } else { None }
}

/// Whether the version is a decimal without leading zeros, however large.
pub fn is_decimal(version: &str) -> bool {
    let digits = version.bytes().all(|byte| byte.is_ascii_digit());
    digits && !version.is_empty() && !version.starts_with('0')
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
            assert!(!is_decimal(version), "{version}");
        }
    }

    #[test]
    fn a_decimal_may_exceed_every_integer_type() {
        let largest = u128::MAX.to_string();
        assert_eq!(decimal(&largest), Some(u128::MAX));
        assert_eq!(decimal(&format!("{largest}0")), None);
        assert!(is_decimal(&format!("{largest}0")));
    }
}

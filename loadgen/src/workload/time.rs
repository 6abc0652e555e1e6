//! A duration as workload files write it: `10s`, `500ms`, `2m`.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// A duration as workload files write it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Time(pub Duration);

impl TryFrom<String> for Time {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let refuse = || format!("{text:?} is not a time such as 10s, 500ms or 2m");
        let (number, unit) = text.split_at(text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len()));
        let number: u64 = number.parse().map_err(|_| refuse())?;
        match unit {
            "ms" => Ok(Duration::from_millis(number)),
            "s" => Ok(Duration::from_secs(number)),
            "m" => Ok(Duration::from_secs(number.saturating_mul(60))),
            _ => Err(refuse()),
        }
        .map(Self)
    }
}

impl From<Time> for String {
    fn from(time: Time) -> Self {
        time.to_string()
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.as_millis() {
            millis if millis.is_multiple_of(1_000) => write!(f, "{}s", millis / 1_000),
            millis => write!(f, "{millis}ms"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_and_written() {
        for (text, again) in [("10s", "10s"), ("1500ms", "1500ms"), ("2m", "120s"), ("3000ms", "3s")] {
            assert_eq!(Time::try_from(text.to_owned()).unwrap().to_string(), again);
        }
        for text in ["", "10", "s", "-1s", "1h30m", "99999999999999999999s"] {
            assert!(Time::try_from(text.to_owned()).is_err(), "{text}");
        }
    }
}

//! A Kubernetes minor version, as in `since = "1.19"`.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Major and minor; patch releases do not change the rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Version {
    /// Always 1 so far.
    pub major: u32,
    /// Such as 36.
    pub minor: u32,
}

/// The text is not MAJOR.MINOR.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("{0:?} is not a version such as 1.36")]
pub struct NotAVersion(String);

impl FromStr for Version {
    type Err = NotAVersion;

    /// Accepts the `+` of some servers: a minor of `36+` counts as 36.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let parse = || {
            let (major, minor) = text.split_once('.')?;
            Some(Self { major: major.parse().ok()?, minor: minor.trim_end_matches('+').parse().ok()? })
        };
        parse().ok_or_else(|| NotAVersion(text.to_owned()))
    }
}

impl TryFrom<String> for Version {
    type Error = NotAVersion;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl From<Version> for String {
    fn from(version: Version) -> Self {
        version.to_string()
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{}.{}", self.major, self.minor))
    }
}

/// Minors within all bounds, such as `>=1.30, <1.34`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct VersionRange(Vec<(Comparison, Version)>);

/// The relation of a version to a bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Comparison {
    Less,
    AtMost,
    Equal,
    AtLeast,
    Greater,
}

impl Comparison {
    /// With their signs; the longer sign first.
    const ALL: [(&'static str, Self); 5] = [
        ("<=", Self::AtMost),
        (">=", Self::AtLeast),
        ("<", Self::Less),
        (">", Self::Greater),
        ("=", Self::Equal),
    ];
}

/// The text is not a list of bounds.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("{0:?} is not a range of versions such as \">=1.30, <1.34\" or \"=1.31\"")]
pub struct NotARange(String);

impl VersionRange {
    /// Whether a version is within all bounds.
    pub fn contains(&self, version: Version) -> bool {
        self.0.iter().all(|(comparison, bound)| match comparison {
            Comparison::Less => version < *bound,
            Comparison::AtMost => version <= *bound,
            Comparison::Equal => version == *bound,
            Comparison::AtLeast => version >= *bound,
            Comparison::Greater => version > *bound,
        })
    }
}

impl FromStr for VersionRange {
    type Err = NotARange;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let bound = |part: &str| {
            Comparison::ALL.iter().find_map(|(sign, comparison)| {
                Some((*comparison, part.trim().strip_prefix(sign)?.trim().parse().ok()?))
            })
        };
        let bounds: Option<Vec<_>> = text.split(',').map(bound).collect();
        bounds.map(Self).ok_or_else(|| NotARange(text.to_owned()))
    }
}

impl TryFrom<String> for VersionRange {
    type Error = NotARange;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl From<VersionRange> for String {
    fn from(range: VersionRange) -> Self {
        range.to_string()
    }
}

impl fmt::Display for VersionRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, (comparison, bound)) in self.0.iter().enumerate() {
            let sign = Comparison::ALL.iter().find(|(_, known)| known == comparison).map_or("", |one| one.0);
            write!(f, "{}{sign}{bound}", if number == 0 { "" } else { ", " })?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn within(range: &str, version: &str) -> bool {
        range.parse::<VersionRange>().unwrap().contains(version.parse().unwrap())
    }

    #[test]
    fn a_range_contains_the_versions_within_all_bounds() {
        assert!(within(">=1.30, <1.34", "1.30") && within(">=1.30,<1.34", "1.33"));
        assert!(!within(">=1.30, <1.34", "1.34") && !within(">=1.30, <1.34", "1.9"));
        assert!(within("=1.31", "1.31") && !within("= 1.31", "1.32"));
        assert!(within("<=1.31", "1.31") && within(">1.31", "1.32") && !within(">1.31", "1.31"));
    }

    #[test]
    fn a_range_survives_a_round_trip_through_text() {
        let range: VersionRange = ">= 1.30,<1.34".parse().unwrap();
        assert_eq!(range.to_string(), ">=1.30, <1.34");
        assert_eq!(range.to_string().parse(), Ok(range));
    }

    #[test]
    fn any_other_text_is_not_a_range() {
        for text in ["", "1.31", ">=", ">=1.30,", "~1.30", ">=v1.30", ">= 1.30 < 1.34"] {
            assert_eq!(text.parse::<VersionRange>(), Err(NotARange(text.to_owned())), "{text}");
        }
    }

    #[test]
    fn minors_are_ordered_as_numbers() {
        let parse = |text: &str| text.parse::<Version>().unwrap();
        assert!(parse("1.9") < parse("1.36+"));
    }

    #[test]
    fn any_other_text_is_not_a_version() {
        for text in ["", "1", "1.", ".36", "one.two", "v1.36"] {
            assert_eq!(text.parse::<Version>(), Err(NotAVersion(text.to_owned())));
        }
    }
}

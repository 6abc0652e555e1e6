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

/// The text is not two numbers with a dot between.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("{0:?} is not a version such as 1.36")]
pub struct NotAVersion(String);

impl FromStr for Version {
    type Err = NotAVersion;

    /// Takes what servers say, too: a minor of `36+` counts as 36.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn minors_are_ordered_as_numbers() {
        let parse = |text: &str| text.parse::<Version>().unwrap();
        assert!(parse("1.9") < parse("1.36+"));
    }

    #[test]
    fn anything_else_is_refused() {
        for text in ["", "1", "1.", ".36", "one.two", "v1.36"] {
            assert_eq!(text.parse::<Version>(), Err(NotAVersion(text.to_owned())));
        }
    }
}

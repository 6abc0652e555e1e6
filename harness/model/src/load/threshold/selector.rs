//! Which series a threshold is about: `LIST configmaps`, `writes`, `reads namespace`.

use std::fmt;

use crate::load::key::{Scope, SeriesKey};

/// Selects series; an empty field matches everything.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Selector {
    /// Verbs.
    pub verbs: Option<Verbs>,
    /// The plural, with the subresource if there is one.
    pub resource: Option<String>,
    /// The scope of its requests.
    pub scope: Option<Scope>,
    /// The form of its requests.
    pub variant: Option<String>,
}

/// A verb, or several under one name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verbs {
    /// One verb.
    One(String),
    /// Requests that change nothing and end.
    Reads,
    /// Requests that change something.
    Writes,
    /// Both, but no watches.
    Requests,
}

const READS: [&str; 2] = ["GET", "LIST"];
const WRITES: [&str; 6] = ["POST", "PUT", "PATCH", "APPLY", "DELETE", "DELETECOLLECTION"];
const STREAM: &str = "WATCH";

/// Other names of verbs, for users and workloads. Streaming lists are watches.
const OTHERWISE: [(&str, &str); 3] = [("CREATE", "POST"), ("UPDATE", "PUT"), ("WATCHLIST", STREAM)];

impl Verbs {
    /// The verb, or the group of verbs, with this name in any case.
    pub(super) fn named(word: &str) -> Option<Self> {
        let upper = word.to_ascii_uppercase();
        let upper = OTHERWISE.iter().find(|(other, _)| *other == upper).map_or(&*upper, |(_, verb)| verb);
        match upper {
            "READS" => Some(Self::Reads),
            "WRITES" => Some(Self::Writes),
            "REQUESTS" => Some(Self::Requests),
            verb => Self::every().find(|known| *known == verb).map(|known| Self::One(known.to_owned())),
        }
    }

    /// All legal words.
    pub(super) fn all() -> String {
        Self::every().chain(["reads", "writes", "requests"]).collect::<Vec<_>>().join(", ")
    }

    fn every() -> impl Iterator<Item = &'static str> {
        READS.into_iter().chain(WRITES).chain([STREAM])
    }

    fn has(&self, verb: &str) -> bool {
        match self {
            Self::One(known) => known == verb,
            Self::Reads => READS.contains(&verb),
            Self::Writes => WRITES.contains(&verb),
            Self::Requests => READS.contains(&verb) || WRITES.contains(&verb),
        }
    }
}

impl Selector {
    /// Whether it selects a series.
    pub fn matches(&self, key: &SeriesKey) -> bool {
        self.verbs.as_ref().is_none_or(|verbs| verbs.has(&key.verb))
            && self.resource.as_ref().is_none_or(|resource| *resource == key.resource)
            && self.scope.is_none_or(|scope| scope == key.scope)
            && self.variant.as_ref().is_none_or(|variant| *variant == key.variant)
    }
}

impl fmt::Display for Verbs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::One(verb) => verb,
            Self::Reads => "reads",
            Self::Writes => "writes",
            Self::Requests => "requests",
        })
    }
}

impl fmt::Display for Selector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = [
            self.verbs.as_ref().map(ToString::to_string),
            self.resource.clone(),
            self.scope.map(|scope| scope.to_string()),
            self.variant.clone(),
        ];
        f.write_str(&words.into_iter().flatten().collect::<Vec<_>>().join(" "))
    }
}

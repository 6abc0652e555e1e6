//! What a series is of: verb, resource, scope, and which stretch of time was measured.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// The name of a series. As text: `LIST configmaps namespace latency`, and behind it the variant if there is one.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct SeriesKey {
    /// As in the server's own metrics: GET, LIST, POST, PUT, PATCH, APPLY, DELETE, DELETECOLLECTION, WATCH, WATCHLIST.
    pub verb: String,
    /// The plural, with the subresource if there is one: `pods/status`. Never empty, and without spaces.
    pub resource: String,
    /// How much of it a request was about.
    pub scope: Scope,
    /// Which stretch of time.
    pub kind: Kind,
    /// Which way of asking, where a workload asks in several: `rv=0`, `paged`, `healthy`. No spaces; often empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub variant: String,
}

/// How much of a resource a request was about: the scopes of the official objectives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scope {
    /// One object.
    Resource,
    /// The objects of a namespace.
    Namespace,
    /// All of them.
    Cluster,
}

/// Which stretch of time was measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// From when a request was meant to start until the last byte of its response: what a user waits.
    Latency,
    /// From when it did start until the last byte: without what the generator or a full connection cost.
    Service,
    /// From when it did start until the first byte of the response's body.
    FirstByte,
    /// From when it did start until the first item of a list, or the first event of a watch.
    FirstEvent,
    /// From when it did start until the bookmark that ends a streaming list.
    Synced,
    /// From when a write was meant to start until a watcher had it.
    LagIntended,
    /// From when a write was sent until a watcher had it.
    LagSent,
    /// From when a write was acknowledged until a watcher had it: may be negative, see [`Series::early`].
    ///
    /// [`Series::early`]: super::Series::early
    LagAcknowledged,
    /// How much later than meant a request was sent.
    SendError,
    /// From the end of a watch until its successor had the next event.
    Resumption,
}

impl SeriesKey {
    /// Of these words.
    pub fn new(verb: &str, resource: &str, scope: Scope, kind: Kind, variant: &str) -> Self {
        let (verb, resource, variant) = (verb.to_owned(), resource.to_owned(), variant.to_owned());
        Self { verb, resource, scope, kind, variant }
    }
}

impl Scope {
    /// Every scope.
    pub const ALL: [Self; 3] = [Self::Resource, Self::Namespace, Self::Cluster];

    /// Its name in files and on the command line.
    pub fn word(self) -> &'static str {
        match self {
            Self::Resource => "resource",
            Self::Namespace => "namespace",
            Self::Cluster => "cluster",
        }
    }
}

impl Kind {
    /// Every kind.
    pub const ALL: [Self; 10] = [
        Self::Latency,
        Self::Service,
        Self::FirstByte,
        Self::FirstEvent,
        Self::Synced,
        Self::LagIntended,
        Self::LagSent,
        Self::LagAcknowledged,
        Self::SendError,
        Self::Resumption,
    ];

    /// Its name in files and on the command line.
    pub fn word(self) -> &'static str {
        match self {
            Self::Latency => "latency",
            Self::Service => "service",
            Self::FirstByte => "first-byte",
            Self::FirstEvent => "first-event",
            Self::Synced => "synced",
            Self::LagIntended => "lag-intended",
            Self::LagSent => "lag-sent",
            Self::LagAcknowledged => "lag-acknowledged",
            Self::SendError => "send-error",
            Self::Resumption => "resumption",
        }
    }

    /// Whether it is the way of an event from its writer to a watcher.
    pub fn is_lag(self) -> bool {
        matches!(self, Self::LagIntended | Self::LagSent | Self::LagAcknowledged)
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

impl fmt::Display for SeriesKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {} {}", self.verb, self.resource, self.scope, self.kind)?;
        if self.variant.is_empty() { Ok(()) } else { write!(f, " {}", self.variant) }
    }
}

/// The text is no key.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("{0:?} is not a series such as \"LIST configmaps namespace latency\"")]
pub struct NotAKey(String);

impl FromStr for SeriesKey {
    type Err = NotAKey;

    fn from_str(text: &str) -> Result<Self, NotAKey> {
        let refuse = || NotAKey(text.to_owned());
        let words: Vec<&str> = text.split(' ').collect();
        let (verb, resource, scope, kind, variant) = match *words.as_slice() {
            [verb, resource, scope, kind] => (verb, resource, scope, kind, ""),
            [verb, resource, scope, kind, variant] => (verb, resource, scope, kind, variant),
            _ => return Err(refuse()),
        };
        Ok(Self {
            verb: verb.to_owned(),
            resource: resource.to_owned(),
            scope: Scope::ALL.into_iter().find(|known| known.word() == scope).ok_or_else(refuse)?,
            kind: Kind::ALL.into_iter().find(|known| known.word() == kind).ok_or_else(refuse)?,
            variant: variant.to_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_read_back_from_its_text() {
        for variant in ["", "rv=0"] {
            for (scope, kind) in Scope::ALL.into_iter().cycle().zip(Kind::ALL) {
                let key = SeriesKey::new("LIST", "pods/status", scope, kind, variant);
                assert_eq!(key.to_string().parse(), Ok(key));
            }
        }
    }

    #[test]
    fn words_in_files_are_the_words_on_the_command_line() {
        for kind in Kind::ALL {
            assert_eq!(serde_json::to_value(kind).unwrap(), kind.word());
        }
        for scope in Scope::ALL {
            assert_eq!(serde_json::to_value(scope).unwrap(), scope.word());
        }
    }

    #[test]
    fn anything_else_is_refused() {
        for text in ["", "LIST", "LIST a b c", "LIST pods cluster latency a b"] {
            assert!(text.parse::<SeriesKey>().is_err(), "{text}");
        }
    }
}

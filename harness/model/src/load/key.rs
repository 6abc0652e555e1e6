//! The key of a series: verb, resource, scope, and the measured duration.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// The key of a series. As text: `LIST configmaps namespace latency`, plus the variant if it has one.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct SeriesKey {
    /// As in the server's own metrics: GET, LIST, POST, PUT, PATCH, APPLY, DELETE, DELETECOLLECTION, WATCH, WATCHLIST.
    pub verb: String,
    /// The plural, with the subresource: `pods/status`. Never empty, and without spaces.
    pub resource: String,
    /// The scope of its requests.
    pub scope: Scope,
    /// The measured duration.
    pub kind: DurationKind,
    /// The form of its requests, if a workload sends several: `rv=0`, `paged`, `healthy`. No spaces; often empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub variant: String,
}

/// The part of a resource that a request covers: the scopes of the official objectives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scope {
    /// One object.
    Resource,
    /// The objects of a namespace.
    Namespace,
    /// All objects.
    Cluster,
}

/// A measured duration.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DurationKind {
    /// From the intended start of a request until the last byte of its response: the wait of a user.
    Latency,
    /// From the actual start until the last byte: without the delays of the generator or a full connection.
    Service,
    /// From the actual start until the first byte of the response's body.
    FirstByte,
    /// From the actual start until the first item of a list, or the first event of a watch.
    FirstEvent,
    /// From the actual start until the bookmark that ends a streaming list.
    Synced,
    /// From the intended start of a write until a watch received it.
    LagIntended,
    /// From the sending of a write until a watch received it.
    LagSent,
    /// From the acknowledgement of a write until a watch received it: may be negative, see [`Series::early`].
    ///
    /// [`Series::early`]: super::Series::early
    LagAcknowledged,
    /// How much later than intended a request was sent.
    SendError,
    /// From the end of a watch until its successor received the next event.
    Resumption,
}

impl SeriesKey {
    /// The key with these parts.
    pub fn new(verb: &str, resource: &str, scope: Scope, kind: DurationKind, variant: &str) -> Self {
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

impl SeriesKey {
    /// Whether results are compared by it: latencies, delivery lags and durations of streaming lists, without watches that
    /// read slowly on purpose.
    pub fn is_compared(&self) -> bool {
        let kinds = [DurationKind::Latency, DurationKind::LagSent, DurationKind::Synced];
        kinds.contains(&self.kind) && self.variant != "slow"
    }
}

impl DurationKind {
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

    /// Whether it is the delivery lag of an event.
    pub fn is_lag(self) -> bool {
        matches!(self, Self::LagIntended | Self::LagSent | Self::LagAcknowledged)
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

impl fmt::Display for DurationKind {
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

/// The text is not a series key.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("{0:?} is not a series such as \"LIST configmaps namespace latency\"")]
pub struct NotAKey(String);

impl FromStr for SeriesKey {
    type Err = NotAKey;

    fn from_str(text: &str) -> Result<Self, NotAKey> {
        let reject = || NotAKey(text.to_owned());
        let words: Vec<&str> = text.split(' ').collect();
        let (verb, resource, scope, kind, variant) = match *words.as_slice() {
            [verb, resource, scope, kind] => (verb, resource, scope, kind, ""),
            [verb, resource, scope, kind, variant] => (verb, resource, scope, kind, variant),
            _ => return Err(reject()),
        };
        Ok(Self {
            verb: verb.to_owned(),
            resource: resource.to_owned(),
            scope: Scope::ALL.into_iter().find(|known| known.word() == scope).ok_or_else(reject)?,
            kind: DurationKind::ALL.into_iter().find(|known| known.word() == kind).ok_or_else(reject)?,
            variant: variant.to_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_survives_a_round_trip_through_text() {
        for variant in ["", "rv=0"] {
            for (scope, kind) in Scope::ALL.into_iter().cycle().zip(DurationKind::ALL) {
                let key = SeriesKey::new("LIST", "pods/status", scope, kind, variant);
                assert_eq!(key.to_string().parse(), Ok(key));
            }
        }
    }

    #[test]
    fn files_and_command_line_use_the_same_words() {
        for kind in DurationKind::ALL {
            assert_eq!(serde_json::to_value(kind).unwrap(), kind.word());
        }
        for scope in Scope::ALL {
            assert_eq!(serde_json::to_value(scope).unwrap(), scope.word());
        }
    }

    #[test]
    fn any_other_text_is_an_error() {
        for text in ["", "LIST", "LIST a b c", "LIST pods cluster latency a b"] {
            assert!(text.parse::<SeriesKey>().is_err(), "{text}");
        }
    }
}

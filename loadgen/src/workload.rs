//! A workload as data: its population, watches, requests, rates and durations.
//!
//! Seven are embedded, each a file below `workloads/`; users can write further files of the same form.

mod bounds;
mod check;
mod compared;
mod describe;
mod time;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

pub use time::Time;

/// The load on a server.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Workload {
    /// The name on the command line.
    pub name: String,
    /// The situation that it models.
    pub models: String,
    /// Duration of the measurement.
    pub duration: Time,
    /// Duration of the load before the measurement.
    pub warm_up: Time,
    /// Grace period for in-flight requests and deliveries after the measurement.
    pub drain: Time,
    /// The objects that exist before the load.
    pub population: PopulationSpec,
    /// The watches.
    pub watches: Option<WatchLoad>,
    /// The watches that read slowly.
    pub slow: Option<SlowWatchLoad>,
    /// When all connections of watches are cut.
    pub cut: Option<Cut>,
    /// The requests.
    pub requests: Option<RequestLoad>,
}

/// The objects that exist before the load.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct PopulationSpec {
    /// The number of objects, in all namespaces together.
    pub objects: usize,
    /// The approximate size of each object, in bytes.
    pub size: usize,
    /// The number of namespaces.
    #[serde(default = "one")]
    pub namespaces: usize,
}

/// The watches.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct WatchLoad {
    /// The number of watches.
    pub count: usize,
    /// The number of streams per connection, if the server allows that many.
    #[serde(default = "hundred")]
    pub streams: usize,
    /// The maximum number of connections; as many as necessary if absent.
    pub connections: Option<usize>,
    /// The number of threads.
    #[serde(default = "one")]
    pub threads: usize,
    /// Rate of opening watches, in watches per second.
    #[serde(default = "two_thousand")]
    pub opening: f64,
    /// Whether the watches request initial events.
    #[serde(default)]
    pub initial: bool,
}

/// The watches that read slowly.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct SlowWatchLoad {
    /// The number of watches, each on its own connection.
    pub count: usize,
    /// The pause of each watch between two reads.
    pub rest: Time,
}

/// When all connections of watches are cut.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Cut {
    /// The interval.
    pub every: Time,
    /// Whether each watch starts again with a new list, not from its last version.
    pub relist: bool,
}

/// The requests, and their rate.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct RequestLoad {
    /// Open-loop request rate, in requests per second.
    pub rate: f64,
    /// Instead of the rate: the number of closed-loop senders; each sends its next request when it has the response.
    pub closed: Option<usize>,
    /// The number of connections.
    pub connections: usize,
    /// The number of concurrent requests per connection, if the server allows that many.
    #[serde(default = "hundred")]
    pub streams: usize,
    /// The number of managers that apply.
    #[serde(default = "one")]
    pub managers: usize,
    /// The requests, by weight.
    pub operations: Vec<Operation>,
}

/// An operation, as a share of the requests.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Operation {
    /// The verb.
    pub verb: Verb,
    /// The form of the request.
    #[serde(default)]
    pub way: Way,
    /// The weight, relative to the other operations.
    #[serde(default = "one_of_weight")]
    pub weight: u32,
}

/// The verb of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verb {
    /// Gets an object.
    Get,
    /// Lists a namespace.
    List,
    /// Creates an object.
    Create,
    /// Replaces an object.
    Update,
    /// Patches an annotation of an object.
    Patch,
    /// Applies an object as one of the managers.
    Apply,
    /// Deletes an object that the mix created.
    Delete,
}

/// The form of a request.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Way {
    /// The only form.
    #[default]
    Plain,
    /// A consistent list: without resourceVersion.
    Consistent,
    /// A list from the cache: `resourceVersion=0`.
    Cached,
    /// A list in pages of 500.
    Paged,
    /// A list with a label selector, which matches one object in ten.
    Selector,
    /// A list as a Table.
    Table,
    /// A list as `PartialObjectMetadataList`.
    Metadata,
    /// Each manager applies its own field.
    Separate,
    /// All managers apply the same field: the server rejects all but its owner.
    Shared,
}

impl Verb {
    /// The verb in the names of series.
    pub fn series(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::List => "LIST",
            Self::Create => "POST",
            Self::Update => "PUT",
            Self::Patch => "PATCH",
            Self::Apply => "APPLY",
            Self::Delete => "DELETE",
        }
    }
}

impl Way {
    /// The variant in the names of series.
    pub fn variant(self) -> &'static str {
        match self {
            Self::Plain => "",
            Self::Consistent => "consistent",
            Self::Cached => "rv=0",
            Self::Paged => "paged",
            Self::Selector => "selector",
            Self::Table => "table",
            Self::Metadata => "metadata",
            Self::Separate => "separate",
            Self::Shared => "shared",
        }
    }
}

/// The embedded files.
const EMBEDDED: [&str; 7] = [
    include_str!("../workloads/watch-fanout.toml"),
    include_str!("../workloads/large-list.toml"),
    include_str!("../workloads/crud-mix.toml"),
    include_str!("../workloads/apply-storm.toml"),
    include_str!("../workloads/slow-watcher.toml"),
    include_str!("../workloads/relist-storm.toml"),
    include_str!("../workloads/watch-list.toml"),
];

impl RequestLoad {
    /// Whether it has operations of this verb.
    pub(crate) fn has(&self, verb: Verb) -> bool {
        self.operations.iter().any(|operation| operation.verb == verb)
    }
}

impl Workload {
    /// The embedded workloads.
    pub fn embedded() -> impl Iterator<Item = Self> {
        EMBEDDED.into_iter().filter_map(|text| Self::read(text).ok())
    }

    /// The embedded workload with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::embedded().find(|workload| workload.name == name)
    }

    /// Parses the text of a file.
    pub fn read(text: &str) -> Result<Self, String> {
        toml::from_str(text).map_err(|why| why.to_string().trim().replace('\n', " "))
    }
}

/// Settings as text, for readers and for comparison.
pub type Settings = BTreeMap<String, String>;

fn one() -> usize {
    1
}

fn one_of_weight() -> u32 {
    1
}

fn hundred() -> usize {
    100
}

fn two_thousand() -> f64 {
    2_000.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_embedded_workload_is_valid() {
        for text in EMBEDDED {
            let workload = Workload::read(text).unwrap();
            assert_eq!(workload.check(), Ok(()), "{}", workload.name);
            assert_eq!(Workload::named(&workload.name).as_ref(), Some(&workload));
        }
    }

    #[test]
    fn what_is_no_workload_is_refused_in_one_line() {
        for text in ["", "name = 1", "name = \"x\"\nspeed = 3", "{"] {
            let why = Workload::read(text).unwrap_err();
            assert!(!why.contains('\n'), "{why}");
        }
    }
}

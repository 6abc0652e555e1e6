//! A workload as data: its population, watches, requests, rates and durations.
//!
//! Seven come with the program, each a file below `workloads/`; any other file of the same form is as good.

mod check;
mod compared;
mod describe;
mod time;

use std::collections::BTreeMap;

use serde::Deserialize;

pub use time::Time;

/// The load on a server.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Workload {
    /// As on the command line.
    pub name: String,
    /// The situation that it models.
    pub models: String,
    /// How long is measured.
    pub duration: Time,
    /// How long the load is there before.
    pub warm_up: Time,
    /// How long is waited for what is under way at the end.
    pub drain: Time,
    /// What there is before.
    pub population: Objects,
    /// Who watches.
    pub watches: Option<Watching>,
    /// Who watches and hardly reads.
    pub slow: Option<Slow>,
    /// When all watches are cut.
    pub cut: Option<Cut>,
    /// The requests.
    pub requests: Option<Asking>,
}

/// What there is before.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Objects {
    /// How many objects, in all namespaces together.
    pub objects: usize,
    /// About how many bytes each has.
    pub size: usize,
    /// In how many namespaces.
    #[serde(default = "one")]
    pub namespaces: usize,
}

/// Who watches.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Watching {
    /// How many.
    pub count: usize,
    /// How many on each connection, if the server allows as many.
    #[serde(default = "hundred")]
    pub streams: usize,
    /// Over at most so many connections; as many as are needed if not given.
    pub connections: Option<usize>,
    /// How many threads read.
    #[serde(default = "one")]
    pub threads: usize,
    /// How many are opened a second.
    #[serde(default = "two_thousand")]
    pub opening: f64,
    /// Whether the server is to send all that there is first.
    #[serde(default)]
    pub initial: bool,
}

/// Who watches and hardly reads.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Slow {
    /// How many, each on a connection of its own.
    pub count: usize,
    /// How long each rests between one piece and the next.
    pub rest: Time,
}

/// When all watches are cut.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Cut {
    /// How often.
    pub every: Time,
    /// Whether each begins anew when it comes back, and does not go on from its last version.
    pub relist: bool,
}

/// The requests, and their rate.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Asking {
    /// Open-loop request rate, in requests per second.
    pub rate: f64,
    /// Instead: so many senders, each with its next request when it has its response.
    pub closed: Option<usize>,
    /// Over how many connections.
    pub connections: usize,
    /// How many at a time on each, if the server allows as many.
    #[serde(default = "hundred")]
    pub streams: usize,
    /// How many managers apply.
    #[serde(default = "one")]
    pub managers: usize,
    /// The requests, by weight.
    pub operations: Vec<Operation>,
}

/// One kind of request.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Operation {
    /// What is done.
    pub verb: Verb,
    /// In which way.
    #[serde(default)]
    pub way: Way,
    /// How often, compared with the others.
    #[serde(default = "one_of_weight")]
    pub weight: u32,
}

/// What is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verb {
    /// One object is read.
    Get,
    /// All of a namespace are read.
    List,
    /// One is created.
    Create,
    /// One is replaced.
    Update,
    /// An annotation of one is changed.
    Patch,
    /// A manager applies to one.
    Apply,
    /// One that was created meanwhile is deleted.
    Delete,
}

/// In which way.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Way {
    /// There is only one.
    #[default]
    Plain,
    /// The newest there is.
    Consistent,
    /// Whatever the server has at hand: `resourceVersion=0`.
    Cached,
    /// In pages of 500.
    Paged,
    /// Only those with a label, which is one in ten.
    Selector,
    /// As a table for people.
    Table,
    /// Without what the objects hold.
    Metadata,
    /// Each manager has its own field.
    Separate,
    /// All managers want the same field: the server refuses all but its owner.
    Shared,
}

impl Verb {
    /// As series name it.
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
    /// As series name it.
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

/// The files that come with the program.
const EMBEDDED: [&str; 7] = [
    include_str!("../workloads/watch-fanout.toml"),
    include_str!("../workloads/large-list.toml"),
    include_str!("../workloads/crud-mix.toml"),
    include_str!("../workloads/apply-storm.toml"),
    include_str!("../workloads/slow-watcher.toml"),
    include_str!("../workloads/relist-storm.toml"),
    include_str!("../workloads/watch-list.toml"),
];

impl Workload {
    /// Those that come with the program.
    pub fn embedded() -> impl Iterator<Item = Self> {
        EMBEDDED.into_iter().filter_map(|text| Self::read(text).ok())
    }

    /// The one of this name that comes with the program.
    pub fn named(name: &str) -> Option<Self> {
        Self::embedded().find(|workload| workload.name == name)
    }

    /// Reads a file's text.
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
    fn every_file_that_comes_with_the_program_is_read_and_is_sound() {
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

//! Area `resource-version`: the `resourceVersion` of objects and lists, and its semantics on get, list and watch.

mod cache;
mod changed_collection;
mod collection;
mod comparable;
mod future_versions;
mod get;
mod invariants;
mod list;
mod match_parameter;
mod object;
mod parameter;
mod rejections;
mod semantics;
mod types;
mod watch;
mod write_response;

use harness::Version;

use crate::prelude::*;

pub(crate) use collection::expect_version;
pub(crate) use future_versions::Future;

suite![
    "resource-version",
    object,
    write_response,
    comparable,
    collection,
    parameter,
    match_parameter,
    get,
    list,
    rejections,
    semantics,
    watch,
    future_versions,
    invariants,
    types,
    cache
];

/// Rounds of a scenario that finds a fault only sometimes: fewer where responses are slow.
pub(crate) fn rounds() -> impl Iterator<Item = usize> {
    const MOST: usize = 25;
    const FEWEST: usize = 3;
    const LONGEST: Duration = Duration::from_secs(5);
    let began = Instant::now();
    (1..=MOST).take_while(move |round| *round <= FEWEST || began.elapsed() < LONGEST)
}

/// The connection of readers. Another one than the writer's may lead to another instance of the server.
pub(crate) const READER: u8 = 1;

/// An object with its value or version, or its absence, for failures.
fn described(name: &str, value: Option<&str>) -> String {
    value.map_or_else(|| format!("no {name}"), |value| format!("{name} with {value:?}"))
}

/// Whether the server reports a version before this minor of Kubernetes.
fn older_than(cx: &Context, minor: u32) -> bool {
    cx.target_info().version.is_some_and(|version| version < Version { major: 1, minor })
}

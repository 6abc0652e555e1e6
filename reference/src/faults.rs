//! The tables of faults, one per area of the catalogue.
#![allow(clippy::enum_glob_use, reason = "a row reads like a sentence without `When::` and `Edit::`")]

mod bookmarks;
mod collections;
mod gone;
mod health;
mod history;
mod pagination;
mod resource_version;
mod resource_version_watch;
mod streaming_list;
mod streams;
mod watch;
mod watch_shard;

use crate::fault::Fault;

/// The faults by area.
const TABLES: &[&[Fault]] = &[
    resource_version::FAULTS,
    resource_version_watch::FAULTS,
    gone::FAULTS,
    pagination::FAULTS,
    watch::FAULTS,
    watch_shard::FAULTS,
    bookmarks::FAULTS,
    streaming_list::FAULTS,
    streams::FAULTS,
    history::FAULTS,
    collections::FAULTS,
    health::FAULTS,
];

/// All faults.
pub fn faults() -> impl Iterator<Item = &'static Fault> {
    TABLES.iter().copied().flatten()
}

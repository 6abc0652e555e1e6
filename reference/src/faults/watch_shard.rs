//! Faults of watches with a shard selector.

use crate::fault::{Edit::*, Fault, When::*, on};

#[rustfmt::skip]
pub(super) const FAULTS: &[Fault] = &[
    on("watch-shard-filter", "lists are divided, watches are not", &[Watch], &[DropParameter("shardSelector")]),
    on("watch-shard-ignored-when-off", "watches are divided, lists are not", &[Listing], &[DropParameter("shardSelector")]),
];

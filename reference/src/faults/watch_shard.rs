//! Faults of watches with a shard selector.

use crate::fault::{Edit::*, Fault, When::*, on};

#[rustfmt::skip]
pub(super) const FAULTS: &[Fault] = &[
    on("watch-shard-filter", "watches ignore the shard selector", &[Watch], &[DropParameter("shardSelector")]),
    on("watch-shard-ignored-when-off", "lists ignore the shard selector", &[List], &[DropParameter("shardSelector")]),
];

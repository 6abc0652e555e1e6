//! Faults of random write sequences.

use crate::fault::{Edit::*, Fault, When::*, on, store};
use crate::store::StoreFault;

#[rustfmt::skip]
pub(super) const FAULTS: &[Fault] = &[
    on("sequence-outcomes", "updates succeed despite a stale resourceVersion", &[Method("PUT"), Object],
        &[RemoveFromRequest("/metadata/resourceVersion")]),
    on("sequence-refusals", "the server stores some updates that it rejects with 409",
        &[Method("PUT"), Object, StatusIs(200)], &[Fail(409, "Conflict", "the object has been modified")]),
    on("sequence-contents", "merge patches do not change labels", &[Method("PATCH"), Object],
        &[RemoveFromRequest("/metadata/labels")]),
    store("sequence-versions", "a write keeps the resourceVersion", StoreFault::KeepsVersion),
    store("sequence-no-ops", "a write without changes increases the resourceVersion", StoreFault::BumpsWithoutChange),
    on("sequence-generations", "the generation is always 1", &[Method("GET"), Object, StatusIs(200)],
        &[Set("/metadata/generation", "1")]),
    store("sequence-dry-runs", "dry runs store their changes", StoreFault::PersistsDryRun),
    store("sequence-deletions", "the server removes objects despite finalizers", StoreFault::IgnoresFinalizers),
];

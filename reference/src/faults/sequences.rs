//! Faults of random write sequences.

use crate::fault::{Edit::*, Fault, When::*, on, store};
use crate::store::StoreFlaw;

#[rustfmt::skip]
pub(super) const FAULTS: &[Fault] = &[
    on("sequence-outcomes", "updates that name an old version are done", &[Method("PUT"), Object],
        &[RemoveFromRequest("/metadata/resourceVersion")]),
    on("sequence-refusals", "updates are done, and then refused for a conflict",
        &[Method("PUT"), Object, Answered(200)], &[Fail(409, "Conflict", "the object has been modified")]),
    on("sequence-contents", "merge patches leave labels as they are", &[Method("PATCH"), Object],
        &[RemoveFromRequest("/metadata/labels")]),
    store("sequence-versions", "a change keeps the version that the object had", StoreFlaw::KeepsVersion),
    store("sequence-no-ops", "every write makes a new version", StoreFlaw::BumpsWithoutChange),
    on("sequence-generations", "the generation is always 1", &[Method("GET"), Object, Answered(200)],
        &[Set("/metadata/generation", "1")]),
    store("sequence-dry-runs", "dry runs are carried out", StoreFlaw::PersistsDryRun),
    store("sequence-deletions", "finalizers do not hold a deletion back", StoreFlaw::IgnoresFinalizers),
];

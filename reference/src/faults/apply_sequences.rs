//! Faults of random apply sequences.

use bytes::Bytes;
use http::Method as Verb;
use http::request::Parts;
use serde_json::json;

use super::apply_conflicts::keep_first_cause;
use super::field_managers::{APPLY, FORCED, MANAGER};
use super::patch::MERGE;
use super::rewrite::{self, Sent};
use crate::fault::{Edit::*, Fault, When::*, on};

#[rustfmt::skip]
pub(super) const FAULTS: &[Fault] = &[
    on("apply-sequence-outcomes", "the server forces every apply, so the last apply wins", &[APPLY], &[FORCED]),
    on("apply-sequence-conflicts", "an apply conflict reports only one cause", &[APPLY, StatusIs(409)], &[EditJson(keep_first_cause)]),
    on("apply-sequence-refusals", "a rejected apply still writes an annotation", &[APPLY], &[Several(annotate_first)]),
    on("apply-sequence-values", "the server treats a PUT as a merge patch", &[Method("PUT"), Object], &[EditRequest(|parts, _| rewrite::make_merge_patch(parts))]),
    on("apply-sequence-owners", "the server ignores fieldManager on merge patches", &[MERGE], &[DropParameter(MANAGER)]),
];

/// An annotation with the applied configuration, then the apply.
fn annotate_first(parts: &Parts, body: &Bytes) -> Vec<Sent> {
    let note = json!({ "metadata": { "annotations": { "applied": rewrite::read(body).to_string() } } });
    vec![rewrite::json_request(parts, Verb::PATCH, parts.uri.path(), &note), rewrite::unchanged(parts, body)]
}

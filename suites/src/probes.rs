//! Probes: scenarios that run first, and the capability that each detects.

use harness::Capability::{
    DryRun, FieldSelector, FieldValidation, LabelSelector, Limit, Patch, Status, Verb as Of,
};
use harness::PatchType::{Apply, Json, Merge, Strategic};
use harness::Suite;
use harness::Verb::{Create, Delete, DeleteCollection, Get, List, Patch as PatchVerb, Update, Watch};

/// Clauses whose scenarios fail only where a capability is not there, or broken at its core. None is a `may`: a run in
/// which something is blocked does not go without a failure or a warning.
#[rustfmt::skip]
pub const PROBES: &[(&str, harness::Capability)] = &[
    ("dryrun-unset-is-real",                           Of(Create)),
    ("dryrun-unset-is-real",                           Of(Get)),
    ("kinds-collection-url-lists",                     Of(List)),
    ("update-put-overwrites",                          Of(Update)),
    ("patch-type-json-accepted",                       Patch(Json)),
    ("patch-type-merge-accepted",                      Patch(Merge)),
    ("patch-type-strategic-accepted",                  Patch(Strategic)),
    ("apply-requests-creates-when-absent",             Patch(Apply)),
    ("watch-list-then-watch",                          Of(Watch)),
    ("single-deletecollection-deletes-many",           Of(DeleteCollection)),
    ("spec-status-status-subresource-changes-status",  Status),
    ("dryrun-post-not-persisted",                      DryRun(Create)),
    ("dryrun-put-not-persisted",                       DryRun(Update)),
    ("dryrun-patch-not-persisted",                     DryRun(PatchVerb)),
    ("dryrun-delete-not-persisted",                    DryRun(Delete)),
    ("dryrun-deletecollection-not-persisted",          DryRun(DeleteCollection)),
    ("fieldval-strict-post-unknown-400",               FieldValidation),
    ("pagination-params-supported",                    Limit),
    ("selectors-label-equals",                         LabelSelector),
    ("selectors-field-filter-supported",               FieldSelector),
];

/// Marks the scenarios of a suite that probe something.
pub(crate) fn mark(suite: Suite) -> Suite {
    PROBES.iter().fold(suite, |suite, (clause, capability)| suite.probes(clause, *capability))
}

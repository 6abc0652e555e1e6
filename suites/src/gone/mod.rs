//! Area `gone`: 410 responses for expired versions.

mod expired_collection;
mod invariants;
mod list;
mod recent_versions;
mod token;
mod unexpiring_requests;
mod watch;

pub(crate) use token::pagination_rows;

suite!["gone", recent_versions, unexpiring_requests, token, list, invariants, watch];

/// The legal reasons of the Status for an expired version.
const REASONS: &[&str] = &["Expired", "Gone"];

//! Area `removed-apis`: the APIs that a release removes, and the APIs that replace them.
//!
//! The catalogue's `since` is the removing release, so a server of an older minor, emulated or not, is not judged.

pub(crate) mod api;
mod gone;
mod guide;
mod lifecycle;
mod more_apis;
mod served;
mod table;

pub(crate) use api::require_minor;
pub use lifecycle::{ApiLifecycle, ApiReplacement, NEWEST_RELEASE, api_lifecycles};
pub(crate) use more_apis::DEPRECATED;

suite!["removed-apis", gone, served, guide];

//! A write that was acknowledged.

use super::checker::Labels;
use super::version::Mark;

/// A write that was answered with the object as it is since then, or was already.
#[derive(Debug, Clone)]
pub struct Write {
    /// The type, as in [`WatchRequest`](super::WatchRequest).
    pub collection: String,
    /// `kind` of the object.
    pub kind: String,
    /// Namespace and name: `ns/a`, and `/a` where there is no namespace.
    pub key: String,
    /// The version in the response.
    pub version: Mark,
    /// The labels in the response.
    pub labels: Labels,
    /// Stands for the whole content: see [`digest`](super::digest).
    pub digest: Option<u64>,
    /// When it was begun, by a clock that all writes share.
    pub begun: u64,
    /// When it was answered.
    pub answered: u64,
}

//! Acknowledged writes.

use super::checker::Labels;
use super::version::ResourceVersion;

/// A write whose response has the object as it is from then on.
#[derive(Debug, Clone)]
pub struct Write {
    /// The type, as in [`WatchRequest`](super::WatchRequest).
    pub collection: String,
    /// `kind` of the object.
    pub kind: String,
    /// Namespace and name: `ns/a`, or `/a` without a namespace.
    pub key: String,
    /// The version in the response.
    pub version: ResourceVersion,
    /// The labels in the response.
    pub labels: Labels,
    /// The digest of the whole content: see [`digest`](super::digest).
    pub digest: Option<u64>,
    /// The start of the request, by a clock that all writes share.
    pub begun: u64,
    /// The arrival of the response.
    pub returned: u64,
}

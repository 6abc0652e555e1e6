//! The custom type with many versions, some of them deprecated.

use crate::prelude::*;

/// A deprecated version whose warning the server writes.
pub(super) const DEPRECATED: &str = "v1alpha1";
/// A deprecated version with a warning of its own.
pub(super) const WITH_TEXT: &str = "v1beta1";
/// The preferred version, which is not deprecated.
pub(super) const PREFERRED: &str = "v10";
/// Another version that is not deprecated, and stored.
pub(super) const STORED: &str = "v1";

/// All versions, the preferred one first.
pub(super) const ORDER: [&str; 8] =
    [PREFERRED, "v2", STORED, WITH_TEXT, "v2alpha1", DEPRECATED, "foo1", "foo10"];

/// Its objects in the scenario's namespace.
pub(super) struct Releases(Collection);

impl Fixture for Releases {
    async fn arrange(cx: &Context) -> Result<Self, Halt> {
        cx.releases().await.map(Self)
    }
}

impl Releases {
    pub(super) fn resource(&self) -> &Resource {
        self.0.resource()
    }

    /// The path of an object in a version; that of the collection without a name.
    pub(super) fn path(&self, version: &str, name: &str) -> String {
        let path = if name.is_empty() { self.0.path() } else { self.0.path_of(name) };
        path.replacen(&format!("/{STORED}/"), &format!("/{version}/"), 1)
    }

    /// The path of the document of the group.
    pub(super) fn group_path(&self) -> String {
        format!("/apis/{}", self.resource().group)
    }

    pub(super) fn api_version(&self, version: &str) -> String {
        format!("{}/{version}", self.resource().group)
    }

    /// An object of a version, with a field that only its schema knows.
    pub(super) fn body(&self, version: &str, name: &str) -> Value {
        json!({
            "apiVersion": self.api_version(version), "kind": self.resource().kind, "metadata": { "name": name },
            "spec": { "value": "a", "map": { "x": "1" }, "list": ["1", "2"] },
        })
    }

    /// Reads an object, or the collection, in a version until the server serves it: it may serve versions one by one.
    pub(super) async fn read(&self, cx: &Context, version: &str, name: &str) -> Result<Arc<Exchange>, Halt> {
        let served = cx.eventually(|| async {
            let response = cx.send(Request::get(self.path(version, name))).await?;
            Ok(response.succeeded().then_some(response))
        });
        let unserved = || cx.late(format!("read {}", self.path(version, name)), "it was not served in time");
        served.await?.ok_or_else(|| unserved().into())
    }
}

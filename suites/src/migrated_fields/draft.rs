//! Drafts: manifests with the path that they are sent to.

use super::manifest::{Manifest, changed};
use crate::prelude::*;
use crate::removed_apis::api::Api;

/// A manifest of the scenario, and where it is created.
pub(super) struct Draft {
    pub(super) cx: Context,
    pub(super) api: Api,
    /// The path of the collection.
    path: String,
    body: Value,
}

impl Draft {
    /// Skips where discovery does not list the type.
    pub(super) async fn of(cx: &Context, manifest: Manifest) -> Result<Self, Halt> {
        let api = manifest.api;
        let resource = api.resource();
        let why = || format!("discovery does not list {}", api.name());
        let feature = manifest.feature.unwrap_or(api.kind);
        cx.require_feature(feature, cx.discovers(&resource).await?, why())?;
        let (path, namespace) = if api.namespaced {
            (cx.collection(resource).await?.path(), cx.namespace().await?)
        } else {
            (format!("{}/{}", resource.root(), resource.plural), "")
        };
        let mut body = api.body(&if api.namespaced { NAME.to_owned() } else { cx.own_name(NAME) });
        if !api.namespaced {
            body["metadata"]["labels"] = cx.own_labels();
        }
        for (field, value) in (manifest.fields)(cx, namespace).as_object().into_iter().flatten() {
            body[field.as_str()] = value.clone();
        }
        Ok(Self { cx: cx.clone(), api, path, body })
    }

    /// The path of the object.
    pub(super) fn object_path(&self) -> String {
        format!("{}/{}", self.path, self.body["metadata"]["name"].as_str().unwrap_or_default())
    }

    /// The object with these changes; not yet sent.
    pub(super) fn body(&self, changes: &[(&str, &str)]) -> Value {
        changed(&self.body, changes)
    }

    /// The create of the object with these changes; not yet sent.
    pub(super) fn create(&self, changes: &[(&str, &str)]) -> Request {
        Request::post(self.path.as_str(), &self.body(changes))
    }

    /// Creates the object with these changes, which later requests need; a failure is a test error.
    pub(super) async fn store(&self, changes: &[(&str, &str)]) -> Result<Object, Halt> {
        self.send("create", self.create(changes)).await?.written()
    }

    /// Sends a request. Skips if the user may not, or if an admission policy of the server denies the request.
    pub(super) async fn send(&self, verb: &str, request: Request) -> Result<Arc<Exchange>, Halt> {
        let response = self.cx.send(request).await?;
        if response.succeeded() && !self.api.namespaced {
            // The server may have ignored the dry run.
            self.cx.remove_in_the_end(&self.object_path());
        }
        let denied = !response.succeeded() && is_denied(&response.text());
        Halt::skip_unless(!denied, format!("an admission policy denies the request: {}", response.brief()))?;
        self.api.expect_permitted(&self.cx, verb, &response).await?;
        Ok(response)
    }
}

/// Whether a message is that of a webhook, or of a `ValidatingAdmissionPolicy`.
fn is_denied(message: &str) -> bool {
    message.contains(" denied the request") || message.contains(" denied request: ")
}

/// The object as another version shows it: the same object, with these values.
pub(super) async fn expect_in(other: &Draft, stored: &Object, values: &[(&str, Value)]) -> Checked {
    let got = other.send("get", Request::get(other.object_path())).await?;
    let metadata = ["uid", "resourceVersion"].map(|field| (field, stored.metadata(field)));
    for (field, value) in metadata {
        got.expect_value(&format!("/metadata/{field}"), &value.into())?;
    }
    got.expect_values(values)
}

//! Requests about `ConfigMaps` that policies are about.

use serde::Deserialize;

use super::policies::Namespaces;
use crate::cel::policy::LABEL;
use crate::cel::policy_row::to_json;
use crate::prelude::*;

/// A request about a `ConfigMap`, and what the response must have.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Attempt {
    #[serde(default)]
    operation: Operation,
    #[serde(default)]
    object: Stored,
    /// The code of the denial.
    pub(super) code: Option<u16>,
    /// The reason of the denial.
    pub(super) reason: Option<String>,
    /// A text in the message of the denial, or in a warning.
    pub(super) message: Option<String>,
    /// A text that neither has.
    pub(super) without: Option<String>,
    /// Whether the write is persisted: only a create can be.
    #[serde(default)]
    real: bool,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Operation {
    #[default]
    Create,
    Update,
    /// An update by a merge patch.
    Patch,
    Delete,
    /// The deletion of all objects of the case.
    DeleteCollection,
}

/// A `ConfigMap`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Stored {
    name: Option<String>,
    namespace: Option<String>,
    /// The label of another case than the policy's.
    case: Option<String>,
    #[serde(default)]
    labels: toml::Table,
    #[serde(default)]
    data: toml::Table,
}

impl Stored {
    /// Whether it is in the scenario's second namespace.
    pub(super) fn is_elsewhere(&self) -> bool {
        self.namespace.is_some()
    }

    /// Creates the object before any policy.
    pub(super) async fn create(&self, cx: &Context, namespaces: &Namespaces) -> Checked {
        let path = self.collection(cx, namespaces).await?;
        let created = cx.send(Request::post(path, &self.body(""))).await?;
        created.written().map(drop)
    }

    async fn collection(&self, cx: &Context, namespaces: &Namespaces) -> Result<String, Halt> {
        let configmaps = cx.configmaps().await?;
        let own = format!("/{}/", namespaces.own);
        let named = format!("/{}/", namespaces.named(self.namespace.as_deref()));
        Ok(configmaps.path().replace(&own, &named))
    }

    fn name(&self) -> &str {
        self.name.as_deref().unwrap_or(NAME)
    }

    /// The object, with the label of a case unless it has another one.
    fn body(&self, case: &str) -> Value {
        let mut labels = to_json(&self.labels);
        let case = self.case.as_deref().unwrap_or(case);
        if !case.is_empty() {
            labels[LABEL] = case.into();
        }
        json!({
            "apiVersion": "v1",
            "kind": "ConfigMap",
            "metadata": { "name": self.name(), "labels": labels },
            "data": to_json(&self.data),
        })
    }
}

impl Attempt {
    pub(super) fn is_elsewhere(&self) -> bool {
        self.object.is_elsewhere()
    }

    /// The request about an object of a case, as a dry run unless the write is persisted.
    pub(super) async fn request(
        &self,
        cx: &Context,
        namespaces: &Namespaces,
        case: &str,
    ) -> Result<Request, Halt> {
        let path = self.object.collection(cx, namespaces).await?;
        let one = format!("{path}/{}", self.object.name());
        let mut body = self.object.body(case);
        if self.real {
            // The server may accept a request that it must deny, and get it once more.
            body["metadata"] = json!({ "generateName": "real-", "labels": body["metadata"]["labels"] });
        }
        let request = match self.operation {
            Operation::Create => Request::post(path, &body),
            Operation::Update => Request::put(one, &body),
            Operation::Patch => {
                let labels = &body["metadata"]["labels"];
                Request::merge_patch(one, &json!({ "metadata": { "labels": labels }, "data": body["data"] }))
            }
            Operation::Delete => Request::delete(one),
            Operation::DeleteCollection => {
                Request::delete(path).query("labelSelector", format!("{LABEL}={case}"))
            }
        };
        Ok(if self.real { request } else { request.query("dryRun", "All") })
    }
}

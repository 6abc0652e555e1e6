//! Parameters of policies.

use serde::Deserialize;

use super::policies::Namespaces;
use crate::cel::policy_row::to_json;
use crate::prelude::*;

/// A `ServiceAccount`, whose image pull secret has the value as its name.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Param {
    name: String,
    namespace: Option<String>,
    #[serde(default)]
    labels: toml::Table,
    value: Option<String>,
}

impl Param {
    /// Whether it is in the scenario's second namespace.
    pub(super) fn is_elsewhere(&self) -> bool {
        self.namespace.is_some()
    }

    /// Creates the parameter before any policy.
    pub(super) async fn create(&self, cx: &Context, namespaces: &Namespaces) -> Checked {
        let namespace = namespaces.named(self.namespace.as_deref());
        let secrets: Vec<_> = self.value.iter().map(|name| json!({ "name": name })).collect();
        let body = json!({
            "apiVersion": "v1",
            "kind": "ServiceAccount",
            "metadata": { "name": self.name, "labels": to_json(&self.labels) },
            "imagePullSecrets": secrets,
        });
        let path = format!("/api/v1/namespaces/{namespace}/serviceaccounts");
        cx.send(Request::post(path, &body)).await?.written().map(drop)
    }
}

//! The policies and bindings of a scenario.

use crate::cel::policy::{self, LABEL, binding_of, constraints_of, wait_until_denied, with_fields};
use crate::prelude::*;

/// The value of a field in a table that the policy lacks: the server must complete it.
const ABSENT: &str = "$NULL";

/// The case of the policy that shows that all earlier ones are enforced.
const SENTINEL: &str = "sentinel";

/// The namespaces of a scenario.
pub(super) struct Namespaces {
    pub(super) own: String,
    /// A further one, which no policy selects by default; as the own one, if the scenario needs none.
    pub(super) other: String,
}

impl Namespaces {
    pub(super) async fn create(cx: &Context, has_other: bool) -> Result<Self, Halt> {
        let own = cx.namespace().await?.to_owned();
        let other = if has_other { cx.another_namespace().await? } else { own.clone() };
        Ok(Self { own, other })
    }

    /// The same JSON with the names of the namespaces.
    pub(super) fn named_in(&self, json: &Value) -> Value {
        self.in_text(&json.to_string()).parse().unwrap_or_default()
    }

    /// The same text with the names of the namespaces.
    pub(super) fn in_text(&self, text: &str) -> String {
        text.replace("$NAMESPACE", &self.own).replace("$OTHER", &self.other)
    }

    /// The name of a namespace of a table.
    pub(super) fn named(&self, text: Option<&str>) -> &str {
        if text == Some("$OTHER") { &self.other } else { &self.own }
    }
}

/// Creates a policy for the `ConfigMaps` of a case in the scenario's namespace. These fields replace or complete the default
/// ones of its spec; those of `matchConstraints` replace single constraints.
pub(super) async fn create_policy(cx: &Context, name: &str, case: &str, fields: &Value) -> Checked {
    let mut spec = with_fields(json!({ "failurePolicy": "Fail" }), fields);
    spec["matchConstraints"] = with_fields(constraints_of(cx, case).await?, &fields["matchConstraints"]);
    if let Some(fields) = spec.as_object_mut() {
        fields.retain(|_, value| *value != ABSENT);
    }
    let created = policy::post(cx, &policy::resource(), name, &spec).await?;
    created.expect(created.status() != 422, "HTTP 201: the server takes the policy", created.brief())?;
    created.written().map(drop)
}

/// Binds a policy; by default, the server denies what it rejects.
pub(super) async fn bind(cx: &Context, policy: &str, name: &str, fields: &Value) -> Checked {
    let created = policy::post(cx, &policy::bindings(), name, &binding_of(policy, fields)).await?;
    created.expect(created.status() != 422, "HTTP 201: the server takes the binding", created.brief())?;
    created.written().map(drop)
}

/// The create of a `ConfigMap` with these labels, as a dry run; not yet sent.
pub(super) async fn dry_create(cx: &Context, name: &str, labels: &Value) -> Result<Request, Halt> {
    let body =
        json!({ "apiVersion": "v1", "kind": "ConfigMap", "metadata": { "name": name, "labels": labels } });
    Ok(Request::post(cx.configmaps().await?.path(), &body).query("dryRun", "All"))
}

/// Waits until the server enforces what the scenario has created: a server that notices policies in their order enforces those
/// once it enforces a last one.
pub(super) async fn wait_until_enforced(cx: &Context) -> Checked {
    let name = cx.own_name(SENTINEL);
    let fields = json!({ "validations": [{ "expression": "false" }] });
    create_policy(cx, &name, SENTINEL, &fields).await?;
    bind(cx, &name, &name, &json!({})).await?;
    let create = dry_create(cx, SENTINEL, &json!({ LABEL: SENTINEL })).await?;
    cx.yield_place_while(wait_until_denied(cx, &name, &create)).await
}

//! Admission policies that a scenario creates.

use crate::prelude::*;

/// The group of the admission API.
pub(super) const GROUP: &str = "admissionregistration.k8s.io";

/// The label that tells the `ConfigMaps` of a policy from those of the other policies of the scenario.
pub(super) const LABEL: &str = "case";

/// The name of a `ConfigMap` that each policy denies: it shows that the policy is enforced.
const CANARY: &str = "canary";

/// The type of validating policies.
pub(super) fn resource() -> Resource {
    Resource::of(GROUP, "v1", "validatingadmissionpolicies", "ValidatingAdmissionPolicy")
}

/// The type of their bindings.
pub(super) fn bindings() -> Resource {
    Resource::of(GROUP, "v1", "validatingadmissionpolicybindings", "ValidatingAdmissionPolicyBinding")
}

/// The creates of `ConfigMaps` that a policy is about, in all namespaces.
pub(super) fn match_constraints() -> Value {
    json!({ "resourceRules": [
        { "apiGroups": [""], "apiVersions": ["v1"], "operations": ["CREATE"], "resources": ["configmaps"] },
    ] })
}

/// The constraints, for the `ConfigMaps` of one case in the scenario's namespace.
pub(super) async fn constraints_of(cx: &Context, case: &str) -> Result<Value, Halt> {
    let mut constraints = match_constraints();
    let namespace = cx.namespace().await?;
    constraints["namespaceSelector"] = json!({ "matchLabels": { "kubernetes.io/metadata.name": namespace } });
    constraints["objectSelector"] = json!({ "matchLabels": { LABEL: case } });
    Ok(constraints)
}

/// An object of the admission API with this specification.
fn body(cx: &Context, resource: &Resource, name: &str, spec: &Value) -> Value {
    json!({
        "apiVersion": resource.api_version(),
        "kind": resource.kind,
        "metadata": { "name": name, "labels": cx.own_labels() },
        "spec": spec,
    })
}

/// Creates an object of the admission API, or tries to.
pub(super) async fn post(
    cx: &Context,
    resource: &Resource,
    name: &str,
    spec: &Value,
) -> Result<Arc<Exchange>, Halt> {
    let path = format!("{}/{}", resource.root(), resource.plural);
    // Every request of the run is compared with the policies that are left.
    cx.remove_with_scenario(&format!("{path}/{name}"));
    cx.send(Request::post(path, &body(cx, resource, name, spec))).await
}

/// Creates a policy with these further fields as a dry run.
pub(super) async fn try_out(cx: &Context, fields: &Value) -> Result<Arc<Exchange>, Halt> {
    let spec = json!({ "failurePolicy": "Fail", "matchConstraints": match_constraints() });
    try_out_spec(cx, &resource(), &with_fields(spec, fields)).await
}

/// Creates a binding with these further fields as a dry run.
pub(super) async fn try_out_binding(cx: &Context, fields: &Value) -> Result<Arc<Exchange>, Halt> {
    // No policy has this name.
    try_out_spec(cx, &bindings(), &binding_of(&cx.own_name("unbound"), fields)).await
}

/// The specification of a binding with these further fields. By default, the server denies what the policy rejects.
pub(super) fn binding_of(policy: &str, fields: &Value) -> Value {
    with_fields(json!({ "policyName": policy, "validationActions": ["Deny"] }), fields)
}

/// An object with these fields instead of its own ones, or besides them.
pub(super) fn with_fields(mut object: Value, fields: &Value) -> Value {
    for (field, value) in fields.as_object().into_iter().flatten() {
        object[field.as_str()] = value.clone();
    }
    object
}

async fn try_out_spec(cx: &Context, resource: &Resource, spec: &Value) -> Result<Arc<Exchange>, Halt> {
    let name = cx.own_name("tried");
    let path = format!("{}/{}", resource.root(), resource.plural);
    let request = Request::post(&path, &body(cx, resource, &name, spec)).query("dryRun", "All");
    let tried = cx.send(request).await?;
    if tried.succeeded() {
        // The server may have ignored the dry run.
        cx.remove_in_the_end(&format!("{path}/{name}"));
    }
    Ok(tried)
}

/// A policy that the server enforces.
pub(super) struct Policy {
    name: String,
    case: String,
    expression: String,
}

impl Policy {
    /// Creates a policy for each of these validations, and waits until all are enforced.
    pub(super) async fn enforce_all(cx: &Context, expressions: &[String]) -> Result<Vec<Self>, Halt> {
        let numbered = expressions.iter().enumerate();
        let creating =
            numbered.map(|(case, expression)| Self::create_policy(cx, case.to_string(), expression));
        let policies = try_join_all(creating).await?;
        // The scenario has one place for all of these waits.
        let waiting = try_join_all(policies.iter().map(|policy| policy.wait_until_enforced(cx)));
        cx.yield_place_while(waiting).await?;
        Ok(policies)
    }

    /// Creates a policy with this validation, and waits until it is enforced.
    pub(super) async fn enforce(cx: &Context, expression: &str) -> Result<Self, Halt> {
        let policy = Self::create_policy(cx, 0.to_string(), expression).await?;
        Box::pin(cx.yield_place_while(policy.wait_until_enforced(cx))).await?;
        Ok(policy)
    }

    /// Whether the server takes a policy with this validation, and enforces it in time.
    pub(super) async fn is_enforced(cx: &Context, expression: &str) -> bool {
        // The scenario numbers the policies of its own.
        let case = "offered".to_owned();
        let Ok(policy) = Self::create_policy(cx, case, expression).await else { return false };
        policy.wait_until_enforced(cx).await.is_ok()
    }

    async fn create_policy(cx: &Context, case: String, expression: &str) -> Result<Self, Halt> {
        let name = cx.own_name(&format!("cel-{case}"));
        let policy = Self { name, case, expression: expression.to_owned() };
        let spec = json!({
            "failurePolicy": "Fail",
            "matchConstraints": constraints_of(cx, &policy.case).await?,
            "validations": [
                { "expression": format!("object.metadata.name != '{CANARY}'"), "message": "it is the canary" },
                { "expression": expression },
            ],
        });
        let created = post(cx, &resource(), &policy.name, &spec).await?;
        if created.status() == 422 {
            return Err(created.fail(format!("HTTP 201: a policy with `{expression}`"), created.brief()));
        }
        created.written()?;
        let binding = binding_of(&policy.name, &json!({}));
        post(cx, &bindings(), &policy.name, &binding).await?.written()?;
        Ok(policy)
    }

    async fn wait_until_enforced(&self, cx: &Context) -> Checked {
        wait_until_denied(cx, &self.name, &self.create(cx, CANARY, &json!({})).await?).await
    }

    /// The create of a `ConfigMap` that the policy is about, as a dry run; not yet sent.
    pub(super) async fn create(&self, cx: &Context, name: &str, data: &Value) -> Result<Request, Halt> {
        let body = json!({
            "apiVersion": "v1",
            "kind": "ConfigMap",
            "metadata": { "name": name, "labels": { LABEL: self.case } },
            "data": data,
        });
        let configmaps = cx.configmaps().await?;
        Ok(Request::post(configmaps.path(), &body).query("dryRun", "All"))
    }

    /// The policy admits a request.
    pub(super) fn expect_accepted(&self, cx: &Context, response: &Exchange) -> Checked {
        let what = format!("HTTP 201: `{}` holds for the request", self.expression);
        if response.succeeded() || denies(response, &self.name) {
            return response.expect(response.status() == 201, what, response.brief());
        }
        Err(cx.test_error("send a request that the policy admits", response.brief()).into())
    }

    /// The policy denies a request.
    pub(super) fn expect_rejected(&self, cx: &Context, response: &Exchange) -> Checked {
        let what = format!("HTTP 422: the policy with `{}` denies the request", self.expression);
        if response.succeeded() || denies(response, &self.name) {
            return response.expect(!response.succeeded(), what, response.brief());
        }
        Err(cx.test_error("send a request that the policy denies", response.brief()).into())
    }
}

/// Waits until the server enforces a policy: until it denies this request.
pub(super) async fn wait_until_denied(cx: &Context, policy: &str, request: &Request) -> Checked {
    let enforced = cx.eventually(|| async {
        let tried = cx.send(request.clone()).await?;
        Ok(denies(&tried, policy).then_some(()))
    });
    let why = "it is not enforced in time";
    enforced.await?.ok_or_else(|| cx.late(format!("enforce the policy {policy}"), why).into())
}

/// Whether a response is a denial that names the policy.
pub(super) fn denies(response: &Exchange, policy: &str) -> bool {
    let denies = (400..500).contains(&response.status()) && response.text().contains(policy);
    if denies {
        response.judged();
    }
    denies
}

//! The requests that `matchConstraints` match: subresources, other versions of a type, and cluster-scoped objects.

use super::policies::{bind, create_policy, wait_until_enforced};
use super::written::{CASE, Only, never};
use crate::cel::definition::{CustomType, of_spec};
use crate::cel::offer;
use crate::cel::policy::LABEL;
use crate::cel::shared_definition::first_taken;
use crate::definitions::{self, version};
use crate::deployments;
use crate::prelude::*;

rows![
    admission_policies_match_policy.own_kinds().waits(),
    admission_policies_match_subresources.own_kinds().waits(),
    admission_policies_match_namespace_selector_cluster_scoped.own_kinds().waits(),
    admission_policies_namespace_object_null.own_kinds().waits(),
];

/// The resources of a rule, and whether it is about updates of a Deployment, and of its status.
const RULES: [(&str, bool, bool); 5] = [
    ("deployments", true, false),
    ("deployments/status", false, true),
    ("*", true, false),
    ("*/status", false, true),
    ("*/*", true, true),
];

async fn admission_policies_match_subresources(cx: Context) -> Checked {
    offer::require_policies(&cx).await?;
    let collection = deployments::collection(&cx).await?;
    for (case, (resources, ..)) in RULES.iter().enumerate() {
        let mut body = deployments::body(&format!("case-{case}"));
        body["metadata"]["labels"] = json!({ LABEL: case.to_string() });
        collection.create_body(&body).await?;
        let rule = json!({
            "apiGroups": ["apps"], "apiVersions": ["v1"], "operations": ["UPDATE"], "resources": [resources],
        });
        let message = "'about ' + (has(request.subResource) ? request.subResource : 'none')";
        let fields = json!({
            "matchConstraints": { "resourceRules": [rule] },
            "validations": [{ "expression": "false", "messageExpression": message }],
        });
        let name = cx.own_name(&format!("policy-{case}"));
        create_policy(&cx, &name, &case.to_string(), &fields).await?;
        bind(&cx, &name, &name, &json!({})).await?;
    }
    wait_until_enforced(&cx).await?;

    for (case, (resources, is_about_object, is_about_status)) in RULES.into_iter().enumerate() {
        let one = Only { cx: &cx, name: cx.own_name(&format!("policy-{case}")) };
        let path = collection.path_of(&format!("case-{case}"));
        let annotated = json!({ "metadata": { "annotations": { "a": "b" } } });
        let object = Request::merge_patch(&path, &annotated).query("dryRun", "All");
        let observed = json!({ "status": { "observedGeneration": 1 } });
        let status = Request::merge_patch(format!("{path}/status"), &observed).query("dryRun", "All");
        let mut attempts = [(is_about_object, object, "none"), (is_about_status, status, "status")];
        // A denial shows that the server enforces the policy.
        attempts.sort_by_key(|(is_about, ..)| !is_about);
        for (is_about, request, subresource) in attempts {
            let verb = if is_about { "is" } else { "is not" };
            let what = format!("a rule about {resources} {verb} about the subresource {subresource}");
            one.expect(is_about, &request, &what).await?;
            if is_about {
                let denied = cx.send(request).await?;
                let text = format!("about {subresource}");
                denied.expect(denied.text().contains(&text), format!("a denial `{text}`"), denied.brief())?;
            }
        }
    }
    Ok(())
}

/// The version that a policy sees, and that of the request.
const SEEN: &str = "'seen in ' + object.apiVersion.split('/')[1] + ' and ' + request.kind.version + \
                    ', requested in ' + request.requestKind.version";

async fn admission_policies_match_policy(cx: Context) -> Checked {
    offer::require_policies(&cx).await?;
    let mut definition = of_spec(&cx, "versions", &json!({ "type": "object" }));
    let mut second = version("v2");
    second["schema"] = definition["spec"]["versions"][0]["schema"].clone();
    if let Some(versions) = definition["spec"]["versions"].as_array_mut() {
        versions.push(second);
    }
    let custom_type = CustomType::of(&definition);
    definitions::create(&cx, &definition).await?.written()?;
    let create = |version: &str, case: usize| {
        let mut object = custom_type.object(&cx.own_name(&format!("case-{case}")), &json!({}));
        object["apiVersion"] =
            object["apiVersion"].as_str().unwrap_or_default().replace("/v1", version).into();
        object["metadata"]["labels"] = json!({ LABEL: case.to_string() });
        let path = custom_type.path.replace("/v1/", &format!("{version}/"));
        Request::post(path, &object).query("dryRun", "All")
    };
    for version in ["/v1", "/v2"] {
        cx.yield_place_while(first_taken(&cx, &create(version, 3))).await?.written()?;
    }

    let policies = [Value::Null, "Equivalent".into(), "Exact".into()];
    for (case, match_policy) in policies.iter().enumerate() {
        let group = definition["spec"]["group"].clone();
        let rule = json!({
            "apiGroups": [group], "apiVersions": ["v1"], "operations": ["CREATE"],
            "resources": [definitions::PLURAL],
        });
        let mut fields = json!({
            "matchConstraints": { "resourceRules": [rule] },
            "validations": [{ "expression": "false", "messageExpression": SEEN }],
        });
        if !match_policy.is_null() {
            fields["matchConstraints"]["matchPolicy"] = match_policy.clone();
        }
        let name = cx.own_name(&format!("policy-{case}"));
        create_policy(&cx, &name, &case.to_string(), &fields).await?;
        bind(&cx, &name, &name, &json!({})).await?;
    }
    wait_until_enforced(&cx).await?;

    for (case, match_policy) in policies.iter().enumerate() {
        let one = Only { cx: &cx, name: cx.own_name(&format!("policy-{case}")) };
        let what = format!("HTTP 422: matchPolicy {match_policy} and a rule about v1 match an object of v1");
        one.expect(true, &create("/v1", case), &what).await?;
        let is_equivalent = match_policy != "Exact";
        let verb = if is_equivalent { "match" } else { "do not match" };
        let what = format!("matchPolicy {match_policy} and a rule about v1 {verb} an object of v2");
        let second = create("/v2", case);
        one.expect(is_equivalent, &second, &what).await?;
        if is_equivalent {
            let denied = cx.send(second).await?;
            let text = "seen in v1 and v1, requested in v2";
            denied.expect(denied.text().contains(text), format!("a denial `{text}`"), denied.brief())?;
        }
    }
    Ok(())
}

fn namespaces() -> Resource {
    Resource::core("namespaces", "Namespace")
}

fn roles() -> Resource {
    Resource::of("rbac.authorization.k8s.io", "v1", "clusterroles", "ClusterRole")
}

/// Constraints for the creates of cluster-scoped objects of the scenario.
async fn cluster_scoped(cx: &Context, namespace_selector: &Value) -> Result<Value, Halt> {
    cx.require_listed(&namespaces()).await?;
    cx.require_listed(&roles()).await?;
    let rule = |group: &str, plural: &str| json!({ "apiGroups": [group], "apiVersions": ["v1"], "operations": ["CREATE"], "resources": [plural] });
    Ok(json!({
        "namespaceSelector": namespace_selector,
        "resourceRules": [rule("", "namespaces"), rule("rbac.authorization.k8s.io", "clusterroles")],
        "objectSelector": { "matchLabels": { LABEL: CASE, "run": cx.namespace().await? } },
    }))
}

/// The create of a cluster-scoped object of the scenario, as a dry run.
async fn create_cluster_scoped(
    cx: &Context,
    resource: &Resource,
    name: &str,
    chosen: &str,
) -> Result<Request, Halt> {
    let name = cx.own_name(name);
    let path = format!("{}/{}", resource.root(), resource.plural);
    // The server may ignore the dry run.
    cx.remove_in_the_end(&format!("{path}/{name}"));
    let labels = json!({ LABEL: CASE, "run": cx.namespace().await?, "chosen": chosen });
    let object = json!({
        "apiVersion": resource.api_version(),
        "kind": resource.kind,
        "metadata": { "name": name, "labels": labels },
    });
    Ok(Request::post(path, &object).query("dryRun", "All"))
}

async fn admission_policies_match_namespace_selector_cluster_scoped(cx: Context) -> Checked {
    offer::require_policies(&cx).await?;
    let mut fields = never();
    let selector = json!({ "matchLabels": { "chosen": "yes" } });
    fields["matchConstraints"] = cluster_scoped(&cx, &selector).await?;
    let only = Only::enforce(&cx, &fields).await?;

    let chosen = create_cluster_scoped(&cx, &namespaces(), "chosen", "yes").await?;
    only.expect(true, &chosen, "HTTP 422: the selector matches the labels of the Namespace").await?;
    let role = create_cluster_scoped(&cx, &roles(), "role", "no").await?;
    only.expect(true, &role, "HTTP 422: a ClusterRole matches each namespaceSelector").await?;
    let other = create_cluster_scoped(&cx, &namespaces(), "other", "no").await?;
    only.expect(false, &other, "HTTP 201: the selector does not match the labels of the Namespace").await
}

async fn admission_policies_namespace_object_null(cx: Context) -> Checked {
    offer::require_policies(&cx).await?;
    let denied = cx.own_name("denied");
    let fields = json!({
        "matchConstraints": cluster_scoped(&cx, &json!({})).await?,
        "validations": [
            { "expression": "namespaceObject == null", "message": "there is a namespace" },
            { "expression": format!("request.name != '{denied}'"), "message": "it has the name" },
        ],
    });
    let only = Only::enforce(&cx, &fields).await?;

    let named = create_cluster_scoped(&cx, &roles(), "denied", "no").await?;
    only.expect(true, &named, "HTTP 422: the policy denies the name").await?;
    let other = create_cluster_scoped(&cx, &roles(), "other", "no").await?;
    only.expect(false, &other, "HTTP 201: namespaceObject is null for a ClusterRole").await
}

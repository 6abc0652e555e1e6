//! Mutating admission policies.

use super::object::texts;
use super::policy::{GROUP, constraints_of};
use super::refusal::expect_refused;
use super::{definition, offer, policy};
use crate::prelude::*;
use crate::verbs::or_note;

rows![cel_libraries_jsonpatch_mutating_only.own_kinds().waits()];

async fn cel_libraries_jsonpatch_mutating_only(cx: Context) -> Checked {
    offer::require_cel(&cx).await?;
    let schema = definition::with_rule("jsonpatch.escapeKey('a/b') == 'a~1b'");
    let tried = definition::try_out(&cx, &definition::of_spec(&cx, "cel", &schema)).await?;
    expect_refused(&cx, &tried, &texts(&schema), false)?;

    let Some(version) = or_note(&cx, served_version(&cx).await)? else { return Ok(()) };
    let policies = Resource::of(GROUP, version, "mutatingadmissionpolicies", "MutatingAdmissionPolicy");
    let bindings =
        Resource::of(GROUP, version, "mutatingadmissionpolicybindings", "MutatingAdmissionPolicyBinding");
    let name = cx.own_name("cel");
    let spec = json!({
        "failurePolicy": "Fail",
        "reinvocationPolicy": "Never",
        "matchConstraints": constraints_of(&cx, "0").await?,
        "mutations": [mutation("'/metadata/labels/canary'"), mutation("'/metadata/labels/' + jsonpatch.escapeKey('k8s.io/x')")],
    });
    let created = policy::post(&cx, &policies, &name, &spec).await?;
    created.expect(created.succeeded(), "HTTP 201: a policy with jsonpatch.escapeKey", created.brief())?;
    policy::post(&cx, &bindings, &name, &json!({ "policyName": name })).await?.written()?;

    let object = json!({
        "apiVersion": "v1", "kind": "ConfigMap", "metadata": { "name": NAME, "labels": { "case": "0" } },
    });
    let configmaps = cx.configmaps().await?;
    let mutated = cx.yield_place_while(cx.eventually(|| async {
        let response = cx.send(Request::post(configmaps.path(), &object).query("dryRun", "All")).await?;
        let labelled = response.json().is_some_and(|json| json["metadata"]["labels"]["canary"] == "v");
        Ok((labelled || response.text().contains(&name)).then_some(response))
    }));
    let why = "it is not enforced in time";
    let mutated = mutated.await?.ok_or_else(|| cx.late(format!("enforce the policy {name}"), why))?;

    mutated.expect_value("/metadata/labels/k8s.io~1x", &"v".into())
}

/// A mutation that adds a field at the path that an expression yields.
fn mutation(path: &str) -> Value {
    let expression = format!("[JSONPatch{{op: 'add', path: {path}, value: 'v'}}]");
    json!({ "patchType": "JSONPatch", "jsonPatch": { "expression": expression } })
}

/// The newest version of mutating policies that the server serves.
async fn served_version(cx: &Context) -> Result<&'static str, Halt> {
    for version in ["v1", "v1beta1", "v1alpha1"] {
        let policies = Resource::of(GROUP, version, "mutatingadmissionpolicies", "MutatingAdmissionPolicy");
        let is_known = cx.send(Request::get(policies.root())).await?.succeeded();
        if is_known && cx.discovers(&policies).await? {
            return Ok(version);
        }
    }
    Err(cx.lacks("MutatingAdmissionPolicy", "discovery lists no version of mutatingadmissionpolicies"))
}

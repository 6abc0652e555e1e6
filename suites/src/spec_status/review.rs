//! Kinds that are calls: the question in the spec, the answer in the status, and nothing is kept.

use harness::{Context, Halt, Request, Suite};
use serde_json::json;

use crate::access_review;

/// Adds the scenarios of this file.
pub(super) fn add(suite: Suite) -> Suite {
    suite
        .scenario("spec-status-rpc-kinds-spec-in-status-out", a_question_is_answered_in_its_own_kind)
        .scenario("spec-status-rpc-kinds-create-only", questions_are_only_posted)
}

async fn a_question_is_answered_in_its_own_kind(cx: Context) -> Result<(), Halt> {
    let attributes = json!({ "verb": "get", "resource": "configmaps", "namespace": "default" });
    let question = json!({
        "apiVersion": access_review::resource().api_version(),
        "kind": access_review::resource().kind,
        "spec": { "resourceAttributes": attributes },
    });

    let answer = cx.send(Request::post(access_review::path(&cx).await?, &question)).await?;

    answer.expect_status(&[200, 201])?;
    let json = answer.json().cloned().unwrap_or_default();
    for field in ["kind", "apiVersion"] {
        let (expected, shown) = (&question[field], &json[field]);
        answer.expect(shown == expected, format!("{field} {expected}"), shown.to_string())?;
    }
    let echoed = &json["spec"]["resourceAttributes"];
    answer.expect(*echoed == attributes, format!("the question {attributes}"), echoed.to_string())?;
    let allowed = &json["status"]["allowed"];
    answer.expect(allowed.is_boolean(), "status.allowed true or false", allowed.to_string())
}

async fn questions_are_only_posted(cx: Context) -> Result<(), Halt> {
    let (path, reviews) = (access_review::path(&cx).await?, access_review::resource());

    let listed = cx.send(Request::get(path)).await?;
    let discovered = cx.send(Request::get(reviews.root())).await?;

    listed.expect_refusal(&[404, 405])?;
    let resources = discovered.json().and_then(|json| json["resources"].as_array());
    let entry = resources.into_iter().flatten().find(|resource| resource["name"] == reviews.plural);
    let verbs = entry.map(|entry| entry["verbs"].clone()).unwrap_or_default();
    let expected = format!("the verb create of {}", reviews.plural);
    discovered.expect(verbs == json!(["create"]), expected, verbs.to_string())
}

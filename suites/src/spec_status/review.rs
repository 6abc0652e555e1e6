//! Kinds that are calls: the question in the spec, the answer in the status, and nothing is kept.

use harness::{Context, Halt, Request, Suite};
use serde_json::json;

const GROUP: &str = "authorization.k8s.io";
const VERSION: &str = "/apis/authorization.k8s.io/v1";
const PLURAL: &str = "selfsubjectaccessreviews";

/// Adds the scenarios of this file.
pub(super) fn add(suite: Suite) -> Suite {
    suite
        .scenario("spec-status-rpc-kinds-spec-in-status-out", a_question_is_answered_in_its_own_kind)
        .scenario("spec-status-rpc-kinds-create-only", questions_are_only_posted)
}

fn reviews(cx: &Context) -> Result<String, Halt> {
    if cx.survey().serves(GROUP) {
        return Ok(format!("{VERSION}/{PLURAL}"));
    }
    Err(cx.lacks("AuthorizationAPI", format!("it does not serve {GROUP}")))
}

async fn a_question_is_answered_in_its_own_kind(cx: Context) -> Result<(), Halt> {
    let attributes = json!({ "verb": "get", "resource": "configmaps", "namespace": "default" });
    let question = json!({
        "apiVersion": format!("{GROUP}/v1"),
        "kind": "SelfSubjectAccessReview",
        "spec": { "resourceAttributes": attributes },
    });

    let answer = cx.send(Request::post(reviews(&cx)?, &question)).await?;

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
    let path = reviews(&cx)?;

    let listed = cx.send(Request::get(path)).await?;
    let discovered = cx.send(Request::get(VERSION)).await?;

    listed.expect_refusal(&[404, 405])?;
    let resources = discovered.json().and_then(|json| json["resources"].as_array());
    let entry = resources.into_iter().flatten().find(|resource| resource["name"] == PLURAL);
    let verbs = entry.map(|entry| entry["verbs"].clone()).unwrap_or_default();
    discovered.expect(verbs == json!(["create"]), format!("the verb create of {PLURAL}"), verbs.to_string())
}

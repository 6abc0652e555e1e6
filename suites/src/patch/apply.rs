//! What the page on patches says of server-side apply. Skipped where a server does not know this form of patch.

use std::sync::Arc;

use futures::future::try_join_all;
use harness::{Collection, Context, Exchange, Halt, Method, Request, Resource, Suite};
use serde_json::{Value, json};

use crate::access_review;
use crate::forms::{self, APPLY};
use crate::texts;
use crate::unchanged::{expect_absent, expect_unchanged};

/// Adds the scenarios of this file.
pub(super) fn add(suite: Suite) -> Suite {
    suite
        .scenario("patch-conditional-apply-rv", an_apply_of_an_outdated_version_is_a_conflict)
        .on_every_shape()
        .scenario("patch-type-apply-accepted", an_apply_in_yaml_is_recorded_as_one)
        .on_every_shape()
        .scenario("patch-type-apply-accepts-json", an_apply_may_be_in_json)
        .on_every_shape()
        .scenario("patch-apply-creates-absent", an_apply_creates_what_is_not_there)
        .on_every_shape()
        .scenario("patch-apply-patches-existing", a_second_apply_changes_the_same_object)
        .on_every_shape()
        .scenario("patch-apply-tracks-managed-fields", a_create_is_recorded_as_an_update)
        .on_every_shape()
        .scenario("patch-apply-requires-fieldmanager", an_apply_names_its_manager)
        .on_every_shape()
        .scenario("patch-apply-single-round-trip", an_apply_needs_no_version)
        .on_every_shape()
        .scenario("patch-apply-detects-conflicts", what_another_manager_applied_is_in_the_way)
        .on_every_shape()
        .scenario("patch-apply-force-overrides", force_takes_what_another_manager_applied)
        .on_every_shape()
        .scenario("patch-apply-wrong-version-400", an_apply_of_another_version_is_refused)
        .on_every_shape()
}

/// Adds what is asked of some types only.
pub(super) fn add_of_some_types(suite: Suite) -> Suite {
    suite
        .scenario("patch-apply-atomic-upsert", applies_of_one_new_name_make_one_object)
        .scenario("patch-apply-objects-only", only_objects_are_applied)
}

const MANAGER: &str = "kube-assay-a";
const OTHER: &str = "kube-assay-b";

/// Applies one text to the object `a`. Skips where the server does not apply.
async fn apply(cx: &Context, things: &Collection, manager: &str, text: &str) -> Result<Arc<Exchange>, Halt> {
    let answer = cx.send(forms::apply(things, "a", manager, &applied(things, text))).await?;
    forms::applies(cx, &answer)?;
    Ok(answer)
}

fn applied(things: &Collection, text: &str) -> Value {
    texts::body(things, "a", &[("k", text)])
}

async fn an_apply_of_an_outdated_version_is_a_conflict(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    let old = apply(&cx, &things, MANAGER, "v").await?.written()?;
    apply(&cx, &things, MANAGER, "w").await?.written()?;
    let before = things.get("a").object().await?;
    let mut body = applied(&things, "x");
    body["metadata"]["resourceVersion"] = json!(old.version());

    for force in ["false", "true"] {
        let request = forms::apply(&things, "a", MANAGER, &body).query("force", force);
        cx.send(request).await?.expect_error(&[409], &["Conflict"])?;
    }
    expect_unchanged(&things, "a", &before).await
}

async fn an_apply_in_yaml_is_recorded_as_one(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;

    let request = forms::raw_patch(&things, "a", APPLY, &forms::yaml(&applied(&things, "v")));
    let answer = cx.send(request.query("fieldManager", MANAGER)).await?;

    forms::applies(&cx, &answer)?;
    texts::expect_stored(&things, "a", &answer, &[("k", Some("v"))]).await?;
    expect_managed(&answer, MANAGER, "Apply")
}

async fn an_apply_may_be_in_json(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    let body = applied(&things, "v");
    let in_yaml = forms::raw_patch(&things, "a", APPLY, &forms::yaml(&body));
    forms::applies(&cx, &*cx.send(in_yaml.query("fieldManager", MANAGER)).await?)?;

    let answer = cx.send(forms::apply(&things, "a", MANAGER, &applied(&things, "w"))).await?;

    texts::expect_stored(&things, "a", &answer, &[("k", Some("w"))]).await
}

async fn an_apply_creates_what_is_not_there(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;

    let answer = apply(&cx, &things, MANAGER, "v").await?;

    answer.expect_status(&[201])?;
    texts::expect_stored(&things, "a", &answer, &[("k", Some("v"))]).await
}

async fn a_second_apply_changes_the_same_object(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    let first = apply(&cx, &things, MANAGER, "v").await?.written()?;

    let second = apply(&cx, &things, MANAGER, "w").await?;

    second.expect_status(&[200])?;
    texts::expect_stored(&things, "a", &second, &[("k", Some("w"))]).await?;
    let uid = second.object()?.metadata("uid").to_owned();
    second.expect(uid == first.metadata("uid"), format!("the uid {}", first.metadata("uid")), &uid)
}

async fn a_create_is_recorded_as_an_update(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    apply(&cx, &things, MANAGER, "v").await?;

    let request = Request::post(things.path(), &texts::body(&things, "b", &[("k", "v")]));
    let created = cx.send(request.query("fieldManager", OTHER)).await?;

    created.expect_status(&[201])?;
    expect_managed(&created, OTHER, "Update")
}

/// The object says that a manager wrote to it in this way.
fn expect_managed(answer: &Exchange, manager: &str, operation: &str) -> Result<(), Halt> {
    let object = answer.object()?;
    let managed = &object.json()["metadata"]["managedFields"];
    let said = managed.as_array().is_some_and(|entries| {
        entries.iter().any(|entry| entry["manager"] == manager && entry["operation"] == operation)
    });
    answer.expect(said, format!("managedFields with an {operation} by {manager}"), managed.to_string())
}

async fn an_apply_names_its_manager(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    let nameless = || forms::patch(&things, "a", APPLY, &applied(&things, "v"));

    for request in [nameless(), nameless().query("fieldManager", "")] {
        let refused = cx.send(request).await?;
        forms::applies(&cx, &refused)?;
        refused.expect_error(&[422], &["Invalid"])?;
    }
    expect_absent(&things, "a").await
}

async fn an_apply_needs_no_version(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    texts::create(&things, "a", &[("kept", "yes")]).await?;
    let mut body = json!({ "metadata": texts::body(&things, "a", &[])["metadata"] });
    forms::merge_in(&mut body, &texts::set(&things, "k", "v"));
    body["apiVersion"] = things.resource().api_version().into();
    body["kind"] = things.resource().kind.as_str().into();

    let answer = cx.send(forms::apply(&things, "a", MANAGER, &body)).await?;

    forms::applies(&cx, &answer)?;
    answer.expect_status(&[200])?;
    texts::expect_stored(&things, "a", &answer, &[("k", Some("v")), ("kept", Some("yes"))]).await
}

async fn what_another_manager_applied_is_in_the_way(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    apply(&cx, &things, MANAGER, "v").await?.written()?;
    let before = things.get("a").object().await?;

    let refused = apply(&cx, &things, OTHER, "w").await?;

    refused.expect_error(&[409], &["Conflict"])?;
    expect_unchanged(&things, "a", &before).await
}

async fn force_takes_what_another_manager_applied(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    apply(&cx, &things, MANAGER, "v").await?.written()?;

    let request = forms::apply(&things, "a", OTHER, &applied(&things, "w"));
    let answer = cx.send(request.query("force", "true")).await?;

    answer.expect_status(&[200])?;
    texts::expect_stored(&things, "a", &answer, &[("k", Some("w"))]).await?;
    // Who had the text before does not have it any more: another apply of it is a conflict.
    apply(&cx, &things, MANAGER, "x").await?.expect_error(&[409], &["Conflict"]).map(drop)
}

async fn an_apply_of_another_version_is_refused(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    let mut body = applied(&things, "v");
    body["apiVersion"] = json!("v999");

    let refused = cx.send(forms::apply(&things, "a", MANAGER, &body)).await?;

    forms::applies(&cx, &refused)?;
    refused.expect_refusal(&[400])?;
    expect_absent(&things, "a").await
}

/// How many apply at the same time.
const CLIENTS: usize = 10;

async fn applies_of_one_new_name_make_one_object(cx: Context) -> Result<(), Halt> {
    let things = cx.configmaps().await?;

    let applies = (0..CLIENTS).map(|_| insist(&cx, &things));
    let answers = try_join_all(applies).await?;

    let stored = things.get("a").object().await?;
    for answer in &answers {
        let uid = answer.object()?.metadata("uid").to_owned();
        let expected = format!("the one object of uid {}", stored.metadata("uid"));
        answer.expect(uid == stored.metadata("uid"), expected, &uid)?;
    }
    let created = answers.iter().filter(|answer| answer.status() == 201).count();
    let shown = format!("{created} times 201");
    answers[0].expect(created == 1, format!("201 once among {CLIENTS} applies"), shown)
}

/// An apply that may lose once against another, but not again and again.
async fn insist(cx: &Context, things: &Collection) -> Result<Arc<Exchange>, Halt> {
    let first = apply(cx, things, MANAGER, "v").await?;
    if first.status() == 409 {
        return apply(cx, things, MANAGER, "v").await;
    }
    Ok(first)
}

/// Places of types where there are no objects to be patched.
fn no_objects() -> [(Resource, &'static str); 3] {
    [
        (access_review::resource(), ""),
        (Resource::core("componentstatuses", "ComponentStatus"), "/kube-assay"),
        (Resource::namespaces(), ""),
    ]
}

async fn only_objects_are_applied(cx: Context) -> Result<(), Halt> {
    let mut asked = 0;
    for (resource, name) in no_objects() {
        if !cx.discovers(&resource).await? {
            continue;
        }
        asked += 1;
        let body = json!({
            "apiVersion": resource.api_version(), "kind": resource.kind, "metadata": { "name": "kube-assay" },
        });
        let path = format!("{}/{}{name}", resource.root(), resource.plural);
        let request = Request::new(Method::PATCH, path).json(APPLY, &body);

        let refused = cx.send(request.query("fieldManager", MANAGER)).await?;

        refused.expect_status(&[400, 403, 404, 405, 415, 422])?;
    }
    let none = || Halt::Skipped("discovery lists no type whose objects cannot be applied".to_owned());
    if asked == 0 { Err(none()) } else { Ok(()) }
}

//! Server-side apply as a patch type.

use crate::access_review;
use crate::patch_types;
use crate::prelude::*;
use crate::string_map;

rows![
    patch_conditional_apply_rv,
    patch_type_apply_accepted,
    patch_type_apply_accepts_json,
    patch_apply_creates_absent,
    patch_apply_patches_existing,
    patch_apply_tracks_managed_fields,
    patch_apply_single_round_trip,
    patch_apply_detects_conflicts,
    patch_apply_force_overrides,
    patch_apply_atomic_upsert.own_kinds(),
    patch_apply_objects_only.own_kinds(),
];

const MANAGER: &str = "kube-assay-a";
const OTHER: &str = "kube-assay-b";

/// Applies the text `k` to the object. Skips where the server does not support apply.
async fn apply(
    cx: &Context,
    collection: &Collection,
    manager: &str,
    text: &str,
) -> Result<Arc<Exchange>, Halt> {
    send(cx, patch_types::apply(collection, NAME, manager, &applied(collection, text))).await
}

/// Sends an apply. Skips where the server does not support apply.
async fn send(cx: &Context, apply: Request) -> Result<Arc<Exchange>, Halt> {
    let response = cx.send(apply).await?;
    patch_types::applies(cx, &response)?;
    Ok(response)
}

fn applied(collection: &Collection, text: &str) -> Value {
    string_map::body(collection, NAME, &[("k", text)])
}

/// An apply of the text `k` in YAML; not yet sent.
fn in_yaml(collection: &Collection, text: &str) -> Request {
    let body = patch_types::yaml(&applied(collection, text));
    patch_types::raw_patch(collection, NAME, APPLY, &body).query("fieldManager", MANAGER)
}

/// The response and a later GET have the text `k`.
async fn expect_text(collection: &Collection, response: &Exchange, text: &'static str) -> Checked {
    string_map::expect_stored(collection, NAME, response, &[("k", Some(text))]).await
}

async fn patch_conditional_apply_rv(cx: Context, collection: Collection) -> Checked {
    let outdated = apply(&cx, &collection, MANAGER, "v").await?.written()?;
    apply(&cx, &collection, MANAGER, "w").await?.written()?;
    let stored = StoredObject::read(&cx, collection).await?;
    let mut body = applied(&stored.collection, "x");
    body["metadata"]["resourceVersion"] = json!(outdated.version());

    for force in ["false", "true"] {
        let apply = patch_types::apply(&stored.collection, NAME, MANAGER, &body).query("force", force);
        cx.send(apply).await?.expect_error(&[409], &["Conflict"])?;
    }
    stored.expect_unchanged().await
}

async fn patch_type_apply_accepted(cx: Context, collection: Collection) -> Checked {
    let response = send(&cx, in_yaml(&collection, "v")).await?;

    expect_text(&collection, &response, "v").await?;
    expect_managed(&response, MANAGER, "Apply")
}

async fn patch_type_apply_accepts_json(cx: Context, collection: Collection) -> Checked {
    send(&cx, in_yaml(&collection, "v")).await?;

    let in_json = patch_types::apply(&collection, NAME, MANAGER, &applied(&collection, "w"));
    let response = cx.send(in_json).await?;

    expect_text(&collection, &response, "w").await
}

async fn patch_apply_creates_absent(cx: Context, collection: Collection) -> Checked {
    let response = apply(&cx, &collection, MANAGER, "v").await?;

    response.expect_status(&[201])?;
    expect_text(&collection, &response, "v").await
}

async fn patch_apply_patches_existing(cx: Context, collection: Collection) -> Checked {
    let first = apply(&cx, &collection, MANAGER, "v").await?.written()?;

    let second = apply(&cx, &collection, MANAGER, "w").await?;

    second.expect_status(&[200])?;
    expect_text(&collection, &second, "w").await?;
    expect_uid(&second, &first)
}

/// The response has the object.
fn expect_uid(response: &Exchange, object: &Object) -> Checked {
    let (expected, actual) = (object.metadata("uid"), response.object()?.metadata("uid").to_owned());
    response.expect(actual == expected, format!("the object of uid {expected}"), actual)
}

async fn patch_apply_tracks_managed_fields(cx: Context, collection: Collection) -> Checked {
    apply(&cx, &collection, MANAGER, "v").await?;

    let request = Request::post(collection.path(), &string_map::body(&collection, "b", &[("k", "v")]));
    let created = cx.send(request.query("fieldManager", OTHER)).await?;

    created.expect_status(&[201])?;
    expect_managed(&created, OTHER, "Update")
}

/// The managedFields have an entry of this manager and operation.
fn expect_managed(response: &Exchange, manager: &str, operation: &str) -> Checked {
    let object = response.object()?;
    let managed = &object.json()["metadata"]["managedFields"];
    let found = managed.as_array().is_some_and(|entries| {
        entries.iter().any(|entry| entry["manager"] == manager && entry["operation"] == operation)
    });
    response.expect(found, format!("managedFields with an {operation} by {manager}"), managed.to_string())
}

async fn patch_apply_single_round_trip(cx: Context, collection: Collection) -> Checked {
    string_map::create(&collection, "a", &[("kept", "yes")]).await?;
    let mut body = json!({ "metadata": string_map::body(&collection, "a", &[])["metadata"] });
    patch_types::merge_in(&mut body, &string_map::set(&collection, "k", "v"));
    body["apiVersion"] = collection.resource().api_version().into();
    body["kind"] = collection.resource().kind.as_str().into();

    let response = send(&cx, patch_types::apply(&collection, "a", MANAGER, &body)).await?;

    response.expect_status(&[200])?;
    string_map::expect_stored(&collection, "a", &response, &[("k", Some("v")), ("kept", Some("yes"))]).await
}

async fn patch_apply_detects_conflicts(cx: Context, collection: Collection) -> Checked {
    apply(&cx, &collection, MANAGER, "v").await?.written()?;
    let stored = StoredObject::read(&cx, collection).await?;

    let response = apply(&cx, &stored.collection, OTHER, "w").await?;

    response.expect_error(&[409], &["Conflict"])?;
    stored.expect_unchanged().await
}

async fn patch_apply_force_overrides(cx: Context, collection: Collection) -> Checked {
    apply(&cx, &collection, MANAGER, "v").await?.written()?;

    let request = patch_types::apply(&collection, "a", OTHER, &applied(&collection, "w"));
    let response = cx.send(request.query("force", "true")).await?;

    response.expect_status(&[200])?;
    expect_text(&collection, &response, "w").await?;
    // The first manager has lost the field: its next apply is a conflict.
    apply(&cx, &collection, MANAGER, "x").await?.expect_error(&[409], &["Conflict"]).map(drop)
}

/// Number of concurrent applies.
const CLIENTS: usize = 10;

async fn patch_apply_atomic_upsert(cx: Context, ConfigMaps(collection): ConfigMaps) -> Checked {
    let responses = try_join_all((0..CLIENTS).map(|_| apply_or_retry(&cx, &collection))).await?;

    responses.iter().try_for_each(|response| response.object().map(drop))?;
    let stored = collection.get("a").object().await?;
    responses.iter().try_for_each(|response| expect_uid(response, &stored))?;
    let created = responses.iter().filter(|response| response.status() == 201).count();
    let expected = format!("201 once among {CLIENTS} applies");
    responses[0].expect(created == 1, expected, format!("201 {created} times"))
}

/// Repeats the apply once after a conflict with another one.
async fn apply_or_retry(cx: &Context, collection: &Collection) -> Result<Arc<Exchange>, Halt> {
    let first = apply(cx, collection, MANAGER, "v").await?;
    if first.status() == 409 {
        return apply(cx, collection, MANAGER, "v").await;
    }
    Ok(first)
}

async fn patch_apply_objects_only(cx: Context) -> Checked {
    let without_objects = [
        (access_review::resource(), ""),
        (Resource::core("componentstatuses", "ComponentStatus"), "/kube-assay"),
        (Resource::namespaces(), ""),
    ];
    let mut served = false;
    for (resource, name) in without_objects {
        if !cx.discovers(&resource).await? {
            continue;
        }
        served = true;
        let body = json!({
            "apiVersion": resource.api_version(), "kind": resource.kind, "metadata": { "name": "kube-assay" },
        });
        let path = format!("{}/{}{name}", resource.root(), resource.plural);
        let apply = Request::new(Method::PATCH, path).json(APPLY, &body).query("fieldManager", MANAGER);

        cx.send(apply).await?.expect_status(&[400, 403, 404, 405, 415, 422])?;
    }
    let none = || Halt::skip("discovery lists no type whose objects cannot be applied");
    if served { Ok(()) } else { Err(none()) }
}

//! Server-side apply as a patch type.

use crate::access_review;
use crate::patch_types;
use crate::prelude::*;
use crate::string_map;
use crate::unchanged_object::expect_unchanged;

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

/// Applies one text to the object `a`. Skips where the server does not apply.
async fn apply(
    cx: &Context,
    collection: &Collection,
    manager: &str,
    text: &str,
) -> Result<Arc<Exchange>, Halt> {
    let answer = cx.send(patch_types::apply(collection, "a", manager, &applied(collection, text))).await?;
    patch_types::applies(cx, &answer)?;
    Ok(answer)
}

fn applied(collection: &Collection, text: &str) -> Value {
    string_map::body(collection, "a", &[("k", text)])
}

async fn patch_conditional_apply_rv(cx: Context, collection: Collection) -> Checked {
    let old = apply(&cx, &collection, MANAGER, "v").await?.written()?;
    apply(&cx, &collection, MANAGER, "w").await?.written()?;
    let before = collection.get("a").object().await?;
    let mut body = applied(&collection, "x");
    body["metadata"]["resourceVersion"] = json!(old.version());

    for force in ["false", "true"] {
        let request = patch_types::apply(&collection, "a", MANAGER, &body).query("force", force);
        cx.send(request).await?.expect_error(&[409], &["Conflict"])?;
    }
    expect_unchanged(&collection, "a", &before).await
}

async fn patch_type_apply_accepted(cx: Context, collection: Collection) -> Checked {
    let request =
        patch_types::raw_patch(&collection, "a", APPLY, &patch_types::yaml(&applied(&collection, "v")));
    let answer = cx.send(request.query("fieldManager", MANAGER)).await?;

    patch_types::applies(&cx, &answer)?;
    string_map::expect_stored(&collection, "a", &answer, &[("k", Some("v"))]).await?;
    expect_managed(&answer, MANAGER, "Apply")
}

async fn patch_type_apply_accepts_json(cx: Context, collection: Collection) -> Checked {
    let body = applied(&collection, "v");
    let in_yaml = patch_types::raw_patch(&collection, "a", APPLY, &patch_types::yaml(&body));
    patch_types::applies(&cx, &*cx.send(in_yaml.query("fieldManager", MANAGER)).await?)?;

    let answer = cx.send(patch_types::apply(&collection, "a", MANAGER, &applied(&collection, "w"))).await?;

    string_map::expect_stored(&collection, "a", &answer, &[("k", Some("w"))]).await
}

async fn patch_apply_creates_absent(cx: Context, collection: Collection) -> Checked {
    let answer = apply(&cx, &collection, MANAGER, "v").await?;

    answer.expect_status(&[201])?;
    string_map::expect_stored(&collection, "a", &answer, &[("k", Some("v"))]).await
}

async fn patch_apply_patches_existing(cx: Context, collection: Collection) -> Checked {
    let first = apply(&cx, &collection, MANAGER, "v").await?.written()?;

    let second = apply(&cx, &collection, MANAGER, "w").await?;

    second.expect_status(&[200])?;
    string_map::expect_stored(&collection, "a", &second, &[("k", Some("w"))]).await?;
    let uid = second.object()?.metadata("uid").to_owned();
    second.expect(uid == first.metadata("uid"), format!("the uid {}", first.metadata("uid")), &uid)
}

async fn patch_apply_tracks_managed_fields(cx: Context, collection: Collection) -> Checked {
    apply(&cx, &collection, MANAGER, "v").await?;

    let request = Request::post(collection.path(), &string_map::body(&collection, "b", &[("k", "v")]));
    let created = cx.send(request.query("fieldManager", OTHER)).await?;

    created.expect_status(&[201])?;
    expect_managed(&created, OTHER, "Update")
}

/// The object says that a manager wrote to it in this way.
fn expect_managed(answer: &Exchange, manager: &str, operation: &str) -> Checked {
    let object = answer.object()?;
    let managed = &object.json()["metadata"]["managedFields"];
    let said = managed.as_array().is_some_and(|entries| {
        entries.iter().any(|entry| entry["manager"] == manager && entry["operation"] == operation)
    });
    answer.expect(said, format!("managedFields with an {operation} by {manager}"), managed.to_string())
}

async fn patch_apply_single_round_trip(cx: Context, collection: Collection) -> Checked {
    string_map::create(&collection, "a", &[("kept", "yes")]).await?;
    let mut body = json!({ "metadata": string_map::body(&collection, "a", &[])["metadata"] });
    patch_types::merge_in(&mut body, &string_map::set(&collection, "k", "v"));
    body["apiVersion"] = collection.resource().api_version().into();
    body["kind"] = collection.resource().kind.as_str().into();

    let answer = cx.send(patch_types::apply(&collection, "a", MANAGER, &body)).await?;

    patch_types::applies(&cx, &answer)?;
    answer.expect_status(&[200])?;
    string_map::expect_stored(&collection, "a", &answer, &[("k", Some("v")), ("kept", Some("yes"))]).await
}

async fn patch_apply_detects_conflicts(cx: Context, collection: Collection) -> Checked {
    apply(&cx, &collection, MANAGER, "v").await?.written()?;
    let before = collection.get("a").object().await?;

    let refused = apply(&cx, &collection, OTHER, "w").await?;

    refused.expect_error(&[409], &["Conflict"])?;
    expect_unchanged(&collection, "a", &before).await
}

async fn patch_apply_force_overrides(cx: Context, collection: Collection) -> Checked {
    apply(&cx, &collection, MANAGER, "v").await?.written()?;

    let request = patch_types::apply(&collection, "a", OTHER, &applied(&collection, "w"));
    let answer = cx.send(request.query("force", "true")).await?;

    answer.expect_status(&[200])?;
    string_map::expect_stored(&collection, "a", &answer, &[("k", Some("w"))]).await?;
    // Who had the text before does not have it any more: another apply of it is a conflict.
    apply(&cx, &collection, MANAGER, "x").await?.expect_error(&[409], &["Conflict"]).map(drop)
}

/// How many apply at the same time.
const CLIENTS: usize = 10;

async fn patch_apply_atomic_upsert(cx: Context, ConfigMaps(collection): ConfigMaps) -> Checked {
    let applies = (0..CLIENTS).map(|_| insist(&cx, &collection));
    let answers = try_join_all(applies).await?;

    let stored = collection.get("a").object().await?;
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
async fn insist(cx: &Context, collection: &Collection) -> Result<Arc<Exchange>, Halt> {
    let first = apply(cx, collection, MANAGER, "v").await?;
    if first.status() == 409 {
        return apply(cx, collection, MANAGER, "v").await;
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

async fn patch_apply_objects_only(cx: Context) -> Checked {
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

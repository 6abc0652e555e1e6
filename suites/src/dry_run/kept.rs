//! What a dry run leaves alone: everything.

use harness::{Context, Halt, Method, Request, Suite};
use serde_json::json;

use super::dry;
use crate::stored::{NAME, Stored};

/// Adds the scenarios of this part.
pub(super) fn add(suite: Suite) -> Suite {
    suite
        .scenario("dryrun-post-not-persisted", a_dry_create_stores_nothing)
        .on_every_shape()
        .scenario("dryrun-put-not-persisted", a_dry_update_changes_nothing)
        .on_every_shape()
        .scenario("dryrun-patch-not-persisted", a_dry_patch_of_any_form_changes_nothing)
        .on_every_shape()
        .scenario("dryrun-delete-not-persisted", a_dry_deletion_neither_removes_nor_marks)
        .on_every_shape()
        .scenario("dryrun-delete-in-body", a_deletion_is_told_in_its_body_to_be_dry)
        .on_every_shape()
        .scenario("dryrun-deletecollection-not-persisted", a_dry_deletion_of_many_deletes_none)
        .scenario("dryrun-apply-create-not-persisted", a_dry_apply_creates_nothing)
        .on_every_shape()
        .scenario("dryrun-finalizer-removal-does-not-delete", a_dry_release_ends_nothing)
        .on_every_shape()
        .scenario("dryrun-no-watch-events", a_dry_run_is_not_told)
        .on_every_shape()
}

async fn a_dry_create_stores_nothing(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    let create = Request::post(things.path(), &things.body(NAME, "first"));

    let tried = cx.send(dry(create.clone())).await?;

    tried.expect_status(&[201])?;
    things.get(NAME).await?.expect_status(&[404])?;
    cx.send(create).await?.expect_status(&[201])
}

async fn a_dry_update_changes_nothing(cx: Context) -> Result<(), Halt> {
    let stored = Stored::create(&cx).await?;

    let tried = cx.send(dry(Request::put(stored.path(), &stored.body("second")))).await?;

    tried.expect_status(&[200])?;
    stored.expect_unchanged().await
}

async fn a_dry_patch_of_any_form_changes_nothing(cx: Context) -> Result<(), Halt> {
    let stored = Stored::create(&cx).await?;

    let mut tried = false;
    for patch in patches(&stored) {
        // Strategic merge patches are for built-in types only, and not every server applies.
        tried |= cx.send_if_offered(dry(patch)).await?.is_some();

        stored.expect_unchanged().await?;
    }
    if tried {
        Ok(())
    } else {
        Err(cx.obstacle("patch in a dry run", "no form of patch is carried out").into())
    }
}

/// A change in each form of patch; not yet sent.
fn patches(stored: &Stored) -> [Request; 4] {
    let labelled = |value: &str| json!({ "metadata": { "labels": { "assay": value } } });
    let list = json!([{ "op": "add", "path": "/metadata/labels", "value": { "assay": "json" } }]);
    [
        stored.patch("application/merge-patch+json", &stored.things.change("second")),
        stored.patch("application/json-patch+json", &list),
        stored.patch("application/strategic-merge-patch+json", &labelled("strategic")),
        apply(stored.patch("application/apply-patch+yaml", &stored.things.body(NAME, "second"))),
    ]
}

/// An apply by somebody who takes what others own.
fn apply(patch: Request) -> Request {
    patch.query("fieldManager", "kube-assay-other").query("force", "true")
}

async fn a_dry_deletion_neither_removes_nor_marks(cx: Context) -> Result<(), Halt> {
    let stored = Stored::create(&cx).await?;

    let tried = cx.send(dry(Request::delete(stored.path()))).await?;

    tried.expect_status(&[200, 202])?;
    stored.expect_unchanged().await
}

async fn a_deletion_is_told_in_its_body_to_be_dry(cx: Context) -> Result<(), Halt> {
    let stored = Stored::create(&cx).await?;

    let tried = cx.send(stored.delete(&json!({ "dryRun": ["All"] }))).await?;

    tried.expect_status(&[200, 202])?;
    stored.expect_unchanged().await
}

async fn a_dry_deletion_of_many_deletes_none(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    for name in ["a", "b"] {
        things.create_labelled(name, "assay-doomed", "yes").await?;
    }
    let before = things.now().await?;
    let delete = || Request::delete(things.path()).query("labelSelector", "assay-doomed=yes");
    let body = json!({ "kind": "DeleteOptions", "apiVersion": "v1", "dryRun": ["All"] });

    for request in [dry(delete()), delete().json("application/json", &body)] {
        let tried = cx.send(request).await?;

        tried.expect_status(&[200])?;
        things.now().await?.expect_items(&before.items)?;
    }
    Ok(())
}

async fn a_dry_apply_creates_nothing(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    let apply = apply(
        Request::new(Method::PATCH, things.path_of(NAME))
            .json("application/apply-patch+yaml", &things.body(NAME, "first")),
    );

    let tried = cx.send(dry(apply)).await?;

    if tried.status() == 415 {
        return Err(cx.lacks("ServerSideApply", tried.brief()));
    }
    tried.expect_status(&[201])?;
    things.get(NAME).await?.expect_status(&[404])
}

async fn a_dry_release_ends_nothing(cx: Context) -> Result<(), Halt> {
    let held = Stored::create_held(&cx).await?;
    held.things.delete(NAME).await?;
    let ending = held.again().await?;
    let release = json!({ "metadata": { "finalizers": null } });
    let mut body = ending.body("first");
    body["metadata"]["finalizers"] = json!([]);

    let tried = [
        cx.send(dry(Request::merge_patch(ending.path(), &release))).await?,
        cx.send(dry(Request::put(ending.path(), &body))).await?,
    ];
    let left = ending.expect_unchanged().await;
    // Where it is gone already there is nothing to release.
    if ending.get().await?.succeeded() {
        ending.release().await?;
    }

    left?;
    tried.iter().try_for_each(|tried| tried.expect_status(&[200]))
}

async fn a_dry_run_is_not_told(cx: Context) -> Result<(), Halt> {
    let stored = Stored::create(&cx).await?;
    let names = [stored.things.name_of(NAME), stored.things.name_of("b")];
    let listed = stored.things.now().await?;
    let mut watch = stored.things.watch().at(&listed.version).arranged().await?;

    for request in [
        Request::post(stored.things.path(), &stored.things.body("b", "first")),
        Request::put(stored.path(), &stored.body("second")),
        Request::merge_patch(stored.path(), &stored.things.change("third")),
        Request::delete(stored.path()),
    ] {
        cx.send(dry(request)).await?;
    }
    let changed = stored.write("fourth").await?;

    // Where there are no namespaces, others are told of as well.
    let events = watch
        .until("the change that was really made", |event| names.contains(&event.object.name().to_owned()));
    let told = events.await?.pop().map(|event| (event.kind.clone(), event.object.version().to_owned()));
    if told == Some(("MODIFIED".to_owned(), changed.version().to_owned())) {
        return Ok(());
    }
    let expected = format!("MODIFIED at {}, the one change that was really made", changed.version());
    Err(watch.fail(expected, told.map_or_else(String::new, |(kind, version)| format!("{kind} at {version}"))))
}

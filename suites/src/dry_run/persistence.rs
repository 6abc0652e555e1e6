//! Persistence: a dry run stores nothing.

use super::dry;
use super::parameter::writes;
use crate::patch_types::patch;
use crate::prelude::*;

pub(super) fn rows() -> Vec<Row> {
    let own = vec![
        row!(dryrun_post_not_persisted),
        row!(dryrun_patch_not_persisted),
        row!(dryrun_deletecollection_not_persisted).namespaced(),
        row!(dryrun_apply_create_not_persisted),
        row!(dryrun_finalizer_removal_does_not_delete),
        row!(dryrun_no_watch_events),
    ];
    [table(NOT_PERSISTED, Kinds::All, not_persisted), own].concat()
}

/// A dry run on a stored object, and its codes.
type DryRun = (fn(&StoredObject) -> Request, &'static [u16]);

#[rustfmt::skip]
const NOT_PERSISTED: &[(&str, DryRun)] = &[
    ("dryrun-put-not-persisted",    (|stored| dry(Request::put(stored.path(), &stored.body("second"))), &[200])),
    ("dryrun-delete-not-persisted", (|stored| dry(Request::delete(stored.path())), &[200, 202])),
    ("dryrun-delete-in-body",       (|stored| stored.delete(&json!({ "dryRun": ["All"] })), &[200, 202])),
];

async fn not_persisted(cx: Context, (request, codes): DryRun) -> Checked {
    let stored = StoredObject::create(&cx).await?;

    cx.send(request(&stored)).await?.expect_status(codes)?;

    stored.expect_unchanged().await
}

async fn dryrun_post_not_persisted(cx: Context, collection: Collection) -> Checked {
    let create = Request::post(collection.path(), &collection.body(NAME, "first"));

    let tried = cx.send(dry(create.clone())).await?;

    tried.expect_status(&[201])?;
    collection.get(NAME).await?.expect_status(&[404])?;
    cx.send(create).await?.expect_status(&[201])
}

async fn dryrun_patch_not_persisted(cx: Context, stored: StoredObject) -> Checked {
    let mut tried = false;
    for patch in patches(&stored) {
        // Apply is optional, and custom resources have no strategic merge patches.
        tried |= cx.send_if_offered(dry(patch)).await?.is_some();

        stored.expect_unchanged().await?;
    }
    if tried {
        Ok(())
    } else {
        Err(cx.test_error("patch in a dry run", "the server takes no patch type").into())
    }
}

/// One patch of each type; not yet sent.
fn patches(stored: &StoredObject) -> [Request; 4] {
    let labelled = |value: &str| json!({ "metadata": { "labels": { "assay": value } } });
    let list = json!([{ "op": "add", "path": "/metadata/labels", "value": { "assay": "json" } }]);
    [
        stored.patch(MERGE, &stored.collection.change("second")),
        stored.patch(JSON, &list),
        stored.patch(STRATEGIC, &labelled("strategic")),
        forced(stored.patch(APPLY, &stored.collection.body(NAME, "second"))),
    ]
}

/// A forced apply by another manager.
fn forced(apply: Request) -> Request {
    apply.query("fieldManager", "kube-assay-other").query("force", "true")
}

async fn dryrun_deletecollection_not_persisted(cx: Context, collection: Collection) -> Checked {
    for name in ["a", "b"] {
        collection.create_labelled(name, "assay-doomed", "yes").await?;
    }
    let before = collection.now().await?;
    let delete = || Request::delete(collection.path()).query("labelSelector", "assay-doomed=yes");
    let body = json!({ "kind": "DeleteOptions", "apiVersion": "v1", "dryRun": ["All"] });

    for request in [dry(delete()), delete().json("application/json", &body)] {
        let tried = cx.send(request).await?;

        tried.expect_status(&[200])?;
        collection.now().await?.expect_items(&before.items)?;
    }
    Ok(())
}

async fn dryrun_apply_create_not_persisted(cx: Context, collection: Collection) -> Checked {
    let apply = patch(&collection, NAME, APPLY, &collection.body(NAME, "first"));

    let tried = cx.send(dry(forced(apply))).await?;

    cx.require_feature("ServerSideApply", tried.status() != 415, tried.brief())?;
    tried.expect_status(&[201])?;
    collection.get(NAME).await?.expect_status(&[404])
}

async fn dryrun_finalizer_removal_does_not_delete(cx: Context) -> Checked {
    let held = StoredObject::create_held(&cx).await?;
    held.collection.delete(NAME).await?;
    let ending = held.again().await?;
    let release = json!({ "metadata": { "finalizers": null } });
    let mut body = ending.body("first");
    body["metadata"]["finalizers"] = json!([]);

    let tried = [
        cx.send(dry(Request::merge_patch(ending.path(), &release))).await?,
        cx.send(dry(Request::put(ending.path(), &body))).await?,
    ];
    let left = ending.expect_unchanged().await;
    if ending.get().await?.succeeded() {
        ending.release().await?;
    }

    left?;
    tried.iter().try_for_each(|tried| tried.expect_status(&[200]))
}

async fn dryrun_no_watch_events(cx: Context, stored: StoredObject) -> Checked {
    let names = [stored.collection.name_of(NAME), stored.collection.name_of("b")];
    let listed = stored.collection.now().await?;
    let mut watch = stored.collection.watch().at(&listed.version).open_as_fixture().await?;

    for (request, _) in writes(&stored) {
        cx.send(dry(request)).await?;
    }
    let changed = stored.write("fourth").await?;

    // Without namespaces, the watch delivers events of other scenarios, too.
    let is_own = |event: &WatchEvent| names.contains(&event.object.name().to_owned());
    let expected = format!("MODIFIED at {}, the one write that was no dry run", changed.version());
    let Some(event) = watch.until(&expected, is_own).await?.pop() else { return Ok(()) };
    let right = event.kind == "MODIFIED" && event.object.version() == changed.version();
    watch.expect_that(right, expected, format!("{} at {}", event.kind, event.object.version()))
}

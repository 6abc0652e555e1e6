//! Persistence: a dry run stores nothing.

use super::dry;
use crate::prelude::*;

rows![
    dryrun_post_not_persisted,
    dryrun_put_not_persisted,
    dryrun_patch_not_persisted,
    dryrun_delete_not_persisted,
    dryrun_delete_in_body,
    dryrun_deletecollection_not_persisted.namespaced(),
    dryrun_apply_create_not_persisted,
    dryrun_finalizer_removal_does_not_delete,
    dryrun_no_watch_events,
];

async fn dryrun_post_not_persisted(cx: Context, collection: Collection) -> Checked {
    let create = Request::post(collection.path(), &collection.body(NAME, "first"));

    let tried = cx.send(dry(create.clone())).await?;

    tried.expect_status(&[201])?;
    collection.get(NAME).await?.expect_status(&[404])?;
    cx.send(create).await?.expect_status(&[201])
}

async fn dryrun_put_not_persisted(cx: Context, stored: StoredObject) -> Checked {
    let tried = cx.send(dry(Request::put(stored.path(), &stored.body("second")))).await?;

    tried.expect_status(&[200])?;
    stored.expect_unchanged().await
}

async fn dryrun_patch_not_persisted(cx: Context, stored: StoredObject) -> Checked {
    let mut tried = false;
    for patch in patches(&stored) {
        // Strategic merge patches are for built-in types only, and not every server applies.
        tried |= cx.send_if_offered(dry(patch)).await?.is_some();

        stored.expect_unchanged().await?;
    }
    if tried {
        Ok(())
    } else {
        Err(cx.test_error("patch in a dry run", "no form of patch is carried out").into())
    }
}

/// A change in each form of patch; not yet sent.
fn patches(stored: &StoredObject) -> [Request; 4] {
    let labelled = |value: &str| json!({ "metadata": { "labels": { "assay": value } } });
    let list = json!([{ "op": "add", "path": "/metadata/labels", "value": { "assay": "json" } }]);
    [
        stored.patch(MERGE, &stored.collection.change("second")),
        stored.patch("application/json-patch+json", &list),
        stored.patch(STRATEGIC, &labelled("strategic")),
        apply(stored.patch("application/apply-patch+yaml", &stored.collection.body(NAME, "second"))),
    ]
}

/// An apply by somebody who takes what others own.
fn apply(patch: Request) -> Request {
    patch.query("fieldManager", "kube-assay-other").query("force", "true")
}

async fn dryrun_delete_not_persisted(cx: Context, stored: StoredObject) -> Checked {
    let tried = cx.send(dry(Request::delete(stored.path()))).await?;

    tried.expect_status(&[200, 202])?;
    stored.expect_unchanged().await
}

async fn dryrun_delete_in_body(cx: Context, stored: StoredObject) -> Checked {
    let tried = cx.send(stored.delete(&json!({ "dryRun": ["All"] }))).await?;

    tried.expect_status(&[200, 202])?;
    stored.expect_unchanged().await
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
    let apply = apply(
        Request::new(Method::PATCH, collection.path_of(NAME))
            .json("application/apply-patch+yaml", &collection.body(NAME, "first")),
    );

    let tried = cx.send(dry(apply)).await?;

    if tried.status() == 415 {
        return Err(cx.lacks("ServerSideApply", tried.brief()));
    }
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
    // Where it is gone already there is nothing to release.
    if ending.get().await?.succeeded() {
        ending.release().await?;
    }

    left?;
    tried.iter().try_for_each(|tried| tried.expect_status(&[200]))
}

async fn dryrun_no_watch_events(cx: Context, stored: StoredObject) -> Checked {
    let names = [stored.collection.name_of(NAME), stored.collection.name_of("b")];
    let listed = stored.collection.now().await?;
    let mut watch = stored.collection.watch().at(&listed.version).arranged().await?;

    for request in [
        Request::post(stored.collection.path(), &stored.collection.body("b", "first")),
        Request::put(stored.path(), &stored.body("second")),
        Request::merge_patch(stored.path(), &stored.collection.change("third")),
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

//! Finalizers, which keep a deleted object until the last one is removed.

use super::{
    ACCEPTED, BOTH, FIRST, SECOND, delete, expect_alive, expect_gone, expect_invalid, expect_terminating,
    expect_there, held, patch_finalizers, put, terminating,
};
use crate::fields::remove;
use crate::finalizers;
use crate::prelude::*;
use crate::watch::from_now;

rows![
    deletion_two_phases_finalizers_keep_object,
    deletion_finalizers_survive_delete,
    deletion_finalizers_removable_in_any_order,
    deletion_finalizers_reorderable_by_anyone,
    deletion_remaining_finalizer_keeps_object,
    deletion_last_finalizer_removes_object,
    deletion_empty_finalizers_not_deleting_keeps_object,
    deletion_no_new_finalizers_once_marked.also("metadata-deletiontimestamp-raises-no-new-finalizers"),
];

async fn deletion_two_phases_finalizers_keep_object(cx: Context, collection: Collection) -> Checked {
    let created = held(&collection, "a", BOTH).await?;

    let (deleted, got) = delete(&cx, &collection, "a").await?;

    deleted.expect_status(ACCEPTED)?;
    expect_there(&got, &created).map(drop)
}

async fn deletion_finalizers_survive_delete(collection: Collection) -> Checked {
    let created = held(&collection, "a", BOTH).await?;
    collection.delete("a").await?;

    let got = collection.get("a").await?;

    let object = expect_there(&got, &created)?;
    let left = finalizers::of(&object);
    let all = BOTH.iter().all(|name| left.contains(name));
    got.expect(all, format!("the finalizers {BOTH:?}"), format!("{left:?}"))
}

async fn deletion_finalizers_removable_in_any_order(cx: Context, collection: Collection) -> Checked {
    for name in ["patched", "put"] {
        terminating(&cx, &collection, name, BOTH).await?;
    }

    let patched = cx.send(patch_finalizers(&collection, "patched", &[FIRST])).await?;
    let put = put(&cx, &collection, "put", |body| body["metadata"]["finalizers"] = json!([FIRST])).await?;

    for (name, response) in [("patched", patched), ("put", put)] {
        response.object()?;
        finalizers::expect(&*collection.get(name).await?, &[FIRST])?;
    }
    Ok(())
}

async fn deletion_finalizers_reorderable_by_anyone(cx: Context, collection: Collection) -> Checked {
    let created = held(&collection, "a", BOTH).await?;
    let order = |names: &[&str]| {
        let names = json!(names);
        move |body: &mut Value| body["metadata"]["finalizers"] = names.clone()
    };

    let before = put(&cx, &collection, "a", order(&[SECOND, FIRST])).await?;
    collection.delete("a").await?;
    let during = put(&cx, &collection, "a", order(BOTH)).await?;
    let got = collection.get("a").await?;

    before.expect_status(&[200])?;
    during.expect_status(&[200])?;
    expect_terminating(&got, &created).map(drop)
}

async fn deletion_remaining_finalizer_keeps_object(cx: Context, collection: Collection) -> Checked {
    let deleted = terminating(&cx, &collection, "a", BOTH).await?;
    collection.patch("a", &finalizers::set(&[SECOND])).await?;

    let got = collection.get("a").await?;

    expect_terminating(&got, &deleted)?;
    finalizers::expect(&got, &[SECOND])
}

/// Servers have a handler for each method, and the removal may be missing in one of them.
async fn deletion_last_finalizer_removes_object(cx: Context, collection: Collection) -> Checked {
    for (name, by_put) in [("a", false), ("b", true)] {
        let deleted = terminating(&cx, &collection, name, BOTH).await?;
        let mut watch = from_now(&collection).await?;
        collection.patch(name, &finalizers::set(&[SECOND])).await?;

        // The response shows the object as written, although the server has removed it.
        let last = if by_put {
            put(&cx, &collection, name, |body| remove(&mut body["metadata"], "finalizers")).await?
        } else {
            cx.send(patch_finalizers(&collection, name, &[])).await?
        };
        let got = collection.get(name).await?;

        last.expect_status(&[200])?;
        expect_gone(&got)?;
        let (name, expected) = (deleted.name().to_owned(), format!("DELETED {}", deleted.name()));
        watch.until(&expected, |event| event.kind == "DELETED" && event.object.name() == name).await?;
    }
    Ok(())
}

async fn deletion_empty_finalizers_not_deleting_keeps_object(cx: Context, collection: Collection) -> Checked {
    let created = held(&collection, "a", &[FIRST]).await?;

    let released = cx.send(patch_finalizers(&collection, "a", &[])).await?;
    let got = collection.get("a").await?;

    released.expect_status(&[200])?;
    expect_alive(&got, &created)?;
    finalizers::expect(&got, &[])
}

async fn deletion_no_new_finalizers_once_marked(cx: Context, collection: Collection) -> Checked {
    const THIRD: &str = "kube-assay.dev/third";
    terminating(&cx, &collection, "a", &[FIRST]).await?;
    let both = [FIRST, THIRD];
    let add = json!([{ "op": "add", "path": "/metadata/finalizers/-", "value": THIRD }]);

    let merge = cx.send(patch_finalizers(&collection, "a", &both)).await?;
    let json = cx.send(Request::new(Method::PATCH, collection.path_of("a")).json(JSON, &add)).await?;
    let put = put(&cx, &collection, "a", |body| body["metadata"]["finalizers"] = json!(both)).await?;
    let got = collection.get("a").await?;

    [merge, json, put].iter().try_for_each(|refused| expect_invalid(refused, "metadata.finalizers"))?;
    finalizers::expect(&got, &[FIRST])
}

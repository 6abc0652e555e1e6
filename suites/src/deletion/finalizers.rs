//! Finalizers, which keep a deleted object until the last one is removed.

use super::{
    ACCEPTED, BOTH, FIRST, SECOND, expect_alive, expect_gone, expect_invalid, expect_marked, expect_there,
    finalizers_of, held, marked, put, with_finalizers,
};
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

    let deleted = cx.send(Request::delete(collection.path_of("a"))).await?;
    let got = collection.get("a").await?;

    deleted.expect_status(ACCEPTED)?;
    expect_there(&got, &created).map(drop)
}

async fn deletion_finalizers_survive_delete(collection: Collection) -> Checked {
    let created = held(&collection, "a", BOTH).await?;
    collection.delete("a").await?;

    let got = collection.get("a").await?;

    let object = expect_there(&got, &created)?;
    let left = finalizers_of(&object);
    let all = BOTH.iter().all(|name| left.contains(name));
    got.expect(all, format!("the finalizers {}", BOTH.join(", ")), left.join(", "))
}

async fn deletion_finalizers_removable_in_any_order(cx: Context, collection: Collection) -> Checked {
    for name in ["patched", "put"] {
        marked(&cx, &collection, name, BOTH).await?;
    }

    let patch = Request::merge_patch(collection.path_of("patched"), &with_finalizers(&[FIRST]));
    let patched = cx.send(patch).await?;
    let put = put(&cx, &collection, "put", |body| body["metadata"]["finalizers"] = json!([FIRST])).await?;

    for (name, answer) in [("patched", patched), ("put", put)] {
        answer.object()?;
        let got = collection.get(name).await?;
        let object = got.object()?;
        let left = finalizers_of(&object);
        got.expect(left == [FIRST], format!("the finalizer {FIRST} alone"), left.join(", "))?;
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
    expect_marked(&got, &created).map(drop)
}

async fn deletion_remaining_finalizer_keeps_object(cx: Context, collection: Collection) -> Checked {
    let marked = marked(&cx, &collection, "a", BOTH).await?;
    collection.patch("a", &with_finalizers(&[SECOND])).await?;

    let got = collection.get("a").await?;

    let object = expect_marked(&got, &marked)?;
    let left = finalizers_of(&object);
    got.expect(left == [SECOND], format!("the finalizer {SECOND} alone"), left.join(", "))
}

async fn deletion_last_finalizer_removes_object(cx: Context, collection: Collection) -> Checked {
    let marked = marked(&cx, &collection, "a", BOTH).await?;
    let mut watch = from_now(&collection).await?;
    collection.patch("a", &with_finalizers(&[SECOND])).await?;
    let path = collection.path_of("a");

    // It is answered with the object as it was written, although it is gone by then.
    let last = cx.send(Request::merge_patch(path, &with_finalizers(&[]))).await?;
    let got = collection.get("a").await?;

    last.expect_status(&[200])?;
    expect_gone(&got)?;
    let expected = format!("DELETED {}", marked.name());
    let name = marked.name().to_owned();
    watch.until(&expected, |event| event.kind == "DELETED" && event.object.name() == name).await.map(drop)
}

async fn deletion_empty_finalizers_not_deleting_keeps_object(cx: Context, collection: Collection) -> Checked {
    let created = held(&collection, "a", &[FIRST]).await?;

    let released = cx.send(Request::merge_patch(collection.path_of("a"), &with_finalizers(&[]))).await?;
    let got = collection.get("a").await?;

    released.expect_status(&[200])?;
    let object = expect_alive(&got, &created)?;
    let left = finalizers_of(&object);
    got.expect(left.is_empty(), "no finalizers", left.join(", "))
}

async fn deletion_no_new_finalizers_once_marked(cx: Context) -> Checked {
    const THIRD: &str = "kube-assay.dev/third";
    let collection = cx.collection_under_test().await?;
    marked(&cx, &collection, "a", &[FIRST]).await?;
    let path = || collection.path_of("a");
    let list = json!([{ "op": "add", "path": "/metadata/finalizers/-", "value": THIRD }]);

    let merge = cx.send(Request::merge_patch(path(), &with_finalizers(&[FIRST, THIRD]))).await?;
    let json = Request::new(Method::PATCH, path()).json("application/json-patch+json", &list);
    let json = cx.send(json).await?;
    let put =
        put(&cx, &collection, "a", |body| body["metadata"]["finalizers"] = json!([FIRST, THIRD])).await?;
    let got = collection.get("a").await?;

    for refused in [merge, json, put] {
        expect_invalid(&refused, "metadata.finalizers")?;
    }
    let object = got.object()?;
    let left = finalizers_of(&object);
    got.expect(left == [FIRST], format!("the finalizer {FIRST} alone"), left.join(", "))
}

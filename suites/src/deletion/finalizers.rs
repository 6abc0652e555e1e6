//! Finalizers: they keep an object that is deleted, until the last of them is removed.

use harness::{Context, Halt, Method, Request, Suite};
use serde_json::{Value, json};

use super::{
    ACCEPTED, BOTH, FIRST, SECOND, expect_alive, expect_gone, expect_invalid, expect_marked, expect_there,
    finalizers_of, held, marked, put, with_finalizers,
};
use crate::watch::from_now;

/// Adds the scenarios of this file.
pub(super) fn add(suite: Suite) -> Suite {
    suite
        .scenario("deletion-two-phases-finalizers-keep-object", finalizers_keep_what_is_deleted)
        .on_every_shape()
        .scenario("deletion-finalizers-survive-delete", a_deletion_leaves_the_finalizers)
        .on_every_shape()
        .scenario("deletion-finalizers-removable-in-any-order", the_last_finalizer_may_go_first)
        .on_every_shape()
        .scenario("deletion-finalizers-reorderable-by-anyone", finalizers_may_change_places)
        .on_every_shape()
        .scenario("deletion-remaining-finalizer-keeps-object", one_finalizer_is_enough_to_stay)
        .on_every_shape()
        .scenario("deletion-last-finalizer-removes-object", with_its_last_finalizer_an_object_goes)
        .on_every_shape()
        .scenario(
            "deletion-empty-finalizers-not-deleting-keeps-object",
            who_is_not_deleted_needs_no_finalizer,
        )
        .on_every_shape()
        .scenario("deletion-no-new-finalizers-once-marked", no_finalizer_is_added_once_it_is_deleted)
        .also("metadata-deletiontimestamp-raises-no-new-finalizers")
        .on_every_shape()
}

async fn finalizers_keep_what_is_deleted(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    let created = held(&things, "a", BOTH).await?;

    let deleted = cx.send(Request::delete(things.path_of("a"))).await?;
    let got = things.get("a").await?;

    deleted.expect_status(ACCEPTED)?;
    expect_there(&got, &created).map(drop)
}

async fn a_deletion_leaves_the_finalizers(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    let created = held(&things, "a", BOTH).await?;
    things.delete("a").await?;

    let got = things.get("a").await?;

    let object = expect_there(&got, &created)?;
    let left = finalizers_of(&object);
    let all = BOTH.iter().all(|name| left.contains(name));
    got.expect(all, format!("the finalizers {}", BOTH.join(", ")), left.join(", "))
}

async fn the_last_finalizer_may_go_first(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    for name in ["patched", "put"] {
        marked(&cx, &things, name, BOTH).await?;
    }

    let patch = Request::merge_patch(things.path_of("patched"), &with_finalizers(&[FIRST]));
    let patched = cx.send(patch).await?;
    let put = put(&cx, &things, "put", |body| body["metadata"]["finalizers"] = json!([FIRST])).await?;

    for (name, answer) in [("patched", patched), ("put", put)] {
        answer.object()?;
        let got = things.get(name).await?;
        let object = got.object()?;
        let left = finalizers_of(&object);
        got.expect(left == [FIRST], format!("the finalizer {FIRST} alone"), left.join(", "))?;
    }
    Ok(())
}

async fn finalizers_may_change_places(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    let created = held(&things, "a", BOTH).await?;
    let order = |names: &[&str]| {
        let names = json!(names);
        move |body: &mut Value| body["metadata"]["finalizers"] = names.clone()
    };

    let before = put(&cx, &things, "a", order(&[SECOND, FIRST])).await?;
    things.delete("a").await?;
    let during = put(&cx, &things, "a", order(BOTH)).await?;
    let got = things.get("a").await?;

    before.expect_status(&[200])?;
    during.expect_status(&[200])?;
    expect_marked(&got, &created).map(drop)
}

async fn one_finalizer_is_enough_to_stay(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    let marked = marked(&cx, &things, "a", BOTH).await?;
    things.patch("a", &with_finalizers(&[SECOND])).await?;

    let got = things.get("a").await?;

    let object = expect_marked(&got, &marked)?;
    let left = finalizers_of(&object);
    got.expect(left == [SECOND], format!("the finalizer {SECOND} alone"), left.join(", "))
}

async fn with_its_last_finalizer_an_object_goes(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    let marked = marked(&cx, &things, "a", BOTH).await?;
    let mut watch = from_now(&things).await?;
    things.patch("a", &with_finalizers(&[SECOND])).await?;
    let path = things.path_of("a");

    // It is answered with the object as it was written, although it is gone by then.
    let last = cx.send(Request::merge_patch(path, &with_finalizers(&[]))).await?;
    let got = things.get("a").await?;

    last.expect_status(&[200])?;
    expect_gone(&got)?;
    let expected = format!("DELETED {}", marked.name());
    let name = marked.name().to_owned();
    watch.until(&expected, |event| event.kind == "DELETED" && event.object.name() == name).await.map(drop)
}

async fn who_is_not_deleted_needs_no_finalizer(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    let created = held(&things, "a", &[FIRST]).await?;

    let released = cx.send(Request::merge_patch(things.path_of("a"), &with_finalizers(&[]))).await?;
    let got = things.get("a").await?;

    released.expect_status(&[200])?;
    let object = expect_alive(&got, &created)?;
    let left = finalizers_of(&object);
    got.expect(left.is_empty(), "no finalizers", left.join(", "))
}

async fn no_finalizer_is_added_once_it_is_deleted(cx: Context) -> Result<(), Halt> {
    const THIRD: &str = "kube-assay.dev/third";
    let things = cx.things().await?;
    marked(&cx, &things, "a", &[FIRST]).await?;
    let path = || things.path_of("a");
    let list = json!([{ "op": "add", "path": "/metadata/finalizers/-", "value": THIRD }]);

    let merge = cx.send(Request::merge_patch(path(), &with_finalizers(&[FIRST, THIRD]))).await?;
    let json = Request::new(Method::PATCH, path()).json("application/json-patch+json", &list);
    let json = cx.send(json).await?;
    let put = put(&cx, &things, "a", |body| body["metadata"]["finalizers"] = json!([FIRST, THIRD])).await?;
    let got = things.get("a").await?;

    for refused in [merge, json, put] {
        expect_invalid(&refused, "metadata.finalizers")?;
    }
    let object = got.object()?;
    let left = finalizers_of(&object);
    got.expect(left == [FIRST], format!("the finalizer {FIRST} alone"), left.join(", "))
}

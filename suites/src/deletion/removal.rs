//! Deletion of objects without finalizers.

use harness::decimal;

use super::{ACCEPTED, delete, expect_gone};
use crate::prelude::*;
use crate::watch::from_now;

rows![
    deletion_without_finalizers_is_immediate,
    deletion_recreate_gets_new_uid
        .also("metadata-uid-differs-after-recreate")
        .also("resource-uris-name-reuse-after-delete"),
    deletion_unknown_name_404.also("verbs-delete-twice-404"),
    deletion_grace_ignored_for_other_types,
    deletion_event_has_newer_rv,
];

async fn deletion_without_finalizers_is_immediate(cx: Context, collection: Collection) -> Checked {
    collection.create("a").await?;

    let (deleted, got) = delete(&cx, &collection, "a").await?;

    deleted.expect_status(ACCEPTED)?;
    expect_gone(&got)
}

async fn deletion_recreate_gets_new_uid(cx: Context, collection: Collection) -> Checked {
    let first = collection.create("a").await?;
    collection.delete("a").await?;

    let created = cx.send(Request::post(collection.path(), &collection.body("a", "second"))).await?;
    let got = collection.get("a").await?;

    let second = created.object()?;
    for response in [&created, &got] {
        let uid = response.object()?.metadata("uid").to_owned();
        let expected = format!("one uid, other than {}", first.metadata("uid"));
        response.expect(uid != first.metadata("uid") && uid == second.metadata("uid"), expected, uid)?;
    }
    Ok(())
}

async fn deletion_unknown_name_404(cx: Context, collection: Collection) -> Checked {
    collection.create("a").await?;

    let deleted = cx.send(Request::delete(collection.path_of("b"))).await?;

    expect_gone(&deleted)
}

async fn deletion_grace_ignored_for_other_types(cx: Context, collection: Collection) -> Checked {
    collection.create("a").await?;

    let delete = Request::delete(collection.path_of("a")).query("gracePeriodSeconds", 60);
    let deleted = cx.send(delete).await?;
    let got = collection.get("a").await?;

    deleted.expect_status(ACCEPTED)?;
    expect_gone(&got)
}

async fn deletion_event_has_newer_rv(collection: Collection) -> Checked {
    collection.create("a").await?;
    let last = collection.write("a", "last").await?;
    let mut watch = from_now(&collection).await?;

    collection.delete("a").await?;
    let name = last.name().to_owned();
    let removed = |event: &WatchEvent| event.kind == "DELETED" && event.object.name() == name;
    let events = watch.until(&format!("DELETED {name}"), removed).await?;
    let deleted = events.last().map_or_else(|| last.clone(), |event| event.object.clone());

    expect_newer(&mut watch, &deleted, &last)?;
    let mut resumed = collection.watch().at(deleted.version()).open().await?;
    let next = collection.create("b").await?;
    let events =
        resumed.until(&format!("ADDED {}", next.name()), |event| event.object.name() == next.name()).await?;
    match events.iter().find(|event| event.object.name() == name) {
        Some(again) => Err(resumed.fail(format!("no event of {name} after its deletion"), again.brief())),
        None => Ok(()),
    }
}

/// The version differs from the last one, and is greater where versions are numbers.
fn expect_newer(watch: &mut Watch, deleted: &Object, last: &Object) -> Checked {
    let falls = decimal(last.version()).zip(decimal(deleted.version())).is_some_and(|(last, end)| end < last);
    let expected = format!("DELETED at a version after {}, the last of the object", last.version());
    watch.expect_that(deleted.version() != last.version() && !falls, expected, deleted.version())
}

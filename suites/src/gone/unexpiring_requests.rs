//! Requests that never return 410.

use super::expired_collection::Past;
use crate::prelude::*;

rows![
    gone_notolder_never_410.namespaced(),
    gone_plain_list_never_410.namespaced(),
    gone_get_never_410.namespaced(),
    gone_unset_and_zero_never_410.namespaced(),
];

async fn gone_notolder_never_410(cx: Context) -> Checked {
    let past = Past::arrange(&cx).await?;
    let expired = past.expired().await?;

    let list = past.collection.list().not_older_than(&expired);
    for list in [list.clone(), list.clone().limit(2), list.limit(500)] {
        is_newer(list, &expired).await?;
    }
    Ok(())
}

async fn gone_plain_list_never_410(cx: Context) -> Checked {
    let past = Past::arrange(&cx).await?;
    let oldest = past.oldest().await?;

    is_newer(past.collection.list().at(&oldest), &oldest).await
}

async fn gone_get_never_410(cx: Context) -> Checked {
    let past = Past::arrange(&cx).await?;
    let oldest = past.oldest().await?;

    // A cache may not have the object yet.
    let got = cx.eventually(|| async {
        let got = past.collection.get("a").at(&oldest).await?;
        got.expect_status(&[200, 404])?;
        Ok(got.succeeded().then_some(got))
    });
    match got.await? {
        Some(got) => got.object().map(drop),
        None => Err(cx.failed("HTTP 200 with the object", "HTTP 404 until the timeout", None)),
    }
}

async fn gone_unset_and_zero_never_410(cx: Context, collection: Collection) -> Checked {
    collection.create("a").await?;
    if cx.may_expire().is_ok() {
        cx.compaction().await?;
    }

    for (list, watch) in
        [(collection.list(), collection.watch()), (collection.list().at("0"), collection.watch().at("0"))]
    {
        list.await?.expect_status(&[200])?;
        begins(watch).await?;
    }
    Ok(())
}

/// The list is not at the old version.
async fn is_newer(list: Query, old: &str) -> Checked {
    let listed = list.page().await?;
    listed.expect(
        listed.version != old,
        format!("a list at a version newer than {old}"),
        format!("a list at {old}"),
    )
}

/// The first event of the watch is no ERROR event.
async fn begins(watch: Query) -> Checked {
    let mut watch = match watch.opening().await? {
        Opening::Watch(watch) => watch,
        Opening::Rejected(refused) => return refused.expect_status(&[200]),
    };
    match watch.next().await? {
        Next::Event(event) if event.kind != "ERROR" => Ok(()),
        Next::Event(event) => Err(watch.fail("a first event of the current state", event.brief())),
        Next::End => Err(watch.ended("an event of a")),
        Next::Silence => Err(watch.fail("an event of a", "no event")),
    }
}

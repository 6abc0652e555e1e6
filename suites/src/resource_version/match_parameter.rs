//! The parameter `resourceVersionMatch`.

use super::changed_collection::{FiveObjects, Past};
use crate::limit_support::no_token;
use crate::prelude::*;

rows![
    rv_match_param_on_list.namespaced(),
    rv_match_decides_interpretation.namespaced(),
    rv_match_unsupported_acts_as_unset.namespaced(),
    rv_match_with_continue_422.namespaced().also("pagination-match-with-continue-refused"),
    rv_match_on_get_ignored.namespaced(),
    rv_match_on_watch_needs_initial_events_422.namespaced(),
];

async fn rv_match_param_on_list(FiveObjects(collection): FiveObjects) -> Checked {
    let version = collection.now().await?.version;

    for list in [collection.list().exactly(&version), collection.list().not_older_than(&version)] {
        list.retry_on_504().await?.page()?;
    }
    Ok(())
}

async fn rv_match_decides_interpretation(Past { collection, before }: Past) -> Checked {
    let last = collection.create("g").await?;

    let exact = collection.list().exactly(&before.version).page_at_past_version().await?;
    let newer = collection.list().not_older_than(last.version());

    exact.expect_items(&before.items)?;
    for newer in [newer.clone(), newer.limit(500)] {
        newer.retry_on_504().await?.page()?.expect_names(&["a", "b", "d", "e", "f", "g"])?;
    }
    Ok(())
}

async fn rv_match_unsupported_acts_as_unset(cx: Context, Past { collection, before }: Past) -> Checked {
    let latest = collection.now().await?;

    let exact = collection.list().exactly(&before.version).page_at_past_version().await?;
    let newer = collection.list().not_older_than(&latest.version).retry_on_504().await?.page()?;

    newer.expect_items(&latest.items)?;
    if exact.version == before.version {
        return exact.expect_items(&before.items);
    }
    cx.note("this server does not honour resourceVersionMatch");
    // Without resourceVersionMatch the request is for a state that is not older.
    exact.expect_items(&latest.items)
}

async fn rv_match_with_continue_422(FiveObjects(collection): FiveObjects) -> Checked {
    let first = collection.list().limit(2).page().await?;
    let token = first.token.as_deref().ok_or_else(no_token)?;

    let next = collection.list().limit(2).after(token);
    for next in [next.clone().not_older_than(&first.version), next.exactly(&first.version)] {
        next.await?.expect_rejection(&[400, 422])?;
    }
    Ok(())
}

async fn rv_match_on_get_ignored(collection: Collection) -> Checked {
    let created = collection.create("a").await?;

    for get in [collection.get("a").exactly("0"), collection.get("a").exactly(created.version())] {
        let got = get.retry_on_504().await?;
        got.expect(got.status() < 500, "the object, or a rejection with 4xx", got.brief())?;
    }
    Ok(())
}

async fn rv_match_on_watch_needs_initial_events_422(FiveObjects(collection): FiveObjects) -> Checked {
    let version = collection.now().await?.version;

    match collection.watch().not_older_than(&version).opening().await? {
        Opening::Rejected(refused) => refused.expect_rejection(&[422]).map(drop),
        Opening::Watch(mut watch) => {
            Err(watch.fail("HTTP 422: resourceVersionMatch without sendInitialEvents", "a watch, HTTP 200"))
        }
    }
}

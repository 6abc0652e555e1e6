//! The parameter `resourceVersion`: valid and invalid values.

use harness::{Match, decimal};

use super::older_than;
use crate::prelude::*;

rows![
    rv_expresses_consistency.namespaced(),
    rv_accepted_unmodified.namespaced(),
    rv_param_on_get.namespaced(),
    rv_param_on_list.namespaced(),
    rv_param_on_watch.namespaced(),
    rv_malformed_list_400.namespaced(),
    rv_malformed_get_rejected.namespaced(),
    rv_malformed_watch_rejected.namespaced(),
];

async fn rv_expresses_consistency(collection: Collection) -> Checked {
    collection.create("a").await?;
    let version = collection.now().await?.version;

    collection.get("a").at(&version).retry_on_504().await?.object()?;
    collection.list().at(&version).retry_on_504().await?.page()?;
    collection.watch().at(&version).open().await.map(drop)
}

async fn rv_accepted_unmodified(collection: Collection) -> Checked {
    collection.create("a").await?;
    let mut watch = collection.watch().open().await?;
    let event = watch.expect("ADDED", "a").await?;
    let object = collection.get("a").object().await?;
    let listed = collection.now().await?;

    let sources = [("event", event.version()), ("object", object.version()), ("list", &listed.version)];
    for (source, version) in sources {
        collection.list().not_older_than(version).retry_on_504().await?.page()?;
        let mut watch = collection.watch().at(version).open().await?;
        let written = collection.write("a", source).await?;
        expect_event(&mut watch, &written).await?;
    }
    Ok(())
}

/// The watch gets the event of the write, and no ERROR before.
async fn expect_event(watch: &mut Watch, written: &Object) -> Checked {
    let expected = format!("MODIFIED a at {}", written.version());
    let events =
        watch.until(&expected, |event| event.kind == "ERROR" || event.object.version() == written.version());
    match events.await?.pop() {
        Some(error) if error.kind == "ERROR" => Err(watch.fail(expected, error.brief())),
        _ => Ok(()),
    }
}

async fn rv_param_on_get(collection: Collection) -> Checked {
    let created = collection.create("a").await?;

    let got = collection.get("a").at(created.version()).retry_on_504().await?;

    got.object().map(drop)
}

async fn rv_param_on_list(collection: Collection) -> Checked {
    collection.create("a").await?;
    let listed = collection.now().await?;

    let again = collection.list().at(&listed.version).retry_on_504().await?;

    again.page()?.expect_names(&["a"])
}

async fn rv_param_on_watch(collection: Collection) -> Checked {
    collection.create("a").await?;
    let listed = collection.now().await?;
    collection.create("b").await?;
    collection.write("a", "second").await?;

    let mut watch = collection.watch().at(&listed.version).open().await?;

    watch.expect("ADDED", "b").await?;
    watch.expect("MODIFIED", "a").await.map(drop)
}

/// Strings that are no decimal numbers.
const MALFORMED: [&str; 5] = ["abc", "-1", "1.5", "0x10", "1 2"];

async fn rv_malformed_list_400(cx: Context, DecimalVersions(collection): DecimalVersions) -> Checked {
    // Releases before 1.33 return 500 where they list from the cache.
    let legal: &[u16] = if older_than(&cx, 33) { &[400, 500] } else { &[400] };

    for malformed in MALFORMED {
        for matching in [Match::Unset, Match::Exact, Match::NotOlderThan] {
            let listed = collection.list().at(malformed).matching(matching).await?;
            listed.expect_rejection(legal)?;
        }
    }
    Ok(())
}

async fn rv_malformed_get_rejected(DecimalVersions(collection): DecimalVersions) -> Checked {
    for malformed in MALFORMED {
        expect_error(&*collection.get("a").at(malformed).await?)?;
    }
    Ok(())
}

async fn rv_malformed_watch_rejected(DecimalVersions(collection): DecimalVersions) -> Checked {
    for malformed in MALFORMED {
        match collection.watch().at(malformed).opening().await? {
            Opening::Rejected(refused) => expect_error(&refused)?,
            Opening::Watch(mut watch) => {
                let expected = "a rejection, or an ERROR event";
                let event = watch.event_or_fail(expected).await?;
                watch.expect_that(event.kind == "ERROR", expected, event.brief())?;
            }
        }
    }
    Ok(())
}

/// Any code is legal: kube-apiserver returns 400 or 500, depending on the handler of the type.
fn expect_error(response: &Exchange) -> Checked {
    let expected = "an error: the resourceVersion is malformed";
    response.expect(response.status() >= 400, expected, response.brief())
}

/// A collection with an object. Skips where versions are not decimal: any string may be a version there.
struct DecimalVersions(Collection);

impl Fixture for DecimalVersions {
    async fn arrange(cx: &Context) -> Result<Self, Halt> {
        let collection = cx.collection_under_test().await?;
        let created = collection.create("a").await?;
        if decimal(created.version()).is_some() {
            return Ok(Self(collection));
        }
        Err(Halt::skip("this server's versions are not decimal: malformed versions are unknown"))
    }
}

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

    collection.get("a").at(&version).caught_up().await?.object()?;
    collection.list().at(&version).caught_up().await?.page()?;
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
        collection.list().not_older_than(version).caught_up().await?.page()?;
        let mut watch = collection.watch().at(version).open().await?;
        let written = collection.write("a", source).await?;
        takes_up(&mut watch, &written).await?;
    }
    Ok(())
}

/// The watch goes on until it shows a write.
async fn takes_up(watch: &mut Watch, written: &Object) -> Checked {
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

    let got = collection.get("a").at(created.version()).caught_up().await?;

    got.object().map(drop)
}

async fn rv_param_on_list(collection: Collection) -> Checked {
    collection.create("a").await?;
    let listed = collection.now().await?;

    let again = collection.list().at(&listed.version).caught_up().await?;

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

/// No decimal numbers, nor anything like it.
const MALFORMED: [&str; 5] = ["abc", "-1", "1.5", "0x10", "1 2"];

async fn rv_malformed_list_400(cx: Context) -> Checked {
    let collection = decimal_things(&cx).await?;
    // Releases before 1.33 say 500 where they list from the cache.
    let legal: &[u16] = if older_than(&cx, 33) { &[400, 500] } else { &[400] };

    for malformed in MALFORMED {
        for matching in [Match::Unset, Match::Exact, Match::NotOlderThan] {
            let listed = collection.list().at(malformed).matching(matching).await?;
            listed.expect_refusal(legal)?;
        }
    }
    Ok(())
}

async fn rv_malformed_get_rejected(cx: Context) -> Checked {
    let collection = decimal_things(&cx).await?;

    for malformed in MALFORMED {
        is_error(&*collection.get("a").at(malformed).await?)?;
    }
    Ok(())
}

async fn rv_malformed_watch_rejected(cx: Context) -> Checked {
    let collection = decimal_things(&cx).await?;

    for malformed in MALFORMED {
        let mut watch = match collection.watch().at(malformed).opening().await? {
            Opening::Refused(refused) => {
                is_error(&refused)?;
                continue;
            }
            Opening::Watch(watch) => watch,
        };
        let event = watch.event_or_fail("a refusal, or an ERROR event").await?;
        if event.kind != "ERROR" {
            return Err(watch.fail("a refusal, or an ERROR event", event.brief()));
        }
    }
    Ok(())
}

/// Any code will do: kube-apiserver itself says 400 or 500, depending on what serves the type.
fn is_error(answer: &Exchange) -> Checked {
    answer.expect(answer.status() >= 400, "an error: that is no resourceVersion", answer.brief())
}

/// One thing; where versions are not decimal, nobody knows what else may be one.
async fn decimal_things(cx: &Context) -> Result<Collection, Halt> {
    let collection = cx.collection_under_test().await?;
    let created = collection.create("a").await?;
    match decimal(created.version()) {
        Some(_) => Ok(collection),
        None => Err(Halt::Skipped(
            "this server's versions are not decimal: what it cannot read as one is not known".to_owned(),
        )),
    }
}

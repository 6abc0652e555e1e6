//! The `resourceVersion` parameter on get: the published table.

use std::collections::BTreeMap;

use harness::decimal;

use super::{READER, rounds};
use crate::prelude::*;

rows![
    rv_get_unset_most_recent.namespaced(),
    rv_get_zero_any.namespaced(),
    rv_get_nonzero_not_older.namespaced(),
    rv_get_old_version_returns_newer.namespaced(),
];

async fn rv_get_unset_most_recent(collection: Collection) -> Checked {
    collection.create("a").await?;
    for round in rounds() {
        let value = format!("write-{round}");
        collection.write("a", &value).await?;

        let got = collection.get("a").with(|request| request.connection(READER)).await?;

        expect_value(&got, &[&value])?;
    }
    Ok(())
}

async fn rv_get_zero_any(cx: Context, collection: Collection) -> Checked {
    let mut states = BTreeMap::new();
    let mut record = |object: Object| states.insert(object.version().to_owned(), object.value().to_owned());
    record(collection.create("a").await?);
    for value in ["second", "third"] {
        record(collection.write("a", value).await?);
    }

    // The cache may not have the object yet.
    let got = cx.eventually(|| async {
        let got = collection.get("a").at("0").await?;
        Ok((got.status() != 404).then_some(got))
    });
    let Some(got) = got.await? else {
        return Err(cx.failed("a current or earlier state of the object", "404 each time", None));
    };

    let object = got.object()?;
    let known = states.get(object.version()).is_some_and(|value| value == object.value());
    got.expect(known, format!("a current or earlier state of the object: {states:?}"), got.brief())
}

async fn rv_get_nonzero_not_older(collection: Collection) -> Checked {
    collection.create("a").await?;
    for round in rounds() {
        let value = format!("write-{round}");
        let written = collection.write("a", &value).await?;

        let get = collection.get("a").at(written.version()).with(|request| request.connection(READER));

        expect_value(&*get.retry_on_504().await?, &[&value])?;
    }
    Ok(())
}

async fn rv_get_old_version_returns_newer(collection: Collection) -> Checked {
    let created = collection.create("a").await?;
    for value in ["second", "third"] {
        collection.write("a", value).await?;
    }

    // Version 1 is older than all objects of the scenario, and most likely expired.
    let oldest = decimal(created.version()).map(|_| "1");
    for old in [created.version()].into_iter().chain(oldest) {
        expect_value(&*collection.get("a").at(old).await?, &["first", "second", "third"])?;
    }
    Ok(())
}

fn expect_value(got: &Exchange, legal: &[&str]) -> Checked {
    let object = got.object()?;
    let actual = format!("{:?} at {}", object.value(), object.version());
    got.expect(legal.contains(&object.value()), format!("the object with {}", legal.join(" or ")), actual)
}

//! The `resourceVersion` parameter on get: the published table.

use std::collections::BTreeMap;

use harness::{Checked, Collection, Context, Exchange, Object, decimal};

use super::{READER, rounds};

rows![
    rv_get_unset_most_recent.namespaced(),
    rv_get_zero_any.namespaced(),
    rv_get_nonzero_not_older.namespaced(),
    rv_get_old_version_returns_newer.namespaced(),
];

async fn rv_get_unset_most_recent(things: Collection) -> Checked {
    things.create("a").await?;
    for round in rounds() {
        let value = format!("write-{round}");
        things.write("a", &value).await?;

        let got = things.get("a").with(|request| request.lane(READER)).await?;

        expect_value(&got, &[&value])?;
    }
    Ok(())
}

async fn rv_get_zero_any(cx: Context, things: Collection) -> Checked {
    let mut states = BTreeMap::new();
    let mut record = |object: Object| states.insert(object.version().to_owned(), object.value().to_owned());
    record(things.create("a").await?);
    for value in ["second", "third"] {
        record(things.write("a", value).await?);
    }

    // What answers may not even have heard of the object yet.
    let asked = cx.eventually(|| async {
        let got = things.get("a").at("0").await?;
        Ok((got.status() != 404).then_some(got))
    });
    let Some(got) = asked.await? else {
        return Err(cx.failed("the object in any state that it has had", "404 again and again", None));
    };

    let object = got.object()?;
    let was = states.get(object.version()).is_some_and(|value| value == object.value());
    got.expect(was, format!("a state that the object has had: {states:?}"), got.brief())
}

async fn rv_get_nonzero_not_older(things: Collection) -> Checked {
    things.create("a").await?;
    for round in rounds() {
        let value = format!("write-{round}");
        let written = things.write("a", &value).await?;

        let get = things.get("a").at(written.version()).with(|request| request.lane(READER));

        expect_value(&*get.caught_up().await?, &[&value])?;
    }
    Ok(())
}

async fn rv_get_old_version_returns_newer(things: Collection) -> Checked {
    let created = things.create("a").await?;
    for value in ["second", "third"] {
        things.write("a", value).await?;
    }

    // Version 1 is older than anything of ours, and history hardly reaches back to it.
    let oldest = decimal(created.version()).map(|_| "1");
    for old in [created.version()].into_iter().chain(oldest) {
        expect_value(&*things.get("a").at(old).await?, &["first", "second", "third"])?;
    }
    Ok(())
}

fn expect_value(got: &Exchange, legal: &[&str]) -> Checked {
    let object = got.object()?;
    let shown = format!("{:?} at {}", object.value(), object.version());
    got.expect(legal.contains(&object.value()), format!("the object with {}", legal.join(" or ")), shown)
}

//! Immutable metadata: uid, `creationTimestamp` and generation.

use crate::prelude::*;

rows![
    update_put_uid_missing_kept.also("metadata-uid-may-be-omitted-on-put"),
    update_put_creationtimestamp_kept,
    update_put_generation_not_settable,
];

async fn update_put_uid_missing_kept(stored: StoredObject) -> Checked {
    let put = stored.put(&stored.body("second")).await?;

    expect_kept(&stored, &put, "uid").await
}

async fn update_put_creationtimestamp_kept(created: StoredObject) -> Checked {
    for (value, given) in [("second", Some("2001-01-01T00:00:00Z")), ("third", None)] {
        let stored = created.again().await?;
        let mut body = stored.body(value);
        if let Some(given) = given {
            body["metadata"]["creationTimestamp"] = given.into();
        }
        let put = stored.put(&body).await?;

        expect_kept(&created, &put, "creationTimestamp").await?;
    }
    Ok(())
}

/// A write has left a field of the metadata, in its answer and in what is stored.
async fn expect_kept(stored: &StoredObject, put: &Exchange, field: &str) -> Checked {
    let before = stored.read.metadata(field);
    let got = stored.get().await?;
    for answer in [put, &*got] {
        let shown = answer.object()?;
        let now = shown.metadata(field);
        answer.expect(now == before, format!("{field} {before} as before"), format!("{now:?}"))?;
    }
    Ok(())
}

async fn update_put_generation_not_settable(stored: StoredObject) -> Checked {
    let generation = |json: &Value| json["metadata"]["generation"].as_i64().unwrap_or_default();
    let before = generation(stored.read.json());
    let mut body = stored.body("second");
    body["metadata"]["generation"] = 999.into();

    let put = stored.put(&body).await?;
    put.expect_status(&[200])?;

    let expected = format!("generation {before} or {}: 999 is a client's", before + 1);
    for answer in [put, stored.get().await?] {
        let now = generation(answer.object()?.json());
        answer.expect([before, before + 1].contains(&now), expected.as_str(), now.to_string())?;
    }
    Ok(())
}

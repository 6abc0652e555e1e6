//! Immutable metadata: uid, `creationTimestamp` and generation.

use crate::prelude::*;

rows![
    update_put_uid_missing_kept.also("metadata-uid-may-be-omitted-on-put"),
    update_put_creationtimestamp_kept,
    update_put_generation_not_settable,
];

async fn update_put_uid_missing_kept(stored: StoredObject) -> Checked {
    let put = stored.put(&stored.body("second")).await?;

    expect_unchanged(&stored, &put, "uid").await
}

async fn update_put_creationtimestamp_kept(created: StoredObject) -> Checked {
    for (value, timestamp) in [("second", Some("2001-01-01T00:00:00Z")), ("third", None)] {
        let stored = created.again().await?;
        let mut body = stored.body(value);
        if let Some(timestamp) = timestamp {
            body["metadata"]["creationTimestamp"] = timestamp.into();
        }
        let put = stored.put(&body).await?;

        expect_unchanged(&created, &put, "creationTimestamp").await?;
    }
    Ok(())
}

/// The response and a later GET have the same field of the metadata as before.
async fn expect_unchanged(stored: &StoredObject, put: &Exchange, field: &str) -> Checked {
    let before = stored.read.metadata(field);
    for response in [put, &*stored.get().await?] {
        let after = response.object()?.metadata(field).to_owned();
        response.expect(after == before, format!("{field} {before} as before"), format!("{after:?}"))?;
    }
    Ok(())
}

async fn update_put_generation_not_settable(cx: Context, stored: StoredObject) -> Checked {
    let generation = |json: &Value| json["metadata"]["generation"].as_i64().unwrap_or_default();
    let before = generation(stored.read.json());

    let put = cx.send(stored.put_with(|body| body["metadata"]["generation"] = 999.into())).await?;
    put.expect_status(&[200])?;

    let expected = format!("generation {before} or {}: the server ignores 999", before + 1);
    for response in [put, stored.get().await?] {
        let after = generation(response.object()?.json());
        response.expect([before, before + 1].contains(&after), expected.as_str(), after.to_string())?;
    }
    Ok(())
}

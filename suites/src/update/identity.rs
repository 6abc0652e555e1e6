//! Immutable metadata: uid, `creationTimestamp` and generation.

use harness::{Checked, Context, Exchange, Row, row};
use serde_json::Value;

use crate::object_fixture::Stored;

/// The scenarios of this part.
pub(super) fn rows() -> Vec<Row> {
    vec![
        row("update-put-uid-missing-kept", update_put_uid_missing_kept)
            .also("metadata-uid-may-be-omitted-on-put"),
        row("update-put-creationtimestamp-kept", update_put_creationtimestamp_kept),
        row("update-put-generation-not-settable", update_put_generation_not_settable),
    ]
}

async fn update_put_uid_missing_kept(cx: Context) -> Checked {
    let stored = Stored::create(&cx).await?;

    let put = stored.put(&stored.body("second")).await?;

    expect_kept(&stored, &put, "uid").await
}

async fn update_put_creationtimestamp_kept(cx: Context) -> Checked {
    let created = Stored::create(&cx).await?;

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
async fn expect_kept(stored: &Stored, put: &Exchange, field: &str) -> Checked {
    let before = stored.read.metadata(field);
    let got = stored.get().await?;
    for answer in [put, &*got] {
        let shown = answer.object()?;
        let now = shown.metadata(field);
        answer.expect(now == before, format!("{field} {before} as before"), format!("{now:?}"))?;
    }
    Ok(())
}

async fn update_put_generation_not_settable(cx: Context) -> Checked {
    let stored = Stored::create(&cx).await?;
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

//! PUT bodies whose namespace differs from the path.

use crate::fields::remove;
use crate::prelude::*;

rows![update_put_namespace_mismatch_400.namespaced(), update_put_namespace_missing_filled.namespaced()];

async fn update_put_namespace_mismatch_400(cx: Context, stored: StoredObject) -> Checked {
    let elsewhere = cx.another_namespace().await?;
    let namesake = StoredObject::create_among(&cx, stored.collection.within(&elsewhere)).await?;
    let mut body = stored.body("second");
    body["metadata"]["namespace"] = elsewhere.into();

    let put = stored.put(&body).await?;

    put.expect_refusal(&[400])?;
    stored.expect_unchanged().await?;
    namesake.expect_unchanged().await
}

async fn update_put_namespace_missing_filled(stored: StoredObject) -> Checked {
    let mut body = stored.body("second");
    remove(&mut body["metadata"], "namespace");

    let put = stored.put(&body).await?;

    let answered = put.object()?;
    let expected = format!("the namespace {}", stored.read.namespace());
    put.expect(
        answered.namespace() == stored.read.namespace(),
        expected.as_str(),
        answered.json().to_string(),
    )?;
    let got = stored.get().await?;
    let shown = got.object()?;
    got.expect(shown.namespace() == stored.read.namespace(), expected, shown.json().to_string())?;
    stored.expect_value("second").await
}

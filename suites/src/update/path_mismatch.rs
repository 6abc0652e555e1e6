//! PUT bodies whose name, namespace, kind or `apiVersion` differ from the path.

use crate::object_fixture::Stored;
use harness::{Checked, Context, Row, row};

/// The scenarios of this part.
pub(super) fn rows() -> Vec<Row> {
    vec![
        row("update-put-name-mismatch-400", update_put_name_mismatch_400)
            .also("verbs-put-name-must-match-url"),
        row("update-put-name-missing-400", update_put_name_missing_400),
        row("update-put-kind-mismatch-400", update_put_kind_mismatch_400),
        row("update-put-apiversion-mismatch-400", update_put_apiversion_mismatch_400),
    ]
}

/// The scenarios about namespaces.
pub(super) fn namespaced_rows() -> Vec<Row> {
    vec![
        row("update-put-namespace-mismatch-400", update_put_namespace_mismatch_400).namespaced(),
        row("update-put-namespace-missing-filled", update_put_namespace_missing_filled).namespaced(),
    ]
}

async fn update_put_name_mismatch_400(cx: Context) -> Checked {
    let stored = Stored::create(&cx).await?;
    let mut body = stored.things.body("b", "second");
    body["metadata"]["resourceVersion"] = stored.read.version().into();

    let put = stored.put(&body).await?;

    put.expect_refusal(&[400])?;
    stored.expect_unchanged().await?;
    stored.things.get("b").await?.expect_status(&[404])
}

async fn update_put_name_missing_400(cx: Context) -> Checked {
    let stored = Stored::create(&cx).await?;
    let mut body = stored.body("second");
    if let Some(metadata) = body["metadata"].as_object_mut() {
        metadata.shift_remove("name");
    }

    let put = stored.put(&body).await?;

    put.expect_refusal(&[400])?;
    stored.expect_unchanged().await
}

async fn update_put_kind_mismatch_400(cx: Context) -> Checked {
    let stored = Stored::create(&cx).await?;
    let mut body = stored.body("second");
    body["kind"] = stored.things.resource().another_kind().into();
    // Custom types find a body invalid that built-in ones cannot read.
    let legal: &[u16] = if stored.is_built_in() { &[400] } else { &[400, 422] };

    let put = stored.put(&body).await?;

    put.expect_refusal(legal)?;
    stored.expect_unchanged().await
}

async fn update_put_apiversion_mismatch_400(cx: Context) -> Checked {
    let stored = Stored::create(&cx).await?;
    let mut body = stored.body("second");
    body["apiVersion"] = stored.things.resource().another_api_version().into();

    let put = stored.put(&body).await?;

    put.expect_refusal(&[400])?;
    stored.expect_unchanged().await
}

async fn update_put_namespace_mismatch_400(cx: Context) -> Checked {
    let stored = Stored::create(&cx).await?;
    let elsewhere = cx.another_namespace().await?;
    let namesake = Stored::create_among(&cx, stored.things.within(&elsewhere)).await?;
    let mut body = stored.body("second");
    body["metadata"]["namespace"] = elsewhere.into();

    let put = stored.put(&body).await?;

    put.expect_refusal(&[400])?;
    stored.expect_unchanged().await?;
    namesake.expect_unchanged().await
}

async fn update_put_namespace_missing_filled(cx: Context) -> Checked {
    let stored = Stored::create(&cx).await?;
    let mut body = stored.body("second");
    if let Some(metadata) = body["metadata"].as_object_mut() {
        metadata.shift_remove("namespace");
    }

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

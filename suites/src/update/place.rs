//! The body of a PUT against its path: name, namespace, kind and version of the type.

use crate::stored::Stored;
use harness::{Context, Halt, Suite};

/// Adds the scenarios of this part.
pub(super) fn add(suite: Suite) -> Suite {
    suite
        .scenario("update-put-name-mismatch-400", a_put_of_another_name_is_refused)
        .also("verbs-put-name-must-match-url")
        .on_every_shape()
        .scenario("update-put-name-missing-400", a_put_without_a_name_is_refused)
        .on_every_shape()
        .scenario("update-put-kind-mismatch-400", a_put_of_another_kind_is_refused)
        .on_every_shape()
        .scenario("update-put-apiversion-mismatch-400", a_put_of_another_version_of_the_type_is_refused)
        .on_every_shape()
}

/// Adds the scenarios about namespaces.
pub(super) fn add_namespaced(suite: Suite) -> Suite {
    suite
        .scenario("update-put-namespace-mismatch-400", a_put_of_another_namespace_is_refused)
        .scenario("update-put-namespace-missing-filled", a_put_without_a_namespace_stays_in_its_own)
}

async fn a_put_of_another_name_is_refused(cx: Context) -> Result<(), Halt> {
    let stored = Stored::create(&cx).await?;
    let mut body = stored.things.body("b", "second");
    body["metadata"]["resourceVersion"] = stored.read.version().into();

    let put = stored.put(&body).await?;

    put.expect_refusal(&[400])?;
    stored.expect_unchanged().await?;
    stored.things.get("b").await?.expect_status(&[404])
}

async fn a_put_without_a_name_is_refused(cx: Context) -> Result<(), Halt> {
    let stored = Stored::create(&cx).await?;
    let mut body = stored.body("second");
    if let Some(metadata) = body["metadata"].as_object_mut() {
        metadata.shift_remove("name");
    }

    let put = stored.put(&body).await?;

    put.expect_refusal(&[400])?;
    stored.expect_unchanged().await
}

async fn a_put_of_another_kind_is_refused(cx: Context) -> Result<(), Halt> {
    let stored = Stored::create(&cx).await?;
    let mut body = stored.body("second");
    body["kind"] = stored.things.resource().another_kind().into();
    // Custom types find a body invalid that built-in ones cannot read.
    let legal: &[u16] = if stored.is_built_in() { &[400] } else { &[400, 422] };

    let put = stored.put(&body).await?;

    put.expect_refusal(legal)?;
    stored.expect_unchanged().await
}

async fn a_put_of_another_version_of_the_type_is_refused(cx: Context) -> Result<(), Halt> {
    let stored = Stored::create(&cx).await?;
    let mut body = stored.body("second");
    body["apiVersion"] = stored.things.resource().another_api_version().into();

    let put = stored.put(&body).await?;

    put.expect_refusal(&[400])?;
    stored.expect_unchanged().await
}

async fn a_put_of_another_namespace_is_refused(cx: Context) -> Result<(), Halt> {
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

async fn a_put_without_a_namespace_stays_in_its_own(cx: Context) -> Result<(), Halt> {
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

//! What becomes of an object when another one is put in its place.

use harness::{Context, Halt, Request, Suite};
use serde_json::{Value, json};

use crate::stored::{NAME, Stored};

/// Adds the scenarios of this part.
pub(super) fn add(suite: Suite) -> Suite {
    suite
        .scenario("update-put-overwrites", a_put_overwrites_what_is_there)
        .on_every_shape()
        .scenario("update-put-removes-omitted-fields", a_put_removes_what_it_leaves_out)
        .also("verbs-put-clears-omitted-fields")
        .on_every_shape()
        .scenario("update-put-returns-new-state", a_put_is_answered_with_what_is_stored)
        .on_every_shape()
        .scenario("update-put-absent-404-or-create", a_put_of_what_is_not_there_is_refused_or_creates_it)
        .also("verbs-put-may-create")
        .on_every_shape()
        .scenario("update-put-noop-keeps-rv", a_put_that_changes_nothing_keeps_the_version)
        .on_every_shape()
        .scenario("update-put-invalid-422-no-effect", a_put_of_an_invalid_object_leaves_the_stored_one)
        .on_every_shape()
        .scenario("update-several-mechanisms", an_object_is_changed_by_put_and_by_patch)
        .on_every_shape()
}

async fn a_put_overwrites_what_is_there(cx: Context) -> Result<(), Halt> {
    let stored = Stored::create(&cx).await?;

    let put = stored.put(&stored.body("second")).await?;

    put.expect(put.succeeded(), "success", put.brief())?;
    stored.expect_value("second").await
}

async fn a_put_removes_what_it_leaves_out(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    let mut body = things.body(NAME, "first");
    body["metadata"]["labels"]["kept"] = "yes".into();
    let mut less = body.clone();
    body["metadata"]["labels"]["omitted"] = "yes".into();
    body["metadata"]["annotations"]["omitted"] = "yes".into();
    if body["data"].is_object() {
        body["data"]["omitted"] = "yes".into();
    }
    let created = things.create_body(&body).await?;

    less["metadata"]["resourceVersion"] = created.version().into();
    cx.send(Request::put(things.path_of(NAME), &less)).await?.expect_status(&[200])?;

    let got = things.get(NAME).await?;
    let shown = got.object()?;
    let left = |place: &str| shown.json().pointer(place).unwrap_or(&Value::Null).clone();
    got.expect(left("/metadata/labels/kept") == "yes", "the label that was put", "none")?;
    for place in ["/metadata/labels/omitted", "/metadata/annotations/omitted", "/data/omitted"] {
        let expected = format!("no {place}: the object that was put has none");
        got.expect(left(place).is_null(), expected, left(place).to_string())?;
    }
    Ok(())
}

async fn a_put_is_answered_with_what_is_stored(cx: Context) -> Result<(), Halt> {
    let stored = Stored::create(&cx).await?;

    let put = stored.put(&stored.body("second")).await?;

    let answered = put.object()?;
    let another = answered.version() != stored.read.version();
    put.expect(another, format!("another version than {}", stored.read.version()), put.brief())?;
    let now = stored.again().await?;
    let same = answered.untyped() == now.read.untyped();
    put.expect(same, now.read.json().to_string(), answered.json().to_string())
}

async fn a_put_of_what_is_not_there_is_refused_or_creates_it(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    let path = things.path_of(NAME);

    let put = cx.send(Request::put(&path, &things.body(NAME, "first"))).await?;

    let got = things.get(NAME).await?;
    if put.status() == 201 {
        return got.expect_status(&[200]);
    }
    // Who asks for a version first may refuse before looking: that is no success, either.
    put.expect_refusal(&[404, 422])?;
    got.expect_status(&[404])
}

async fn a_put_that_changes_nothing_keeps_the_version(cx: Context) -> Result<(), Halt> {
    let stored = Stored::create(&cx).await?;
    let mut watch = stored.watch().await?;

    let put = stored.put(stored.read.json()).await?;

    let version = put.object()?.version().to_owned();
    let expected = format!("version {} as before: nothing was changed", stored.read.version());
    put.expect(version == stored.read.version(), expected, version)?;
    stored.expect_unchanged().await?;
    stored.expect_silence(&mut watch).await
}

async fn a_put_of_an_invalid_object_leaves_the_stored_one(cx: Context) -> Result<(), Halt> {
    let stored = Stored::create(&cx).await?;
    let invalid =
        [("labels", json!({ "assay": "with a space" })), ("annotations", json!({ "with a space": "assay" }))];

    for (field, value) in invalid {
        let mut body = stored.body("second");
        body["metadata"][field] = value;
        let put = stored.put(&body).await?;

        put.expect_error(&[422], &["Invalid"])?;
        stored.expect_unchanged().await?;
    }
    Ok(())
}

async fn an_object_is_changed_by_put_and_by_patch(cx: Context) -> Result<(), Halt> {
    let stored = Stored::create(&cx).await?;

    stored.put(&stored.body("second")).await?.expect_status(&[200])?;
    stored.expect_value("second").await?;
    let patch = stored.patch("application/merge-patch+json", &stored.things.change("third"));
    cx.send(patch).await?.expect_status(&[200])?;

    stored.expect_value("third").await
}

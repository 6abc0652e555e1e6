//! Scale: a kind of its own for how many there are to be of something, whatever it is.

use harness::{Context, Exchange, Halt, Request, Suite};
use serde_json::Value;

use crate::stored::{NAME, Stored};

/// Adds the scenarios of this part.
pub(super) fn add(suite: Suite) -> Suite {
    suite
        .scenario("kinds-scale-subresource-read", a_scale_shows_how_many_there_are_to_be)
        .scenario("kinds-scale-subresource-write", a_scale_changes_how_many_there_are_to_be)
        .scenario("kinds-simple-kind-resourceversion-of-parent", a_scale_has_the_version_of_its_object)
        .scenario("kinds-simple-kind-optimistic-lock", an_outdated_scale_is_a_conflict)
}

/// How many there are to be at first.
const FIRST: i64 = 3;

/// A custom object of which there are to be so many.
async fn scaled(cx: &Context) -> Result<Stored, Halt> {
    let things = cx.custom_resources().await?;
    let mut body = things.body(NAME, "first");
    body["spec"]["replicas"] = FIRST.into();
    things.create_body(&body).await?;
    Stored::read(cx, things).await
}

async fn scale(cx: &Context, stored: &Stored) -> Result<std::sync::Arc<Exchange>, Halt> {
    cx.send(Request::get(stored.things.scale_path_of(NAME))).await
}

/// The scale of the object with another number; not yet sent.
fn changed(stored: &Stored, scale: &Exchange, replicas: i64) -> Result<Request, Halt> {
    let mut body = scale.written()?.json().clone();
    body["spec"]["replicas"] = replicas.into();
    Ok(Request::put(stored.things.scale_path_of(NAME), &body))
}

/// A document shows this at a place.
fn expect_at(answer: &Exchange, pointer: &str, expected: &Value) -> Result<(), Halt> {
    let shown = answer.object()?;
    let actual = shown.json().pointer(pointer).unwrap_or(&Value::Null);
    answer.expect(actual == expected, format!("{pointer}: {expected}"), format!("{pointer}: {actual}"))
}

async fn a_scale_shows_how_many_there_are_to_be(cx: Context) -> Result<(), Halt> {
    let stored = scaled(&cx).await?;

    let scale = scale(&cx, &stored).await?;

    expect_at(&scale, "/kind", &"Scale".into())?;
    expect_at(&scale, "/apiVersion", &"autoscaling/v1".into())?;
    for field in ["name", "namespace", "uid"] {
        expect_at(&scale, &format!("/metadata/{field}"), &stored.read.metadata(field).into())?;
    }
    expect_at(&scale, "/spec/replicas", &FIRST.into())
}

async fn a_scale_changes_how_many_there_are_to_be(cx: Context) -> Result<(), Halt> {
    let stored = scaled(&cx).await?;
    let scale = scale(&cx, &stored).await?;

    let put = cx.send(changed(&stored, &scale, 5)?).await?;

    put.expect_status(&[200])?;
    let got = stored.get().await?;
    let mut expected = stored.read.json()["spec"].clone();
    expected["replicas"] = 5.into();
    expect_at(&got, "/spec", &expected)?;
    let version = got.object()?.version().to_owned();
    let another = version != stored.read.version();
    got.expect(another, format!("another version than {}", stored.read.version()), version)
}

async fn a_scale_has_the_version_of_its_object(cx: Context) -> Result<(), Halt> {
    let stored = scaled(&cx).await?;

    let scale = scale(&cx, &stored).await?;

    expect_at(&scale, "/metadata/resourceVersion", &stored.read.version().into())
}

async fn an_outdated_scale_is_a_conflict(cx: Context) -> Result<(), Halt> {
    let stored = scaled(&cx).await?;
    let scale = scale(&cx, &stored).await?;
    stored.write("second").await?;

    let put = cx.send(changed(&stored, &scale, 5)?).await?;

    put.expect_error(&[409], &["Conflict"])?;
    expect_at(&*stored.get().await?, "/spec/replicas", &FIRST.into())
}

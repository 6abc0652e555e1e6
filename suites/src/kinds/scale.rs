//! The kind Scale.

use crate::prelude::*;

rows![
    kinds_scale_subresource_read.own_kinds(),
    kinds_scale_subresource_write.own_kinds(),
    kinds_simple_kind_resourceversion_of_parent.own_kinds(),
    kinds_simple_kind_optimistic_lock.own_kinds(),
];

/// How many there are to be at first.
const FIRST: i64 = 3;

/// A custom object of which there are to be so many.
async fn scaled(cx: &Context) -> Result<StoredObject, Halt> {
    let collection = cx.custom_resources().await?;
    let mut body = collection.body(NAME, "first");
    body["spec"]["replicas"] = FIRST.into();
    collection.create_body(&body).await?;
    StoredObject::read(cx, collection).await
}

async fn scale(cx: &Context, stored: &StoredObject) -> Result<std::sync::Arc<Exchange>, Halt> {
    cx.send(Request::get(stored.collection.scale_path_of(NAME))).await
}

/// The scale of the object with another number; not yet sent.
fn changed(stored: &StoredObject, scale: &Exchange, replicas: i64) -> Result<Request, Halt> {
    let mut body = scale.written()?.json().clone();
    body["spec"]["replicas"] = replicas.into();
    Ok(Request::put(stored.collection.scale_path_of(NAME), &body))
}

/// A document shows this at a place.
fn expect_at(answer: &Exchange, pointer: &str, expected: &Value) -> Checked {
    let shown = answer.object()?;
    let actual = shown.json().pointer(pointer).unwrap_or(&Value::Null);
    answer.expect(actual == expected, format!("{pointer}: {expected}"), format!("{pointer}: {actual}"))
}

async fn kinds_scale_subresource_read(cx: Context) -> Checked {
    let stored = scaled(&cx).await?;

    let scale = scale(&cx, &stored).await?;

    expect_at(&scale, "/kind", &"Scale".into())?;
    expect_at(&scale, "/apiVersion", &"autoscaling/v1".into())?;
    for field in ["name", "namespace", "uid"] {
        expect_at(&scale, &format!("/metadata/{field}"), &stored.read.metadata(field).into())?;
    }
    expect_at(&scale, "/spec/replicas", &FIRST.into())
}

async fn kinds_scale_subresource_write(cx: Context) -> Checked {
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

async fn kinds_simple_kind_resourceversion_of_parent(cx: Context) -> Checked {
    let stored = scaled(&cx).await?;

    let scale = scale(&cx, &stored).await?;

    expect_at(&scale, "/metadata/resourceVersion", &stored.read.version().into())
}

async fn kinds_simple_kind_optimistic_lock(cx: Context) -> Checked {
    let stored = scaled(&cx).await?;
    let scale = scale(&cx, &stored).await?;
    stored.write("second").await?;

    let put = cx.send(changed(&stored, &scale, 5)?).await?;

    put.expect_error(&[409], &["Conflict"])?;
    expect_at(&*stored.get().await?, "/spec/replicas", &FIRST.into())
}

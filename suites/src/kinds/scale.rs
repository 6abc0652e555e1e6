//! The kind Scale.

use crate::prelude::*;

rows![
    kinds_scale_subresource_read.own_kinds(),
    kinds_scale_subresource_write.own_kinds(),
    kinds_simple_kind_resourceversion_of_parent.own_kinds(),
    kinds_simple_kind_optimistic_lock.own_kinds(),
];

/// The replicas of a new object.
const FIRST: i64 = 3;

/// A custom resource with replicas.
async fn scaled(cx: &Context) -> Result<StoredObject, Halt> {
    let collection = cx.custom_resources().await?;
    let mut body = collection.body(NAME, "first");
    body["spec"]["replicas"] = FIRST.into();
    collection.create_body(&body).await?;
    StoredObject::read(cx, collection).await
}

async fn scale(cx: &Context, stored: &StoredObject) -> Result<Arc<Exchange>, Halt> {
    cx.send(Request::get(stored.collection.scale_path_of(NAME))).await
}

/// An update of the scale; not yet sent.
fn changed(stored: &StoredObject, scale: &Exchange, replicas: i64) -> Result<Request, Halt> {
    let body = scale.written()?.with(&json!({ "spec": { "replicas": replicas } }))?;
    Ok(Request::put(stored.collection.scale_path_of(NAME), &body))
}

async fn kinds_scale_subresource_read(cx: Context) -> Checked {
    let stored = scaled(&cx).await?;

    let scale = scale(&cx, &stored).await?;

    scale.expect_value("/kind", &"Scale".into())?;
    scale.expect_value("/apiVersion", &"autoscaling/v1".into())?;
    for field in ["name", "namespace", "uid"] {
        scale.expect_value(&format!("/metadata/{field}"), &stored.read.metadata(field).into())?;
    }
    let (shown, created) = (scale.written()?, stored.read.metadata("creationTimestamp"));
    let time = shown.metadata("creationTimestamp");
    let expected = format!("creationTimestamp {created} as in the parent, or none");
    scale.expect(time.is_empty() || time == created, expected, time)?;
    scale.expect_value("/spec/replicas", &FIRST.into())
}

async fn kinds_scale_subresource_write(cx: Context) -> Checked {
    let stored = scaled(&cx).await?;
    let scale = scale(&cx, &stored).await?;

    let put = cx.send(changed(&stored, &scale, 5)?).await?;

    put.expect_status(&[200])?;
    let got = stored.get().await?;
    let expected = stored.read.with(&json!({ "spec": { "replicas": 5 } }))?;
    got.expect_value("/spec", &expected["spec"])?;
    for field in ["uid", "resourceVersion"] {
        put.expect_value(&format!("/metadata/{field}"), &got.object()?.metadata(field).into())?;
    }
    let version = got.object()?.version().to_owned();
    let another = version != stored.read.version();
    got.expect(another, format!("a resourceVersion other than {}", stored.read.version()), version)
}

async fn kinds_simple_kind_resourceversion_of_parent(cx: Context) -> Checked {
    let stored = scaled(&cx).await?;

    let scale = scale(&cx, &stored).await?;

    scale.expect_value("/metadata/resourceVersion", &stored.read.version().into())
}

async fn kinds_simple_kind_optimistic_lock(cx: Context) -> Checked {
    let stored = scaled(&cx).await?;
    let scale = scale(&cx, &stored).await?;
    stored.write("second").await?;

    let put = cx.send(changed(&stored, &scale, 5)?).await?;

    put.expect_error(&[409], &["Conflict"])?;
    stored.get().await?.expect_value("/spec/replicas", &FIRST.into())
}

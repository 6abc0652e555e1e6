//! Replacement of an object by PUT.

use crate::object_fixture::owner_reference;
use crate::prelude::*;

rows![
    update_put_overwrites,
    update_put_removes_omitted_fields.also("verbs-put-clears-omitted-fields"),
    update_put_returns_new_state,
    update_put_absent_404_or_create.also("verbs-put-may-create").also("resource-uris-put-classified"),
    update_put_noop_keeps_rv,
    update_several_mechanisms,
];

async fn update_put_overwrites(stored: StoredObject) -> Checked {
    let put = stored.put(&stored.body("second")).await?;

    put.expect(put.succeeded(), "success", put.brief())?;
    stored.expect_value("second").await
}

async fn update_put_removes_omitted_fields(cx: Context, collection: Collection) -> Checked {
    let mut body = collection.body(NAME, "first");
    body["metadata"]["labels"]["kept"] = "yes".into();
    let mut less = body.clone();
    body["metadata"]["labels"]["omitted"] = "yes".into();
    body["metadata"]["annotations"]["omitted"] = "yes".into();
    if body["data"].is_object() {
        // Text for ConfigMaps, and base64 for Secrets.
        body["data"]["omitted"] = "eWVz".into();
    }
    // A garbage collector deletes objects whose owner does not exist.
    body["metadata"]["ownerReferences"] = json!([owner_reference(&collection.create("owner").await?)]);
    let created = collection.create_body(&body).await?;

    less["metadata"]["resourceVersion"] = created.version().into();
    cx.send(Request::put(collection.path_of(NAME), &less)).await?.expect_status(&[200])?;

    let got = collection.get(NAME).await?;
    let object = got.object()?;
    let field = |pointer: &str| object.json().pointer(pointer).unwrap_or(&Value::Null);
    got.expect(field("/metadata/labels/kept") == "yes", "the label kept: yes", "none")?;
    let omitted = [
        "/metadata/labels/omitted",
        "/metadata/annotations/omitted",
        "/metadata/ownerReferences/0",
        "/data/omitted",
    ];
    for pointer in omitted {
        let expected = format!("no {pointer}: the PUT omits it");
        got.expect(field(pointer).is_null(), expected, field(pointer).to_string())?;
    }
    Ok(())
}

async fn update_put_returns_new_state(stored: StoredObject) -> Checked {
    let put = stored.put(&stored.body("second")).await?;

    let (returned, before) = (put.object()?, stored.read.version());
    let expected = format!("a resourceVersion other than {before}");
    put.expect(returned.version() != before, expected, put.brief())?;
    let now = stored.again().await?.read;
    put.expect(returned.untyped() == now.untyped(), now.json().to_string(), returned.json().to_string())
}

async fn update_put_absent_404_or_create(cx: Context, collection: Collection) -> Checked {
    let path = collection.path_of(NAME);

    let put = cx.send(Request::put(&path, &collection.body(NAME, "first"))).await?;

    let got = collection.get(NAME).await?;
    if put.status() == 201 {
        return got.expect_status(&[200]);
    }
    // 422 where the server requires a resourceVersion before it looks for the object.
    put.expect_rejection(&[404, 422])?;
    got.expect_status(&[404])
}

async fn update_put_noop_keeps_rv(stored: StoredObject) -> Checked {
    let mut watch = stored.watch().await?;

    let put = stored.put(stored.read.json()).await?;

    let (before, after) = (stored.read.version(), put.object()?.version().to_owned());
    put.expect(
        after == before,
        format!("resourceVersion {before} as before: the PUT changes nothing"),
        after,
    )?;
    stored.expect_unchanged().await?;
    stored.expect_silence(&mut watch).await
}

async fn update_several_mechanisms(cx: Context, stored: StoredObject) -> Checked {
    stored.put(&stored.body("second")).await?.expect_status(&[200])?;
    stored.expect_value("second").await?;
    let patch = stored.patch(MERGE, &stored.collection.change("third"));
    cx.send(patch).await?.expect_status(&[200])?;

    stored.expect_value("third").await
}

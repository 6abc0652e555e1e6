//! Batches: one request writes one object.

use crate::prelude::*;

rows![
    single_create_rejects_list_body.namespaced(),
    single_create_rejects_json_array.namespaced(),
    single_create_yaml_multidoc_no_batch.namespaced(),
    single_get_one_name.namespaced(),
    single_update_not_on_collection.namespaced(),
    single_patch_not_on_collection.namespaced(),
    single_no_transactions.namespaced(),
];

/// A list of two objects, of this kind; not yet sent.
fn list(collection: &Collection, api_version: &str, kind: &str) -> Value {
    let items = [collection.body("b", "first"), collection.body("c", "first")];
    json!({ "apiVersion": api_version, "kind": kind, "metadata": {}, "items": items })
}

/// Neither of the objects that were sent at once is there.
async fn expect_none(collection: &Collection) -> Checked {
    for name in ["b", "c"] {
        collection.get(name).await?.expect_status(&[404])?;
    }
    Ok(())
}

/// A refusal with a code of the client's fault; to more than that the rules do not bind custom types.
fn expect_refused(stored: &StoredObject, answer: &Exchange, built_in: &[u16]) -> Checked {
    if stored.is_built_in() {
        return answer.expect_refusal(built_in).map(drop);
    }
    let refused = (400..500).contains(&answer.status());
    answer.expect(refused, "a refusal with 4xx", answer.brief())
}

async fn single_create_rejects_list_body(cx: Context, stored: StoredObject) -> Checked {
    let collection = &stored.collection;
    let (version, kind) =
        (collection.resource().api_version(), format!("{}List", collection.resource().kind));

    for body in [list(collection, &version, &kind), list(collection, "v1", "List")] {
        let created = cx.send(Request::post(collection.path(), &body)).await?;

        expect_refused(&stored, &created, &[400])?;
        expect_none(collection).await?;
    }
    Ok(())
}

async fn single_create_rejects_json_array(cx: Context, collection: Collection) -> Checked {
    let array = json!([collection.body("b", "first"), collection.body("c", "first")]);

    let created = cx.send(Request::post(collection.path(), &array)).await?;

    let refused = (400..500).contains(&created.status());
    created.expect(refused, "a refusal with 4xx", created.brief())?;
    expect_none(&collection).await
}

async fn single_create_yaml_multidoc_no_batch(cx: Context, collection: Collection) -> Checked {
    // JSON is YAML.
    let documents = format!("{}\n---\n{}\n", collection.body("b", "first"), collection.body("c", "first"));
    let mut create = Request::new(Method::POST, collection.path()).header("content-type", "application/yaml");
    create.body = Some(documents.into());

    cx.send(create).await?;

    let got = collection.get("c").await?;
    got.expect_status(&[200, 404])?;
    got.expect(got.status() == 404, "the first object, or none", "the second document was created as well")
}

async fn single_get_one_name(cx: Context, collection: Collection) -> Checked {
    collection.create_all(&["a", "b"]).await?;

    let got = cx.send(Request::get(collection.path_of("a,b"))).await?;

    got.expect_refusal(&[400, 404]).map(drop)
}

async fn single_update_not_on_collection(cx: Context, stored: StoredObject) -> Checked {
    let collection = &stored.collection;
    let kind = format!("{}List", collection.resource().kind);
    let mut body = list(collection, &collection.resource().api_version(), &kind);
    body["items"][0] = stored.body("second");

    let put = cx.send(Request::put(collection.path(), &body)).await?;

    expect_refused(&stored, &put, &[405])?;
    stored.expect_unchanged().await?;
    expect_none(collection).await
}

async fn single_patch_not_on_collection(cx: Context, stored: StoredObject) -> Checked {
    let patch = json!({ "metadata": { "labels": { "assay": "patched" } } });

    let patched = cx.send(Request::merge_patch(stored.collection.path(), &patch)).await?;

    expect_refused(&stored, &patched, &[400, 405])?;
    stored.expect_unchanged().await
}

async fn single_no_transactions(cx: Context, collection: Collection) -> Checked {
    let mut invalid = collection.body("b", "first");
    invalid["metadata"]["labels"]["assay"] = "with a space".into();
    let bodies = [(collection.body("a", "first"), 201), (invalid, 422), (collection.body("c", "first"), 201)];

    // On one connection, one after the other.
    for (body, status) in bodies {
        cx.send(Request::post(collection.path(), &body).connection(1)).await?.expect_status(&[status])?;
    }

    for (name, status) in [("a", 200), ("b", 404), ("c", 200)] {
        collection.get(name).await?.expect_status(&[status])?;
    }
    Ok(())
}

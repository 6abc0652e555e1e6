//! Batches: one request writes one object.

use crate::patch_types;
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

/// Two objects; not yet sent.
fn objects(collection: &Collection) -> [Value; 2] {
    ["b", "c"].map(|name| collection.body(name, "first"))
}

/// A list of the two objects, in the list kind of the type.
fn list(collection: &Collection) -> Value {
    let resource = collection.resource();
    let kind = format!("{}List", resource.kind);
    json!({ "apiVersion": resource.api_version(), "kind": kind, "metadata": {}, "items": objects(collection) })
}

/// Neither of the two objects exists.
async fn expect_none(collection: &Collection) -> Checked {
    expect_absent(collection, "b").await?;
    expect_absent(collection, "c").await
}

/// A built-in type rejects the request with these codes, a custom type with any 4xx.
fn expect_rejected(stored: &StoredObject, response: &Exchange, built_in: &[u16]) -> Checked {
    if stored.is_built_in() {
        return response.expect_rejection(built_in).map(drop);
    }
    expect_client_error(response)
}

fn expect_client_error(response: &Exchange) -> Checked {
    response.expect((400..500).contains(&response.status()), "a rejection with 4xx", response.brief())
}

async fn single_create_rejects_list_body(cx: Context, stored: StoredObject) -> Checked {
    let collection = &stored.collection;
    let mut of_any_kind = list(collection);
    of_any_kind["apiVersion"] = "v1".into();
    of_any_kind["kind"] = "List".into();

    for body in [list(collection), of_any_kind] {
        let created = cx.send(Request::post(collection.path(), &body)).await?;

        expect_rejected(&stored, &created, &[400])?;
        expect_none(collection).await?;
    }
    Ok(())
}

async fn single_create_rejects_json_array(cx: Context, collection: Collection) -> Checked {
    let created = cx.send(Request::post(collection.path(), &json!(objects(&collection)))).await?;

    expect_client_error(&created)?;
    expect_none(&collection).await
}

async fn single_create_yaml_multidoc_no_batch(cx: Context, collection: Collection) -> Checked {
    // JSON is valid YAML.
    let documents = objects(&collection).map(|object| object.to_string()).join("\n---\n");
    let create = Request::new(Method::POST, collection.path());

    cx.send(patch_types::raw(create, "application/yaml", &documents)).await?;

    let got = collection.get("c").await?;
    got.expect_status(&[200, 404])?;
    got.expect(got.status() == 404, "the first object, or none", "the object of the second document")
}

async fn single_get_one_name(cx: Context, collection: Collection) -> Checked {
    collection.create_all(&["a", "b"]).await?;

    let got = cx.send(Request::get(collection.path_of("a,b"))).await?;

    got.expect_rejection(&[400, 404]).map(drop)
}

async fn single_update_not_on_collection(cx: Context, stored: StoredObject) -> Checked {
    let mut body = list(&stored.collection);
    body["items"][0] = stored.body("second");

    let put = cx.send(Request::put(stored.collection.path(), &body)).await?;

    expect_rejected(&stored, &put, &[405])?;
    stored.expect_unchanged().await?;
    expect_none(&stored.collection).await
}

async fn single_patch_not_on_collection(cx: Context, stored: StoredObject) -> Checked {
    let patch = json!({ "metadata": { "labels": { "assay": "patched" } } });

    let patched = cx.send(Request::merge_patch(stored.collection.path(), &patch)).await?;

    expect_rejected(&stored, &patched, &[400, 405])?;
    stored.expect_unchanged().await
}

async fn single_no_transactions(cx: Context, collection: Collection) -> Checked {
    let mut invalid = collection.body("b", "first");
    invalid["metadata"]["labels"]["assay"] = "with a space".into();
    let bodies = [(collection.body("a", "first"), 201), (invalid, 422), (collection.body("c", "first"), 201)];

    // In order, on one connection.
    for (body, status) in bodies {
        cx.send(Request::post(collection.path(), &body).connection(1)).await?.expect_status(&[status])?;
    }

    for (name, status) in [("a", 200), ("b", 404), ("c", 200)] {
        collection.get(name).await?.expect_status(&[status])?;
    }
    Ok(())
}

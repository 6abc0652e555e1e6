//! Bodies with a missing or wrong `apiVersion` or kind.

use crate::api_resources;
use crate::deletion::expect_invalid;
use crate::fields::without;
use crate::prelude::*;

rows![
    kinds_mismatching_kind_refused,
    kinds_status_kind_not_persisted,
    kinds_identity_may_default_from_url.own_kinds(),
];

async fn kinds_mismatching_kind_refused(cx: Context) -> Checked {
    // 422 for custom resources, where built-in types return 400.
    let stored = StoredObject::create(&cx).await?;
    let collection = &stored.collection;
    let mut body = collection.body("b", "first");
    body["kind"] = collection.resource().another_kind().into();

    let refused = cx.send(Request::post(collection.path(), &body)).await?;

    if refused.status() == 422 && !stored.is_built_in() {
        expect_invalid(&refused, "kind")?;
    } else {
        refused.expect_error(&[400], &["BadRequest"])?;
    }
    expect_absent(collection, "b").await
}

async fn kinds_status_kind_not_persisted(cx: Context, collection: Collection) -> Checked {
    if api_resources::once(&collection) {
        expect_no_resource_of_kind_status(&cx).await?;
    }
    let body =
        json!({ "kind": "Status", "apiVersion": "v1", "metadata": { "name": collection.name_of(NAME) } });

    let refused = cx.send(Request::post(collection.path(), &body)).await?;

    refused.expect_error(&[400], &["BadRequest"])?;
    expect_absent(&collection, NAME).await
}

async fn expect_no_resource_of_kind_status(cx: &Context) -> Checked {
    let documents = api_resources::discovered(cx).await?;
    // The definition of a custom type may have any kind.
    let own = documents.iter().filter(|(root, _)| api_resources::is_of_the_project(root));
    for (root, found) in own {
        let stored = |resource: &&Value| {
            resource["kind"] == "Status" && resource["name"].as_str().is_some_and(|name| !name.contains('/'))
        };
        if let Some(status) = api_resources::resources(found).find(stored) {
            return Err(found.fail(format!("no resource of kind Status at {root}"), status.to_string()));
        }
    }
    Ok(())
}

async fn kinds_identity_may_default_from_url(cx: Context, collection: ConfigMaps) -> Checked {
    let body = without(without(collection.body(NAME, "first"), "kind"), "apiVersion");

    let created = cx.send(Request::post(collection.path(), &body)).await?;

    if created.status() == 400 {
        created.expect_error(&[400], &["BadRequest"])?;
        return expect_absent(&collection, NAME).await;
    }
    created.expect_status(&[201])?;
    for response in [created, collection.get(NAME).await?] {
        response.expect_values(&[("/kind", json!("ConfigMap")), ("/apiVersion", json!("v1"))])?;
    }
    Ok(())
}

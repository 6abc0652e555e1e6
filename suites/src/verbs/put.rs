//! PUT.

use crate::api_resources;
use crate::deployments;
use crate::field_validation::preserve_unknown_fields;
use crate::fields::remove;
use crate::object_fixture::owner_reference;
use crate::prelude::*;
use crate::unchanged_object::{content, expect_same_content};

rows![verbs_put_refuses_partial_object.own_kinds(), verbs_read_modify_write_works, verbs_put_updates];

async fn verbs_put_refuses_partial_object(cx: Context) -> Checked {
    let outcomes = [partial_deployment(&cx).await, partial_custom_resource(&cx).await];
    let mut skipped = Vec::new();
    for outcome in outcomes {
        match outcome {
            Err(Halt::Skipped(why)) => skipped.push(why),
            other => other?,
        }
    }
    if skipped.len() == 2 { Err(Halt::Skipped(skipped.join("; "))) } else { Ok(()) }
}

async fn partial_deployment(cx: &Context) -> Checked {
    let collection = deployments::collection(cx).await?;
    collection.create_body(&deployments::body("a")).await?;
    // Without a resourceVersion: a controller may have changed the Deployment.
    expect_invalid_without(cx, &collection, deployments::body("a"), "template").await
}

async fn partial_custom_resource(cx: &Context) -> Checked {
    let collection = cx.open_custom_resources().await?;
    let created = collection.create_body(&preserve_unknown_fields::body(&collection, "a", &1.into())).await?;
    expect_invalid_without(cx, &collection, created.json().clone(), "size").await
}

/// A PUT without a required field of the spec is invalid, and changes nothing.
async fn expect_invalid_without(
    cx: &Context,
    collection: &Collection,
    mut body: Value,
    field: &str,
) -> Checked {
    let before = collection.get("a").object().await?;
    remove(&mut body["spec"], field);

    let response = cx.send(Request::put(collection.path_of("a"), &body)).await?;

    let status = response.expect_error(&[422], &["Invalid"])?;
    let causes = status["details"]["causes"].to_string();
    response.expect(causes.contains(field), format!("a cause at spec.{field}"), &causes)?;
    expect_same_content(collection, "a", &before).await
}

async fn verbs_read_modify_write_works(stored: StoredObject) -> Checked {
    let mut body = stored.read.with(&json!({ "metadata": { "labels": { "assay": "changed" } } }))?;
    // More than one owner, and bytes: a store with columns may have no place for them. The owners exist, because a garbage
    // collector deletes objects without one.
    let owners = stored.collection.create_all(&["b", "c"]).await?;
    body["metadata"]["ownerReferences"] = owners.iter().map(owner_reference).collect();
    if api_resources::once(&stored.collection) {
        body["binaryData"] = json!({ "bytes": "AAEC/w==" });
    }

    let put = stored.put(&body).await?;

    put.expect_status(&[200])?;
    let expected: Value = content(&Object::new(body));
    for response in [put, stored.get().await?] {
        let actual = content(&response.object()?);
        response.expect(actual == expected, expected.to_string(), actual.to_string())?;
    }
    Ok(())
}

async fn verbs_put_updates(stored: StoredObject) -> Checked {
    let put = stored.put(&stored.body("second")).await?;

    put.expect_status(&[200])?;
    stored.expect_value("second").await?;
    let (returned, now) = (put.object()?.untyped(), stored.again().await?.read.untyped());
    put.expect(returned == now, format!("the stored object: {now}"), returned.to_string())
}

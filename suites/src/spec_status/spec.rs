//! The spec, complete and readable after each write.

use super::sent_and_returned;
use crate::patch_types;
use crate::prelude::*;

rows![
    spec_status_spec_returned_complete.with_status(),
    spec_status_spec_persisted.with_status(),
    spec_status_spec_visible_immediately,
    spec_status_put_same_input_idempotent,
];

async fn spec_status_spec_returned_complete(collection: Collection) -> Checked {
    let mut body = collection.body(NAME, "first");
    let (sent, defaults) = complete(&collection);
    let template = sent_and_returned::without_nothings(&body["spec"]);
    patch_types::merge_in(&mut body["spec"], &sent);
    collection.create_body(&body).await?;

    let got = collection.get(NAME).await?;

    let object = got.object()?;
    let mut missing = Vec::new();
    for expected in [&template, &sent, &defaults] {
        sent_and_returned::lacking(expected, &object.json()["spec"], "spec", &mut missing);
    }
    got.expect(
        missing.is_empty(),
        "the spec of the request, and the defaults of the type",
        missing.join(", "),
    )
}

/// Zero values that differ from the default, as far as the type is known, and the defaults of other fields.
fn complete(collection: &Collection) -> (Value, Value) {
    let resource = collection.resource();
    match resource.plural.as_str() {
        "deployments" if resource.group == "apps" => (
            json!({ "replicas": 0, "minReadySeconds": 7 }),
            json!({ "revisionHistoryLimit": 10, "strategy": { "type": "RollingUpdate" } }),
        ),
        "gadgets" if resource.group.ends_with(".kube-assay.dev") => (
            json!({
                "replicas": 0, "size": 0, "free": { "enabled": false, "text": "", "list": [] }, "style": { "size": 0 },
            }),
            json!({ "style": { "colour": "red" } }),
        ),
        _ => (json!({}), json!({})),
    }
}

/// Number of connections.
const CONNECTIONS: u8 = 4;

async fn spec_status_spec_persisted(stored: StoredObject) -> Checked {
    let spec = &stored.read.json()["spec"];

    for connection in 1..=CONNECTIONS {
        let got = stored.get().with(|request| request.connection(connection)).await?;
        let actual = got.object()?.json()["spec"].clone();
        got.expect(actual == *spec, format!("the spec as created: {spec}"), actual.to_string())?;
    }
    Ok(())
}

/// Number of writes, each followed by a read.
const WRITES: usize = 100;

async fn spec_status_spec_visible_immediately(cx: Context, collection: Collection) -> Checked {
    let mut written = collection.create(NAME).await?;
    for write in 0..WRITES {
        let value = format!("value-{write}");
        let mut body = collection.body(NAME, &value);
        body["metadata"]["resourceVersion"] = written.version().into();
        written = cx.send(Request::put(collection.path_of(NAME), &body)).await?.written()?;

        let got = collection.get(NAME).with(|request| request.connection(1)).await?;
        let object = got.object()?;
        let expected = format!("{value:?}, as in the response to the last PUT");
        got.expect(object.value() == value, expected, format!("{:?}", object.value()))?;
    }
    Ok(())
}

async fn spec_status_put_same_input_idempotent(cx: Context, mut stored: StoredObject) -> Checked {
    let mut body = stored.body("second");
    let first = stored.put(&body).await?.written()?;
    body["metadata"]["resourceVersion"] = first.version().into();

    let again = cx.send(Request::put(stored.path(), &body)).await?;

    let second = again.object()?;
    for field in ["generation", "resourceVersion"] {
        let (before, after) = (&first.json()["metadata"][field], &second.json()["metadata"][field]);
        again.expect(before == after, format!("{field} {before} as before"), after.to_string())?;
    }
    stored.read = first;
    stored.expect_unchanged().await
}

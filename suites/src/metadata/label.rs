//! Labels: values and syntax of keys.

use serde_json::Map;

use crate::deletion::expect_invalid;
use crate::patch_types::merge_in;
use crate::prelude::*;
use crate::unchanged_object::expect_absent;

rows![
    metadata_labels_string_map,
    metadata_labels_non_string_refused,
    metadata_label_key_syntax,
    metadata_label_value_syntax,
    metadata_labels_owned_by_users,
];

/// An object with this entry in a map of its metadata; not yet sent.
pub(super) fn with(collection: &Collection, name: &str, map: &str, (key, value): (&str, &str)) -> Request {
    let mut body = collection.body(name, "first");
    body["metadata"][map][key] = value.into();
    Request::post(collection.path(), &body)
}

/// An answer shows these entries in a map of an object's metadata, as they are here. The server may add others.
pub(super) fn expect_kept(answer: &Exchange, map: &str, sent: &[(&str, &str)]) -> Checked {
    let shown = answer.object()?.json()["metadata"][map].clone();
    for (key, value) in sent {
        let expected: String = format!("{map} with {key}: {value:?}").chars().take(300).collect();
        let actual: String = shown[*key].to_string().chars().take(300).collect();
        answer.expect(shown[*key] == *value, expected, actual)?;
    }
    Ok(())
}

/// These entries in a map of an object's metadata.
pub(super) fn entries(sent: &[(&str, &str)]) -> Value {
    let entry = |(key, value): &(&str, &str)| ((*key).to_owned(), json!(value));
    Value::Object(sent.iter().map(entry).collect::<Map<_, _>>())
}

async fn metadata_labels_string_map(cx: Context, collection: Collection) -> Checked {
    let labels = [("a", "b"), ("example.com/x", "")];
    let mut body = collection.body("a", "first");
    for (key, value) in labels {
        body["metadata"]["labels"][key] = value.into();
    }

    let created = cx.send(Request::post(collection.path(), &body)).await?;

    expect_kept(&created, "labels", &labels)?;
    expect_kept(&*collection.get("a").await?, "labels", &labels)
}

async fn metadata_labels_non_string_refused(cx: Context, collection: Collection) -> Checked {
    let mut body = collection.body("a", "first");
    body["metadata"]["labels"]["a"] = 1.into();

    let refused = cx.send(Request::post(collection.path(), &body)).await?;

    refused.expect_refusal(&[400, 422])?;
    expect_absent(&collection, "a").await
}

async fn metadata_label_key_syntax(cx: Context, collection: Collection) -> Checked {
    let long = "a".repeat(64);

    for key in ["-a", "a/b/c", "/a", "Ex.com/a", &long] {
        let refused = cx.send(with(&collection, "a", "labels", (key, "b"))).await?;

        expect_invalid(&refused, "metadata.labels")?;
    }
    for (name, key) in [("b", "A_b.c"), ("c", "example.com/A")] {
        let accepted = cx.send(with(&collection, name, "labels", (key, "b"))).await?;

        expect_kept(&accepted, "labels", &[(key, "b")])?;
    }
    Ok(())
}

async fn metadata_label_value_syntax(cx: Context, collection: Collection) -> Checked {
    let long = "a".repeat(64);

    for value in ["a b", "-a", &long] {
        let refused = cx.send(with(&collection, "a", "labels", ("assay", value))).await?;

        expect_invalid(&refused, "metadata.labels")?;
    }
    for (name, value) in [("b", ""), ("c", "A_b.1")] {
        let accepted = cx.send(with(&collection, name, "labels", ("assay", value))).await?;

        expect_kept(&accepted, "labels", &[("assay", value)])?;
    }
    Ok(())
}

/// The server may add labels of its own; those of the user it leaves alone.
async fn metadata_labels_owned_by_users(cx: Context) -> Checked {
    const LABELS: [(&str, &str); 3] =
        [("plain", "One"), ("Mixed_Case", "two"), ("example.com/prefixed", "3")];
    let stored = StoredObject::create(&cx).await?;
    let label = json!({ "metadata": { "labels": entries(&LABELS) } });

    let patched = cx.send(stored.patch(MERGE, &label)).await?;
    let labelled = stored.again().await?;
    let mut body = labelled.body("second");
    merge_in(&mut body, &json!({ "metadata": { "labels": labelled.read.json()["metadata"]["labels"] } }));
    let put = labelled.put(&body).await?;

    for answer in [patched, put, stored.get().await?, stored.collection.get(NAME).at("0").await?] {
        expect_kept(&answer, "labels", &LABELS)?;
    }
    Ok(())
}

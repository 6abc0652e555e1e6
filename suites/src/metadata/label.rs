//! Labels, and the syntax that annotations share with them.

use serde_json::Map;

use crate::deletion::expect_invalid;
use crate::patch_types::merge_in;
use crate::prelude::*;

pub(super) fn rows() -> Vec<Row> {
    [
        table(SYNTAX, Kinds::All, syntax),
        vec![row!(metadata_labels_string_map), row!(metadata_labels_owned_by_users)],
    ]
    .concat()
}

/// A key and its value.
pub(super) type Entry<'a> = (&'a str, &'a str);

/// A map in the metadata, entries that the server must reject, and entries that it must accept.
type Syntax = (&'static str, &'static [Entry<'static>], &'static [Entry<'static>]);

/// As many characters as a name or a value may have: 63.
macro_rules! longest {
    () => {
        "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
    };
}

/// A prefix of 253 characters, the maximum; no part of it is longer than a part of a DNS name.
macro_rules! longest_prefix {
    () => {
        concat!(
            longest!(),
            ".",
            longest!(),
            ".",
            longest!(),
            ".c",
            "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
        )
    };
}

const LONGEST: &str = longest!();
const LONGEST_KEY: &str = concat!(longest_prefix!(), "/", longest!());

/// One character more than a name or a value may have.
const LONG: &str = concat!(longest!(), "a");

#[rustfmt::skip]
const SYNTAX: &[(&str, Syntax)] = &[
    ("metadata-label-key-syntax",
        ("labels", &[("-a", "b"), ("a/b/c", "b"), ("/a", "b"), ("Ex.com/a", "b"), (LONG, "b")], &[("A_b.c", "b"), ("example.com/A", "b"), (LONGEST, "b"), (concat!("example.com/", longest!()), "b"), (LONGEST_KEY, "b")])),
    ("metadata-label-value-syntax",
        ("labels", &[("assay", "a b"), ("assay", "-a"), ("assay", LONG)], &[("assay", ""), ("assay", "A_b.1"), ("assay", LONGEST)])),
    ("metadata-annotation-key-syntax",
        ("annotations", &[("a/b/c", "b"), ("a b", "b")], &[("Example.COM/Key", "b")])),
];

async fn syntax(cx: Context, (map, invalid, valid): Syntax) -> Checked {
    let collection = cx.collection_under_test().await?;

    for &entry in invalid {
        let response = cx.send(post(&collection, "a", map, entry)).await?;

        expect_invalid(&response, &format!("metadata.{map}"))?;
    }
    for (name, &entry) in ["b", "c", "d", "e", "f"].into_iter().zip(valid) {
        let response = cx.send(post(&collection, name, map, entry)).await?;

        expect_stored(&collection, name, &response, map, &[entry]).await?;
    }
    Ok(())
}

/// The create of an object with this entry in a map of its metadata; not yet sent.
pub(super) fn post(collection: &Collection, name: &str, map: &str, (key, value): Entry<'_>) -> Request {
    post_with(collection, name, |body| body["metadata"][map][key] = value.into())
}

/// The response has exactly these entries in a map of the object's metadata. The server may add others.
pub(super) fn expect_entries(response: &Exchange, map: &str, sent: &[Entry<'_>]) -> Checked {
    let returned = response.object()?.json()["metadata"][map].clone();
    for (key, value) in sent {
        let expected: String = format!("{map} with {key}: {value:?}").chars().take(300).collect();
        let actual: String = returned[*key].to_string().chars().take(300).collect();
        response.expect(returned[*key] == *value, expected, actual)?;
    }
    Ok(())
}

/// The response and a later GET have these entries.
pub(super) async fn expect_stored(
    collection: &Collection,
    name: &str,
    response: &Exchange,
    map: &str,
    sent: &[Entry<'_>],
) -> Checked {
    expect_entries(response, map, sent)?;
    expect_entries(&*collection.get(name).await?, map, sent)
}

/// A merge patch that sets these entries of a map in the metadata.
pub(super) fn set(map: &str, sent: &[Entry<'_>]) -> Value {
    let entry = |(key, value): &Entry<'_>| ((*key).to_owned(), json!(value));
    json!({ "metadata": { map: Value::Object(sent.iter().map(entry).collect::<Map<_, _>>()) } })
}

async fn metadata_labels_string_map(cx: Context, collection: Collection) -> Checked {
    let labels = [("a", "b"), ("example.com/x", "")];
    let post = post_with(&collection, NAME, |body| merge_in(body, &set("labels", &labels)));

    let response = cx.send(post).await?;

    expect_stored(&collection, NAME, &response, "labels", &labels).await
}

/// The server may add labels of its own, but keeps those of the user.
async fn metadata_labels_owned_by_users(cx: Context, stored: StoredObject) -> Checked {
    let labels = [("plain", "One"), ("Mixed_Case", "two"), ("example.com/prefixed", "3")];

    let patch = cx.send(stored.patch(MERGE, &set("labels", &labels))).await?;
    let labelled = stored.again().await?;
    let mut body = labelled.body("second");
    merge_in(&mut body, &json!({ "metadata": { "labels": labelled.read.json()["metadata"]["labels"] } }));
    let put = labelled.put(&body).await?;

    for response in [patch, put, stored.get().await?, stored.get().at("0").await?] {
        expect_entries(&response, "labels", &labels)?;
    }
    Ok(())
}

//! The object of a bookmark event.

use super::bookmarked_watch::{BookmarkedWatch, changed, marking, next, none};
use crate::prelude::*;

rows![
    bookmarks_object_type.namespaced(),
    bookmarks_only_rv.namespaced(),
    bookmarks_representation.namespaced(),
];

async fn bookmarks_object_type(cx: Context) -> Checked {
    let BookmarkedWatch { collection, mut watch, bookmark, .. } = BookmarkedWatch::arrange(&cx).await?;

    let resource = collection.resource();
    let expected = format!("a bookmark of {} {}", resource.api_version(), resource.kind);
    let (kind, version) = (&bookmark.json()["kind"], &bookmark.json()["apiVersion"]);
    if *kind == resource.kind && *version == resource.api_version() {
        return Ok(());
    }
    Err(watch.fail(expected, format!("one of {version} {kind}")))
}

async fn bookmarks_only_rv(cx: Context) -> Checked {
    let BookmarkedWatch { mut watch, bookmark, .. } = BookmarkedWatch::arrange(&cx).await?;

    expect_nothing_but_a_version(&mut watch, &bookmark)
}

/// A server need not know either form: then it refuses the watch.
async fn bookmarks_representation(cx: Context) -> Checked {
    let (collection, begun) = changed(&cx).await?;
    let mut watches = Vec::new();
    for form in ["PartialObjectMetadata", "Table"] {
        let accept = format!("application/json;as={form};g=meta.k8s.io;v=v1");
        let watch = marking(collection.watch().at(&begun)).with(|request| request.accept(&accept));
        match watch.opening().await? {
            Opening::Watch(watch) => watches.push((form, *watch)),
            Opening::Refused(refused) => cx.note(format!("{form} is not to be had: {}", refused.brief())),
        }
    }

    let marked = watches.into_iter().map(|(form, watch)| expect_in_form(&cx, form, watch));
    let marked = cx.aside(try_join_all(marked)).await?;

    if marked.contains(&true) { Ok(()) } else { Err(none(&cx)) }
}

/// Whether a bookmark came, which must then be of this form.
async fn expect_in_form(cx: &Context, form: &str, mut watch: Watch) -> Result<bool, Halt> {
    while let Some(event) = next(cx, &mut watch).await? {
        let (kind, version) = (&event.object.json()["kind"], &event.object.json()["apiVersion"]);
        if event.kind != "BOOKMARK" {
            continue;
        }
        if kind != form || !version.as_str().is_some_and(|version| version.starts_with("meta.k8s.io/")) {
            return Err(watch.fail(format!("a bookmark of kind {form}"), format!("one of {version} {kind}")));
        }
        if form != "Table" {
            expect_nothing_but_a_version(&mut watch, &event.object)?;
        }
        return Ok(true);
    }
    Ok(false)
}

/// What objects of our types hold beside their version. Fields that we do not know are none of these.
const CONTENT: &[&str] = &[
    "/metadata/name",
    "/metadata/generateName",
    "/metadata/namespace",
    "/metadata/uid",
    "/metadata/generation",
    "/metadata/creationTimestamp",
    "/metadata/deletionTimestamp",
    "/metadata/labels",
    "/metadata/annotations",
    "/metadata/ownerReferences",
    "/metadata/finalizers",
    "/metadata/managedFields",
    "/data",
    "/binaryData",
    "/spec",
    "/status",
];

fn expect_nothing_but_a_version(watch: &mut Watch, bookmark: &Object) -> Checked {
    if bookmark.version().is_empty() {
        return Err(watch.fail("a bookmark with a resourceVersion", bookmark.json().to_string()));
    }
    let there = |path: &&&str| bookmark.json().pointer(path).is_some_and(|value| !is_zero(value));
    match CONTENT.iter().find(there) {
        None => Ok(()),
        Some(path) => {
            let value = bookmark.json().pointer(path).unwrap_or(&Value::Null);
            Err(watch.fail("a bookmark without any content but its version", format!("{path}: {value}")))
        }
    }
}

/// Whether a value is what a field is that nobody has set.
fn is_zero(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Bool(value) => !value,
        Value::Number(value) => value.as_f64() == Some(0.0),
        Value::String(value) => value.is_empty(),
        Value::Array(values) => values.is_empty(),
        Value::Object(fields) => fields.values().all(is_zero),
    }
}

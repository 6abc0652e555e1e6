//! The object of a bookmark event.

use super::bookmarked_watch::{BookmarkedWatch, changed, next, none, with_bookmarks};
use crate::prelude::*;

rows![
    bookmarks_object_type.namespaced().waits(),
    bookmarks_only_rv.namespaced().waits(),
    bookmarks_representation.namespaced().waits(),
];

async fn bookmarks_object_type(cx: Context) -> Checked {
    let BookmarkedWatch { collection, mut watch, bookmark, .. } = BookmarkedWatch::arrange(&cx).await?;

    let resource = collection.resource();
    let expected = format!("a bookmark of {} {}", resource.api_version(), resource.kind);
    let (kind, version) = (&bookmark.json()["kind"], &bookmark.json()["apiVersion"]);
    let right = *kind == resource.kind && *version == resource.api_version();
    watch.expect_that(right, expected, format!("a bookmark of {version} {kind}"))
}

async fn bookmarks_only_rv(cx: Context) -> Checked {
    let BookmarkedWatch { mut watch, bookmark, .. } = BookmarkedWatch::arrange(&cx).await?;

    expect_nothing_but_a_version(&mut watch, &bookmark)
}

/// Both forms are optional.
async fn bookmarks_representation(cx: Context) -> Checked {
    let (collection, version) = changed(&cx).await?;
    let mut watches = Vec::new();
    for form in ["PartialObjectMetadata", "Table"] {
        let accept = format!("application/json;as={form};g=meta.k8s.io;v=v1");
        let watch = with_bookmarks(collection.watch().at(&version)).with(|request| request.accept(&accept));
        match watch.opening().await? {
            Opening::Watch(watch) => watches.push((form, *watch)),
            Opening::Rejected(refused) => {
                cx.note(format!("the server rejects a watch as {form}: {}", refused.brief()));
            }
        }
    }

    let bookmarked = watches.into_iter().map(|(form, watch)| expect_in_form(&cx, form, watch));
    let bookmarked = cx.yield_place_while(try_join_all(bookmarked)).await?;

    if bookmarked.contains(&true) { Ok(()) } else { Err(none(&cx)) }
}

/// Whether a bookmark arrives, which must then be of this form.
async fn expect_in_form(cx: &Context, form: &str, mut watch: Watch) -> Result<bool, Halt> {
    while let Some(event) = next(cx, &mut watch).await? {
        let (kind, version) = (&event.object.json()["kind"], &event.object.json()["apiVersion"]);
        if event.kind != "BOOKMARK" {
            continue;
        }
        if kind != form || !version.as_str().is_some_and(|version| version.starts_with("meta.k8s.io/")) {
            let actual = format!("a bookmark of {version} {kind}");
            return Err(watch.fail(format!("a bookmark of meta.k8s.io {form}"), actual));
        }
        if form != "Table" {
            expect_nothing_but_a_version(&mut watch, &event.object)?;
        }
        return Ok(true);
    }
    Ok(false)
}

/// The content of objects of the tested types. Unknown fields are legal.
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
    let present = |path: &&&str| bookmark.json().pointer(path).is_some_and(|value| !is_zero(value));
    match CONTENT.iter().find(present) {
        None => Ok(()),
        Some(path) => {
            let value = bookmark.json().pointer(path).unwrap_or(&Value::Null);
            Err(watch
                .fail("a bookmark with a resourceVersion and no other content", format!("{path}: {value}")))
        }
    }
}

/// Whether a value is the zero value of its type.
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

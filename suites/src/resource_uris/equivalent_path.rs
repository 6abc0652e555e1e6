//! Paths in another spelling: each names the same object, or none.

use super::{expect_same, expect_same_or_rejected};
use crate::names;
use crate::prelude::*;

rows![
    resource_uris_percent_encoding,
    resource_uris_path_decoded_once,
    resource_uris_encoded_dot_segments,
    resource_uris_name_with_dots.namespaced(),
    resource_uris_trailing_slash.namespaced(),
    resource_uris_empty_segment.namespaced(),
    resource_uris_case_sensitive,
];

/// The path of the object with its last character in this form.
fn spelled(stored: &StoredObject, form: impl Fn(u8) -> String) -> String {
    let mut path = stored.path();
    let last = path.pop().unwrap_or_default();
    path + &u8::try_from(last).map(form).unwrap_or_default()
}

async fn resource_uris_percent_encoding(cx: Context, stored: StoredObject) -> Checked {
    let got = cx.send(Request::get(spelled(&stored, |last| format!("%{last:02X}")))).await?;

    expect_same(&got, &stored.read)
}

async fn resource_uris_path_decoded_once(cx: Context, stored: StoredObject) -> Checked {
    let encoded_twice = spelled(&stored, |last| format!("%25{last:02X}"));

    for path in [encoded_twice, format!("{}%3Fpretty", stored.path()), format!("{}%23a", stored.path())] {
        cx.send(Request::get(path)).await?.expect_status(&[400, 404])?;
    }
    Ok(())
}

/// With encoded slashes: an HTTP client resolves `..` between slashes itself.
async fn resource_uris_encoded_dot_segments(cx: Context, stored: StoredObject) -> Checked {
    let path = format!("{}/b%2F..%2F{}", stored.collection.path(), stored.read.name());

    let got = cx.send(Request::get(path)).await?;

    got.expect(!got.succeeded(), "no object: the path has encoded slashes", got.brief())
}

async fn resource_uris_name_with_dots(cx: Context, stored: StoredObject) -> Checked {
    let collection = &stored.collection;
    names::require_subdomains(collection.resource())?;
    let body = collection.body("a.json", "first");
    let created = cx.send(Request::post(collection.path(), &body)).await?;
    // A type may require a label, which has no dots.
    if created.status() == 422 {
        return Err(Halt::skip(format!("{} have no names with dots", collection.resource().plural)));
    }

    expect_same(&*collection.get("a.json").await?, &created.written()?)?;
    expect_same(&*stored.get().await?, &stored.read)?;
    collection.get("a.yaml").await?.expect_status(&[404])
}

/// In the scenario's namespace only: a faulty server may take the deletion for one of the collection.
async fn resource_uris_trailing_slash(cx: Context, stored: StoredObject) -> Checked {
    stored.collection.create("b").await?;
    let path = format!("{}/", stored.path());

    expect_same_or_rejected(&*cx.send(Request::get(&path)).await?, &stored.read)?;
    cx.send(Request::delete(path)).await?;
    stored.collection.get("b").await?.expect_status(&[200])
}

async fn resource_uris_empty_segment(cx: Context, stored: StoredObject) -> Checked {
    let path = format!("{}//{NAME}", stored.collection.path());

    expect_same_or_rejected(&*cx.send(Request::get(path)).await?, &stored.read)
}

async fn resource_uris_case_sensitive(cx: Context, collection: Collection) -> Checked {
    let Resource { plural, kind, .. } = collection.resource();
    let path = collection.path();
    let root = path.strip_suffix(plural.as_str()).unwrap_or(&path);

    for other in [plural.to_uppercase(), kind.clone()] {
        cx.send(Request::get(format!("{root}{other}")).query("limit", 1)).await?.expect_status(&[404])?;
    }
    Ok(())
}

//! Label selectors of lists and watches.

use super::{create_labelled, expect_items};
use crate::prelude::*;

pub(super) fn rows() -> Vec<Row> {
    [
        table(SELECTORS, Kinds::Namespaced, select),
        vec![
            row!(selectors_label_malformed_400).namespaced(),
            row!(selectors_label_applies_to_watch).namespaced(),
            row!(selectors_labels_usable_for_selection),
            row!(selectors_annotations_not_selectable).namespaced(),
        ],
    ]
    .concat()
}

/// Selectors, and the names of the objects that each selects.
type Selected = &'static [(&'static str, &'static [&'static str])];

/// The names of the objects are their labels: `tier` is `a`, `ab` (with `a` as prefix), `b`, empty or absent; `ax` has
/// `tier` `a` and `env` `x`.
#[rustfmt::skip]
const SELECTORS: &[(&str, Selected)] = &[
    ("selectors-label-equals", &[
        ("tier=a", &["a", "ax"]), ("tier==a", &["a", "ax"]), ("tier=", &["empty"])]),
    ("selectors-label-not-equals-includes-absent", &[
        ("tier!=a", &["ab", "b", "empty", "none"])]),
    ("selectors-label-in-set", &[
        ("tier in (a,b)", &["a", "ax", "b"]), ("tier in (b, ab)", &["ab", "b"])]),
    ("selectors-label-notin-includes-absent", &[
        ("tier notin (a)", &["ab", "b", "empty", "none"]), ("tier notin (a,b)", &["ab", "empty", "none"])]),
    ("selectors-label-exists", &[
        ("tier", &["a", "ab", "ax", "b", "empty"])]),
    ("selectors-label-not-exists", &[
        ("!tier", &["none"])]),
    ("selectors-label-comma-is-and", &[
        ("tier=a,env=x", &["ax"]), ("tier in (a,b),env!=x", &["a", "b"]), ("tier,env!=x", &["a", "ab", "b", "empty"]),
        ("tier!=a,tier!=b", &["ab", "empty", "none"])]),
];

async fn create_all(collection: &Collection) -> Checked {
    for name in ["a", "ab", "b"] {
        create_labelled(collection, name, &json!({ "tier": name })).await?;
    }
    create_labelled(collection, "ax", &json!({ "tier": "a", "env": "x" })).await?;
    create_labelled(collection, "empty", &json!({ "tier": "" })).await?;
    collection.create("none").await.map(drop)
}

async fn select(cx: Context, selectors: Selected) -> Checked {
    let collection = cx.collection_under_test().await?;
    create_all(&collection).await?;

    for (selector, names) in selectors {
        expect_items(&*collection.list().labels(selector).await?, names)?;
    }
    Ok(())
}

const MALFORMED: [&str; 4] = ["a b c", "tier in a", "a=b=c", "-x=y"];

async fn selectors_label_malformed_400(cx: Context, collection: Collection) -> Checked {
    create_labelled(&collection, "a", &json!({ "tier": "a" })).await?;

    for selector in MALFORMED {
        collection.list().labels(selector).await?.expect_error(&[400], &["BadRequest"])?;
        let delete = Request::delete(collection.path()).query("labelSelector", selector);
        cx.send(delete.query("dryRun", "All")).await?.expect_error(&[400], &["BadRequest"])?;
    }
    collection.get("a").await?.expect_status(&[200])
}

async fn selectors_label_applies_to_watch(collection: Collection) -> Checked {
    let listed = collection.now().await?;
    let mut watch = collection.watch().labels("tier=a").at(&listed.version).open().await?;

    create_labelled(&collection, "other", &json!({ "tier": "b" })).await?;
    create_labelled(&collection, "a", &json!({ "tier": "a" })).await?;
    collection.patch("a", &json!({ "metadata": { "labels": { "tier": "b" } } })).await?;

    watch.expect("ADDED", "a").await?;
    watch.expect("DELETED", "a").await.map(drop)
}

async fn selectors_labels_usable_for_selection(collection: Collection) -> Checked {
    create_labelled(&collection, "a", &json!({ "example.com/Some.Key_1": "V.1" })).await?;
    collection.create("b").await?;

    for requirement in ["=V.1", " in (V.1)", ""] {
        let selector = format!("example.com/Some.Key_1{requirement}");
        let page = collection.list().labels(&selector).page().await?;
        // The collection of a type without namespaces has objects of others.
        let found = ["a", "b"].map(|name| page.item(&collection.name_of(name)).is_some());
        page.expect(found == [true, false], "a, and not b, which lacks the label", page.names().join(", "))?;
    }
    Ok(())
}

async fn selectors_annotations_not_selectable(collection: Collection) -> Checked {
    let mut body = collection.body("a", "first");
    body["metadata"]["annotations"]["tier"] = json!("a");
    collection.create_body(&body).await?;

    let by_label = collection.list().labels("tier=a").await?;
    let by_field = collection.list().fields("metadata.annotations.tier=a").await?;

    expect_items(&by_label, &[])?;
    by_field.expect_error(&[400], &["BadRequest"]).map(drop)
}

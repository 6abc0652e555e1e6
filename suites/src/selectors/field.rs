//! Field selectors.

use super::{create_labelled, expect_items};
use crate::prelude::*;

rows![
    selectors_field_filter_supported.namespaced(),
    selectors_field_namespace.namespaced(),
    selectors_field_comma_is_and.namespaced(),
    selectors_field_unknown_400.namespaced(),
];

async fn selectors_field_filter_supported(collection: Collection) -> Checked {
    collection.create_all(&["a", "b"]).await?;

    let equal = collection.list().fields("metadata.name=a").await?;
    let not_equal = collection.list().fields("metadata.name!=a").await?;

    expect_items(&equal, &["a"])?;
    expect_items(&not_equal, &["b"]).map(drop)
}

async fn selectors_field_namespace(cx: Context, collection: Collection) -> Checked {
    collection.create_all(&["a", "b"]).await?;
    collection.within(&cx.another_namespace().await?).create("c").await?;

    let selector = format!("metadata.namespace={}", cx.namespace().await?);
    let listed = collection.everywhere().list().fields(&selector).await?;

    expect_items(&listed, &["a", "b"]).map(drop)
}

async fn selectors_field_comma_is_and(cx: Context, collection: Collection) -> Checked {
    for name in ["a", "b"] {
        create_labelled(&collection, name, &json!({ "tier": "x" })).await?;
    }
    collection.within(&cx.another_namespace().await?).create("a").await?;

    let namespace = cx.namespace().await?;
    for selector in [
        format!("metadata.namespace={namespace},metadata.name=a"),
        format!("metadata.name=a,metadata.namespace={namespace}"),
    ] {
        let listed = collection.everywhere().list().fields(&selector).await?;
        let page = expect_items(&listed, &["a"])?;
        let namespaces: Vec<_> = page.items.iter().map(Object::namespace).collect();
        page.expect(namespaces == [namespace], format!("a in {namespace} alone"), format!("{namespaces:?}"))?;
    }
    // Beside a label selector, both must hold.
    for (labels, names) in [("tier=x", &["a"][..]), ("tier!=x", &[])] {
        expect_items(&*collection.list().labels(labels).fields("metadata.name=a").await?, names)?;
    }
    Ok(())
}

async fn selectors_field_unknown_400(collection: Collection) -> Checked {
    collection.create("a").await?;

    let listed = collection.list().fields("spec.nosuch=x").await?;

    listed.expect_error(&[400], &["BadRequest"]).map(drop)
}

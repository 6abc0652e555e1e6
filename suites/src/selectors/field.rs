//! Field selectors.

use super::expect_items;
use crate::prelude::*;

rows![
    selectors_field_filter_supported.namespaced(),
    selectors_field_namespace.namespaced(),
    selectors_field_comma_is_and.namespaced(),
    selectors_field_unknown_400.namespaced(),
];

async fn selectors_field_filter_supported(collection: Collection) -> Checked {
    collection.create_all(&["a", "b"]).await?;

    let this = collection.list().fields("metadata.name=a").await?;
    let other = collection.list().fields("metadata.name!=a").await?;

    expect_items(&this, &["a"])?;
    expect_items(&other, &["b"]).map(drop)
}

async fn selectors_field_namespace(cx: Context, collection: Collection) -> Checked {
    collection.create_all(&["a", "b"]).await?;
    let elsewhere = collection.within(&cx.another_namespace().await?);
    elsewhere.create("c").await?;

    let only = format!("metadata.namespace={}", cx.namespace().await?);
    let listed = collection.everywhere().list().fields(&only).await?;

    expect_items(&listed, &["a", "b"]).map(drop)
}

async fn selectors_field_comma_is_and(cx: Context, collection: Collection) -> Checked {
    collection.create_all(&["a", "b"]).await?;
    let elsewhere = collection.within(&cx.another_namespace().await?);
    elsewhere.create("a").await?;

    let namespace = cx.namespace().await?;
    for only in [
        format!("metadata.namespace={namespace},metadata.name=a"),
        format!("metadata.name=a,metadata.namespace={namespace}"),
    ] {
        let listed = collection.everywhere().list().fields(&only).await?;
        let page = expect_items(&listed, &["a"])?;
        let shown: Vec<_> = page.items.iter().map(harness::Object::namespace).collect();
        page.expect(shown == [namespace], format!("a in {namespace} alone"), format!("{shown:?}"))?;
    }
    Ok(())
}

async fn selectors_field_unknown_400(collection: Collection) -> Checked {
    collection.create("a").await?;

    let listed = collection.list().fields("spec.nosuch=x").await?;

    listed.expect_error(&[400], &["BadRequest"]).map(drop)
}

//! Field selectors: the name and the namespace, which every object has.

use harness::{Context, Halt, Suite};

use super::expect_items;

/// Adds the scenarios of this file.
pub(super) fn add(suite: Suite) -> Suite {
    suite
        .scenario("selectors-field-filter-supported", a_name_selects_one_object)
        .scenario("selectors-field-namespace", a_namespace_selects_what_is_in_it)
        .scenario("selectors-field-comma-is-and", all_that_is_said_must_be_true)
        .scenario("selectors-field-unknown-400", what_nobody_can_select_by_is_refused)
}

async fn a_name_selects_one_object(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    things.create_all(&["a", "b"]).await?;

    let this = things.list().fields("metadata.name=a").await?;
    let other = things.list().fields("metadata.name!=a").await?;

    expect_items(&this, &["a"])?;
    expect_items(&other, &["b"]).map(drop)
}

async fn a_namespace_selects_what_is_in_it(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    things.create_all(&["a", "b"]).await?;
    let elsewhere = things.within(&cx.another_namespace().await?);
    elsewhere.create("c").await?;

    let only = format!("metadata.namespace={}", cx.namespace().await?);
    let listed = things.everywhere().list().fields(&only).await?;

    expect_items(&listed, &["a", "b"]).map(drop)
}

async fn all_that_is_said_must_be_true(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    things.create_all(&["a", "b"]).await?;
    let elsewhere = things.within(&cx.another_namespace().await?);
    elsewhere.create("a").await?;

    let namespace = cx.namespace().await?;
    for only in [
        format!("metadata.namespace={namespace},metadata.name=a"),
        format!("metadata.name=a,metadata.namespace={namespace}"),
    ] {
        let listed = things.everywhere().list().fields(&only).await?;
        let page = expect_items(&listed, &["a"])?;
        let shown: Vec<_> = page.items.iter().map(harness::Object::namespace).collect();
        page.expect(shown == [namespace], format!("a in {namespace} alone"), format!("{shown:?}"))?;
    }
    Ok(())
}

async fn what_nobody_can_select_by_is_refused(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    things.create("a").await?;

    let listed = things.list().fields("spec.nosuch=x").await?;

    listed.expect_error(&[400], &["BadRequest"]).map(drop)
}

//! Lists from the watch cache.

use super::changed_collection::five_things;
use super::rounds;
use crate::prelude::*;

rows![rv_cache_warming_429.own_kinds(), rv_list_from_snapshot_same_result.own_kinds()];

/// A changed definition has kube-apiserver build its cache anew.
async fn rv_cache_warming_429(cx: Context) -> Checked {
    let collection = cx.fresh_custom_resources().await?;
    collection.create_all(&["a", "b"]).await?;
    let resource = collection.resource();
    let definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    let definition = format!("{definitions}/{}.{}", resource.plural, resource.group);
    let change = json!({ "spec": { "names": { "categories": ["assay"] } } });
    let changed = cx.send(Request::merge_patch(&definition, &change)).await?;
    if !changed.succeeded() {
        return Err(cx.test_error(format!("change {definition}"), changed.brief()).into());
    }

    for _ in rounds() {
        let listed = cx.send_once(Request::get(collection.path())).await?;

        match listed.status() {
            200 => listed.page()?.expect_names(&["a", "b"])?,
            // What it says is judged wherever it occurs.
            429 => {}
            _ => cx.note(format!("while the definition changes: {}", listed.brief())),
        }
    }
    Ok(())
}

async fn rv_list_from_snapshot_same_result(cx: Context) -> Checked {
    let collection = five_things(&cx).await?;
    let first = collection.list().limit(2).page().await?;
    let mut known = vec![collection.now().await?];
    for round in rounds().take(8) {
        collection.write("b", &format!("write-{round}")).await?;
        collection.create(&format!("new-{round}")).await?;
        collection.delete(&format!("new-{round}")).await?;
        known.push(collection.now().await?);

        for before in &known {
            is_still_the_same(&collection, before).await?;
        }
    }
    let rest = collection.list().pages_after(&first, &[2]).await?;
    let shown: Vec<_> =
        [first.items.clone(), rest.iter().flat_map(|page| page.items.clone()).collect()].concat();
    Page { items: shown, ..first }.expect_items(&known[0].items)
}

async fn is_still_the_same(collection: &Collection, before: &Page) -> Checked {
    let list = collection.list().exactly(&before.version);
    let now = list.held_page().await?;
    now.expect_version(&before.version)?;
    now.expect_items(&before.items)
}

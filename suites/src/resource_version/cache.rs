//! Lists from the watch cache.

use super::changed_collection::FiveObjects;
use super::list::together;
use super::rounds;
use crate::definitions;
use crate::prelude::*;

rows![rv_cache_warming_429.own_kinds(), rv_list_from_snapshot_same_result.own_kinds()];

/// kube-apiserver builds its cache again after a change of the definition.
async fn rv_cache_warming_429(cx: Context) -> Checked {
    let collection = cx.fresh_custom_resources().await?;
    collection.create_all(&["a", "b"]).await?;
    let definition = definitions::path_of(collection.resource());
    let change = json!({ "spec": { "names": { "categories": ["assay"] } } });
    let changed = cx.send(Request::merge_patch(&definition, &change)).await?;
    if !changed.succeeded() {
        return Err(cx.test_error(format!("change {definition}"), changed.brief()).into());
    }

    for _ in rounds() {
        let listed = cx.send_once(Request::get(collection.path())).await?;

        match listed.status() {
            200 => listed.page()?.expect_names(&["a", "b"])?,
            // An invariant check judges the Status.
            429 => {}
            _ => cx.note(format!("while the definition changes: {}", listed.brief())),
        }
    }
    Ok(())
}

async fn rv_list_from_snapshot_same_result(FiveObjects(collection): FiveObjects) -> Checked {
    let first = collection.list().limit(2).page().await?;
    let mut lists = vec![collection.now().await?];
    for round in rounds().take(8) {
        collection.write("b", &format!("write-{round}")).await?;
        collection.create(&format!("new-{round}")).await?;
        collection.delete(&format!("new-{round}")).await?;
        lists.push(collection.now().await?);

        for before in &lists {
            let again = collection.list().exactly(&before.version).page_at_past_version().await?;
            again.expect_version(&before.version)?;
            again.expect_items(&before.items)?;
        }
    }
    let rest = collection.list().pages_after(&first, &[2]).await?;
    together(&first, &rest).expect_items(&lists[0].items)
}

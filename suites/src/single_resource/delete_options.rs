//! Options of a DELETE of a collection.

use super::delete_collection::{create_doomed, delete_doomed, expect_left};
use crate::prelude::*;

rows![
    single_deletecollection_limit.namespaced(),
    single_deletecollection_validates_list_options.namespaced(),
    single_deletecollection_preconditions_per_object.namespaced(),
];

/// The objects to delete.
const DOOMED: [&str; 5] = ["b", "c", "d", "e", "f"];

async fn single_deletecollection_limit(cx: Context, collection: Collection) -> Checked {
    create_doomed(&collection, &DOOMED).await?;
    collection.create_all(&["a", "z"]).await?;

    let deleted = cx.send(delete_doomed(&collection).query("limit", 2)).await?;

    deleted.expect_status(&[200])?;
    let page = collection.now().await?;
    let deleted = DOOMED.iter().filter(|name| page.item(name).is_none()).count();
    page.expect(
        [2, 5].contains(&deleted),
        "two or five of the matching objects deleted",
        deleted.to_string(),
    )?;
    let kept = ["a", "z"].iter().all(|name| page.item(name).is_some());
    page.expect(kept, "a and z: the selector does not match them", page.own_names().join(", "))
}

async fn single_deletecollection_validates_list_options(cx: Context, collection: Collection) -> Checked {
    create_doomed(&collection, &["a", "b"]).await?;
    let version = collection.now().await?.version;
    let delete = |name: &str, value: &str| delete_doomed(&collection).query(name, value);
    let requests = [
        (delete("resourceVersionMatch", "Exact"), 422),
        (delete("resourceVersionMatch", "Sometimes").query("resourceVersion", version), 422),
        (delete("limit", "abc"), 400),
        (Request::delete(collection.path()).query("labelSelector", "a in b"), 400),
    ];

    for (request, status) in requests {
        let list = Request { method: Method::GET, ..request.clone() };
        if cx.send(list).await?.succeeded() {
            cx.note(format!("{} not tested: a list accepts the parameters", request.path_and_query()));
            continue;
        }
        cx.send(request).await?.expect_rejection(&[status])?;
        expect_left(&collection, &["a", "b"]).await?;
    }
    Ok(())
}

async fn single_deletecollection_preconditions_per_object(cx: Context, collection: Collection) -> Checked {
    create_doomed(&collection, &["a", "b"]).await?;
    let uid = collection.get("a").await?.written()?.metadata("uid").to_owned();
    let body = json!({ "kind": "DeleteOptions", "apiVersion": "v1", "preconditions": { "uid": uid } });

    let deleted = cx.send(delete_doomed(&collection).json("application/json", &body)).await?;

    let page = collection.now().await?;
    let legal = deleted.status() == 200 || (400..500).contains(&deleted.status());
    deleted.expect(legal, "HTTP 200, or a rejection with 4xx", deleted.brief())?;
    let kept = page.item("b").is_some();
    page.expect(kept, format!("b: its uid is not {uid}"), page.own_names().join(", "))
}

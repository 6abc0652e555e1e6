//! Options of a DELETE of a collection.

use super::delete_collection::{create_doomed, delete_doomed, expect_left};
use crate::prelude::*;

rows![
    single_deletecollection_limit.namespaced(),
    single_deletecollection_validates_list_options.namespaced(),
    single_deletecollection_preconditions_per_object.namespaced(),
];

/// All that are to go.
const DOOMED: [&str; 5] = ["b", "c", "d", "e", "f"];

async fn single_deletecollection_limit(cx: Context, collection: Collection) -> Checked {
    create_doomed(&collection, &DOOMED).await?;
    collection.create_all(&["a", "z"]).await?;

    let deleted = cx.send(delete_doomed(&collection).query("limit", 2)).await?;

    deleted.expect_status(&[200])?;
    let page = collection.now().await?;
    let gone = DOOMED.iter().filter(|name| page.item(name).is_none()).count();
    page.expect([2, 5].contains(&gone), "two or five of those that match gone", gone.to_string())?;
    let left = ["a", "z"].iter().all(|name| page.item(name).is_some());
    page.expect(left, "a and z left: they do not match", page.own_names().join(", "))
}

async fn single_deletecollection_validates_list_options(cx: Context, collection: Collection) -> Checked {
    create_doomed(&collection, &["a", "b"]).await?;
    let version = collection.now().await?.version;
    let unheard = |name: &str, value: &str| delete_doomed(&collection).query(name, value);
    let requests = [
        (unheard("resourceVersionMatch", "Exact"), 422),
        (unheard("resourceVersionMatch", "Sometimes").query("resourceVersion", version), 422),
        (unheard("limit", "abc"), 400),
        (Request::delete(collection.path()).query("labelSelector", "a in b"), 400),
    ];

    for (request, status) in requests {
        let list = Request { method: Method::GET, ..request.clone() };
        if cx.send(list).await?.succeeded() {
            cx.note(format!("not asked with {}: a list takes it", request.path_and_query()));
            continue;
        }
        let refused = cx.send(request).await?;

        refused.expect_refusal(&[status])?;
        expect_left(&collection, &["a", "b"]).await?;
    }
    Ok(())
}

async fn single_deletecollection_preconditions_per_object(cx: Context, collection: Collection) -> Checked {
    create_doomed(&collection, &["a", "b"]).await?;
    let uid = uid_of(&collection, "a").await?;
    let body = json!({ "kind": "DeleteOptions", "apiVersion": "v1", "preconditions": { "uid": uid } });

    let deleted = cx.send(delete_doomed(&collection).json("application/json", &body)).await?;

    let page = collection.now().await?;
    let answered = deleted.status() == 200 || (400..500).contains(&deleted.status());
    deleted.expect(answered, "HTTP 200, or a refusal with 4xx", deleted.brief())?;
    let survives = page.item("b").is_some();
    page.expect(survives, format!("b left: its uid is not {uid}"), page.own_names().join(", "))
}

async fn uid_of(collection: &Collection, name: &str) -> Result<String, Halt> {
    Ok(collection.get(name).await?.written()?.metadata("uid").to_owned())
}

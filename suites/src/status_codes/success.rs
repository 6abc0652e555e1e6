//! 200, 201 and 202.

use crate::finalizers::{HOLD, and_release};
use crate::patch_types;
use crate::prelude::*;

rows![status_codes_200_get_list, status_codes_200_update, status_codes_200_delete, status_codes_201_create];

async fn status_codes_200_get_list(cx: Context, stored: StoredObject) -> Checked {
    stored.get().await?.expect_status(&[200])?;
    stored.collection.list().await?.expect_status(&[200])?;
    if stored.collection.has_status() {
        let status = Request::get(stored.collection.status_path_of(NAME));
        cx.send_if_offered(status).await?.map_or(Ok(()), |read| read.expect_status(&[200]))?;
    }
    Ok(())
}

async fn status_codes_200_update(cx: Context, stored: StoredObject) -> Checked {
    let operation = json!([{ "op": "replace", "path": stored.collection.value_at(), "value": "third" }]);
    let merge = stored.patch(MERGE, &stored.collection.change("fourth"));

    for write in [stored.put_with(|_| ()), stored.patch(JSON, &operation), merge] {
        let response = cx.send(write).await?;
        response.expect_status(&[200])?;
        let object = response.json().is_some_and(|object| object["metadata"]["name"].is_string());
        response.expect(object, "the object", response.brief())?;
    }
    Ok(())
}

async fn status_codes_200_delete(cx: Context, stored: StoredObject) -> Checked {
    let deleted = cx.send(Request::delete(stored.path())).await?;

    deleted.expect_status(&[200, 202])?;
    deleted.expect(deleted.json().is_some(), "a JSON body", "none")?;

    let mut held = stored.collection.body(NAME, "first");
    held["metadata"]["finalizers"] = vec![HOLD].into();
    stored.collection.create_body(&held).await?;
    and_release(&stored.collection, async {
        cx.send(Request::delete(stored.path())).await?.expect_status(&[200, 202])
    })
    .await
}

/// A POST, and where the server offers it an apply and a PUT.
async fn status_codes_201_create(cx: Context, collection: Collection) -> Checked {
    let created = cx.send(Request::post(collection.path(), &collection.body(NAME, "first"))).await?;
    created.expect_status(&[201])?;

    let apply = patch_types::apply(&collection, "b", "kube-assay", &collection.body("b", "first"));
    if let Some(applied) = cx.send_if_offered(apply).await? {
        applied.expect_status(&[201])?;
    }
    let put = Request::put(collection.path_of("c"), &collection.body("c", "first"));
    if let Some(put) = cx.send_if_offered(put).await? {
        let created = collection.get("c").await?.succeeded();
        put.expect(!created || put.status() == 201, "201 where a PUT creates", put.brief())?;
    }
    Ok(())
}

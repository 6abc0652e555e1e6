//! The verbs in discovery, against the verbs that work.

use crate::api_resources;
use crate::prelude::*;

rows![verbs_discovery_verbs_true];

const ALL: [&str; 8] = ["create", "get", "list", "watch", "update", "patch", "deletecollection", "delete"];

/// The codes for an unsupported method, an unknown path, and missing permission.
const UNSUPPORTED: &[u16] = &[403, 404, 405];

async fn verbs_discovery_verbs_true(cx: Context, stored: StoredObject) -> Checked {
    let discovered = discovered(&cx, &stored.collection).await?;

    for verb in ALL {
        let Some(response) = send(&cx, &stored, verb).await? else { continue };
        let listed = discovered.iter().any(|known| known == verb);
        let expected =
            if listed { "success: discovery lists" } else { "no success: discovery does not list" };
        response.expect(response.succeeded() == listed, format!("{expected} {verb}"), response.brief())?;
    }
    expect_no_deletion_of_other_types(&cx).await
}

/// The verbs of the type in discovery.
async fn discovered(cx: &Context, collection: &Collection) -> Result<Vec<String>, Halt> {
    let (_, entry) = api_resources::discovered_type(cx, collection.resource()).await?;
    let verbs = entry["verbs"].as_array().into_iter().flatten();
    Ok(verbs.filter_map(Value::as_str).map(str::to_owned).collect())
}

/// Sends a request of this verb. No deletecollection of a cluster-scoped type: its collection holds other objects.
async fn send(cx: &Context, stored: &StoredObject, verb: &str) -> Result<Option<Arc<Exchange>>, Halt> {
    let collection = &stored.collection;
    let request = match verb {
        "create" => Request::post(collection.path(), &collection.body("b", "first")),
        "get" => Request::get(stored.path()),
        "list" => Request::get(collection.path()).query("limit", 1),
        "watch" => return watch(cx, collection).await,
        "update" => stored.put_with(|_| ()),
        "patch" => stored.patch(MERGE, &collection.change("third")),
        "deletecollection" if !collection.is_namespaced() => return Ok(None),
        "deletecollection" => Request::delete(collection.path()).query("fieldSelector", "metadata.name=b"),
        _ => Request::delete(collection.path_of(NAME)),
    };
    cx.send(request).await.map(Some)
}

async fn watch(cx: &Context, collection: &Collection) -> Result<Option<Arc<Exchange>>, Halt> {
    let request = Request::get(collection.path()).query("watch", 1).query("fieldSelector", "metadata.name=b");
    Ok(Some(match cx.open(request).await? {
        Opening::Watch(watch) => watch.exchange().into(),
        Opening::Rejected(refused) => refused,
    }))
}

/// The server rejects deletions of types without the verb delete.
async fn expect_no_deletion_of_other_types(cx: &Context) -> Checked {
    for ty in api_resources::built_in(cx).await?.iter().filter(|ty| !ty.can("delete")) {
        let delete = Request::delete(format!("{}/kube-assay-none", ty.path())).query("dryRun", "All");
        cx.send(delete).await?.expect_status(UNSUPPORTED)?;
    }
    Ok(())
}

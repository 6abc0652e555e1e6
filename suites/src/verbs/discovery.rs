//! The verbs in discovery, against the verbs that work.

use crate::api_resources;
use crate::prelude::*;

rows![verbs_discovery_verbs_true];

const ALL: [&str; 8] = ["create", "get", "list", "watch", "update", "patch", "deletecollection", "delete"];

/// The answers to what there is not: no such method, no such path, or nothing that one may even ask for.
const NONE: &[u16] = &[403, 404, 405];

async fn verbs_discovery_verbs_true(cx: Context, stored: StoredObject) -> Checked {
    let announced = announced(&cx, &stored.collection).await?;

    for verb in ALL {
        if let Some(answer) = ask(&cx, &stored, verb).await? {
            let works = answer.succeeded();
            let there = announced.iter().any(|known| known == verb);
            let expected = if there {
                format!("success: {verb} is announced")
            } else {
                format!("no {verb}: it is not announced")
            };
            answer.expect(works == there, expected, answer.brief())?;
        }
    }
    what_is_not_announced_is_refused(&cx).await
}

/// The verbs of the type, as discovery tells of them.
async fn announced(cx: &Context, collection: &Collection) -> Result<Vec<String>, Halt> {
    let discovered = cx.send(Request::get(collection.resource().root())).await?;
    let resources = discovered.json().and_then(|json| json["resources"].as_array());
    let plural = collection.resource().plural.as_str();
    let entry = resources.into_iter().flatten().find(|entry| entry["name"] == plural);
    let entry = entry.ok_or_else(|| discovered.fail(format!("{plural} in discovery"), discovered.brief()))?;
    let verbs = entry["verbs"].as_array().into_iter().flatten();
    Ok(verbs.filter_map(Value::as_str).map(str::to_owned).collect())
}

/// Asks for one thing; nothing is asked of collections that are not ours alone.
async fn ask(cx: &Context, stored: &StoredObject, verb: &str) -> Result<Option<Arc<Exchange>>, Halt> {
    let collection = &stored.collection;
    let request = match verb {
        "create" => Request::post(collection.path(), &collection.body("b", "first")),
        "get" => Request::get(stored.path()),
        "list" => Request::get(collection.path()).query("limit", 1),
        "watch" => return watch(cx, collection).await,
        "update" => Request::put(stored.path(), &stored.body("second")),
        "patch" => Request::new(Method::PATCH, stored.path()).json(MERGE, &collection.change("third")),
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
        Opening::Refused(refused) => refused,
    }))
}

/// Of a type that is not deleted, nothing is.
async fn what_is_not_announced_is_refused(cx: &Context) -> Checked {
    for ty in api_resources::built_in(cx).await?.iter().filter(|ty| !ty.can("delete")) {
        let nothing = Request::delete(format!("{}/kube-assay-none", ty.path())).query("dryRun", "All");
        cx.send(nothing).await?.expect_status(NONE)?;
    }
    Ok(())
}

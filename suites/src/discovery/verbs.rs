//! The verbs of resources, against the requests that the server accepts.

use super::resources::known_types;
use crate::api_resources::{self, LONGEST, Type};
use crate::prelude::*;

rows![discovery_verbs_truthful.own_kinds()];

/// Without deletecollection: a server that ignores dryRun would delete the objects of others.
const VERBS: [&str; 6] = ["create", "get", "list", "update", "patch", "delete"];

/// The codes for a method that the resource or its path lacks. Users may lack the permission, too.
const REFUSED: [u16; 3] = [403, 404, 405];

async fn discovery_verbs_truthful(cx: Context) -> Checked {
    let (types, name) = (known_types(&cx).await?, cx.own_name("missing"));
    let requests = types.iter().flat_map(|ty| VERBS.map(|verb| (ty, verb))).collect();

    let sent = |(ty, verb): &(&Type, &str)| request(ty, verb, &name);
    for ((ty, verb), response) in api_resources::send_for_each(&cx, requests, sent, Some(LONGEST)).await? {
        cx.or_unjudged(expect_truthful(ty, verb, &response))?;
    }
    for ty in types {
        cx.or_unjudged(expect_truthful_watch(&cx, &ty, &name).await)?;
    }
    Ok(())
}

async fn expect_truthful_watch(cx: &Context, ty: &Type, name: &str) -> Checked {
    match cx.open(request(ty, "list", name).query("watch", 1)).await? {
        Opening::Watch(watch) => expect_truthful(ty, "watch", &watch.exchange()),
        Opening::Rejected(response) => expect_truthful(ty, "watch", &response),
    }
}

/// A request that changes nothing: of an object that does not exist, or with an invalid body.
fn request(ty: &Type, verb: &str, name: &str) -> Request {
    let (collection, object) = (ty.default_path(), format!("{}/{name}", ty.default_path()));
    let list = Request::get(collection.as_str()).query("fieldSelector", format!("metadata.name={name}"));
    let changing = match verb {
        "get" => return Request::get(object),
        "list" => return list,
        "create" => Request::post(collection, &json!([])),
        "update" => Request::put(object, &json!([])),
        "patch" => Request::merge_patch(object, &json!({})),
        _ => Request::delete(object),
    };
    changing.query("dryRun", "All")
}

fn expect_truthful(ty: &Type, verb: &str, response: &Exchange) -> Checked {
    let (code, listed, plural) = (response.status(), ty.can(verb), ty.path());
    let (truthful, expected) = match verb {
        _ if !listed => (REFUSED.contains(&code), "HTTP 405 or 404"),
        "list" | "watch" => (response.succeeded() || code == 403, "success"),
        // The object is missing, or the body is invalid. Some kube-apiservers return 500 then.
        _ => (code != 405 && code != 501, "no HTTP 405"),
    };
    let says = if listed { "lists" } else { "does not list" };
    response.expect(truthful, format!("{expected}: discovery {says} {verb} for {plural}"), response.brief())
}

//! The subresources that discovery and `OpenAPI` describe, and requests for a missing Pod.

use super::running_pod::check_permission;
use crate::api_resources;
use crate::openapi;
use crate::prelude::*;
use crate::verbs::or_note;

pub(super) fn rows() -> Vec<Row> {
    let own = vec![
        row!(streaming_subresources_get_and_post).own_kinds(),
        row!(streaming_subresources_connect_no_dry_run).own_kinds(),
    ];
    own.into_iter().chain(table(LISTED, Kinds::Own, listed).into_iter().map(Row::read_only)).collect()
}

/// A subresource, and verbs that discovery lists for it.
type Subresource = (&'static str, &'static [&'static str]);

const CONNECT: &[&str] = &["create", "get"];

const LISTED: &[(&str, &[Subresource])] = &[
    (
        "streaming-subresources-proxy-portforward-exist",
        &[("pods/portforward", &[]), ("pods/proxy", &[]), ("services/proxy", &[]), ("nodes/proxy", &[])],
    ),
    (
        "streaming-subresources-exec-attach-log-portforward",
        &[
            ("pods/attach", CONNECT),
            ("pods/exec", CONNECT),
            ("pods/log", &["get"]),
            ("pods/portforward", CONNECT),
        ],
    ),
];

/// Discovery lists each subresource of a resource that it lists.
async fn listed(cx: Context, subresources: &[Subresource]) -> Checked {
    cx.require_listed(&Resource::core("pods", "Pod")).await?;
    let found = cx.send(Request::get("/api/v1")).await?;
    let entry = |name: &str| api_resources::resources(&found).find(|entry| entry["name"] == name);
    for (name, verbs) in subresources {
        let parent = name.split_once('/').map_or(*name, |(parent, _)| parent);
        if entry(parent).is_none() {
            continue;
        }
        let known = entry(name).and_then(|entry| entry["verbs"].as_array());
        let has_all = known.is_some_and(|known| verbs.iter().all(|verb| known.iter().any(|one| one == verb)));
        let actual = entry(name).map_or("no such resource".to_owned(), ToString::to_string);
        found.expect(has_all, format!("{name} with the verbs {verbs:?}"), actual)?;
    }
    Ok(())
}

/// A request for a command in a Pod that does not exist; not yet sent.
fn missing(cx: &Context, method: Method) -> Request {
    let exec = format!("/api/v1/namespaces/default/pods/{}/exec", cx.own_name("missing"));
    Request::new(method, exec).query("command", "ls").query("stdout", true)
}

/// Skips without permission.
async fn send(cx: &Context, request: Request) -> Result<Arc<Exchange>, Halt> {
    cx.require_listed(&Resource::core("pods", "Pod")).await?;
    let response = cx.send(request).await?;
    check_permission(&response)?;
    Ok(response)
}

/// The methods of each subresource.
const METHODS: [(&str, &[&str]); 4] = [
    ("attach", &["get", "post"]),
    ("exec", &["get", "post"]),
    ("log", &["get"]),
    ("portforward", &["get", "post"]),
];

async fn streaming_subresources_get_and_post(cx: Context) -> Checked {
    for method in [Method::GET, Method::POST] {
        send(&cx, missing(&cx, method)).await?.expect_error(&[404], &["NotFound"])?;
    }
    let Some(published) = or_note(&cx, openapi::published(&cx).await)? else { return Ok(()) };
    for (subresource, method) in
        METHODS.iter().flat_map(|(name, methods)| methods.iter().map(move |method| (name, *method)))
    {
        let path = format!("/api/v1/namespaces/{{namespace}}/pods/{{name}}/{subresource}");
        if !published.operations(method).any(|operation| operation.path == path) {
            let expected = format!("the operation {method} on {path}");
            return Err(cx.failed(expected, "no such operation", published.last()));
        }
    }
    Ok(())
}

async fn streaming_subresources_connect_no_dry_run(cx: Context) -> Checked {
    let response = send(&cx, missing(&cx, Method::POST).query("dryRun", "All")).await?;

    response.expect_error(&[400], &["BadRequest"]).map(drop)
}

//! Table of the variants.
#![allow(clippy::enum_glob_use, reason = "a row reads like a sentence without `When::` and `Edit::`")]

use http::Version;
use serde_json::{Value, json};

use super::{Behaviour, Variant, bookmark, generic, json_layout, opaque_versions, published, unknown_fields};
use crate::cel::deviation::Deviation;
use crate::fault::{Edit, Edit::*, Event, RequestFacts, When, When::*, Wire};
use crate::shard::Shards;

/// A variant on the wire.
const fn on(name: &'static str, what: &'static str, wires: &'static [Wire]) -> Variant {
    Variant { name, what, behaviours: &[], wires, expressions: &[] }
}

/// A variant of the server itself.
const fn behaviour(name: &'static str, what: &'static str, behaviours: &'static [Behaviour]) -> Variant {
    Variant { name, what, behaviours, wires: &[], expressions: &[] }
}

/// Edits of all requests and responses.
const fn always(edits: &'static [Edit]) -> Wire {
    Wire { when: &[], edits }
}

/// Edits under conditions.
const fn where_(when: &'static [When], edits: &'static [Edit]) -> Wire {
    Wire { when, edits }
}

/// All variants.
#[rustfmt::skip]
pub(super) const VARIANTS: &[Variant] = &[
    // Versions.
    Variant { expressions: &[Deviation::Lacks("sort")], ..on("opaque-versions", "versions have no order, as permitted before 1.35", &[
        always(&[
            EditRequest(opaque_versions::read), EditJson(opaque_versions::write), Events(Event::Edit("", &EditJson(opaque_versions::write)))]),
        where_(&[Path("/version")], &[Set("/minor", "\"34\""), Set("/emulationMinor", "\"34\""), Set("/minCompatibilityMinor", "\"33\""), Set("/gitVersion", "\"v1.34.0\"")]),
    ]) },
    on("no-version", "the server does not publish its version", &[where_(&[Path("/version")],
        &[Reject(404, "NotFound", "not here")])]),
    behaviour("short-history", "versions expire after a few seconds", &[Behaviour::ShortHistory]),
    Variant {
        name: "no-watch-cache",
        what: "limit holds at version 0; future versions fail at once, without Retry-After; few bookmarks",
        behaviours: &[Behaviour::NoWatchCache],
        expressions: &[],
        wires: &[
            where_(&[StatusIs(504)], &[WithoutHeader("retry-after"), Remove("/details/retryAfterSeconds")]),
            where_(&[Watch], &[Events(Event::Line(bookmark::none_but_closing))]),
        ],
    },
    // Watches.
    on("no-watch-list", "the server rejects sendInitialEvents; initial events end without a bookmark", &[
        where_(&[Watch, Present("sendInitialEvents")], &[Reject(422, "Invalid", "sendInitialEvents is forbidden for watch")]),
        where_(&[Watch], &[Events(Event::Line(bookmark::none_that_closes))]),
    ]),
    on("many-bookmarks", "a bookmark follows every change", &[where_(&[Watch, Is("allowWatchBookmarks", "true")],
        &[Events(Event::Recall(bookmark::after_each))])]),
    // Transport.
    on("slow", "every response is delayed", &[always(&[Delay(200)])]),
    on("odd-pieces", "bodies and streams arrive in chunks with arbitrary boundaries", &[always(&[SmallChunks])]),
    on("connection-close", "the server closes the connection after every response", &[always(&[Header("connection", "close")])]),
    on("http1-only", "the server does not support HTTP/2", &[where_(&[Matches(|request| request.version == Version::HTTP_2)],
        &[Respond(505, "text/plain", "HTTP/1.1 only")])]),
    on("busy", "every seventh request gets 429 with Retry-After", &[where_(&[Every(7)],
        &[Respond(429, "text/plain; charset=utf-8", "Too many requests, please try again later.\n"), Header("retry-after", "1")])]),
    on("compresses-all", "every response to a client that accepts gzip is compressed, watches as well", &[where_(
        &[HeaderHas("accept-encoding", "gzip"), Not(&HeaderHas("accept-encoding", "gzip;q=0"))], &[Gzip])]),
    // Serialization.
    on("extra-fields", "objects, lists, Statuses and events have unknown fields", &[always(&[
        EditRequest(unknown_fields::read), EditJson(unknown_fields::write), Events(Event::Line(unknown_fields::event))])]),
    on("other-layout", "JSON fields in another order, over many lines, with blank lines between events", &[always(&[
        EditText(json_layout::text), Events(Event::Text(json_layout::event))])]),
    on("lists-say-all", "every list has continue, empty on the last page", &[where_(&[List],
        &[EditJson(|list| token(list, true))])]),
    on("lists-say-little", "lists have neither remainingItemCount nor an empty continue", &[where_(&[List],
        &[Remove("/metadata/remainingItemCount"), EditJson(|list| token(list, false))])]),
    Variant { expressions: &[Deviation::Limits(200)], ..on("high-cel-limits", "expressions may cost twice as much as with kube-apiserver", &[]) },
    on("no-limit", "lists ignore limit", &[where_(&[List], &[DropParameter("limit")])]),
    on("no-generations", "no type has generations", &[always(&[
        NO_GENERATION, EachItem(&NO_GENERATION), Events(Event::Edit("", &NO_GENERATION))])]),
    // Published and served types.
    on("lax-conditions", "conditions have no required fields", &[where_(&[PathPrefix("/openapi/")], &[EditJson(remove_required_fields)])]),
    on("paths-listed", "the 404 of an unknown group lists the served paths", &[where_(
        &[PathPrefix("/apis/"), StatusIs(404), ResponseHas("404 page not found")],
        &[Header("content-type", "application/json"), Text(r#"{"paths":["/apis","/healthz"]}"#)])]),
    on("few-types", "discovery lists few types of the core group, and writes to the others get 500", &[
        where_(&[Any(&[Path("/api"), Path("/api/v1")])], &[EditJson(list_few_types)]),
        where_(&[Any(&[Path("/openapi/v2"), Path("/openapi/v3/api/v1")])], &[EditJson(describe_few_types)]),
        where_(&[Not(&Method("GET")), PathPrefix("/api/"), Any(&UNLISTED)], &[Reject(500, "InternalError", "no such type is listed")])]),
    // Shards.
    on("no-shards", "lists ignore shardSelector", &[always(&[DropParameter("shardSelector")])]),
    on("all-shards-told", "every sharded list has shardInfo, and no remainingItemCount", &[where_(&[List, Has("shardSelector")],
        &[Remove("/metadata/remainingItemCount"), EditResponse(add_shard_info)])]),
    // The published API defines the messages of a 504 and a 406, and the names of unknown and duplicate fields. It also defines the
    // causes of an invalid object, and the managers of a conflict.
    on("other-words", "failures have other messages, and no details but causes", &[where_(
        &[Not(&StatusIs(504)), Not(&StatusIs(406)), Not(&ResponseHas("strict decoding error")), Not(&ResponseHas("FieldManagerConflict"))],
        &[EditJson(other_words)])]),
    on("other-codes", "an invalid exact list gets 400 instead of 422", &[where_(
        &[List, Is("resourceVersionMatch", "Exact"), StatusIs(422)], &[Fail(400, "BadRequest", "invalid list")])]),
    // Other servers.
    Variant {
        name: "stand-alone",
        what: "the server serves only the group apps: no /api, no /apis, and no namespaces",
        behaviours: &[Behaviour::NeedsNoNamespace],
        expressions: &[],
        wires: &[where_(&[Matches(is_of_another_group)],
            &[Respond(404, "text/plain; charset=utf-8", "404 page not found\n")])],
    },
    on("generic", "the server serves nothing that runs containers: no Pods, no Deployments, no Services", &[
        where_(&[Path("/apis")], &[EditJson(generic::list_groups)]),
        where_(&[Any(&[Path("/api"), Path("/api/v1")])], &[EditJson(generic::list_core_types)]),
        where_(&[PathPrefix("/openapi/")], &[EditJson(generic::describe)]),
        where_(&[Path("/flagz")], &[Respond(404, "text/plain; charset=utf-8", "404 page not found\n")]),
        // Who may not ask gets 403 first.
        where_(&[Matches(generic::is_of_an_unserved_group), NoHeader("impersonate-user")],
            &[Respond(404, "text/plain; charset=utf-8", "404 page not found\n")]),
        where_(&[Matches(generic::is_of_an_unserved_core_type), NoHeader("impersonate-user")],
            &[Reject(404, "NotFound", "the server could not find the requested resource")]),
    ]),
    // Controllers and deletion.
    behaviour("root-ca", "a ConfigMap appears in every namespace a moment after its creation",
        &[Behaviour::PublishesRootCa]),
    behaviour("no-namespace-controller", "a deleted namespace remains until a client finalizes it",
        &[Behaviour::LeavesNamespaces]),
    behaviour("deletion-object", "a deletion returns the deleted object", &[Behaviour::DeletionShowsObject]),
    behaviour("deletion-status", "a deletion returns a Status if the object is gone",
        &[Behaviour::DeletionShowsStatus]),
];

const NO_GENERATION: Edit = Remove("/metadata/generation");

/// Types of the core group that scenarios of several areas use.
const UNLISTED: [When; 8] = [
    Plural("endpoints"),
    Plural("events"),
    Plural("limitranges"),
    Plural("persistentvolumeclaims"),
    Plural("replicationcontrollers"),
    Plural("resourcequotas"),
    Plural("secrets"),
    Plural("services"),
];

fn is_unlisted(name: &str) -> bool {
    UNLISTED.iter().any(|of| matches!(of, Plural(plural) if *plural == name))
}

fn list_few_types(document: &mut Value) {
    published::retain_core_types(document, |plural| !is_unlisted(plural));
}

/// The `OpenAPI` documents describe the operations of listed types only.
fn describe_few_types(document: &mut Value) {
    published::retain_paths(document, |path| {
        !path.starts_with("/api/v1/") || !path.split('/').any(is_unlisted)
    });
}

/// kube-apiserver 1.37 requires no fields of these conditions.
fn remove_required_fields(document: &mut Value) {
    for place in ["/definitions", "/components/schemas"] {
        let definitions = document.pointer_mut(place).and_then(Value::as_object_mut).into_iter().flatten();
        for (_, schema) in
            definitions.filter(|(name, _)| OPTIONAL_CONDITIONS.iter().any(|kind| name.ends_with(kind)))
        {
            if let Some(schema) = schema.as_object_mut() {
                schema.shift_remove("required");
            }
        }
    }
}

/// The conditions without required fields in kube-apiserver 1.37.
const OPTIONAL_CONDITIONS: [&str; 4] =
    [".DaemonSetCondition", ".DeploymentCondition", ".ReplicaSetCondition", ".StatefulSetCondition"];

fn is_of_another_group(request: &RequestFacts) -> bool {
    let mut segments = request.path.split('/').skip(1);
    match (segments.next(), segments.next()) {
        (Some("api"), _) => true,
        (Some("apis"), group) => group != Some("apps"),
        _ => false,
    }
}

/// Sets or removes the empty continue of a last page.
fn token(list: &mut Value, present: bool) {
    let Some(metadata) = list["metadata"].as_object_mut() else { return };
    let is_last_page = metadata.get("continue").is_none_or(|token| token == "");
    if is_last_page && present {
        metadata.insert("continue".to_owned(), "".into());
    } else if is_last_page {
        metadata.shift_remove("continue");
    }
}

fn add_shard_info(request: &RequestFacts, list: &mut Value) {
    let shards = Shards::parse(request.parameter("shardSelector"));
    if let (Ok(shards), true) = (shards, list["metadata"].is_object() && list["items"].is_array()) {
        list["metadata"]["shardInfo"] = json!({"selector": shards.to_string()});
    }
}

/// Messages may have any text. Details are optional, except for causes and the retry time.
fn other_words(body: &mut Value) {
    if body["kind"] == "Status" && body["status"] == "Failure" {
        body["message"] = "c'est impossible".into();
        let mut details = json!({});
        for part in ["causes", "retryAfterSeconds"] {
            let value = body["details"][part].take();
            if !value.is_null() {
                details[part] = value;
            }
        }
        body["details"] = details;
    }
}

//! Table of the variants.
#![allow(clippy::enum_glob_use, reason = "a row reads like a sentence without `When::` and `Edit::`")]

use http::Version;
use serde_json::{Value, json};

use super::{Behaviour, Variant, bookmark, json_layout, opaque_versions, unknown_fields};
use crate::fault::{Edit, Edit::*, Event, RequestFacts, When, When::*, Wire};
use crate::shard::Shards;

/// A variant on the wire.
const fn on(name: &'static str, what: &'static str, wires: &'static [Wire]) -> Variant {
    Variant { name, what, behaviours: &[], wires }
}

/// A variant of the server itself.
const fn behaviour(name: &'static str, what: &'static str, behaviours: &'static [Behaviour]) -> Variant {
    Variant { name, what, behaviours, wires: &[] }
}

/// What is done to every request and its response.
const fn always(edits: &'static [Edit]) -> Wire {
    Wire { when: &[], edits }
}

/// What is done where conditions hold.
const fn where_(when: &'static [When], edits: &'static [Edit]) -> Wire {
    Wire { when, edits }
}

/// All variants.
#[rustfmt::skip]
pub(super) const VARIANTS: &[Variant] = &[
    // Versions.
    on("opaque-versions", "versions are strings without order, as was allowed until 1.34", &[
        always(&[
            EditRequest(opaque_versions::read), EditJson(opaque_versions::write), Events(Event::Edit("", &EditJson(opaque_versions::write)))]),
        where_(&[Path("/version")], &[Set("/minor", "\"34\""), Set("/gitVersion", "\"v1.34.0\"")]),
    ]),
    on("no-version", "the server does not say what it is", &[where_(&[Path("/version")],
        &[Refuse(404, "NotFound", "not here")])]),
    behaviour("short-history", "versions expire after a few seconds", &[Behaviour::ShortHistory]),
    Variant {
        name: "no-watch-cache",
        what: "limit counts at version 0; versions of the future are refused at once, without Retry-After; few bookmarks",
        behaviours: &[Behaviour::NoWatchCache],
        wires: &[
            where_(&[Answered(504)], &[WithoutHeader("retry-after"), Remove("/details/retryAfterSeconds")]),
            where_(&[Watch], &[Events(Event::Line(bookmark::none_but_closing))]),
        ],
    },
    // Watches.
    on("no-watch-list", "initial events cannot be asked for, and end without a bookmark", &[
        where_(&[Watch, Mentions("sendInitialEvents")], &[Refuse(422, "Invalid", "sendInitialEvents is forbidden for watch")]),
        where_(&[Watch], &[Events(Event::Line(bookmark::none_that_closes))]),
    ]),
    on("many-bookmarks", "a bookmark follows every change", &[where_(&[Watch, Is("allowWatchBookmarks", "true")],
        &[Events(Event::Recall(bookmark::after_each))])]),
    // Transport.
    on("slow", "every answer comes late", &[always(&[Delay(200)])]),
    on("odd-pieces", "bodies and streams come in pieces, cut anywhere", &[always(&[Pieces])]),
    on("connection-close", "the connection is closed after every answer", &[always(&[Header("connection", "close")])]),
    on("http1-only", "HTTP/2 is not spoken", &[where_(&[Asks(|asked| asked.version == Version::HTTP_2)],
        &[Instead(505, "text/plain", "HTTP/1.1 only")])]),
    on("busy", "every seventh request is to come again later", &[where_(&[Every(7)],
        &[Instead(429, "text/plain; charset=utf-8", "Too many requests, please try again later.\n"), Header("retry-after", "1")])]),
    // Forms.
    on("extra-fields", "objects, lists, Statuses and events have fields that nobody knows", &[always(&[
        EditRequest(unknown_fields::read), EditJson(unknown_fields::write), Events(Event::Line(unknown_fields::event))])]),
    on("other-layout", "JSON fields in another order, over many lines, with blank lines between events", &[always(&[
        EditText(json_layout::text), Events(Event::Text(json_layout::event))])]),
    on("lists-say-all", "lists always have a continue, an empty one in the end", &[where_(&[Listing],
        &[EditJson(|list| token(list, true))])]),
    on("lists-say-little", "lists count no rest and have no empty continue", &[where_(&[Listing],
        &[Remove("/metadata/remainingItemCount"), EditJson(|list| token(list, false))])]),
    on("no-limit", "lists are whole, whatever the limit", &[where_(&[Listing], &[DropParameter("limit")])]),
    on("no-generations", "no type counts generations", &[always(&[
        NO_GENERATION, OfItems(&NO_GENERATION), Events(Event::Edit("", &NO_GENERATION))])]),
    // What is published, and what is served.
    on("lax-conditions", "no condition that is known by its type requires a field", &[where_(&[Below("/openapi/")], &[EditJson(require_nothing)])]),
    on("paths-listed", "a group that is not served is answered with the paths that there are", &[where_(
        &[Below("/apis/"), Answered(404), AnswerHas("404 page not found")],
        &[Header("content-type", "application/json"), Text(r#"{"paths":["/apis","/healthz"]}"#)])]),
    on("few-types", "of the core group, discovery lists few types, and others break the server", &[
        where_(&[Path("/api/v1")], &[EditJson(list_few_types)]),
        where_(&[Not(&Method("GET")), Below("/api/"), Any(&UNLISTED)], &[Refuse(500, "InternalError", "no such type is listed")])]),
    // Shards.
    on("no-shards", "shardSelector is not looked at", &[always(&[DropParameter("shardSelector")])]),
    on("all-shards-told", "every list of shards says which, and counts no rest", &[where_(&[Listing, Has("shardSelector")],
        &[Remove("/metadata/remainingItemCount"), EditAnswer(say_which_shards)])]),
    // What a 504 says is part of the rules, and so are the names of fields that nobody knows or that come twice, what is
    // wrong with an object, and the managers that an apply is in conflict with.
    on("other-words", "refusals have other messages, and no details but causes", &[where_(
        &[Not(&Answered(504)), Not(&AnswerHas("strict decoding error")), Not(&AnswerHas("FieldManagerConflict"))],
        &[EditJson(other_words)])]),
    on("other-codes", "an exact list that cannot be is answered with 400 instead of 422", &[where_(
        &[Listing, Is("resourceVersionMatch", "Exact"), Answered(422)], &[Fail(400, "BadRequest", "this cannot be asked")])]),
    // Other servers.
    Variant {
        name: "stand-alone",
        what: "only the group apps is served: no /api, no /apis, and no namespaces",
        behaviours: &[Behaviour::NeedsNoNamespace],
        wires: &[where_(&[Asks(is_of_another_group)],
            &[Instead(404, "text/plain; charset=utf-8", "404 page not found\n")])],
    },
    // Life cycles.
    behaviour("root-ca", "a ConfigMap appears in every namespace a moment after it was created",
        &[Behaviour::PublishesRootCa]),
    behaviour("no-namespace-controller", "a deleted namespace stays until somebody finalizes it",
        &[Behaviour::LeavesNamespaces]),
    behaviour("deletion-object", "a deletion is answered with the object", &[Behaviour::DeletionShowsObject]),
    behaviour("deletion-status", "a deletion is answered with a Status wherever the object is gone",
        &[Behaviour::DeletionShowsStatus]),
];

const NO_GENERATION: Edit = Remove("/metadata/generation");

/// Types of the core group that scenarios of several areas are about.
const UNLISTED: [When; 8] = [
    Of("endpoints"),
    Of("events"),
    Of("limitranges"),
    Of("persistentvolumeclaims"),
    Of("replicationcontrollers"),
    Of("resourcequotas"),
    Of("secrets"),
    Of("services"),
];

fn list_few_types(discovered: &mut Value) {
    let unlisted = |name: &str| UNLISTED.iter().any(|of| matches!(of, Of(plural) if *plural == name));
    let plural =
        |found: &Value| found["name"].as_str().and_then(|name| name.split('/').next()).map(str::to_owned);
    if let Some(resources) = discovered["resources"].as_array_mut() {
        resources.retain(|found| plural(found).is_none_or(|name| !unlisted(&name)));
    }
}

/// Conditions are lists that are maps by type.
fn require_nothing(document: &mut Value) {
    for place in ["/definitions", "/components/schemas"] {
        let definitions = document.pointer_mut(place).and_then(Value::as_object_mut).into_iter().flatten();
        for (_, schema) in definitions.filter(|(name, _)| LAX.iter().any(|kind| name.ends_with(kind))) {
            if let Some(schema) = schema.as_object_mut() {
                schema.shift_remove("required");
            }
        }
    }
}

/// The kinds of conditions of which kube-apiserver 1.37 requires nothing.
const LAX: [&str; 4] =
    [".DaemonSetCondition", ".DeploymentCondition", ".ReplicaSetCondition", ".StatefulSetCondition"];

fn is_of_another_group(asked: &RequestFacts) -> bool {
    let mut steps = asked.path.split('/').skip(1);
    match (steps.next(), steps.next()) {
        (Some("api"), _) => true,
        (Some("apis"), group) => group != Some("apps"),
        _ => false,
    }
}

/// Gives a list that has ended an empty continue, or none.
fn token(list: &mut Value, shown: bool) {
    let Some(metadata) = list["metadata"].as_object_mut() else { return };
    let ended = metadata.get("continue").is_none_or(|token| token == "");
    if ended && shown {
        metadata.insert("continue".to_owned(), "".into());
    } else if ended {
        metadata.shift_remove("continue");
    }
}

fn say_which_shards(asked: &RequestFacts, list: &mut Value) {
    let shards = Shards::parse(asked.parameter("shardSelector"));
    if let (Ok(shards), true) = (shards, list["metadata"].is_object() && list["items"].is_array()) {
        list["metadata"]["shardInfo"] = json!({"selector": shards.to_string()});
    }
}

/// Texts for people may say anything, and details are optional where they do not say what is wrong.
fn other_words(body: &mut Value) {
    if body["kind"] == "Status" && body["status"] == "Failure" {
        body["message"] = "c'est impossible".into();
        let mut kept = json!({});
        for part in ["causes", "retryAfterSeconds"] {
            let told = body["details"][part].take();
            if !told.is_null() {
                kept[part] = told;
            }
        }
        body["details"] = kept;
    }
}

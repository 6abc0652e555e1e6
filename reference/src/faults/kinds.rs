//! Faults of kinds: type metadata, lists, CRD names, scale and bindings.

pub(super) mod documents;

use bytes::Bytes;
use http::request::Parts;
use serde_json::json;

use crate::fault::{Edit, Edit::*, Event, Fault, Items, When, When::*, json_body, on};

const GETS: When = Method("GET");
const POSTS: When = Method("POST");
const PUT: When = Method("PUT");
const PATCH: When = Method("PATCH");
const DELETES: When = Method("DELETE");
const SCALE: When = Subresource("scale");
const DEFINED: When = Of("customresourcedefinitions");
const PUBLISHED: When = Below("/openapi/");
/// Namespaces and definitions are created for a scenario, and not what it asks about.
const ASKED_ABOUT: When = Not(&Any(&[Of("namespaces"), Of("customresourcedefinitions")]));
const ANOTHER_UID: Edit = Set("/metadata/uid", "\"00000000-0000-4000-8000-00000000000b\"");
const PROTOBUF: &str = "application/vnd.kubernetes.protobuf";

#[rustfmt::skip]
pub(super) const FAULTS: &[Fault] = &[
    // Objects and their places.
    on("kinds-rest-lifecycle", "a deletion is answered and not done", &[DELETES, Object], &[SetMethod("GET")]),
    on("kinds-alternative-content-types", "what is asked for is said to come, and JSON comes", &[GETS, Object, HeaderHas("accept", PROTOBUF)],
        &[SetRequestHeader("accept", "application/json"), Header("content-type", PROTOBUF)]),
    on("kinds-collection-url-lists", "only the newest object is listed", &[Listing], &[List(Items::Edit(|items| drop(items.drain(..items.len().saturating_sub(1)))))]),
    on("kinds-element-url-addresses-one", "a name leads to another object", &[GETS, Object, ASKED_ABOUT], &[ANOTHER_UID]),
    on("kinds-resource-serves-one-kind", "an object of another kind is among the items", &[Listing], &[EditJson(documents::relic)]),
    on("kinds-kind-shared-by-status-resource", "the status is all that is shown", &[GETS, Subresource("status")], &[EditJson(|object| *object = object["status"].take())]),
    on("kinds-group-versions-independent", "an object is there in one version only", &[GETS, Object, Custom, Asks(|asked| asked.path.contains("/v2/"))],
        &[Fail(404, "NotFound", "not found")]),
    on("kinds-object-is-persistent", "objects go with the connection that created them", &[GETS, Object, ASKED_ABOUT], &[EditJson(documents::older_is_gone)]),
    on("kinds-namespaced-list-is-subset", "a namespace lists those whose names begin with its own", &[Listing, Namespaced, Has("labelSelector")],
        &[EditRequest(documents::list_everywhere), EditAnswer(documents::of_namespaces_like_this)]),
    on("kinds-singletons-may-lack-list", "what is only posted has empty lists", &[Listing, Below("/apis/authorization.k8s.io/")],
        &[Instead(200, "application/json", r#"{"kind":"List","apiVersion":"v1","metadata":{},"items":[]}"#)]),
    on("kinds-subresource-rooted-at-parent", "a subresource is of nothing", &[Path("/api/v1")], &[ReplaceText("pods/status", "ghosts/status")]),
    // What documents say.
    on("kinds-json-identified-by-kind-and-apiversion", "lists do not say their version", &[Listing], &[Remove("/apiVersion")]),
    on("kinds-apiversion-is-group-slash-version", "the core group has a name, and others have none", &[Resource, ASKED_ABOUT], &[EditJson(documents::core)]),
    on("kinds-kind-present", "what was patched has no kind", &[PATCH, Object], &[Remove("/kind")]),
    on("kinds-apiversion-present", "objects are shown in the version that they are stored in", &[Resource, ASKED_ABOUT], &[EditJson(documents::storage_version)]),
    on("kinds-watch-object-has-kind", "the objects of events have no kind", &[Watch], &[Events(Event::Edit("", &Remove("/kind")))]),
    on("kinds-objects-have-common-metadata", "items have their names at the top", &[Listing], &[OfItems(&EditJson(documents::flat))]),
    on("kinds-rest-verbs-return-single-object", "each object that was deleted is a document", &[DELETES, Collection, Answered(200)], &[EditText(documents::one_each)]),
    on("kinds-some-endpoints-may-stream", "a watch is an array without end", &[Watch], &[Events(Event::Text(|event| format!("[{event},\n")))]),
    on("kinds-simple-kinds-limited-metadata", "a Status has the metadata of what is missing", &[Answered(404)], &[Set("/metadata/name", "\"a\"")]),
    on("kinds-status-kind-resourceversion", "a Status has no metadata", &[Answered(404)], &[Set("/metadata", "null")]),
    on("kinds-meta-options-accepted-in-any-group", "options are of v1 alone", &[DELETES, Object], &[EditRequest(super::deletion::options::refuse_meta)]),
    // What is sent.
    on("kinds-status-kind-not-persisted", "a Status is stored", &[POSTS, Collection], &[EditRequest(documents::status_is_anything)]),
    on("kinds-identity-may-default-from-url", "who does not say what it is, is not told", &[POSTS, Of("configmaps")], &[Remove("/kind")]),
    on("kinds-custom-resource-identity-required", "the kind is that of the path", &[POSTS, Custom], &[EditRequest(documents::kind_of_the_path)]),
    on("kinds-mismatching-kind-refused", "the kind is not looked at", &[POSTS, Collection, ASKED_ABOUT], &[EditRequest(super::rewrite::of_the_kind)]),
    on("kinds-mismatching-apiversion-refused", "the version is not looked at", &[POSTS, Collection, ASKED_ABOUT], &[EditRequest(super::rewrite::of_the_version)]),
    // Lists.
    on("kinds-list-kind-name-suffix", "lists are called by the plural", &[Listing], &[EditJson(documents::plural)]),
    on("kinds-list-metadata-is-listmeta", "a list was created", &[Listing], &[Set("/metadata/creationTimestamp", "\"2026-01-01T00:00:00Z\"")]),
    on("kinds-list-items-always-array", "the items of an empty list are null", &[Listing], &[EditJson(super::collections::null_if_empty)]),
    on("kinds-kind-list-not-served", "lists are of kind List", &[Listing], &[Set("/kind", "\"List\"")]),
    on("kinds-list-resourceversion-present", "an empty list has no version", &[Listing], &[EditJson(documents::no_version_of_nothing)]),
    on("kinds-list-resourceversion-covers-items", "a watch begins with what was listed", &[Watch], &[SetParameter("resourceVersion", "0"), SetParameter("sendInitialEvents", "true"),
        SetParameter("resourceVersionMatch", "NotOlderThan"), SetParameter("allowWatchBookmarks", "true")]),
    // What is said of all.
    on("kinds-group-name-dns-subdomain", "a group has a capital", &[Path("/apis")], &[ReplaceText("\"name\":\"apps\"", "\"name\":\"Apps\"")]),
    on("kinds-resource-name-lowercase-plural", "a resource is called by its kind", &[Path("/api/v1")], &[ReplaceText("\"name\":\"secrets\"", "\"name\":\"secretMap\"")]),
    on("kinds-kind-name-camelcase", "a kind has an underscore", &[Path("/api/v1")], &[ReplaceText("\"kind\":\"Secret\"", "\"kind\":\"secret_map\"")]),
    on("kinds-kind-name-singular", "a kind is a plural", &[Path("/api/v1")], &[ReplaceText("\"kind\":\"Secret\"", "\"kind\":\"Secrets\"")]),
    on("kinds-object-types-have-list-endpoint", "what can be read cannot be listed", &[Discovery], &[ReplaceText("\"list\",", "")]),
    on("kinds-short-names-in-discovery", "short names are not published", &[Discovery], &[EditJson(|found| documents::forget(found, "shortNames"))]),
    on("kinds-categories-in-discovery", "categories are not published", &[Discovery], &[EditJson(|found| documents::forget(found, "categories"))]),
    on("kinds-list-schema-items-required", "no list needs items", &[PUBLISHED], &[EditJson(|found| documents::schemas(found, |schema| schema["required"] = json!([])))]),
    on("kinds-items-implies-list", "config maps have items", &[PUBLISHED], &[EditJson(|found| documents::schemas(found, documents::items_of_config_maps))]),
    on("kinds-meta-types-belong-to-each-group", "events of watches are of v1 alone", &[PUBLISHED], &[EditJson(|found| documents::schemas(found, documents::of_the_core_alone))]),
    // Definitions.
    on("kinds-group-name-dns-subdomain-crd", "groups may have capitals", &[POSTS, DEFINED], &[EditRequest(|parts, body| in_group(parts, body, |group| group.to_lowercase().replace('_', "-")))]),
    on("kinds-single-word-groups-reserved", "groups may be of one word", &[POSTS, DEFINED], &[EditRequest(|parts, body| in_group(parts, body, |group| if group.contains('.') { group.to_owned() } else { format!("{group}.example.com") }))]),
    on("kinds-k8s-io-groups-reserved", "nobody needs an approval", &[POSTS, DEFINED], &[SetInRequest("/metadata/annotations/api-approved.kubernetes.io", "\"unapproved\"")]),
    on("kinds-version-name-dns-label", "versions may have capitals", &[POSTS, DEFINED], &[EditRequest(|parts, body| json_body(parts, body, documents::version_in_small_letters))]),
    // Scale, pods and events.
    on("kinds-scale-subresource-read", "there are to be none", &[GETS, SCALE], &[Set("/spec/replicas", "0")]),
    on("kinds-scale-subresource-write", "a scale is answered and forgotten", &[PUT, SCALE], &[SetParameter("dryRun", "All")]),
    on("kinds-simple-kind-resourceversion-of-parent", "a scale has no version", &[SCALE], &[Remove("/metadata/resourceVersion")]),
    on("kinds-simple-kind-optimistic-lock", "the version of a scale is not looked at", &[PUT, SCALE], &[RemoveFromRequest("/metadata/resourceVersion")]),
    on("kinds-binding-subresource-sets-node", "a binding is answered and forgotten", &[POSTS, Subresource("binding")], &[SetParameter("dryRun", "All")]),
    on("kinds-status-resource-accepts-parent-kind", "a status is of a kind of its own", &[PUT, Of("pods"), Subresource("status")], &[Refuse(400, "BadRequest", "this is no PodStatus")]),
    on("kinds-two-representations-of-one-object", "an event is in the group that it was sent to", &[GETS, Object, Below("/apis/events.k8s.io/")], &[Fail(404, "NotFound", "not found")]),
    on("kinds-event-can-be-recorded", "events are taken and never shown", &[Listing, Of("events")], &[List(Items::Truncate(0))]),
    on("kinds-event-reason-camelcase", "reasons are sentences", &[Listing, Of("events")], &[OfItems(&Set("/reason", "\"It was looked at.\""))]),
    on("kinds-event-aggregation-supported", "events do not change", &[PATCH, Of("events")], &[Refuse(422, "Invalid", "events do not change")]),
];

/// A definition of types in another group.
fn in_group(parts: &mut Parts, body: &mut Bytes, other: fn(&str) -> String) {
    json_body(parts, body, |definition| {
        let group = other(definition["spec"]["group"].as_str().unwrap_or_default());
        let plural = definition["spec"]["names"]["plural"].as_str().unwrap_or_default();
        definition["metadata"]["name"] = format!("{plural}.{group}").into();
        definition["spec"]["group"] = group.into();
    });
}

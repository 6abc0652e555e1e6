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
const DEFINED: When = Plural("customresourcedefinitions");
const PUBLISHED: When = PathPrefix("/openapi/");
/// Fixtures of scenarios, not their subjects.
const SUBJECTS: When = Not(&Any(&[Plural("namespaces"), Plural("customresourcedefinitions")]));
const ANOTHER_UID: Edit = Set("/metadata/uid", "\"00000000-0000-4000-8000-00000000000b\"");
const PROTOBUF: &str = "application/vnd.kubernetes.protobuf";

#[rustfmt::skip]
pub(super) const FAULTS: &[Fault] = &[
    // Objects.
    on("kinds-rest-lifecycle", "the server acknowledges a delete without deleting", &[DELETES, Object], &[SetMethod("GET")]),
    on("kinds-alternative-content-types", "the server labels JSON with the requested Content-Type", &[GETS, Object, HeaderHas("accept", PROTOBUF)],
        &[SetRequestHeader("accept", "application/json"), Header("content-type", PROTOBUF)]),
    on("kinds-collection-url-lists", "a list contains only the last object", &[List], &[EditItems(Items::Edit(|items| drop(items.drain(..items.len().saturating_sub(1)))))]),
    on("kinds-element-url-addresses-one", "a get returns an object with another uid", &[GETS, Object, SUBJECTS], &[ANOTHER_UID]),
    on("kinds-resource-serves-one-kind", "a list contains an item of another kind", &[List], &[EditJson(documents::change_last_kind)]),
    on("kinds-kind-shared-by-status-resource", "a get of the status returns the status field alone", &[GETS, Subresource("status")], &[EditJson(|object| *object = object["status"].take())]),
    on("kinds-group-versions-independent", "the server serves custom resources in v1 only", &[GETS, Object, Custom, Matches(|request| request.path.contains("/v2/"))],
        &[Fail(404, "NotFound", "not found")]),
    on("kinds-object-is-persistent", "the server forgets objects after a second", &[GETS, Object, SUBJECTS], &[EditJson(documents::remove_old_objects)]),
    on("kinds-namespaced-list-is-subset", "a namespaced list includes namespaces with the same prefix", &[List, Namespaced, Has("labelSelector")],
        &[EditRequest(documents::list_all_namespaces), EditResponse(documents::keep_similar_namespaces)]),
    on("kinds-singletons-may-lack-list", "create-only kinds return empty lists", &[List, PathPrefix("/apis/authorization.k8s.io/")],
        &[Respond(200, "application/json", r#"{"kind":"List","apiVersion":"v1","metadata":{},"items":[]}"#)]),
    on("kinds-subresource-rooted-at-parent", "discovery lists a subresource without its parent", &[Path("/api/v1")], &[ReplaceText("pods/status", "ghosts/status")]),
    // Type metadata of responses.
    on("kinds-json-identified-by-kind-and-apiversion", "lists have no apiVersion", &[List], &[Remove("/apiVersion")]),
    on("kinds-apiversion-is-group-slash-version", "the apiVersion has a group for core objects and none for others", &[Resource, SUBJECTS], &[EditJson(documents::misname_group)]),
    on("kinds-kind-present", "the response to a patch has no kind", &[PATCH, Object], &[Remove("/kind")]),
    on("kinds-apiversion-present", "objects have the apiVersion of another version", &[Resource, SUBJECTS], &[EditJson(documents::misname_version)]),
    on("kinds-watch-object-has-kind", "objects in watch events have no kind", &[Watch], &[Events(Event::Edit("", &Remove("/kind")))]),
    on("kinds-objects-have-common-metadata", "list items have their name outside of metadata", &[List], &[EachItem(&EditJson(documents::flatten_item))]),
    on("kinds-rest-verbs-return-single-object", "deletecollection returns one JSON document per object", &[DELETES, Collection, StatusIs(200)], &[EditText(documents::one_document_per_item)]),
    on("kinds-some-endpoints-may-stream", "a watch sends an unterminated JSON array", &[Watch], &[Events(Event::Text(|event| format!("[{event},\n")))]),
    on("kinds-simple-kinds-limited-metadata", "the metadata of a 404 Status has a name", &[StatusIs(404)], &[Set("/metadata/name", "\"a\"")]),
    on("kinds-status-kind-resourceversion", "the metadata of a Status is null", &[StatusIs(404)], &[Set("/metadata", "null")]),
    on("kinds-meta-options-accepted-in-any-group", "the server accepts DeleteOptions of v1 only", &[DELETES, Object], &[EditRequest(super::deletion::options::reject_meta_options)]),
    // Type metadata of requests.
    on("kinds-status-kind-not-persisted", "the server stores a posted Status", &[POSTS, Collection], &[EditRequest(documents::accept_status_kind)]),
    on("kinds-identity-may-default-from-url", "the response to a ConfigMap create has no kind", &[POSTS, Plural("configmaps")], &[Remove("/kind")]),
    on("kinds-custom-resource-identity-required", "the server fills in a missing kind from the path", &[POSTS, Custom], &[EditRequest(documents::default_kind)]),
    on("kinds-mismatching-kind-refused", "the server ignores the kind of a posted object", &[POSTS, Collection, SUBJECTS], &[EditRequest(super::rewrite::set_path_kind)]),
    on("kinds-mismatching-apiversion-refused", "the server ignores the apiVersion of a posted object", &[POSTS, Collection, SUBJECTS], &[EditRequest(super::rewrite::set_path_version)]),
    // Lists.
    on("kinds-list-kind-name-suffix", "the kind of a list ends in s instead of List", &[List], &[EditJson(documents::pluralize_kind)]),
    on("kinds-list-metadata-is-listmeta", "lists have a creationTimestamp", &[List], &[Set("/metadata/creationTimestamp", "\"2026-01-01T00:00:00Z\"")]),
    on("kinds-list-items-always-array", "the items of an empty list are null", &[List], &[EditJson(super::collections::null_if_empty)]),
    on("kinds-kind-list-not-served", "the server sends every list with kind List", &[List], &[Set("/kind", "\"List\"")]),
    on("kinds-list-resourceversion-present", "an empty list has no resourceVersion", &[List], &[EditJson(documents::remove_version_if_empty)]),
    on("kinds-list-resourceversion-covers-items", "a watch from a list repeats the listed objects", &[Watch], &[SetParameter("resourceVersion", "0"), SetParameter("sendInitialEvents", "true"),
        SetParameter("resourceVersionMatch", "NotOlderThan"), SetParameter("allowWatchBookmarks", "true")]),
    // Discovery and `OpenAPI`.
    on("kinds-group-name-dns-subdomain", "discovery shows a group name with a capital letter", &[Path("/apis")], &[ReplaceText("\"name\":\"apps\"", "\"name\":\"Apps\"")]),
    on("kinds-resource-name-lowercase-plural", "discovery shows a resource name in camel case", &[Path("/api/v1")], &[ReplaceText("\"name\":\"secrets\"", "\"name\":\"secretMap\"")]),
    on("kinds-kind-name-camelcase", "discovery shows a kind with an underscore", &[Path("/api/v1")], &[ReplaceText("\"kind\":\"Secret\"", "\"kind\":\"secret_map\"")]),
    on("kinds-kind-name-singular", "discovery shows a plural kind", &[Path("/api/v1")], &[ReplaceText("\"kind\":\"Secret\"", "\"kind\":\"Secrets\"")]),
    on("kinds-object-types-have-list-endpoint", "discovery omits the list verb", &[Discovery], &[ReplaceText("\"list\",", "")]),
    on("kinds-short-names-in-discovery", "discovery omits short names", &[Discovery], &[EditJson(|document| documents::remove_field(document, "shortNames"))]),
    on("kinds-categories-in-discovery", "discovery omits categories", &[Discovery], &[EditJson(|document| documents::remove_field(document, "categories"))]),
    on("kinds-list-schema-items-required", "the OpenAPI schemas of lists do not require items", &[PUBLISHED], &[EditJson(|document| documents::schemas(document, |schema| schema["required"] = json!([])))]),
    on("kinds-items-implies-list", "the OpenAPI schema of ConfigMap has items", &[PUBLISHED], &[EditJson(|document| documents::schemas(document, documents::add_items_to_config_map))]),
    on("kinds-meta-types-belong-to-each-group", "the OpenAPI document has WatchEvent in v1 only", &[PUBLISHED], &[EditJson(|document| documents::schemas(document, documents::core_group_only))]),
    // Definitions.
    on("kinds-group-name-dns-subdomain-crd", "the server accepts CRD groups with capital letters", &[POSTS, DEFINED], &[EditRequest(|parts, body| in_group(parts, body, |group| group.to_lowercase().replace('_', "-")))]),
    on("kinds-single-word-groups-reserved", "the server accepts CRD groups of one word", &[POSTS, DEFINED], &[EditRequest(|parts, body| in_group(parts, body, |group| if group.contains('.') { group.to_owned() } else { format!("{group}.example.com") }))]),
    on("kinds-k8s-io-groups-reserved", "the server accepts k8s.io groups without approval", &[POSTS, DEFINED], &[SetInRequest("/metadata/annotations/api-approved.kubernetes.io", "\"unapproved\"")]),
    on("kinds-version-name-dns-label", "the server accepts CRD versions with capital letters", &[POSTS, DEFINED], &[EditRequest(|parts, body| json_body(parts, body, documents::lowercase_version))]),
    // Scale, pods and events.
    on("kinds-scale-subresource-read", "the scale always shows 0 replicas", &[GETS, SCALE], &[Set("/spec/replicas", "0")]),
    on("kinds-scale-subresource-write", "the server does not store writes of the scale", &[PUT, SCALE], &[SetParameter("dryRun", "All")]),
    on("kinds-simple-kind-resourceversion-of-parent", "the scale has no resourceVersion", &[SCALE], &[Remove("/metadata/resourceVersion")]),
    on("kinds-simple-kind-optimistic-lock", "the server ignores the resourceVersion of a scale", &[PUT, SCALE], &[RemoveFromRequest("/metadata/resourceVersion")]),
    on("kinds-binding-subresource-sets-node", "the server does not store a binding", &[POSTS, Subresource("binding")], &[SetParameter("dryRun", "All")]),
    on("kinds-status-resource-accepts-parent-kind", "the server rejects a Pod as the body of its status", &[PUT, Plural("pods"), Subresource("status")], &[Reject(400, "BadRequest", "this is no PodStatus")]),
    on("kinds-two-representations-of-one-object", "the server serves core events in the core group only", &[GETS, Object, PathPrefix("/apis/events.k8s.io/")], &[Fail(404, "NotFound", "not found")]),
    on("kinds-event-can-be-recorded", "the server never lists events", &[List, Plural("events")], &[EditItems(Items::Truncate(0))]),
    on("kinds-event-reason-camelcase", "event reasons are sentences", &[List, Plural("events")], &[EachItem(&Set("/reason", "\"It was looked at.\""))]),
    on("kinds-event-aggregation-supported", "the server rejects patches of events", &[PATCH, Plural("events")], &[Reject(422, "Invalid", "events do not change")]),
];

/// Moves a definition to another group.
fn in_group(parts: &mut Parts, body: &mut Bytes, other: fn(&str) -> String) {
    json_body(parts, body, |definition| {
        let group = other(definition["spec"]["group"].as_str().unwrap_or_default());
        let plural = definition["spec"]["names"]["plural"].as_str().unwrap_or_default();
        definition["metadata"]["name"] = format!("{plural}.{group}").into();
        definition["spec"]["group"] = group.into();
    });
}

//! Faults of paths, scopes, queries and verbs.

use bytes::Bytes;
use http::request::Parts;
use serde_json::{Value, json};

use super::kinds::documents::{keep_similar_namespaces, list_all_namespaces};
use super::metadata::names;
use super::rewrite;
use crate::fault::{Edit, Edit::*, Fault, Items, When, When::*, on, parameters, store};
use crate::store::StoreFault;

const GETS: When = Method("GET");
const POSTS: When = Method("POST");
const PUT: When = Method("PUT");
const PATCH: When = Method("PATCH");
const DELETES: When = Method("DELETE");
const STATUS: When = Subresource("status");
const REVIEWS: When = Plural("subjectaccessreviews");
const ROLES: When = Plural("clusterroles");
/// Fixtures of scenarios, not their subjects.
const SUBJECTS: When = Not(&Any(&[Plural("namespaces"), Plural("customresourcedefinitions")]));
const NOT_FOUND: Edit = Fail(404, "NotFound", "not found");
const EMPTY_LIST: &str = r#"{"kind":"List","apiVersion":"v1","metadata":{},"items":[]}"#;
/// The request counts as one of the administrator.
const WITHOUT_USER: [Edit; 2] =
    [DropRequestHeader("impersonate-user"), DropRequestHeader("impersonate-group")];
/// A get finds an object of this name in any namespace.
const BY_NAME: [Edit; 2] = [EditRequest(list_by_name), EditJson(first_item)];

#[rustfmt::skip]
pub(super) const FAULTS: &[Fault] = &[
    // Verbs.
    on("resource-uris-http-verbs", "the server does not support PUT", &[PUT, Object, SUBJECTS], &[Reject(405, "MethodNotAllowed", "POST with an override header")]),
    on("resource-uris-standard-verbs-supported", "custom resources lack the verb patch in discovery", &[Discovery, Matches(|request| request.path.contains(".kube-assay.dev"))],
        &[ReplaceText("\"patch\",", "")]),
    on("resource-uris-list-verb", "permission to get also permits lists", &[List, HeaderHas("impersonate-user", "kube-assay-reader")], &WITHOUT_USER),
    on("resource-uris-get-verb", "a get returns a list with one item", &[GETS, Object, SUBJECTS, StatusIs(200)], &[EditJson(|object| *object = json!({ "kind": "List", "items": [object.take()] }))]),
    on("resource-uris-watch-verb", "the server ignores the watch parameter", &[Watch], &[DropParameter("watch")]),
    on("resource-uris-watch-param-forms", "the server knows watch=true only", &[Is("watch", "1")], &[DropParameter("watch")]),
    on("resource-uris-watch-on-item-path", "a get of an object with watch returns 500", &[GETS, Object, Has("watch")], &[Reject(500, "InternalError", "no watch of an object")]),
    on("resource-uris-put-classified", "a PUT of a missing object returns 200", &[PUT, Object, StatusIs(404)], &[Status(200)]),
    on("resource-uris-patch-is-patch", "the server processes a patch as an update", &[PATCH, Object], &[SetMethod("PUT"), SetRequestHeader("content-type", "application/json")]),
    on("resource-uris-unsupported-method-405", "the server treats an update of a collection as a list", &[Collection, Any(&[PUT, PATCH])], &[SetMethod("GET")]),
    on("resource-uris-body-of-get-ignored", "the server treats a GET with a body as a PUT", &[GETS, Object, HeaderHas("content-type", "json")], &[SetMethod("PUT")]),
    on("resource-uris-no-method-override", "a header replaces the method", &[HeaderHas("x-http-method-override", "DELETE")], &[SetMethod("DELETE")]),
    // Types.
    on("resource-uris-resource-type-in-url", "a collection has another name in its path than in discovery", &[List, Plural("configmaps")], &[NOT_FOUND]),
    on("resource-uris-kind-for-every-type", "an object has another kind than in discovery", &[GETS, Object, SUBJECTS], &[Set("/kind", "\"Thing\"")]),
    on("resource-uris-unknown-type-404", "the server returns an empty list for an unknown type", &[Plural("nosuchthings")], &[Respond(200, "application/json", EMPTY_LIST)]),
    on("resource-uris-virtual-types", "the server lists reviews", &[List, REVIEWS], &[Respond(200, "application/json", EMPTY_LIST)]),
    on("resource-uris-virtual-no-unique-name", "a review needs a name", &[POSTS, REVIEWS], &[Reject(422, "Invalid", "metadata.name: Required value")]),
    on("resource-uris-subjectaccessreview", "a review has no status", &[POSTS, REVIEWS], &[Remove("/status")]),
    // Names.
    on("resource-uris-name-idempotent-create", "a create of an existing name returns 201", &[POSTS, Collection, StatusIs(409)], &[Status(201)]),
    on("resource-uris-name-retrieval", "a get knows objects by uid only", &[GETS, Object, SUBJECTS], &[NOT_FOUND]),
    on("resource-uris-name-unique-in-namespace", "every create of one name returns 201", &[POSTS, Collection, StatusIs(409)], &[Status(201)]),
    on("resource-uris-name-reuse-other-namespace", "a name is unique in the cluster", &[POSTS, Collection, Namespaced], &[EditRequest(names::redirect_to_namesake)]),
    on("resource-uris-name-per-kind", "objects of different types cannot share a name", &[POSTS, Any(&[Plural("secrets"), Plural("configmaps"), Custom])], &[EditRequest(names::reject_shared_names)]),
    on("resource-uris-name-reuse-after-delete", "the name of a deleted object stays taken", &[DELETES, Object, SUBJECTS], &[SetParameter("dryRun", "All")]),
    on("resource-uris-name-cluster-unique", "a create of an existing ClusterRole returns 201", &[POSTS, ROLES, StatusIs(409)], &[Status(201)]),
    // Scopes.
    on("resource-uris-scope-exclusive", "a create takes the namespace from the body, or ignores it", &[POSTS, Collection, Any(&[Not(&Namespaced), ROLES]), SUBJECTS], &[EditRequest(use_scope_of_type)]),
    on("resource-uris-wrong-scope-404", "a get ignores whether the path has a namespace", &[GETS, Object, Any(&[Not(&Namespaced), ROLES]), SUBJECTS], &BY_NAME),
    on("resource-uris-cluster-scope-path", "cluster-scoped types need a namespace", &[POSTS, ROLES], &[Reject(404, "NotFound", "no namespace")]),
    on("resource-uris-cluster-collection", "a cluster-scoped collection is empty", &[List, ROLES], &[EditItems(Items::Truncate(0))]),
    on("resource-uris-cluster-item", "the server returns 200 and {} for an unknown ClusterRole", &[GETS, Object, ROLES, StatusIs(404)], &[Status(200), Text("{}")]),
    on("resource-uris-namespace-scope-path", "a create takes the namespace from the body only", &[POSTS, Collection, Namespaced], &[EditRequest(names::redirect_to_default)]),
    on("resource-uris-all-namespaces-collection", "a list of all namespaces has the default namespace only", &[List, Not(&Namespaced)], &[EditItems(Items::Edit(|items| items.retain(is_default)))]),
    on("resource-uris-namespace-collection", "a namespaced list includes namespaces with the same prefix", &[List, Namespaced, Has("labelSelector")],
        &[EditRequest(list_all_namespaces), EditResponse(keep_similar_namespaces)]),
    on("resource-uris-namespace-item", "a get ignores the namespace", &[GETS, Object, Namespaced], &BY_NAME),
    on("resource-uris-list-missing-namespace", "a list in a missing namespace returns 404", &[List, Matches(|request| request.path.contains("nowhere"))], &[NOT_FOUND]),
    store("resource-uris-namespace-delete-cascades", "the deletion of a namespace keeps its content", StoreFault::KeepsNamespaceContents),
    on("resource-uris-namespace-authz", "permission in a namespace also permits lists of all namespaces", &[List, Not(&Namespaced), HeaderHas("impersonate-user", "kube-assay-lister")], &WITHOUT_USER),
    // Built-in paths.
    on("resource-uris-core-prefix", "core types have paths below /apis, too", &[Path("/apis/v1/namespaces")], &[ReplaceInPath("/apis/v1", "/api/v1")]),
    on("resource-uris-documented-examples", "paths of all namespaces return 404", &[List, Not(&Namespaced), SUBJECTS], &[NOT_FOUND]),
    on("resource-uris-namespaces-list", "a path with a slash at its end returns 404", &[Path("/api/v1/namespaces/")], &[NOT_FOUND]),
    on("resource-uris-namespaces-item", "the path of a namespace returns 404", &[GETS, Object, Plural("namespaces")], &[NOT_FOUND]),
    // Subresources.
    on("resource-uris-subresources-fine-grained", "permission for the status also permits the object", &[PUT, Object, HeaderHas("impersonate-user", "kube-assay-status")], &WITHOUT_USER),
    on("resource-uris-subresource-below-resource", "an object has no path below it", &[GETS, STATUS], &[NOT_FOUND]),
    on("resource-uris-cluster-subresource", "cluster-scoped types have no subresources", &[GETS, STATUS, Not(&Namespaced)], &[NOT_FOUND]),
    on("resource-uris-namespace-subresource", "the path of a status ignores the namespace", &[GETS, STATUS, Namespaced], &BY_NAME),
    on("resource-uris-subresource-verbs-differ", "a delete of the status deletes the object", &[DELETES, STATUS], &[ReplaceInPath("/status", "")]),
    on("resource-uris-no-cross-resource-subresource", "the status of a collection is a list", &[GETS, Object, Matches(|request| request.path.ends_with("/status"))], &[ReplaceInPath("/status", "")]),
    on("resource-uris-eviction", "an eviction leaves the Pod", &[POSTS, Subresource("eviction")], &[SetParameter("dryRun", "All")]),
    // Spellings.
    on("resource-uris-percent-encoding", "the server does not decode paths", &[Matches(|request| request.path.contains('%'))], &[NOT_FOUND]),
    on("resource-uris-path-decoded-once", "the server decodes paths twice", &[Matches(|request| request.path.contains("%25"))], &[ReplaceInPath("%25", "%")]),
    on("resource-uris-encoded-dot-segments", "the server resolves dot segments after it decodes a path", &[Matches(|request| request.path.contains("%2F..%2F"))], &[ReplaceInPath("b%2F..%2F", "")]),
    on("resource-uris-name-with-dots", "a get treats .json at the end of a name as a format", &[GETS, Object], &[ReplaceInPath(".json", "")]),
    on("resource-uris-trailing-slash", "a path with a slash at its end is that of the collection", &[Matches(|request| request.path.ends_with('/'))], &[EditRequest(|parts, _| cut(parts, name_with_slash))]),
    on("resource-uris-empty-segment", "an empty name stands for the collection", &[Matches(|request| request.path.contains("//"))], &[EditRequest(|parts, _| cut(parts, |path| path.find("//")))]),
    on("resource-uris-case-sensitive", "paths have no case", &[GETS, List], &[EditRequest(lowercase_path)]),
    // Parameters.
    on("resource-uris-unknown-parameter-ignored", "the server rejects unknown parameters", &[Present("kubeAssayUnknown")], &[Reject(400, "BadRequest", "unknown parameter")]),
    on("resource-uris-repeated-parameter", "the server ignores a repeated parameter", &[Resource], &[EditRequest(|parts, _| parameters(parts, drop_repeated))]),
    on("resource-uris-long-url", "the server cuts long selectors", &[List], &[EditParameter("labelSelector", |selector| Some(first_requirements(selector).to_owned()))]),
];

/// Turns the path of an object, or of its status, into a list of the objects of this name in all namespaces.
fn list_by_name(parts: &mut Parts, body: &mut Bytes) {
    list_all_namespaces(parts, body);
    let path = parts.uri.path().trim_end_matches("/status").to_owned();
    let Some((collection, name)) = path.rsplit_once('/') else { return };
    rewrite::set_path(parts, collection);
    parameters(parts, |all| all.push(("fieldSelector".to_owned(), format!("metadata.name={name}"))));
}

/// The first item of a list, with the kind of the list's type.
fn first_item(list: &mut Value) {
    let kind = list["kind"].as_str().map(|kind| kind.trim_end_matches("List").to_owned());
    let mut item = list.pointer_mut("/items/0").map(Value::take).unwrap_or_default();
    if item.is_object() {
        item["kind"] = kind.into();
        item["apiVersion"] = list["apiVersion"].take();
    }
    *list = item;
}

/// Moves a create to the path that its type has: into the namespace in its body, or out of that in its path.
fn use_scope_of_type(parts: &mut Parts, body: &mut Bytes) {
    list_all_namespaces(parts, body);
    let object = rewrite::read(body);
    let (Some(namespace), Some((root, plural))) =
        (object["metadata"]["namespace"].as_str(), parts.uri.path().rsplit_once('/'))
    else {
        return;
    };
    let path = format!("{root}/namespaces/{namespace}/{plural}");
    rewrite::set_path(parts, &path);
}

/// Whether an item has no namespace, or is in the default one.
fn is_default(item: &Value) -> bool {
    let namespace = &item["metadata"]["namespace"];
    namespace.is_null() || namespace == "default"
}

/// Turns the path of an object into that of its collection, which ends before a slash.
fn cut(parts: &mut Parts, slash: fn(&str) -> Option<usize>) {
    let path = parts.uri.path();
    let end = slash(path).unwrap_or(path.len());
    let path = path[..end].to_owned();
    rewrite::set_path(parts, &path);
}

/// The slash before the last name of a path that ends in a slash.
fn name_with_slash(path: &str) -> Option<usize> {
    path.trim_end_matches('/').rfind('/')
}

fn lowercase_path(parts: &mut Parts, _: &mut Bytes) {
    let path = parts.uri.path().to_lowercase();
    rewrite::set_path(parts, &path);
}

fn drop_repeated(all: &mut Vec<(String, String)>) {
    let known = all.clone();
    all.retain(|(name, _)| known.iter().filter(|(other, _)| other == name).count() == 1);
}

/// The length of a selector in bytes that the server reads.
const READ: usize = 4096;

/// The whole requirements in the part that the server reads.
fn first_requirements(selector: &str) -> &str {
    let end = selector.get(..READ).and_then(|read| read.rfind(','));
    end.map_or(selector, |end| &selector[..end])
}

//! Bugs of gets, lists, pagination and resource versions.

use serde_json::Value;

use super::{bug, wire};
use crate::fault::{Bug, Edit::*, Items, When, When::*, store};
use crate::faults::kinds::documents;
use crate::faults::{AT_A_VERSION, AT_FUTURE_VERSION, pagination, resource_version};
use crate::store::StoreFault;

const LIMITED: When = Has("limit");
const CONTINUED: When = Has("continue");
/// Every store with a history has compacted this version.
const AT_FIRST: When = Is("resourceVersion", "1");

#[rustfmt::skip]
pub(super) const BUGS: &[Bug] = &[
    bug(store("kubernetes-59848", "A lagging replica served reads at a resourceVersion, so deleted objects reappeared.", StoreFault::LaggingReplica),
        "https://github.com/kubernetes/kubernetes/issues/59848",
        &["rv-get-nonzero-not-older", "rv-list-nomatch-nolimit-nonzero", "rv-list-notolder-nolimit-nonzero"]),
    wire("kine-048b0e7", "Lists at a compacted or future resourceVersion returned the newest state.",
        "https://github.com/k3s-io/kine/commit/048b0e74d12a967f03433c2d5bb80d478cea2908",
        &["rv-unavailable-list-504", "rv-unavailable-never-served-stale", "rv-sem-exact-unavailable-410"],
        &[List, Any(&[AT_FIRST, AT_FUTURE_VERSION])], &[DropParameter("resourceVersion"), DropParameter("resourceVersionMatch")]),
    wire("kine-60bd963", "A list had the requested resourceVersion instead of that of its content.",
        "https://github.com/k3s-io/kine/commit/60bd963cd553be8d5fff283153856fa3d4de1b31",
        &["rv-comparable-list-not-older-than-items", "rv-list-notolder-nolimit-nonzero", "rv-sem-notolder-items-no-guarantee"],
        &[List, AT_A_VERSION], &[EditResponse(resource_version::pretend_version)]),
    wire("kine-a18dbb9", "An empty list had resourceVersion 0.",
        "https://github.com/k3s-io/kine/commit/a18dbb98990c84ab82f730a87de7b4d09c495128",
        &["rv-in-empty-list-metadata", "watch-collection-has-rv"],
        &[List], &[EditJson(resource_version::zero_if_empty)]),
    wire("kine-19618f9", "The server sorted pages by resourceVersion and counted remainingItemCount from the start.",
        "https://github.com/k3s-io/kine/commit/19618f9766b9a2a204101ebe86e9f7425967b496",
        &["pagination-order-stable", "pagination-remaining-count"],
        &[List, LIMITED], &[EditItems(Items::Edit(|items| sort_by_version(items))), EditJson(pagination::count_total)]),
    wire("kine-135886d", "The server read the key in a continue token as exclusive and lost an item per page.",
        "https://github.com/k3s-io/kine/commit/135886db5a557ad58f8deae44197062a87d7f7d4",
        &["pagination-full-set", "pagination-continue-next-chunk"],
        &[List, CONTINUED], &[EditItems(Items::DropFirst)]),
    wire("kine-e4469f1", "Lists with a selector and a limit had no continue token, though more items remained.",
        "https://github.com/k3s-io/kine/commit/e4469f1d92ea4dc31ee240d11dd5533ee97d3b11",
        &["pagination-selector-short-pages"],
        &[List, LIMITED, Has("labelSelector")], &[Remove("/metadata/continue")]),
    wire("kine-c311cdc", "A namespaced list included namespaces with the same prefix.",
        "https://github.com/k3s-io/kine/commit/c311cdc951c4d35fa72d99746a9ae5f7ac73d7b5",
        &["kinds-namespaced-list-is-subset"],
        &[List, Namespaced], &[EditRequest(documents::list_all_namespaces), EditResponse(documents::keep_similar_namespaces)]),
    wire("fabric8-2921", "A test server created objects without uid, resourceVersion and generation.",
        "https://github.com/fabric8io/kubernetes-client/issues/2921",
        &["rv-in-object-metadata", "metadata-uid-present"],
        &[Method("POST"), Collection, Not(&Plural("namespaces"))],
        &[Remove("/metadata/uid"), Remove("/metadata/resourceVersion"), Remove("/metadata/generation")]),
];

/// String order suffices: only the order by name must be lost.
fn sort_by_version(items: &mut [Value]) {
    let version = |item: &Value| item["metadata"]["resourceVersion"].as_str().map(str::to_owned);
    items.sort_by_key(version);
    items.reverse();
}

//! Faults of resource versions: format, get and list semantics.

use serde_json::Value;

use super::{FROM_NOW, rewrite};
use crate::continue_token::Token;
use crate::fault::{Edit, Edit::*, Event, Fault, RequestFacts, When, When::*, on, store};
use crate::store::StoreFault;

const VERSION: &str = "resourceVersion";
const MATCH: &str = "resourceVersionMatch";
const AT: When = Has(VERSION);
const AT_ZERO: When = Is(VERSION, "0");
/// Every store with a history has compacted this version.
const AT_FIRST: When = Is(VERSION, "1");
const AT_NONE: When = Lacks(VERSION);
const EXACT: When = Is(MATCH, "Exact");
const NOT_OLDER: When = Is(MATCH, "NotOlderThan");
const NO_MATCH: When = Lacks(MATCH);
const LIMITED: When = Has("limit");
const WHOLE: When = Lacks("limit");
const CONTINUED: When = Has("continue");
const FIRST: When = Lacks("continue");
const GET: When = Method("GET");
const DROP_VERSION: Edit = DropParameter(VERSION);
const DROP_MATCH: Edit = DropParameter(MATCH);
const EXPIRED: Edit = Reject(410, "Expired", "too old resource version");
const BAD: Edit = Reject(400, "BadRequest", "resourceVersion is not supported");
const INVALID: Edit = Reject(422, "Invalid", "resourceVersionMatch is not valid here");
const OLD_VERSION: Edit = Set("/metadata/resourceVersion", "\"100\"");
/// The newest state.
const NEWEST: &[Edit] = &[DROP_VERSION, DROP_MATCH];
/// A token without its version.
const FORGET_VERSION: Edit = EditParameter("continue", |token| {
    let token = Token::decode(token).ok()?;
    Some(Token { version: None, ..token }.encode())
});
const FORGETFUL: &[Edit] = &[FORGET_VERSION];

#[rustfmt::skip]
pub(super) const FAULTS: &[Fault] = &[
    // The format of versions.
    on("rv-is-string", "the server sends resourceVersion as a number", &[Resource], &[EditJson(as_numbers), Events(Event::Edit("", &EditJson(as_numbers)))]),
    store("rv-identifies-server-version", "a changed object keeps its resourceVersion", StoreFault::KeepsVersion),
    store("rv-changes-on-change", "a status change keeps the resourceVersion", StoreFault::KeepsVersionOnStatus),
    store("rv-unchanged-without-change", "every read shows the current resourceVersion of the store", StoreFault::ReadsCurrentVersion),
    on("rv-expresses-consistency", "the server rejects resourceVersion on a get", &[GET, Object, AT], &[BAD]),
    on("rv-accepted-unmodified", "the server sends list versions in a format that it does not accept", &[List], &[EditJson(prefix_list_version)]),
    store("rv-not-client-writable", "the server stores a resourceVersion that the client invents", StoreFault::TakesVersions),
    store("rv-create-with-rv-rejected", "a create stores the client's resourceVersion", StoreFault::TakesVersions),
    store("rv-comparable-well-formed", "resource versions have leading zeros", StoreFault::PadsVersions),
    on("rv-comparable-increases", "resource versions decrease", &[Object], &[EditJson(decreasing_versions)]),
    on("rv-comparable-range", "resource versions have more than 40 digits", &[Object], &[EditJson(oversized_versions)]),
    store("rv-comparable-across-objects", "the server counts resource versions per object", StoreFault::CountsPerObject),
    on("rv-comparable-list-not-older-than-items", "a list has the resourceVersion of its first item", &[List], &[EditJson(version_of_the_first)]),
    // Versions in responses.
    on("rv-in-object-metadata", "the response to a create has no resourceVersion", &[Method("POST"), Collection], &[Remove("/metadata/resourceVersion")]),
    on("rv-answered-on-create", "the response to a create has the next resourceVersion", &[Method("POST"), Collection], &[EditJson(rewrite::increment_version)]),
    store("rv-answered-on-recreate", "the response to a recreate of a name has the next resourceVersion", StoreFault::AnswersRecreateTooLate),
    on("rv-answered-on-update", "the response to an update has the next resourceVersion", &[Method("PUT"), Object], &[EditJson(rewrite::increment_version)]),
    on("rv-answered-on-patch", "the response to a patch has the next resourceVersion", &[Method("PATCH"), Object], &[EditJson(rewrite::increment_version)]),
    on("rv-answered-on-delete", "the terminating object in a delete response has the next resourceVersion", &[Method("DELETE"), Object], &[EditJson(rewrite::increment_version)]),
    on("rv-in-list-metadata", "lists have no resourceVersion", &[List], &[Remove("/metadata/resourceVersion")]),
    on("rv-in-empty-list-metadata", "empty lists have resourceVersion 0", &[List], &[EditJson(zero_if_empty)]),
    on("rv-list-rv-usable-for-watch", "a list has the resourceVersion of its oldest item", &[List], &[EditJson(version_of_the_oldest)]),
    on("rv-list-rv-moves-with-writes", "the resourceVersion of lists never changes", &[List], &[OLD_VERSION]),
    on("rv-in-watch-events", "watch events have an old resourceVersion", &[Watch], &[Events(Event::Edit("", &OLD_VERSION))]),
    on("rv-items-keep-own-rv", "list items have the resourceVersion of the list", &[List], &[EditJson(items_at_list_version)]),
    on("rv-one-kind-of-metadata", "list metadata has a name", &[List], &[Set("/metadata/name", "\"all\"")]),
    // The parameters.
    on("rv-param-on-get", "the server rejects resourceVersion on a get", &[GET, Object, AT], &[BAD]),
    on("rv-param-on-list", "the server rejects resourceVersion on a list", &[List, AT], &[BAD]),
    on("rv-param-on-watch", "a watch starts now and ignores its resourceVersion", &[Watch, AT], FROM_NOW),
    on("rv-match-param-on-list", "the server rejects resourceVersionMatch", &[List, Has(MATCH)], &[INVALID]),
    on("rv-match-decides-interpretation", "the server ignores resourceVersionMatch", &[List], &[DROP_MATCH]),
    on("rv-match-unsupported-acts-as-unset", "the server rejects NotOlderThan", &[List, NOT_OLDER], &[INVALID]),
    on("rv-match-unknown-value-422", "the server ignores an unknown resourceVersionMatch", &[List, Has(MATCH), Not(&EXACT), Not(&NOT_OLDER)], &[DROP_MATCH]),
    on("rv-match-case-sensitive", "resourceVersionMatch is case-insensitive", &[List], &[EditParameter(MATCH, ignore_case)]),
    on("rv-match-with-continue-422", "the server ignores resourceVersionMatch next to continue", &[List, CONTINUED], NEWEST),
    on("rv-match-on-get-ignored", "the server returns 500 for resourceVersionMatch on a get", &[GET, Object, Has(MATCH)], &[Reject(500, "InternalError", "no match")]),
    on("rv-match-on-watch-needs-initial-events-422", "a watch ignores resourceVersionMatch", &[Watch, Lacks("sendInitialEvents")], &[DROP_MATCH]),
    on("rv-malformed-list-400", "a list ignores a malformed resourceVersion", &[List, MALFORMED], &[DROP_VERSION]),
    on("rv-malformed-get-rejected", "a get ignores a malformed resourceVersion", &[GET, Object, MALFORMED], &[DROP_VERSION]),
    on("rv-malformed-watch-rejected", "a watch from a malformed resourceVersion starts now", &[Watch, MALFORMED], FROM_NOW),
    // Get.
    store("rv-get-unset-most-recent", "reads return stale objects", StoreFault::StaleReads),
    on("rv-get-zero-any", "the server rejects resourceVersion 0 on a get", &[GET, Object, AT_ZERO], &[BAD]),
    store("rv-get-nonzero-not-older", "a get at a resourceVersion returns older objects from a stale cache", StoreFault::StaleAtVersions),
    on("rv-get-old-version-returns-newer", "a get at an old resourceVersion returns 410", &[GET, Object, AT_FIRST], &[EXPIRED]),
    // The table of list parameters.
    store("rv-list-nomatch-nolimit-unset", "lists return stale objects", StoreFault::StaleReads),
    on("rv-list-nomatch-nolimit-zero", "a list at resourceVersion 0 returns resourceVersion 0", &[List, NO_MATCH, WHOLE, AT_ZERO], &[Set("/metadata/resourceVersion", "\"0\"")]),
    on("rv-list-nomatch-nolimit-nonzero", "a list at an old resourceVersion returns 410", &[List, NO_MATCH, WHOLE, AT_FIRST], &[EXPIRED]),
    store("rv-list-nomatch-limit-unset", "the first page returns stale objects", StoreFault::StaleReads),
    on("rv-list-nomatch-limit-zero", "the server rejects limit at resourceVersion 0", &[List, NO_MATCH, LIMITED, AT_ZERO], &[BAD]),
    on("rv-list-nomatch-limit-nonzero", "the server reads a limited list at a resourceVersion as NotOlderThan", &[List, NO_MATCH, LIMITED, AT, FIRST], &[SetParameter(MATCH, "NotOlderThan")]),
    on("rv-list-nomatch-continue-unset", "later pages show the current state", &[List, CONTINUED], FORGETFUL),
    on("rv-list-nomatch-continue-zero", "the server ignores continue next to resourceVersion 0", &[List, CONTINUED, AT_ZERO], &[DropParameter("continue")]),
    on("rv-list-nomatch-continue-nonzero-400", "the server ignores resourceVersion next to continue", &[List, CONTINUED, AT], &[DROP_VERSION]),
    on("rv-list-exact-nolimit-unset-invalid", "the server ignores Exact without a resourceVersion", &[List, EXACT, WHOLE, AT_NONE], &[DROP_MATCH]),
    on("rv-list-exact-nolimit-zero-invalid", "the server ignores Exact at resourceVersion 0", &[List, EXACT, WHOLE, AT_ZERO], &[DROP_MATCH]),
    on("rv-list-exact-nolimit-nonzero", "the server ignores Exact", &[List, EXACT, WHOLE], &[DROP_MATCH]),
    on("rv-list-exact-limit-unset-invalid", "the server ignores Exact without a resourceVersion", &[List, EXACT, LIMITED, AT_NONE], &[DROP_MATCH]),
    on("rv-list-exact-limit-zero-invalid", "the server ignores Exact at resourceVersion 0", &[List, EXACT, LIMITED, AT_ZERO], &[DROP_MATCH]),
    on("rv-list-exact-limit-nonzero", "later pages show the current state", &[List, CONTINUED], FORGETFUL),
    on("rv-list-notolder-nolimit-unset-invalid", "the server ignores NotOlderThan without a resourceVersion", &[List, NOT_OLDER, WHOLE, AT_NONE], &[DROP_MATCH]),
    on("rv-list-notolder-nolimit-zero", "the server rejects NotOlderThan at resourceVersion 0", &[List, NOT_OLDER, WHOLE, AT_ZERO], &[INVALID]),
    on("rv-list-notolder-nolimit-nonzero", "a NotOlderThan list at an old resourceVersion returns 410", &[List, NOT_OLDER, WHOLE, AT_FIRST], &[EXPIRED]),
    on("rv-list-notolder-limit-unset-invalid", "the server ignores NotOlderThan without a resourceVersion", &[List, NOT_OLDER, LIMITED, AT_NONE], &[DROP_MATCH]),
    on("rv-list-notolder-limit-zero", "the server rejects NotOlderThan at resourceVersion 0", &[List, NOT_OLDER, LIMITED, AT_ZERO], &[INVALID]),
    on("rv-list-notolder-limit-nonzero", "a limited NotOlderThan list at an old resourceVersion returns 410", &[List, NOT_OLDER, LIMITED, AT_FIRST], &[EXPIRED]),
    on("rv-match-without-rv-invalid", "the server accepts resourceVersionMatch with an empty resourceVersion", &[List, Present(VERSION), AT_NONE], NEWEST),
    on("rv-list-continue-malformed-400", "the server ignores a malformed continue token", &[List], &[EditParameter("continue", drop_invalid_token)]),
    on("rv-list-continue-without-limit", "a page without limit has one item", &[List, CONTINUED, WHOLE], &[SetParameter("limit", "1")]),
    // Guarantees.
    store("rv-sem-most-recent-consistent", "reads after a write return the old state", StoreFault::StaleReads),
    on("rv-sem-notolder-list-rv-guarantee", "a NotOlderThan list has an older resourceVersion than requested", &[List, NOT_OLDER], &[EditResponse(decrement_requested_version)]),
    on("rv-sem-notolder-items-no-guarantee", "a NotOlderThan list omits older items", &[List, NOT_OLDER], &[EditResponse(without_older_items)]),
    on("rv-sem-exact-list-rv-equal", "an Exact list has another resourceVersion", &[List, EXACT], &[EditResponse(increment_requested_version)]),
    on("rv-sem-exact-items-no-guarantee", "items of an Exact list have the resourceVersion of the list", &[List, EXACT], &[EditJson(items_at_list_version)]),
    on("rv-sem-exact-shows-deleted-object", "an Exact list omits items deleted since", &[List, EXACT],
        &[DROP_VERSION, DROP_MATCH, EditResponse(without_newer_items), EditResponse(pretend_version)]),
    on("rv-sem-exact-hides-later-object", "an Exact list shows the newest state under the requested resourceVersion", &[List, EXACT],
        &[DROP_VERSION, DROP_MATCH, EditResponse(pretend_version)]),
    on("rv-sem-exact-honours-selectors", "an Exact list selects by current labels", &[List, EXACT, Has("labelSelector")],
        &[DROP_VERSION, DROP_MATCH, EditResponse(pretend_version)]),
    on("rv-sem-exact-unavailable-410", "the server reads Exact as NotOlderThan", &[List, EXACT], &[SetParameter(MATCH, "NotOlderThan")]),
    on("rv-sem-continue-keeps-first-version", "the resourceVersion changes from page to page", &[List, CONTINUED], FORGETFUL),
    on("rv-sem-continue-token-suffices", "continue tokens do not fix the resourceVersion", &[List, CONTINUED], FORGETFUL),
    store("rv-cache-warming-429", "lists of a new type are empty, and the first fails with a wrong reason", StoreFault::EmptyWhileFresh),
    on("rv-list-from-snapshot-same-result", "an Exact list shows the current state", &[List, EXACT],
        &[DROP_VERSION, DROP_MATCH, EditResponse(pretend_version)]),
];

const MALFORMED: When = Matches(|request| {
    let version = request.parameter(VERSION);
    !version.is_empty() && version.parse::<u64>().is_err()
});

#[allow(clippy::unnecessary_wraps, reason = "an edit of a parameter may also drop it")]
fn ignore_case(value: &str) -> Option<String> {
    let known = ["Exact", "NotOlderThan"].into_iter().find(|known| known.eq_ignore_ascii_case(value));
    known.map(str::to_owned)
}

fn drop_invalid_token(token: &str) -> Option<String> {
    Token::decode(token).is_ok().then(|| token.to_owned())
}

/// Edits the version of an object, or of a list and its items.
fn each_version(object: &mut Value, edit: fn(u64) -> Value) {
    let edit_one = |one: &mut Value| {
        if let Some(version) = version(one) {
            one["metadata"][VERSION] = edit(version);
        }
    };
    edit_one(object);
    items(object).for_each(edit_one);
}

fn version(object: &Value) -> Option<u64> {
    object["metadata"][VERSION].as_str()?.parse().ok()
}

fn items(list: &mut Value) -> impl Iterator<Item = &mut Value> {
    list.get_mut("items").and_then(Value::as_array_mut).into_iter().flatten()
}

fn as_numbers(object: &mut Value) {
    each_version(object, Value::from);
}

fn decreasing_versions(object: &mut Value) {
    each_version(object, |version| (1_000_000_000 - version).to_string().into());
}

fn oversized_versions(object: &mut Value) {
    each_version(object, |version| format!("{}{version}", "9".repeat(40)).into());
}

fn prefix_list_version(list: &mut Value) {
    set_version(list, |list| version(list).map(|version| format!("list-{version}")));
}

fn set_version(list: &mut Value, choose: impl FnOnce(&Value) -> Option<String>) {
    if let Some(version) = choose(list) {
        list["metadata"][VERSION] = version.into();
    }
}

fn version_of_the_first(list: &mut Value) {
    set_version(list, |list| version(&list["items"][0]).map(|version| version.to_string()));
}

fn version_of_the_oldest(list: &mut Value) {
    let oldest = items(list).filter_map(|item| version(item)).min();
    set_version(list, |_| oldest.map(|version| version.to_string()));
}

/// Also for watches.
pub(super) fn zero_if_empty(list: &mut Value) {
    set_version(list, |list| {
        list["items"].as_array().filter(|items| items.is_empty()).map(|_| "0".to_owned())
    });
}

/// Also for concurrency.
pub(super) fn items_at_list_version(list: &mut Value) {
    let version = list["metadata"][VERSION].clone();
    items(list).for_each(|item| item["metadata"][VERSION] = version.clone());
}

fn decrement_requested_version(request: &RequestFacts, list: &mut Value) {
    set_version(list, |_| requested_version(request).map(|version| (version - 1).to_string()));
}

fn increment_requested_version(request: &RequestFacts, list: &mut Value) {
    set_version(list, |_| requested_version(request).map(|version| (version + 1).to_string()));
}

/// Sets the version of a list to the requested one.
pub(super) fn pretend_version(request: &RequestFacts, list: &mut Value) {
    set_version(list, |_| requested_version(request).map(|version| version.to_string()));
}

fn requested_version(request: &RequestFacts) -> Option<u64> {
    request.parameter(VERSION).parse().ok()
}

fn without_older_items(request: &RequestFacts, list: &mut Value) {
    retain(list, |item| version(item) >= requested_version(request));
}

fn without_newer_items(request: &RequestFacts, list: &mut Value) {
    retain(list, |item| version(item) <= requested_version(request));
}

fn retain(list: &mut Value, keep: impl Fn(&Value) -> bool) {
    list.get_mut("items").and_then(Value::as_array_mut).into_iter().for_each(|items| items.retain(&keep));
}

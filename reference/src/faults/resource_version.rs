//! Faults of resource versions: format, get and list semantics.

use serde_json::Value;

use super::{FROM_NOW, rewrite};
use crate::continue_token::Token;
use crate::fault::{Asked, Edit, Edit::*, Event, Fault, When, When::*, on, store};
use crate::store::StoreFlaw;

const VERSION: &str = "resourceVersion";
const MATCH: &str = "resourceVersionMatch";
const AT: When = Has(VERSION);
const AT_ZERO: When = Is(VERSION, "0");
/// What every store with a past has long forgotten.
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
const EXPIRED: Edit = Refuse(410, "Expired", "too old resource version");
const BAD: Edit = Refuse(400, "BadRequest", "resourceVersion is not supported");
const INVALID: Edit = Refuse(422, "Invalid", "resourceVersionMatch is not valid here");
const OLD_VERSION: Edit = Set("/metadata/resourceVersion", "\"100\"");
/// The newest state.
const NEWEST: &[Edit] = &[DROP_VERSION, DROP_MATCH];
/// A token that says where to go on, but no longer at which version.
const FORGET: Edit = EditParameter("continue", |token| {
    let token = Token::decode(token).ok()?;
    Some(Token { version: None, ..token }.encode())
});
const FORGETFUL: &[Edit] = &[FORGET];

#[rustfmt::skip]
pub(super) const FAULTS: &[Fault] = &[
    // What a version is.
    on("rv-is-string", "versions are numbers", &[Resource], &[EditJson(as_numbers), Events(Event::Edit("", &EditJson(as_numbers)))]),
    store("rv-identifies-server-version", "a changed object keeps its version", StoreFlaw::KeepsVersion),
    store("rv-changes-on-change", "a change of the status keeps the version", StoreFlaw::KeepsVersionOnStatus),
    store("rv-unchanged-without-change", "every read shows the store's version", StoreFlaw::ReadsCurrentVersion),
    on("rv-expresses-consistency", "get takes no version", &[GET, Object, AT], &[BAD]),
    on("rv-accepted-unmodified", "versions of lists are written in another way", &[Listing], &[EditJson(in_another_form)]),
    store("rv-not-client-writable", "a made-up version is stored", StoreFlaw::TakesVersions),
    store("rv-create-with-rv-rejected", "the version of a new object is stored", StoreFlaw::TakesVersions),
    store("rv-comparable-well-formed", "versions are padded with zeros", StoreFlaw::PadsVersions),
    on("rv-comparable-increases", "versions fall", &[Object], &[EditJson(falling)]),
    on("rv-comparable-range", "versions have more than 40 digits", &[Object], &[EditJson(endless)]),
    store("rv-comparable-across-objects", "versions are counted per object", StoreFlaw::CountsPerObject),
    on("rv-comparable-list-not-older-than-items", "a list has its first item's version", &[Listing], &[EditJson(version_of_the_first)]),
    // Where it stands.
    on("rv-in-object-metadata", "the answer to a POST has no version", &[Method("POST"), Collection], &[Remove("/metadata/resourceVersion")]),
    on("rv-answered-on-create", "a create is answered with the next version", &[Method("POST"), Collection], &[EditJson(rewrite::one_more)]),
    store("rv-answered-on-recreate", "a create of a name that was used before is answered with the next version", StoreFlaw::AnswersRecreateTooLate),
    on("rv-answered-on-update", "an update is answered with the next version", &[Method("PUT"), Object], &[EditJson(rewrite::one_more)]),
    on("rv-answered-on-patch", "a patch is answered with the next version", &[Method("PATCH"), Object], &[EditJson(rewrite::one_more)]),
    on("rv-answered-on-delete", "a delete that marks is answered with the next version", &[Method("DELETE"), Object], &[EditJson(rewrite::one_more)]),
    on("rv-in-list-metadata", "lists have no version", &[Listing], &[Remove("/metadata/resourceVersion")]),
    on("rv-in-empty-list-metadata", "empty lists have version 0", &[Listing], &[EditJson(zero_if_empty)]),
    on("rv-list-rv-usable-for-watch", "a list has its oldest item's version", &[Listing], &[EditJson(version_of_the_oldest)]),
    on("rv-list-rv-moves-with-writes", "lists have the version of the server's start", &[Listing], &[OLD_VERSION]),
    on("rv-in-watch-events", "events have an old version", &[Watch], &[Events(Event::Edit("", &OLD_VERSION))]),
    on("rv-items-keep-own-rv", "all items have the list's version", &[Listing], &[EditJson(items_at_the_lists_version)]),
    on("rv-one-kind-of-metadata", "lists have a name", &[Listing], &[Set("/metadata/name", "\"all\"")]),
    // The parameters.
    on("rv-param-on-get", "get takes no version", &[GET, Object, AT], &[BAD]),
    on("rv-param-on-list", "list takes no version", &[Listing, AT], &[BAD]),
    on("rv-param-on-watch", "every watch begins now", &[Watch, AT], FROM_NOW),
    on("rv-match-param-on-list", "no match is valid", &[Listing, Has(MATCH)], &[INVALID]),
    on("rv-match-decides-interpretation", "the match is ignored", &[Listing], &[DROP_MATCH]),
    on("rv-match-unsupported-acts-as-unset", "only Exact is known", &[Listing, NOT_OLDER], &[INVALID]),
    on("rv-match-unknown-value-422", "unknown matches are ignored", &[Listing, Has(MATCH), Not(&EXACT), Not(&NOT_OLDER)], &[DROP_MATCH]),
    on("rv-match-case-sensitive", "a match is read whatever its case", &[Listing], &[EditParameter(MATCH, whatever_its_case)]),
    on("rv-match-with-continue-422", "a token outdoes match and version", &[Listing, CONTINUED], NEWEST),
    on("rv-match-on-get-ignored", "get breaks on a match", &[GET, Object, Has(MATCH)], &[Refuse(500, "InternalError", "no match")]),
    on("rv-match-on-watch-needs-initial-events-422", "watch ignores the match", &[Watch, Lacks("sendInitialEvents")], &[DROP_MATCH]),
    on("rv-malformed-list-400", "what is no version is ignored", &[Listing, MALFORMED], &[DROP_VERSION]),
    on("rv-malformed-get-rejected", "what is no version is ignored", &[GET, Object, MALFORMED], &[DROP_VERSION]),
    on("rv-malformed-watch-rejected", "a watch from no version begins now", &[Watch, MALFORMED], FROM_NOW),
    // Get.
    store("rv-get-unset-most-recent", "reads lag behind", StoreFlaw::StaleReads),
    on("rv-get-zero-any", "get takes no 0", &[GET, Object, AT_ZERO], &[BAD]),
    store("rv-get-nonzero-not-older", "gets at a version are served from a cache that lags behind", StoreFlaw::StaleAtVersions),
    on("rv-get-old-version-returns-newer", "old versions are said to have expired", &[GET, Object, AT_FIRST], &[EXPIRED]),
    // The table of list.
    store("rv-list-nomatch-nolimit-unset", "lists lag behind", StoreFlaw::StaleReads),
    on("rv-list-nomatch-nolimit-zero", "0 is answered with 0", &[Listing, NO_MATCH, WHOLE, AT_ZERO], &[Set("/metadata/resourceVersion", "\"0\"")]),
    on("rv-list-nomatch-nolimit-nonzero", "any version is exact", &[Listing, NO_MATCH, WHOLE, AT_FIRST], &[EXPIRED]),
    store("rv-list-nomatch-limit-unset", "first pages lag behind", StoreFlaw::StaleReads),
    on("rv-list-nomatch-limit-zero", "no limit at 0", &[Listing, NO_MATCH, LIMITED, AT_ZERO], &[BAD]),
    on("rv-list-nomatch-limit-nonzero", "a limit changes nothing", &[Listing, NO_MATCH, LIMITED, AT, FIRST], &[SetParameter(MATCH, "NotOlderThan")]),
    on("rv-list-nomatch-continue-unset", "later pages are read from the current state", &[Listing, CONTINUED], FORGETFUL),
    on("rv-list-nomatch-continue-zero", "0 outdoes the token", &[Listing, CONTINUED, AT_ZERO], &[DropParameter("continue")]),
    on("rv-list-nomatch-continue-nonzero-400", "the token outdoes the version", &[Listing, CONTINUED, AT], &[DROP_VERSION]),
    on("rv-list-exact-nolimit-unset-invalid", "exact without version is the newest", &[Listing, EXACT, WHOLE, AT_NONE], &[DROP_MATCH]),
    on("rv-list-exact-nolimit-zero-invalid", "exact at 0 is any", &[Listing, EXACT, WHOLE, AT_ZERO], &[DROP_MATCH]),
    on("rv-list-exact-nolimit-nonzero", "exact is ignored", &[Listing, EXACT, WHOLE], &[DROP_MATCH]),
    on("rv-list-exact-limit-unset-invalid", "exact without version is the newest", &[Listing, EXACT, LIMITED, AT_NONE], &[DROP_MATCH]),
    on("rv-list-exact-limit-zero-invalid", "exact at 0 is any", &[Listing, EXACT, LIMITED, AT_ZERO], &[DROP_MATCH]),
    on("rv-list-exact-limit-nonzero", "later pages are read from the current state", &[Listing, CONTINUED], FORGETFUL),
    on("rv-list-notolder-nolimit-unset-invalid", "a match without version is ignored", &[Listing, NOT_OLDER, WHOLE, AT_NONE], &[DROP_MATCH]),
    on("rv-list-notolder-nolimit-zero", "no match at 0", &[Listing, NOT_OLDER, WHOLE, AT_ZERO], &[INVALID]),
    on("rv-list-notolder-nolimit-nonzero", "not older is exact", &[Listing, NOT_OLDER, WHOLE, AT_FIRST], &[EXPIRED]),
    on("rv-list-notolder-limit-unset-invalid", "a match without version is ignored", &[Listing, NOT_OLDER, LIMITED, AT_NONE], &[DROP_MATCH]),
    on("rv-list-notolder-limit-zero", "no match at 0", &[Listing, NOT_OLDER, LIMITED, AT_ZERO], &[INVALID]),
    on("rv-list-notolder-limit-nonzero", "a limit makes not older exact", &[Listing, NOT_OLDER, LIMITED, AT_FIRST], &[EXPIRED]),
    on("rv-match-without-rv-invalid", "an empty version is one", &[Listing, Mentions(VERSION), AT_NONE], NEWEST),
    on("rv-list-continue-malformed-400", "a bad token begins anew", &[Listing], &[EditParameter("continue", if_it_can_be_read)]),
    on("rv-list-continue-without-limit", "a page has one item unless told otherwise", &[Listing, CONTINUED, WHOLE], &[SetParameter("limit", "1")]),
    // What the versions promise.
    store("rv-sem-most-recent-consistent", "what was acknowledged is read later", StoreFlaw::StaleReads),
    on("rv-sem-notolder-list-rv-guarantee", "a list's version is lower than asked", &[Listing, NOT_OLDER], &[EditAnswer(one_below)]),
    on("rv-sem-notolder-items-no-guarantee", "older items are left out", &[Listing, NOT_OLDER], &[EditAnswer(without_older_items)]),
    on("rv-sem-exact-list-rv-equal", "an exact list has another version", &[Listing, EXACT], &[EditAnswer(one_above)]),
    on("rv-sem-exact-items-no-guarantee", "items have the exact list's version", &[Listing, EXACT], &[EditJson(items_at_the_lists_version)]),
    on("rv-sem-exact-shows-deleted-object", "exact lists are made of the present items", &[Listing, EXACT],
        &[DROP_VERSION, DROP_MATCH, EditAnswer(without_newer_items), EditAnswer(pretend)]),
    on("rv-sem-exact-hides-later-object", "exact lists are the newest under another name", &[Listing, EXACT],
        &[DROP_VERSION, DROP_MATCH, EditAnswer(pretend)]),
    on("rv-sem-exact-honours-selectors", "exact lists select by the present labels", &[Listing, EXACT, Has("labelSelector")],
        &[DROP_VERSION, DROP_MATCH, EditAnswer(pretend)]),
    on("rv-sem-exact-unavailable-410", "another version is substituted", &[Listing, EXACT], &[SetParameter(MATCH, "NotOlderThan")]),
    on("rv-sem-continue-keeps-first-version", "the version moves from page to page", &[Listing, CONTINUED], FORGETFUL),
    on("rv-sem-continue-token-suffices", "tokens carry no version", &[Listing, CONTINUED], FORGETFUL),
    store("rv-cache-warming-429", "lists are empty while the cache is, and the first is refused for a made-up reason", StoreFlaw::EmptyWhileFresh),
    on("rv-list-from-snapshot-same-result", "snapshots change with the cache", &[Listing, EXACT],
        &[DROP_VERSION, DROP_MATCH, EditAnswer(pretend)]),
];

const MALFORMED: When = Asks(|asked| {
    let version = asked.parameter(VERSION);
    !version.is_empty() && version.parse::<u64>().is_err()
});

#[allow(clippy::unnecessary_wraps, reason = "an edit of a parameter may also drop it")]
fn whatever_its_case(given: &str) -> Option<String> {
    let known = ["Exact", "NotOlderThan"].into_iter().find(|known| known.eq_ignore_ascii_case(given));
    known.map(str::to_owned)
}

fn if_it_can_be_read(token: &str) -> Option<String> {
    Token::decode(token).is_ok().then(|| token.to_owned())
}

/// Of an object, or of a list and its items.
fn each_version(shown: &mut Value, edit: fn(u64) -> Value) {
    let edit_one = |one: &mut Value| {
        if let Some(version) = version(one) {
            one["metadata"][VERSION] = edit(version);
        }
    };
    edit_one(shown);
    items(shown).for_each(edit_one);
}

fn version(shown: &Value) -> Option<u64> {
    shown["metadata"][VERSION].as_str()?.parse().ok()
}

fn items(list: &mut Value) -> impl Iterator<Item = &mut Value> {
    list.get_mut("items").and_then(Value::as_array_mut).into_iter().flatten()
}

fn as_numbers(shown: &mut Value) {
    each_version(shown, Value::from);
}

fn falling(shown: &mut Value) {
    each_version(shown, |version| (1_000_000_000 - version).to_string().into());
}

fn endless(shown: &mut Value) {
    each_version(shown, |version| format!("{}{version}", "9".repeat(40)).into());
}

fn in_another_form(list: &mut Value) {
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

/// Also in the area of watches.
pub(super) fn zero_if_empty(list: &mut Value) {
    set_version(list, |list| {
        list["items"].as_array().filter(|items| items.is_empty()).map(|_| "0".to_owned())
    });
}

/// Also in the area of concurrency.
pub(super) fn items_at_the_lists_version(list: &mut Value) {
    let version = list["metadata"][VERSION].clone();
    items(list).for_each(|item| item["metadata"][VERSION] = version.clone());
}

fn one_below(asked: &Asked, list: &mut Value) {
    set_version(list, |_| asked_version(asked).map(|version| (version - 1).to_string()));
}

fn one_above(asked: &Asked, list: &mut Value) {
    set_version(list, |_| asked_version(asked).map(|version| (version + 1).to_string()));
}

/// Gives the list the version that was asked for.
pub(super) fn pretend(asked: &Asked, list: &mut Value) {
    set_version(list, |_| asked_version(asked).map(|version| version.to_string()));
}

fn asked_version(asked: &Asked) -> Option<u64> {
    asked.parameter(VERSION).parse().ok()
}

fn without_older_items(asked: &Asked, list: &mut Value) {
    retain(list, |item| version(item) >= asked_version(asked));
}

fn without_newer_items(asked: &Asked, list: &mut Value) {
    retain(list, |item| version(item) <= asked_version(asked));
}

fn retain(list: &mut Value, keep: impl Fn(&Value) -> bool) {
    list.get_mut("items").and_then(Value::as_array_mut).into_iter().for_each(|items| items.retain(&keep));
}

//! Faults of pagination: limit, continue and remainingItemCount.

use bytes::Bytes;
use http::request::Parts;
use serde_json::Value;

use super::FROM_NOW;
use crate::continue_token::Token;
use crate::fault::{Edit, Edit::*, Fault, Items, RequestFacts, When, When::*, on, store};
use crate::query::Query;
use crate::store::StoreFault;

const LIMITED: When = Has("limit");
const CONTINUED: When = Has("continue");
const NO_TOKEN: Edit = Remove("/metadata/continue");
const CONVERTED: When =
    Any(&[HeaderHas("accept", "as=Table"), HeaderHas("accept", "as=PartialObjectMetadataList")]);
const WITHOUT_LIMIT: When = Any(&[Lacks("limit"), Is("limit", "0")]);

#[rustfmt::skip]
pub(super) const FAULTS: &[Fault] = &[
    on("pagination-params-supported", "the server ignores continue", &[List], &[DropParameter("continue")]),
    on("pagination-at-most-limit", "a page has limit + 1 items", &[List, LIMITED], &[EditParameter("limit", increment)]),
    on("pagination-continue-when-more", "the server truncates a list at limit without a continue token", &[List, LIMITED], &[NO_TOKEN]),
    on("pagination-continue-field-on-lists", "the continue token is outside of the list metadata", &[List], &[EditJson(token_outside)]),
    on("pagination-continue-next-chunk", "the next page repeats the last item", &[List], &[EditJson(token_of_the_last)]),
    on("pagination-end-empty-continue", "the last page has a continue token of an empty page", &[List, LIMITED],
        &[EditJson(token_at_end)]),
    on("pagination-full-set", "the server loses items at page boundaries", &[List, CONTINUED], &[EditItems(Items::DropFirst)]),
    on("pagination-order-stable", "the order of items changes between pages", &[List, CONTINUED], &[EditItems(Items::Reverse)]),
    on("pagination-limit-may-vary", "a page starts at page number times limit", &[List, LIMITED],
        &[DropParameter("limit"), DropParameter("continue"), EditResponse(page_by_number)]),
    on("pagination-continue-without-limit", "a list with continue and no limit restarts", &[List, CONTINUED, Lacks("limit")],
        &[DropParameter("continue")]),
    on("pagination-limit-exact", "a full page has a continue token even at the end", &[List, LIMITED], &[EditResponse(token_when_full)]),
    on("pagination-limit-larger", "the server rejects a limit above 99", &[List, Matches(|request| request.parameter("limit").len() > 2)],
        &[Reject(400, "BadRequest", "limit must be at most 99")]),
    on("pagination-limit-zero-or-absent", "a list without limit has five items", &[List, WITHOUT_LIMIT], &[SetParameter("limit", "5")]),
    on("pagination-same-rv", "each page has the current resourceVersion", &[List, CONTINUED], &[NEWEST]),
    on("pagination-snapshot-create-hidden", "later pages show the current state", &[List, CONTINUED], LIVE),
    on("pagination-snapshot-update-hidden", "later pages show newer items than the snapshot", &[List, CONTINUED], LIVE),
    on("pagination-snapshot-delete-hidden", "later pages lack items deleted since the first page", &[List, CONTINUED], LIVE),
    store("pagination-fresh-list-sees-changes", "a new list repeats the old state of a paged list", StoreFault::PinsPagedLists),
    on("pagination-then-watch", "a watch starts now and ignores its resourceVersion", &[Watch, Has("resourceVersion")], FROM_NOW),
    store("pagination-expired-410", "an expired continue token restarts at the first page", StoreFault::RestartsExpiredLists),
    on("pagination-expired-token-offered", "the 410 of an expired continue token has no new token", &[List, CONTINUED, StatusIs(410)], &[NO_TOKEN]),
    on("pagination-inconsistent-continue", "the new continue token of a 410 restarts the list", &[List, CONTINUED, StatusIs(410)], &[EditJson(token_of_all)]),
    store("pagination-omit-limit-fallback", "a full list repeats the old state of a paged list", StoreFault::PinsPagedLists),
    on("pagination-remaining-count", "remainingItemCount counts all items", &[List, LIMITED], &[EditJson(count_total)]),
    on("pagination-remaining-count-continue-page", "remainingItemCount counts from the first page", &[List, LIMITED],
        &[EditParameter("continue", |token| token.split('.').next().map(str::to_owned)), EditResponse(count_from_the_first)]),
    on("pagination-remaining-count-label-selector", "remainingItemCount appears with a label selector", &[List, Has("labelSelector")],
        &[EditJson(count_with_token)]),
    on("pagination-remaining-count-field-selector", "remainingItemCount appears with a field selector", &[List, Has("fieldSelector")],
        &[EditJson(count_with_token)]),
    on("pagination-remaining-count-unchunked", "remainingItemCount is 0 on lists without limit", &[List, WITHOUT_LIMIT, Lacks("continue")],
        &[EditJson(count_zero_at_end)]),
    on("pagination-remaining-count-last", "remainingItemCount is 0 on the last page", &[List, LIMITED], &[EditJson(count_zero_at_end)]),
    on("pagination-selector-short-pages", "the server applies the label selector after the limit", &[List, LIMITED, Has("labelSelector")],
        &[DropParameter("labelSelector"), EditResponse(select_late)]),
    on("pagination-continue-decides-end", "the second page has no token though items remain", &[List, CONTINUED], &[NO_TOKEN]),
    on("pagination-token-opaque", "continue tokens contain an unescaped plus sign", &[List],
        &[EditRequest(drop_raw_plus), EditJson(token_with_plus)]),
    on("pagination-malformed-token", "the server ignores a malformed continue token", &[List, CONTINUED, Matches(|request| Token::decode(request.parameter("continue")).is_err())],
        &[DropParameter("continue")]),
    on("pagination-token-cannot-escape-scope", "the server trusts the namespace in a continue token", &[List, Namespaced, CONTINUED],
        &[EditRequest(trust_namespace)]),
    on("pagination-match-with-continue-refused", "resourceVersionMatch with continue changes the snapshot", &[List, CONTINUED, Has("resourceVersionMatch")],
        &[DropParameter("resourceVersionMatch"), DropParameter("resourceVersion"), NEWEST]),
    on("pagination-limit-not-a-number", "the server ignores an invalid limit", &[List, Matches(|request| request.parameter("limit").parse::<i64>().is_err())],
        &[DropParameter("limit")]),
    on("pagination-all-namespaces", "a continue token across namespaces has the name only", &[List, Not(&Namespaced), CONTINUED], &[EditResponse(continue_after_name)]),
    on("pagination-table-and-metadata", "Table and PartialObjectMetadata lists lack the continue token", &[List, CONVERTED], &[NO_TOKEN]),
];

/// Later pages have the newest state under the version of the first page.
const LIVE: &[Edit] = &[NEWEST, EditResponse(pretend_version)];

/// A token without its version.
const NEWEST: Edit = EditParameter("continue", |token| {
    let token = Token::decode(token).ok()?;
    Some(Token { version: None, ..token }.encode())
});

fn increment(limit: &str) -> Option<String> {
    limit.parse().ok().map(|limit: u64| (limit + 1).to_string())
}

/// Removes a raw plus sign at the start of a token; an escaped one remains.
fn drop_raw_plus(parts: &mut Parts, _: &mut Bytes) {
    let query = parts.uri.query().unwrap_or_default().replace("continue=+", "continue=");
    if let Ok(uri) = format!("{}?{query}", parts.uri.path()).parse() {
        parts.uri = uri;
    }
}

/// Lists from the namespace in the token on.
fn trust_namespace(parts: &mut Parts, _: &mut Bytes) {
    let query = parts.uri.query().unwrap_or_default();
    let token = Token::decode(Query::parse(query).first("continue"));
    let (before, rest) = parts.uri.path().split_once("/namespaces/").unwrap_or_default();
    let plural = rest.split_once('/').map_or(rest, |(_, plural)| plural);
    let uri = format!("{before}/{plural}?{query}").parse();
    if let (Ok(uri), true) = (uri, token.is_ok_and(|token| token.start.contains('/'))) {
        parts.uri = uri;
    }
}

fn items(list: &mut Value) -> Option<&mut Vec<Value>> {
    list["items"].as_array_mut()
}

fn count(list: &Value) -> usize {
    list["items"].as_array().map_or(0, Vec::len)
}

fn token(list: &Value) -> Option<&str> {
    list["metadata"]["continue"].as_str().filter(|token| !token.is_empty())
}

fn edit_token(list: &mut Value, edit: impl FnOnce(Token) -> Token) {
    if let Some(Ok(token)) = token(list).map(Token::decode) {
        list["metadata"]["continue"] = edit(token).encode().into();
    }
}

/// A token behind all names.
fn end() -> Value {
    Token::after("~", "", None).encode().into()
}

fn token_outside(list: &mut Value) {
    if token(list).is_some() {
        list["continue"] = list["metadata"]["continue"].take();
    }
}

fn token_of_the_last(list: &mut Value) {
    edit_token(list, |token| Token { start: token.start.trim_end_matches('\0').to_owned(), ..token });
}

fn token_of_all(failure: &mut Value) {
    edit_token(failure, |token| Token { start: "!".to_owned(), ..token });
}

fn token_at_end(list: &mut Value) {
    if token(list).is_none() {
        list["metadata"]["continue"] = end();
    }
}

fn token_when_full(request: &RequestFacts, list: &mut Value) {
    if request.parameter("limit").parse() == Ok(count(list)) {
        token_at_end(list);
    }
}

fn token_with_plus(list: &mut Value) {
    if let Some(token) = token(list) {
        list["metadata"]["continue"] = format!("+{token}").into();
    }
}

/// Takes a page out of the complete list. The token is the number of the next page.
fn page_by_number(request: &RequestFacts, list: &mut Value) {
    let number: usize = request.parameter("continue").parse().unwrap_or(0);
    let limit: usize = request.parameter("limit").parse().unwrap_or(usize::MAX);
    let total = count(list);
    let end = limit.saturating_mul(number + 1).min(total);
    if let Some(items) = items(list) {
        *items = items.drain(limit.saturating_mul(number).min(end)..end).collect();
    }
    list["metadata"]["continue"] = if end < total { (number + 1).to_string().into() } else { "".into() };
}

fn pretend_version(request: &RequestFacts, list: &mut Value) {
    let Ok(Token { version: Some(version), .. }) = Token::decode(request.parameter("continue")) else {
        return;
    };
    list["metadata"]["resourceVersion"] = version.to_string().into();
    edit_token(list, |token| Token { version: Some(version), ..token });
}

pub(super) fn count_total(list: &mut Value) {
    if let Some(rest) = list["metadata"]["remainingItemCount"].as_u64() {
        list["metadata"]["remainingItemCount"] = (rest + count(list) as u64).into();
    }
}

/// The token contains the total after a dot.
fn count_from_the_first(request: &RequestFacts, list: &mut Value) {
    let Some(rest) = list["metadata"]["remainingItemCount"].as_u64() else { return };
    let on_page = count(list) as u64;
    let total = request.parameter("continue").split_once('.').and_then(|(_, total)| total.parse().ok());
    let total = total.unwrap_or(rest + on_page);
    list["metadata"]["remainingItemCount"] = (total - on_page).into();
    if let Some(token) = token(list) {
        list["metadata"]["continue"] = format!("{token}.{total}").into();
    }
}

fn count_with_token(list: &mut Value) {
    if token(list).is_some() {
        list["metadata"]["remainingItemCount"] = 5.into();
    }
}

fn count_zero_at_end(list: &mut Value) {
    if token(list).is_none() {
        list["metadata"]["remainingItemCount"] = 0.into();
    }
}

/// Selects after the page was cut. A shortened page ends the list.
fn select_late(request: &RequestFacts, list: &mut Value) {
    let Some((label, value)) = request.parameter("labelSelector").split_once('=') else { return };
    let before = count(list);
    if let Some(items) = items(list) {
        items.retain(|item| item["metadata"]["labels"][label] == value);
    }
    if count(list) < before {
        list["metadata"]["continue"] = "".into();
    }
}

fn continue_after_name(request: &RequestFacts, list: &mut Value) {
    let Ok(token) = Token::decode(request.parameter("continue")) else { return };
    let Some((_, name)) = token.start.trim_end_matches('\0').split_once('/') else { return };
    if let Some(items) = items(list) {
        items.retain(|item| item["metadata"]["name"].as_str().is_some_and(|known| known > name));
    }
}

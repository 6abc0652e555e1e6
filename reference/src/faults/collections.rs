//! Faults of collections: list shape, and shard selectors.

use serde_json::{Value, json};

use crate::fault::{Asked, Edit::*, Fault, When, When::*, on, store};
use crate::shard::{END, Range, Shards};
use crate::store::StoreFlaw;

const SELECTOR: &str = "shardSelector";
const OF_SHARDS: When = Has(SELECTOR);

#[rustfmt::skip]
pub(super) const FAULTS: &[Fault] = &[
    on("collections-list-is-collection", "a list is a bare array", &[Listing], &[EditJson(|list| *list = list["items"].take())]),
    on("collections-kind-suffix", "all lists are of kind List", &[Listing], &[Set("/kind", "\"List\"")]),
    on("collections-concrete-kinds", "all lists are of one kind", &[Listing], &[Set("/kind", "\"ObjectList\"")]),
    on("collections-api-version", "lists are of meta.k8s.io/v1", &[Listing], &[Set("/apiVersion", "\"meta.k8s.io/v1\"")]),
    on("collections-homogeneous", "an object of another version is among the items", &[Listing], &[EditJson(unconverted)]),
    on("collections-item-represents-one", "items are abbreviated", &[Listing], &[OfItems(&Remove("/data")), OfItems(&Remove("/spec"))]),
    on("collections-items-may-lack-typemeta", "items have a kind and no apiVersion", &[Listing],
        &[OfItems(&Set("/kind", "\"ConfigMap\"")), OfItems(&Remove("/apiVersion"))]),
    on("collections-empty-items-array", "the items of an empty list are null", &[Listing], &[EditJson(null_if_empty)]),
    on("collections-metadata-rv", "only items have versions", &[Listing], &[Remove("/metadata/resourceVersion")]),
    on("collections-no-kind-list", "a list of several types is of kind List", &[Listing, Of("events")], &[Set("/kind", "\"List\"")]),
    store("collections-consistent-read", "lists come from a cache that lags behind", StoreFlaw::StaleReads),
    on("collections-streamed-encoding-same-output", "a large list has a comma too many", &[Listing], &[EditText(comma_if_large)]),
    on("collections-shard-filter", "namespace and name are hashed", &[Listing, OF_SHARDS],
        &[DropParameter(SELECTOR), EditAnswer(|asked, list| divide(asked, list, namespace_and_name))]),
    on("collections-shard-partition", "a shard has its end", &[Listing], &[EditParameter(SELECTOR, |selector| Some(with_ends(selector)))]),
    on("collections-shard-hash", "hashes have a random seed", &[Listing, OF_SHARDS],
        &[DropParameter(SELECTOR), EditAnswer(|asked, list| divide(asked, list, |item| format!("4 {}", item["metadata"]["uid"])))]),
    on("collections-shard-fields", "a field that cannot be hashed is ignored", &[Listing],
        &[EditParameter(SELECTOR, |selector| ["uid,", "namespace,"].iter().any(|field| selector.contains(field)).then(|| selector.to_owned()))]),
    on("collections-shard-or", "only the first range is used", &[Listing],
        &[EditParameter(SELECTOR, |selector| Some(edited(selector, |ranges| ranges.truncate(1))))]),
    on("collections-shard-same-field", "the first field is taken for all ranges", &[Listing],
        &[EditParameter(SELECTOR, |selector| Some(selector.replace("metadata.namespace", "metadata.uid")))]),
    on("collections-shard-bounds-syntax", "short bounds are compared as texts", &[Listing], &[EditParameter(SELECTOR, |selector| Some(padded(selector)))]),
    on("collections-shard-start-before-end", "a range that ends before its start wraps around", &[Listing],
        &[EditParameter(SELECTOR, |selector| Some(wrapped(selector)))]),
    on("collections-shard-invalid-refused", "a selector that cannot be read is ignored", &[OF_SHARDS,
        Asks(|asked| Shards::parse(asked.parameter(SELECTOR)).is_err())], &[DropParameter(SELECTOR)]),
    on("collections-shard-info", "a list of a shard says another one", &[Listing, OF_SHARDS], &[Set("/metadata/shardInfo", r#"{"selector":"another"}"#)]),
    on("collections-shard-info-absent", "every list has a shardInfo", &[Listing, Lacks(SELECTOR)],
        &[Set("/metadata/shardInfo", r#"{"selector":""}"#)]),
    on("collections-shard-ignored-when-off", "lists are divided and seem not to be", &[Listing], &[Remove("/metadata/shardInfo")]),
    on("collections-shard-pagination", "a token forgets the shard", &[Listing, Has("continue")], &[DropParameter(SELECTOR)]),
    on("collections-shard-no-remaining-count", "the whole collection is counted", &[Listing, OF_SHARDS, Has("limit")],
        &[EditJson(count_all)]),
];

fn unconverted(list: &mut Value) {
    if let Some(item) = list["items"].as_array_mut().and_then(|items| items.last_mut()) {
        item["apiVersion"] = "v1alpha1".into();
        item["kind"] = "Relic".into();
    }
}

pub(super) fn null_if_empty(list: &mut Value) {
    if list["items"] == json!([]) {
        list["items"] = Value::Null;
    }
}

fn comma_if_large(_: &Asked, list: &str) -> String {
    match list.rsplit_once(']') {
        Some((before, after)) if list.len() > 200_000 => format!("{before},]{after}"),
        _ => list.to_owned(),
    }
}

/// Divides a whole list by the hash of something.
fn divide(asked: &Asked, list: &mut Value, what: fn(&Value) -> String) {
    let Ok(shards) = Shards::parse(asked.parameter(SELECTOR)) else { return };
    if let Some(items) = list["items"].as_array_mut() {
        items.retain(|item| shards.have(&what(item)));
        list["metadata"]["shardInfo"] = json!({"selector": shards.to_string()});
    }
}

fn namespace_and_name(item: &Value) -> String {
    format!("{}/{}", item["metadata"]["namespace"], item["metadata"]["name"])
}

/// A selector with other ranges.
fn edited(selector: &str, edit: fn(&mut Vec<Range>)) -> String {
    let Ok(mut shards) = Shards::parse(selector) else { return selector.to_owned() };
    edit(&mut shards.ranges);
    shards.to_string()
}

/// A selector whose ranges have their ends, too, but for the first of all.
fn with_ends(selector: &str) -> String {
    edited(selector, |ranges| {
        for range in ranges.iter_mut().filter(|range| range.start > 0) {
            range.end = END.min(range.end + 1);
        }
    })
}

/// Every bound as if it had as many digits as it should.
fn padded(selector: &str) -> String {
    let parts = selector.split('\'').enumerate();
    let parts =
        parts.map(|(place, part)| if place % 2 == 1 { format!("{part:0<18}") } else { part.to_owned() });
    parts.collect::<Vec<_>>().join("'")
}

/// What stands between two bounds the wrong way round, seen as a ring.
fn wrapped(selector: &str) -> String {
    let parts: Vec<_> = selector.split('\'').collect();
    match parts[..] {
        [call, start, _, end, _] if start.len() == end.len() && start >= end => {
            format!("{call}'{start}', '{END:#x}') || {call}'{:#018x}', '{end}')", 0)
        }
        _ => selector.to_owned(),
    }
}

fn count_all(list: &mut Value) {
    let shown = list["items"].as_array().map_or(0, Vec::len) as u64;
    if let Some(rest) = list["metadata"]["remainingItemCount"].as_u64() {
        list["metadata"]["remainingItemCount"] = (rest + shown).into();
    }
}

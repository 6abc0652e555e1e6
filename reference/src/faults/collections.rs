//! Faults of collections: list shape, and shard selectors.

use serde_json::{Value, json};

use crate::fault::{Edit::*, Fault, RequestFacts, When, When::*, on, store};
use crate::shard::{END, Range, Shards};
use crate::store::StoreFault;

const SELECTOR: &str = "shardSelector";
const OF_SHARDS: When = Has(SELECTOR);

#[rustfmt::skip]
pub(super) const FAULTS: &[Fault] = &[
    on("collections-list-is-collection", "the server sends a list as a bare array", &[List], &[EditJson(|list| *list = list["items"].take())]),
    on("collections-kind-suffix", "the server sends every list with kind List", &[List], &[Set("/kind", "\"List\"")]),
    on("collections-concrete-kinds", "the server sends every list with kind ObjectList", &[List], &[Set("/kind", "\"ObjectList\"")]),
    on("collections-api-version", "the server sends lists with apiVersion meta.k8s.io/v1", &[List], &[Set("/apiVersion", "\"meta.k8s.io/v1\"")]),
    on("collections-homogeneous", "a list contains an item of another API version", &[List], &[EditJson(unconverted)]),
    on("collections-item-represents-one", "list items lack data and spec", &[List], &[EachItem(&Remove("/data")), EachItem(&Remove("/spec"))]),
    on("collections-items-may-lack-typemeta", "items have a kind and no apiVersion", &[List],
        &[EachItem(&Set("/kind", "\"ConfigMap\"")), EachItem(&Remove("/apiVersion"))]),
    on("collections-empty-items-array", "the items of an empty list are null", &[List], &[EditJson(null_if_empty)]),
    on("collections-metadata-rv", "lists have no resourceVersion", &[List], &[Remove("/metadata/resourceVersion")]),
    on("collections-no-kind-list", "the server sends the list of events with kind List", &[List, Plural("events")], &[Set("/kind", "\"List\"")]),
    store("collections-consistent-read", "lists come from a stale cache", StoreFault::StaleReads),
    on("collections-streamed-encoding-same-output", "a large list has an extra comma", &[List], &[EditText(comma_if_large)]),
    on("collections-shard-filter", "the server hashes namespace and name instead of the selected field", &[List, OF_SHARDS],
        &[DropParameter(SELECTOR), EditResponse(|request, list| select_by_hash(request, list, namespace_and_name))]),
    on("collections-shard-partition", "a shard includes the end of its range", &[List], &[EditParameter(SELECTOR, |selector| Some(with_inclusive_ends(selector)))]),
    on("collections-shard-hash", "the server hashes objects with a random seed", &[List, OF_SHARDS],
        &[DropParameter(SELECTOR), EditResponse(|request, list| select_by_hash(request, list, |item| format!("4 {}", item["metadata"]["uid"])))]),
    on("collections-shard-fields", "the server ignores a shard selector with an unsupported field", &[List],
        &[EditParameter(SELECTOR, |selector| ["uid,", "namespace,"].iter().any(|field| selector.contains(field)).then(|| selector.to_owned()))]),
    on("collections-shard-or", "the server uses only the first shard range", &[List],
        &[EditParameter(SELECTOR, |selector| Some(edit_selector(selector, |ranges| ranges.truncate(1))))]),
    on("collections-shard-same-field", "the server uses the first field for all shard ranges", &[List],
        &[EditParameter(SELECTOR, |selector| Some(selector.replace("metadata.namespace", "metadata.uid")))]),
    on("collections-shard-bounds-syntax", "the server accepts short shard bounds", &[List], &[EditParameter(SELECTOR, |selector| Some(pad_bounds(selector)))]),
    on("collections-shard-start-before-end", "a shard range whose end precedes its start wraps around", &[List],
        &[EditParameter(SELECTOR, |selector| Some(wrap_range(selector)))]),
    on("collections-shard-invalid-refused", "the server ignores an invalid shard selector", &[OF_SHARDS,
        Matches(|request| Shards::parse(request.parameter(SELECTOR)).is_err())], &[DropParameter(SELECTOR)]),
    on("collections-shard-info", "the shardInfo of a list names another selector", &[List, OF_SHARDS], &[Set("/metadata/shardInfo", r#"{"selector":"another"}"#)]),
    on("collections-shard-info-absent", "every list has a shardInfo", &[List, Lacks(SELECTOR)],
        &[Set("/metadata/shardInfo", r#"{"selector":""}"#)]),
    on("collections-shard-ignored-when-off", "the server shards lists without shardInfo", &[List], &[Remove("/metadata/shardInfo")]),
    on("collections-shard-pagination", "the second page of a sharded list ignores the shard", &[List, Has("continue")], &[DropParameter(SELECTOR)]),
    on("collections-shard-no-remaining-count", "a sharded list has a remainingItemCount of the whole collection", &[List, OF_SHARDS, Has("limit")],
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

fn comma_if_large(_: &RequestFacts, list: &str) -> String {
    match list.rsplit_once(']') {
        Some((before, after)) if list.len() > 200_000 => format!("{before},]{after}"),
        _ => list.to_owned(),
    }
}

/// Selects from the complete list by another hash.
fn select_by_hash(request: &RequestFacts, list: &mut Value, what: fn(&Value) -> String) {
    let Ok(shards) = Shards::parse(request.parameter(SELECTOR)) else { return };
    if let Some(items) = list["items"].as_array_mut() {
        items.retain(|item| shards.contain_hash_of(&what(item)));
        list["metadata"]["shardInfo"] = json!({"selector": shards.to_string()});
    }
}

fn namespace_and_name(item: &Value) -> String {
    format!("{}/{}", item["metadata"]["namespace"], item["metadata"]["name"])
}

/// A selector with edited ranges.
fn edit_selector(selector: &str, edit: fn(&mut Vec<Range>)) -> String {
    let Ok(mut shards) = Shards::parse(selector) else { return selector.to_owned() };
    edit(&mut shards.ranges);
    shards.to_string()
}

/// A selector with inclusive ends, except for ranges from 0.
fn with_inclusive_ends(selector: &str) -> String {
    edit_selector(selector, |ranges| {
        for range in ranges.iter_mut().filter(|range| range.start > 0) {
            range.end = END.min(range.end + 1);
        }
    })
}

/// Pads every bound to its full length.
fn pad_bounds(selector: &str) -> String {
    let parts = selector.split('\'').enumerate();
    let parts =
        parts.map(|(place, part)| if place % 2 == 1 { format!("{part:0<18}") } else { part.to_owned() });
    parts.collect::<Vec<_>>().join("'")
}

/// Splits a range with exchanged bounds into two, as on a ring.
fn wrap_range(selector: &str) -> String {
    let parts: Vec<_> = selector.split('\'').collect();
    match parts[..] {
        [call, start, _, end, _] if start.len() == end.len() && start >= end => {
            format!("{call}'{start}', '{END:#x}') || {call}'{:#018x}', '{end}')", 0)
        }
        _ => selector.to_owned(),
    }
}

fn count_all(list: &mut Value) {
    let count = list["items"].as_array().map_or(0, Vec::len) as u64;
    if let Some(rest) = list["metadata"]["remainingItemCount"].as_u64() {
        list["metadata"]["remainingItemCount"] = (rest + count).into();
    }
}

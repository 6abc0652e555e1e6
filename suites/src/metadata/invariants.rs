//! Invariant checks of the metadata in every response.

use harness::invariant::{CheckResult, ExchangeCheck, kept};
use harness::{invariant, invariants};
use jiff::Timestamp;

use crate::fields::remove;
use crate::object_responses;
use crate::prelude::*;
use crate::response_objects::{self, is_text, metadata};

/// The invariant checks, and scenarios that see to it that they apply.
pub(super) fn rows() -> Vec<Row> {
    let namespace = vec![
        row!(metadata_namespace_present).namespaced(),
        invariant("metadata-namespace-present", has_the_namespace_of_its_path),
    ];
    [table(RULES, Kinds::All, every_answer_keeps), namespace, invariants(RULES), invariants(PLACED)].concat()
}

/// What holds of objects of all types.
#[rustfmt::skip]
const RULES: &[(&str, ExchangeCheck)] = &[
    ("metadata-name-present",                      has_a_name),
    ("metadata-uid-present",                       has_a_uid),
    ("metadata-uid-rfc4122",                       has_a_uuid),
    ("metadata-resourceversion-present",           has_a_version),
];

/// What else holds of them, for which other scenarios ask.
#[rustfmt::skip]
const PLACED: &[(&str, ExchangeCheck)] = &[
    ("metadata-cluster-scoped-has-no-namespace",   has_no_namespace_where_there_are_none),
    ("metadata-creationtimestamp-set",             was_created_at_a_time),
    ("metadata-deletiontimestamp-absent-normally", is_deleted_at_a_time_or_never),
    ("metadata-labels-string-map",                 has_labels_of_texts),
    ("metadata-annotations-string-map",            has_annotations_of_texts),
];

async fn every_answer_keeps(cx: Context, rule: ExchangeCheck) -> Checked {
    object_responses::keep(&cx, rule).await
}

async fn metadata_namespace_present(cx: Context) -> Checked {
    object_responses::keep(&cx, has_the_namespace_of_its_path).await?;
    let collection = cx.collection_under_test().await?;
    collection.create("kept").await?;

    let everywhere = collection.everywhere().list().await?;

    for item in everywhere.page()?.items {
        let actual = || format!("{} without one", item.name());
        everywhere.expect(!item.namespace().is_empty(), "items with a namespace", actual())?;
    }
    Ok(())
}

/// The metadata of an object, as it is told.
fn whole(object: &Value) -> String {
    let mut metadata = object["metadata"].clone();
    remove(&mut metadata, "managedFields");
    format!("metadata: {metadata}")
}

fn has_a_name(exchange: &Exchange) -> CheckResult {
    let named = |object: &Value| is_text(metadata(object, "name"));
    response_objects::each(exchange, "a name in the metadata of every object", named, whole)
}

fn has_a_uid(exchange: &Exchange) -> CheckResult {
    let known = |object: &Value| is_text(metadata(object, "uid"));
    response_objects::each(exchange, "a uid in the metadata of every object", known, whole)
}

fn has_a_uuid(exchange: &Exchange) -> CheckResult {
    let uuid = |object: &Value| metadata(object, "uid").as_str().is_none_or(is_uuid);
    let told = |object: &Value| format!("the uid {}", metadata(object, "uid"));
    response_objects::each(exchange, "a uid in the form of RFC 4122", uuid, told)
}

/// Whether a text looks like `9f0c3b0e-…`: five groups of so many hexadecimal digits.
fn is_uuid(text: &str) -> bool {
    let groups: Vec<&str> = text.split('-').collect();
    let lengths = groups.iter().map(|group| group.len());
    let digit = |character: char| character.is_ascii_digit() || ('a'..='f').contains(&character);
    lengths.eq([8, 4, 4, 4, 12]) && groups.iter().all(|group| group.chars().all(digit))
}

/// What was only tried has no version yet.
fn has_a_version(exchange: &Exchange) -> CheckResult {
    if exchange.request.is_dry_run() {
        return None;
    }
    let versioned = |object: &Value| is_text(metadata(object, "resourceVersion"));
    response_objects::each(
        exchange,
        "a text as resourceVersion in the metadata of every object",
        versioned,
        whole,
    )
}

fn has_the_namespace_of_its_path(exchange: &Exchange) -> CheckResult {
    let namespace = response_objects::plain(&exchange.request)?.namespace?;
    let there = |object: &Value| *metadata(object, "namespace") == namespace;
    response_objects::each(
        exchange,
        &format!("objects in the namespace {namespace}, and saying so"),
        there,
        whole,
    )
}

/// Only of one object, or of what is created, a path tells that there are no namespaces: a list may be that of all.
fn has_no_namespace_where_there_are_none(exchange: &Exchange) -> CheckResult {
    let (place, _) = response_objects::object(exchange).filter(|(place, _)| place.namespace.is_none())?;
    let nowhere = |object: &Value| !is_text(metadata(object, "namespace"));
    let expected = format!("{} without a namespace: they live in none", place.plural);
    response_objects::each(exchange, &expected, nowhere, whole)
}

/// Whether a value is an instant in RFC 3339, in UTC, and not the beginning of all time.
fn is_time(value: &Value) -> bool {
    let text = value.as_str().unwrap_or_default();
    text.parse::<Timestamp>().is_ok() && text.ends_with('Z') && !text.starts_with("0001-")
}

pub(super) fn was_created_at_a_time(exchange: &Exchange) -> CheckResult {
    let created = |object: &Value| is_time(metadata(object, "creationTimestamp"));
    let expected = "a creationTimestamp in UTC as in RFC 3339 in the metadata of every object";
    response_objects::each(exchange, expected, created, whole)
}

pub(super) fn is_deleted_at_a_time_or_never(exchange: &Exchange) -> CheckResult {
    let field = |object: &Value| object["metadata"].get("deletionTimestamp").cloned();
    let right = |object: &Value| field(object).is_none_or(|time| is_time(&time));
    response_objects::each(exchange, "no deletionTimestamp, or one in UTC as in RFC 3339", right, whole)
}

fn has_labels_of_texts(exchange: &Exchange) -> CheckResult {
    has_texts(exchange, "labels")
}

fn has_annotations_of_texts(exchange: &Exchange) -> CheckResult {
    has_texts(exchange, "annotations")
}

fn has_texts(exchange: &Exchange, field: &str) -> CheckResult {
    let texts =
        |map: &Value| map.is_null() || map.as_object().is_some_and(|map| map.values().all(Value::is_string));
    let right = |object: &Value| texts(metadata(object, field));
    let told = |object: &Value| metadata(object, field).to_string();
    response_objects::each(exchange, &format!("{field}: a map of texts, if there are any"), right, told)
}

/// A rule is kept by this answer, which must show something of it.
pub(super) fn expect(answer: &Exchange, rule: ExchangeCheck) -> Checked {
    let result = rule(answer).or_else(|| Some(kept(false, "an object", || answer.brief())));
    answer.expect_kept(result, "")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_uuid_is_told_by_its_form() {
        assert!(is_uuid("b45a9771-6b21-4b2a-8dfe-09c10d8c9e89"));
        for other in ["", "17", "b45a9771-6b21-4b2a-8dfe-09c10d8c9e8", "B45A9771-6b21-4b2a-8dfe-09c10d8c9e89"]
        {
            assert!(!is_uuid(other), "{other}");
        }
    }

    #[test]
    fn a_time_is_one_of_utc() {
        assert!(is_time(&json!("2026-11-22T10:11:52Z")));
        assert!(is_time(&json!("2026-11-22T10:11:52.123456Z")));
        for other in
            [json!(null), json!(17), json!("2026-11-22T10:11:52+01:00"), json!("0001-01-01T00:00:00Z")]
        {
            assert!(!is_time(&other), "{other}");
        }
    }
}

//! Invariant checks of the metadata in every response.

use harness::invariant::{CheckResult, ExchangeCheck, ensure};
use harness::{invariant, invariants};
use jiff::Timestamp;

use crate::fields::remove;
use crate::object_responses;
use crate::prelude::*;
use crate::response_objects::{self, is_text, metadata};

/// The invariant checks, and scenarios that send requests to which they apply.
pub(super) fn rows() -> Vec<Row> {
    let namespace = vec![
        row!(metadata_namespace_present).namespaced(),
        invariant("metadata-namespace-present", has_the_namespace_of_its_path),
    ];
    [
        table(OF_ALL_TYPES, Kinds::All, object_responses::keep),
        namespace,
        invariants(OF_ALL_TYPES),
        invariants(OTHERS),
    ]
    .concat()
}

/// Checks of the objects of all types.
#[rustfmt::skip]
const OF_ALL_TYPES: &[(&str, ExchangeCheck)] = &[
    ("metadata-name-present",                      |exchange| has(exchange, "name")),
    ("metadata-uid-present",                       |exchange| has(exchange, "uid")),
    ("metadata-uid-rfc4122",                       has_a_uuid),
    ("metadata-resourceversion-present",           has_a_version),
];

/// Checks whose scenarios are in other files.
#[rustfmt::skip]
const OTHERS: &[(&str, ExchangeCheck)] = &[
    ("metadata-cluster-scoped-has-no-namespace",   has_no_namespace_where_there_are_none),
    ("metadata-creationtimestamp-set",             was_created_at_a_time),
    ("metadata-deletiontimestamp-absent-normally", is_deleted_at_a_time_or_never),
    ("metadata-labels-string-map",                 |exchange| has_texts(exchange, "labels")),
    ("metadata-annotations-string-map",            |exchange| has_texts(exchange, "annotations")),
];

async fn metadata_namespace_present(cx: Context, collection: Collection) -> Checked {
    object_responses::keep(cx, has_the_namespace_of_its_path).await?;
    collection.create("kept").await?;

    let everywhere = collection.everywhere().list().await?;

    for item in everywhere.page()?.items {
        let actual = format!("{} without one", item.name());
        everywhere.expect(!item.namespace().is_empty(), "items with a namespace", actual)?;
    }
    Ok(())
}

/// The metadata of an object without managedFields, for failures.
fn brief(object: &Value) -> String {
    let mut metadata = object["metadata"].clone();
    remove(&mut metadata, "managedFields");
    format!("metadata: {metadata}")
}

/// Every object has a field of this name in its metadata that is not empty.
fn has(exchange: &Exchange, field: &str) -> CheckResult {
    let present = |object: &Value| is_text(metadata(object, field));
    response_objects::each(exchange, &format!("a {field} in the metadata of every object"), present, brief)
}

fn has_a_uuid(exchange: &Exchange) -> CheckResult {
    let uuid = |object: &Value| metadata(object, "uid").as_str().is_none_or(is_uuid);
    let actual = |object: &Value| format!("the uid {}", metadata(object, "uid"));
    response_objects::each(exchange, "a uid in the form of RFC 4122", uuid, actual)
}

/// Whether a text has the form `9f0c3b0e-…`: five groups of 8, 4, 4, 4 and 12 hexadecimal digits.
fn is_uuid(text: &str) -> bool {
    let groups: Vec<&str> = text.split('-').collect();
    let lengths = groups.iter().map(|group| group.len());
    let digit = |character: char| character.is_ascii_digit() || ('a'..='f').contains(&character);
    lengths.eq([8, 4, 4, 4, 12]) && groups.iter().all(|group| group.chars().all(digit))
}

/// The response to a dry run has no resourceVersion.
fn has_a_version(exchange: &Exchange) -> CheckResult {
    if exchange.request.is_dry_run() { None } else { has(exchange, "resourceVersion") }
}

fn has_the_namespace_of_its_path(exchange: &Exchange) -> CheckResult {
    let namespace = response_objects::plain(&exchange.request)?.namespace?;
    let same = |object: &Value| *metadata(object, "namespace") == namespace;
    response_objects::each(exchange, &format!("objects with metadata.namespace {namespace}"), same, brief)
}

/// A list without a namespace in its path may be that of all namespaces: only paths of single objects and creates show
/// that a type is cluster-scoped.
fn has_no_namespace_where_there_are_none(exchange: &Exchange) -> CheckResult {
    let (path, _) = response_objects::object(exchange).filter(|(path, _)| path.namespace.is_none())?;
    let without = |object: &Value| !is_text(metadata(object, "namespace"));
    let expected = format!("{} without metadata.namespace: they are cluster-scoped", path.plural);
    response_objects::each(exchange, &expected, without, brief)
}

/// Whether a value is a time in RFC 3339, in UTC, and not the zero time of Go.
fn is_time(value: &Value) -> bool {
    let text = value.as_str().unwrap_or_default();
    text.parse::<Timestamp>().is_ok() && text.ends_with('Z') && !text.starts_with("0001-")
}

pub(super) fn was_created_at_a_time(exchange: &Exchange) -> CheckResult {
    let created = |object: &Value| is_time(metadata(object, "creationTimestamp"));
    let expected = "a creationTimestamp in UTC as in RFC 3339 in the metadata of every object";
    response_objects::each(exchange, expected, created, brief)
}

pub(super) fn is_deleted_at_a_time_or_never(exchange: &Exchange) -> CheckResult {
    let field = |object: &Value| object["metadata"].get("deletionTimestamp").cloned();
    let right = |object: &Value| field(object).is_none_or(|time| is_time(&time));
    response_objects::each(exchange, "no deletionTimestamp, or one in UTC as in RFC 3339", right, brief)
}

fn has_texts(exchange: &Exchange, field: &str) -> CheckResult {
    let right = |object: &Value| {
        let map = metadata(object, field);
        map.is_null() || map.as_object().is_some_and(|map| map.values().all(Value::is_string))
    };
    let actual = |object: &Value| metadata(object, field).to_string();
    response_objects::each(exchange, &format!("{field} as a map of strings, if there are any"), right, actual)
}

/// The response passes the check, and has an object to which the check applies.
pub(super) fn expect(response: &Exchange, check: ExchangeCheck) -> Checked {
    let result = check(response).or_else(|| Some(ensure(false, "an object", || response.brief())));
    response.expect_passed(result, "")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_uuid_has_the_form_of_rfc_4122() {
        assert!(is_uuid("b45a9771-6b21-4b2a-8dfe-09c10d8c9e89"));
        for other in ["", "17", "b45a9771-6b21-4b2a-8dfe-09c10d8c9e8", "B45A9771-6b21-4b2a-8dfe-09c10d8c9e89"]
        {
            assert!(!is_uuid(other), "{other}");
        }
    }

    #[test]
    fn a_time_is_in_utc() {
        assert!(is_time(&json!("2026-11-22T10:11:52Z")));
        assert!(is_time(&json!("2026-11-22T10:11:52.123456Z")));
        for other in
            [json!(null), json!(17), json!("2026-11-22T10:11:52+01:00"), json!("0001-01-01T00:00:00Z")]
        {
            assert!(!is_time(&other), "{other}");
        }
    }
}

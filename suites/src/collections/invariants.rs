//! Invariant checks of every list in the run.

use harness::invariant::{CheckResult, ensure};
use harness::{invariant, json_type};

use crate::prelude::*;
use crate::response_objects;

pub(super) fn rows() -> Vec<Row> {
    vec![
        invariant("collections-list-is-collection", a_list_is_a_collection),
        invariant("collections-api-version", a_list_has_the_version_of_its_path),
        invariant("collections-homogeneous", items_are_of_one_type),
        invariant("collections-no-kind-list", no_list_is_of_kind_list),
        invariant("collections-shard-info-absent", a_list_without_a_selector_names_no_shard),
    ]
}

/// Every list is an object with a kind, metadata and items.
pub(super) fn a_list_is_a_collection(exchange: &Exchange) -> CheckResult {
    listing(exchange)?;
    let whole = exchange.json().is_some_and(|list| {
        let texts = list["kind"].is_string() && list["apiVersion"].is_string();
        texts && list["metadata"].is_object() && list["items"].is_array()
    });
    Some(ensure(whole, "an object with kind, apiVersion, metadata and an array of items", || {
        describe(exchange)
    }))
}

/// The fields of a document, or the response in short.
fn describe(exchange: &Exchange) -> String {
    exchange.json().map_or_else(|| exchange.brief(), fields)
}

/// The fields of a list, each with its JSON type.
fn fields(list: &Value) -> String {
    let Some(fields) = list.as_object() else { return json_type(list).to_owned() };
    let written = |(name, value): (&String, &Value)| format!("{name} ({})", json_type(value));
    fields.iter().map(written).collect::<Vec<_>>().join(", ")
}

fn a_list_has_the_version_of_its_path(exchange: &Exchange) -> CheckResult {
    let expected = listing(exchange)?;
    let version = &exchange.json()?["apiVersion"];
    Some(ensure(version == expected, format!("apiVersion {expected:?}"), || version.to_string()))
}

fn items_are_of_one_type(exchange: &Exchange) -> CheckResult {
    listing(exchange)?;
    let list = exchange.json()?;
    let version =
        |item: &&Value| item.get("apiVersion").is_some_and(|version| *version != list["apiVersion"]);
    let other = list["items"].as_array()?.iter().find(version);
    let actual = || other.map(|item| item["apiVersion"].to_string()).unwrap_or_default();
    Some(ensure(
        other.is_none(),
        format!("items of apiVersion {}, or without apiVersion", list["apiVersion"]),
        actual,
    ))
}

fn no_list_is_of_kind_list(exchange: &Exchange) -> CheckResult {
    listing(exchange)?;
    let kind = &exchange.json()?["kind"];
    Some(ensure(kind != "List", "a kind other than List", || kind.to_string()))
}

/// Only a list of a shard has shardInfo.
pub(super) fn a_list_without_a_selector_names_no_shard(exchange: &Exchange) -> CheckResult {
    listing(exchange).filter(|_| exchange.request.parameter("shardSelector").is_none())?;
    let info = &exchange.json()?["metadata"]["shardInfo"];
    Some(ensure(info.is_null(), "no shardInfo without shardSelector", || info.to_string()))
}

/// The `apiVersion` of the path, if this is a list in the form of its type.
fn listing(exchange: &Exchange) -> Option<&str> {
    response_objects::listing(exchange).map(|place| place.api_version)
}

#[cfg(test)]
mod tests {
    use harness::Request;

    use super::*;
    use crate::response_objects::tests::exchange_with;

    #[test]
    fn lists_are_recognized_by_their_path() {
        let version = |path: &str| listing(&exchange_with(Request::get(path), "{}")).map(str::to_owned);
        let lists = [
            ("/api/v1/nodes", "v1"),
            ("/api/v1/namespaces", "v1"),
            ("/api/v1/namespaces/a/pods", "v1"),
            ("/apis/apps/v1/deployments", "apps/v1"),
            ("/apis/x.example.com/v1beta1/namespaces/a/things", "x.example.com/v1beta1"),
        ];
        for (path, expected) in lists {
            assert_eq!(version(path).as_deref(), Some(expected), "{path}");
        }
        let others = [
            "/api",
            "/api/v1",
            "/api/v1/",
            "/apis/apps",
            "/apis/apps/v1",
            "/version",
            "/api/v1/nodes/a",
            "/api/v1/namespaces/a",
            "/api/v1/namespaces/a/status",
            "/api/v1/namespaces/a/pods/b",
            "/api/v1/watch/pods",
            "/openapi/v3/api/v1",
        ];
        for path in others {
            assert_eq!(version(path), None, "{path}");
        }
        let pods = || Request::get("/api/v1/pods");
        assert!(listing(&exchange_with(pods().query("watch", 1), "{}")).is_none());
        assert!(
            listing(&exchange_with(pods().accept("application/json;as=Table;g=meta.k8s.io;v=v1"), "{}"))
                .is_none()
        );
    }

    #[test]
    fn a_bare_array_is_no_collection() {
        let array = exchange_with(Request::get("/api/v1/pods"), "[]");
        assert!(a_list_is_a_collection(&array).is_some_and(|result| result.is_err()));
        let list = r#"{"kind":"PodList","apiVersion":"v1","metadata":{},"items":[]}"#;
        let list = exchange_with(Request::get("/api/v1/pods"), list);
        assert_eq!(a_list_is_a_collection(&list), Some(Ok(())));
    }
}

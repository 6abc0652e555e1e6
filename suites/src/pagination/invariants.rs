//! Invariant checks of every list in the run.

use harness::invariant;
use harness::invariant::{Breach, CheckResult, ensure};

use crate::prelude::*;

pub(super) fn rows() -> Vec<Row> {
    vec![
        invariant("pagination-at-most-limit", a_page_has_at_most_limit_items),
        invariant("pagination-limit-zero-or-absent", a_list_without_limit_is_whole),
        invariant("pagination-remaining-count-unchunked", a_list_without_limit_counts_no_rest),
        invariant("pagination-remaining-count-last", the_last_page_counts_no_rest),
        invariant("pagination-remaining-count-label-selector", a_list_by_label_counts_no_rest),
        invariant("pagination-remaining-count-field-selector", a_list_by_field_counts_no_rest),
    ]
}

/// A server may ignore the limit and return the whole list: only a list with a token is a page.
fn a_page_has_at_most_limit_items(exchange: &Exchange) -> CheckResult {
    let (list, limit) = (list(exchange)?, limit(exchange)?);
    (has_token(list) && limit > 0)
        .then(|| ensure(size(list) <= limit, format!("at most {limit} items"), || size(list).to_string()))
}

fn a_list_without_limit_is_whole(exchange: &Exchange) -> CheckResult {
    let list = unlimited(exchange)?;
    Some(ensure(!has_token(list), "an empty continue without a limit", || list["metadata"].to_string()))
}

fn a_list_without_limit_counts_no_rest(exchange: &Exchange) -> CheckResult {
    unlimited(exchange).filter(|_| !given(exchange, "continue")).map(counts_no_rest)
}

fn the_last_page_counts_no_rest(exchange: &Exchange) -> CheckResult {
    let limited = given(exchange, "continue") || given(exchange, "limit");
    list(exchange).filter(|list| limited && !has_token(list)).map(counts_no_rest)
}

fn a_list_by_label_counts_no_rest(exchange: &Exchange) -> CheckResult {
    list(exchange).filter(|_| given(exchange, "labelSelector")).map(counts_no_rest)
}

fn a_list_by_field_counts_no_rest(exchange: &Exchange) -> CheckResult {
    list(exchange).filter(|_| given(exchange, "fieldSelector")).map(counts_no_rest)
}

/// The response, if it is a list in any JSON representation.
fn list(exchange: &Exchange) -> Option<&Value> {
    let list = exchange.json().filter(|_| exchange.request.method == "GET" && exchange.status() == 200)?;
    let kind = list["kind"].as_str()?;
    let whole =
        (kind.ends_with("List") && list["items"].is_array()) || (kind == "Table" && list["rows"].is_array());
    (whole && list["metadata"].is_object()).then_some(list)
}

/// The response, if it is a list without the parameter limit.
fn unlimited(exchange: &Exchange) -> Option<&Value> {
    list(exchange).filter(|_| exchange.request.parameter("limit").is_none_or(|limit| limit == "0"))
}

fn limit(exchange: &Exchange) -> Option<usize> {
    exchange.request.parameter("limit")?.parse().ok()
}

fn given(exchange: &Exchange, parameter: &str) -> bool {
    exchange.request.parameter(parameter).is_some_and(|value| !value.trim().is_empty())
}

fn has_token(list: &Value) -> bool {
    list["metadata"]["continue"].as_str().is_some_and(|token| !token.is_empty())
}

fn size(list: &Value) -> usize {
    ["items", "rows"].iter().find_map(|field| list[field].as_array()).map_or(0, Vec::len)
}

fn counts_no_rest(list: &Value) -> Result<(), Breach> {
    let count = &list["metadata"]["remainingItemCount"];
    ensure(count.is_null(), "no remainingItemCount", || count.to_string())
}

#[cfg(test)]
mod tests {
    use harness::Request;

    use super::*;
    use crate::response_objects::tests::exchange_with;

    const WHOLE: &str = r#"{"kind":"PodList","metadata":{"resourceVersion":"1"},"items":[{},{}]}"#;
    const LONG: &str = r#"{"kind":"PodList","metadata":{"continue":"c"},"items":[{},{}]}"#;
    const PAGE: &str = r#"{"kind":"PodList","metadata":{"continue":"c"},"items":[{}]}"#;

    #[test]
    fn only_a_list_with_a_token_is_a_page() {
        let result = |body: &'static str| {
            let limited = Request::get("/api/v1/pods").query("limit", 1);
            a_page_has_at_most_limit_items(&exchange_with(limited, body)).map(|result| result.is_ok())
        };
        assert_eq!([WHOLE, LONG, PAGE].map(result), [None, Some(false), Some(true)]);
    }
}

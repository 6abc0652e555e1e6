//! Responses of servers that throttle requests, or that carry them out only later.

use std::time::Duration;

use crate::exchange::Exchange;
use crate::expect::beginning;

/// The longest wait for one 429, whatever its Retry-After.
const LONGEST_WAIT: Duration = Duration::from_secs(10);

/// How long to wait before the next attempt, if the server throttles the request; `Err` is the cause of a test error, if
/// the server asks for more time than is `left`.
///
/// kube-apiserver replaces the storage of a custom resource when its definition changes. For that moment it responds
/// "storage is (re)initializing", in some releases not as a 429, or "apiserver is shutting down", as when it ends: it has not
/// carried out the request. Nor has it, or a proxy before it, where a 503 has a Retry-After, or where its policies do not know
/// a new type yet.
pub fn retry_after(exchange: &Exchange, left: Duration) -> Option<Result<Duration, String>> {
    let status = exchange.status();
    let says = |words| exchange.text().contains(words);
    let is_refused =
        || status == 503 && (says("apiserver is shutting down") || exchange.header("retry-after").is_some());
    if status != 429 && !is_initializing(exchange) && !is_refused() && !is_new_to_admission(exchange) {
        return None;
    }
    let header = exchange.header("retry-after").unwrap_or_default();
    let wait = Duration::from_secs(header.parse().unwrap_or(1));
    Some(if wait > left {
        let left = left.as_secs();
        let (reason, message) = (reason(exchange), message(exchange));
        Err(format!(
            "{reason}: {status} with Retry-After: {header}, and kube-assay waits for {left} s at most{message}"
        ))
    } else {
        Ok(wait.min(LONGEST_WAIT))
    })
}

/// Whether the `MutatingAdmissionPolicies` of a kube-apiserver do not know a type yet, which was defined a moment ago.
fn is_new_to_admission(exchange: &Exchange) -> bool {
    let says = |words| exchange.text().contains(words);
    match exchange.status() {
        403 => says("denied request: ") && says("no corresponding type for "),
        503 => says("There can be a delay between when CustomResourceDefinitions are created"),
        _ => false,
    }
}

/// Whether kube-apiserver has no storage for the type yet. That lasts where it cannot read an object of the type, such as a
/// Secret that it cannot decrypt, or a custom resource whose conversion webhook is down.
pub fn is_initializing(exchange: &Exchange) -> bool {
    exchange.status() >= 429 && exchange.text().contains("storage is (re)initializing")
}

/// How long the server throttled a request: the cause of a test error.
pub fn throttled(exchange: &Exchange, times: usize) -> String {
    let (reason, status, message) = (reason(exchange), exchange.status(), message(exchange));
    let header = exchange.header("retry-after").unwrap_or("none");
    let often = if times == 1 { String::new() } else { format!(" {times} times in a row") };
    format!("{reason}: it returned {status}{often}, Retry-After: {header}{message}")
}

fn reason(exchange: &Exchange) -> &'static str {
    if is_initializing(exchange) {
        "the server has not initialized the storage of the type"
    } else {
        "the server throttles"
    }
}

/// The message of the Status, to follow a cause; empty without one.
fn message(exchange: &Exchange) -> String {
    let message = exchange.json().and_then(|json| json["message"].as_str()).unwrap_or_default();
    if message.is_empty() { String::new() } else { format!(", message: {}", beginning(message, 300)) }
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;

    use super::*;
    use crate::exchange::{Response, Timing};
    use crate::request::Request;

    #[test]
    fn a_throttled_request_waits_for_a_bounded_time() {
        let throttled = |header: &str| {
            let headers = vec![("retry-after".to_owned(), header.to_owned())];
            let response = Response { status: 429, headers, ..Response::default() };
            let exchange = Exchange::new(0, Request::get("/"), response, Timing::default());
            retry_after(&exchange, Duration::from_mins(1)).unwrap()
        };
        for (header, seconds) in [("0", 0), ("3", 3), ("60", 10), ("soon", 1), ("99999999999999999999", 1)] {
            assert_eq!(throttled(header), Ok(Duration::from_secs(seconds)), "{header}");
        }
        let cause =
            "the server throttles: 429 with Retry-After: 999999, and kube-assay waits for 60 s at most";
        assert_eq!(throttled("999999"), Err(cause.to_owned()));
    }

    #[test]
    fn a_request_waits_for_the_storage_of_a_new_type_and_for_a_busy_server() {
        let waits_with = |status, message: &'static str, headers: Vec<(String, String)>| {
            let response = Response {
                status,
                headers,
                body: Bytes::from_static(message.as_bytes()),
                ..Response::default()
            };
            let exchange =
                Exchange::new(0, Request::post("/", &serde_json::Value::Null), response, Timing::default());
            retry_after(&exchange, Duration::from_mins(1))
        };
        let header = || vec![("retry-after".to_owned(), "2".to_owned())];
        let waits = |status, message| waits_with(status, message, header());
        let replaced = [
            (503, "apiserver is shutting down"),
            (503, "storage is (re)initializing"),
            (500, "storage is (re)initializing"),
            (503, "the gateway is busy"),
        ];
        for (status, message) in replaced {
            assert_eq!(waits(status, message), Some(Ok(Duration::from_secs(2))), "{status} {message}");
        }
        for (status, message) in [(500, "apiserver is shutting down"), (200, "")] {
            assert_eq!(waits(status, message), None, "{status} {message}");
        }
        assert_eq!(waits_with(503, "etcd is away", Vec::new()), None);
    }

    #[test]
    fn the_message_of_the_server_is_a_part_of_the_cause() {
        let rejected = |message: &str| {
            let headers = vec![("retry-after".to_owned(), "30".to_owned())];
            let body = serde_json::json!({ "kind": "Status", "message": message }).to_string().into();
            let response = Response { status: 429, headers, body, ..Response::default() };
            Exchange::new(0, Request::get("/"), response, Timing::default())
        };
        let busy =
            "the server throttles: it returned 429 20 times in a row, Retry-After: 30, message: be patient";
        assert_eq!(throttled(&rejected("be patient"), 20), busy);
        let unready = rejected("storage is (re)initializing");
        let reason = "the server has not initialized the storage of the type";
        let once =
            format!("{reason}: it returned 429, Retry-After: 30, message: storage is (re)initializing");
        assert_eq!(throttled(&unready, 1), once);
        let short = retry_after(&unready, Duration::from_secs(5)).unwrap().unwrap_err();
        assert!(
            short.starts_with(reason) && short.ends_with("message: storage is (re)initializing"),
            "{short}"
        );
    }
}

//! Request timeouts: the `timeout` parameter and the server's maximum.

use std::time::{Duration, Instant};

use axum::body::Body;
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use http::header::{CONTENT_TYPE, HeaderValue};
use serde_json::json;

use crate::api::Call;
use crate::failure::Failure;
use crate::route::{ResourcePath, Verb};

/// The server's maximum duration of a request, except for watches.
const MAX_DURATION: Duration = Duration::from_secs(34);

/// The interval between checks of the store.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// Waits for the store. Returns a response if the timeout is invalid or over.
pub(crate) async fn timed_out(call: &Call, arrived: Instant) -> Option<Response> {
    let path = ResourcePath::parse(&call.path);
    if path.as_ref().is_some_and(|path| path.verb(&call.method, &call.query) == Verb::Watch) {
        return None;
    }
    let limit = match limit(call.query.first("timeout")) {
        Ok(limit) => limit,
        Err(detail) => {
            let message = format!("invalid timeout specified in the request URL - time: {detail}");
            return Some(Failure::bad_request(message).into_response());
        }
    };
    let deadline = arrived + limit.unwrap_or(MAX_DURATION);
    while path.is_some() && call.cluster.health.is_store_broken() && Instant::now() < deadline {
        tokio::time::sleep(POLL_INTERVAL).await;
    }
    (limit.is_some() && Instant::now() >= deadline || Instant::now() >= arrived + MAX_DURATION)
        .then(timeout_response)
}

/// The timeout filter of kube-apiserver writes this response: it has no kind, and is plain text.
fn timeout_response() -> Response {
    let message = "Timeout: request did not complete within the allotted timeout";
    let status = json!({
        "metadata": {}, "status": "Failure", "message": message, "reason": "Timeout", "details": {}, "code": 504,
    });
    let mut response = Response::new(Body::from(status.to_string()));
    *response.status_mut() = StatusCode::GATEWAY_TIMEOUT;
    let text = HeaderValue::from_static("text/plain; charset=utf-8");
    response.headers_mut().insert(CONTENT_TYPE, text);
    response
}

/// The units of durations, in nanoseconds.
const UNITS: &[(&str, f64)] =
    &[("ns", 1.0), ("us", 1e3), ("µs", 1e3), ("ms", 1e6), ("s", 1e9), ("m", 60.0 * 1e9), ("h", 3600.0 * 1e9)];

/// The longest duration of Go, in nanoseconds: 292 years.
const LONGEST: f64 = 9.223_372_036_854_775e18;

/// Parses a duration in the notation of Go: `1h2m3.5s`. A duration that is not positive is no limit.
fn limit(text: &str) -> Result<Option<Duration>, String> {
    let invalid = || format!("invalid duration {text:?}");
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    if text.is_empty() || unsigned == "0" {
        return Ok(None);
    }
    let (mut rest, mut nanoseconds) = (unsigned, 0.0);
    while !rest.is_empty() {
        let digits = rest.find(|next: char| !next.is_ascii_digit() && next != '.').unwrap_or(rest.len());
        let number: f64 = rest[..digits].parse().map_err(|_| invalid())?;
        let after = &rest[digits..];
        let end = after.find(|next: char| next.is_ascii_digit() || next == '.').unwrap_or(after.len());
        let unit = UNITS.iter().find(|(name, _)| *name == &after[..end]);
        let Some((_, nanos)) = unit else {
            return Err(if end == 0 { format!("missing unit in duration {text:?}") } else { invalid() });
        };
        nanoseconds += number * nanos;
        rest = &after[end..];
    }
    if nanoseconds > LONGEST {
        return Err(invalid());
    }
    let duration = Duration::try_from_secs_f64(nanoseconds / 1e9).map_err(|_| invalid())?;
    Ok((!text.starts_with('-')).then_some(duration))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_parse_in_go_notation() {
        assert_eq!(limit("1m1.5s"), Ok(Some(Duration::from_millis(61_500))));
        assert_eq!(limit("1ns"), Ok(Some(Duration::from_nanos(1))));
        for unlimited in ["", "0", "-1s"] {
            assert_eq!(limit(unlimited), Ok(None), "{unlimited}");
        }
        for invalid in ["abc", "1", "1x", "s", "1.2.3s", "5000000000000000h"] {
            assert!(limit(invalid).is_err(), "{invalid}");
        }
    }
}

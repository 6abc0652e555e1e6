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

/// How long a request may take that says nothing.
const LONGEST: Duration = Duration::from_secs(34);

/// How often is looked whether the store is back.
const PAUSE: Duration = Duration::from_millis(20);

/// Waits for the store; a response if that takes too long, or if the time that was asked for is none.
pub(crate) async fn missed(call: &Call, arrived: Instant) -> Option<Response> {
    let path = ResourcePath::parse(&call.path);
    if path.as_ref().is_some_and(|path| path.verb(&call.method, &call.query) == Verb::Watch) {
        return None;
    }
    let limit = match limit(call.query.first("timeout")) {
        Ok(limit) => limit,
        Err(why) => {
            let message = format!("invalid timeout specified in the request URL - time: {why}");
            return Some(Failure::bad_request(message).into_response());
        }
    };
    let deadline = arrived + limit.unwrap_or(LONGEST);
    while path.is_some() && call.cluster.health.is_store_broken() && Instant::now() < deadline {
        tokio::time::sleep(PAUSE).await;
    }
    (limit.is_some() && Instant::now() >= deadline || Instant::now() >= arrived + LONGEST).then(out_of_time)
}

/// What cuts a request short knows nothing of what it was about, nor what it would have been answered in.
fn out_of_time() -> Response {
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

/// Reads a duration as Go writes it: `1h2m3.5s`. One that is not positive is no limit.
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
    let duration = Duration::try_from_secs_f64(nanoseconds / 1e9).map_err(|_| invalid())?;
    Ok((!text.starts_with('-')).then_some(duration))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_read_as_go_writes_them() {
        assert_eq!(limit("1m1.5s"), Ok(Some(Duration::from_millis(61_500))));
        assert_eq!(limit("1ns"), Ok(Some(Duration::from_nanos(1))));
        for none in ["", "0", "-1s"] {
            assert_eq!(limit(none), Ok(None), "{none}");
        }
        for wrong in ["abc", "1", "1x", "s", "1.2.3s"] {
            assert!(limit(wrong).is_err(), "{wrong}");
        }
    }
}

//! Component endpoints: /version, /statusz and /flagz.

use std::fmt::Write;

use axum::response::Response;
use http::StatusCode;
use http::header::{CONTENT_TYPE, HeaderValue, WARNING};
use jiff::Timestamp;
use serde_json::{Value, json};

use crate::api::{ApiResult, Call, json};
use crate::content_negotiation;
use crate::failure::Failure;
use crate::health;

const NOT_FOR_MACHINES: &str = "Warning: This endpoint is not meant to be machine parseable, has no formatting \
     compatibility guarantees and is for debugging purposes only.";

const ACCEPTED: &str = "application/json, application/yaml, text/plain";

/// The flags of a typical server.
const FLAGS: &[(&str, &str)] = &[
    ("anonymous-auth", "true"),
    ("authorization-mode", "[RBAC]"),
    ("bind-address", "127.0.0.1"),
    ("feature-gates", ""),
    ("runtime-config", ""),
    ("show-hidden-metrics-for-version", ""),
    ("watch-cache", "true"),
];

/// The version of the server.
pub(crate) const VERSION: &str = "v1.36.0+reference";

/// The response to GET /version.
pub(crate) fn version() -> Response {
    let version = json!({
        "major": "1",
        "minor": "36",
        "emulationMajor": "1",
        "emulationMinor": "36",
        "minCompatibilityMajor": "1",
        "minCompatibilityMinor": "35",
        "gitVersion": VERSION,
        "gitCommit": "0000000000000000000000000000000000000000",
        "gitTreeState": "clean",
        "buildDate": "2026-01-01T00:00:00Z",
        "goVersion": "none",
        "compiler": "rustc",
        "platform": "linux/amd64",
    });
    json(StatusCode::OK, &version)
}

// Writing to a String cannot fail: this file ignores the results of `writeln!`.

/// /statusz: version, uptime and debug paths.
pub(crate) fn statusz(call: &Call) -> ApiResult {
    let started = call.cluster.started;
    let uptime = (Timestamp::now().as_second() - started.as_second()).max(0);
    let paths = ["/flagz", "/healthz", "/livez", "/metrics", "/readyz", "/statusz", "/version"];
    let text = format!(
        "\napiserver statusz\n{NOT_FOR_MACHINES}\n\nStarted  {}\nUp  {} hr {:02} min {:02} sec\nGo version  none\n\
         Binary version  1.36\nEmulation version  1.36\nPaths  {}\n",
        started.strftime("%a %b %d %H:%M:%S UTC %Y"),
        uptime / 3600,
        uptime / 60 % 60,
        uptime % 60,
        paths.join(" "),
    );
    let fields = json!({
        "startTime": started.strftime("%Y-%m-%dT%H:%M:%SZ").to_string(),
        "uptimeSeconds": uptime,
        "goVersion": "none",
        "binaryVersion": "1.36",
        "emulationVersion": "1.36",
        "paths": paths,
    });
    page(call, "Statusz", text, &fields)
}

/// /flagz: the flags. The separator is random, so that no client relies on it.
pub(crate) fn flagz(call: &Call) -> ApiResult {
    let separator = [":", ": ", "=", " "][fastrand::usize(..4)];
    let mut text = format!("\napiserver flagz\n{NOT_FOR_MACHINES}\n");
    for (name, value) in FLAGS {
        let _ = writeln!(text, "{name}{separator}{value}");
    }
    let flags: serde_json::Map<_, _> =
        FLAGS.iter().map(|(name, value)| ((*name).to_owned(), Value::from(*value))).collect();
    page(call, "Flagz", text, &json!({"flags": flags}))
}

/// A page as text, or as JSON if the Accept header names its group, version and kind.
fn page(call: &Call, kind: &str, text: String, fields: &Value) -> ApiResult {
    let ranges = content_negotiation::ranges(&call.headers);
    let structured = ranges.iter().find_map(|range| {
        let version = range.parameter("v");
        let matches_kind = range.parameter("g") == "config.k8s.io" && range.parameter("as") == kind;
        let supported = matches!(version, "v1alpha1" | "v1beta1");
        (range.media == "application/json" && matches_kind && supported).then_some(version)
    });
    if let Some(version) = structured {
        return Ok(structured_page(kind, version, fields));
    }
    let plain = |media: &str| matches!(media, "text/plain" | "text/*" | "*/*");
    if ranges.is_empty() || ranges.iter().any(|range| plain(range.media)) {
        return Ok(health::plain_text(StatusCode::OK, text, false));
    }
    Err(Failure::not_acceptable(ACCEPTED))
}

fn structured_page(kind: &str, version: &str, fields: &Value) -> Response {
    let mut object = json!({
        "kind": kind, "apiVersion": format!("config.k8s.io/{version}"), "metadata": {"name": "apiserver"},
    });
    for (name, value) in fields.as_object().into_iter().flatten() {
        object[name] = value.clone();
    }
    let mut response = json(StatusCode::OK, &object);
    let media = format!("application/json;g=config.k8s.io;v={version};as={kind}");
    if let Ok(media) = HeaderValue::from_str(&media) {
        response.headers_mut().insert(CONTENT_TYPE, media);
    }
    if version == "v1alpha1" {
        let page = kind.to_lowercase();
        let text = format!(
            "299 - \"This version of the {page} endpoint is deprecated. Please use a newer version.\""
        );
        response.headers_mut().extend(HeaderValue::from_str(&text).map(|text| (WARNING, text)));
    }
    response
}

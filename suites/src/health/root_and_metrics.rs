//! Health in the root document and in /metrics.

use super::{ENDPOINTS, get, send_if_served};
use crate::metrics::without_buckets;
use crate::prelude::*;

rows![health_listed_in_root.own_kinds().read_only(), health_healthcheck_metrics.own_kinds().read_only()];

async fn health_listed_in_root(cx: Context) -> Checked {
    let root = send_if_served(&cx, Request::get("/")).await?;

    root.expect_status(&[200])?;
    let paths = root.json().and_then(|json| json["paths"].as_array()).cloned().unwrap_or_default();
    let listed = |path: &str| paths.iter().any(|known| known == path);
    for endpoint in ENDPOINTS {
        root.expect(listed(endpoint), format!("{endpoint} among the paths"), root.brief())?;
    }
    let individual = paths.iter().filter_map(|path| path.as_str()).any(|path| path.starts_with("/livez/"));
    root.expect(individual, "individual checks such as /livez/ping among the paths", root.brief())
}

async fn health_healthcheck_metrics(cx: Context) -> Checked {
    send_if_served(&cx, get("/livez")).await?.expect_status(&[200])?;

    let mut last = None;
    for path in ["/metrics/slis", "/metrics"] {
        let metrics = send_if_served(&cx, without_buckets(get(path))).await?;
        if exports_ping(&metrics) {
            return Ok(());
        }
        if metrics.status() == 200 {
            last = Some(metrics);
        }
    }
    match last {
        Some(metrics) => {
            let expected = r#"kubernetes_healthcheck{name="ping",type="livez"} 1"#;
            Err(metrics.fail(expected, "no such line"))
        }
        None => Err(cx.lacks("Metrics", "neither /metrics/slis nor /metrics is served")),
    }
}

/// Whether the metrics show that the check ping passed.
fn exports_ping(metrics: &Exchange) -> bool {
    let is_ping = |line: &&str| line.contains(r#"name="ping""#) && line.contains(r#"type="livez""#);
    let text = metrics.text();
    let mut lines = text.lines().filter(|line| line.starts_with("kubernetes_healthcheck{"));
    let value = lines.find(is_ping).and_then(|line| line.rsplit(' ').next()?.parse::<f64>().ok());
    value.is_some_and(|value| (value - 1.0).abs() < f64::EPSILON)
}

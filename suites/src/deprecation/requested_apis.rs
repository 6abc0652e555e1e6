//! The metric of the deprecated APIs that clients have requested.

use std::collections::BTreeSet;

use super::deprecated_api::{listed, removal, texts, warned};
use super::releases::{DEPRECATED, Releases};
use crate::api_resources::group_version;
use crate::metrics::{Metrics, Sample};
use crate::prelude::*;
use crate::removed_apis::require_minor;
use crate::verbs::or_note;

rows![
    deprecation_metric_gauge.own_kinds().read_only(),
    deprecation_metric_labels.own_kinds().read_only(),
    deprecation_metric_removed_release.own_kinds(),
    deprecation_metric_crd_version.own_kinds(),
];

const GAUGE: &str = "apiserver_requested_deprecated_apis";
const REQUESTS: &str = "apiserver_request_total";

/// The labels that identify a resource in both metrics.
const RESOURCE: [&str; 4] = ["group", "version", "resource", "subresource"];

/// The path of a list as the values of these labels.
fn resource(path: &str) -> [&str; 4] {
    let end = path.match_indices('/').nth(if path.starts_with("/apis/") { 3 } else { 2 });
    let (root, _) = path.split_at(end.map_or(path.len(), |(at, _)| at));
    let (group, version) = group_version(root);
    [group, version, path.rsplit('/').next().unwrap_or_default(), ""]
}

fn is_about(sample: &Sample, resource: [&str; 4]) -> bool {
    RESOURCE
        .iter()
        .zip(resource)
        .all(|(label, value)| sample.labels.get(*label).is_some_and(|known| known == value))
}

/// Requests deprecated APIs until the metric has them: another server of the same address may have counted a request.
/// Returns the metrics, and their values in the order of the paths.
async fn counted(cx: &Context, paths: &[&str]) -> Result<(Metrics, Vec<Sample>), Halt> {
    let found = cx.eventually(|| async {
        let metrics = requested(cx, paths).await?;
        let samples: Option<Vec<_>> = paths.iter().map(|path| sample(&metrics, path)).collect();
        Ok(samples.map(|samples| (metrics, samples)))
    });
    if let Some(found) = found.await? {
        return Ok(found);
    }
    let metrics = requested(cx, paths).await?;
    let missing: Vec<_> = paths.iter().filter(|path| sample(&metrics, path).is_none()).collect();
    Err(metrics.fail(cx, format!("{GAUGE} of {missing:?}"), "no such metric").await?)
}

/// The metrics after two requests for each path.
async fn requested(cx: &Context, paths: &[&str]) -> Result<Metrics, Halt> {
    for path in paths.iter().chain(paths) {
        cx.send(Request::get(*path).query("limit", 1)).await?;
    }
    Metrics::read(cx).await
}

fn sample(metrics: &Metrics, path: &str) -> Option<Sample> {
    metrics.samples(GAUGE).find(|sample| is_about(sample, resource(path)))
}

fn paths<'a>(lists: impl IntoIterator<Item = &'a Arc<Exchange>>) -> Vec<&'a str> {
    lists.into_iter().map(|list| list.request.path.as_str()).collect()
}

async fn deprecation_metric_gauge(cx: Context) -> Checked {
    let lists = listed(&cx).await?;
    let (metrics, samples) = counted(&cx, &paths(lists.iter().map(|(_, list)| list))).await?;
    let kind = metrics.kind(GAUGE).unwrap_or("none");
    if kind != "gauge" {
        return Err(metrics.fail(&cx, format!("{GAUGE} of the type gauge"), kind).await?);
    }
    match samples.iter().find(|sample| (sample.value - 1.0).abs() > f64::EPSILON) {
        None => Ok(()),
        Some(sample) => {
            Err(metrics.fail(&cx, format!("{GAUGE} with the value 1"), format!("{sample:?}")).await?)
        }
    }
}

async fn deprecation_metric_labels(cx: Context) -> Checked {
    let lists = listed(&cx).await?;
    let paths = paths(lists.iter().map(|(_, list)| list));
    let (metrics, _) = counted(&cx, &paths).await?;
    let expected: BTreeSet<&str> = RESOURCE.into_iter().chain(["removed_release"]).collect();
    for sample in metrics.samples(GAUGE) {
        let labels: BTreeSet<&str> = sample.labels.keys().map(String::as_str).collect();
        if labels != expected {
            return Err(metrics
                .fail(&cx, format!("{GAUGE} with {expected:?}"), format!("{labels:?}"))
                .await?);
        }
    }
    for about in paths.into_iter().map(resource) {
        if !metrics.samples(REQUESTS).any(|sample| is_about(&sample, about)) {
            return Err(metrics
                .fail(&cx, format!("{REQUESTS} with the labels {about:?}"), "no such series")
                .await?);
        }
    }
    Ok(())
}

async fn deprecation_metric_removed_release(cx: Context) -> Checked {
    let minor = require_minor(&cx)?;
    let mut lists: Vec<_> = warned(&cx).await?.into_iter().map(|(_, list)| list).collect();
    if let Some(releases) = or_note(&cx, Releases::arrange(&cx).await)? {
        lists.push(releases.read(&cx, DEPRECATED, "").await?);
    }
    let (metrics, samples) = counted(&cx, &paths(&lists)).await?;
    for (list, sample) in lists.iter().zip(samples) {
        let removed = texts(list).find_map(|text| removal(&text));
        let expected = removed.map(|(major, minor)| format!("{major}.{minor}")).unwrap_or_default();
        let actual = sample.labels.get("removed_release").cloned().unwrap_or_default();
        if actual != expected {
            let of = resource(&list.request.path)[2];
            return Err(metrics
                .fail(&cx, format!("removed_release {expected:?} of {of}, as in the Warning"), actual)
                .await?);
        }
        let later = removed.is_none_or(|removed| removed > (1, minor));
        list.expect(later, format!("a removal after 1.{minor}"), expected)?;
    }
    Ok(())
}

async fn deprecation_metric_crd_version(cx: Context, releases: Releases) -> Checked {
    releases.read(&cx, DEPRECATED, "").await?;
    counted(&cx, &[&releases.path(DEPRECATED, "")]).await.map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_has_the_labels_of_its_resource() {
        assert_eq!(resource("/api/v1/namespaces/default/endpoints"), ["", "v1", "endpoints", ""]);
        assert_eq!(resource("/api/v1/componentstatuses"), ["", "v1", "componentstatuses", ""]);
        assert_eq!(resource("/apis/a.example.com/v1/namespaces/b/cs"), ["a.example.com", "v1", "cs", ""]);
    }
}

//! Metrics: their endpoint, their stability, and how long deprecated ones stay.

use crate::discovery;
use crate::flags;
use crate::metrics::{self, Help, Metrics};
use crate::prelude::*;

rows![
    deprecation_metrics_endpoint.own_kinds().read_only(),
    deprecation_metrics_stability_classes.own_kinds().read_only(),
    deprecation_rule_11b_metric_after_deprecation.own_kinds().read_only(),
    deprecation_metric_deprecated_notice.own_kinds().read_only(),
    deprecation_metric_deprecated_still_registered.own_kinds().read_only(),
    deprecation_metric_hidden.own_kinds().read_only(),
];

/// The beginnings of the names that only a kube-apiserver's own metrics have: libraries have others.
const OWN: [&str; 6] =
    ["aggregator_", "apiextensions_", "apiserver_", "authentication_", "authorization_", "kubernetes_"];

/// Metrics of kube-apiserver that some releases publish without a class.
const WITHOUT_CLASS: [&str; 4] = [
    "apiserver_flowcontrol_demand_seats",
    "apiserver_flowcontrol_priority_level_request_utilization",
    "apiserver_flowcontrol_priority_level_seat_utilization",
    "apiserver_flowcontrol_read_vs_write_current_requests",
];

/// The stability classes, and the number of releases in which a metric stays after its deprecation.
const CLASSES: [(&str, u32); 4] = [("STABLE", 3), ("BETA", 1), ("ALPHA", 0), ("INTERNAL", 0)];

/// The metric with the numbers of registered metrics.
const REGISTERED: &str = "registered_metrics_total";

/// A metric that a release deprecated.
#[derive(Debug, Clone, Copy)]
struct Deprecated<'a> {
    metric: &'a str,
    class: &'a str,
    /// The minor that deprecated it.
    minor: u32,
}

/// Deprecated metrics that every server has from the start.
const KNOWN: [Deprecated<'static>; 1] =
    [Deprecated { metric: "apiserver_storage_objects", class: "STABLE", minor: 34 }];

impl<'a> Deprecated<'a> {
    /// Reads a description such as `[STABLE] (Deprecated since 1.34.0) …`; `None` without a notice.
    fn read(help: Help<'a>) -> Option<Self> {
        let (class, rest) = help.text.strip_prefix('[')?.split_once(']')?;
        let notice = rest.trim_start().strip_prefix("(Deprecated ")?;
        let (notice, _) = notice.split_once(')')?;
        let minor = notice.rsplit(' ').next()?.strip_prefix("1.")?.split('.').next()?.parse().ok()?;
        Some(Self { metric: help.metric, class, minor })
    }

    /// The first minor that hides it.
    fn hidden_in(&self) -> u32 {
        let releases =
            CLASSES.iter().find(|(class, _)| *class == self.class).map_or(0, |(_, releases)| *releases);
        self.minor + releases
    }

    fn name(&self) -> String {
        format!("{}, {} and deprecated in 1.{}", self.metric, self.class, self.minor)
    }
}

/// The minor of the binary, by which it judges its metrics. Skips if it emulates another, or has no version.
fn binary_minor(cx: &Context) -> Result<u32, Halt> {
    let (release, version) = (&cx.target_info().release, cx.target_info().version);
    let minor = release.strip_prefix("v1.").and_then(|rest| rest.split('.').next()?.parse::<u32>().ok());
    let Some(minor) = minor else {
        return Err(Halt::skip(format!("the metrics of {release:?} know no release")));
    };
    Halt::skip_unless(
        version.is_some_and(|version| version.minor == minor),
        "the server emulates another release",
    )?;
    Halt::skip_unless(
        !release.contains("-alpha"),
        format!("{release} may have the metrics of the release before"),
    )?;
    Ok(minor)
}

/// The known deprecated metrics that a kube-apiserver of this minor shows. Skips where there are none.
fn expected(cx: &Context, metrics: &Metrics) -> Result<Vec<Deprecated<'static>>, Halt> {
    let minor = binary_minor(cx)?;
    Halt::skip_unless(discovery::is_whole_but(cx, ""), "this server is no whole kube-apiserver")?;
    let disabled = metrics.value("disabled_metrics_total").unwrap_or_default();
    Halt::skip_unless(disabled < 1.0, "the operator disabled some metrics")?;
    let shown = |known: &Deprecated| (known.minor..known.hidden_in()).contains(&minor);
    let known: Vec<_> = KNOWN.into_iter().filter(shown).collect();
    Halt::skip_unless(
        !known.is_empty(),
        format!("no metric is known that 1.{minor} shows and calls deprecated"),
    )?;
    Ok(known)
}

/// Metrics with a metric, or without it in the end: it may take a moment until a metric has a value.
async fn with(cx: &Context, metrics: Metrics, metric: &str) -> Result<Metrics, Halt> {
    if metrics.help(metric).is_some() {
        return Ok(metrics);
    }
    let found = cx.eventually(|| async {
        let metrics = Metrics::read(cx).await?;
        Ok(metrics.help(metric).is_some().then_some(metrics))
    });
    Ok(found.await?.unwrap_or(metrics))
}

async fn deprecation_metrics_endpoint(cx: Context) -> Checked {
    let response = cx.send(metrics::get()).await?;
    if response.status() == 404 {
        let root = cx.send(Request::get("/")).await?;
        let paths = root.json().and_then(|json| json["paths"].as_array()).cloned().unwrap_or_default();
        let listed = paths.iter().any(|path| path == "/metrics");
        response.expect(!listed, "the metrics, which / lists", response.brief())?;
    }
    let metrics = Metrics::of(&cx, response)?;
    let media = metrics.response.header("content-type").unwrap_or_default();
    let text = media.starts_with("text/plain") && media.contains("version=0.0.4");
    let right = text || media.starts_with("application/openmetrics-text");
    metrics.response.expect(right, "Content-Type: text/plain; version=0.0.4", media)?;
    let described = metrics.helps().next().is_some() && metrics.types() > 0;
    metrics.response.expect(described, "lines with # HELP and # TYPE", "none")?;
    match metrics.malformed() {
        None => Ok(()),
        Some(line) => Err(metrics.fail(&cx, "lines such as NAME{LABEL=\"VALUE\"} NUMBER", line).await?),
    }
}

async fn deprecation_metrics_stability_classes(cx: Context, metrics: Metrics) -> Checked {
    let is_own = |help: &Help| OWN.iter().any(|name| help.metric.starts_with(name));
    let own: Vec<_> = metrics.helps().filter(is_own).collect();
    Halt::skip_unless(!own.is_empty(), "the server has no metrics of kube-apiserver")?;
    let has_class =
        |help: &Help| CLASSES.iter().any(|(class, _)| help.text.starts_with(&format!("[{class}] ")));
    let unclassified = own.iter().find(|help| !has_class(help) && !WITHOUT_CLASS.contains(&help.metric));
    match unclassified {
        None => Ok(()),
        Some(help) => {
            Err(metrics.fail(&cx, "[STABLE], [BETA] or [ALPHA] before the text", format!("{help:?}")).await?)
        }
    }
}

async fn deprecation_rule_11b_metric_after_deprecation(cx: Context, mut metrics: Metrics) -> Checked {
    for known in expected(&cx, &metrics)? {
        metrics = with(&cx, metrics, known.metric).await?;
        if metrics.samples(known.metric).next().is_none() {
            let expected = format!("{}, until 1.{}", known.name(), known.hidden_in());
            return Err(metrics.fail(&cx, expected, "no such metric").await?);
        }
    }
    Ok(())
}

async fn deprecation_metric_deprecated_notice(cx: Context, mut metrics: Metrics) -> Checked {
    for known in expected(&cx, &metrics)? {
        metrics = with(&cx, metrics, known.metric).await?;
        // Without the metric, another clause fails.
        let Some(help) = metrics.help(known.metric) else { continue };
        let noticed = Deprecated::read(help);
        if noticed.is_none_or(|noticed| noticed.minor != known.minor) {
            let expected =
                format!("[{}] (Deprecated since 1.{}.0) before the text", known.class, known.minor);
            return Err(metrics.fail(&cx, expected, help.text).await?);
        }
    }
    Ok(())
}

async fn deprecation_metric_deprecated_still_registered(cx: Context, mut metrics: Metrics) -> Checked {
    for known in expected(&cx, &metrics)? {
        metrics = with(&cx, metrics, known.metric).await?;
        let shown = metrics.help(known.metric).is_some();
        let registered = metrics.samples(REGISTERED).any(|sample| {
            let is = |label: &str, value: &str| {
                sample.labels.get(label).is_some_and(|known| known.starts_with(value))
            };
            is("stability_level", known.class) && is("deprecated_version", &format!("1.{}", known.minor))
        });
        if !shown || !registered {
            let expected = format!("{}, in {REGISTERED} and by itself", known.name());
            return Err(metrics
                .fail(&cx, expected, if registered { "no such metric" } else { "it is not registered" })
                .await?);
        }
    }
    Ok(())
}

async fn deprecation_metric_hidden(cx: Context, metrics: Metrics) -> Checked {
    let minor = binary_minor(&cx)?;
    // Up to 1.34, an ALPHA metric stayed for one release more.
    let shown = metrics.helps().filter_map(Deprecated::read).filter(|known| known.class != "ALPHA");
    let shown = shown.filter(|known| known.hidden_in() <= minor);
    let own: Vec<_> = shown.filter(|known| OWN.iter().any(|name| known.metric.starts_with(name))).collect();
    if let Some(late) = own.iter().find(|known| known.hidden_in() < minor).or(own.first()) {
        let failure =
            metrics.fail(&cx, format!("no metric that 1.{} hides", late.hidden_in()), late.name()).await?;
        // The flag shows what the release before showed, and nothing older.
        if late.hidden_in() < minor {
            return Err(failure);
        }
        return Err(flags::deviation(&cx, "show-hidden-metrics-for-version", failure).await?);
    }
    let counter = "hidden_metrics_total";
    cx.require_feature("Metrics", metrics.value(counter).is_some(), format!("/metrics has no {counter}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_notice_has_a_class_and_a_release() {
        let text = "[STABLE] (Deprecated since 1.34.0) [DEPRECATED, use another] Number of objects.";
        let known = Deprecated::read(Help { metric: "a", text }).unwrap();
        assert_eq!((known.class, known.minor, known.hidden_in()), ("STABLE", 34, 37));
        for text in ["[STABLE] Number.", "Deprecated. Number.", "[BETA] (Deprecated since soon) Number."] {
            assert!(Deprecated::read(Help { metric: "a", text }).is_none(), "{text}");
        }
    }
}

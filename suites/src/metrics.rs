//! /metrics: the text format of Prometheus.

pub(crate) use harness::exposition::Sample;
use harness::exposition::{malformed_line, samples};

use crate::prelude::*;

/// The metrics of a server. They may be large: each question reads the lines that it needs.
#[derive(Clone)]
pub(crate) struct Metrics {
    pub(crate) response: Arc<Exchange>,
    /// Whether another scenario may have read them.
    shared: bool,
}

/// The description of a metric.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Help<'a> {
    pub(crate) metric: &'a str,
    pub(crate) text: &'a str,
}

/// A request for the metrics; not yet sent.
pub(crate) fn get() -> Request {
    without_buckets(Request::get("/metrics").accept("text/plain;version=0.0.4, */*;q=0.1"))
}

/// The same request without need for the buckets of histograms: a server that has run for days has tens of megabytes of them.
pub(crate) fn without_buckets(request: Request) -> Request {
    request.without_lines("_bucket{")
}

/// What the first such scenario of the run read.
impl Fixture for Metrics {
    async fn arrange(cx: &Context) -> Result<Self, Halt> {
        let read = async { Self::read(cx).await.map(|metrics| Self { shared: true, ..metrics }) };
        cx.once_per_run("metrics", Box::pin(read)).await.map(|metrics| (*metrics).clone())
    }
}

impl Metrics {
    /// Reads them now.
    pub(crate) async fn read(cx: &Context) -> Result<Self, Halt> {
        Self::of(cx, cx.send(get()).await?)
    }

    /// The metrics in a response. Skips where the server has none, or the user may not read them.
    pub(crate) fn of(cx: &Context, response: Arc<Exchange>) -> Result<Self, Halt> {
        Halt::skip_unless(response.status() != 403, "the user of kube-assay may not get /metrics")?;
        cx.require_feature("Metrics", response.succeeded(), response.brief())?;
        Ok(Self { response, shared: false })
    }

    /// The text, without a copy; empty if it is none.
    fn text(&self) -> &str {
        std::str::from_utf8(&self.response.response.body).unwrap_or_default()
    }

    /// The values of a metric.
    pub(crate) fn samples<'a>(&'a self, metric: &'a str) -> impl Iterator<Item = Sample> + 'a {
        samples(self.text(), move |name| name == metric).map(|(_, sample)| sample)
    }

    /// The first value of a metric; `None` without any.
    pub(crate) fn value(&self, metric: &str) -> Option<f64> {
        self.samples(metric).next().map(|sample| sample.value)
    }

    /// The descriptions of all metrics.
    pub(crate) fn helps(&self) -> impl Iterator<Item = Help<'_>> {
        let lines = self.text().lines().filter_map(|line| line.strip_prefix("# HELP "));
        lines.map(|line| {
            let (metric, text) = line.split_once(' ').unwrap_or((line, ""));
            Help { metric, text }
        })
    }

    /// The description of a metric.
    pub(crate) fn help(&self, metric: &str) -> Option<Help<'_>> {
        self.helps().find(|help| help.metric == metric)
    }

    /// The type of a metric: `gauge`, `counter`, …
    pub(crate) fn kind(&self, metric: &str) -> Option<&str> {
        let types = self.text().lines().filter_map(|line| line.strip_prefix("# TYPE ")?.split_once(' '));
        types.into_iter().find(|(known, _)| *known == metric).map(|(_, kind)| kind.trim())
    }

    /// The number of lines with the type of a metric.
    pub(crate) fn types(&self) -> usize {
        self.text().lines().filter(|line| line.starts_with("# TYPE ")).count()
    }

    /// The first line that is neither a value nor a comment.
    pub(crate) fn malformed(&self) -> Option<&str> {
        malformed_line(self.text())
    }

    /// A failure. Its evidence is a response to this scenario.
    pub(crate) async fn fail(
        &self,
        cx: &Context,
        expected: impl Into<String>,
        actual: impl Into<String>,
    ) -> Result<Halt, Halt> {
        let response = if self.shared { cx.send(get()).await? } else { self.response.clone() };
        Ok(response.fail(expected, actual))
    }
}

//! /metrics: the text format of Prometheus.

use std::collections::BTreeMap;

use crate::prelude::*;

/// The metrics of a server. They may be large: each question reads the lines that it needs.
pub(crate) struct Metrics {
    pub(crate) response: Arc<Exchange>,
}

/// A value of a metric.
#[derive(Debug, PartialEq)]
pub(crate) struct Sample {
    pub(crate) labels: BTreeMap<String, String>,
    pub(crate) value: f64,
}

/// The description of a metric.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Help<'a> {
    pub(crate) metric: &'a str,
    pub(crate) text: &'a str,
}

/// A request for the metrics; not yet sent.
pub(crate) fn get() -> Request {
    Request::get("/metrics").accept("text/plain;version=0.0.4, */*;q=0.1")
}

impl Fixture for Metrics {
    async fn arrange(cx: &Context) -> Result<Self, Halt> {
        Self::of(cx, cx.send(get()).await?)
    }
}

impl Metrics {
    /// The metrics in a response. Skips where the server has none, or the user may not read them.
    pub(crate) fn of(cx: &Context, response: Arc<Exchange>) -> Result<Self, Halt> {
        Halt::skip_unless(response.status() != 403, "the user of kube-assay may not get /metrics")?;
        cx.require_feature("Metrics", response.succeeded(), response.brief())?;
        Ok(Self { response })
    }

    /// The text, without a copy; empty if it is none.
    fn text(&self) -> &str {
        std::str::from_utf8(&self.response.response.body).unwrap_or_default()
    }

    /// The values of a metric.
    pub(crate) fn samples<'a>(&'a self, metric: &'a str) -> impl Iterator<Item = Sample> + 'a {
        self.text().lines().filter_map(move |line| of(line, metric)).filter_map(read)
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
        let values = self.text().lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#'));
        values.into_iter().find(|line| name(line).and_then(read).is_none())
    }

    pub(crate) fn fail(&self, expected: impl Into<String>, actual: impl Into<String>) -> Halt {
        self.response.fail(expected, actual)
    }
}

/// The rest of the line of a value after the name of its metric.
fn of<'a>(line: &'a str, metric: &str) -> Option<&'a str> {
    line.strip_prefix(metric).filter(|rest| rest.starts_with(['{', ' ']))
}

/// The rest of the line of a value after its name.
fn name(line: &str) -> Option<&str> {
    let end = line.find(|c: char| !c.is_ascii_alphanumeric() && c != '_' && c != ':')?;
    line.get(end..).filter(|_| end > 0)
}

/// The labels and the value after the name of a metric. A time may follow.
fn read(rest: &str) -> Option<Sample> {
    let (labels, rest) = match rest.strip_prefix('{') {
        Some(rest) => labels(rest)?,
        None => (BTreeMap::new(), rest),
    };
    let mut words = rest.split_whitespace();
    let value = words.next()?.parse().ok()?;
    let timed = words.next().is_none_or(|time| time.parse::<f64>().is_ok());
    (timed && words.next().is_none()).then_some(Sample { labels, value })
}

/// Labels up to the closing brace, and the rest.
fn labels(mut rest: &str) -> Option<(BTreeMap<String, String>, &str)> {
    let mut labels = BTreeMap::new();
    loop {
        rest = rest.trim_start_matches([',', ' ']);
        if let Some(rest) = rest.strip_prefix('}') {
            return Some((labels, rest));
        }
        let (label, after) = rest.split_once("=\"")?;
        let (value, after) = label_value(after)?;
        labels.insert(label.to_owned(), value);
        rest = after;
    }
}

/// The value of a label up to the closing quote, and the rest.
fn label_value(text: &str) -> Option<(String, &str)> {
    let (mut value, mut escaped) = (String::new(), false);
    for (at, character) in text.char_indices() {
        match character {
            'n' if escaped => value.push('\n'),
            '\\' if !escaped => {
                escaped = true;
                continue;
            }
            '"' if !escaped => return Some((value, &text[at + 1..])),
            other => value.push(other),
        }
        escaped = false;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_labels_a_value_and_perhaps_a_time() {
        let line = r#"a_total{b="c,d}",e="\"f\\\n",g=""} 1.5e3 1700000000000"#;
        assert_eq!(name(line).unwrap(), of(line, "a_total").unwrap());
        let sample = read(of(line, "a_total").unwrap()).unwrap();
        assert!((sample.value - 1500.0).abs() < f64::EPSILON);
        let labels: Vec<_> = sample.labels.values().map(String::as_str).collect();
        assert_eq!(labels, ["c,d}", "\"f\\\n", ""]);
        assert!(read(of("a NaN", "a").unwrap()).unwrap().value.is_nan());
        assert_eq!(of(line, "a"), None, "another metric");
    }

    #[test]
    fn other_lines_are_malformed() {
        for line in ["a", "a one", "a{b} 1", "a{b=\"c} 1", "a 1 2 3", "{\"a\": 1}", "a{b=\"c\"}"] {
            assert_eq!(name(line).and_then(read), None, "{line}");
        }
    }
}

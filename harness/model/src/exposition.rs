//! The text format of Prometheus, in which a server exports its metrics.
//!
//! See <https://prometheus.io/docs/instrumenting/exposition_formats/>.

use std::collections::BTreeMap;

/// One value of a metric.
#[derive(Debug, PartialEq)]
pub struct Sample {
    /// The values of the labels by name.
    pub labels: BTreeMap<String, String>,
    /// The value; its unit depends on the metric.
    pub value: f64,
}

impl Sample {
    /// The value of a label; empty if it is absent, which Prometheus does not distinguish.
    pub fn label(&self, name: &str) -> &str {
        self.labels.get(name).map_or("", String::as_str)
    }
}

/// The values of the metrics with the wanted names, each with its name. A line in another format has none.
pub fn samples<'a>(
    text: &'a str,
    wanted: impl Fn(&str) -> bool + 'a,
) -> impl Iterator<Item = (&'a str, Sample)> + 'a {
    let lines = text.lines().filter_map(split_name);
    lines.filter(move |(name, _)| wanted(name)).filter_map(|(name, rest)| Some((name, sample(rest)?)))
}

/// The first line that is neither empty, nor a comment, nor a value.
pub fn malformed_line(text: &str) -> Option<&str> {
    let mut lines = text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#'));
    lines.find(|line| split_name(line).and_then(|(_, rest)| sample(rest)).is_none())
}

/// The name of the metric of a line, and the rest of the line.
fn split_name(line: &str) -> Option<(&str, &str)> {
    let end = line.find(|c: char| !c.is_ascii_alphanumeric() && c != '_' && c != ':')?;
    (end > 0).then(|| line.split_at(end))
}

/// The labels and the value after a name. A timestamp may follow.
fn sample(rest: &str) -> Option<Sample> {
    let (labels, rest) = match rest.strip_prefix('{') {
        Some(rest) => labels(rest)?,
        None => (BTreeMap::new(), rest.strip_prefix([' ', '\t'])?),
    };
    let mut words = rest.split_whitespace();
    let value = words.next()?.parse().ok()?;
    let timed = words.next().is_none_or(|time| time.parse::<f64>().is_ok());
    (timed && words.next().is_none()).then_some(Sample { labels, value })
}

/// The labels up to the closing brace, and the rest of the line.
fn labels(mut rest: &str) -> Option<(BTreeMap<String, String>, &str)> {
    let mut labels = BTreeMap::new();
    loop {
        rest = rest.trim_start_matches([',', ' ']);
        if let Some(after) = rest.strip_prefix('}') {
            return Some((labels, after));
        }
        let (name, quoted) = rest.split_once("=\"")?;
        let (value, after) = unquoted(quoted)?;
        labels.insert(name.trim().to_owned(), value);
        rest = after;
    }
}

/// The text up to the closing quote without its escapes, and the rest of the line.
fn unquoted(quoted: &str) -> Option<(String, &str)> {
    let mut value = String::new();
    let mut characters = quoted.char_indices();
    loop {
        match characters.next()? {
            (at, '"') => return Some((value, &quoted[at + 1..])),
            (_, '\\') => value.push(match characters.next()?.1 {
                'n' => '\n',
                other => other,
            }),
            (_, other) => value.push(other),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_line_has_a_name_labels_and_a_value() {
        let text = "# TYPE a histogram\na_bucket{verb=\"GET\", path=\"/a\\\\b\\\"c,d}\\n\",le=\"+Inf\",} 12 1700000000\n\nb 1.5e+06\nc NaN";

        let found: Vec<_> = samples(text, |_| true).collect();

        let names: Vec<_> = found.iter().map(|(name, _)| *name).collect();
        assert_eq!(names, ["a_bucket", "b", "c"]);
        let bucket = &found[0].1;
        assert_eq!(bucket.value.to_string(), "12");
        assert_eq!(
            ["verb", "path", "le", "none"].map(|name| bucket.label(name)),
            ["GET", "/a\\b\"c,d}\n", "+Inf", ""]
        );
        assert_eq!(found[1].1.value.to_string(), "1500000");
        assert!(found[2].1.value.is_nan());
        assert_eq!(malformed_line(text), None);
        assert_eq!(samples(text, |name| name == "a").count(), 0, "a part of a name is another metric");
    }

    #[test]
    fn a_line_in_another_format_is_malformed() {
        for line in [
            "a",
            "a{",
            "a one",
            "a{b} 1",
            "a{b=\"c} 1",
            "a{b=c} 1",
            "a{b=\"c\"}",
            "a{b=\"\\",
            "a 1 2 3",
            "a 1 word",
            "{\"a\": 1}",
            "<html> <p>",
        ] {
            assert_eq!(malformed_line(line), Some(line));
            assert_eq!(samples(line, |_| true).count(), 0, "{line}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_skipped(text in "\\PC*|([a{}=\"\\\\, 1\n]{0,40})") {
            let values = samples(&text, |_| true).count();
            prop_assert!(values <= text.lines().count());
        }
    }
}

//! The text format of Prometheus, in which a server exports its metrics.
//!
//! See <https://prometheus.io/docs/instrumenting/exposition_formats/>.

/// One value of a metric.
#[derive(Debug, PartialEq)]
pub(super) struct Sample<'a> {
    pub(super) name: &'a str,
    labels: Vec<(&'a str, String)>,
    pub(super) value: f64,
}

impl Sample<'_> {
    /// The value of a label; empty if it is absent, which Prometheus does not distinguish.
    pub(super) fn label(&self, name: &str) -> &str {
        self.labels.iter().find(|(known, _)| *known == name).map_or("", |(_, value)| value)
    }
}

/// The values of a text; a line that is not in the format has none.
pub(super) fn samples(text: &str) -> impl Iterator<Item = Sample<'_>> {
    text.lines().filter_map(sample)
}

fn sample(line: &str) -> Option<Sample<'_>> {
    let line = line.trim();
    if line.starts_with('#') {
        return None;
    }
    let (name, rest) = line.split_at(line.find(['{', ' ', '\t'])?);
    let (labels, rest) = match rest.strip_prefix('{') {
        Some(rest) => labels(rest)?,
        None => (Vec::new(), rest),
    };
    // A timestamp may follow the value.
    let value = rest.split_whitespace().next()?.parse().ok()?;
    Some(Sample { name, labels, value })
}

/// The labels up to the closing brace, and the rest of the line.
fn labels(mut rest: &str) -> Option<(Vec<(&str, String)>, &str)> {
    let mut labels = Vec::new();
    loop {
        rest = rest.trim_start_matches([',', ' ']);
        if let Some(after) = rest.strip_prefix('}') {
            return Some((labels, after));
        }
        let (name, quoted) = rest.split_once("=\"")?;
        let (value, after) = unquoted(quoted)?;
        labels.push((name.trim(), value));
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
        let found: Vec<Sample> = samples(text).collect();
        assert_eq!((found.len(), found[0].name, found[0].value), (3, "a_bucket", 12.0));
        let labels = ["verb", "path", "le", "none"].map(|name| found[0].label(name));
        assert_eq!(labels, ["GET", "/a\\b\"c,d}\n", "+Inf", ""]);
        assert_eq!((found[1].name, found[1].value), ("b", 1.5e6));
        assert!(found[2].value.is_nan());
    }

    #[test]
    fn a_line_in_another_format_has_no_value() {
        for line in
            ["", "a", "a{", "a{b=\"c} 1", "a{b=c} 1", "a{b=\"c\"}", "a{b=\"\\", "a word", "<html> <p>"]
        {
            assert_eq!(sample(line), None, "{line:?}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_skipped(text in "\\PC*|([a{}=\"\\\\, 1\n]{0,40})") {
            let _ = samples(&text).count();
        }
    }
}

//! Redaction of the parts of a text that differ between runs.

use std::sync::LazyLock;

use regex::Regex;

/// Patterns, each with its replacement.
static PATTERNS: LazyLock<Vec<(Regex, &str)>> = LazyLock::new(|| {
    let patterns = [
        (r"127\.0\.0\.1:\d{5}\b", "127.0.0.1:PORT"),
        (r#"[^\s'"]*/\.tmp\w+"#, "FOLDER"),
        (r"\bassay-[0-9a-z]{6}-", "assay-RUN-"),
        (r"seed \d+, run \w+", "seed SEED, run RUN"),
        (r"\bkube-assay \d+\.\d+\.\d+", "kube-assay VERSION"),
        (r"\bv1\.\d+\.\d+\b", "vRELEASE"),
        (r"--seed \d+", "--seed SEED"),
        (r"\(\d[\d.]* m?s\)", "(TIME)"),
        (r" +\d[\d.]* m?s  ", "  TIME  "),
        (r"\d[\d.]* m?s, (\d+) exchange", "TIME, $1 exchange"),
    ];
    patterns.map(|(pattern, instead)| (Regex::new(pattern).unwrap(), instead)).to_vec()
});

/// The text without addresses, folders, names of runs, releases and times.
pub(crate) fn redacted(text: &str) -> String {
    let take_out =
        |text: String, (pattern, instead): &(Regex, &str)| pattern.replace_all(&text, *instead).into_owned();
    PATTERNS.iter().fold(text.to_owned(), take_out)
}

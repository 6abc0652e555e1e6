//! The verbose output of a health endpoint, parsed.

use std::collections::BTreeSet;

use super::{get, send_if_served};
use crate::prelude::*;

/// One line for each check, warnings, and a closing line.
pub(super) struct Listing {
    pub(super) exchange: Arc<Exchange>,
    text: String,
}

impl Listing {
    /// Gets the verbose output of an endpoint, with further raw parameters.
    pub(super) async fn get(cx: &Context, endpoint: &str, parameters: &str) -> Result<Self, Halt> {
        let mut request = get(endpoint).raw_query("verbose");
        if !parameters.is_empty() {
            request = request.raw_query(parameters);
        }
        let exchange = send_if_served(cx, request).await?;
        exchange.expect_status(&[200])?;
        Ok(Self::of(exchange))
    }

    /// Gets the verbose output; any other output is a test error.
    pub(super) async fn long(cx: &Context, endpoint: &str) -> Result<Self, Halt> {
        let listing = Self::of(send_if_served(cx, get(endpoint).raw_query("verbose")).await?);
        if listing.is_long() { Ok(listing) } else { Err(listing.unusable(cx)) }
    }

    /// The same, with at least one passed check.
    pub(super) async fn learn(cx: &Context, endpoint: &str) -> Result<Self, Halt> {
        let listing = Self::long(cx, endpoint).await?;
        if listing.names().is_empty() { Err(listing.unusable(cx)) } else { Ok(listing) }
    }

    fn unusable(&self, cx: &Context) -> Halt {
        let path = self.exchange.request.path_and_query();
        cx.test_error(format!("read the names of the checks from {path}"), self.exchange.brief()).into()
    }

    pub(super) fn of(exchange: Arc<Exchange>) -> Self {
        let text = exchange.text();
        Self { exchange, text }
    }

    /// Whether this is verbose output, in any format.
    pub(super) fn is_long(&self) -> bool {
        self.lines().len() > 1 && self.lines().iter().any(|line| line.ends_with(" ok"))
    }

    pub(super) fn lines(&self) -> Vec<&str> {
        self.text.lines().collect()
    }

    pub(super) fn has(&self, line: &str) -> bool {
        self.text.lines().any(|known| known == line)
    }

    /// The lines of checks.
    pub(super) fn checks(&self) -> Vec<&str> {
        self.text.lines().filter(|line| line.starts_with("[+]") || line.starts_with("[-]")).collect()
    }

    /// The lines except those of checks and the closing line.
    pub(super) fn warnings(&self) -> Vec<&str> {
        let lines = self.lines();
        let (_, before) = lines.split_last().unwrap_or((&"", &[]));
        before.iter().copied().filter(|line| !line.starts_with("[+]") && !line.starts_with("[-]")).collect()
    }

    /// The names of the passed checks.
    pub(super) fn names(&self) -> Vec<&str> {
        self.text.lines().filter_map(passed).collect()
    }

    /// The first word of every line, without the mark: the names of the checks, in any format.
    pub(super) fn subjects(&self) -> Vec<&str> {
        self.text.lines().filter_map(subject_of).collect()
    }

    /// The names of the checks that failed.
    pub(super) fn failing(&self) -> BTreeSet<String> {
        let failed = |line: &str| line.strip_prefix("[-]")?.split_whitespace().next().map(str::to_owned);
        self.text.lines().filter_map(failed).collect()
    }

    /// Two checks for further requests, preferably those of every kube-apiserver.
    pub(super) fn two(&self) -> (&str, &str) {
        let mut names = self.names();
        names.sort_by_key(|name| ["ping", "log"].iter().position(|usual| usual == name).unwrap_or(2));
        let first = names.first().copied().unwrap_or_default();
        (first, names.get(1).copied().unwrap_or(first))
    }

    /// The names with a slash.
    pub(super) fn slashed(&self) -> Vec<&str> {
        self.names().into_iter().filter(|name| name.contains('/')).collect()
    }

    /// A failure of this output.
    pub(super) fn fail(&self, expected: impl Into<String>) -> Halt {
        let text: String = self.text.chars().take(1_500).collect();
        self.exchange.fail(expected, text.trim_end())
    }

    pub(super) fn expect(&self, holds: bool, expected: impl Into<String>) -> Checked {
        if holds { Ok(()) } else { Err(self.fail(expected)) }
    }
}

/// The first word of a line, without the mark.
fn subject_of(line: &str) -> Option<&str> {
    line.trim_start_matches(['[', '+', '-', ']']).split(' ').next()
}

/// The name of the passed check of a line.
fn passed(line: &str) -> Option<&str> {
    line.strip_prefix("[+]")?.strip_suffix(" ok").filter(|name| !name.contains(' '))
}

//! The verbose output of a health endpoint, parsed.

use std::collections::BTreeSet;

use super::{ask, get};
use crate::prelude::*;

/// A line per check, perhaps a warning, and a closing line.
pub(super) struct Listing {
    /// The exchange that shows it.
    pub(super) exchange: Arc<Exchange>,
    text: String,
}

impl Listing {
    /// Asks an endpoint for its checks, with further parameters as they go on the wire.
    pub(super) async fn ask(cx: &Context, endpoint: &str, parameters: &str) -> Result<Self, Halt> {
        let mut request = get(endpoint).raw_query("verbose");
        if !parameters.is_empty() {
            request = request.raw_query(parameters);
        }
        let exchange = ask(cx, request).await?;
        exchange.expect_status(&[200])?;
        Ok(Self::of(exchange))
    }

    /// The long form, where a scenario needs it for its question.
    pub(super) async fn long(cx: &Context, endpoint: &str) -> Result<Self, Halt> {
        let listing = Self::of(ask(cx, get(endpoint).raw_query("verbose")).await?);
        if listing.is_long() { Ok(listing) } else { Err(listing.is_of_no_use(cx)) }
    }

    /// The long form with names that can be asked about.
    pub(super) async fn learn(cx: &Context, endpoint: &str) -> Result<Self, Halt> {
        let listing = Self::long(cx, endpoint).await?;
        if listing.names().is_empty() { Err(listing.is_of_no_use(cx)) } else { Ok(listing) }
    }

    fn is_of_no_use(&self, cx: &Context) -> Halt {
        let asked = self.exchange.request.path_and_query();
        cx.test_error(format!("learn the names of the checks from {asked}"), self.exchange.brief()).into()
    }

    /// Reads an answer.
    pub(super) fn of(exchange: Arc<Exchange>) -> Self {
        let text = exchange.text();
        Self { exchange, text }
    }

    /// Whether this is the long form, whatever its lines look like.
    pub(super) fn is_long(&self) -> bool {
        self.lines().len() > 1 && self.lines().iter().any(|line| line.ends_with(" ok"))
    }

    /// All lines.
    pub(super) fn lines(&self) -> Vec<&str> {
        self.text.lines().collect()
    }

    /// Whether a line is there.
    pub(super) fn has(&self, line: &str) -> bool {
        self.text.lines().any(|known| known == line)
    }

    /// The lines about checks.
    pub(super) fn checks(&self) -> Vec<&str> {
        self.text.lines().filter(|line| line.starts_with("[+]") || line.starts_with("[-]")).collect()
    }

    /// The lines that are neither about a check nor the closing line.
    pub(super) fn warnings(&self) -> Vec<&str> {
        let lines = self.lines();
        let (_, before) = lines.split_last().unwrap_or((&"", &[]));
        before.iter().copied().filter(|line| !line.starts_with("[+]") && !line.starts_with("[-]")).collect()
    }

    /// The names of the checks that were carried out and passed.
    pub(super) fn names(&self) -> Vec<&str> {
        self.text.lines().filter_map(passed).collect()
    }

    /// The first word of every line, without the mark: the names of the checks, whatever their lines look like.
    pub(super) fn subjects(&self) -> Vec<&str> {
        self.text.lines().filter_map(subject_of).collect()
    }

    /// The names of the checks that failed.
    pub(super) fn failing(&self) -> BTreeSet<String> {
        let failed = |line: &str| line.strip_prefix("[-]")?.split_whitespace().next().map(str::to_owned);
        self.text.lines().filter_map(failed).collect()
    }

    /// Two checks to ask about: those that every kube-apiserver has, if they are there.
    pub(super) fn two(&self) -> (&str, &str) {
        let mut names = self.names();
        names.sort_by_key(|name| match *name {
            "ping" => 0,
            "log" => 1,
            _ => 2,
        });
        let first = names.first().copied().unwrap_or_default();
        (first, names.get(1).copied().unwrap_or(first))
    }

    /// The names with a slash.
    pub(super) fn slashed(&self) -> Vec<&str> {
        self.names().into_iter().filter(|name| name.contains('/')).collect()
    }

    /// A failure that this listing shows.
    pub(super) fn fail(&self, expected: impl Into<String>) -> Halt {
        let said: String = self.text.chars().take(1_500).collect();
        self.exchange.fail(expected, said.trim_end())
    }

    /// What holds of a right server's listing.
    pub(super) fn expect(&self, holds: bool, expected: impl Into<String>) -> Checked {
        if holds { Ok(()) } else { Err(self.fail(expected)) }
    }
}

/// What a line is about.
fn subject_of(line: &str) -> Option<&str> {
    line.trim_start_matches(['[', '+', '-', ']']).split(' ').next()
}

/// The name of the check that a line says to have passed.
fn passed(line: &str) -> Option<&str> {
    line.strip_prefix("[+]")?.strip_suffix(" ok").filter(|name| !name.contains(' '))
}

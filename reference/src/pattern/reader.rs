//! What is left of a pattern, and errors about it.

use std::fmt;

pub(super) const INVALID_RANGE: &str = "invalid character class range";

/// Why Go refuses a pattern, with the part that it names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PatternError<'a> {
    pub(super) reason: &'static str,
    pub(super) part: &'a str,
}

impl fmt::Display for PatternError<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "error parsing regexp: {}: `{}`", self.reason, self.part)
    }
}

pub(super) type Parsed<'a, T> = Result<T, PatternError<'a>>;

pub(super) fn error<'a, T>(reason: &'static str, part: &'a str) -> Parsed<'a, T> {
    Err(PatternError { reason, part })
}

/// A pattern while it is parsed.
pub(super) struct PatternReader<'a> {
    /// What is left to parse.
    pub(super) rest: &'a str,
    /// The distance between the last `:]` and the end of the pattern: a search for more would read the rest each time.
    pub(super) last_name_end: usize,
}

impl<'a> PatternReader<'a> {
    pub(super) fn new(pattern: &'a str) -> Self {
        let last_name_end = pattern.rfind(":]").map_or(usize::MAX, |at| pattern.len() - at);
        Self { rest: pattern, last_name_end }
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    pub(super) fn next(&mut self) -> Option<char> {
        let mut rest = self.rest.chars();
        let next = rest.next();
        self.rest = rest.as_str();
        next
    }

    /// Goes on after a text, if it comes next.
    pub(super) fn skip(&mut self, text: &str) -> bool {
        let after = self.rest.strip_prefix(text);
        self.rest = after.unwrap_or(self.rest);
        after.is_some()
    }

    /// The text from a place on that is parsed.
    pub(super) fn since(&self, start: &'a str) -> &'a str {
        &start[..start.len() - self.rest.len()]
    }
}

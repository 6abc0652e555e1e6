//! Repetitions of patterns.

use std::fmt;

/// The most copies of a part that nested repetitions make.
pub(super) const MOST_COPIES: u64 = 1000;

/// The bounds of a repetition, and the pattern after it.
pub(super) struct RepetitionBounds<'a> {
    least: u64,
    most: Option<u64>,
    pub(super) rest: &'a str,
}

impl<'a> RepetitionBounds<'a> {
    /// `*`, `+`, `?`, `{2}`, `{2,}` or `{2,3}` at the start of a text. Another brace is a character.
    pub(super) fn parse(text: &'a str) -> Option<Self> {
        let known = [('*', 0, None), ('+', 1, None), ('?', 0, Some(1))];
        for (operator, least, most) in known {
            if let Some(rest) = text.strip_prefix(operator) {
                return Some(Self { least, most, rest });
            }
        }
        let (least, rest) = number(text.strip_prefix('{')?)?;
        let (most, rest) = match rest.strip_prefix(',') {
            None => (Some(least), rest),
            Some(rest) if rest.starts_with('}') => (None, rest),
            Some(rest) => number(rest).map(|(most, rest)| (Some(most), rest))?,
        };
        Some(Self { least, most, rest: rest.strip_prefix('}')? })
    }

    pub(super) fn are_valid(&self) -> bool {
        self.least.max(self.most.unwrap_or(0)) <= MOST_COPIES
            && self.most.is_none_or(|most| self.least <= most)
    }

    /// The copies that a repetition of so many ones makes.
    pub(super) fn copies_of(&self, copies: u64) -> u64 {
        if self.most == Some(0) { 1 } else { copies * self.most.unwrap_or(self.least).max(1) }
    }
}

/// In the syntax of Rust. A `?` after another repetition would make that lazy.
impl fmt::Display for RepetitionBounds<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let least = self.least;
        match self.most {
            Some(most) => write!(formatter, "{{{least},{most}}}"),
            None => write!(formatter, "{{{least},}}"),
        }
    }
}

/// The number at the start of a text, without leading zeros, and the rest.
fn number(text: &str) -> Option<(u64, &str)> {
    let (digits, rest) =
        text.split_at(text.find(|digit: char| !digit.is_ascii_digit()).unwrap_or(text.len()));
    if digits.is_empty() || (digits.len() > 1 && digits.starts_with('0')) {
        return None;
    }
    Some((digits.parse().unwrap_or(u64::MAX), rest))
}

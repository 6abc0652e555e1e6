//! The ways to write a secret down: as it is, in base64, in hexadecimal digits.
//!
//! A spelling is compared character by character with a text that is read through its escapes.

use std::mem;
use std::sync::Arc;

use super::escapes::{Symbol, readings, torn};

/// The beginning of a secret, in bytes, from which on a cut text is taken to have held all of it.
const SHORTEST_BEGINNING: usize = 10;

/// The mark where a text was cut.
const CUT: char = '…';

/// One way to write a secret down.
#[derive(Debug, Clone)]
pub(super) enum Spelling {
    /// As it is.
    Text(Box<[char]>),
    /// In base64, of either alphabet.
    Base64 {
        /// The secret.
        bytes: Arc<[u8]>,
        /// The bytes before it that share a group of three with it.
        before: usize,
    },
    /// In hexadecimal digits, of either case.
    Hex(Arc<[u8]>),
}

impl Spelling {
    /// All of them, of a secret that may be no text.
    pub(super) fn all(secret: &[u8]) -> impl Iterator<Item = Self> {
        let bytes: Arc<[u8]> = secret.into();
        let text = str::from_utf8(secret).ok().map(|text| Self::Text(text.chars().collect()));
        let hex = Self::Hex(bytes.clone());
        text.into_iter()
            .chain([hex])
            .chain((0..3).map(move |before| Self::Base64 { bytes: bytes.clone(), before }))
    }

    /// The number of characters.
    pub(super) fn length(&self) -> usize {
        match self {
            Self::Text(chars) => chars.len(),
            Self::Hex(bytes) => 2 * bytes.len(),
            Self::Base64 { bytes, before } => (8 * (before + bytes.len())).div_ceil(6) - before,
        }
    }

    /// Whether the character at this index is, or may be, this one.
    pub(super) fn accepts(&self, index: usize, char: char) -> bool {
        match self {
            Self::Text(chars) => chars.get(index) == Some(&char),
            Self::Hex(bytes) => {
                let digit =
                    |byte: &u8| u32::from(if index.is_multiple_of(2) { byte >> 4 } else { byte & 15 });
                char.to_digit(16).is_some_and(|value| bytes.get(index / 2).map(digit) == Some(value))
            }
            Self::Base64 { bytes, before } => {
                // The character holds 6 bits. Those of other bytes are unknown.
                let bit = 6 * (index + before);
                let byte = |index: usize| index.checked_sub(*before).and_then(|index| bytes.get(index));
                let window = |of: fn(&u8) -> u16| {
                    let part = |index| byte(index).map_or(0, of);
                    (part(bit / 8) << 8 | part(bit / 8 + 1)) >> (10 - bit % 8) & 63
                };
                let (known, value) = (window(|_| 0xff), window(|byte| u16::from(*byte)));
                sextet(char).is_some_and(|sextet| sextet & known == value)
            }
        }
    }

    /// Whether it may be broken here, as base64 is into lines, and digits are between bytes.
    pub(super) fn may_break_at(&self, char: char) -> bool {
        match self {
            Self::Text(_) => false,
            Self::Base64 { .. } => char.is_ascii_whitespace(),
            Self::Hex(_) => char.is_ascii_whitespace() || matches!(char, ':' | '-' | ','),
        }
    }

    /// Where it ends in a text whose first character, up to `at`, is accepted.
    pub(super) fn end_in(&self, text: &str, at: usize) -> Option<usize> {
        let (mut ends, mut next) = (vec![at], Vec::new());
        for index in 1..self.length() {
            for at in &ends {
                let accepted = |at| readings(text, at).filter(|symbol| self.accepts(index, symbol.char));
                next.extend(accepted(*at).map(|symbol| symbol.end));
                if next.is_empty() {
                    next.extend(accepted(self.behind_break(text, *at)).map(|symbol| symbol.end));
                }
            }
            if next.is_empty() {
                return self.cut_end(text, &ends, index);
            }
            next.sort_unstable();
            next.dedup();
            mem::swap(&mut ends, &mut next);
            next.clear();
        }
        ends.last().copied()
    }

    fn behind_break(&self, text: &str, mut at: usize) -> usize {
        let breaks = |symbol: &Symbol| self.may_break_at(symbol.char);
        while !matches!(self, Self::Text(_))
            && let Some(symbol) = readings(text, at).find(breaks)
        {
            at = symbol.end;
        }
        at
    }

    /// Where it ends in a text that was cut there, after so many characters of it.
    fn cut_end(&self, text: &str, ends: &[usize], accepted: usize) -> Option<usize> {
        let bits = match self {
            Self::Text(_) => 8,
            Self::Base64 { .. } => 6,
            Self::Hex(_) => 4,
        };
        if accepted * bits < SHORTEST_BEGINNING * 8 {
            return None;
        }
        ends.iter().find_map(|at| {
            let end = at + torn(&text[*at..]);
            let rest = text[end..].trim_start();
            (rest.is_empty() || rest.starts_with(CUT)).then_some(end)
        })
    }
}

/// The value of a character of base64, of either alphabet.
fn sextet(char: char) -> Option<u16> {
    let byte = u8::try_from(char).ok()?;
    let value = match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'+' | b'-' => 62,
        b'/' | b'_' => 63,
        _ => return None,
    };
    Some(u16::from(value))
}

//! The ways to write a secret down: as it is, in base64, in base32, in digits, in decimal numbers.
//!
//! A spelling is compared character by character with a text that is read through its escapes.

use std::iter;
use std::mem;
use std::sync::Arc;

use super::escapes::{is_plain_at, readings, torn};

/// Shorter credentials would make ordinary words disappear.
pub(super) const SHORTEST: usize = 6;

/// The beginning of a secret, in bytes, from which on a cut text is taken to have held all of it.
const SHORTEST_BEGINNING: usize = 10;

/// The beginning of a secret, in bytes, that is hidden wherever it is, if it is at least half of the secret.
const SHORTEST_PART: usize = 12;

/// The mark where a text was cut.
const CUT: char = '…';

/// One way to write a secret down.
#[derive(Debug, Clone)]
pub(super) enum Spelling {
    /// As it is, in either case: a server may show it in capitals.
    Text(Box<[char]>),
    /// The same; its beginning alone is no secret unless the text was cut there.
    Whole(Box<[char]>),
    /// In base64 or base32.
    Base {
        /// The secret.
        bytes: Arc<[u8]>,
        /// The bytes before it that share a group with it.
        before: usize,
        /// The characters.
        alphabet: Alphabet,
    },
    /// In digits of either case, and each byte in as many.
    Digits {
        /// The secret.
        bytes: Arc<[u8]>,
        /// The number of digits that there are.
        radix: u32,
        /// The number of digits of a byte.
        width: usize,
    },
    /// As the numbers of its bytes: decimal, or hexadecimal as in `0x2d` and `U+002D`.
    Numbers(Box<[char]>),
}

/// The characters of an encoding of RFC 4648.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Alphabet {
    /// Base64, in its standard and its URL-safe form.
    Base64,
    /// Base32, in either case.
    Base32,
    /// Base32 with extended hexadecimal digits, in either case.
    Base32Hex,
}

impl Alphabet {
    const ALL: [Self; 3] = [Self::Base64, Self::Base32, Self::Base32Hex];

    /// The number of bits in a character.
    fn bits(self) -> usize {
        if self == Self::Base64 { 6 } else { 5 }
    }

    /// The number of bytes in a group, which has whole characters.
    fn group(self) -> usize {
        if self == Self::Base64 { 3 } else { 5 }
    }

    /// The value of a character.
    fn value(self, char: char) -> Option<u16> {
        let byte = u8::try_from(char).ok()?;
        let value = match (self, byte) {
            (Self::Base64, b'A'..=b'Z') => byte - b'A',
            (Self::Base64, b'a'..=b'z') => byte - b'a' + 26,
            (Self::Base64, b'0'..=b'9') => byte - b'0' + 52,
            (Self::Base64, b'+' | b'-') => 62,
            (Self::Base64, b'/' | b'_') => 63,
            (Self::Base32, b'A'..=b'Z' | b'a'..=b'z') => byte.to_ascii_uppercase() - b'A',
            (Self::Base32, b'2'..=b'7') => byte - b'2' + 26,
            (Self::Base32Hex, b'0'..=b'9') => byte - b'0',
            (Self::Base32Hex, b'A'..=b'V' | b'a'..=b'v') => byte.to_ascii_uppercase() - b'A' + 10,
            _ => return None,
        };
        Some(u16::from(value))
    }
}

/// The characters that may stand between those of a spelling, and mean nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Breaks {
    /// None.
    None,
    /// Blanks, ends of lines, as in base64, and zeros, as in UTF-32.
    Lines,
    /// These, and marks between bytes, as in hexadecimal digits.
    Bytes,
}

impl Breaks {
    pub(super) const ALL: [Self; 3] = [Self::None, Self::Lines, Self::Bytes];

    /// Whether a character is one of them.
    pub(super) fn accept(self, char: char) -> bool {
        match self {
            Self::None => false,
            Self::Lines => char.is_ascii_whitespace() || char == '\0',
            Self::Bytes => {
                Self::Lines.accept(char) || matches!(char, ':' | '-' | ',' | '.' | ';' | '|' | '_')
            }
        }
    }

    /// The place behind those at `at`, which may be escaped.
    pub(super) fn behind(self, text: &str, mut at: usize) -> usize {
        while self != Self::None
            && let Some(symbol) = readings(text, at).find(|symbol| self.accept(symbol.char))
        {
            at = symbol.end;
        }
        at
    }
}

/// The characters that a name of a file, a host or a label has instead of each other.
const SEPARATORS: [char; 3] = ['-', '_', '.'];

/// The characters that texts have instead of the zeros of UTF-16, or put between single characters: `t.o.k.e.n`.
const BETWEEN_CHARACTERS: [char; 13] = [' ', '\n', '\t', '.', ',', ':', ';', '-', '_', '|', '/', '+', '*'];

/// Whether two characters are the same in either case, both separate words, or both separate characters.
fn is_same(own: char, char: char) -> bool {
    let is_blank = own == '\0' && BETWEEN_CHARACTERS.contains(&char);
    let are_separators = [own, char].iter().all(|char| SEPARATORS.contains(char));
    let are_other_letters = || !own.is_ascii() && own.to_lowercase().eq(char.to_lowercase());
    own.eq_ignore_ascii_case(&char) || is_blank || are_separators || are_other_letters()
}

impl Spelling {
    /// All of them, of a secret that may be no text.
    pub(super) fn all(secret: &[u8]) -> impl Iterator<Item = Self> {
        let text = str::from_utf8(secret).ok().map(|text| Self::Text(text.chars().collect()));
        // A server may take each byte for a character.
        let latin1 =
            (!secret.is_ascii()).then(|| Self::Text(secret.iter().copied().map(char::from).collect()));
        let numbers = |number: fn(&u8) -> String| {
            Self::Numbers(secret.iter().map(number).collect::<String>().chars().collect())
        };
        let (decimal, prefixed) = (numbers(u8::to_string), numbers(|byte| format!("{byte:#04x}")));
        // Its `+` may be a blank.
        let unicode = numbers(|byte| format!("U{byte:04x}"));
        text.into_iter().chain(latin1).chain([decimal, prefixed, unicode]).chain(Self::encoded(secret))
    }

    /// The encodings of bytes, which may be no text.
    pub(super) fn encoded(secret: &[u8]) -> impl Iterator<Item = Self> {
        let bytes: Arc<[u8]> = secret.into();
        let hex = Self::Digits { bytes: bytes.clone(), radix: 16, width: 2 };
        let places = |alphabet: Alphabet| (0..alphabet.group()).map(move |before| (alphabet, before));
        let bases = Alphabet::ALL.into_iter().flat_map(places);
        let based = move |(alphabet, before)| Self::Base { bytes: bytes.clone(), before, alphabet };
        iter::once(hex).chain(bases.map(based))
    }

    /// The characters of a secret as it is.
    pub(super) fn text(&self) -> &[char] {
        match self {
            Self::Text(chars) | Self::Whole(chars) => chars,
            Self::Base { .. } | Self::Digits { .. } | Self::Numbers(_) => &[],
        }
    }

    /// The number of characters.
    pub(super) fn length(&self) -> usize {
        match self {
            Self::Text(chars) | Self::Whole(chars) | Self::Numbers(chars) => chars.len(),
            Self::Digits { bytes, width, .. } => width * bytes.len(),
            Self::Base { bytes, before, alphabet } => {
                let bits = alphabet.bits();
                (8 * (before + bytes.len())).div_ceil(bits) - 8 * before / bits
            }
        }
    }

    /// Whether the character at this index is, or may be, this one.
    pub(super) fn accepts(&self, index: usize, char: char) -> bool {
        match self {
            Self::Text(chars) | Self::Whole(chars) | Self::Numbers(chars) => {
                chars.get(index).is_some_and(|own| is_same(*own, char))
            }
            Self::Digits { bytes, radix, width } => {
                let behind = width - 1 - index % width;
                let digit = |byte: &u8| (0..behind).fold(u32::from(*byte), |rest, _| rest / radix) % radix;
                char.to_digit(*radix).is_some_and(|value| bytes.get(index / width).map(digit) == Some(value))
            }
            Self::Base { bytes, before, alphabet } => {
                let bits = alphabet.bits();
                // Some bits of the first and the last character are those of other bytes, and unknown.
                let bit = bits * (index + 8 * before / bits);
                let byte = |index: usize| index.checked_sub(*before).and_then(|index| bytes.get(index));
                let window = |of: fn(&u8) -> u16| {
                    let part = |index| byte(index).map_or(0, of);
                    (part(bit / 8) << 8 | part(bit / 8 + 1)) >> (16 - bits - bit % 8) & ((1 << bits) - 1)
                };
                let (known, value) = (window(|_| 0xff), window(|byte| u16::from(*byte)));
                alphabet.value(char).is_some_and(|found| found & known == value)
            }
        }
    }

    /// Where it may be broken.
    pub(super) fn breaks(&self) -> Breaks {
        match self {
            Self::Text(_) | Self::Whole(_) => Breaks::None,
            Self::Base { .. } => Breaks::Lines,
            Self::Digits { .. } | Self::Numbers(_) => Breaks::Bytes,
        }
    }

    /// The same behind its first two characters, where it costs the search nothing. A server may wrap any text, and a
    /// folded header, or a text on one line, has blanks in the place of its line breaks.
    fn later_breaks(&self) -> Breaks {
        match self.breaks() {
            Breaks::None => Breaks::Lines,
            breaks => breaks,
        }
    }

    /// The place behind the breaks at `at`, or before the character at this index: a `+` is a blank in URLs.
    fn behind_breaks(&self, text: &str, mut at: usize, index: usize) -> usize {
        let breaks = self.later_breaks();
        while let Some(symbol) = readings(text, at).find(|symbol| breaks.accept(symbol.char)) {
            at = symbol.end;
            if readings(text, at).any(|symbol| self.accepts(index, symbol.char)) {
                break;
            }
        }
        at
    }

    /// Where it ends in a text whose first characters, up to `at`, are accepted: as many as `index` says.
    pub(super) fn end_in(&self, text: &str, mut at: usize, mut index: usize) -> Option<usize> {
        while is_plain_at(text.as_bytes(), at) {
            let byte = text.as_bytes()[at];
            if index == self.length() {
                return Some(at);
            } else if self.accepts(index, byte.into()) {
                (at, index) = (at + 1, index + 1);
            } else if self.is_long(index) || self.later_breaks().accept(byte.into()) {
                break;
            } else {
                return None;
            }
        }
        self.end_of_escaped(text, at, index)
    }

    /// The same, where any character may be escaped in several ways.
    fn end_of_escaped(&self, text: &str, at: usize, from: usize) -> Option<usize> {
        let (mut ends, mut next) = (vec![at], Vec::new());
        for index in from..self.length() {
            for at in &ends {
                let accepted = |at| readings(text, at).filter(|symbol| self.accepts(index, symbol.char));
                next.extend(accepted(*at).map(|symbol| symbol.end));
                if next.is_empty() {
                    let behind = self.behind_breaks(text, *at, index);
                    next.extend(accepted(behind).map(|symbol| symbol.end));
                    // A line of uuencode begins with its length.
                    let length = readings(text, behind).next().filter(|_| behind > *at);
                    let lines = length.into_iter().flat_map(|length| accepted(length.end));
                    next.extend(lines.map(|symbol| symbol.end));
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

    /// The same spelling of a pair of user and password, whose beginning is the user.
    pub(super) fn whole(self) -> Self {
        if let Self::Text(chars) = self { Self::Whole(chars) } else { self }
    }

    /// Whether so many characters are enough of a secret, if the text was cut behind them.
    fn is_long(&self, characters: usize) -> bool {
        self.has_bytes(characters, SHORTEST_BEGINNING)
    }

    /// Whether so many characters are enough of a secret, whatever follows: a server may cut it.
    fn is_most(&self, characters: usize) -> bool {
        let is_part = !matches!(self, Self::Whole(_)) && 2 * characters >= self.length();
        is_part && self.has_bytes(characters, SHORTEST_PART)
    }

    /// Whether so many characters hold so many bytes.
    fn has_bytes(&self, characters: usize, bytes: usize) -> bool {
        match self {
            Self::Text(_) | Self::Whole(_) => characters >= bytes,
            Self::Base { alphabet, .. } => characters * alphabet.bits() >= bytes * 8,
            Self::Digits { width, .. } => characters >= bytes * width,
            // A number has up to three digits, or four characters.
            Self::Numbers(_) => characters >= bytes * 4,
        }
    }

    /// Where it ends in a text that was cut there, after so many characters of it.
    fn cut_end(&self, text: &str, ends: &[usize], accepted: usize) -> Option<usize> {
        if !self.is_long(accepted) {
            return None;
        }
        let cut = ends.iter().find_map(|at| {
            let end = at + torn(&text[*at..]);
            let rest = text[end..].trim_start();
            (rest.is_empty() || rest.starts_with(CUT)).then_some(end)
        });
        cut.or_else(|| ends.last().copied().filter(|_| self.is_most(accepted)))
    }
}

//! Reads characters through the escapes of URLs, JSON, HTML, CSS, UTF-7 and quoted-printable, through octal ones, and through
//! characters that look the same.

use std::iter;

use super::html_names::NAMED;

/// How deep escapes are read within escapes: `%2573` is an `s` of depth 2.
const DEPTH: usize = 3;

/// The longest reference to a character, in digits: `&#x00000073;`.
const MOST_DIGITS: usize = 8;

/// The longest escape of CSS, in digits: `\000073`.
const MOST_CSS_DIGITS: usize = 6;

/// The longest spelling of an escape of depth 1, in bytes.
const LONGEST: usize = 12;

/// A character, and where the text goes on behind its spelling.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Symbol {
    pub(super) char: char,
    pub(super) end: usize,
}

/// The difference between a character of full width and that of ASCII.
const FULL_WIDTH: u32 = 0xfee0;

/// Whether an escape may begin with this byte. The last three begin characters of full width, and those that nobody sees.
pub(super) fn begins_escape(byte: u8) -> bool {
    matches!(byte, b'%' | b'=' | b'\\' | b'&' | b'+' | 0xc2 | 0xe2 | 0xef)
}

/// Whether an escape may begin with these two bytes. The second may be escaped itself.
pub(super) fn begin_escape(first: u8, second: u8) -> bool {
    let may_follow = match first {
        b'+' => true,
        b'%' => second.is_ascii_hexdigit() || second == b'u',
        b'=' => second.is_ascii_hexdigit() || matches!(second, b'\r' | b'\n'),
        b'\\' => {
            second.is_ascii_hexdigit()
                || matches!(second, b'"' | b'/' | b'\'' | b'n' | b'r' | b't' | b'u' | b'U' | b'x')
        }
        b'&' => second == b'#' || second.is_ascii_alphabetic(),
        0xc2 => second == 0xad,
        0xe2 => matches!(second, 0x80 | 0x81),
        0xef => matches!(second, 0xbb..=0xbd),
        _ => return false,
    };
    may_follow || begins_escape(second)
}

/// Whether the byte at a place is a whole character, and begins no escape.
pub(super) fn is_plain_at(text: &[u8], at: usize) -> bool {
    let next = text.get(at + 1).copied().unwrap_or_default();
    text.get(at).is_some_and(|byte| byte.is_ascii() && !begin_escape(*byte, next))
}

/// All readings of a place in a text: its character as it is, and those that may be escaped there.
pub(super) fn readings(text: &str, at: usize) -> impl Iterator<Item = Symbol> {
    let mut last = None;
    let layers = layers(text, at, DEPTH).enumerate();
    let distinct = layers.filter(move |(_, symbol)| last.replace(*symbol) != Some(*symbol));
    distinct.flat_map(move |(depth, symbol)| {
        let reader = Reader { text, at: symbol.end, depth };
        let other = (depth < DEPTH).then(|| reader.unescape_otherwise(symbol.char)).flatten();
        iter::once(symbol).chain(other)
    })
}

/// The character at a place, as it is and through one layer of escapes after the other.
fn layers(text: &str, at: usize, depth: usize) -> impl Iterator<Item = Symbol> {
    let char = text.get(at..).and_then(|rest| rest.chars().next());
    let plain = char.map(|char| Symbol { char, end: at + char.len_utf8() });
    let depth = if is_plain_at(text.as_bytes(), at) { 0 } else { depth };
    iter::successors(plain.map(|plain| (0, plain)), move |(layer, symbol)| {
        let reader = Reader { text, at: symbol.end, depth: *layer };
        (*layer < depth).then(|| (layer + 1, reader.unescape(symbol.char).unwrap_or(*symbol)))
    })
    .map(|(_, symbol)| symbol)
}

/// The length of what may be the beginning of an escape, at a place where the text was cut.
pub(super) fn torn(text: &str) -> usize {
    let begins = |byte: u8| byte.is_ascii() && begins_escape(byte);
    let part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'#' || begins(*byte);
    match text.as_bytes() {
        [first, ..] if begins(*first) => text.bytes().take(LONGEST).take_while(part).count(),
        _ => 0,
    }
}

/// Reads the rest of an escape, whose own characters may be escaped less deeply.
#[derive(Clone, Copy)]
struct Reader<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
}

impl Reader<'_> {
    fn unescape(mut self, introducer: char) -> Option<Symbol> {
        let char = match introducer {
            '+' => ' ',
            // As JavaScript's `escape` writes it.
            '%' if self.skip(|char| char == 'u').is_some() => char::from_u32(self.hex(4)?)?,
            '%' => self.digits('%')?,
            '=' => self.quoted_printable()?,
            '\\' => self.backslash()?,
            '&' => self.reference()?,
            '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(introducer) - FULL_WIDTH)?,
            // Nobody sees these.
            '\u{ad}' | '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}' => self.next()?,
            _ => return None,
        };
        Some(Symbol { char, end: self.at })
    }

    /// What begins like another escape: `\73 ` is one of CSS, and `+AHM-` one of UTF-7.
    fn unescape_otherwise(mut self, introducer: char) -> Option<Symbol> {
        let char = match introducer {
            '\\' => self.css()?,
            '+' | '&' => self.utf7(introducer)?,
            _ => return None,
        };
        Some(Symbol { char, end: self.at })
    }

    fn next(&mut self) -> Option<char> {
        let symbol = layers(self.text, self.at, self.depth).last()?;
        self.at = symbol.end;
        Some(symbol.char)
    }

    /// Goes on if the next character is this one.
    fn skip(&mut self, wanted: impl Fn(char) -> bool) -> Option<char> {
        let mut ahead = *self;
        let char = ahead.next().filter(|char| wanted(*char))?;
        *self = ahead;
        Some(char)
    }

    fn hex(&mut self, digits: usize) -> Option<u32> {
        (0..digits).try_fold(0, |value, _| Some(value << 4 | self.next()?.to_digit(16)?))
    }

    fn byte(&mut self) -> Option<u8> {
        self.hex(2).and_then(|value| u8::try_from(value).ok())
    }

    /// One character, of as many bytes as its first one says, each behind the introducer.
    fn digits(&mut self, introducer: char) -> Option<char> {
        let first = self.byte()?;
        if first.is_ascii() {
            return Some(first.into());
        }
        let mut bytes = vec![first];
        for _ in 1..first.leading_ones() {
            self.skip(|char| char == introducer)?;
            bytes.push(self.byte()?);
        }
        str::from_utf8(&bytes).ok()?.chars().next()
    }

    /// A byte in quoted-printable, or the character behind a line break that is none of the text.
    fn quoted_printable(&mut self) -> Option<char> {
        if self.skip(|char| matches!(char, '\r' | '\n')).is_none() {
            return self.digits('=');
        }
        self.skip(|char| char == '\n');
        self.next()
    }

    fn backslash(&mut self) -> Option<char> {
        Some(match self.next()? {
            'u' if self.skip(|char| char == '{').is_some() => return self.in_braces(),
            'u' => return self.utf16(),
            'U' => return char::from_u32(self.hex(8)?),
            'x' => char::from(self.byte()?),
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'b' => '\u{8}',
            'f' => '\u{c}',
            first @ '0'..='3' => self.octal(first)?,
            same @ ('"' | '\\' | '/' | '\'') => same,
            _ => return None,
        })
    }

    /// A byte in three octal digits.
    fn octal(&mut self, first: char) -> Option<char> {
        let value =
            (0..2).try_fold(first.to_digit(8)?, |value, _| Some(value << 3 | self.next()?.to_digit(8)?))?;
        u8::try_from(value).ok().map(char::from)
    }

    /// The character whose number has at most so many digits.
    fn numbered(&mut self, base: u32, most_digits: usize) -> Option<char> {
        let mut digits = String::new();
        while digits.len() < most_digits
            && let Some(digit) = self.skip(|char| char.is_digit(base))
        {
            digits.push(digit);
        }
        char::from_u32(u32::from_str_radix(&digits, base).ok()?)
    }

    /// The digits behind `\u{`.
    fn in_braces(&mut self) -> Option<char> {
        let char = self.numbered(16, MOST_DIGITS)?;
        self.skip(|char| char == '}').map(|_| char)
    }

    /// The digits behind a backslash, and the blank that ends them.
    fn css(&mut self) -> Option<char> {
        let char = self.numbered(16, MOST_CSS_DIGITS)?;
        self.skip(|char| char.is_ascii_whitespace());
        Some(char).filter(|char| !char.is_control())
    }

    /// One character of ASCII in UTF-16 and base64, or the introducer itself. Longer texts there are spellings.
    fn utf7(&mut self, introducer: char) -> Option<char> {
        if self.skip(|char| char == '-').is_some() {
            return Some(introducer);
        }
        self.skip(|char| char == 'A')?;
        let high = "ABCDEFGH".find(self.next()?)?;
        let low = "AEIMQUYcgkosw048".find(self.next()?)?;
        self.skip(|char| char == '-');
        u8::try_from(high << 4 | low).ok().map(char::from)
    }

    /// The four digits behind `\u`, and those of the second half of a pair.
    fn utf16(&mut self) -> Option<char> {
        let first = u16::try_from(self.hex(4)?).ok()?;
        let mut units = vec![first];
        if (0xd800..0xdc00).contains(&first) {
            self.skip(|char| char == '\\')?;
            self.skip(|char| char == 'u')?;
            units.push(u16::try_from(self.hex(4)?).ok()?);
        }
        char::decode_utf16(units).next()?.ok()
    }

    /// A character reference of HTML: a browser needs no semicolon behind digits.
    fn reference(&mut self) -> Option<char> {
        if self.skip(|char| char == '#').is_none() {
            let mut name = String::new();
            while let Some(letter) = self.skip(|char| char.is_ascii_alphabetic())
                && name.len() < LONGEST
            {
                name.push(letter);
            }
            self.skip(|char| char == ';')?;
            return NAMED.iter().find(|(known, _)| *known == name).map(|(_, char)| *char);
        }
        let base = if self.skip(|char| matches!(char, 'x' | 'X')).is_some() { 16 } else { 10 };
        let char = self.numbered(base, MOST_DIGITS)?;
        self.skip(|char| char == ';');
        Some(char)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn assert_reads(text: &str, char: char) {
        let whole = Symbol { char, end: text.len() };
        assert!(readings(text, 0).any(|symbol| symbol == whole), "{text}");
    }

    #[test]
    fn a_character_is_read_through_every_escape() {
        for escaped in [
            "s",
            "%73",
            "%u0073",
            "=73",
            r"\u0073",
            r"\u{73}",
            r"\U00000073",
            r"\x73",
            r"\163",
            "&#115;",
            "&#x73;",
            "&#X00073;",
            "&#115",
            "\u{ff53}",
            "\u{ad}s",
            "\u{200b}%73",
            "\u{feff}s",
            r"\73",
            r"\73 ",
            r"\000073",
            "+AHM-",
            "&AHM",
        ] {
            assert_reads(escaped, 's');
        }
        for (escaped, char) in [
            ("%C3%a9", 'é'),
            ("=C3=A9", 'é'),
            ("=\r\ns", 's'),
            ("=\n=73", 's'),
            (r"\u00E9", 'é'),
            (r"\ud83d\uDE00", '😀'),
            ("+", ' '),
            ("+", '+'),
            ("+-", '+'),
            ("&AF8-", '_'),
            (r"\/", '/'),
            ("&sol;", '/'),
            (r"\\", '\\'),
            ("&VerticalLine;", '|'),
        ] {
            assert_reads(escaped, char);
        }
    }

    #[test]
    fn an_escape_may_be_escaped() {
        for escaped in [
            "%2573",
            "%25%37%33",
            r"\\u0073",
            r"\u005cu0073",
            "&amp;#x73;",
            "&#38;#115;",
            "%252573",
            r"\u0025\u0037\u0033",
            r"\\73 ",
            "%5c73",
            "%2BAHM-",
        ] {
            assert_reads(escaped, 's');
        }
    }

    #[test]
    fn what_is_no_escape_is_read_as_it_is() {
        for text in [
            "%",
            "%7",
            "=",
            "=g3",
            "%g3",
            r"\q",
            r"\u12",
            r"\18",
            "&",
            "&nothing;",
            "&lt",
            "é",
            "%C3%28",
            r"\ud83d",
        ] {
            let read: Vec<Symbol> = readings(text, 0).collect();
            let first = text.chars().next().unwrap();
            assert_eq!(read, [Symbol { char: first, end: first.len_utf8() }], "{text}");
        }
        assert_eq!(readings("", 0).count(), 0);
    }
}

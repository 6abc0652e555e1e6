//! Escapes in patterns.

use super::reader::{INVALID_RANGE, Parsed, PatternError, PatternReader, error};
use super::unicode_names;

/// The class of `\d`, `\pL` or alike; `None` for another escape.
pub(super) fn class_escape<'a>(reader: &mut PatternReader<'a>) -> Parsed<'a, Option<String>> {
    // In Go, these are ASCII characters.
    let class = match reader.rest.as_bytes().get(1) {
        Some(b'd') => "[0-9]",
        Some(b'D') => "[^0-9]",
        Some(b's') => r"[\t\n\f\r ]",
        Some(b'S') => r"[^\t\n\f\r ]",
        Some(b'w') => "[0-9A-Za-z_]",
        Some(b'W') => "[^0-9A-Za-z_]",
        Some(b'p' | b'P') => return unicode_class(reader).map(Some),
        _ => return Ok(None),
    };
    reader.rest = &reader.rest[2..];
    Ok(Some(class.to_owned()))
}

/// `\pL`, `\p{Greek}` or `\P{^Greek}`.
fn unicode_class<'a>(reader: &mut PatternReader<'a>) -> Parsed<'a, String> {
    let start = reader.rest;
    reader.rest = &start[2..];
    let name = if reader.skip("{") {
        let Some((name, rest)) = reader.rest.split_once('}') else { return error(INVALID_RANGE, start) };
        reader.rest = rest;
        name
    } else {
        let name = reader.rest;
        reader.next();
        reader.since(name)
    };
    let positive = name.strip_prefix('^');
    let is_negated = start.starts_with(r"\P") != positive.is_some();
    let class = unicode_names::characters(positive.unwrap_or(name), is_negated);
    class.ok_or_else(|| PatternError { reason: INVALID_RANGE, part: reader.since(start) })
}

/// The character of an escape such as `\n`, `\x41` or `\.`.
pub(super) fn character_escape<'a>(reader: &mut PatternReader<'a>) -> Parsed<'a, u32> {
    let start = reader.rest;
    reader.next();
    let Some(kind) = reader.next() else {
        return error("trailing backslash at end of expression", "");
    };
    let character = match kind {
        'a' => Some(7),
        't' => Some(9),
        'n' => Some(10),
        'v' => Some(11),
        'f' => Some(12),
        'r' => Some(13),
        'x' => hexadecimal(reader),
        '0' => octal(reader, kind),
        // One digit would be a reference to a group.
        '1'..='7' if reader.peek().is_some_and(|digit| digit.is_digit(8)) => octal(reader, kind),
        _ if kind.is_ascii() && !kind.is_ascii_alphanumeric() => Some(kind.into()),
        _ => None,
    };
    character.ok_or_else(|| PatternError { reason: "invalid escape sequence", part: reader.since(start) })
}

/// The number of three octal digits at most, of which the first is known.
fn octal(reader: &mut PatternReader<'_>, first: char) -> Option<u32> {
    let mut number = first.to_digit(8)?;
    for _ in 0..2 {
        let Some(digit) = reader.peek().and_then(|digit| digit.to_digit(8)) else { break };
        reader.next();
        number = number * 8 + digit;
    }
    Some(number)
}

/// The number of two hexadecimal digits, or of any in braces.
fn hexadecimal(reader: &mut PatternReader<'_>) -> Option<u32> {
    let first = reader.next()?;
    if first != '{' {
        let second = reader.next()?;
        return Some(first.to_digit(16)? * 16 + second.to_digit(16)?);
    }
    let mut number = None;
    loop {
        let digit = reader.next()?;
        if digit == '}' {
            return number;
        }
        let larger = number.unwrap_or(0) * 16 + digit.to_digit(16)?;
        if larger > u32::from(char::MAX) {
            return None;
        }
        number = Some(larger);
    }
}

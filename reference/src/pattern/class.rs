//! Classes of characters in brackets.

use super::escape::{character_escape, class_escape};
use super::reader::{INVALID_RANGE, Parsed, PatternReader, error};
use super::unicode_names::NOTHING;

/// The names of `[:alpha:]` and alike: the same characters in Go and Rust.
const NAMED: [&str; 14] = [
    "alnum", "alpha", "ascii", "blank", "cntrl", "digit", "graph", "lower", "print", "punct", "space",
    "upper", "word", "xdigit",
];

/// The class at the start of what is left, in the syntax of Rust.
pub(super) fn class<'a>(reader: &mut PatternReader<'a>) -> Parsed<'a, String> {
    let start = reader.rest;
    reader.next();
    let sign = if reader.skip("^") { "^" } else { "" };
    let mut items = String::new();
    // A bracket at the start is a character.
    loop {
        items += &class_item(reader, start)?;
        if reader.skip("]") {
            break;
        }
    }
    let items = if items.is_empty() { NOTHING } else { &items };
    Ok(format!("[{sign}{items}]"))
}

fn class_item<'a>(reader: &mut PatternReader<'a>, class: &'a str) -> Parsed<'a, String> {
    if let Some(named) = named_class(reader)? {
        return Ok(named.to_owned());
    }
    if reader.rest.starts_with('\\')
        && let Some(escaped) = class_escape(reader)?
    {
        return Ok(escaped);
    }
    let start = reader.rest;
    let low = class_character(reader, class)?;
    let has_high = reader.rest.len() > 1 && !reader.rest.starts_with("-]") && reader.skip("-");
    let high = if has_high { class_character(reader, class)? } else { low };
    if high < low { error(INVALID_RANGE, reader.since(start)) } else { Ok(range(low, high)) }
}

/// `[:alpha:]`, `[:^alpha:]` or alike, if the class has one here.
fn named_class<'a>(reader: &mut PatternReader<'a>) -> Parsed<'a, Option<&'a str>> {
    let start = reader.rest;
    let name = start.strip_prefix("[:").filter(|name| name.len() >= reader.last_name_end);
    let Some((name, rest)) = name.and_then(|name| name.split_once(":]")) else { return Ok(None) };
    reader.rest = rest;
    let named = reader.since(start);
    let is_known = NAMED.contains(&name.strip_prefix('^').unwrap_or(name));
    if is_known { Ok(Some(named)) } else { error(INVALID_RANGE, named) }
}

fn class_character<'a>(reader: &mut PatternReader<'a>, class: &'a str) -> Parsed<'a, u32> {
    if reader.rest.starts_with('\\') {
        return character_escape(reader);
    }
    match reader.next() {
        Some(character) => Ok(character.into()),
        None => error("missing closing ]", class),
    }
}

/// The characters of a range, in a class or alone. It may be empty: no text has half a surrogate pair.
pub(super) fn range(low: u32, high: u32) -> String {
    let is_half = |character: u32| (0xD800..0xE000).contains(&character);
    let low = if is_half(low) { 0xE000 } else { low };
    let high = if is_half(high) { 0xD7FF } else { high };
    let letter = char::from_u32(low).filter(char::is_ascii_alphanumeric);
    match letter.filter(|_| low == high) {
        Some(letter) => letter.to_string(),
        None if low > high => String::new(),
        None if low == high => format!(r"\x{{{low:x}}}"),
        None => format!(r"\x{{{low:x}}}-\x{{{high:x}}}"),
    }
}

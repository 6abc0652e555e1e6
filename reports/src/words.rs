//! Numbers, durations and errors as people read them.

use std::time::Duration;

/// `1 clause`, `2 clauses`, `1,204 exchanges`.
pub(crate) fn plural(count: usize, noun: &str) -> String {
    format!("{} {noun}{}", thousands(count), if count == 1 { "" } else { "s" })
}

/// Digits in groups of three.
pub(crate) fn thousands(number: usize) -> String {
    let digits = number.to_string();
    let mut grouped = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// `7 ms`, `1.25 s`, `12.3 s`, `3 min 20 s`.
pub(crate) fn duration(elapsed: Duration) -> String {
    match elapsed.as_millis() {
        millis @ 0..1_000 => format!("{millis} ms"),
        millis @ 1_000..10_000 => format!("{}.{:02} s", millis / 1_000, millis % 1_000 / 10),
        millis @ 10_000..120_000 => format!("{}.{} s", millis / 1_000, millis % 1_000 / 100),
        millis => format!("{} min {} s", millis / 60_000, millis % 60_000 / 1_000),
    }
}

/// In whole milliseconds.
pub(crate) fn milliseconds(elapsed: Duration) -> u64 {
    u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX)
}

/// `7 s`, `3 min 20 s`.
pub(crate) fn seconds(elapsed: Duration) -> String {
    match elapsed.as_secs() {
        secs @ 0..120 => format!("{secs} s"),
        secs => format!("{} min {} s", secs / 60, secs % 60),
    }
}

/// An error of serde without the names of types of this program: `expected an object, not a list`.
pub(crate) fn in_words_of_json(error: &str) -> String {
    let mismatch = ["invalid type: ", "invalid value: "].iter().find_map(|kind| error.strip_prefix(kind));
    if let Some((found, expected)) = mismatch.and_then(|rest| rest.rsplit_once(", expected ")) {
        let found = match found {
            "map" => "an object",
            "sequence" => "a list",
            other => other,
        };
        return format!("expected {}, not {found}", value_of(expected));
    }
    if error.starts_with("invalid length ") {
        return "expected an object, not a list".to_owned();
    }
    if error.starts_with("EOF while parsing ") {
        return "it ends too early".to_owned();
    }
    if error.starts_with("control character ") {
        return "a string has a control character, such as a NUL byte".to_owned();
    }
    match error.strip_prefix("unknown variant ") {
        Some(rest) => format!("unknown value {rest}"),
        None if error.starts_with("data did not match any variant ") => {
            "a value has an unknown form".to_owned()
        }
        None => error.to_owned(),
    }
}

/// The value in JSON of a type of this program.
fn value_of(expected: &str) -> &str {
    match expected.split(' ').next().unwrap_or_default() {
        "struct" | "internally" | "adjacently" | "untagged" => "an object",
        "tuple" => "a list",
        "enum" | "variant" | "field" => "a name",
        "u8" | "u16" | "u32" | "u64" | "usize" | "i8" | "i16" | "i32" | "i64" | "isize" => "a whole number",
        "f32" | "f64" => "a number",
        _ => match expected {
            "a map" => "an object",
            "a sequence" => "a list",
            other => other,
        },
    }
}

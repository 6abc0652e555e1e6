//! Numbers and durations as people read them.

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

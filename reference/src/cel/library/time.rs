//! Timestamps and durations.

use jiff::tz::{Offset, TimeZone};
use jiff::{SignedDuration, Timestamp, Zoned};

use super::conversions::conversion;
use crate::cel::evaluator::{EvalError, Evaluated};
use crate::cel::value::Value;

pub(super) fn call(name: &str, args: &[Value]) -> Option<Evaluated> {
    Some(match (name, args) {
        ("timestamp", [Value::Timestamp(_)]) | ("duration", [Value::Duration(_)]) => Ok(args[0].clone()),
        ("timestamp", [Value::Int(seconds)]) => Timestamp::from_second(*seconds)
            .map_or_else(|_| Err(EvalError::other("timestamp overflow")), |time| Ok(Value::Timestamp(time))),
        ("timestamp", [Value::Text(text)]) => timestamp(text).map_or_else(
            || conversion("string", "google.protobuf.Timestamp"),
            |time| Ok(Value::Timestamp(time)),
        ),
        ("duration", [Value::Text(text)]) => duration(text).map_or_else(
            || conversion("string", "google.protobuf.Duration"),
            |duration| Ok(Value::Duration(duration)),
        ),
        (_, [Value::Duration(duration)]) if name.starts_with("get") => part_of_duration(name, *duration)?,
        (_, [Value::Timestamp(time)]) if name.starts_with("get") => {
            part(name, &time.to_zoned(TimeZone::UTC))?
        }
        (_, [Value::Timestamp(time), Value::Text(zone)]) if name.starts_with("get") => match zone_of(zone) {
            Some(zone) => part(name, &time.to_zoned(zone))?,
            None => Err(EvalError::other(format!("unknown time zone {zone}"))),
        },
        _ => return None,
    })
}

/// An instant of RFC 3339.
pub(in crate::cel) fn timestamp(text: &str) -> Option<Timestamp> {
    let is_complete = text.as_bytes().get(10) == Some(&b'T');
    text.parse().ok().filter(|_| is_complete)
}

/// A zone by its name, or by its offset such as `+02:00`.
fn zone_of(text: &str) -> Option<TimeZone> {
    if let Ok(zone) = TimeZone::get(text) {
        return Some(zone);
    }
    let (hours, minutes) = text.split_once(':')?;
    let (sign, hours) = match hours.strip_prefix('-') {
        Some(hours) => (-1, hours),
        None => (1, hours.strip_prefix('+').unwrap_or(hours)),
    };
    let hours = hours.parse::<i32>().ok()?.checked_mul(3600)?;
    let minutes = minutes.parse::<i32>().ok()?.checked_mul(60)?;
    let seconds = hours.checked_add(minutes)?.checked_mul(sign)?;
    Offset::from_seconds(seconds).ok().map(TimeZone::fixed)
}

fn part(name: &str, time: &Zoned) -> Option<Evaluated> {
    Some(Ok(Value::Int(match name {
        "getFullYear" => time.year().into(),
        "getMonth" => i64::from(time.month()) - 1,
        "getDayOfYear" => i64::from(time.day_of_year()) - 1,
        "getDayOfMonth" => i64::from(time.day()) - 1,
        "getDate" => time.day().into(),
        "getDayOfWeek" => time.weekday().to_sunday_zero_offset().into(),
        "getHours" => time.hour().into(),
        "getMinutes" => time.minute().into(),
        "getSeconds" => time.second().into(),
        "getMilliseconds" => time.millisecond().into(),
        _ => return None,
    })))
}

/// The whole duration in a unit.
fn part_of_duration(name: &str, duration: SignedDuration) -> Option<Evaluated> {
    Some(Ok(Value::Int(match name {
        "getHours" => duration.as_hours(),
        "getMinutes" => duration.as_mins(),
        "getSeconds" => duration.as_secs(),
        "getMilliseconds" => i64::try_from(duration.as_millis()).unwrap_or(i64::MAX),
        _ => return None,
    })))
}

/// The units of Go, with their nanoseconds; longer names stand before their prefixes.
const UNITS: [(&str, i128); 8] = [
    ("ns", 1),
    ("us", 1_000),
    ("µs", 1_000),
    ("μs", 1_000),
    ("ms", 1_000_000),
    ("s", 1_000_000_000),
    ("m", 60_000_000_000),
    ("h", 3_600_000_000_000),
];

/// A duration of Go, such as `1h30m`.
pub(in crate::cel) fn duration(text: &str) -> Option<SignedDuration> {
    duration_in(text, &UNITS)
}

/// A duration of a schema's format, which also has days and weeks, and spaces.
pub(crate) fn format_duration(text: &str) -> Option<SignedDuration> {
    duration(text).or_else(|| {
        const DAY: i128 = 86_400_000_000_000;
        let (number, unit) = text.trim().split_at(text.trim().find(|next: char| !next.is_ascii_digit())?);
        let unit = unit.trim();
        let units: [(&str, i128); 6] =
            [("d", DAY), ("day", DAY), ("days", DAY), ("w", 7 * DAY), ("week", 7 * DAY), ("weeks", 7 * DAY)];
        let (_, nanoseconds) = units.iter().find(|(name, _)| *name == unit)?;
        from_nanoseconds(number.parse::<i128>().ok()?.checked_mul(*nanoseconds)?)
    })
}

fn duration_in(text: &str, units: &[(&str, i128)]) -> Option<SignedDuration> {
    let (sign, mut rest) = match text.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (1, text.strip_prefix('+').unwrap_or(text)),
    };
    if rest == "0" {
        return Some(SignedDuration::ZERO);
    }
    let mut sum: i128 = 0;
    if rest.is_empty() {
        return None;
    }
    while !rest.is_empty() {
        let end = rest.find(|next: char| !next.is_ascii_digit() && next != '.')?;
        let (number, after) = rest.split_at(end);
        let (unit, nanoseconds) = units.iter().find(|(unit, _)| {
            let next = after.strip_prefix(unit);
            next.is_some_and(|next| !next.starts_with(|next: char| next.is_alphabetic()))
        })?;
        rest = &after[unit.len()..];
        let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
        if whole.is_empty() && fraction.is_empty() {
            return None;
        }
        let digits = format!("{whole}{fraction}").parse::<i128>().ok().filter(|_| number.len() <= 20)?;
        let scale = 10_i128.checked_pow(u32::try_from(fraction.len()).ok()?)?;
        sum = sum.checked_add(digits.checked_mul(*nanoseconds)? / scale)?;
    }
    from_nanoseconds(sign * sum)
}

/// A duration that Go can have: about 292 years.
fn from_nanoseconds(nanoseconds: i128) -> Option<SignedDuration> {
    i64::try_from(nanoseconds).ok().map(SignedDuration::from_nanos)
}

/// The text that `string()` has, in seconds.
pub(super) fn duration_text(duration: SignedDuration) -> String {
    let nanoseconds = duration.as_nanos();
    let (sign, size) = if nanoseconds < 0 { ("-", -nanoseconds) } else { ("", nanoseconds) };
    let fraction = format!("{:09}", size % 1_000_000_000);
    let fraction = fraction.trim_end_matches('0');
    let point = if fraction.is_empty() { "" } else { "." };
    format!("{sign}{}{point}{fraction}s", size / 1_000_000_000)
}

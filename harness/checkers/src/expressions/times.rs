//! Timestamps and durations in whole seconds, in UTC.

use super::calendar::{DAY, date, date_time, days};
use super::signature::{Signature, function, infix, method, or_error};
use super::types::Type::{Duration, Int, Text, Timestamp};
use super::value::{Evaluated, NoValue, Value};

/// The first and last second that a timestamp can have: the years 1 to 9999.
const FIRST: i64 = -62_135_596_800;
const LAST: i64 = 253_402_300_799;

/// The most seconds of kube-apiserver's durations, which have 64 bits of nanoseconds. The text allows 10,000 years.
const LONGEST: i64 = i64::MAX / 1_000_000_000;

#[rustfmt::skip]
pub(super) fn signatures() -> Vec<Signature> {
    vec![
        infix("+", &[Timestamp, Duration], Timestamp, |args| seconds(args, |at, span| timestamp(at.checked_add(span)))),
        infix("+", &[Duration, Timestamp], Timestamp, |args| seconds(args, |span, at| timestamp(at.checked_add(span)))),
        infix("-", &[Timestamp, Duration], Timestamp, |args| seconds(args, |at, span| timestamp(at.checked_sub(span)))),
        infix("-", &[Timestamp, Timestamp], Duration, |args| seconds(args, |left, right| duration(left.checked_sub(right)))),
        infix("+", &[Duration, Duration], Duration, |args| seconds(args, |left, right| duration(left.checked_add(right)))),
        infix("-", &[Duration, Duration], Duration, |args| seconds(args, |left, right| duration(left.checked_sub(right)))),
        function("timestamp", &[Text], Timestamp, |args| text(args, read_timestamp)),
        function("timestamp", &[Int], Timestamp, |args| match args {
            [Value::Int(seconds)] => timestamp(Some(*seconds)),
            _ => Err(NoValue::Open),
        }),
        function("duration", &[Text], Duration, |args| text(args, read_duration)),
        function("int", &[Timestamp], Int, |args| part(args, Some)),
        function("string", &[Timestamp], Text, |args| match args {
            [Value::Timestamp(seconds)] => Ok(Value::Text(date_time(*seconds))),
            _ => Err(NoValue::Open),
        }),
        function("string", &[Duration], Text, |args| match args {
            [Value::Duration(seconds)] => Ok(Value::Text(format!("{seconds}s"))),
            _ => Err(NoValue::Open),
        }),
        method("getFullYear", &[Timestamp], Int, |args| part(args, |at| Some(date(at).0))),
        method("getMonth", &[Timestamp], Int, |args| part(args, |at| Some(date(at).1 - 1))),
        method("getDate", &[Timestamp], Int, |args| part(args, |at| Some(date(at).2))),
        method("getDayOfMonth", &[Timestamp], Int, |args| part(args, |at| Some(date(at).2 - 1))),
        // The first day was a Thursday.
        method("getDayOfWeek", &[Timestamp], Int, |args| part(args, |at| Some((at.div_euclid(DAY) + 4).rem_euclid(7)))),
        method("getDayOfYear", &[Timestamp], Int, |args| part(args, |at| Some(at.div_euclid(DAY) - days(date(at).0, 1, 1)))),
        method("getHours", &[Timestamp], Int, |args| part(args, |at| Some(at.rem_euclid(DAY) / 3600))),
        method("getMinutes", &[Timestamp], Int, |args| part(args, |at| Some(at.rem_euclid(3600) / 60))),
        method("getSeconds", &[Timestamp], Int, |args| part(args, |at| Some(at.rem_euclid(60)))),
        method("getHours", &[Duration], Int, |args| part(args, |span| Some(span / 3600))),
        method("getMinutes", &[Duration], Int, |args| part(args, |span| Some(span / 60))),
        method("getSeconds", &[Duration], Int, |args| part(args, Some)),
    ]
}

/// An operation on the seconds of two timestamps or durations.
fn seconds(args: &[Value], operation: fn(i64, i64) -> Evaluated) -> Evaluated {
    match args {
        [
            Value::Timestamp(left) | Value::Duration(left),
            Value::Timestamp(right) | Value::Duration(right),
        ] => operation(*left, *right),
        _ => Err(NoValue::Open),
    }
}

fn part(args: &[Value], part: fn(i64) -> Option<i64>) -> Evaluated {
    match args {
        [Value::Timestamp(seconds) | Value::Duration(seconds)] => or_error(part(*seconds), Value::Int),
        _ => Err(NoValue::Open),
    }
}

fn text(args: &[Value], read: fn(&str) -> Evaluated) -> Evaluated {
    let [Value::Text(text)] = args else { return Err(NoValue::Open) };
    read(text)
}

fn timestamp(seconds: Option<i64>) -> Evaluated {
    or_error(seconds.filter(|seconds| (FIRST..=LAST).contains(seconds)), Value::Timestamp)
}

fn duration(seconds: Option<i64>) -> Evaluated {
    let within = seconds.filter(|seconds| seconds.abs() <= LONGEST);
    within.map(Value::Duration).ok_or(NoValue::Open)
}

/// A timestamp in the form in which [`date_time`] writes it; other forms are open, but a short text has none.
fn read_timestamp(text: &str) -> Evaluated {
    let number = |from, to| text.get(from..to).and_then(|digits| digits.parse::<i64>().ok());
    let parts = (number(0, 4), number(5, 7), number(8, 10), number(11, 13), number(14, 16), number(17, 19));
    if let (Some(year), Some(month), Some(day), Some(hour), Some(minute), Some(second)) = parts {
        let read = days(year, month, day) * DAY + hour * 3600 + minute * 60 + second;
        if date_time(read) == text {
            return timestamp(Some(read));
        }
    }
    Err(if text.len() < "2000-01-01T00:00:00Z".len() { NoValue::Error } else { NoValue::Open })
}

/// A duration in seconds; other units are open, but each needs a digit.
fn read_duration(text: &str) -> Evaluated {
    let digits = text.strip_prefix('-').unwrap_or(text).strip_suffix('s').unwrap_or_default();
    let is_whole = (1..=9).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
    match text.trim_end_matches('s').parse() {
        Ok(seconds) if is_whole => duration(Some(seconds)),
        _ if text.contains(|character: char| character.is_ascii_digit()) => Err(NoValue::Open),
        _ => Err(NoValue::Error),
    }
}

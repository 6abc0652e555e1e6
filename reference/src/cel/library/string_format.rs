//! `format`: the texts of values in a pattern.

use std::fmt::Write as _;

use super::conversions::double_text;
use super::strings::quoted;
use super::time;
use crate::cel::evaluator::EvalError;
use crate::cel::value::Value;
use crate::cel::work::Work;

/// The pattern with each placeholder replaced by the text of its argument.
pub(super) fn format(pattern: &str, args: &[Value], work: &Work) -> Result<String, EvalError> {
    let mut text = String::new();
    let mut args = args.iter();
    let mut rest = pattern.chars().peekable();
    while let Some(next) = rest.next() {
        if next != '%' {
            text.push(next);
            continue;
        }
        if rest.next_if_eq(&'%').is_some() {
            text.push('%');
            continue;
        }
        let mut precision = None;
        if rest.next_if_eq(&'.').is_some() {
            let mut digits = String::new();
            while let Some(digit) = rest.next_if(char::is_ascii_digit) {
                digits.push(digit);
            }
            // Rust formats no more digits.
            let digits: u16 = digits.parse().map_err(|_| failed("error while parsing precision"))?;
            precision = Some(usize::from(digits));
        }
        let clause = rest.next().ok_or_else(|| failed("unexpected end of string"))?;
        let arg = args.next().ok_or_else(|| failed("index out of range"))?;
        work.reserve((text.len() + precision.unwrap_or_default()) as u64 + longest(arg, work)?)?;
        text.push_str(&placed(clause, precision, arg)?);
    }
    Ok(text)
}

/// The bytes that the text of a value can have at most: every character of a text may be escaped, and doubles have up to
/// 309 digits.
fn longest(value: &Value, work: &Work) -> Result<u64, EvalError> {
    work.visit(value)?;
    let mut sum = 64;
    match value {
        Value::Double(_) => sum = 400,
        Value::Text(text) => sum += 2 * text.len() as u64,
        Value::Bytes(bytes) => sum += 3 * bytes.len() as u64,
        Value::List(list) => {
            for item in &list.items {
                sum += longest(item, work)?;
            }
        }
        Value::Map(map) => {
            for (key, value) in map.iter() {
                sum += longest(&key.0, work)? + longest(value, work)?;
            }
        }
        _ => {}
    }
    Ok(sum)
}

fn failed(detail: &str) -> EvalError {
    EvalError::other(format!("could not parse formatting clause: {detail}"))
}

fn placed(clause: char, precision: Option<usize>, arg: &Value) -> Result<String, EvalError> {
    let digits = precision.unwrap_or(6);
    let refused = || failed(&format!("{clause} cannot format a {}", arg.type_name()));
    Ok(match (clause, arg) {
        ('s', _) => plain(arg).ok_or_else(refused)?,
        ('d', Value::Int(number)) => number.to_string(),
        ('d', Value::Uint(number)) => number.to_string(),
        ('f', Value::Double(number)) => format!("{number:.digits$}"),
        #[allow(clippy::cast_precision_loss, reason = "as in Go")]
        ('f', Value::Int(number)) => format!("{:.digits$}", *number as f64),
        ('e', Value::Double(number)) => scientific(*number, digits),
        #[allow(clippy::cast_precision_loss, reason = "as in Go")]
        ('e', Value::Int(number)) => scientific(*number as f64, digits),
        ('b', Value::Int(number)) => signed(*number, |size| format!("{size:b}")),
        ('b', Value::Uint(number)) => format!("{number:b}"),
        ('b', Value::Bool(value)) => u8::from(*value).to_string(),
        ('o', Value::Int(number)) => signed(*number, |size| format!("{size:o}")),
        ('o', Value::Uint(number)) => format!("{number:o}"),
        ('x', Value::Int(number)) => signed(*number, |size| format!("{size:x}")),
        ('x', Value::Uint(number)) => format!("{number:x}"),
        ('x', Value::Text(text)) => hexadecimal(text.as_bytes()),
        ('x', Value::Bytes(bytes)) => hexadecimal(bytes),
        ('X', _) => placed('x', precision, arg)?.to_ascii_uppercase(),
        _ => return Err(refused()),
    })
}

fn signed(number: i64, text: impl Fn(u64) -> String) -> String {
    let sign = if number < 0 { "-" } else { "" };
    format!("{sign}{}", text(number.unsigned_abs()))
}

fn hexadecimal(bytes: &[u8]) -> String {
    let mut text = String::new();
    for byte in bytes {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
    }
    text
}

fn scientific(number: f64, digits: usize) -> String {
    let text = format!("{number:.digits$e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let (sign, exponent) = exponent.strip_prefix('-').map_or(('+', exponent), |exponent| ('-', exponent));
    format!("{mantissa}e{sign}{exponent:0>2}")
}

/// The text of a value for `%s`.
fn plain(value: &Value) -> Option<String> {
    Some(match value {
        Value::Null => "null".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Int(number) => number.to_string(),
        Value::Uint(number) => number.to_string(),
        Value::Double(number) => double_text(*number),
        Value::Text(text) => text.to_string(),
        Value::Bytes(bytes) => String::from_utf8_lossy(bytes).into_owned(),
        Value::Timestamp(time) => time.to_string(),
        Value::Duration(duration) => time::duration_text(*duration),
        Value::Type(name) => name.to_string(),
        Value::List(list) => {
            let items: Option<Vec<String>> = list.items.iter().map(nested).collect();
            format!("[{}]", items?.join(", "))
        }
        Value::Map(map) => {
            let entries =
                map.iter().map(|(key, value)| Some(format!("{}:{}", nested(&key.0)?, nested(value)?)));
            let entries: Option<Vec<String>> = entries.collect();
            format!("{{{}}}", entries?.join(", "))
        }
        _ => return None,
    })
}

/// The text of a value in a list or map.
fn nested(value: &Value) -> Option<String> {
    let plain = plain(value)?;
    Some(match value {
        Value::Text(text) => quoted(text),
        Value::Bytes(_) => format!("b{}", quoted(&plain)),
        Value::Double(number) => format!("{number:.6}"),
        Value::Timestamp(_) => format!("timestamp({})", quoted(&plain)),
        Value::Duration(_) => format!("duration({})", quoted(&plain)),
        _ => plain,
    })
}

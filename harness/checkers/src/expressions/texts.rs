//! Strings and bytes, with the string library that all releases have.

use super::signature::{Signature, function, infix, method, or_error};
use super::types::Type::{Bool, Bytes, Int, Text, Texts};
use super::value::{Evaluated, NoValue, Value};

#[rustfmt::skip]
pub(super) fn signatures() -> Vec<Signature> {
    vec![
        infix("+", &[Text, Text], Text, |args| two(args, |left, right| Ok(Value::Text(format!("{left}{right}"))))),
        function("size", &[Text], Int, |args| one(args, |text| Ok(Value::count(text.chars().count())))),
        method("size", &[Text], Int, |args| one(args, |text| Ok(Value::count(text.chars().count())))),
        method("contains", &[Text, Text], Bool, |args| two(args, |text, part| Ok(Value::Bool(text.contains(part))))),
        method("startsWith", &[Text, Text], Bool, |args| two(args, |text, part| Ok(Value::Bool(text.starts_with(part))))),
        method("endsWith", &[Text, Text], Bool, |args| two(args, |text, part| Ok(Value::Bool(text.ends_with(part))))),
        method("charAt", &[Text, Int], Text, |args| match args {
            [Value::Text(text), Value::Int(at)] => range(text, *at, at.saturating_add(1).min(length(text))),
            _ => Err(NoValue::Open),
        }),
        method("substring", &[Text, Int], Text, |args| match args {
            [Value::Text(text), Value::Int(start)] => range(text, *start, length(text)),
            _ => Err(NoValue::Open),
        }),
        method("substring", &[Text, Int, Int], Text, |args| match args {
            [Value::Text(text), Value::Int(start), Value::Int(end)] => range(text, *start, *end),
            _ => Err(NoValue::Open),
        }),
        method("indexOf", &[Text, Text], Int, |args| two(args, |text, part| position(text, part, text.find(part)))),
        method("lastIndexOf", &[Text, Text], Int, |args| two(args, |text, part| position(text, part, text.rfind(part)))),
        method("lowerAscii", &[Text], Text, |args| one(args, |text| Ok(Value::Text(text.to_ascii_lowercase())))),
        method("upperAscii", &[Text], Text, |args| one(args, |text| Ok(Value::Text(text.to_ascii_uppercase())))),
        method("trim", &[Text], Text, |args| one(args, |text| Ok(Value::text(text.trim())))),
        method("replace", &[Text, Text, Text], Text, |args| match args {
            [Value::Text(text), Value::Text(old), Value::Text(new)] if !old.is_empty() => Ok(Value::Text(text.replace(old, new))),
            _ => Err(NoValue::Open),
        }),
        method("split", &[Text, Text], Texts, |args| two(args, |text, separator| match separator {
            "" => Err(NoValue::Open),
            _ => Ok(Value::List(text.split(separator).map(Value::text).collect())),
        })),
        method("join", &[Texts], Text, |args| match args {
            [Value::List(texts)] => Ok(joined(texts, "")),
            _ => Err(NoValue::Open),
        }),
        method("join", &[Texts, Text], Text, |args| match args {
            [Value::List(texts), Value::Text(separator)] => Ok(joined(texts, separator)),
            _ => Err(NoValue::Open),
        }),
        function("string", &[Text], Text, |args| Ok(args[0].clone())),
        function("string", &[Bytes], Text, |args| match args {
            [Value::Bytes(bytes)] => or_error(String::from_utf8(bytes.clone()).ok(), Value::Text),
            _ => Err(NoValue::Open),
        }),
        function("bytes", &[Bytes], Bytes, |args| Ok(args[0].clone())),
        function("bytes", &[Text], Bytes, |args| one(args, |text| Ok(Value::Bytes(text.as_bytes().to_vec())))),
        infix("+", &[Bytes, Bytes], Bytes, |args| match args {
            [Value::Bytes(left), Value::Bytes(right)] => Ok(Value::Bytes([left.as_slice(), right].concat())),
            _ => Err(NoValue::Open),
        }),
        function("size", &[Bytes], Int, |args| match args {
            [Value::Bytes(bytes)] => Ok(Value::count(bytes.len())),
            _ => Err(NoValue::Open),
        }),
    ]
}

fn one(args: &[Value], function: fn(&str) -> Evaluated) -> Evaluated {
    let [Value::Text(text)] = args else { return Err(NoValue::Open) };
    function(text)
}

fn two(args: &[Value], function: fn(&str, &str) -> Evaluated) -> Evaluated {
    let [Value::Text(left), Value::Text(right)] = args else { return Err(NoValue::Open) };
    function(left, right)
}

fn length(text: &str) -> i64 {
    i64::try_from(text.chars().count()).unwrap_or(i64::MAX)
}

/// The characters from one position to before another one.
fn range(text: &str, start: i64, end: i64) -> Evaluated {
    if start < 0 || start > end || end > length(text) {
        return Err(NoValue::Error);
    }
    let of = |number| usize::try_from(number).map_err(|_| NoValue::Error);
    let (start, end) = (of(start)?, of(end)?);
    Ok(Value::Text(text.chars().skip(start).take(end - start).collect()))
}

/// The position of a part in characters. Releases differ about parts of the empty text.
fn position(text: &str, part: &str, found: Option<usize>) -> Evaluated {
    if text.is_empty() && !part.is_empty() {
        return Err(NoValue::Open);
    }
    let before = found.and_then(|at| text.get(..at));
    Ok(Value::Int(before.map_or(-1, length)))
}

fn joined(texts: &[Value], separator: &str) -> Value {
    let texts = texts.iter().filter_map(|text| match text {
        Value::Text(text) => Some(text.as_str()),
        _ => None,
    });
    Value::Text(texts.collect::<Vec<_>>().join(separator))
}

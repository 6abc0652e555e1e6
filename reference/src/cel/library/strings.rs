//! Functions of strings.

use std::sync::Arc;

use super::string_format;
use crate::cel::evaluator::{EvalError, Evaluated};
use crate::cel::value::Value;
use crate::cel::work::{ITEM, Work};

pub(super) fn call(name: &str, args: &[Value], work: &Work) -> Option<Evaluated> {
    use Value::{Int, List, Text};
    let text = |text: String| Ok(Text(Arc::from(text)));
    Some(match (name, args) {
        ("contains", [Text(own), Text(part)]) => Ok(Value::Bool(own.contains(&**part))),
        ("startsWith", [Text(own), Text(part)]) => Ok(Value::Bool(own.starts_with(&**part))),
        ("endsWith", [Text(own), Text(part)]) => Ok(Value::Bool(own.ends_with(&**part))),
        ("charAt", [Text(own), Int(index)]) => part(own, *index, index.saturating_add(1), true),
        ("substring", [Text(own), Int(start)]) => part(own, *start, i64::MAX, false),
        ("substring", [Text(own), Int(start), Int(end)]) => {
            let length = own.chars().count();
            match usize::try_from(*end) {
                Ok(end) if end <= length => part(own, *start, Value::int(end).as_int(), false),
                _ => Err(out_of_range(*end)),
            }
        }
        ("indexOf", [Text(own), Text(part)]) => index_of(own, part, 0, false),
        ("indexOf", [Text(own), Text(part), Int(offset)]) => index_of(own, part, *offset, false),
        ("lastIndexOf", [Text(own), Text(part)]) => {
            index_of(own, part, Value::int(own.chars().count()).as_int(), true)
        }
        ("lastIndexOf", [Text(own), Text(part), Int(offset)]) => index_of(own, part, *offset, true),
        ("lowerAscii", [Text(own)]) => text(own.to_ascii_lowercase()),
        ("upperAscii", [Text(own)]) => text(own.to_ascii_uppercase()),
        ("trim", [Text(own)]) => text(own.trim().to_owned()),
        ("replace", [Text(own), Text(old), Text(new)]) => replace(own, old, new, -1, work),
        ("replace", [Text(own), Text(old), Text(new), Int(limit)]) => replace(own, old, new, *limit, work),
        ("split", [Text(own), Text(separator)]) => split(own, separator, -1, work),
        ("split", [Text(own), Text(separator), Int(limit)]) => split(own, separator, *limit, work),
        ("join", [List(list)]) => join(&list.items, "", work),
        ("join", [List(list), Text(separator)]) => join(&list.items, separator, work),
        ("format", [Text(own), List(list)]) => string_format::format(own, &list.items, work).and_then(text),
        ("strings.quote", [Text(own)]) => text(quoted(own)),
        ("jsonpatch.escapeKey", [Text(own)]) => text(own.replace('~', "~0").replace('/', "~1")),
        _ => return None,
    })
}

impl Value {
    /// The number of an int; 0 for other values.
    fn as_int(&self) -> i64 {
        if let Self::Int(number) = self { *number } else { 0 }
    }
}

fn out_of_range(index: i64) -> EvalError {
    EvalError::other(format!("index out of range: {index}"))
}

/// The characters from a start, to an end that is capped.
fn part(text: &str, start: i64, end: i64, may_be_end: bool) -> Evaluated {
    let length = Value::int(text.chars().count()).as_int();
    let end = if may_be_end { end.min(length.max(start)) } else { end.min(length) };
    if start < 0 || start > length || start > end {
        return Err(out_of_range(start));
    }
    let range = usize::try_from(start).ok().zip(usize::try_from(end).ok());
    let (start, end) = range.ok_or_else(|| out_of_range(start))?;
    let part: String = text.chars().skip(start).take(end - start).collect();
    Ok(Value::text(&part))
}

/// The position of a part in characters, from an offset on, or at most at it.
fn index_of(text: &str, part: &str, offset: i64, last: bool) -> Evaluated {
    let offset_in_range = usize::try_from(offset)
        .ok()
        .filter(|offset| text.chars().nth(offset.saturating_sub(1)).is_some() || *offset == 0);
    let Some(characters) = offset_in_range else { return Err(out_of_range(offset)) };
    let start = text.char_indices().nth(characters).map_or(text.len(), |(start, _)| start);
    let found = if last {
        let end = text.floor_char_boundary(start + part.len());
        text[..end].rfind(part)
    } else {
        text[start..].find(part).map(|found| start + found)
    };
    Ok(found.map_or(Value::Int(-1), |found| Value::int(text[..found].chars().count())))
}

/// A negative limit is none.
fn replace(text: &str, old: &str, new: &str, limit: i64, work: &Work) -> Evaluated {
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let count = text.matches(old).take(limit).count() as u64;
    let kept = text.len() as u64 - count * old.len() as u64;
    work.reserve(kept.saturating_add(count.saturating_mul(new.len() as u64)))?;
    Ok(Value::text(&text.replacen(old, new, limit)))
}

fn split(text: &str, separator: &str, limit: i64, work: &Work) -> Evaluated {
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let count =
        if separator.is_empty() { text.chars().count() } else { text.splitn(limit, separator).count() };
    work.reserve(count.min(limit) as u64 * ITEM + text.len() as u64)?;
    Ok(if separator.is_empty() {
        split_characters(text, limit)
    } else {
        Value::texts(text.splitn(limit, separator))
    })
}

/// Go splits by characters at an empty separator, without an empty first and last part.
fn split_characters(text: &str, limit: usize) -> Value {
    let Some(single) = limit.checked_sub(1) else { return Value::list(Vec::new()) };
    let rest = text.char_indices().nth(single).map_or(text.len(), |(start, _)| start);
    let mut parts: Vec<Value> =
        text[..rest].chars().map(|next| Value::text(next.encode_utf8(&mut [0; 4]))).collect();
    if rest < text.len() {
        parts.push(Value::text(&text[rest..]));
    }
    Value::list(parts)
}

fn join(items: &[Value], separator: &str, work: &Work) -> Evaluated {
    let texts: Option<Vec<&str>> = items
        .iter()
        .map(|item| match item {
            Value::Text(text) => Some(&**text),
            _ => None,
        })
        .collect();
    let texts = texts.ok_or(EvalError::NoSuchOverload)?;
    work.reserve(texts.iter().map(|text| (text.len() + separator.len()) as u64).sum())?;
    Ok(Value::text(&texts.join(separator)))
}

pub(super) fn quoted(text: &str) -> String {
    let mut quoted = String::from('"');
    for next in text.chars() {
        match next {
            '\u{7}' => quoted.push_str("\\a"),
            '\u{8}' => quoted.push_str("\\b"),
            '\u{c}' => quoted.push_str("\\f"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            '\u{b}' => quoted.push_str("\\v"),
            '\\' => quoted.push_str("\\\\"),
            '"' => quoted.push_str("\\\""),
            next => quoted.push(next),
        }
    }
    quoted.push('"');
    quoted
}

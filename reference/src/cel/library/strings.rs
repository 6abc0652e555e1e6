//! Functions of strings.

use std::sync::Arc;

use super::string_format;
use crate::cel::evaluator::{EvalError, Evaluated};
use crate::cel::value::Value;

pub(super) fn call(name: &str, args: &[Value]) -> Option<Evaluated> {
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
        ("replace", [Text(own), Text(old), Text(new)]) => text(own.replace(&**old, new)),
        ("replace", [Text(own), Text(old), Text(new), Int(limit)]) => match usize::try_from(*limit) {
            Ok(limit) => text(own.replacen(&**old, new, limit)),
            Err(_) => text(own.replace(&**old, new)),
        },
        ("split", [Text(own), Text(separator)]) => Ok(split(own, separator, -1)),
        ("split", [Text(own), Text(separator), Int(limit)]) => Ok(split(own, separator, *limit)),
        ("join", [List(list)]) => join(&list.items, ""),
        ("join", [List(list), Text(separator)]) => join(&list.items, separator),
        ("format", [Text(own), List(list)]) => string_format::format(own, &list.items).and_then(text),
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
    let (text, part): (Vec<char>, Vec<char>) = (text.chars().collect(), part.chars().collect());
    let Some(offset) = usize::try_from(offset).ok().filter(|offset| *offset <= text.len()) else {
        return Err(out_of_range(offset));
    };
    let found = |start: &usize| text[*start..].starts_with(&part);
    let starts = 0..(text.len() + 1).saturating_sub(part.len());
    let position = if last {
        starts.rev().filter(|start| *start <= offset).find(|start| found(start))
    } else {
        starts.skip(offset).find(|start| found(start))
    };
    Ok(position.map_or(Value::Int(-1), Value::int))
}

fn split(text: &str, separator: &str, limit: i64) -> Value {
    // Go splits by characters at an empty separator, without an empty first and last part.
    let parts = |limit: usize| -> Vec<String> {
        if separator.is_empty() {
            let characters: Vec<char> = text.chars().collect();
            let single = characters.len().min(limit.saturating_sub(1));
            let mut parts: Vec<String> = characters[..single].iter().map(char::to_string).collect();
            if single < characters.len() {
                parts.push(characters[single..].iter().collect());
            }
            return parts;
        }
        text.splitn(limit, separator).map(str::to_owned).collect()
    };
    match usize::try_from(limit) {
        Ok(0) => Value::list(Vec::new()),
        Ok(limit) => Value::texts(parts(limit)),
        Err(_) => Value::texts(parts(usize::MAX)),
    }
}

fn join(items: &[Value], separator: &str) -> Evaluated {
    let texts: Option<Vec<&str>> = items
        .iter()
        .map(|item| match item {
            Value::Text(text) => Some(&**text),
            _ => None,
        })
        .collect();
    texts.map(|texts| Value::text(&texts.join(separator))).ok_or(EvalError::NoSuchOverload)
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

//! Regular expressions.

use regex::Regex;

use crate::cel::evaluator::{EvalError, Evaluated};
use crate::cel::value::Value;
use crate::pattern;

pub(super) fn call(name: &str, args: &[Value]) -> Option<Evaluated> {
    if !matches!(name, "matches" | "find" | "findAll") {
        return None;
    }
    let [Value::Text(text), Value::Text(pattern), rest @ ..] = args else { return None };
    let Some(regex) = pattern::regex(pattern) else {
        return Some(Err(EvalError::other(format!("error parsing regexp: `{pattern}`"))));
    };
    Some(Ok(match (name, rest) {
        ("matches", []) => Value::Bool(regex.is_match(text)),
        ("find", []) => Value::text(regex.find(text).map_or("", |found| found.as_str())),
        ("findAll", []) => found(&regex, text, usize::MAX),
        ("findAll", [Value::Int(limit)]) => {
            found(&regex, text, usize::try_from(*limit).unwrap_or(usize::MAX))
        }
        _ => return None,
    }))
}

fn found(regex: &Regex, text: &str, limit: usize) -> Value {
    Value::texts(regex.find_iter(text).take(limit).map(|found| found.as_str()))
}

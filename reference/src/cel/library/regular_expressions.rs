//! Regular expressions.

use regex::Regex;

use crate::cel::evaluator::{EvalError, Evaluated};
use crate::cel::value::Value;
use crate::cel::work::{ITEM, Work};
use crate::pattern;

pub(super) fn call(name: &str, args: &[Value], work: &Work) -> Option<Evaluated> {
    if !matches!(name, "matches" | "find" | "findAll") {
        return None;
    }
    let [Value::Text(text), Value::Text(pattern), rest @ ..] = args else { return None };
    let Some(regex) = pattern::regex(pattern) else {
        return Some(Err(EvalError::other(format!("error parsing regexp: `{pattern}`"))));
    };
    Some(match (name, rest) {
        ("matches", []) => Ok(Value::Bool(regex.is_match(text))),
        ("find", []) => Ok(Value::text(regex.find(text).map_or("", |found| found.as_str()))),
        ("findAll", []) => found(&regex, text, usize::MAX, work),
        ("findAll", [Value::Int(limit)]) => {
            found(&regex, text, usize::try_from(*limit).unwrap_or(usize::MAX), work)
        }
        _ => return None,
    })
}

fn found(regex: &Regex, text: &str, limit: usize, work: &Work) -> Evaluated {
    let mut all = Vec::new();
    for found in regex.find_iter(text).take(limit) {
        all.push(Value::text(found.as_str()));
        work.reserve(all.len() as u64 * ITEM)?;
    }
    Ok(Value::list(all))
}

//! Faults of strings and regular expressions.

use crate::cel::deviation::{Check::*, Deviation::*};
use crate::fault::expressions;
use crate::faults::cel::{Evaluated, Fault, REFUSED, Value, call, failed, is_text, list, text};

fn changed(right: Evaluated, change: fn(&str) -> String) -> Evaluated {
    Ok(Value::text(&change(text(&right?))))
}

#[rustfmt::skip]
pub(in crate::faults) const FAULTS: &[Fault] = &[
    expressions("cel-libraries-row-strings", "there is no charAt", &[Lacks("charAt")]),
    expressions("cel-libraries-strings-charat", "charAt counts bytes", &[Returns("charAt", |args, right| match &args[1] {
        Value::Int(index) => {
            let byte = usize::try_from(*index).ok().and_then(|index| text(&args[0]).as_bytes().get(index));
            byte.map_or(right, |byte| Ok(Value::text(&String::from_utf8_lossy(&[*byte]))))
        }
        _ => right,
    })]),
    expressions("cel-libraries-strings-indexof", "indexOf counts from its offset", &[Returns("indexOf", |args, right| match (args.get(2), right?) {
        (Some(Value::Int(offset)), Value::Int(found)) if found >= 0 => Ok(Value::Int(found - offset)),
        (_, found) => Ok(found),
    })]),
    expressions("cel-libraries-strings-lastindexof", "lastIndexOf is indexOf", &[Calls("lastIndexOf", "indexOf")]),
    expressions("cel-libraries-strings-lowerascii", "lowerAscii changes all letters", &[Returns("lowerAscii", |args, _| Ok(Value::text(&text(&args[0]).to_lowercase())))]),
    expressions("cel-libraries-strings-upperascii", "upperAscii changes all letters", &[Returns("upperAscii", |args, _| Ok(Value::text(&text(&args[0]).to_uppercase())))]),
    expressions("cel-libraries-strings-replace", "replace changes only the first occurrence", &[Returns("replace", |args, _| Ok(Value::text(&text(&args[0]).replacen(text(&args[1]), text(&args[2]), 1))))]),
    expressions("cel-libraries-strings-split", "split drops empty parts", &[Returns("split", |_, right| right.map(|parts| Value::list(list(&parts).iter().filter(|part| !part.is_zero()).cloned().collect())))]),
    expressions("cel-libraries-strings-join", "join adds a separator at the end", &[Returns("join", |args, right| crate::cel::operators::plus(&right?, args.get(1).unwrap_or(&Value::text(""))))]),
    expressions("cel-libraries-strings-substring", "indexes beyond the string are its end", &[Returns("substring", |_, right| right.or(Ok(Value::text(""))))]),
    expressions("cel-libraries-strings-trim", "trim removes only spaces", &[Returns("trim", |args, _| Ok(Value::text(text(&args[0]).trim_matches(' '))))]),
    expressions("cel-libraries-strings-format", "there is no format", &[Lacks("format")]),
    expressions("cel-libraries-strings-quote", "there is no strings.quote", &[Lacks("quote")]),
    expressions("cel-libraries-strings-reverse-absent", "strings have reverse", &[Declares("string..reverse() string")]),
    expressions("cel-libraries-row-regex", "there is no find", &[Lacks("find")]),
    expressions("cel-libraries-regex-find", "find returns the whole string", &[Returns("find", |args, right| match right? { found if found.is_zero() => Ok(found), _ => Ok(args[0].clone()) })]),
    expressions("cel-libraries-regex-find-no-match", "find without a match is an error", &[Returns("find", |_, right| match right? { found if found.is_zero() => failed(), found => Ok(found) })]),
    expressions("cel-libraries-regex-findall", "findAll reverses the order", &[Returns("findAll", |_, right| right.map(|found| Value::list(list(&found).iter().rev().cloned().collect())))]),
    expressions("cel-libraries-regex-findall-limit", "findAll has no limit", &[Returns("findAll", |args, _| call("findAll", &args[..2]))]),
    expressions("cel-libraries-regex-example-find", "find returns one character", &[Returns("find", |_, right| changed(right, |found| found.chars().take(1).collect()))]),
    expressions("cel-libraries-regex-example-find-star", "find skips empty matches", &[Returns("find", |args, right| {
        let all = call("findAll", &args[..2])?;
        list(&all).iter().find(|found| !found.is_zero()).cloned().map_or(right, Ok)
    })]),
    expressions("cel-libraries-regex-example-findall", "int does not take a string", &[Returns("int", |args, right| if is_text(&args[0]) { REFUSED } else { right })]),
    expressions("cel-libraries-regex-example-findall-star", "findAll skips empty matches", &[Returns("findAll", |_, right| right.map(|found| Value::list(list(&found).iter().filter(|found| !found.is_zero()).cloned().collect())))]),
    expressions("cel-libraries-regex-bad-pattern", "literals are not checked", &[Skips(Literals)]),
];

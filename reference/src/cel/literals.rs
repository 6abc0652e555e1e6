//! Literals that are no valid arguments: they are refused before any evaluation.

use crate::pattern::translate;

use super::ast::{Expr, Kind};
use super::issue::Issue;
use super::library::time::{duration, timestamp};
use super::value::Value;

/// The invalid literals of durations, timestamps and patterns.
pub(super) fn issues(expr: &mut Expr) -> Vec<Issue> {
    let mut found = Vec::new();
    collect(expr, &mut found);
    found
}

fn collect(expr: &mut Expr, found: &mut Vec<Issue>) {
    if let Kind::Call(call) = &expr.kind {
        let is_valid: Option<fn(&str) -> bool> = match (call.function.as_str(), call.target.is_some()) {
            ("duration", false) => Some(|text| duration(text).is_some()),
            ("timestamp", false) => Some(|text| timestamp(text).is_some()),
            ("matches" | "find" | "findAll", true) => Some(|text| translate(text).is_ok()),
            _ => None,
        };
        let first = call.args.first();
        if let (Some(is_valid), Some(Expr { at, kind: Kind::Literal(Value::Text(text)), .. })) =
            (is_valid, first)
            && !is_valid(text)
        {
            found.push(Issue::new(*at, format!("invalid {} argument", call.function)));
        }
    }
    expr.for_each_child(&mut |child| collect(child, found));
}

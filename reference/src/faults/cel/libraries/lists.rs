//! Faults of lists.

use crate::cel::deviation::Deviation::{self, *};
use crate::fault::expressions;
use crate::faults::cel::{Fault, REFUSED, Value, bool, call, list};

/// The text of a duration in its largest unit.
fn duration_text(value: &Value) -> String {
    match value {
        Value::Duration(duration) if duration.as_secs() % 60 == 0 => format!("{}m", duration.as_mins()),
        Value::Duration(duration) => format!("{}s", duration.as_secs()),
        _ => String::new(),
    }
}

const ONE_BASED: Deviation =
    Returns("indexOf", |_, right| crate::cel::operators::plus(&right?, &Value::Int(1)));

#[rustfmt::skip]
pub(in crate::faults) const FAULTS: &[Fault] = &[
    expressions("cel-libraries-row-list", "there is no isSorted", &[Lacks("isSorted")]),
    expressions("cel-libraries-list-issorted", "equal neighbours are not sorted", &[Returns("isSorted", |args, _| {
        bool(list(&args[0]).is_sorted_by(|left, right| left.compare(right).is_some_and(std::cmp::Ordering::is_lt)))
    })]),
    expressions("cel-libraries-list-issorted-types", "durations are sorted by their text", &[Returns("isSorted", |args, right| match list(&args[0]) {
        durations @ [Value::Duration(_), ..] => bool(durations.iter().map(duration_text).is_sorted()),
        _ => right,
    })]),
    expressions("cel-libraries-list-sum-int", "sums wrap around", &[Returns("sum", |args, right| match list(&args[0]) {
        numbers @ [Value::Int(_), ..] => Ok(Value::Int(numbers.iter().fold(0, |sum: i64, number| match number {
            Value::Int(number) => sum.wrapping_add(*number),
            _ => sum,
        }))),
        _ => right,
    })]),
    expressions("cel-libraries-list-sum-double", "doubles have no sum", &[Returns("sum", |args, right| if matches!(list(&args[0]), [Value::Double(_), ..]) { REFUSED } else { right })]),
    expressions("cel-libraries-list-sum-duration", "durations have no sum", &[Returns("sum", |args, right| if matches!(list(&args[0]), [Value::Duration(_), ..]) { REFUSED } else { right })]),
    expressions("cel-libraries-list-min-max", "max is the last element", &[Returns("max", |args, right| list(&args[0]).last().cloned().map_or(right, Ok))]),
    expressions("cel-libraries-list-min-max-types", "strings have no min", &[Returns("min", |args, right| if matches!(list(&args[0]), [Value::Text(_), ..]) { REFUSED } else { right })]),
    expressions("cel-libraries-list-min-max-empty", "min of an empty list is 0", &[Returns("min", |_, right| right.or(Ok(Value::Int(0))))]),
    expressions("cel-libraries-list-indexof", "lastIndexOf counts from the end", &[Returns("lastIndexOf", |args, right| match right? {
        Value::Int(found) if found >= 0 => Ok(Value::int(list(&args[0]).iter().rev().position(|item| item.equals(&args[1])).unwrap_or_default())),
        found => Ok(found),
    })]),
    expressions("cel-libraries-list-example-sorted-names", "strings are never sorted", &[Returns("isSorted", |args, right| if matches!(list(&args[0]), [Value::Text(_), ..]) { REFUSED } else { right })]),
    expressions("cel-libraries-list-example-weights-sum", "doubles have no sum", &[Returns("sum", |args, right| if matches!(list(&args[0]), [Value::Double(_), ..]) { REFUSED } else { right })]),
    expressions("cel-libraries-list-example-priorities", "max of an empty list is the least integer", &[Returns("max", |_, right| right.or(Ok(Value::Int(i64::MIN))))]),
    expressions("cel-libraries-list-example-first-name", "indexOf begins at 1", &[ONE_BASED]),
    expressions("cel-libraries-list-example-first-name-as-printed", "indexOf begins at 1", &[ONE_BASED]),
    expressions("cel-libraries-list-sort", "sort orders from the greatest on", &[Returns("sort", |_, right| right.map(|sorted| Value::list(list(&sorted).iter().rev().cloned().collect())))]),
    expressions("cel-libraries-list-distinct-flatten-reverse-slice-range", "the end of slice is inclusive", &[Returns("slice", |args, right| match &args[2] {
        Value::Int(end) => call("slice", &[args[0].clone(), args[1].clone(), Value::Int(end + 1)]).or(right),
        _ => right,
    })]),
];

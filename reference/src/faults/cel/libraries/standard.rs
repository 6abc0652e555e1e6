//! Faults of macros, standard definitions, and the set of libraries.

use crate::cel::deviation::{Check::*, Deviation::*};
use crate::cel::format_duration;
use crate::fault::{Edit::Set, When::Path, expressions, on};
use crate::faults::cel::{Evaluated, Fault, REFUSED, Value, atomic, bool, call, is_text, list, text};

/// Numbers are rounded down instead of toward zero.
fn floor(args: &[Value], right: Evaluated) -> Evaluated {
    match args {
        [Value::Int(left), Value::Int(divisor)] if *divisor > 0 => Ok(Value::Int(left.div_euclid(*divisor))),
        _ => right,
    }
}

fn element_wise(args: &[Value], right: Evaluated) -> Evaluated {
    match args {
        [Value::List(left), Value::List(other)] => {
            let sums = left
                .items
                .iter()
                .zip(&other.items)
                .map(|(left, right)| crate::cel::operators::plus(left, right));
            sums.collect::<Result<Vec<_>, _>>().map(Value::list)
        }
        _ => right,
    }
}

fn lower(args: &[Value]) -> std::cmp::Ordering {
    text(&args[0]).to_lowercase().cmp(&text(&args[1]).to_lowercase())
}

#[rustfmt::skip]
pub(in crate::faults) const FAULTS: &[Fault] = &[
    expressions("cel-libraries-macro-has", "has() of a zero is false", &[Returns("has", |args, right| {
        let is_zero = crate::cel::operators::field(&args[0], text(&args[1])).is_ok_and(|value| value.is_zero());
        if is_zero { bool(false) } else { right }
    })]),
    expressions("cel-libraries-macro-has-nested", "has() is false without the object before the field", &[Skips(NestedHas)]),
    expressions("cel-libraries-macro-all", "all over an empty list is false", &[Returns("all", |args, right| if list(&args[0]).is_empty() { bool(false) } else { right })]),
    expressions("cel-libraries-macro-exists", "exists is all", &[Calls("exists", "all")]),
    expressions("cel-libraries-macro-exists-one", "exists_one is exists", &[Calls("exists_one", "exists")]),
    expressions("cel-libraries-macro-map", "map reverses the order", &[Returns("map", |_, right| right.map(|result| Value::list(list(&result).iter().rev().cloned().collect())))]),
    expressions("cel-libraries-macro-filter", "filter keeps every element", &[Returns("filter", |args, _| Ok(args[0].clone()))]),
    expressions("cel-libraries-std-size", "size counts bytes", &[Returns("size", |args, right| if is_text(&args[0]) { Ok(Value::int(text(&args[0]).len())) } else { right })]),
    expressions("cel-libraries-std-contains-endswith", "endsWith is contains", &[Calls("endsWith", "contains")]),
    expressions("cel-libraries-std-matches-unanchored", "matches needs the whole string", &[Returns("matches", |args, right| match regex::Regex::new(&format!("^(?:{})$", text(&args[1]))) {
        Ok(whole) => bool(whole.is_match(text(&args[0]))),
        Err(_) => right,
    })]),
    expressions("cel-libraries-std-matches-bad-regex", "literals are not checked", &[Skips(Literals)]),
    expressions("cel-libraries-std-duration", "durations can have days", &[Skips(Literals), Returns("duration", |args, right| {
        right.or_else(|error| format_duration(text(&args[0])).map(Value::Duration).ok_or(error))
    })]),
    expressions("cel-libraries-std-timestamp", "timestamps ignore their offset", &[Returns("timestamp", |args, right| match text(&args[0]).get(..19) {
        Some(time) => call("timestamp", &[Value::text(&format!("{time}Z"))]),
        None => right,
    })]),
    expressions("cel-libraries-std-timestamp-accessors", "getMonth begins at 1", &[Returns("getMonth", |_, right| crate::cel::operators::plus(&right?, &Value::Int(1)))]),
    expressions("cel-libraries-std-conversions", "int rounds a double", &[Returns("int", |args, right| match &args[0] {
        Value::Double(number) => call("int", &[Value::Double(number.round())]),
        _ => right,
    })]),
    expressions("cel-libraries-std-arithmetic", "division rounds down", &[Returns("_/_", floor)]),
    expressions("cel-libraries-std-no-implicit-conversion", "an int and a double have a sum", &[Declares("_+_(int; double) double")]),
    expressions("cel-libraries-std-string-concat", "+ adds the elements of lists", &[Returns("_+_", element_wise)]),
    expressions("cel-libraries-std-in-list", "in does not work with lists", &[Returns("@in", |args, right| if matches!(args[1], Value::List(_)) { REFUSED } else { right })]),
    expressions("cel-libraries-std-conditional", "both branches of a condition are evaluated", &[Skips(OnlyChosenBranch)]),
    expressions("cel-libraries-std-type", "a whole double is an int", &[Returns("type", |args, right| match &args[0] {
        Value::Double(number) if number.fract() == 0.0 => Ok(Value::Type("int".into())),
        _ => right,
    })]),
    expressions("cel-libraries-std-strings-compare", "< ignores case", &[Returns("_<_", |args, right| if is_text(&args[0]) { bool(lower(args).is_lt()) } else { right })]),
    expressions("cel-libraries-row-standard-functions", "there is no getDayOfYear and no endsWith", &[Lacks("getDayOfYear"), Lacks("endsWith")]),
    expressions("cel-libraries-homogeneous-aggregate-literals", "literals can be mixed", &[Skips(Homogeneous)]),
    expressions("cel-libraries-default-utc", "accessors use the zone of the server", &[Returns("getHours", |args, right| match right? {
        Value::Int(hours) if args.len() == 1 => Ok(Value::Int((hours + 1) % 24)),
        hours => Ok(hours),
    })]),
    expressions("cel-libraries-quantity-since", "there are no quantities", &[Lacks("quantity")]),
    expressions("cel-libraries-row-optional", "there is no optional syntax", &[Reads(|text| text.replace(".?", ".#"))]),
    expressions("cel-libraries-optional-types", "orValue ignores the value", &[Returns("orValue", |args, right| if matches!(args[0], Value::Optional(Some(_))) { Ok(Value::Int(99)) } else { right })]),
    expressions("cel-libraries-optional-none-some", "ofNonZeroValue has never a value", &[Returns("optional.ofNonZeroValue", |_, _| Ok(Value::Optional(None)))]),
    expressions("cel-libraries-optional-value-error", "the value of an empty optional is 1", &[Returns("value", |_, right| right.or(Ok(Value::Int(1))))]),
    expressions("cel-libraries-row-cross-type", "numbers of different types have no order", &[Skips(CrossTypes)]),
    expressions("cel-libraries-cross-type-comparison", "a double is truncated before it is compared", &[Returns("_<_", |args, right| match &args[1] {
        Value::Double(number) => bool(args[0].compare(&Value::Double(number.trunc())).is_some_and(std::cmp::Ordering::is_lt)),
        _ => right,
    })]),
    expressions("cel-libraries-cross-type-equality-refused", "an int and a double are comparable with ==", &[Declares("_==_(int; double) bool")]),
    expressions("cel-libraries-rollback-new-writes", "rules can use functions of later versions", &[Declares("list(A)..includes(A) bool")]),
    expressions("cel-libraries-unlisted-extensions-refused", "rules can use math and base64", &[Declares("math.greatest(int; int) int"), Declares("base64.encode(bytes) string")]),
    expressions("cel-libraries-available-everywhere", "there is no isSorted", &[Lacks("isSorted")]),
    expressions("cel-libraries-sets-contains", "sets.contains counts duplicates", &[Returns("sets.contains", |args, right| if list(&args[1]).len() > list(&args[0]).len() { bool(false) } else { right })]),
    expressions("cel-libraries-sets-equivalent", "sets.equivalent compares in order", &[Returns("sets.equivalent", |args, _| bool(atomic(&args[0]).equals(&args[1])))]),
    expressions("cel-libraries-sets-intersects", "two empty sets intersect", &[Returns("sets.intersects", |args, right| if list(&args[0]).is_empty() { bool(true) } else { right })]),
    expressions("cel-libraries-two-var-all-exists", "the variables of a map are index and key", &[Skips(MapEntries)]),
    expressions("cel-libraries-two-var-transformlist", "there is no transformList", &[Lacks("transformList")]),
    expressions("cel-libraries-two-var-transformmap", "there is no transformMap", &[Lacks("transformMap")]),
    expressions("cel-libraries-jsonpatch-mutating-only", "rules can escape keys of JSON patches", &[Declares("jsonpatch.escapeKey(string) string")]),
    on("cel-libraries-list-includes", "a server of 1.38 has no includes", &[Path("/version")], &[Set("/minor", "\"38\""), Set("/emulationMinor", "\"38\""), Set("/minCompatibilityMinor", "\"38\""), Set("/gitVersion", "\"v1.38.0\"")]),
];

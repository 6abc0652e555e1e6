//! Lists and maps, with the list library.

use std::cmp::Ordering;

use super::signature::{Signature, function, index, infix, method, or_error};
use super::types::Type::{self, Bool, Counts, Int, Ints, Text, Texts};
use super::value::{Evaluated, NoValue, Value};

pub(super) fn signatures() -> Vec<Signature> {
    let maps = [
        function("size", &[Counts], Int, size),
        infix("in", &[Text, Counts], Bool, contained),
        index("[]", &[Counts, Text], Int, item),
        method("sum", &[Ints], Int, |args| items(args, sum)),
    ];
    [(Int, Ints), (Text, Texts)].into_iter().flat_map(|(item, list)| lists(item, list)).chain(maps).collect()
}

fn lists(one: Type, list: Type) -> [Signature; 9] {
    [
        infix("+", &[list, list], list, |args| match args {
            [Value::List(left), Value::List(right)] => Ok(Value::List([left.as_slice(), right].concat())),
            _ => Err(NoValue::Open),
        }),
        function("size", &[list], Int, size),
        infix("in", &[one, list], Bool, contained),
        index("[]", &[list, Int], one, item),
        method("isSorted", &[list], Bool, |args| {
            items(args, |items| {
                let sorted = items.windows(2).all(|pair| pair[0].order(&pair[1]).is_ok_and(Ordering::is_le));
                Ok(Value::Bool(sorted))
            })
        }),
        method("min", &[list], one, |args| items(args, |items| extreme(items, Ordering::is_lt))),
        method("max", &[list], one, |args| items(args, |items| extreme(items, Ordering::is_gt))),
        method("indexOf", &[list, one], Int, |args| {
            position(args, |items, one| items.iter().position(|item| item == one))
        }),
        method("lastIndexOf", &[list, one], Int, |args| {
            position(args, |items, one| items.iter().rposition(|item| item == one))
        }),
    ]
}

fn items(args: &[Value], function: fn(&[Value]) -> Evaluated) -> Evaluated {
    let [Value::List(items)] = args else { return Err(NoValue::Open) };
    function(items)
}

fn size(args: &[Value]) -> Evaluated {
    match args {
        [Value::List(items)] => Ok(Value::count(items.len())),
        [Value::Map(entries)] => Ok(Value::count(entries.len())),
        _ => Err(NoValue::Open),
    }
}

fn contained(args: &[Value]) -> Evaluated {
    match args {
        [item, Value::List(items)] => Ok(Value::Bool(items.contains(item))),
        [Value::Text(key), Value::Map(entries)] => Ok(Value::Bool(entries.contains_key(key))),
        _ => Err(NoValue::Open),
    }
}

fn item(args: &[Value]) -> Evaluated {
    let found = match args {
        [Value::List(items), Value::Int(index)] => usize::try_from(*index).ok().and_then(|at| items.get(at)),
        [Value::Map(entries), Value::Text(key)] => entries.get(key),
        _ => return Err(NoValue::Open),
    };
    or_error(found.cloned(), |value| value)
}

fn sum(items: &[Value]) -> Evaluated {
    let numbers = items.iter().map(|item| if let Value::Int(number) = item { *number } else { 0 });
    or_error(numbers.into_iter().try_fold(0_i64, i64::checked_add), Value::Int)
}

/// The first of the items that precede all others, in this sense.
fn extreme(items: &[Value], precedes: fn(Ordering) -> bool) -> Evaluated {
    let mut found = items.first().ok_or(NoValue::Error)?;
    for item in items {
        if precedes(item.order(found)?) {
            found = item;
        }
    }
    Ok(found.clone())
}

fn position(args: &[Value], find: fn(&[Value], &Value) -> Option<usize>) -> Evaluated {
    let [Value::List(items), item] = args else { return Err(NoValue::Open) };
    Ok(find(items, item).map_or(Value::Int(-1), Value::count))
}

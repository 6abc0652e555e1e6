//! Lists as sets.

use crate::cel::evaluator::Evaluated;
use crate::cel::value::{List, Value};

pub(super) fn call(name: &str, args: &[Value]) -> Option<Evaluated> {
    let [Value::List(left), Value::List(right)] = args else { return None };
    Some(Ok(Value::Bool(match name {
        "sets.contains" => contains(left, right),
        "sets.equivalent" => contains(left, right) && contains(right, left),
        "sets.intersects" => left.items.iter().any(|item| right.contains(item)),
        _ => return None,
    })))
}

fn contains(all: &List, some: &List) -> bool {
    some.items.iter().all(|item| all.contains(item))
}

//! Lists as sets.

use crate::cel::evaluator::{EvalError, Evaluated};
use crate::cel::value::{List, Members, Value};
use crate::cel::work::{Work, all, position};

pub(super) fn call(name: &str, args: &[Value], work: &Work) -> Option<Evaluated> {
    let [Value::List(left), Value::List(right)] = args else { return None };
    let holds = match name {
        "sets.contains" => contains(left, right, work),
        "sets.equivalent" => {
            contains(left, right, work).and_then(|holds| Ok(holds && contains(right, left, work)?))
        }
        "sets.intersects" => intersects(left, right, work),
        _ => return None,
    };
    Some(holds.map(Value::Bool))
}

fn contains(set: &List, some: &List, work: &Work) -> Result<bool, EvalError> {
    let members = Members::of(set);
    all(&some.items, |item| members.has(item, work))
}

fn intersects(left: &List, right: &List, work: &Work) -> Result<bool, EvalError> {
    let members = Members::of(right);
    Ok(position(&left.items, |item| members.has(item, work))?.is_some())
}

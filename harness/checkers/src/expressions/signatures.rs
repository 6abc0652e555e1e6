//! The table of all operators and functions.

use std::sync::LazyLock;

use super::signature::{Signature, infix};
use super::types::Type;
use super::value::Value;
use super::{collections, numbers, texts, times};

/// All signatures.
pub(super) fn signatures() -> &'static [Signature] {
    static SIGNATURES: LazyLock<Vec<Signature>> = LazyLock::new(|| {
        let tables =
            [numbers::signatures(), texts::signatures(), times::signatures(), collections::signatures()];
        let comparisons = Type::ALL.into_iter().flat_map(comparisons);
        tables.into_iter().flatten().chain(comparisons).collect()
    });
    &SIGNATURES
}

fn comparisons(ty: Type) -> Vec<Signature> {
    let pair = &[ty, ty];
    let mut found = vec![
        infix("==", pair, Type::Bool, |args| args[0].equals(&args[1])),
        infix("!=", pair, Type::Bool, |args| Ok(Value::Bool(args[0].equals(&args[1])? != Value::Bool(true)))),
    ];
    if ty.is_ordered() {
        found.extend([
            infix("<", pair, Type::Bool, |args| Ok(Value::Bool(args[0].order(&args[1])?.is_lt()))),
            infix("<=", pair, Type::Bool, |args| Ok(Value::Bool(args[0].order(&args[1])?.is_le()))),
            infix(">", pair, Type::Bool, |args| Ok(Value::Bool(args[0].order(&args[1])?.is_gt()))),
            infix(">=", pair, Type::Bool, |args| Ok(Value::Bool(args[0].order(&args[1])?.is_ge()))),
        ]);
    }
    found
}

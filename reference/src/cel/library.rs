//! The functions of expressions, by library.

pub(crate) mod authorizer;
pub(super) mod conversions;
mod format;
mod lists;
pub(super) mod network;
pub(super) mod quantity;
mod regular_expressions;
pub(super) mod semver;
mod sets;
mod string_format;
mod strings;
pub(super) mod time;
pub(super) mod url;

use super::evaluator::{EvalError, Evaluated};
use super::value::Value;
use super::work::Work;

/// One library: `None` for a function of another one.
type Library = fn(&str, &[Value]) -> Option<Evaluated>;

/// One whose values can be much larger than its arguments, or take long.
type LimitedLibrary = fn(&str, &[Value], &Work) -> Option<Evaluated>;

/// Calls a function or method; the receiver is the first argument.
pub(crate) fn call(name: &str, args: &[Value], work: &Work) -> Evaluated {
    const LIMITED: [LimitedLibrary; 5] =
        [strings::call, lists::call, sets::call, regular_expressions::call, url::call];
    const LIBRARIES: [Library; 6] =
        [conversions::call, time::call, quantity::call, network::call, format::call, semver::call];
    let limited = || LIMITED.iter().find_map(|library| library(name, args, work));
    LIBRARIES
        .iter()
        .find_map(|library| library(name, args))
        .or_else(limited)
        .unwrap_or_else(|| authorizer::call(name, args).unwrap_or(Err(EvalError::NoSuchOverload)))
}

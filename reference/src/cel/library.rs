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

/// One library: `None` for a function of another one.
type Library = fn(&str, &[Value]) -> Option<Evaluated>;

/// Calls a function or method; the receiver is the first argument.
pub(crate) fn call(name: &str, args: &[Value]) -> Evaluated {
    const LIBRARIES: [Library; 11] = [
        conversions::call,
        strings::call,
        lists::call,
        sets::call,
        regular_expressions::call,
        time::call,
        url::call,
        quantity::call,
        network::call,
        format::call,
        semver::call,
    ];
    LIBRARIES
        .iter()
        .find_map(|library| library(name, args))
        .unwrap_or_else(|| authorizer::call(name, args).unwrap_or(Err(EvalError::NoSuchOverload)))
}

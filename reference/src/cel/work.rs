//! The work of evaluations: what their cost leaves out.
//!
//! Costs are those of kube-apiserver. It charges a comparison of lists for their lengths alone, and a text when it is
//! there: a short expression can compare nested lists for ever, or fill the memory. So the work has a limit of its own,
//! which only such expressions reach. They end with the error of the cost limit.

use std::cell::Cell;
use std::sync::Arc;

use super::evaluator::EvalError;
use super::value::Value;

/// The work that all expressions of one policy, or about one object, may do, in bytes: it costs 0.1 to pass a byte, and
/// all rules of an object may cost 10,000,000.
const LIMIT: u64 = 100_000_000;
/// An item of a list, or the key or the value of a map entry.
pub(super) const ITEM: u64 = 32;
/// A value that is compared or visited.
const VISIT: u64 = 8;
/// The bytes that are read in the time in which one is made.
const READ: u64 = 64;

/// The work that is left.
#[derive(Debug)]
pub(crate) struct Work(Cell<u64>);

impl Default for Work {
    fn default() -> Self {
        Self(Cell::new(LIMIT))
    }
}

impl Work {
    pub(super) fn spend(&self, units: u64) -> Result<(), EvalError> {
        let left = self.0.get().checked_sub(units);
        self.0.set(left.unwrap_or_default());
        left.map(|_| ()).ok_or(EvalError::CostExceeded)
    }

    /// Refuses what is too large to be made. It is paid for when it is there.
    pub(super) fn reserve(&self, units: u64) -> Result<(), EvalError> {
        if units > self.0.get() { Err(EvalError::CostExceeded) } else { Ok(()) }
    }

    /// Pays for the bytes of a text.
    pub(super) fn read(&self, value: &Value) -> Result<(), EvalError> {
        let bytes = match value {
            Value::Text(text) => text.len() as u64,
            Value::Bytes(bytes) => bytes.len() as u64,
            _ => 0,
        };
        self.spend(bytes / READ)
    }

    /// Pays for the visit of a value, without its items.
    pub(super) fn visit(&self, value: &Value) -> Result<(), EvalError> {
        self.spend(VISIT)?;
        self.read(value)
    }

    /// Pays for the result of a call.
    pub(super) fn made(&self, value: &Value) -> Result<(), EvalError> {
        self.spend(new_bytes(value))
    }
}

/// The approximate memory of a value that nothing else refers to: parts of older values take none.
fn new_bytes(value: &Value) -> u64 {
    match value {
        Value::Text(text) if Arc::strong_count(text) == 1 => text.len() as u64,
        Value::Bytes(bytes) if Arc::strong_count(bytes) == 1 => bytes.len() as u64,
        Value::List(list) if Arc::strong_count(list) == 1 => {
            list.items.iter().map(|item| ITEM + new_bytes(item)).sum()
        }
        Value::Map(map) if Arc::strong_count(map) == 1 => {
            map.iter().map(|(key, value)| 2 * ITEM + new_bytes(&key.0) + new_bytes(value)).sum()
        }
        Value::Optional(Some(value)) if Arc::strong_count(value) == 1 => ITEM + new_bytes(value),
        Value::Url(url) if Arc::strong_count(url) == 1 => url.len() as u64,
        Value::Authorizer(authorizer) if Arc::strong_count(authorizer) == 1 => authorizer.len() as u64,
        _ => 0,
    }
}

/// Whether something holds for all values; an error ends the loop.
pub(super) fn all<T>(
    values: impl IntoIterator<Item = T>,
    mut holds: impl FnMut(T) -> Result<bool, EvalError>,
) -> Result<bool, EvalError> {
    for value in values {
        if !holds(value)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The position of the first value for which something holds.
pub(super) fn position<T>(
    values: impl IntoIterator<Item = T>,
    mut holds: impl FnMut(T) -> Result<bool, EvalError>,
) -> Result<Option<usize>, EvalError> {
    for (index, value) in values.into_iter().enumerate() {
        if holds(value)? {
            return Ok(Some(index));
        }
    }
    Ok(None)
}

//! Retained states and changes. Old ones are packed: JSON as text takes an eighth of the memory of its values.

use std::sync::{Arc, Mutex, PoisonError, Weak};

use serde_json::Value;

use super::collection::{Change, Object};
use super::shared_line::SharedLine;

/// A retained state of an object.
#[derive(Debug, Clone)]
pub(super) enum State {
    /// As values.
    Parsed(Object),
    /// As text.
    Packed(Arc<[u8]>),
}

impl State {
    /// The object.
    pub(super) fn object(&self) -> Object {
        match self {
            Self::Parsed(object) => object.clone(),
            // It was written by `pack`.
            Self::Packed(json) => Arc::new(serde_json::from_slice(json).unwrap_or_default()),
        }
    }

    /// Whether it is this object, and not an equal one.
    pub(super) fn is(&self, object: &Object) -> bool {
        matches!(self, Self::Parsed(parsed) if Arc::ptr_eq(parsed, object))
    }

    /// The same state as text. A number with a fraction would change its last digit: such a state stays as it is.
    pub(super) fn packed(&self) -> Self {
        match self {
            Self::Parsed(object) if !has_fraction(object) => {
                Self::Packed(object.to_string().into_bytes().into())
            }
            other => other.clone(),
        }
    }
}

/// The approximate bytes that a value takes.
pub(super) fn bytes_of(value: &Value) -> usize {
    let below: usize = match value {
        Value::String(text) => text.len(),
        Value::Array(items) => items.iter().map(bytes_of).sum(),
        Value::Object(fields) => {
            fields.iter().map(|(name, value)| ENTRY + name.len() + bytes_of(value)).sum()
        }
        _ => 0,
    };
    size_of::<Value>() + below
}

/// What an entry takes beside its name and its value: the capacity of the name, its hash and its place in an index.
const ENTRY: usize = 48;

fn has_fraction(value: &Value) -> bool {
    match value {
        Value::Number(number) => number.is_f64(),
        Value::Array(items) => items.iter().any(has_fraction),
        Value::Object(fields) => fields.values().any(has_fraction),
        _ => false,
    }
}

/// A retained change.
#[derive(Debug)]
pub(super) struct RetainedChange {
    pub(super) revision: u64,
    pub(super) key: String,
    pub(super) before: Option<State>,
    pub(super) after: State,
    pub(super) removed: bool,
    /// The approximate bytes of the state after the change.
    pub(super) bytes: usize,
    line: Arc<SharedLine>,
    /// The change as long as a watch has it: many watches that do not read need it once.
    shared: Mutex<Weak<Change>>,
}

impl RetainedChange {
    pub(super) fn new(change: Change) -> Self {
        let Change { revision, key, before, after, removed, line } = change;
        let bytes = bytes_of(&after);
        let before = before.map(State::Parsed);
        let (after, shared) = (State::Parsed(after), Mutex::default());
        Self { revision, key, before, after, removed, bytes, line, shared }
    }

    /// Replaces the state after the change by the same one as text. The bytes that this frees.
    pub(super) fn pack(&mut self, packed: State) -> usize {
        let freed = match &packed {
            State::Packed(json) => self.bytes.saturating_sub(json.len()),
            State::Parsed(_) => 0,
        };
        self.after = packed;
        self.bytes -= freed;
        freed
    }

    /// The change as watches read it.
    pub(super) fn change(&self) -> Arc<Change> {
        let mut shared = self.shared.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(change) = shared.upgrade() {
            return change;
        }
        let before = self.before.as_ref().map(State::object);
        let change = Change::new(self.revision, &self.key, before, self.after.object(), self.removed);
        let change = Arc::new(Change { line: self.line.clone(), ..change });
        *shared = Arc::downgrade(&change);
        change
    }
}

/// A retained version of an object; `None` after its removal.
#[derive(Debug)]
pub(super) struct Version {
    pub(super) revision: u64,
    pub(super) state: Option<State>,
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_packed_state_is_the_same_object() {
        let state = |object: &Value| State::Parsed(Arc::new(object.clone()));
        let whole = json!({ "b": [u64::MAX, i64::MIN, null, true, "\u{1f600}\n"], "a": {} });
        let packed = state(&whole).packed();
        assert!(matches!(packed, State::Packed(_)));
        assert_eq!(packed.object().to_string(), whole.to_string());
        assert!(matches!(state(&json!({ "a": [0.1] })).packed(), State::Parsed(_)));
    }
}

//! The depth of values, which bounds the stack that their comparison and their end take.

use std::collections::HashMap;
use std::sync::Arc;

use super::Value;

/// The deepest value of a variable: beyond, no expression can be.
const DEEPEST: usize = 500;

/// The depths of shared values, each measured once.
#[derive(Debug, Default)]
pub(crate) struct Depths {
    by_address: HashMap<usize, usize>,
    /// The measured values, so that no other one gets their address.
    kept: Vec<Value>,
}

impl Depths {
    /// Whether an expression may have this value as a variable. Variables read each other, so their depths add up.
    pub(crate) fn admit(&mut self, value: &Value) -> bool {
        self.kept.push(value.clone());
        self.depth(value) <= DEEPEST
    }

    fn depth(&mut self, value: &Value) -> usize {
        let address = match value {
            Value::List(list) => Arc::as_ptr(list).addr(),
            Value::Map(map) => Arc::as_ptr(map).addr(),
            Value::Object(object) => Arc::as_ptr(object).addr(),
            Value::Optional(Some(value)) => Arc::as_ptr(value).addr(),
            _ => return 0,
        };
        if let Some(known) = self.by_address.get(&address) {
            return *known;
        }
        let deepest = match value {
            Value::List(list) => list.items.iter().map(|item| self.depth(item)).max(),
            Value::Map(map) => map.values().map(|value| self.depth(value)).max(),
            Value::Object(object) => object.fields.values().map(|value| self.depth(value)).max(),
            Value::Optional(Some(value)) => Some(self.depth(value)),
            _ => None,
        };
        let depth = 1 + deepest.unwrap_or_default();
        self.by_address.insert(address, depth);
        depth
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_depths_of_shared_values_add_up() {
        let mut depths = Depths::default();
        let mut value = Value::Int(1);
        let mut admitted = 0;
        // Measured anew each time, the last of these would take 2^500 steps.
        while depths.admit(&value) && admitted < 2 * DEEPEST {
            admitted += 1;
            value = Value::list(vec![value.clone(), value]);
        }
        assert_eq!(admitted, DEEPEST + 1);
    }
}

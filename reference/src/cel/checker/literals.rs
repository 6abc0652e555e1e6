//! The types of lists, maps and scalars.

use super::Checker;
use crate::cel::ast::{Entry, Item};
use crate::cel::deviation::Check;
use crate::cel::types::Type;
use crate::cel::value::Value;

impl Checker<'_> {
    pub(super) fn list(&mut self, items: &mut [Item]) -> Type {
        let mut common: Option<Type> = None;
        for item in items {
            let mut found = self.check(&mut item.value);
            if item.optional {
                found = self.unwrapped(item.value.at, &found);
            }
            common = Some(self.join(item.value.at, common, found));
        }
        let item = common.unwrap_or_else(|| self.fresh());
        Type::list(item)
    }

    pub(super) fn map(&mut self, entries: &mut [Entry]) -> Type {
        let (mut keys, mut values) = (None, None);
        for entry in entries {
            let key = self.check(&mut entry.key);
            keys = Some(self.join(entry.key.at, keys, key));
            let mut value = self.check(&mut entry.value);
            if entry.optional {
                value = self.unwrapped(entry.value.at, &value);
            }
            values = Some(self.join(entry.value.at, values, value));
        }
        let key = match keys {
            Some(key) => self.key(&key),
            None => self.fresh(),
        };
        let value = values.unwrap_or_else(|| self.fresh());
        Type::map(key, value)
    }

    /// The type of the keys of a map. No list or map is a key: a type with itself in its key and its value would have twice
    /// the parts with each of a few loops.
    fn key(&self, ty: &Type) -> Type {
        match self.unifier.resolve(ty, false) {
            Type::List(_) | Type::Map(..) | Type::Optional(_) => Type::Dyn,
            key => key,
        }
    }

    /// The common type of the parts of a literal, which must be alike.
    fn join(&mut self, at: usize, common: Option<Type>, found: Type) -> Type {
        let Some(common) = common else { return found };
        if !self.assign(&found, &common) {
            if self.is_mixed || self.skips(Check::Homogeneous) {
                return Type::Dyn;
            }
            return self.mismatch(at, &common, &found);
        }
        if self.unifier.resolve(&found, false) == Type::Dyn { Type::Dyn } else { common }
    }

    fn unwrapped(&mut self, at: usize, ty: &Type) -> Type {
        match self.unifier.resolve(ty, false) {
            Type::Optional(value) => Type::clone(&value),
            Type::Dyn => Type::Dyn,
            other => {
                let expected = Type::optional(other.clone());
                self.mismatch(at, &expected, &other)
            }
        }
    }
}

pub(super) fn literal(value: &Value) -> Type {
    match value {
        Value::Null => Type::Null,
        Value::Bool(_) => Type::Bool,
        Value::Int(_) => Type::Int,
        Value::Uint(_) => Type::Uint,
        Value::Double(_) => Type::Double,
        Value::Text(_) => Type::Text,
        Value::Bytes(_) => Type::Bytes,
        _ => Type::Dyn,
    }
}

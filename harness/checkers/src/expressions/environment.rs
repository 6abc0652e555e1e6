//! The variables of expressions: the fields of an object.

use std::collections::BTreeMap;

use super::choices::Choices;
use super::drawing::literals;
use super::types::Type;
use super::value::Value;

/// A field of `self`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Field {
    /// Its name, which needs no escape.
    pub name: &'static str,
    /// Its type.
    pub ty: Type,
    /// Whether objects may lack it.
    pub is_optional: bool,
    /// The value of objects that lack it.
    pub default: Option<i64>,
}

const fn field(name: &'static str, ty: Type) -> Field {
    Field { name, ty, is_optional: false, default: None }
}

const fn optional(name: &'static str, ty: Type) -> Field {
    Field { name, ty, is_optional: true, default: None }
}

/// All fields.
pub const FIELDS: &[Field] = &[
    field("flag", Type::Bool),
    field("i", Type::Int),
    field("j", Type::Int),
    field("ratio", Type::Double),
    field("s", Type::Text),
    field("t", Type::Text),
    field("raw", Type::Bytes),
    field("at", Type::Timestamp),
    field("span", Type::Duration),
    field("ints", Type::Ints),
    field("texts", Type::Texts),
    field("counts", Type::Counts),
    optional("maybe", Type::Int),
    optional("note", Type::Text),
    Field { default: Some(5), ..optional("five", Type::Int) },
];

/// The values of the fields that an object has.
#[derive(Debug, Clone, PartialEq)]
pub struct Environment {
    given: BTreeMap<&'static str, Value>,
}

impl Environment {
    /// A random environment. Literals are values of fields, too, so that both are often equal.
    pub fn drawn(choices: &mut Choices<'_>) -> Self {
        let mut given = BTreeMap::new();
        for field in FIELDS {
            let absent = field.is_optional && choices.below(2) == 0;
            let value = choices.one(literals(field.ty)).filter(|_| !absent);
            given.extend(value.map(|value| (field.name, value)));
        }
        Self { given }
    }

    /// The fields that the object has before the server fills in defaults.
    pub fn given(&self) -> impl Iterator<Item = (&'static str, &Value)> {
        self.given.iter().map(|(name, value)| (*name, value))
    }

    /// The value of a field.
    pub(super) fn get(&self, name: &str) -> Option<Value> {
        let default = || FIELDS.iter().find(|field| field.name == name)?.default.map(Value::Int);
        self.given.get(name).cloned().or_else(default)
    }
}

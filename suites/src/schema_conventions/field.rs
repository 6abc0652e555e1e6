//! A field of a published definition.

use crate::openapi::Definition;
use crate::prelude::*;

/// A field, and the definition that has it.
#[derive(Clone, Copy)]
pub(super) struct Field<'a> {
    pub(super) definition: &'a Definition<'a>,
    pub(super) name: &'a str,
    pub(super) schema: &'a Value,
}

impl<'a> Field<'a> {
    /// All fields of a definition.
    pub(super) fn all(definition: &'a Definition<'a>) -> impl Iterator<Item = Self> {
        let fields = definition.schema["properties"].as_object().into_iter().flatten();
        fields.map(move |(name, schema)| Self { definition, name, schema })
    }

    /// A text of its own schema, such as its `type` or `format`.
    pub(super) fn text(&self, attribute: &str) -> &'a str {
        self.schema[attribute].as_str().unwrap_or_default()
    }

    /// The definition of its values.
    pub(super) fn values(&self) -> Definition<'a> {
        self.definition.follow(self.schema)
    }

    /// Whether its values are of this type.
    pub(super) fn is(&self, ty: &str) -> bool {
        self.values().schema["type"] == ty
    }

    /// The definition of the elements of a map.
    pub(super) fn map_elements(&self) -> Option<Definition<'a>> {
        let elements = self.schema.get("additionalProperties").filter(|elements| elements.is_object())?;
        Some(self.definition.follow(elements))
    }

    /// The definition of the items of a list.
    pub(super) fn items(&self) -> Option<Definition<'a>> {
        self.schema.get("items").map(|items| self.definition.follow(items))
    }

    /// The name of its kind, or of the kind of its items, if they are of one.
    pub(super) fn kind(&self) -> &'a str {
        let values = self.items().unwrap_or_else(|| self.values());
        if std::ptr::eq(values.name, self.definition.name) { "" } else { values.kind() }
    }

    /// The values of an enumeration, or of a list of them.
    pub(super) fn choices(&self) -> Option<&'a Vec<Value>> {
        [self.schema, &self.schema["items"]].into_iter().find_map(|schema| schema["enum"].as_array())
    }

    /// The keys of a list map.
    pub(super) fn list_map_keys(&self) -> impl Iterator<Item = &'a str> {
        let keys = self.schema["x-kubernetes-list-map-keys"].as_array();
        keys.into_iter().flatten().filter_map(Value::as_str)
    }

    /// Whether an exception names it, as `Kind.field`, or its whole kind.
    pub(super) fn is_one_of(&self, exceptions: &[&str]) -> bool {
        let is_it = |exception: &&str| match exception.split_once('.') {
            Some((kind, field)) => kind == self.definition.kind() && field == self.name,
            None => *exception == self.definition.kind(),
        };
        exceptions.iter().any(is_it)
    }

    pub(super) fn expect(&self, holds: bool, expected: &str) -> Checked {
        self.definition.expect(holds, &format!("{}: {expected}", self.name), &self.schema.to_string())
    }
}

/// Whether values have named fields.
pub(super) fn is_object(definition: &Definition<'_>) -> bool {
    definition.schema["type"] == "object" || definition.schema["properties"].is_object()
}

/// Whether the values of a field have named fields.
pub(super) fn is_object_field(field: &Field<'_>) -> bool {
    is_object(&field.values())
}

/// Whether the values of a field are points in time.
pub(super) fn is_time_field(field: &Field<'_>) -> bool {
    field.values().schema["format"] == "date-time"
}

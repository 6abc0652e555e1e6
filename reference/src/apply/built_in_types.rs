//! Types for server-side apply of built-in kinds, from the kind tables.

use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, PoisonError};

use super::types::{FieldType, Items, MapType, ScalarType, Type};
use crate::kind::{self, Field, Ownership, Shape};

static TYPES: LazyLock<Mutex<HashMap<&'static str, Type>>> = LazyLock::new(Mutex::default);

/// The type of a kind: `Deduced` for a kind outside of the table.
pub(crate) fn kind_type(name: &str) -> Type {
    let known = TYPES.lock().unwrap_or_else(PoisonError::into_inner).get(name).cloned();
    known.unwrap_or_else(|| {
        let Some(kind) = kind::of(name) else { return Type::Deduced };
        let ty = type_from_kind(kind);
        TYPES.lock().unwrap_or_else(PoisonError::into_inner).insert(kind.name, ty.clone());
        ty
    })
}

fn type_from_kind(kind: &kind::Kind) -> Type {
    let field = |(name, field): (&str, &Field)| {
        let typed = FieldType { ty: field_type(field), default: field.default.clone() };
        (name.to_owned(), typed)
    };
    let mut map = MapType { fields: kind.fields().map(field).collect(), rest: None, atomic: kind.atomic };
    // A kind without fields allows any field.
    if map.fields.is_empty() {
        map.rest = Some(Type::Deduced);
    }
    Type::map(map)
}

fn field_type(field: &Field) -> Type {
    let whole = field.ownership == Ownership::Whole;
    match &field.shape {
        Shape::List(item) => {
            let items = match &field.ownership {
                Ownership::Whole => Items::Atomic,
                Ownership::Parts => Items::Set,
                Ownership::Keyed(keys) => Items::Keyed(keys.iter().map(|&key| key.to_owned()).collect()),
            };
            Type::list(items, shape_type(item))
        }
        Shape::Map(item) => {
            Type::map(MapType { rest: Some(shape_type(item)), atomic: whole, ..MapType::default() })
        }
        shape => shape_type(shape),
    }
}

fn shape_type(shape: &Shape) -> Type {
    match shape {
        Shape::Kind(name) => kind_type(name),
        Shape::List(item) => Type::list(Items::Atomic, shape_type(item)),
        Shape::Map(item) => Type::map(MapType { rest: Some(shape_type(item)), ..MapType::default() }),
        Shape::Text | Shape::Bytes => Type::scalar(ScalarType::Text),
        Shape::Int32 | Shape::Int64 | Shape::Number => Type::scalar(ScalarType::Number),
        Shape::Bool => Type::scalar(ScalarType::Bool),
        Shape::Time | Shape::MicroTime | Shape::Quantity | Shape::IntOrText => Type::scalar(ScalarType::Any),
        Shape::Any => Type::Deduced,
    }
}

//! Type model for server-side apply: scalars, lists, maps and their topology.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use serde_json::Value;

use super::path::{Element, Scalar};

/// The type of a value, with its possible forms.
#[derive(Debug, Clone)]
pub(crate) enum Type {
    /// A type from a schema.
    Known(Arc<Forms>),
    /// Anything: maps are owned entry by entry, lists as a whole.
    Deduced,
    /// Anything, owned as a whole.
    Untyped,
}

#[derive(Debug, Default)]
pub(crate) struct Forms {
    pub(super) scalar: Option<ScalarType>,
    pub(super) list: Option<ListType>,
    pub(super) map: Option<MapType>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ScalarType {
    Text,
    Number,
    Bool,
    Any,
}

#[derive(Debug)]
pub(crate) struct ListType {
    pub(super) items: Items,
    pub(super) item: Type,
}

/// How a list identifies its items.
#[derive(Debug)]
pub(crate) enum Items {
    /// The list is one value.
    Atomic,
    /// By value.
    Set,
    /// By key fields.
    Keyed(Vec<String>),
}

#[derive(Debug, Default)]
pub(crate) struct MapType {
    pub(super) fields: BTreeMap<String, FieldType>,
    /// The type of fields without a name in the type; `None` if the type allows none.
    pub(super) rest: Option<Type>,
    pub(super) atomic: bool,
}

/// A named field of a type.
#[derive(Debug)]
pub(crate) struct FieldType {
    pub(super) ty: Type,
    /// The value of an absent field in a key.
    pub(super) default: Option<Value>,
}

#[derive(Debug, Clone, Copy)]
pub(crate) enum Form<'a> {
    Scalar(ScalarType),
    List(&'a ListType),
    Map(&'a MapType),
}

static DEDUCED: LazyLock<Forms> = LazyLock::new(|| anything(Type::Deduced, false));
static UNTYPED: LazyLock<Forms> = LazyLock::new(|| anything(Type::Untyped, true));

fn anything(rest: Type, atomic: bool) -> Forms {
    Forms {
        scalar: Some(ScalarType::Any),
        list: Some(ListType { items: Items::Atomic, item: Type::Untyped }),
        map: Some(MapType { rest: Some(rest), atomic, ..MapType::default() }),
    }
}

impl Type {
    pub(super) fn new(forms: Forms) -> Self {
        Self::Known(Arc::new(forms))
    }

    pub(super) fn scalar(scalar: ScalarType) -> Self {
        Self::new(Forms { scalar: Some(scalar), ..Forms::default() })
    }

    pub(super) fn list(items: Items, item: Self) -> Self {
        Self::new(Forms { list: Some(ListType { items, item }), ..Forms::default() })
    }

    pub(super) fn map(map: MapType) -> Self {
        Self::new(Forms { map: Some(map), ..Forms::default() })
    }

    fn forms(&self) -> &Forms {
        match self {
            Self::Known(forms) => forms,
            Self::Deduced => &DEDUCED,
            Self::Untyped => &UNTYPED,
        }
    }

    /// The map form of this type.
    pub(super) fn as_map(&self) -> Option<&MapType> {
        self.forms().map.as_ref()
    }

    /// The form of a value. Other values, null and absent ones have the first form of map, scalar and list.
    pub(super) fn form(&self, value: Option<&Value>) -> Form<'_> {
        let forms = self.forms();
        let (scalar, list, map) = (
            forms.scalar.map(Form::Scalar),
            forms.list.as_ref().map(Form::List),
            forms.map.as_ref().map(Form::Map),
        );
        let fitting = match value {
            None | Some(Value::Null) => None,
            Some(Value::Array(_)) => list,
            Some(Value::Object(_)) => map,
            Some(_) => scalar,
        };
        fitting.or(map).or(scalar).or(list).unwrap_or(Form::Scalar(ScalarType::Any))
    }

    /// The type of a nested value: `None` outside of the type.
    pub(super) fn below(&self, step: &Element) -> Option<&Self> {
        match step {
            Element::Field(name) => self.as_map()?.field(name),
            _ => self.forms().list.as_ref().map(|list| &list.item),
        }
    }

    /// Whether any field is allowed, so that no schema determines the owners below.
    pub(super) fn is_deduced(&self) -> bool {
        self.as_map().is_some_and(|map| map.fields.is_empty() && matches!(map.rest, Some(Self::Deduced)))
    }

    /// Whether all of a value has the same owners.
    pub(super) fn is_atomic(&self) -> bool {
        match self.form(None) {
            Form::Scalar(_) => false,
            Form::List(list) => list.is_atomic(),
            Form::Map(map) => map.atomic,
        }
    }
}

impl MapType {
    pub(super) fn field(&self, name: &str) -> Option<&Type> {
        self.fields.get(name).map(|field| &field.ty).or(self.rest.as_ref())
    }

    /// Whether the type names a field.
    pub(super) fn names(&self, field: &str) -> bool {
        self.fields.contains_key(field)
    }
}

impl ListType {
    pub(super) fn is_atomic(&self) -> bool {
        matches!(self.items, Items::Atomic)
    }

    /// The key of an item; an error for an item without one.
    pub(super) fn element(&self, item: &Value) -> Result<Element, String> {
        match &self.items {
            Items::Atomic => Err("invalid indexing of non-associative list".to_owned()),
            Items::Set => value_of(item),
            Items::Keyed(keys) => self.key_of(keys, item),
        }
    }

    fn key_of(&self, keys: &[String], item: &Value) -> Result<Element, String> {
        if item.is_null() {
            return Err("associative list with keys may not have a null element".to_owned());
        }
        let Some(fields) = item.as_object() else {
            return Err("associative list with keys may not have non-map elements".to_owned());
        };
        let default = |key: &str| self.item.as_map()?.fields.get(key)?.default.as_ref();
        let value =
            |key: &String| Some((key.clone(), Scalar(fields.get(key).or_else(|| default(key))?.clone())));
        let mut found: Vec<_> = keys.iter().filter_map(value).collect();
        if found.is_empty() {
            let keys: Vec<_> = keys.iter().map(|key| format!("{key:?}")).collect();
            return Err(format!(
                "associative list with keys has an element that omits all key fields [{}] (and doesn't have default \
                 values for any key fields)",
                keys.join(" ")
            ));
        }
        found.sort();
        Ok(Element::Key(found))
    }
}

fn value_of(item: &Value) -> Result<Element, String> {
    let detail = match item {
        Value::Object(_) => "associative list without keys has an element that's a map type",
        Value::Array(_) => "not supported: associative list with lists as elements",
        Value::Null => "associative list without keys has an element that's an explicit null",
        scalar => return Ok(Element::Value(Scalar(scalar.clone()))),
    };
    Err(detail.to_owned())
}

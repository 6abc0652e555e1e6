//! Field paths, and their `FieldsV1` elements: `f:name`, `k:{"key":"value"}`, `v:value`, `i:index`.

use std::cmp::Ordering;
use std::fmt;

use serde_json::{Map, Value};

use super::comparison::same;

/// One element of a path.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Element {
    /// A field of a struct, or an entry of a map.
    Field(String),
    /// An item of a list, by its key fields, sorted by name.
    Key(Vec<(String, Scalar)>),
    /// An item of a set.
    Value(Scalar),
    /// An item of a list, by its position: only in sets from clients.
    Index(i64),
}

/// A value in a key.
#[derive(Debug, Clone)]
pub(crate) struct Scalar(pub(crate) Value);

impl Scalar {
    fn rank(&self) -> u8 {
        match self.0 {
            Value::Number(_) => 0,
            Value::String(_) => 1,
            Value::Bool(_) => 2,
            Value::Array(_) => 3,
            Value::Object(_) => 4,
            Value::Null => 5,
        }
    }
}

impl Ord for Scalar {
    fn cmp(&self, other: &Self) -> Ordering {
        match (&self.0, &other.0) {
            _ if same(&self.0, &other.0) => Ordering::Equal,
            (Value::Number(one), Value::Number(other)) => {
                one.as_f64().unwrap_or_default().total_cmp(&other.as_f64().unwrap_or_default())
            }
            (Value::String(one), Value::String(other)) => one.cmp(other),
            (Value::Bool(one), Value::Bool(other)) => one.cmp(other),
            (one, two) => self.rank().cmp(&other.rank()).then_with(|| one.to_string().cmp(&two.to_string())),
        }
    }
}

impl PartialOrd for Scalar {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Scalar {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Scalar {}

impl Element {
    pub(crate) fn field(name: &str) -> Self {
        Self::Field(name.to_owned())
    }

    /// Parses an element in `FieldsV1` notation.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (kind, rest) = text.split_once(':')?;
        match kind {
            "f" => Some(Self::field(rest)),
            "k" => {
                let fields: Map<String, Value> = serde_json::from_str(rest).ok()?;
                let mut keys: Vec<_> =
                    fields.into_iter().map(|(name, value)| (name, Scalar(value))).collect();
                keys.sort();
                Some(Self::Key(keys))
            }
            "v" => serde_json::from_str(rest).ok().map(|value| Self::Value(Scalar(value))),
            "i" => rest.parse().ok().map(Self::Index),
            _ => None,
        }
    }

    /// The element in `FieldsV1` notation.
    pub(crate) fn text(&self) -> String {
        match self {
            Self::Field(name) => format!("f:{name}"),
            Self::Key(keys) => {
                let fields: Map<_, _> =
                    keys.iter().map(|(name, value)| (name.clone(), value.0.clone())).collect();
                format!("k:{}", Value::Object(fields))
            }
            Self::Value(value) => format!("v:{}", value.0),
            Self::Index(index) => format!("i:{index}"),
        }
    }
}

impl fmt::Display for Element {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Field(name) => write!(formatter, ".{name}"),
            Self::Key(keys) => {
                let keys: Vec<_> = keys.iter().map(|(name, value)| format!("{name}={}", value.0)).collect();
                write!(formatter, "[{}]", keys.join(","))
            }
            Self::Value(value) => write!(formatter, "[={}]", value.0),
            Self::Index(index) => write!(formatter, "[{index}]"),
        }
    }
}

/// A path to a field; empty for the object itself.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Path(pub(crate) Vec<Element>);

impl Path {
    pub(crate) fn of(fields: &[&str]) -> Self {
        Self(fields.iter().map(|name| Element::field(name)).collect())
    }

    /// The path extended by one element.
    pub(crate) fn then(&self, step: Element) -> Self {
        let mut steps = self.0.clone();
        steps.push(step);
        Self(steps)
    }
}

impl fmt::Display for Path {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|step| step.fmt(formatter))
    }
}

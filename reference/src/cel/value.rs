//! Values of expressions: equality, order and conversion from JSON without a schema.

mod depth;
mod equality;
mod list;

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};
use serde_json::Value as Json;

use super::library::authorizer::Authorizer;
use super::library::network::{Address, Cidr};
use super::library::quantity::Quantity;
use super::library::semver::Version;
use super::library::url::Url;

pub(crate) use depth::Depths;
pub(super) use list::Members;
pub(crate) use list::{List, ListKind, have_same_key};

/// A value of an expression.
#[derive(Debug, Clone)]
pub(crate) enum Value {
    Null,
    Bool(bool),
    Int(i64),
    Uint(u64),
    Double(f64),
    Text(Arc<str>),
    Bytes(Arc<[u8]>),
    Timestamp(Timestamp),
    Duration(SignedDuration),
    List(Arc<List>),
    Map(Arc<BTreeMap<Key, Value>>),
    /// An object with a schema: its fields have escaped names.
    Object(Arc<Object>),
    Optional(Option<Arc<Value>>),
    /// The name of a type.
    Type(Arc<str>),
    Url(Arc<Url>),
    Quantity(Quantity),
    Ip(Address),
    Cidr(Cidr),
    /// The name of a format.
    Format(Arc<str>),
    Semver(Arc<Version>),
    Authorizer(Arc<Authorizer>),
}

#[derive(Debug, Clone)]
pub(crate) struct Object {
    pub(crate) type_name: Arc<str>,
    pub(crate) fields: BTreeMap<String, Value>,
}

/// The key of a map entry: a bool, number or text.
#[derive(Debug, Clone)]
pub(crate) struct Key(pub(crate) Value);

impl PartialEq for Key {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Key {}

impl PartialOrd for Key {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Key {
    fn cmp(&self, other: &Self) -> Ordering {
        let rank = |value: &Value| match value {
            Value::Bool(_) => 0,
            Value::Int(_) | Value::Uint(_) | Value::Double(_) => 1,
            _ => 2,
        };
        let by_rank = rank(&self.0).cmp(&rank(&other.0));
        by_rank.then_with(|| self.0.compare(&other.0).unwrap_or(Ordering::Equal))
    }
}

impl Value {
    pub(crate) fn text(text: &str) -> Self {
        Self::Text(Arc::from(text))
    }

    pub(crate) fn list(items: Vec<Self>) -> Self {
        Self::List(Arc::new(List { items, kind: ListKind::Atomic }))
    }

    pub(crate) fn texts(texts: impl IntoIterator<Item = impl AsRef<str>>) -> Self {
        Self::list(texts.into_iter().map(|text| Self::text(text.as_ref())).collect())
    }

    pub(crate) fn some(value: Self) -> Self {
        Self::Optional(Some(Arc::new(value)))
    }

    pub(crate) fn int(number: usize) -> Self {
        Self::Int(i64::try_from(number).unwrap_or(i64::MAX))
    }

    /// A map or object of texts.
    pub(crate) fn map(entries: impl IntoIterator<Item = (String, Self)>) -> Self {
        let entries = entries.into_iter().map(|(key, value)| (Key(Self::text(&key)), value));
        Self::Map(Arc::new(entries.collect()))
    }

    /// The value of JSON whose type is not known.
    pub(crate) fn dynamic(json: &Json) -> Self {
        match json {
            Json::Null => Self::Null,
            Json::Bool(value) => Self::Bool(*value),
            Json::Number(number) => {
                number.as_i64().map_or_else(|| Self::Double(number.as_f64().unwrap_or_default()), Self::Int)
            }
            Json::String(text) => Self::text(text),
            Json::Array(items) => Self::list(items.iter().map(Self::dynamic).collect()),
            Json::Object(fields) => {
                Self::map(fields.iter().map(|(name, value)| (name.clone(), Self::dynamic(value))))
            }
        }
    }

    /// The name of the type, as `type()` shows it.
    pub(crate) fn type_name(&self) -> Arc<str> {
        let name = match self {
            Self::Null => "null_type",
            Self::Bool(_) => "bool",
            Self::Int(_) => "int",
            Self::Uint(_) => "uint",
            Self::Double(_) => "double",
            Self::Text(_) => "string",
            Self::Bytes(_) => "bytes",
            Self::Timestamp(_) => "google.protobuf.Timestamp",
            Self::Duration(_) => "google.protobuf.Duration",
            Self::List(_) => "list",
            Self::Map(_) => "map",
            Self::Object(object) => return object.type_name.clone(),
            Self::Optional(_) => "optional_type",
            Self::Type(_) => "type",
            Self::Url(_) => "kubernetes.URL",
            Self::Quantity(_) => "kubernetes.Quantity",
            Self::Ip(_) => "net.IP",
            Self::Cidr(_) => "net.CIDR",
            Self::Format(_) => "kubernetes.NamedFormat",
            Self::Semver(_) => "kubernetes.Semver",
            Self::Authorizer(authorizer) => authorizer.type_name(),
        };
        Arc::from(name)
    }

    /// The order of two comparable values; `None` if they have none, as not-a-number.
    pub(crate) fn compare(&self, other: &Self) -> Option<Ordering> {
        match (self, other) {
            (Self::Bool(left), Self::Bool(right)) => Some(left.cmp(right)),
            (Self::Int(left), Self::Int(right)) => Some(left.cmp(right)),
            (Self::Uint(left), Self::Uint(right)) => Some(left.cmp(right)),
            (Self::Int(left), Self::Uint(right)) => Some(i128::from(*left).cmp(&i128::from(*right))),
            (Self::Uint(left), Self::Int(right)) => Some(i128::from(*left).cmp(&i128::from(*right))),
            (Self::Double(left), Self::Double(right)) => left.partial_cmp(right),
            (Self::Double(left), right) => compare_double(*left, right.whole()?),
            (left, Self::Double(right)) => compare_double(*right, left.whole()?).map(Ordering::reverse),
            (Self::Text(left), Self::Text(right)) => Some(left.cmp(right)),
            (Self::Bytes(left), Self::Bytes(right)) => Some(left.cmp(right)),
            (Self::Timestamp(left), Self::Timestamp(right)) => Some(left.cmp(right)),
            (Self::Duration(left), Self::Duration(right)) => Some(left.cmp(right)),
            _ => None,
        }
    }

    /// The value of an int or uint.
    fn whole(&self) -> Option<i128> {
        match self {
            Self::Int(number) => Some(i128::from(*number)),
            Self::Uint(number) => Some(i128::from(*number)),
            _ => None,
        }
    }

    /// Whether `optional.ofNonZeroValue` has no value for it.
    pub(crate) fn is_zero(&self) -> bool {
        match self {
            Self::Null | Self::Optional(None) => true,
            Self::Bool(value) => !value,
            Self::Int(number) => *number == 0,
            Self::Uint(number) => *number == 0,
            Self::Double(number) => *number == 0.0,
            Self::Text(text) => text.is_empty(),
            Self::Bytes(bytes) => bytes.is_empty(),
            Self::Duration(duration) => duration.is_zero(),
            Self::List(list) => list.items.is_empty(),
            Self::Map(map) => map.is_empty(),
            _ => false,
        }
    }
}

/// A double and a whole number, without rounding the latter.
fn compare_double(double: f64, whole: i128) -> Option<Ordering> {
    if double.is_nan() {
        return None;
    }
    // Doubles beyond are beyond every whole number here; the cast is exact below.
    if double.abs() >= 2_f64.powi(100) {
        return Some(if double > 0.0 { Ordering::Greater } else { Ordering::Less });
    }
    #[allow(clippy::cast_possible_truncation, reason = "the bound is checked above")]
    let floor = double.floor() as i128;
    let fraction = if double.fract() == 0.0 { Ordering::Equal } else { Ordering::Greater };
    Some(floor.cmp(&whole).then(fraction))
}

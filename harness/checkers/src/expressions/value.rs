//! The values of expressions.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt::{self, Display};

use super::calendar;

/// A value; timestamps and durations have whole seconds.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// true or false
    Bool(bool),
    /// A signed number.
    Int(i64),
    /// An unsigned number.
    Uint(u64),
    /// A number with a fraction.
    Double(f64),
    /// A string.
    Text(String),
    /// Octets, maybe no text.
    Bytes(Vec<u8>),
    /// Seconds since 1970.
    Timestamp(i64),
    /// Seconds.
    Duration(i64),
    /// A list of ints or of strings.
    List(Vec<Value>),
    /// A map of ints.
    Map(BTreeMap<String, Value>),
}

/// Why an expression has no value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoValue {
    /// The evaluation fails.
    Error,
    /// The text says nothing, or releases differ.
    Open,
}

/// The result of an evaluation.
pub type Evaluated = Result<Value, NoValue>;

impl Value {
    /// The order of two values of the same type. The text has none for NaN, which kube-apiserver refuses to order.
    pub(super) fn order(&self, other: &Self) -> Result<Ordering, NoValue> {
        match (self, other) {
            (Self::Bool(left), Self::Bool(right)) => Ok(left.cmp(right)),
            (Self::Int(left), Self::Int(right))
            | (Self::Timestamp(left), Self::Timestamp(right))
            | (Self::Duration(left), Self::Duration(right)) => Ok(left.cmp(right)),
            (Self::Uint(left), Self::Uint(right)) => Ok(left.cmp(right)),
            (Self::Double(left), Self::Double(right)) => left.partial_cmp(right).ok_or(NoValue::Open),
            (Self::Text(left), Self::Text(right)) => Ok(left.cmp(right)),
            (Self::Bytes(left), Self::Bytes(right)) => Ok(left.cmp(right)),
            _ => Err(NoValue::Open),
        }
    }

    /// Whether two values of the same type are equal.
    pub(super) fn equals(&self, other: &Self) -> Evaluated {
        let equal = match (self, other) {
            (Self::List(_) | Self::Map(_), _) => self == other,
            _ => self.order(other)?.is_eq(),
        };
        Ok(Self::Bool(equal))
    }

    pub(super) fn text(text: &str) -> Self {
        Self::Text(text.to_owned())
    }

    /// A number of things as an int.
    pub(super) fn count(count: usize) -> Self {
        Self::Int(i64::try_from(count).unwrap_or(i64::MAX))
    }
}

/// The value as a literal.
impl Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool(value) => write!(f, "{value}"),
            Self::Int(number) => write!(f, "{number}"),
            Self::Uint(number) => write!(f, "{number}u"),
            Self::Double(number) => write!(f, "{number:?}"),
            Self::Text(text) => write!(f, "'{}'", text.replace('\\', "\\\\").replace('\'', "\\'")),
            Self::Bytes(bytes) => {
                f.write_str("b'")?;
                bytes.iter().try_for_each(|byte| write!(f, "\\x{byte:02x}"))?;
                f.write_str("'")
            }
            Self::Timestamp(seconds) => write!(f, "timestamp('{}')", calendar::date_time(*seconds)),
            Self::Duration(seconds) => write!(f, "duration('{seconds}s')"),
            Self::List(items) => {
                let items: Vec<_> = items.iter().map(ToString::to_string).collect();
                write!(f, "[{}]", items.join(", "))
            }
            Self::Map(entries) => {
                let entries: Vec<_> =
                    entries.iter().map(|(key, value)| format!("{}: {value}", Self::text(key))).collect();
                write!(f, "{{{}}}", entries.join(", "))
            }
        }
    }
}

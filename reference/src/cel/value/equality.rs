//! Equality of values.

use std::cmp::Ordering;

use super::Value;
use crate::cel::evaluator::EvalError;
use crate::cel::work::{Work, all};

impl Value {
    /// The equality of two small values.
    pub(crate) fn equals(&self, other: &Self) -> bool {
        self.is_equal(other, &Work::default()).unwrap_or_default()
    }

    /// Whether two values are equal: numbers by value, lists as the left one's schema says.
    pub(in crate::cel) fn is_equal(&self, other: &Self, work: &Work) -> Result<bool, EvalError> {
        work.visit(self)?;
        Ok(match (self, other) {
            (Self::Null, Self::Null) => true,
            (Self::Bool(left), Self::Bool(right)) => left == right,
            (Self::Text(left), Self::Text(right))
            | (Self::Type(left), Self::Type(right))
            | (Self::Format(left), Self::Format(right)) => left == right,
            (Self::Bytes(left), Self::Bytes(right)) => left == right,
            (Self::List(left), Self::List(right)) => left.is_equal(right, work)?,
            (Self::Map(left), Self::Map(right)) => {
                let same = |(key, value): (_, &Self)| value.is_equal_to(right.get(key), work);
                left.len() == right.len() && all(left.iter(), same)?
            }
            (Self::Object(left), Self::Object(right)) => {
                let same = |(name, value): (&String, &Self)| value.is_equal_to(right.fields.get(name), work);
                left.fields.len() == right.fields.len() && all(&left.fields, same)?
            }
            (Self::Optional(Some(left)), Self::Optional(right)) => {
                left.is_equal_to(right.as_deref(), work)?
            }
            (Self::Optional(None), Self::Optional(right)) => right.is_none(),
            (Self::Url(left), Self::Url(right)) => left.to_string() == right.to_string(),
            (Self::Quantity(left), Self::Quantity(right)) => left.compare(right).is_eq(),
            (Self::Ip(left), Self::Ip(right)) => left == right,
            (Self::Cidr(left), Self::Cidr(right)) => left == right,
            (Self::Semver(left), Self::Semver(right)) => left.precedence(right).is_eq(),
            (Self::Authorizer(left), Self::Authorizer(right)) => left == right,
            _ => self.compare(other) == Some(Ordering::Equal),
        })
    }

    fn is_equal_to(&self, other: Option<&Self>, work: &Work) -> Result<bool, EvalError> {
        other.map_or(Ok(false), |other| self.is_equal(other, work))
    }
}

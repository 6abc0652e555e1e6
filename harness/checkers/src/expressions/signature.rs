//! The operators and functions of the language.

use std::fmt;

use super::types::Type;
use super::value::{Evaluated, NoValue, Value};

/// One form of an operator or function: its types and its value.
pub struct Signature {
    pub(super) name: &'static str,
    pub(super) notation: Notation,
    pub(super) parameters: Vec<Type>,
    pub(super) result: Type,
    pub(super) apply: fn(&[Value]) -> Evaluated,
}

/// The place of the name in the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Notation {
    Prefix,
    Infix,
    Index,
    Method,
    Function,
}

impl fmt::Debug for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{:?}", self.name, self.parameters)
    }
}

impl PartialEq for Signature {
    fn eq(&self, other: &Self) -> bool {
        (self.name, self.notation, &self.parameters) == (other.name, other.notation, &other.parameters)
    }
}

impl Signature {
    pub(super) const UNARY: u8 = 7;
    pub(super) const TIGHTEST: u8 = 8;

    /// How tightly the operator binds.
    pub(super) fn precedence(&self) -> u8 {
        match (self.notation, self.name) {
            (Notation::Prefix, _) => Self::UNARY,
            (Notation::Infix, "*" | "/" | "%") => 6,
            (Notation::Infix, "+" | "-") => 5,
            (Notation::Infix, _) => 4,
            _ => Self::TIGHTEST,
        }
    }

    /// Whether it converts values. kube-apiserver evaluates conversions of constants when it compiles.
    pub(super) fn is_conversion(&self) -> bool {
        const CONVERSIONS: &[&str] = &["int", "uint", "double", "string", "bytes", "timestamp", "duration"];
        self.notation == Notation::Function && CONVERSIONS.contains(&self.name)
    }

    pub(super) fn is_sign(&self) -> bool {
        self.notation == Notation::Prefix && self.name == "-"
    }

    pub(super) fn is_order(&self) -> bool {
        self.notation == Notation::Infix && self.name.starts_with(['<', '>'])
    }
}

macro_rules! notations {
    ($($function:ident $notation:ident)*) => {
        $(pub(super) fn $function(
            name: &'static str,
            parameters: &[Type],
            result: Type,
            apply: fn(&[Value]) -> Evaluated,
        ) -> Signature {
            Signature { name, notation: Notation::$notation, parameters: parameters.to_vec(), result, apply }
        })*
    };
}

notations! { prefix Prefix infix Infix index Index method Method function Function }

/// A result, or a failed evaluation.
pub(super) fn or_error<T>(result: Option<T>, value: fn(T) -> Value) -> Evaluated {
    result.map(value).ok_or(NoValue::Error)
}

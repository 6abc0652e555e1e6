//! Static types, and their unification.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

/// The type of an expression.
#[allow(clippy::enum_variant_names, reason = "`type` is a type of the language")]
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Type {
    /// Any value: checked when it is evaluated.
    Dyn,
    Null,
    Bool,
    Int,
    Uint,
    Double,
    Text,
    Bytes,
    Timestamp,
    Duration,
    List(Arc<Type>),
    Map(Arc<Type>, Arc<Type>),
    Optional(Arc<Type>),
    /// The type of types.
    Type(Arc<Type>),
    /// An object of a schema or a type of a library, by name.
    Object(Arc<str>),
    /// A variable of a signature, or a fresh one.
    Parameter(Arc<str>),
}

/// The parts that the type of a variable may have.
const MOST_PARTS: usize = 500;

impl Type {
    /// Whether the type has few parts. It may share them, so that counting all of them never ends.
    pub(crate) fn is_small(&self) -> bool {
        self.count_parts(&mut 0)
    }

    fn count_parts(&self, count: &mut usize) -> bool {
        *count += 1;
        *count <= MOST_PARTS
            && match self {
                Self::List(inner) | Self::Optional(inner) | Self::Type(inner) => inner.count_parts(count),
                Self::Map(key, value) => key.count_parts(count) && value.count_parts(count),
                _ => true,
            }
    }

    pub(crate) fn list(item: Self) -> Self {
        Self::List(Arc::new(item))
    }

    pub(crate) fn map(key: Self, value: Self) -> Self {
        Self::Map(Arc::new(key), Arc::new(value))
    }

    pub(crate) fn optional(value: Self) -> Self {
        Self::Optional(Arc::new(value))
    }

    pub(crate) fn object(name: &str) -> Self {
        Self::Object(Arc::from(name))
    }

    /// The type of a name in signatures.
    pub(super) fn parse(text: &str) -> Self {
        let inner = |prefix: &str| text.strip_prefix(prefix)?.strip_suffix(')');
        if let Some(item) = inner("list(") {
            return Self::list(Self::parse(item));
        }
        if let Some(value) = inner("optional(") {
            return Self::optional(Self::parse(value));
        }
        if let Some(of) = inner("type(") {
            return Self::Type(Arc::new(Self::parse(of)));
        }
        if let Some((key, value)) = inner("map(").and_then(|pair| pair.split_once(',')) {
            return Self::map(Self::parse(key), Self::parse(value));
        }
        match text {
            "dyn" => Self::Dyn,
            "null_type" => Self::Null,
            "bool" => Self::Bool,
            "int" => Self::Int,
            "uint" => Self::Uint,
            "double" => Self::Double,
            "string" => Self::Text,
            "bytes" => Self::Bytes,
            "timestamp" => Self::Timestamp,
            "duration" => Self::Duration,
            name if name.len() == 1 => Self::Parameter(Arc::from(name)),
            name => Self::object(name),
        }
    }

    /// The type with its variables renamed.
    pub(super) fn renamed(&self, rename: &dyn Fn(&str) -> Arc<str>) -> Self {
        self.mapped(&|ty| match ty {
            Self::Parameter(name) => Some(Self::Parameter(rename(name))),
            _ => None,
        })
    }

    fn mapped(&self, change: &dyn Fn(&Self) -> Option<Self>) -> Self {
        if let Some(changed) = change(self) {
            return changed;
        }
        match self {
            Self::List(item) => Self::list(item.mapped(change)),
            Self::Map(key, value) => Self::map(key.mapped(change), value.mapped(change)),
            Self::Optional(value) => Self::optional(value.mapped(change)),
            Self::Type(of) => Self::Type(Arc::new(of.mapped(change))),
            other => other.clone(),
        }
    }

    fn contains(&self, name: &str) -> bool {
        match self {
            Self::Parameter(own) => **own == *name,
            Self::List(of) | Self::Optional(of) | Self::Type(of) => of.contains(name),
            Self::Map(key, value) => key.contains(name) || value.contains(name),
            _ => false,
        }
    }
}

impl fmt::Display for Type {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Dyn => formatter.write_str("dyn"),
            Self::Null => formatter.write_str("null"),
            Self::Bool => formatter.write_str("bool"),
            Self::Int => formatter.write_str("int"),
            Self::Uint => formatter.write_str("uint"),
            Self::Double => formatter.write_str("double"),
            Self::Text => formatter.write_str("string"),
            Self::Bytes => formatter.write_str("bytes"),
            Self::Timestamp => formatter.write_str("timestamp"),
            Self::Duration => formatter.write_str("duration"),
            Self::List(item) => write!(formatter, "list({item})"),
            Self::Map(key, value) => write!(formatter, "map({key}, {value})"),
            Self::Optional(value) => write!(formatter, "optional_type({value})"),
            Self::Type(of) => write!(formatter, "type({of})"),
            Self::Object(name) | Self::Parameter(name) => formatter.write_str(name),
        }
    }
}

/// The values of type variables.
#[derive(Debug, Clone, Default)]
pub(super) struct Unifier {
    values: HashMap<Arc<str>, Type>,
}

impl Unifier {
    /// The type with the values of its variables; free variables are dynamic if `close`.
    pub(super) fn resolve(&self, ty: &Type, close: bool) -> Type {
        ty.mapped(&|ty| match ty {
            Type::Parameter(name) => Some(match self.values.get(name) {
                Some(value) => self.resolve(value, close),
                None if close => Type::Dyn,
                None => ty.clone(),
            }),
            _ => None,
        })
    }

    /// Whether values of a type can be where another is expected. Binds variables only if so.
    pub(super) fn assign(&mut self, from: &[Type], to: &[Type]) -> bool {
        let mut attempt = self.clone();
        let all = from.len() == to.len() && from.iter().zip(to).all(|(from, to)| attempt.one(from, to));
        if all {
            *self = attempt;
        }
        all
    }

    fn one(&mut self, from: &Type, to: &Type) -> bool {
        let (from, to) = (self.shallow(from), self.shallow(to));
        match (&from, &to) {
            (Type::Parameter(left), Type::Parameter(right)) if left == right => true,
            (other, Type::Parameter(name)) | (Type::Parameter(name), other) => {
                let fits = !other.contains(name);
                if fits {
                    self.values.insert(name.clone(), other.clone());
                }
                fits
            }
            (Type::Dyn, _) | (_, Type::Dyn) | (Type::Type(_), Type::Type(_)) => true,
            (Type::Null, other) | (other, Type::Null) => is_nullable(other),
            (Type::List(left), Type::List(right)) | (Type::Optional(left), Type::Optional(right)) => {
                self.one(left, right)
            }
            (Type::Map(left, from), Type::Map(right, to)) => self.one(left, right) && self.one(from, to),
            (left, right) => left == right,
        }
    }

    fn shallow(&self, ty: &Type) -> Type {
        match ty {
            Type::Parameter(name) => {
                self.values.get(name).map_or_else(|| ty.clone(), |value| self.shallow(value))
            }
            other => other.clone(),
        }
    }
}

fn is_nullable(ty: &Type) -> bool {
    matches!(ty, Type::Null | Type::Object(_) | Type::Timestamp | Type::Duration | Type::Optional(_))
}

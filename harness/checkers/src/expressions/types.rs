//! The types of expressions.

/// A type. Lists and maps have few element types, so that random parts fit together often.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Type {
    /// `bool`
    Bool,
    /// `int`
    Int,
    /// `uint`
    Uint,
    /// `double`
    Double,
    /// `string`
    Text,
    /// `bytes`
    Bytes,
    /// `google.protobuf.Timestamp`
    Timestamp,
    /// `google.protobuf.Duration`
    Duration,
    /// `list(int)`
    Ints,
    /// `list(string)`
    Texts,
    /// `map(string, int)`
    Counts,
}

impl Type {
    /// Every type.
    pub const ALL: [Self; 11] = [
        Self::Bool,
        Self::Int,
        Self::Uint,
        Self::Double,
        Self::Text,
        Self::Bytes,
        Self::Timestamp,
        Self::Duration,
        Self::Ints,
        Self::Texts,
        Self::Counts,
    ];

    /// The type of a macro's variable over a value of this type.
    pub(super) fn element(self) -> Option<Self> {
        match self {
            Self::Ints => Some(Self::Int),
            Self::Texts | Self::Counts => Some(Self::Text),
            _ => None,
        }
    }

    /// The list with these elements.
    pub(super) fn list(self) -> Option<Self> {
        match self {
            Self::Int => Some(Self::Ints),
            Self::Text => Some(Self::Texts),
            _ => None,
        }
    }

    pub(super) fn is_ordered(self) -> bool {
        !matches!(self, Self::Ints | Self::Texts | Self::Counts)
    }

    pub(super) fn is_number(self) -> bool {
        matches!(self, Self::Int | Self::Uint | Self::Double)
    }
}

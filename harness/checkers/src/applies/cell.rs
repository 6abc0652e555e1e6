//! Cells: the smallest owned fields.

use std::fmt;

use serde_json::{Value, json};

/// A part of the path to a field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Piece {
    /// A field of a structure, or a key of a map.
    Field(String),
    /// An item of a list, identified by these fields.
    Item(Vec<(&'static str, Value)>),
    /// A value of a set.
    Member(String),
}

/// The content of a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Holds {
    /// A text.
    Text,
    /// A number, 1 by default.
    Number,
    /// A whole list of texts.
    List,
    /// A whole map of texts.
    Map,
    /// A whole structure.
    Structure,
    /// A value of a set: present or absent.
    Member,
    /// An item of a list with its key fields: present or absent. Its removal removes all its fields.
    Item,
}

/// A field that is owned as a whole, and its content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cell {
    /// In the notation of people: `spec.rules[a].value`.
    pub(super) name: &'static str,
    pub(super) holds: Holds,
    pub(super) pieces: Vec<Piece>,
}

/// The key fields of a list, with their values in the item of this name.
fn keys(list: &str, item: &str) -> Vec<(&'static str, Value)> {
    match (list, item.split_once('/')) {
        ("ports", Some((port, protocol))) => {
            vec![("port", json!(port.parse::<u16>().unwrap_or_default())), ("protocol", json!(protocol))]
        }
        _ => vec![("name", json!(item))],
    }
}

impl Cell {
    pub(super) fn new(name: &'static str, holds: Holds) -> Self {
        let mut pieces = Vec::new();
        for part in name.split('.') {
            let (field, item) = part.strip_suffix(']').and_then(|part| part.split_once('[')).unzip();
            let field: &str = field.unwrap_or(part);
            pieces.push(Piece::Field(field.to_owned()));
            pieces.extend(item.map(|item: &str| match holds {
                Holds::Member => Piece::Member(item.to_owned()),
                _ => Piece::Item(keys(field, item)),
            }));
        }
        Self { name, holds, pieces }
    }

    /// One of its values; `true` for an item or a value of a set.
    pub(super) fn value(&self, number: u8) -> Value {
        // No other cell has this text.
        let text = |number: u8| format!("{}-{number}", self.name.replace(['.', '[', ']', '/'], "-"));
        match self.holds {
            Holds::Text => json!(text(number)),
            Holds::Number => json!(number + 1),
            Holds::List => (0..=number).map(text).collect(),
            Holds::Map => json!({ "k": text(number) }),
            Holds::Structure => json!({ "x": number, "y": 1, "z": 1 }),
            Holds::Member | Holds::Item => json!(true),
        }
    }

    /// Its value without any writer.
    pub(super) fn default(&self) -> Option<Value> {
        (self.holds == Holds::Number).then(|| json!(1))
    }

    /// The name of its item, if it is in one.
    pub(super) fn item(&self) -> Option<&'static str> {
        self.name.split_once("].").map(|(item, _)| &self.name[..=item.len()])
    }

    /// The pieces of the owned field: an item is owned by its key field.
    pub(super) fn owned(&self) -> Vec<Piece> {
        let mut pieces = self.pieces.clone();
        if let (Holds::Item, Some(Piece::Item(keys))) = (self.holds, self.pieces.last()) {
            pieces.extend(keys.first().map(|(field, _)| Piece::Field((*field).to_owned())));
        }
        pieces
    }

    /// As in `fieldsV1`, with slashes: `f:spec/f:rules/k:{"name":"a"}/f:value`.
    pub(super) fn path(&self) -> String {
        self.owned().iter().map(Piece::key).collect::<Vec<_>>().join("/")
    }

    /// As in the causes of a conflict: `.spec.rules[name="a"].value`.
    pub(super) fn field(&self) -> String {
        self.owned().iter().map(Piece::to_string).collect()
    }
}

impl Piece {
    /// As in `fieldsV1`.
    pub(super) fn key(&self) -> String {
        match self {
            Self::Field(name) => format!("f:{name}"),
            Self::Item(keys) => format!("k:{}", object(keys)),
            Self::Member(value) => format!("v:{}", json!(value)),
        }
    }
}

/// As in causes.
impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Field(name) => write!(f, ".{name}"),
            Self::Item(keys) => {
                let keys: Vec<_> = keys.iter().map(|(field, value)| format!("{field}={value}")).collect();
                write!(f, "[{}]", keys.join(","))
            }
            Self::Member(value) => write!(f, "[={}]", json!(value)),
        }
    }
}

/// An item with its key fields only.
pub(super) fn object(keys: &[(&'static str, Value)]) -> Value {
    keys.iter().map(|(field, value)| ((*field).to_owned(), value.clone())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_has_a_name_a_path_and_a_field() {
        let path_and_field = |name, holds| {
            let cell = Cell::new(name, holds);
            (cell.path(), cell.field())
        };
        let both = |path: &str, field: &str| (path.to_owned(), field.to_owned());
        assert_eq!(path_and_field("data.a", Holds::Text), both("f:data/f:a", ".data.a"));
        let rule = both(r#"f:spec/f:rules/k:{"name":"a"}/f:value"#, r#".spec.rules[name="a"].value"#);
        assert_eq!(path_and_field("spec.rules[a].value", Holds::Text), rule);
        let port = r#"f:spec/f:ports/k:{"port":80,"protocol":"UDP"}/f:port"#;
        assert_eq!(path_and_field("spec.ports[80/UDP]", Holds::Item).0, port);
        assert_eq!(path_and_field("spec.tags[x]", Holds::Member).0, r#"f:spec/f:tags/v:"x""#);
        assert_eq!(Cell::new("spec.rules[a].value", Holds::Text).item(), Some("spec.rules[a]"));
        assert_eq!(Cell::new("spec.rules[a]", Holds::Item).item(), None);
    }
}

//! Built-in kinds: tables of their fields and of their merge strategies.
//!
//! The tables come from the `OpenAPI` document of Kubernetes 1.36. An unindented name starts a kind; its fields follow
//! as `name shape`, with `by FIELD` or `as set` where a strategic merge patch merges the list.
//! A shape is a scalar, a kind, `[shape]` (a list), `{shape}` (a map), or `any` (kept as it is).
//!
//! Field ownership of list items follows the merge strategy, unless the field has `atomic`, `unique` (a set) or
//! `keyed FIELD,FIELD`. Fields of a kind or map have their own owners unless it has `atomic`. `default VALUE` is for
//! items without that key.

use std::collections::HashMap;
use std::sync::LazyLock;

use serde_json::Value;

const TABLES: [&str; 4] = [
    include_str!("kind/kinds.txt"),
    include_str!("kind/pods.txt"),
    include_str!("kind/controllers.txt"),
    include_str!("kind/others.txt"),
];

static KINDS: LazyLock<HashMap<&'static str, Kind>> =
    LazyLock::new(|| TABLES.into_iter().flat_map(read).collect());

/// What a field holds.
#[derive(Debug, PartialEq)]
pub(crate) enum Shape {
    /// Fields of their own.
    Kind(&'static str),
    /// A list.
    List(Box<Shape>),
    /// A map from texts.
    Map(Box<Shape>),
    /// A text.
    Text,
    /// Bytes in base64.
    Bytes,
    /// An instant in RFC 3339, to the second.
    Time,
    /// An instant in RFC 3339, to the microsecond.
    MicroTime,
    /// A whole number of 32 bits.
    Int32,
    /// A whole number of 64 bits.
    Int64,
    /// A truth value.
    Bool,
    /// Any number.
    Number,
    /// An amount: a text or a number.
    Quantity,
    /// A whole number or a text.
    IntOrText,
    /// Whatever it is.
    Any,
}

/// What a strategic merge patch does to a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Merge {
    /// It is replaced.
    Replace,
    /// It is a set of scalars.
    Set,
    /// Elements are the same if this field of them is.
    By(&'static str),
}

/// Who owns what a field holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Ownership {
    /// All of it has the same owners.
    Whole,
    /// Each part has its own: the values of a set, the entries of a map, the fields of a kind.
    Parts,
    /// Each item has its own, and is the same as another if these fields of it are.
    Keyed(Vec<&'static str>),
}

/// A field of a kind.
#[derive(Debug)]
pub(crate) struct Field {
    /// What it holds.
    pub(crate) shape: Shape,
    /// How it is merged.
    pub(crate) merge: Merge,
    /// Who owns it.
    pub(crate) ownership: Ownership,
    /// What it is where it is not said.
    pub(crate) default: Option<Value>,
}

/// A built-in kind, or a part of one.
#[derive(Debug)]
pub(crate) struct Kind {
    /// Its name.
    pub(crate) name: &'static str,
    /// Whether all of it has the same owners.
    pub(crate) atomic: bool,
    fields: HashMap<&'static str, Field>,
}

impl Kind {
    /// All fields by name.
    pub(crate) fn fields(&self) -> impl Iterator<Item = (&'static str, &Field)> {
        let mut fields: Vec<_> = self.fields.iter().map(|(name, field)| (*name, field)).collect();
        fields.sort_by_key(|(name, _)| *name);
        fields.into_iter()
    }

    /// A field by its name; the case counts.
    pub(crate) fn field(&self, name: &str) -> Option<&Field> {
        self.fields.get(name)
    }
}

/// A kind by its name.
pub(crate) fn of(name: &str) -> Option<&'static Kind> {
    KINDS.get(name)
}

/// Reads a table. Only the last field of a kind ends without a semicolon.
fn read(table: &'static str) -> HashMap<&'static str, Kind> {
    let mut kinds: HashMap<&'static str, Kind> = HashMap::new();
    let mut name = "";
    let mut words: Vec<&'static str> = Vec::new();
    for line in table.lines().chain([""]) {
        if line.starts_with(' ') {
            for word in line.split_whitespace() {
                words.push(word.trim_end_matches(';'));
                if word.ends_with(';') {
                    add(&mut kinds, name, std::mem::take(&mut words).as_slice());
                }
            }
            continue;
        }
        add(&mut kinds, name, std::mem::take(&mut words).as_slice());
        let atomic = line.strip_suffix(" atomic");
        name = atomic.unwrap_or(line);
        if !name.is_empty() {
            kinds.insert(name, Kind { name, atomic: atomic.is_some(), fields: HashMap::new() });
        }
    }
    kinds
}

fn add(kinds: &mut HashMap<&'static str, Kind>, kind: &str, words: &[&'static str]) {
    let [name, shape, rest @ ..] = words else { return };
    let (merge, rest) = match rest {
        ["as", "set", rest @ ..] => (Merge::Set, rest),
        ["by", key, rest @ ..] => (Merge::By(key), rest),
        rest => (Merge::Replace, rest),
    };
    let shape = shape_of(shape);
    let (ownership, rest) = match rest {
        ["atomic", rest @ ..] => (Ownership::Whole, rest),
        ["unique", rest @ ..] => (Ownership::Parts, rest),
        ["keyed", keys, rest @ ..] => (Ownership::Keyed(keys.split(',').collect()), rest),
        rest => (as_merged(&shape, merge), rest),
    };
    let default = match rest {
        ["default", value] => serde_json::from_str(value).ok(),
        _ => None,
    };
    if let Some(kind) = kinds.get_mut(kind) {
        kind.fields.insert(name, Field { shape, merge, ownership, default });
    }
}

fn as_merged(shape: &Shape, merge: Merge) -> Ownership {
    match (shape, merge) {
        (Shape::List(_), Merge::Replace) => Ownership::Whole,
        (_, Merge::By(key)) => Ownership::Keyed(vec![key]),
        _ => Ownership::Parts,
    }
}

fn shape_of(text: &'static str) -> Shape {
    let inside = |open: char, close: char| text.strip_prefix(open)?.strip_suffix(close);
    if let Some(item) = inside('[', ']') {
        return Shape::List(Box::new(shape_of(item)));
    }
    if let Some(item) = inside('{', '}') {
        return Shape::Map(Box::new(shape_of(item)));
    }
    match text {
        "string" => Shape::Text,
        "bytes" => Shape::Bytes,
        "time" => Shape::Time,
        "micro-time" => Shape::MicroTime,
        "int32" => Shape::Int32,
        "int64" => Shape::Int64,
        "bool" => Shape::Bool,
        "number" => Shape::Number,
        "quantity" => Shape::Quantity,
        "int-or-string" => Shape::IntOrText,
        "any" => Shape::Any,
        kind => Shape::Kind(kind),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shape_leads_to_a_kind_that_there_is() {
        fn check(shape: &Shape) {
            match shape {
                Shape::Kind(name) => assert!(of(name).is_some(), "{name}"),
                Shape::List(item) | Shape::Map(item) => check(item),
                _ => {}
            }
        }
        assert!(KINDS.len() > 100);
        KINDS.values().flat_map(|kind| kind.fields.values()).for_each(|field| check(&field.shape));
    }

    #[test]
    fn fields_are_read_with_their_merge_keys() {
        let spec = of("PodSpec").unwrap();
        let containers = spec.field("containers").unwrap();
        assert_eq!(containers.shape, Shape::List(Box::new(Shape::Kind("Container"))));
        assert_eq!(containers.merge, Merge::By("name"));
        assert_eq!(of("ObjectMeta").unwrap().field("finalizers").unwrap().merge, Merge::Set);
        assert_eq!(of("OwnerReference").unwrap().field("uid").unwrap().shape, Shape::Text);
        assert!(spec.field("Containers").is_none());
    }

    #[test]
    fn fields_are_read_with_their_owners() {
        let ownership = |kind: &str, field: &str| of(kind).unwrap().field(field).unwrap().ownership.clone();
        assert_eq!(ownership("Container", "env"), Ownership::Keyed(vec!["name"]));
        assert_eq!(ownership("Container", "ports"), Ownership::Keyed(vec!["containerPort", "protocol"]));
        assert_eq!(ownership("Container", "args"), Ownership::Whole);
        assert_eq!(ownership("PodStatus", "hostIPs"), Ownership::Whole);
        assert_eq!(ownership("ServiceSpec", "selector"), Ownership::Whole);
        assert_eq!(ownership("ConfigMap", "data"), Ownership::Parts);
        assert_eq!(of("ContainerPort").unwrap().field("protocol").unwrap().default, Some("TCP".into()));
        assert!(of("LabelSelector").unwrap().atomic && !of("PodSpec").unwrap().atomic);
    }
}

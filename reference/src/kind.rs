//! Built-in kinds: their fields, merge strategies and field ownership.
//!
//! `cargo ci kinds VERSION` writes `kinds.txt` from the `OpenAPI` documents and protobuf messages of that Kubernetes
//! release; `kinds.toml` lists the kinds. A line without indentation starts a kind. Its fields follow as `name shape`,
//! with `at NUMBER` (its number in protobuf; `at 2.1` is field 1 of the message in field 2, which JSON leaves out), and
//! with `by FIELD` or `as set` where a strategic merge patch merges the list.
//! A shape is a scalar, a kind, `[shape]` (a list), `{shape}` (a map), or `any` (unchanged). Where two groups have
//! different kinds of the same name, one of them is called `group.Name`. Where a group has them in two versions, the
//! older one is called `group.version.Name`.
//!
//! Field ownership of list items follows the merge strategy, unless the field has `atomic`, `unique` (a set) or
//! `keyed FIELD,FIELD`. Fields of a kind or map have their own owners unless it has `atomic`. `required`, `enum VALUES` (of
//! a list: of its items) and `default VALUE` are as published; no write is checked against the first two.

use std::collections::HashMap;
use std::sync::LazyLock;

use serde_json::Value;

use crate::resource_type::ResourceType;

const TABLE: &str = include_str!("kind/kinds.txt");

static KINDS: LazyLock<HashMap<&'static str, Kind>> = LazyLock::new(|| read(TABLE));

/// The type of a field's value.
#[derive(Debug, PartialEq)]
pub(crate) enum Shape {
    /// A struct.
    Kind(&'static str),
    List(Box<Shape>),
    /// A map with string keys.
    Map(Box<Shape>),
    /// A string.
    Text,
    /// Bytes in base64.
    Bytes,
    /// A time in RFC 3339, in seconds.
    Time,
    /// A time in RFC 3339, in microseconds.
    MicroTime,
    Int32,
    Int64,
    Bool,
    /// Any number.
    Number,
    /// A quantity: a string or a number.
    Quantity,
    /// An integer or a string.
    IntOrText,
    /// Any value.
    Any,
}

/// The merge strategy of a strategic merge patch for a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Merge {
    /// The patch replaces the list.
    Replace,
    /// The list is a set of scalars.
    Set,
    /// Items with equal values of this field are merged.
    By(&'static str),
}

/// The granularity of a field's owners.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Ownership {
    /// All of the value has the same owners.
    Whole,
    /// Set items, map entries or struct fields have their own owners.
    Parts,
    /// Items have their own owners; these fields identify an item.
    Keyed(Vec<&'static str>),
}

/// A field of a kind.
#[derive(Debug)]
pub(crate) struct Field {
    pub(crate) shape: Shape,
    /// Its number in protobuf, after that of the message around it, if JSON leaves that one out.
    pub(crate) number: Vec<u32>,
    pub(crate) merge: Merge,
    pub(crate) ownership: Ownership,
    /// Whether it is published as required.
    pub(crate) required: bool,
    /// The published values of an enumeration.
    pub(crate) choices: Option<Value>,
    /// The published default.
    pub(crate) default: Option<Value>,
}

/// A built-in kind, or a struct in one.
#[derive(Debug)]
pub(crate) struct Kind {
    pub(crate) name: &'static str,
    /// Whether the whole struct has the same owners.
    pub(crate) atomic: bool,
    fields: HashMap<&'static str, Field>,
}

impl Kind {
    /// All fields, sorted by name.
    pub(crate) fn fields(&self) -> impl Iterator<Item = (&'static str, &Field)> {
        let mut fields: Vec<_> = self.fields.iter().map(|(name, field)| (*name, field)).collect();
        fields.sort_by_key(|(name, _)| *name);
        fields.into_iter()
    }

    /// A field by its case-sensitive name.
    pub(crate) fn field(&self, name: &str) -> Option<&Field> {
        self.fields.get(name)
    }
}

pub(crate) fn of(name: &str) -> Option<&'static Kind> {
    KINDS.get(name)
}

/// The kind of an object, or of a type. The newest version of a group has the plain name.
pub(crate) fn in_version(api_version: &str, kind: &str) -> Option<&'static Kind> {
    of(&format!("{}.{kind}", api_version.replace('/', "."))).or_else(|| of(kind))
}

/// The kind of a type.
pub(crate) fn of_type(ty: &ResourceType) -> Option<&'static Kind> {
    in_version(&ty.api_version(), &ty.kind)
}

/// The name of a kind, without its group.
pub(crate) fn type_name(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}

fn read(table: &'static str) -> HashMap<&'static str, Kind> {
    let mut kinds: HashMap<&'static str, Kind> = HashMap::new();
    let mut name = "";
    for line in table.lines().filter(|line| !line.starts_with('#')) {
        let words: Vec<&'static str> = line.split_whitespace().collect();
        if line.starts_with(' ') {
            kinds.entry(name).and_modify(|kind| add(kind, &words));
        } else {
            name = words.first().copied().unwrap_or_default();
            let atomic = words.contains(&"atomic");
            kinds.insert(name, Kind { name, atomic, fields: HashMap::new() });
        }
    }
    kinds
}

fn add(kind: &mut Kind, words: &[&'static str]) {
    let [name, shape, rest @ ..] = words else { return };
    let (number, rest) = match rest {
        ["at", number, rest @ ..] => (number.split('.').filter_map(|part| part.parse().ok()).collect(), rest),
        rest => (Vec::new(), rest),
    };
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
    let (required, rest) = match rest {
        ["required", rest @ ..] => (true, rest),
        rest => (false, rest),
    };
    let (choices, rest) = match rest {
        ["enum", values, rest @ ..] => (serde_json::from_str(values).ok(), rest),
        rest => (None, rest),
    };
    let default = match rest {
        ["default", value] => serde_json::from_str(value).ok(),
        _ => None,
    };
    kind.fields.insert(name, Field { shape, number, merge, ownership, required, choices, default });
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
    fn every_named_kind_exists() {
        fn check(shape: &Shape) {
            match shape {
                Shape::Kind(name) => assert!(of(name).is_some(), "{name}"),
                Shape::List(item) | Shape::Map(item) => check(item),
                _ => {}
            }
        }
        KINDS.values().flat_map(|kind| kind.fields.values()).for_each(|field| check(&field.shape));
    }

    #[test]
    fn the_table_has_the_served_release() {
        let minor = |version: &str| version.split('.').nth(1).unwrap().to_owned();
        let header = TABLE.lines().next().unwrap();
        let release = header.split([' ', ',']).find(|word| word.starts_with("v1.")).unwrap();
        assert_eq!(minor(release), minor(crate::component_status::VERSION));
    }

    #[test]
    fn every_line_of_the_table_is_parsed_and_sorted() {
        let (_, lines) = TABLE.split_once('\n').unwrap();
        let kinds: Vec<&str> = lines.lines().filter(|line| !line.starts_with(' ')).collect();
        let fields = || KINDS.values().flat_map(|kind| kind.fields.values());
        assert!(kinds.is_sorted());
        assert_eq!(lines.lines().count(), KINDS.len() + fields().count());
        let count = |is_one: fn(&&Field) -> bool| fields().filter(is_one).count();
        assert_eq!(count(|field| field.default.is_some()), lines.matches(" default ").count());
        assert_eq!(count(|field| field.choices.is_some()), lines.matches(" enum ").count());
        // A field may be called so, too.
        let required =
            lines.lines().filter(|line| line.split_whitespace().skip(2).any(|word| word == "required"));
        assert_eq!(count(|field| field.required), required.count());
    }

    #[test]
    fn every_stored_type_has_a_kind() {
        let stored = crate::built_in_types::stored();
        let absent: Vec<_> = stored.filter(|ty| of_type(ty).is_none()).map(|ty| ty.kind).collect();
        assert_eq!(absent, ["ComponentStatus"], "no request sends this kind");
    }

    #[test]
    fn fields_have_merge_keys() {
        let spec = of("PodSpec").unwrap();
        let containers = spec.field("containers").unwrap();
        assert_eq!(containers.shape, Shape::List(Box::new(Shape::Kind("Container"))));
        assert_eq!(containers.merge, Merge::By("name"));
        assert_eq!(of("ObjectMeta").unwrap().field("finalizers").unwrap().merge, Merge::Set);
        assert_eq!(of("OwnerReference").unwrap().field("uid").unwrap().shape, Shape::Text);
        assert!(spec.field("Containers").is_none());
    }

    #[test]
    fn fields_have_owners() {
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

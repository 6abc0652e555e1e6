//! Built-in kinds: their fields, and how these are merged and owned.
//!
//! `kinds.txt` is written by `cargo ci kinds VERSION` from the `OpenAPI` documents of that Kubernetes release;
//! `kinds.toml` says for which kinds. A line without indentation starts a kind; its fields follow as `name shape`, with
//! `by FIELD` or `as set` where a strategic merge patch merges the list.
//! A shape is a scalar, a kind, `[shape]` (a list), `{shape}` (a map), or `any` (kept as it is). Where two groups have
//! different kinds of the same name, one of them is called `group.Name`.
//!
//! Field ownership of list items follows the merge strategy, unless the field has `atomic`, `unique` (a set) or
//! `keyed FIELD,FIELD`. Fields of a kind or map have their own owners unless it has `atomic`. `default VALUE` is the
//! published default.

use std::collections::HashMap;
use std::sync::LazyLock;

use serde_json::Value;

const TABLE: &str = include_str!("kind/kinds.txt");

static KINDS: LazyLock<HashMap<&'static str, Kind>> = LazyLock::new(|| read(TABLE));

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
    kind.fields.insert(name, Field { shape, merge, ownership, default });
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
        KINDS.values().flat_map(|kind| kind.fields.values()).for_each(|field| check(&field.shape));
    }

    #[test]
    fn the_table_is_of_the_release_that_is_served() {
        let minor = |version: &str| version.split('.').nth(1).unwrap().to_owned();
        let header = TABLE.lines().next().unwrap();
        let release = header.split([' ', ',']).find(|word| word.starts_with("v1.")).unwrap();
        assert_eq!(minor(release), minor(crate::component_status::VERSION));
    }

    #[test]
    fn every_line_of_the_table_is_read_and_in_order() {
        let (_, lines) = TABLE.split_once('\n').unwrap();
        let kinds: Vec<&str> = lines.lines().filter(|line| !line.starts_with(' ')).collect();
        let fields = || KINDS.values().flat_map(|kind| kind.fields.values());
        assert!(kinds.is_sorted());
        assert_eq!(lines.lines().count(), KINDS.len() + fields().count());
        let defaults = fields().filter(|field| field.default.is_some()).count();
        assert_eq!(defaults, lines.matches(" default ").count());
    }

    #[test]
    fn every_stored_type_has_a_kind() {
        let stored = crate::built_in_types::stored();
        let absent: Vec<_> = stored.map(|ty| ty.kind).filter(|kind| of(kind).is_none()).collect();
        assert_eq!(absent, ["ComponentStatus"], "no object of that kind is ever sent");
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

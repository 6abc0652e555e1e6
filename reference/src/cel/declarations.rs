//! The functions of expressions: standard definitions, and the libraries that Kubernetes enables.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::types::Type;

/// A signature of a function.
#[derive(Debug, Clone)]
pub(super) struct Overload {
    pub(super) is_method: bool,
    /// The types of the arguments, beginning with the receiver's.
    pub(super) args: Vec<Type>,
    pub(super) result: Type,
}

/// The signatures by name.
pub(super) type Declarations = HashMap<String, Vec<Overload>>;

/// The signatures that new expressions can use in Kubernetes 1.36.
pub(super) static DECLARATIONS: LazyLock<Declarations> = LazyLock::new(|| {
    let mut all = Declarations::new();
    for line in SIGNATURES.lines() {
        declare(&mut all, line);
    }
    // One line per comparable type would say the same eight times.
    for ty in ["int", "uint", "double", "bool", "string", "bytes", "timestamp", "duration"] {
        for operator in ["_<_", "_<=_", "_>_", "_>=_"] {
            declare(&mut all, &format!("{operator}({ty}; {ty}) bool"));
        }
        for line in COMPARABLE_LISTS.lines() {
            declare(&mut all, &line.replace('$', ty));
        }
    }
    for (left, right) in [("int", "uint"), ("int", "double"), ("uint", "double")] {
        for operator in ["_<_", "_<=_", "_>_", "_>=_"] {
            declare(&mut all, &format!("{operator}({left}; {right}) bool"));
            declare(&mut all, &format!("{operator}({right}; {left}) bool"));
        }
    }
    all
});

/// Adds a signature such as `string.indexOf(string; int) int`, or `size(string) int` for a function.
pub(super) fn declare(all: &mut Declarations, line: &str) {
    // A receiver of a library's type has a dot itself, so a method stands after two.
    let (receiver, rest) =
        line.trim().split_once("..").map_or((None, line.trim()), |(of, rest)| (Some(of), rest));
    let Some((name, rest)) = rest.split_once('(') else { return };
    let Some((args, result)) = rest.rsplit_once(") ") else { return };
    let args = args.split("; ").filter(|arg| !arg.is_empty());
    let overload = Overload {
        is_method: receiver.is_some(),
        args: receiver.into_iter().chain(args).map(Type::parse).collect(),
        result: Type::parse(result),
    };
    all.entry(name.to_owned()).or_default().push(overload);
}

/// The types with names in expressions.
pub(super) fn named_type(name: &str) -> Option<Type> {
    Some(match name {
        "bool" | "bytes" | "double" | "int" | "string" | "uint" | "null_type" | "dyn" => Type::parse(name),
        "list" => Type::list(Type::Dyn),
        "map" => Type::map(Type::Dyn, Type::Dyn),
        "type" => Type::Type(Type::Dyn.into()),
        "optional_type" => Type::optional(Type::Dyn),
        "google.protobuf.Timestamp" => Type::Timestamp,
        "google.protobuf.Duration" => Type::Duration,
        "kubernetes.URL"
        | "kubernetes.Quantity"
        | "kubernetes.Semver"
        | "kubernetes.NamedFormat"
        | "net.IP"
        | "net.CIDR" => Type::object(name),
        _ => return None,
    })
}

/// The functions of lists that exist for each comparable type.
const COMPARABLE_LISTS: &str = "list($)..isSorted() bool
list($)..min() $
list($)..max() $
list($)..sort() list($)
list(T)..@sortByAssociatedKeys(list($)) list(T)";

/// One signature per line; a receiver stands before two dots.
const SIGNATURES: &str = include_str!("signatures.txt");

//! Faults of names.

use super::{Fault, Json, Value, each, failed, hide, text};
use crate::cel::deviation::{Check::*, Deviation::*};
use crate::fault::expressions;

const KEYWORDS: [&str; 4] = ["in", "as", "for", "if"];
const TYPES: [&str; 6] = ["int", "string", "size", "type", "list", "map"];

#[rustfmt::skip]
pub(in crate::faults) const FAULTS: &[Fault] = &[
    expressions("cel-escaping-accessible-names", "the server refuses properties without an identifier", &[Skips(InaccessibleNames)]),
    expressions("cel-escaping-row-underscores", "rules see no names with double underscores", &[Sees(|schema| hide(schema, |name| name.contains("__")))]),
    expressions("cel-escaping-row-dot", "a.b is the property with that name", &[Sees(|schema| each(schema, |part| {
        let Some(properties) = part.get_mut("properties").and_then(Json::as_object_mut) else { return };
        let dotted: Vec<(String, Json)> = properties.iter().filter(|(name, _)| name.contains('.')).map(|(name, property)| (name.clone(), property.clone())).collect();
        for (name, property) in dotted {
            if let Some((outer, inner)) = name.split_once('.') {
                properties.insert(outer.to_owned(), serde_json::json!({"type": "object", "properties": {inner: property}}));
            }
        }
    }))]),
    expressions("cel-escaping-row-dash", "rules see no names with a dash", &[Sees(|schema| hide(schema, |name| name.contains('-')))]),
    expressions("cel-escaping-row-slash", "rules see no names with a slash", &[Sees(|schema| hide(schema, |name| name.contains('/')))]),
    expressions("cel-escaping-row-keyword", "rules see no reserved words but namespace", &[Sees(|schema| hide(schema, |name| name != "namespace" && crate::cel::escaping::escape(name).is_some_and(|escaped| escaped == format!("__{name}__"))))]),
    expressions("cel-escaping-keyword-var-void-while", "var, void and while have no escape", &[Sees(|schema| hide(schema, |name| matches!(name, "var" | "void" | "while")))]),
    expressions("cel-escaping-keyword-exact-match-only", "reserved words in names are escaped", &[Sees(|schema| hide(schema, |name| KEYWORDS.iter().any(|word| name != *word && name.contains(word))))]),
    expressions("cel-escaping-type-names-not-reserved", "names of types are reserved", &[Sees(|schema| hide(schema, |name| TYPES.contains(&name)))]),
    expressions("cel-escaping-example-namespace", "namespace has no escape", &[Sees(|schema| hide(schema, |name| name == "namespace"))]),
    expressions("cel-escaping-example-x-prop", "dashes are dropped", &[Sees(|schema| each(schema, |part| {
        if let Some(properties) = part.get_mut("properties").and_then(Json::as_object_mut) {
            *properties = std::mem::take(properties).into_iter().map(|(name, property)| (name.replace('-', ""), property)).collect();
        }
    }))]),
    expressions("cel-escaping-example-redact", "escaped fields are always absent", &[Returns("_._", |args, right| if text(&args[1]).contains("__") { failed() } else { right })]),
    expressions("cel-escaping-example-string", "a rule of a property named like a type is not evaluated", &[Skips(Enforcement)]),
    expressions("cel-escaping-map-keys-not-escaped", "keys of maps are escaped", &[Returns("_[_]", |args, right| match &args[0] {
        Value::Map(map) => {
            let key = crate::cel::escaping::escape(text(&args[1])).map(|key| crate::cel::value::Key(Value::text(&key)));
            key.and_then(|key| map.get(&key).cloned()).map_or_else(failed, Ok)
        }
        _ => right,
    })]),
    expressions("cel-escaping-messages-not-escaped", "causes have escaped names", &[Skips(UnescapedCauses)]),
];

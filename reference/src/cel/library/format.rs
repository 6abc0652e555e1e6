//! Named formats of texts.

use std::sync::Arc;

use crate::cel::evaluator::Evaluated;
use crate::cel::value::Value;
use crate::{schema, validation};

/// The names of formats, which are also functions.
const NAMES: [&str; 13] = [
    "dns1123Label",
    "dns1123Subdomain",
    "dns1035Label",
    "qualifiedName",
    "dns1123LabelPrefix",
    "dns1123SubdomainPrefix",
    "dns1035LabelPrefix",
    "labelValue",
    "uri",
    "uuid",
    "byte",
    "date",
    "datetime",
];

pub(super) fn call(name: &str, args: &[Value]) -> Option<Evaluated> {
    Some(Ok(match (name, args) {
        ("validate", [Value::Format(format), Value::Text(text)]) => match error(format, text) {
            Some(message) => Value::some(Value::texts([message])),
            None => Value::Optional(None),
        },
        ("format.named", [Value::Text(name)]) => {
            let known = NAMES.contains(&&**name);
            if known { Value::some(Value::Format(name.clone())) } else { Value::Optional(None) }
        }
        (name, []) => {
            let name = name.strip_prefix("format.").filter(|name| NAMES.contains(name))?;
            Value::Format(Arc::from(name))
        }
        _ => return None,
    }))
}

/// Why a text does not have a format.
fn error(format: &str, text: &str) -> Option<String> {
    // The start of a name may end in a dash, which more characters can follow.
    let prefix = |check: fn(&str) -> Option<String>| {
        let rest = text.strip_suffix('-').map_or_else(|| text.to_owned(), |start| format!("{start}a"));
        check(&rest)
    };
    let fits = |fits: bool| (!fits).then(|| format!("the text is no {format}"));
    match format {
        "dns1123Label" => validation::dns_label(text),
        "dns1123Subdomain" => validation::subdomain(text),
        "dns1035Label" => validation::label_of_1035(text),
        "qualifiedName" => validation::label_key(text),
        "dns1123LabelPrefix" => prefix(validation::dns_label),
        "dns1123SubdomainPrefix" => prefix(validation::subdomain),
        "dns1035LabelPrefix" => prefix(validation::label_of_1035),
        "labelValue" => validation::label_value(text),
        "uri" => fits(super::url::is_url(text)),
        "datetime" => fits(schema::format::fits("date-time", text)),
        other => fits(schema::format::fits(other, text)),
    }
}

//! The types of the fields of a kubeconfig: kubectl takes no number as a name, and no text as a boolean.

use serde_json::Value;

/// The fields of the kubeconfig itself that are texts.
const TEXTS: [&str; 3] = ["kind", "apiVersion", "current-context"];

/// The lists of a kubeconfig, each with the field of its entries, and the texts and the booleans in that field.
const LISTS: [(&str, &str, &[&str], &[&str]); 3] = [
    (
        "clusters",
        "cluster",
        &["server", "certificate-authority", "certificate-authority-data", "tls-server-name", "proxy-url"],
        &["insecure-skip-tls-verify", "disable-compression"],
    ),
    ("contexts", "context", &["cluster", "user", "namespace"], &[]),
    (
        "users",
        "user",
        &[
            "token",
            "tokenFile",
            "username",
            "password",
            "client-certificate",
            "client-certificate-data",
            "client-key",
            "client-key-data",
            "as",
            "as-uid",
        ],
        &[],
    ),
];

/// Booleans of YAML 1.1, which kubectl reads; here they are texts.
const OLD_BOOLEANS: [&str; 16] =
    ["y", "yes", "Yes", "YES", "on", "On", "ON", "n", "no", "No", "NO", "off", "Off", "OFF", "True", "False"];

/// Expects texts and booleans where kubectl does. `Err` names the first other field, and quotes no value.
pub(crate) fn check_types(kubeconfig: &Value) -> Result<(), String> {
    TEXTS.iter().try_for_each(|field| expect_text(&kubeconfig[*field], field))?;
    for (list, entry, texts, booleans) in LISTS {
        for (at, named) in kubeconfig[list].as_array().into_iter().flatten().enumerate() {
            expect_text(&named["name"], &format!("{list}[{at}].name"))?;
            let path = |field: &str| format!("{list}[{at}].{entry}.{field}");
            texts.iter().try_for_each(|field| expect_text(&named[entry][*field], &path(field)))?;
            booleans.iter().try_for_each(|field| expect_boolean(&named[entry][*field], &path(field)))?;
        }
    }
    Ok(())
}

fn expect_text(value: &Value, path: &str) -> Result<(), String> {
    match value {
        Value::Null | Value::String(_) => Ok(()),
        other => Err(format!("{path} is {}, and must be a text; is it without quotes?", type_of(other))),
    }
}

fn expect_boolean(value: &Value, path: &str) -> Result<(), String> {
    match value {
        Value::Null | Value::Bool(_) => Ok(()),
        Value::String(text) if OLD_BOOLEANS.contains(&text.as_str()) => Ok(()),
        other => Err(format!("{path} is {}, and must be true or false without quotes", type_of(other))),
    }
}

fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "a map",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checked(kubeconfig: &str) -> Result<(), String> {
        check_types(&serde_saphyr::from_str(kubeconfig).unwrap())
    }

    #[test]
    fn a_field_of_another_type_is_named_without_its_value() {
        let with_cluster = |field: &str| checked(&format!("clusters: [{{name: k, cluster: {{{field}}}}}]"));
        assert_eq!(with_cluster("insecure-skip-tls-verify: true, server: 'https://a'"), Ok(()));
        assert_eq!(with_cluster("insecure-skip-tls-verify: yes, server: null"), Ok(()));
        assert_eq!(
            with_cluster("insecure-skip-tls-verify: 'true'").unwrap_err(),
            "clusters[0].cluster.insecure-skip-tls-verify is a text, and must be true or false without quotes"
        );
        let users = |name: &str| checked(&format!("users: [{{name: u}}, {{name: {name}}}]"));
        assert_eq!(users("'4711'"), Ok(()));
        let why = users("4711").unwrap_err();
        assert!(why.starts_with("users[1].name is a number, and") && !why.contains("4711"), "{why}");
        assert!(checked("current-context: 1").unwrap_err().starts_with("current-context is a number"));
    }
}

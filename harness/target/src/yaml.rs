//! YAML files of the user. Their errors quote nothing of the text: the user may have named a key or a kubeconfig by mistake.

use serde::de::DeserializeOwned;
use serde_saphyr::Error;

/// Parses a text. `Err` reads `line 7, column 3: expected a string`.
pub fn parse_yaml<T: DeserializeOwned>(text: &str) -> Result<T, String> {
    serde_saphyr::from_str(text).map_err(|why| {
        let cause = yaml_error(&why);
        match why.location() {
            Some(place) => format!("line {}, column {}: {cause}", place.line(), place.column()),
            None => cause,
        }
    })
}

/// The cause of a parser's error, without its place and without the text.
pub fn yaml_error(error: &Error) -> String {
    match error.without_snippet() {
        // The text of the syntax parser: it names characters such as brackets at the most.
        Error::ExternalMessage { msg, .. } => {
            format!("it is no YAML: {}", msg.lines().next().unwrap_or_default())
        }
        Error::Unexpected { expected, .. } => format!("expected {expected}"),
        Error::SerdeInvalidType { expected, .. } | Error::SerdeInvalidValue { expected, .. } => {
            format!("expected {expected}")
        }
        Error::SerdeUnknownField { expected, .. } => {
            format!("there is an unknown field; hint: the fields are {}", expected.join(", "))
        }
        Error::SerdeMissingField { field, .. } => format!("the field {field} is missing"),
        Error::DuplicateMappingKey { .. } => "a key is there twice".to_owned(),
        Error::MultipleDocuments { .. } => "a second document begins".to_owned(),
        Error::Eof { .. } => "the text ends too early".to_owned(),
        Error::InvalidUtf8Input => "it is no text in UTF-8".to_owned(),
        Error::Budget { .. } => "it has more values than kube-assay reads".to_owned(),
        Error::AliasError { error, .. } => yaml_error(error),
        _ => "it is no YAML of the expected form".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde::Deserialize;

    use super::*;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Form {
        #[expect(dead_code, reason = "only its name matters")]
        name: BTreeMap<String, u8>,
    }

    #[test]
    fn an_error_has_its_place_and_nothing_of_the_text() {
        let texts = [
            "s3cr3t",
            "s3cr3t: x",
            "name: s3cr3t",
            "name: {s3cr3t: s3cr3t}",
            "name: {s3cr3t: 1, s3cr3t: 2}",
            "name: *s3cr3t",
            "name: !s3cr3t s3cr3t",
            "name: [s3cr3t",
            "name: \"s3cr3t\nname",
            "- s3cr3t\nname: s3cr3t",
            "%s3cr3t s3cr3t\n---\ns3cr3t",
            "-----BEGIN s3cr3t-----\ns3cr3t\n-----END s3cr3t-----\n",
            "",
        ];
        for text in texts {
            let why = parse_yaml::<Form>(text).unwrap_err();
            assert!(!why.contains("s3cr3t"), "{text:?}: {why}");
            assert!(why.starts_with("line ") && !why.contains('\n'), "{text:?}: {why}");
        }
        let unknown = parse_yaml::<Form>("\n\n  other: 1").unwrap_err();
        assert_eq!(unknown, "line 3, column 3: there is an unknown field; hint: the fields are name");
    }
}

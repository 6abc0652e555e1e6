//! YAML files of the user. Their errors quote nothing of the text: the user may have named a key or a kubeconfig by mistake.

use serde::de::DeserializeOwned;
use serde_saphyr::Error;
use serde_saphyr::budget::BudgetBreach;

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
    if let Some(cause) = form_error(error) {
        return cause.to_owned();
    }
    match error.without_snippet() {
        // The text of the syntax parser: it names characters such as brackets at the most.
        Error::ExternalMessage { msg, .. } => {
            format!("it is no YAML: {}", msg.lines().next().unwrap_or_default())
        }
        Error::Unexpected { expected, .. } => format!("expected {}", value_of(expected)),
        Error::SerdeInvalidType { expected, .. } | Error::SerdeInvalidValue { expected, .. } => {
            format!("expected {expected}")
        }
        Error::SerdeUnknownField { expected, .. } => {
            format!("there is an unknown field; hint: the fields are {}", expected.join(", "))
        }
        Error::SerdeMissingField { field, .. } => format!("the field {field} is missing"),
        Error::MultipleDocuments { .. } => "a second document begins".to_owned(),
        Error::Eof { .. } => "the text ends too early".to_owned(),
        Error::InvalidUtf8Input => "it is no text in UTF-8".to_owned(),
        Error::AliasError { error, .. } => yaml_error(error),
        _ => "it is no YAML of the expected form".to_owned(),
    }
}

/// The value that an event of the parser begins.
fn value_of(event: &str) -> &str {
    match event {
        "sequence start" => "a list",
        "mapping start" => "a mapping",
        // Also where a number is expected.
        "string scalar" | "scalar" => "a scalar",
        other => other,
    }
}

/// The cause, where it is the form of the text: it has the same words for every kind of file.
pub(crate) fn form_error(error: &Error) -> Option<&'static str> {
    match error.without_snippet() {
        Error::AliasError { error, .. } => match form_error(error) {
            Some(TOO_MANY_VALUES) => Some(TOO_MANY_ALIASES),
            cause => cause,
        },
        Error::DuplicateMappingKey { .. } => Some("a key is there twice"),
        Error::AliasReplayCounterOverflow { .. }
        | Error::AliasReplayLimitExceeded { .. }
        | Error::AliasExpansionLimitExceeded { .. }
        | Error::AliasReplayStackDepthExceeded { .. }
        | Error::Budget {
            breach:
                BudgetBreach::Aliases { .. }
                | BudgetBreach::Anchors { .. }
                | BudgetBreach::AliasAnchorRatio { .. }
                | BudgetBreach::RecordedAnchorEvents { .. }
                | BudgetBreach::RecordedAnchorBytes { .. },
            ..
        } => Some(TOO_MANY_ALIASES),
        Error::Budget { breach: BudgetBreach::Depth { .. }, .. } => Some(TOO_DEEP),
        Error::Budget { .. } => Some(TOO_MANY_VALUES),
        Error::ExternalMessage { msg, .. } if msg.starts_with("recursion limit") => Some(TOO_DEEP),
        Error::ExternalMessage { msg, .. } if names_tab(msg) => {
            Some("it has a tab where YAML allows only spaces")
        }
        _ => None,
    }
}

const TOO_MANY_ALIASES: &str = "it has too many aliases";
const TOO_DEEP: &str = "it is nested too deeply";

/// No line of the text is the cause.
pub(crate) const TOO_MANY_VALUES: &str = "it has more values than kube-assay reads";

/// Whether the message of the syntax parser is about a tab: it has several for the places of one.
fn names_tab(message: &str) -> bool {
    message.split(|character: char| !character.is_alphabetic()).any(|word| matches!(word, "tab" | "tabs"))
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

    #[test]
    fn the_expected_value_is_named() {
        let list = parse_yaml::<BTreeMap<String, Vec<String>>>("contact: a@b.c").unwrap_err();
        assert_eq!(list, "line 1, column 10: expected a list");
        let mapping = parse_yaml::<Form>("[]").unwrap_err();
        assert!(mapping.ends_with(": expected a mapping"), "{mapping}");
        let scalar = parse_yaml::<BTreeMap<String, u8>>("a: []").unwrap_err();
        assert!(scalar.ends_with(": expected a scalar"), "{scalar}");
    }

    #[test]
    fn the_form_of_a_text_is_named() {
        let bomb = (1..10).fold("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned(), |text, number| {
            let aliases = vec![format!("*a{}", number - 1); 10].join(", ");
            format!("{text}a{number}: &a{number} [{aliases}]\n")
        });
        for (text, cause) in [
            ("a:\n  b: 1\n\tc: 2\n".to_owned(), "it has a tab where YAML allows only spaces"),
            (format!("a: {}", "[".repeat(100_000)), TOO_DEEP),
            (format!("a: {}{}", "[".repeat(100), "]".repeat(100)), TOO_DEEP),
            (format!("a: &a x\nb: [{}x]", "*a, ".repeat(60_000)), TOO_MANY_ALIASES),
        ] {
            let why = parse_yaml::<serde::de::IgnoredAny>(&text).unwrap_err();
            assert!(why.ends_with(cause), "{text:.60}: {why}");
        }
        // Its aliases count, or the values that they stand for.
        let why = parse_yaml::<serde::de::IgnoredAny>(&bomb).unwrap_err();
        assert!([TOO_MANY_ALIASES, TOO_MANY_VALUES].iter().any(|cause| why.ends_with(cause)), "{why}");
    }
}

//! Names of properties as identifiers.

/// The words that an identifier cannot be.
const RESERVED: [&str; 4] = ["true", "false", "null", "in"];

/// The identifier of a property; `None` if it has none.
pub(crate) fn escape(name: &str) -> Option<String> {
    if RESERVED.contains(&name) || super::parser::RESERVED.contains(&name) {
        return Some(format!("__{name}__"));
    }
    let mut characters = name.chars().peekable();
    if characters.peek().is_none_or(char::is_ascii_digit) {
        return None;
    }
    let mut escaped = String::new();
    while let Some(next) = characters.next() {
        match next {
            '_' if characters.next_if_eq(&'_').is_some() => escaped.push_str("__underscores__"),
            '.' => escaped.push_str("__dot__"),
            '-' => escaped.push_str("__dash__"),
            '/' => escaped.push_str("__slash__"),
            next if next.is_ascii_alphanumeric() || next == '_' => escaped.push(next),
            _ => return None,
        }
    }
    Some(escaped)
}

#[cfg(test)]
mod tests {
    use super::escape;

    #[test]
    fn names_have_the_identifiers_of_the_documentation() {
        for (name, identifier) in [
            ("a", Some("a")),
            ("namespace", Some("__namespace__")),
            ("in", Some("__in__")),
            ("sprint", Some("sprint")),
            ("x-prop", Some("x__dash__prop")),
            ("redact__d", Some("redact__underscores__d")),
            ("___", Some("__underscores___")),
            ("a.b/c", Some("a__dot__b__slash__c")),
            ("1st", None),
            ("sp ace", None),
            ("ü", None),
            ("", None),
        ] {
            assert_eq!(escape(name).as_deref(), identifier, "{name}");
        }
    }
}

//! Patterns for the ids of clauses and scenarios.

/// Whether a name matches a pattern in which `*` stands for any characters.
pub fn matches(pattern: &str, name: &str) -> bool {
    let mut parts = pattern.split('*');
    let head = parts.next().unwrap_or_default();
    let Some(mut rest) = name.strip_prefix(head) else { return false };
    let Some(tail) = parts.next_back() else { return rest.is_empty() };
    // The first place of each part leaves the most to those behind it: no other need be tried.
    for part in parts.filter(|part| !part.is_empty()) {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(tail)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_matches_any_characters() {
        assert!(matches("rv-list-*-unset*", "rv-list-exact-unset-invalid"));
        assert!(matches("*", ""));
        assert!(!matches("rv-*", "gone-rv-"));
        assert!(!matches("rv", "rv-list"));
        assert!(matches("*é", "aé"));
        assert!(!matches("a*a", "a"), "no character counts twice");
        assert!(matches("*a*b*a", "cababa"));
        // Trying every place of every star would take exponential time.
        assert!(!matches(&"*a".repeat(40), &"a".repeat(39)));
        assert!(!matches(&format!("{}b", "*a".repeat(40)), &"a".repeat(200)));
    }
}

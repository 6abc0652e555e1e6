//! Where the values of flags come from that the user has not given on the command line.

use std::sync::OnceLock;

/// Flags, each with the origin of its value.
static ORIGINS: OnceLock<Vec<(String, String)>> = OnceLock::new();

/// Remembers the origins for all messages.
pub(crate) fn learn(origins: Vec<(String, String)>) {
    let _ = ORIGINS.set(origins);
}

/// What an error must add that names a flag which the user has not given; empty if there is nothing.
pub(crate) fn notes(error: &str) -> String {
    notes_from(ORIGINS.get().map_or(&[], Vec::as_slice), error)
}

fn notes_from(origins: &[(String, String)], error: &str) -> String {
    let named = origins.iter().filter(|(flag, _)| names(error, flag));
    let notes: Vec<String> = named.map(|(flag, origin)| format!("; {flag} comes from {origin}")).collect();
    notes.concat()
}

/// Whether a text has this flag, and not only a longer one.
fn names(text: &str, flag: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '-';
    text.match_indices(flag).any(|(at, _)| !text[at + flag.len()..].starts_with(is_part))
}

/// The variables of kube-assay whose values are no text: the parser of the command line does not name them.
pub(crate) fn unreadable_variables() -> impl Iterator<Item = String> {
    let unreadable = std::env::vars_os().filter(|(_, value)| value.to_str().is_none());
    unreadable.filter_map(|(name, _)| name.into_string().ok()).filter(|name| name.starts_with("KUBE_ASSAY_"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_flags_that_an_error_names_have_a_note() {
        let origins = ["--token", "--server"].map(|flag| (flag.to_owned(), "the variable V".to_owned()));
        let notes = |error| notes_from(&origins, error);
        assert_eq!(notes("failed to read --token-file"), "");
        assert_eq!(notes("--token is empty"), "; --token comes from the variable V");
        assert_eq!(notes("give --token or --server").matches("; ").count(), 2);
    }
}

//! Field manager names: the fieldManager parameter and the user agent.

use std::sync::LazyLock;

use regex::Regex;

/// The maximum length of a name in bytes.
pub(crate) const LONGEST: usize = 128;

/// Printable characters: letters, marks, numbers, punctuation, symbols and the space.
static PRINTABLE: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$").ok());

/// The default name of a client: the first part of its User-Agent.
pub(crate) fn from_user_agent(agent: &str) -> String {
    let program = agent.split('/').next().unwrap_or_default();
    let mut name = String::new();
    for character in program.chars().filter(|character| is_printable(*character)) {
        if name.len() + character.len_utf8() > LONGEST {
            break;
        }
        name.push(character);
    }
    name
}

/// The unprintable characters of a name, with their offsets.
pub(crate) fn unprintable(name: &str) -> impl Iterator<Item = (usize, char)> {
    name.char_indices().filter(|(_, character)| !is_printable(*character))
}

fn is_printable(character: char) -> bool {
    let mut buffer = [0; 4];
    PRINTABLE.as_ref().is_none_or(|printable| printable.is_match(character.encode_utf8(&mut buffer)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_is_the_user_agent_up_to_the_slash() {
        assert_eq!(from_user_agent("acme-tool/1.2 (linux) x"), "acme-tool");
        assert_eq!(from_user_agent("two words/1"), "two words");
        assert_eq!(from_user_agent("a\u{200b}b"), "ab");
        assert_eq!(from_user_agent(&format!("{}/1", "f".repeat(200))), "f".repeat(128));
        assert_eq!(from_user_agent(&"😀".repeat(60)), "😀".repeat(32));
        assert_eq!(from_user_agent(""), "");
    }

    #[test]
    fn unprintable_characters_are_found() {
        let found: Vec<_> = unprintable("a\nb\u{200b}é x").collect();
        assert_eq!(found, [(1, '\n'), (3, '\u{200b}')]);
    }
}

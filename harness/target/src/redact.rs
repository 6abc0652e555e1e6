//! Keeps credentials out of everything that leaves the program.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

/// Knows every credential in use and replaces it wherever it shows.
#[derive(Debug, Clone, Default)]
pub struct Redactor {
    secrets: Arc<Mutex<BTreeSet<String>>>,
}

/// Shorter credentials would make ordinary words disappear.
const SHORTEST: usize = 6;

/// The beginning of a credential may be shorter still before it is taken for a word.
const SHORTEST_BEGINNING: usize = 10;

/// What stands in a credential's place.
const REDACTED: &str = "[redacted]";

/// What stands where a text was cut.
const CUT: char = '…';

impl Redactor {
    /// Learns a credential: a whole header value also hides the token behind its scheme.
    ///
    /// A server may give it back as it stands, in a JSON string or in an address.
    pub fn learn(&self, secret: &str) {
        let mut secrets = self.secrets.lock().unwrap_or_else(PoisonError::into_inner);
        for part in [Some(secret), secret.split_once(' ').map(|(_, token)| token)].into_iter().flatten() {
            if part.len() >= SHORTEST {
                let quoted = serde_json::Value::from(part).to_string();
                secrets.insert(quoted.trim_matches('"').to_owned());
                secrets.insert(form_urlencoded::byte_serialize(part.as_bytes()).collect());
                secrets.insert(part.to_owned());
            }
        }
    }

    /// The text with every known credential replaced, also where a cut has left only its beginning.
    pub fn redact(&self, text: &str) -> String {
        let secrets = self.secrets.lock().unwrap_or_else(PoisonError::into_inner);
        let whole = secrets
            .iter()
            .rev()
            .fold(text.to_owned(), |text, secret| text.replace(secret.as_str(), REDACTED));
        secrets.iter().fold(whole, |text, secret| without_beginning(&text, secret))
    }
}

/// Replaces the beginning of a secret at the text's end and before every mark of a cut.
fn without_beginning(text: &str, secret: &str) -> String {
    let pieces = text.split_inclusive(CUT).map(|piece| {
        let head = piece.trim_end_matches(CUT).trim_end();
        let beginning = (SHORTEST_BEGINNING..secret.len())
            .rev()
            .filter_map(|length| secret.get(..length))
            .find(|beginning| head.ends_with(beginning));
        let Some(beginning) = beginning else { return piece.to_owned() };
        let kept = head.len() - beginning.len();
        format!("{}{REDACTED}{}", &head[..kept], &piece[head.len()..])
    });
    pieces.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_hidden_with_and_without_its_scheme() {
        let redactor = Redactor::default();
        redactor.learn("Bearer s3cr3t-token");
        assert_eq!(redactor.redact("you sent s3cr3t-token"), "you sent [redacted]");
        assert!(!redactor.redact("Bearer s3cr3t-token").contains("s3cr3t"));
    }

    #[test]
    fn a_token_is_hidden_however_it_is_written() {
        let redactor = Redactor::default();
        redactor.learn(r#"a"b\c+d/e"#);
        assert_eq!(redactor.redact(r#"{"sent":"a\"b\\c+d/e"}"#), r#"{"sent":"[redacted]"}"#);
        assert_eq!(redactor.redact("location: /?a%22b%5Cc%2Bd%2Fe"), "location: /?[redacted]");
    }

    #[test]
    fn a_token_that_was_cut_is_hidden() {
        let redactor = Redactor::default();
        redactor.learn("s3cr3t-token");
        assert_eq!(redactor.redact("you sent s3cr3t-tok"), "you sent [redacted]");
        assert_eq!(redactor.redact("sent s3cr3t-tok\n… (900 bytes)"), "sent [redacted]\n… (900 bytes)");
        assert_eq!(redactor.redact("a s3cr3ts b"), "a s3cr3ts b");
    }
}

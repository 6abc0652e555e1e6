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

impl Redactor {
    /// Learns a credential: a whole header value also hides the token behind its scheme.
    pub fn learn(&self, secret: &str) {
        let mut secrets = self.secrets.lock().unwrap_or_else(PoisonError::into_inner);
        for part in [Some(secret), secret.split_once(' ').map(|(_, token)| token)].into_iter().flatten() {
            if part.len() >= SHORTEST {
                secrets.insert(part.to_owned());
            }
        }
    }

    /// The text with every known credential replaced.
    pub fn redact(&self, text: &str) -> String {
        let secrets = self.secrets.lock().unwrap_or_else(PoisonError::into_inner);
        secrets.iter().fold(text.to_owned(), |text, secret| text.replace(secret.as_str(), "[redacted]"))
    }
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
}

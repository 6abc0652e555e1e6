//! Words that better ones replaced: ARCHITECTURE.md has the current words.

use super::Finding;
use super::code::contains_word;
use super::tree::Tree;

/// The invariant.
pub(crate) const SENTENCE: &str = "one word per concept: no text uses a word that another replaced";

/// The replaced words with their replacements. In halves, so that this file passes its own check.
const REPLACED: &[(&str, &str)] = &[
    (concat!("up", "held"), "passed"),
    (concat!("viol", "ated"), "failed"),
    (concat!("undeter", "mined"), "inconclusive"),
    (concat!("un", "tested"), "skipped"),
    (concat!("not off", "ered"), "not supported"),
    (concat!("judge", "ment"), "conclusion"),
    (concat!("le", "ver"), "hook"),
    (concat!("le", "vers"), "hooks"),
    (concat!("kill ", "matrix"), "mutation matrix"),
    (concat!("bread", "th"), "kinds"),
    (concat!("obst", "acle"), "test error"),
    (concat!("obst", "acles"), "test errors"),
    (concat!("amb", "ient"), "invariant check"),
    (concat!("watch", "dog"), "invariant checks"),
    (concat!("rul", "ing"), "result of a check"),
    (concat!("chron", "icle"), "version history"),
    (concat!("cr", "ew"), "watches of a worker"),
];

/// Clauses quote texts of Kubernetes, and the changelog describes the past.
const QUOTING: [&str; 2] = ["suites/clauses/", "CHANGELOG.md"];

/// Finds replaced words, with their lines.
pub(crate) fn find(tree: &Tree) -> Vec<Finding> {
    let files = tree.files().filter(|(path, _)| !QUOTING.iter().any(|quoting| path.starts_with(quoting)));
    let lines = files.flat_map(|(path, file)| {
        (1..).zip(file.text.lines()).map(move |(number, line)| (path, number, line.to_lowercase()))
    });
    let findings = lines.flat_map(|(path, number, line)| {
        let used = REPLACED.iter().filter(|(word, _)| contains_word(&line, word, char::is_alphanumeric));
        let finding = |(word, instead): &(&str, &str)| {
            Finding::at(path, number, format!("uses `{word}`: the word is `{instead}`"))
        };
        used.map(finding).collect::<Vec<_>>()
    });
    findings.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(path: &str, text: &str) -> Vec<String> {
        find(&Tree::of(&[(path, text)])).iter().map(Finding::to_string).collect()
    }

    #[test]
    fn a_replaced_word_is_found_with_its_replacement() {
        let (old, new) = REPLACED[0];
        let expected = format!("docs/a.md:2: uses `{old}`: the word is `{new}`");
        assert_eq!(found("docs/a.md", &format!("a\nall {}.", old.to_uppercase())), [expected]);
    }

    #[test]
    fn parts_of_other_words_and_quotations_pass() {
        let (old, _) = REPLACED[6];
        assert_eq!(found("docs/a.md", &format!("c{old} {old}age")), [""; 0]);
        assert_eq!(found("suites/clauses/gone.toml", old), [""; 0]);
    }
}

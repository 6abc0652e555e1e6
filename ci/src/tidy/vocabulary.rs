//! Words that were given up for the field's own: ARCHITECTURE.md has the words that hold.

use super::Finding;
use super::code::says;
use super::tree::Tree;

/// What [`find`] demands.
pub(crate) const SENTENCE: &str = "one word per concept: no text uses a word that another replaced";

/// Each with the word that replaced it. Written in halves, so that this file passes its own check.
const GIVEN_UP: &[(&str, &str)] = &[
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

/// Clauses quote the texts of Kubernetes, and the changelog tells what was.
const QUOTING: [&str; 2] = ["suites/clauses/", "CHANGELOG.md"];

/// Finds them, with their lines.
pub(crate) fn find(tree: &Tree) -> Vec<Finding> {
    let files = tree.files().filter(|(path, _)| !QUOTING.iter().any(|quoting| path.starts_with(quoting)));
    let lines = files.flat_map(|(path, file)| {
        (1..).zip(file.text.lines()).map(move |(number, line)| (path, number, line.to_lowercase()))
    });
    let findings = lines.flat_map(|(path, number, line)| {
        let used = GIVEN_UP.iter().filter(|(word, _)| says(&line, word, char::is_alphanumeric));
        let finding = |(word, instead): &(&str, &str)| {
            Finding::at(path, number, format!("says `{word}`: the word is `{instead}`"))
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
    fn a_word_that_was_given_up_is_found_with_the_one_that_holds() {
        let (old, new) = GIVEN_UP[0];
        let expected = format!("docs/a.md:2: says `{old}`: the word is `{new}`");
        assert_eq!(found("docs/a.md", &format!("a\nall {}.", old.to_uppercase())), [expected]);
    }

    #[test]
    fn parts_of_other_words_and_quotations_pass() {
        let (old, _) = GIVEN_UP[6];
        assert_eq!(found("docs/a.md", &format!("c{old} {old}age")), [""; 0]);
        assert_eq!(found("suites/clauses/gone.toml", old), [""; 0]);
    }
}

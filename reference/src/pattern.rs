//! Regular expressions of users, each compiled once: a rule may match every item of a long list.

mod class;
mod escape;
mod reader;
mod repetition;
mod translation;
mod unicode_names;

use std::cell::RefCell;
use std::collections::HashMap;

use regex::{Error, Regex, RegexBuilder};

pub(crate) use self::translation::translate;

/// The memory of a small regular expression, in bytes. A large one takes up to a hundred times as much.
const SMALL: usize = 128 << 10;

/// The most patterns of small and of large regular expressions that a thread remembers.
const MOST_SMALL: usize = 256;
const MOST_LARGE: usize = 4;

/// Regular expressions by their patterns; `None` for an invalid one.
#[derive(Default)]
struct Compiled {
    small: HashMap<String, Option<Regex>>,
    large: HashMap<String, Option<Regex>>,
}

thread_local! {
    static COMPILED: RefCell<Compiled> = RefCell::default();
}

/// The regular expression of a pattern in the syntax of Go; `None` if it is invalid, or too large for Rust.
pub(crate) fn regex(pattern: &str) -> Option<Regex> {
    COMPILED.with_borrow_mut(|Compiled { small, large }| {
        if let Some(known) = small.get(pattern).or_else(|| large.get(pattern)) {
            return known.clone();
        }
        let (regex, is_small) = compile(pattern);
        let (compiled, most) = if is_small { (small, MOST_SMALL) } else { (large, MOST_LARGE) };
        if compiled.len() >= most {
            compiled.clear();
        }
        compiled.insert(pattern.to_owned(), regex.clone());
        regex
    })
}

/// The regular expression of a pattern, and whether both take little memory.
fn compile(pattern: &str) -> (Option<Regex>, bool) {
    let is_short = pattern.len() <= SMALL;
    let Ok(translated) = translate(pattern) else { return (None, is_short) };
    if is_short {
        let small = RegexBuilder::new(&translated).size_limit(SMALL).dfa_size_limit(SMALL).build();
        if !matches!(small, Err(Error::CompiledTooBig(_))) {
            return (small.ok(), true);
        }
    }
    (Regex::new(&translated).ok(), false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_large_patterns_are_remembered() {
        for number in 0..2 * MOST_LARGE {
            let large = regex(&format!(r"^\pL{{{}}}$", 40 + number)).unwrap();
            assert!(large.is_match(&"a".repeat(40 + number)));
            assert!(regex(&format!("^a{number}$")).unwrap().is_match(&format!("a{number}")));
        }
        assert!(regex(&"(".repeat(SMALL + 1)).is_none());
        let remembered = COMPILED.with_borrow(|compiled| (compiled.small.len(), compiled.large.len()));
        assert_eq!(remembered, (2 * MOST_LARGE, 1));
    }
}

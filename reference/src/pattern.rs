//! Regular expressions of users, each compiled once: a rule may match every item of a long list.

use std::cell::RefCell;
use std::collections::HashMap;

use regex::{Error, Regex, RegexBuilder};

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

/// The regular expression of a pattern; `None` if it is invalid.
pub(crate) fn regex(pattern: &str) -> Option<Regex> {
    COMPILED.with_borrow_mut(|Compiled { small, large }| {
        if let Some(known) = small.get(pattern).or_else(|| large.get(pattern)) {
            return known.clone();
        }
        let (compiled, most, regex) = match compile_small(pattern) {
            Err(Error::CompiledTooBig(_)) => (large, MOST_LARGE, Regex::new(pattern).ok()),
            result => (small, MOST_SMALL, result.ok()),
        };
        if compiled.len() >= most {
            compiled.clear();
        }
        compiled.insert(pattern.to_owned(), regex.clone());
        regex
    })
}

fn compile_small(pattern: &str) -> Result<Regex, Error> {
    if pattern.len() > SMALL {
        return Err(Error::CompiledTooBig(SMALL));
    }
    RegexBuilder::new(pattern).size_limit(SMALL).dfa_size_limit(SMALL).build()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_large_patterns_are_remembered() {
        for number in 0..2 * MOST_LARGE {
            let large = regex(&format!(r"^\w{{{}}}$", 20 + number)).unwrap();
            assert!(large.is_match(&"a".repeat(20 + number)));
            assert!(regex(&format!("^a{number}$")).unwrap().is_match(&format!("a{number}")));
        }
        assert!(regex(&"(".repeat(SMALL + 1)).is_none());
        let remembered = COMPILED.with_borrow(|compiled| (compiled.small.len(), compiled.large.len()));
        assert_eq!(remembered, (2 * MOST_LARGE, 1));
    }
}

//! Regular expressions of users, each compiled once: a rule may match every item of a long list.

use std::cell::RefCell;
use std::collections::HashMap;

use regex::Regex;

/// The most patterns that a thread remembers.
const MOST: usize = 256;

thread_local! {
    static COMPILED: RefCell<HashMap<String, Option<Regex>>> = RefCell::default();
}

/// The regular expression of a pattern; `None` if it is invalid.
pub(crate) fn regex(pattern: &str) -> Option<Regex> {
    COMPILED.with_borrow_mut(|compiled| {
        if let Some(known) = compiled.get(pattern) {
            return known.clone();
        }
        if compiled.len() >= MOST {
            compiled.clear();
        }
        let regex = Regex::new(pattern).ok();
        compiled.insert(pattern.to_owned(), regex.clone());
        regex
    })
}

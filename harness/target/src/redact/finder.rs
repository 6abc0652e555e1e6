//! Finds the spellings of many secrets in a text, in one pass.

use std::ops::Range;

use super::escapes::{begins_escape, readings};
use super::spelling::Spelling;

/// Spellings, and what tells at a glance where none of them begins.
#[derive(Debug, Clone)]
pub(super) struct Finder {
    spellings: Vec<Spelling>,
    /// The indices of the spellings that may begin with a character of ASCII.
    by_first: Vec<Vec<usize>>,
    /// The indices of all others.
    others: Vec<usize>,
    /// For each pair of bytes, whether a spelling may begin with it: nearly all of a text is passed over by this.
    pairs: Vec<u64>,
}

impl Default for Finder {
    fn default() -> Self {
        let mut pairs = vec![0; (1 << 16) / 64];
        for first in (0..=u8::MAX).filter(|byte| begins_escape(*byte)) {
            (0..=u8::MAX).for_each(|second| insert(&mut pairs, first, second));
        }
        Self { spellings: Vec::new(), by_first: vec![Vec::new(); 128], others: Vec::new(), pairs }
    }
}

impl Finder {
    /// Finds this spelling as well.
    pub(super) fn add(&mut self, spelling: Spelling) {
        let index = self.spellings.len();
        let mut firsts: Vec<u8> = (0..128).filter(|byte| spelling.accepts(0, char::from(*byte))).collect();
        for first in &firsts {
            self.by_first[usize::from(*first)].push(index);
        }
        if firsts.is_empty() {
            self.others.push(index);
            firsts.extend(0x80..=u8::MAX);
        }
        for second in (0..=u8::MAX).filter(|byte| may_be_second(&spelling, *byte)) {
            for first in &firsts {
                insert(&mut self.pairs, *first, second);
            }
        }
        self.spellings.push(spelling);
    }

    /// Where they are, in order and apart from each other.
    pub(super) fn find(&self, text: &str) -> Vec<Range<usize>> {
        let mut found: Vec<Range<usize>> = Vec::new();
        for (at, bytes) in text.as_bytes().windows(2).enumerate() {
            let pair = pair(bytes[0], bytes[1]);
            if self.pairs[pair / 64] >> (pair % 64) & 1 == 0 {
                continue;
            }
            let Some(end) = self.longest_at(text, at) else { continue };
            match found.last_mut() {
                Some(last) if at < last.end => last.end = last.end.max(end),
                _ => found.push(at..end),
            }
        }
        found
    }

    /// The end of the longest spelling that begins here.
    fn longest_at(&self, text: &str, at: usize) -> Option<usize> {
        let ends = readings(text, at).filter_map(|symbol| {
            let beginning = self.by_first.get(symbol.char as usize).unwrap_or(&self.others).iter();
            let spellings = beginning.map(|index| &self.spellings[*index]);
            spellings
                .filter(|spelling| spelling.accepts(0, symbol.char))
                .filter_map(|spelling| spelling.end_in(text, symbol.end))
                .max()
        });
        ends.max()
    }
}

fn insert(pairs: &mut [u64], first: u8, second: u8) {
    let pair = pair(first, second);
    pairs[pair / 64] |= 1 << (pair % 64);
}

fn pair(first: u8, second: u8) -> usize {
    usize::from(first) << 8 | usize::from(second)
}

/// Whether the second character of a spelling may begin with this byte.
fn may_be_second(spelling: &Spelling, byte: u8) -> bool {
    let char = char::from(byte);
    byte >= 0x80 || begins_escape(byte) || spelling.accepts(1, char) || spelling.may_break_at(char)
}

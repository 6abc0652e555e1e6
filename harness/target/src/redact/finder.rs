//! Finds the spellings of many secrets in a text, in one pass.

use std::ops::Range;

use super::escapes::{Symbol, begins_escape, readings};
use super::spelling::{Breaks, Spelling, is_plain};

/// The number of characters that the index tells apart: those of ASCII, and all others.
const CLASSES: usize = 129;

/// Spellings, and what tells at a glance where none of them begins.
#[derive(Debug, Clone)]
pub(super) struct Finder {
    spellings: Vec<Spelling>,
    /// The indices of the spellings that may begin with a pair of characters.
    by_pair: Vec<Vec<usize>>,
    /// For each pair of bytes, whether a spelling may begin with it: nearly all of a text is passed over by this.
    pairs: Vec<u64>,
    /// For each triple of classes, whether a spelling may begin with it.
    triples: Vec<u64>,
}

impl Default for Finder {
    fn default() -> Self {
        let mut pairs = vec![0; (1 << 16) / 64];
        for first in (0..=u8::MAX).filter(|byte| begins_escape(*byte)) {
            (0..=u8::MAX).for_each(|second| insert(&mut pairs, first, second));
        }
        let by_pair = vec![Vec::new(); CLASSES * CLASSES];
        let triples = vec![0; (CLASSES * CLASSES * CLASSES).div_ceil(64)];
        Self { spellings: Vec::new(), by_pair, pairs, triples }
    }
}

impl Finder {
    /// Finds this spelling as well.
    pub(super) fn add(&mut self, spelling: Spelling) {
        let index = self.spellings.len();
        let [firsts, seconds, thirds] = [0, 1, 2].map(|index| classes(&spelling, index));
        for first in &firsts {
            for second in &seconds {
                self.by_pair[first * CLASSES + second].push(index);
                for third in &thirds {
                    set(&mut self.triples, triple(*first, *second, *third));
                }
            }
        }
        let second_bytes: Vec<u8> = (0..=u8::MAX).filter(|byte| may_be_second(&spelling, *byte)).collect();
        for first in (0..=u8::MAX).filter(|byte| firsts.contains(&class(char::from(*byte)))) {
            for second in &second_bytes {
                insert(&mut self.pairs, first, *second);
            }
        }
        self.spellings.push(spelling);
    }

    /// Where they are, in order and apart from each other.
    pub(super) fn find(&self, text: &str) -> Vec<Range<usize>> {
        let mut found: Vec<Range<usize>> = Vec::new();
        for (at, bytes) in text.as_bytes().windows(2).enumerate() {
            if !has(&self.pairs, pair(bytes[0], bytes[1])) || !self.goes_on(text.as_bytes(), at) {
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

    /// Whether a third character may continue a spelling that begins here: one that is none of ASCII, or that an escape or a
    /// break begins, may be anything.
    fn goes_on(&self, text: &[u8], at: usize) -> bool {
        let Some([first, second, third]) = text.get(at..at + 3) else { return true };
        let is_plain = |byte: &u8| is_plain(*byte) && !Breaks::Bytes.accept(char::from(*byte));
        ![first, second, third].into_iter().all(is_plain)
            || has(&self.triples, triple((*first).into(), (*second).into(), (*third).into()))
    }

    /// The end of the longest spelling that begins here.
    fn longest_at(&self, text: &str, at: usize) -> Option<usize> {
        let of_first = |first: Symbol| {
            Breaks::ALL.into_iter().filter_map(move |breaks| {
                let behind = breaks.behind(text, first.end);
                // Without a break, one look at the second character is enough.
                let is_new = breaks == Breaks::None || behind > first.end;
                let seconds = readings(text, behind).filter(|_| is_new);
                seconds.filter_map(|second| self.longest_from(text, [first, second], breaks)).max()
            })
        };
        readings(text, at).flat_map(of_first).max()
    }

    /// The end of the longest spelling that begins with these characters, and such breaks between them.
    fn longest_from(&self, text: &str, [first, second]: [Symbol; 2], breaks: Breaks) -> Option<usize> {
        let spellings = self.by_pair[class(first.char) * CLASSES + class(second.char)].iter();
        let spellings = spellings.map(|index| &self.spellings[*index]);
        spellings
            .filter(|spelling| breaks == Breaks::None || spelling.breaks() == breaks)
            .filter(|spelling| spelling.accepts(0, first.char) && spelling.accepts(1, second.char))
            .filter_map(|spelling| spelling.end_in(text, second.end, 2))
            .max()
    }
}

fn insert(pairs: &mut [u64], first: u8, second: u8) {
    set(pairs, pair(first, second));
}

fn set(bits: &mut [u64], at: usize) {
    bits[at / 64] |= 1 << (at % 64);
}

fn has(bits: &[u64], at: usize) -> bool {
    bits[at / 64] >> (at % 64) & 1 == 1
}

fn pair(first: u8, second: u8) -> usize {
    usize::from(first) << 8 | usize::from(second)
}

/// The place of three classes in the index.
fn triple(first: usize, second: usize, third: usize) -> usize {
    (first * CLASSES + second) * CLASSES + third
}

fn class(char: char) -> usize {
    (char as usize).min(CLASSES - 1)
}

/// The classes of the characters at this place of a spelling.
fn classes(spelling: &Spelling, index: usize) -> Vec<usize> {
    let ascii: Vec<usize> =
        (0..128_u8).filter(|byte| spelling.accepts(index, char::from(*byte))).map(usize::from).collect();
    if ascii.is_empty() { vec![CLASSES - 1] } else { ascii }
}

/// Whether the second character of a spelling may begin with this byte.
fn may_be_second(spelling: &Spelling, byte: u8) -> bool {
    let char = char::from(byte);
    byte >= 0x80 || begins_escape(byte) || spelling.accepts(1, char) || spelling.breaks().accept(char)
}

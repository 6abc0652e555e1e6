//! Finds the spellings of many secrets in a text, in one pass.

use std::collections::BTreeSet;
use std::ops::Range;

use super::escapes::{Symbol, begin_escape, begins_escape, is_plain_at, readings};
use super::lists::List;
use super::spelling::{Breaks, SHORTEST, Spelling};

/// The number of characters that the index tells apart: those of ASCII, and all others.
const CLASSES: usize = 129;

/// The number of characters behind the first one that are looked at together. The shortest spelling has more.
const TAIL: usize = 4;

/// The number of bits in a hash of these.
const TAIL_BITS: u32 = 20;

/// Spellings, and what tells at a glance where none of them begins.
#[derive(Debug, Clone)]
pub(super) struct Finder {
    spellings: Vec<Spelling>,
    /// The indices of the spellings that may begin with a pair of characters.
    by_pair: Vec<Vec<usize>>,
    /// The bytes that the beginnings of spellings have, escaped in any way.
    bytes: [bool; 256],
    /// For each class, whether a spelling may begin with it.
    firsts: Vec<bool>,
    /// For each pair of bytes, whether a spelling may begin with it: nearly all of a text is passed over by this.
    pairs: Vec<u64>,
    /// For each hash of four characters, whether they may stand behind the first one of a spelling, which often has bits of
    /// other bytes.
    tails: Vec<u64>,
}

impl Default for Finder {
    fn default() -> Self {
        let mut pairs = vec![0; (1 << 16) / 64];
        for first in (0..=u8::MAX).filter(|byte| begins_escape(*byte)) {
            let seconds = (0..=u8::MAX).filter(|second| begin_escape(first, *second));
            seconds.for_each(|second| insert(&mut pairs, first, second));
        }
        let by_pair = vec![Vec::new(); CLASSES * CLASSES];
        let mut bytes = [false; 256];
        (0..=u8::MAX).filter(|byte| is_encoded(*byte)).for_each(|byte| bytes[usize::from(byte)] = true);
        let tails = vec![0; (1 << TAIL_BITS) / 64];
        Self { spellings: Vec::new(), by_pair, bytes, firsts: vec![false; CLASSES], pairs, tails }
    }
}

impl Finder {
    /// Finds this spelling as well.
    pub(super) fn add(&mut self, spelling: Spelling) {
        let index = self.spellings.len();
        let (firsts, seconds) = (classes(&spelling, 0), classes(&spelling, 1));
        for first in &firsts {
            self.firsts[*first] = true;
            for second in &seconds {
                self.by_pair[first * CLASSES + second].push(index);
            }
        }
        self.learn_bytes(&spelling);
        tails(&spelling).for_each(|tail| set(&mut self.tails, hash(&tail)));
        let second_bytes: Vec<u8> = (0..=u8::MAX).filter(|byte| may_be_second(&spelling, *byte)).collect();
        for first in (0..=u8::MAX).filter(|byte| firsts.contains(&class(char::from(*byte)))) {
            for second in &second_bytes {
                insert(&mut self.pairs, first, *second);
            }
        }
        self.spellings.push(spelling);
    }

    /// Learns the bytes of as many characters as a part of a text has at least.
    fn learn_bytes(&mut self, spelling: &Spelling) {
        for index in 0..SHORTEST {
            let accepted = (0..128_u8).filter(|byte| spelling.accepts(index, char::from(*byte)));
            accepted.for_each(|byte| self.bytes[usize::from(byte)] = true);
        }
        let beginning = spelling.text().iter().take(SHORTEST);
        for char in beginning.flat_map(|char| char.to_lowercase().chain(char.to_uppercase())) {
            let mut utf8 = [0; 4];
            char.encode_utf8(&mut utf8).bytes().for_each(|byte| self.bytes[usize::from(byte)] = true);
        }
    }

    /// Where they are, in order and apart from each other.
    pub(super) fn find(&self, text: &str) -> Vec<Range<usize>> {
        let (mut found, mut in_lists) = (Vec::new(), Vec::<Range<usize>>::new());
        let mut list = List::default();
        for part in self.parts(text.as_bytes()) {
            self.find_in_part(text, &part, &mut found);
            if !list.goes_on(text.as_bytes(), &part) {
                in_lists.extend(self.find_in_list(text, &list));
                list.clear();
            }
        }
        in_lists.extend(self.find_in_list(text, &list));
        if in_lists.is_empty() {
            return found;
        }
        in_lists.append(&mut found);
        in_lists.sort_unstable_by_key(|range| range.start);
        for range in in_lists {
            join(&mut found, range);
        }
        found
    }

    fn find_in_part(&self, text: &str, part: &Range<usize>, found: &mut Vec<Range<usize>>) {
        if part.len() < SHORTEST {
            return;
        }
        for at in self.candidates(text.as_bytes(), part.clone()) {
            let Some(end) = self.longest_at(text, at) else { continue };
            join(found, at..end);
        }
    }

    /// Where they are in the items of a list.
    fn find_in_list(&self, text: &str, list: &List) -> Vec<Range<usize>> {
        let mut found = Vec::new();
        for items in list.items(text) {
            let mut in_items = Vec::new();
            let parts = self.parts(items.text.as_bytes());
            parts.for_each(|part| self.find_in_part(&items.text, &part, &mut in_items));
            found.extend(in_items.iter().map(|range| items.place(range)));
        }
        found
    }

    /// The parts of a text without the bytes that begin no spelling.
    fn parts(&self, text: &[u8]) -> impl Iterator<Item = Range<usize>> {
        let mut behind = 0;
        text.split(|byte| !self.bytes[usize::from(*byte)]).map(move |part| {
            let start = behind;
            behind += part.len() + 1;
            start..start + part.len()
        })
    }

    /// The places where a spelling may begin, as far as a few characters tell.
    fn candidates(&self, text: &[u8], part: Range<usize>) -> impl Iterator<Item = usize> {
        let mut word = part.start..part.start;
        (part.start..=part.end - SHORTEST).filter(move |at| {
            if word.end <= *at {
                word = *at..at + text[*at..part.end].iter().take_while(|byte| is_simple(**byte)).count();
            }
            let tail = at + 1..at + 1 + TAIL;
            if tail.end <= word.end {
                self.has_tail(&text[tail])
            } else {
                self.begins(text, *at) && self.goes_on(text, *at)
            }
        })
    }

    /// Whether the first two bytes here may begin a spelling.
    fn begins(&self, text: &[u8], at: usize) -> bool {
        text.get(at + 1).is_some_and(|second| has(&self.pairs, pair(text[at], *second)))
    }

    /// Whether the characters here may begin a spelling: one that is none of ASCII, or that is escaped, may be anything.
    fn goes_on(&self, text: &[u8], at: usize) -> bool {
        let window = &text[at..text.len().min(at + 1 + TAIL)];
        let is_way = |breaks: &Breaks| {
            *breaks == Breaks::None || window.iter().any(|byte| breaks.accept(char::from(*byte)))
        };
        Breaks::ALL.into_iter().filter(is_way).any(|breaks| self.goes_on_with(text, at, breaks))
    }

    fn goes_on_with(&self, text: &[u8], mut at: usize, breaks: Breaks) -> bool {
        let mut tail = [0; TAIL];
        if !is_plain_at(text, at) {
            return true;
        }
        if breaks == Breaks::Bytes && !begins_number(text[at]) {
            return false;
        }
        for char in &mut tail {
            let is_break = |byte: &&u8| breaks.accept(char::from(**byte));
            at += 1 + text.iter().skip(at + 1).take_while(is_break).count();
            if !is_plain_at(text, at) {
                return true;
            }
            *char = text[at];
        }
        self.has_tail(&tail)
    }

    fn has_tail(&self, tail: &[u8]) -> bool {
        has(&self.tails, hash(tail))
    }

    /// The end of the longest spelling that begins here.
    fn longest_at(&self, text: &str, at: usize) -> Option<usize> {
        let firsts = readings(text, at).filter(|first| self.firsts[class(first.char)]);
        firsts.filter_map(|first| self.longest_behind(text, first)).max()
    }

    /// The end of the longest spelling that begins with this character.
    fn longest_behind(&self, text: &str, first: Symbol) -> Option<usize> {
        let of_breaks = |breaks: Breaks| {
            let behind = breaks.behind(text, first.end);
            // Without a break, one look at the second character is enough.
            let is_new = breaks == Breaks::None || behind > first.end;
            let seconds = is_new.then(|| readings(text, behind)).into_iter().flatten();
            seconds.filter_map(|second| self.longest_from(text, [first, second], breaks)).max()
        };
        Breaks::ALL.into_iter().filter_map(of_breaks).max()
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

/// Adds a range that begins behind the beginnings of the others, to the last one if it touches that.
pub(super) fn join(ranges: &mut Vec<Range<usize>>, range: Range<usize>) {
    match ranges.last_mut() {
        Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
        _ => ranges.push(range),
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

/// Whether encodings, escapes or breaks have this byte.
fn is_encoded(byte: u8) -> bool {
    let is_break = Breaks::Bytes.accept(char::from(byte));
    byte.is_ascii_alphanumeric()
        || begins_escape(byte)
        // The rest of a character that begins one.
        || matches!(byte, 0x80..=0xbf)
        || is_break
        || matches!(byte, b'/' | b'_' | b'#' | b';' | b'{' | b'}')
}

/// Whether a byte is a whole character that begins no escape and breaks no spelling.
fn is_simple(byte: u8) -> bool {
    byte.is_ascii() && !begins_escape(byte) && !Breaks::Bytes.accept(char::from(byte))
}

/// Whether digits or numbers of bytes may begin with this byte: `73`, `0x73`, `U+0073`.
fn begins_number(byte: u8) -> bool {
    byte.is_ascii_hexdigit() || matches!(byte, b'U' | b'u')
}

/// The place of four characters in the index.
fn hash(tail: &[u8]) -> usize {
    let tail = tail.iter().rev().fold(0, |hash, byte| hash << 8 | u32::from(folded(*byte)));
    (tail.wrapping_mul(0x9e37_79b1) >> (u32::BITS - TAIL_BITS)) as usize
}

/// The same byte for both cases of a letter: most spellings have either, and the index as few entries as it can.
fn folded(byte: u8) -> u8 {
    byte | b' '
}

/// The characters that may stand behind the first one of a spelling, if all are of ASCII; folded.
fn tails(spelling: &Spelling) -> impl Iterator<Item = [u8; TAIL]> {
    let mut tails = vec![[0; TAIL]];
    for index in 0..TAIL {
        let accepted = (0..128).filter(|byte| spelling.accepts(1 + index, char::from(*byte)));
        let chars: BTreeSet<u8> = accepted.map(folded).collect();
        let with = |tail: [u8; TAIL]| {
            chars.clone().into_iter().map(move |char| {
                let mut tail = tail;
                tail[index] = char;
                tail
            })
        };
        tails = tails.into_iter().flat_map(with).collect();
    }
    tails.into_iter()
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

//! Texts that are written item by item, each in quotes or brackets: `'a', 'b'`, `["61", "62"]`, `chr(97)+chr(98)`.

use std::ops::Range;

use super::spelling::SHORTEST;

/// The fewest parts of a list with a secret: its characters, and what separates them.
const FEWEST_PARTS: usize = 2 * SHORTEST - 1;

/// The most parts that are looked at together: this bounds the memory.
const MOST_PARTS: usize = 10_000;

/// The distances from one item to the next, in parts: without a separator, with one, and with an index before each item.
const DISTANCES: [usize; 3] = [1, 2, 4];

/// Consecutive parts of a text that may be a list. Ordinary JSON soon has a longer word.
#[derive(Debug, Default)]
pub(super) struct List {
    parts: Vec<Range<usize>>,
}

impl List {
    /// Adds a part, unless the list ends before it.
    pub(super) fn goes_on(&mut self, text: &[u8], part: &Range<usize>) -> bool {
        let goes_on = self.parts.len() < MOST_PARTS && may_be_of_list(text, part);
        if goes_on && !part.is_empty() {
            self.parts.push(part.clone());
        }
        goes_on
    }

    /// Its items, read in each way.
    pub(super) fn items(&self, text: &str) -> impl Iterator<Item = Items> {
        let is_long = self.parts.len() >= FEWEST_PARTS;
        let distances = is_long.then_some(DISTANCES).into_iter().flatten();
        let ways = distances.flat_map(|distance| (0..distance).map(move |first| (first, distance)));
        ways.map(move |(first, distance)| Items::new(text, self.parts.iter().skip(first).step_by(distance)))
    }

    /// Begins another one.
    pub(super) fn clear(&mut self) {
        self.parts.clear();
    }
}

/// Whether a part is as short as an item, or a longer separator: `,` and the indentation of a line.
fn may_be_of_list(text: &[u8], part: &Range<usize>) -> bool {
    part.len() < SHORTEST || !text[part.start + 1].is_ascii_alphanumeric()
}

/// The items of a list without what is between them.
pub(super) struct Items {
    pub(super) text: String,
    /// The place in the whole text of each byte.
    places: Vec<usize>,
}

impl Items {
    fn new<'a>(text: &str, parts: impl Iterator<Item = &'a Range<usize>>) -> Self {
        let mut items = Self { text: String::new(), places: Vec::new() };
        for part in parts.filter(|part| part.len() < SHORTEST) {
            // The backslash escapes the quote behind it.
            let item = text.get(part.clone()).unwrap_or_default().trim_end_matches('\\');
            items.text.push_str(item);
            items.places.extend(part.start..part.start + item.len());
        }
        items
    }

    /// The place in the whole text of a part of the items.
    pub(super) fn place(&self, found: &Range<usize>) -> Range<usize> {
        let last = self.places[found.end - 1];
        Range { start: self.places[found.start], end: last + 1 }
    }
}

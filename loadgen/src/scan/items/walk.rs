//! A list, read byte by byte: slow and sure.

/// The maximum length of the bytes between two items.
const LONGEST_BETWEEN: usize = 256;

/// The names of the array that holds the items: a list's, and a table's.
const ARRAYS: [&[u8]; 2] = [b"items", b"rows"];

/// The state of the reader.
#[derive(Default)]
pub(super) struct Walk {
    depth: usize,
    /// Whether a bracket was opened.
    is_begun: bool,
    within: Text,
    /// The last text directly in the list.
    key: Vec<u8>,
    /// Whether the items have begun, and whether they are over.
    array: Array,
    items: u64,
    between: Vec<u8>,
    learned: bool,
}

#[derive(Default, Clone, Copy, PartialEq, Eq)]
enum Text {
    #[default]
    Outside,
    Inside,
    /// Behind a backslash.
    Escaped,
}

#[derive(Default, Clone, Copy, PartialEq, Eq)]
enum Array {
    #[default]
    Before,
    Within,
    Behind,
}

impl Walk {
    /// A reader that begins behind so many open brackets.
    pub(super) fn at_depth(depth: usize) -> Self {
        Self { depth, is_begun: true, ..Self::default() }
    }

    /// Whether every bracket that was opened is closed.
    pub(super) fn is_complete(&self) -> bool {
        self.is_begun && self.depth == 0 && self.within == Text::Outside
    }

    /// Reads a piece, or optionally only up to the first bytes between two items; returns the length that it read.
    pub(super) fn take(&mut self, piece: &[u8], until_learned: bool) -> usize {
        for (at, &byte) in piece.iter().enumerate() {
            self.read(byte);
            if until_learned && self.learned {
                return at + 1;
            }
        }
        piece.len()
    }

    /// Whether the array of items has begun.
    pub(super) fn has_array(&self) -> bool {
        self.array != Array::Before
    }

    /// How many items have begun.
    pub(super) fn items(&self) -> u64 {
        self.items
    }

    /// The bytes between two items, once known.
    pub(super) fn between(&self) -> Option<&[u8]> {
        self.learned.then_some(self.between.as_slice())
    }

    fn read(&mut self, byte: u8) {
        self.learn(byte);
        match (self.within, byte) {
            (Text::Inside, b'"') => self.within = Text::Outside,
            (Text::Inside, b'\\') => self.within = Text::Escaped,
            (Text::Inside, _) => self.spell(byte),
            (Text::Escaped, _) => self.within = Text::Inside,
            (Text::Outside, b'"') => {
                self.within = Text::Inside;
                if self.depth == 1 {
                    self.key.clear();
                }
            }
            (Text::Outside, b'{' | b'[') => self.open(byte),
            (Text::Outside, b'}' | b']') => self.close(),
            (Text::Outside, _) => {}
        }
    }

    /// Texts directly in the list, as far as they could be the name of its items.
    fn spell(&mut self, byte: u8) {
        if self.depth == 1 && self.key.len() < 8 {
            self.key.push(byte);
        }
    }

    fn open(&mut self, byte: u8) {
        if self.depth == 1 && byte == b'[' && ARRAYS.contains(&self.key.as_slice()) {
            self.array = Array::Within;
        } else if self.depth == 2 && self.array == Array::Within {
            self.items += 1;
        } else if self.depth == 3 && self.items == 2 && self.array == Array::Within {
            self.learned = self.learned || is_the_same_for_all(&self.between);
        }
        (self.depth, self.is_begun) = (self.depth + 1, true);
    }

    fn close(&mut self) {
        self.depth = self.depth.saturating_sub(1);
        if self.depth == 1 && self.array == Array::Within {
            self.array = Array::Behind;
        }
        if self.depth == 2 && self.array == Array::Within && self.items == 1 {
            self.between.push(b'}');
        }
    }

    /// Collects from the end of the first item to the first bracket in the second.
    fn learn(&mut self, byte: u8) {
        if !self.between.is_empty() && !self.learned && self.between.len() < LONGEST_BETWEEN {
            self.between.push(byte);
        }
    }
}

/// Whether there is nothing but what every item has: a name or a number of its own would not come again.
fn is_the_same_for_all(between: &[u8]) -> bool {
    let text = std::str::from_utf8(between).unwrap_or_default();
    let Some((_, item)) = text.split_once('{') else { return false };
    let shared =
        |field: &str| ["\"apiVersion\"", "\"kind\""].iter().any(|name| field.trim().starts_with(name));
    let scalars = item.rsplit_once(',').map_or("", |(scalars, _)| scalars);
    between.len() < LONGEST_BETWEEN && item.ends_with(['{', '[']) && scalars.split_terminator(',').all(shared)
}

//! Counts a text in the bytes of a response.

use memchr::memmem::Finder;

/// Counts a text in a body, also across the borders of its pieces.
pub struct Search {
    needle: Finder<'static>,
    /// The last bytes before the next piece, one fewer than in the needle.
    carry: Vec<u8>,
    found: u64,
}

impl Search {
    /// A search for this text.
    pub fn new(needle: &[u8]) -> Self {
        Self { needle: Finder::new(needle).into_owned(), carry: Vec::new(), found: 0 }
    }

    /// Takes the next piece of the body; returns how many of its bytes are before the end of the last match in it.
    pub fn take(&mut self, piece: &[u8]) -> Option<usize> {
        let (length, carried) = (self.needle.needle().len(), self.carry.len());
        let overlap = length.saturating_sub(1);
        // Matches that begin in an earlier piece.
        self.carry.extend_from_slice(&piece[..piece.len().min(overlap)]);
        let before = self.needle.find_iter(&self.carry).map(|at| at + length - carried);
        let ends = before.chain(self.needle.find_iter(piece).map(|at| at + length));
        let (found, last) = ends.fold((0, None), |(found, _), end| (found + 1, Some(end)));
        self.found += found;
        if piece.len() >= overlap {
            self.carry.clear();
            self.carry.extend_from_slice(&piece[piece.len() - overlap..]);
        } else {
            let surplus = self.carry.len().saturating_sub(overlap);
            self.carry.drain(..surplus);
        }
        last
    }

    /// Whether another, complete text has it.
    pub(crate) fn is_in(&self, text: &str) -> bool {
        self.needle.find(text.as_bytes()).is_some()
    }

    /// How often the text was found.
    pub fn found(&self) -> u64 {
        self.found
    }
}

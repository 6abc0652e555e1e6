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

    /// Takes the next piece of the body.
    pub fn take(&mut self, piece: &[u8]) {
        let overlap = self.needle.needle().len().saturating_sub(1);
        // Matches that begin in an earlier piece.
        self.carry.extend_from_slice(&piece[..piece.len().min(overlap)]);
        self.found += self.needle.find_iter(&self.carry).count() as u64;
        self.found += self.needle.find_iter(piece).count() as u64;
        if piece.len() >= overlap {
            self.carry.clear();
            self.carry.extend_from_slice(&piece[piece.len() - overlap..]);
        } else {
            let surplus = self.carry.len().saturating_sub(overlap);
            self.carry.drain(..surplus);
        }
    }

    /// How often the text was found.
    pub fn found(&self) -> u64 {
        self.found
    }
}

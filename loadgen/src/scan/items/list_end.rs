//! Whether a list is complete: it closes every bracket that is open behind the last item that the search found.

use super::walk::Walk;

/// The maximum number of kept bytes. Behind an item that is longer, the end is unknown.
const MOST_KEPT: usize = 64 << 10;

/// The depth behind the bytes between two items: in the list, its array, an item, and the item's first bracket.
const DEPTH: usize = 4;

/// The bytes behind the last item that the search found.
#[derive(Default)]
pub(super) struct ListEnd {
    bytes: Vec<u8>,
    is_too_long: bool,
}

impl ListEnd {
    /// Takes the next piece, in which the search found an item that begins before this byte.
    pub(super) fn take(&mut self, piece: &[u8], found: Option<usize>) {
        if found.is_some() {
            self.bytes.clear();
            self.is_too_long = false;
        }
        let rest = piece.get(found.unwrap_or(0)..).unwrap_or_default();
        self.is_too_long |= self.bytes.len() + rest.len() > MOST_KEPT;
        if !self.is_too_long {
            self.bytes.extend_from_slice(rest);
        }
    }

    /// Whether all brackets are closed, as far as that is known. Brackets that the search misread are only deeper, so a
    /// complete list is never incomplete here.
    pub(super) fn is_complete(&self) -> bool {
        let mut walk = Walk::at_depth(DEPTH);
        walk.take(&self.bytes, false);
        self.is_too_long || walk.is_complete()
    }
}

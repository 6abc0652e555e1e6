//! How much of a failure is shown: a page of thousands of them must still open at once.

use crate::escape::{clip, escape};

use super::markup::html;

/// The size, in bytes, that a page keeps below as long as its exchanges can be shortened.
const LARGEST: usize = 3_900_000;

/// The limits of the output for one scenario.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Detail {
    /// Exchanges, the telling one last.
    pub(super) exchanges: usize,
    /// Whether to show heads and the request, or only the parts that the command does not show.
    pub(super) heads: bool,
    /// Lines of a body; without any, bodies are left out.
    pub(super) lines: usize,
    /// Characters of a text or a body.
    pub(super) text: usize,
    /// The maximum length of a command, in characters: a longer one is left out, because a part would be wrong.
    pub(super) command: usize,
}

impl Detail {
    /// From the most to the least.
    pub(super) const ALL: [Self; 7] = [
        Self { exchanges: 20, heads: true, lines: 150, text: 20_000, command: 20_000 },
        Self { exchanges: 5, heads: true, lines: 60, text: 4_000, command: 8_000 },
        Self { exchanges: 5, heads: true, lines: 20, text: 1_000, command: 2_000 },
        Self { exchanges: 1, heads: true, lines: 10, text: 500, command: 1_000 },
        Self { exchanges: 1, heads: false, lines: 4, text: 120, command: 600 },
        Self { exchanges: 1, heads: false, lines: 0, text: 120, command: 600 },
        Self { exchanges: 0, heads: false, lines: 0, text: 100, command: 0 },
    ];

    /// Whether something is shortened only because there is so much.
    pub(super) fn shortened(self) -> bool {
        self != Self::ALL[0]
    }

    /// Whether a page of this length must be written with less detail.
    pub(super) fn is_too_large(self, length: usize) -> bool {
        length > LARGEST && Self::ALL.last() != Some(&self)
    }

    /// A text, as much of it as there is room for.
    pub(super) fn html(self, text: &str) -> String {
        html(&clip(&escape(text), self.text))
    }
}

//! The body of a response, in bounded memory.

use bytes::Bytes;
use model::{Request, Response};

use crate::long_list::LongList;
use crate::memory::{Reservation, TooLarge};

/// The length of the longest body, in bytes.
const LARGEST: usize = 32 << 20;

/// A longer body gets room for the longest at once. Room that grows is copied again and again, and leaves holes.
const LARGE: usize = 1 << 20;

/// The received part of a body, with the reservation of its memory.
pub(crate) struct Body {
    bytes: Vec<u8>,
    reservation: Reservation,
    list: Option<LongList>,
}

/// Why a body is too large.
#[derive(Debug, thiserror::Error)]
pub(crate) enum TooLargeBody {
    #[error("it is longer than {} MB", LARGEST >> 20)]
    Long,
    #[error(transparent)]
    Memory(#[from] TooLarge),
}

impl Body {
    /// The empty beginning of a body.
    pub(crate) fn of(request: &Request, response: &Response, reservation: Reservation) -> Self {
        Self { bytes: Vec::new(), reservation, list: LongList::of(request, response) }
    }

    /// Adds a received chunk. Waits for memory when that of all scenarios is used up.
    pub(crate) async fn add(&mut self, chunk: &[u8]) -> Result<(), TooLargeBody> {
        let needed = LongList::scan(&mut self.list, chunk);
        let length = self.bytes.len() + needed.len();
        if length > LARGEST {
            return Err(TooLargeBody::Long);
        }
        self.reservation.grow(&needed).await?;
        if length > LARGE && self.bytes.capacity() < LARGEST {
            self.bytes.reserve_exact(LARGEST);
        }
        self.bytes.extend_from_slice(&needed);
        Ok(())
    }

    /// The whole body, and whether items of a long list are left out.
    pub(crate) fn end(mut self) -> (Bytes, bool) {
        let is_cut = self.list.take().is_some_and(|list| {
            self.bytes.extend_from_slice(list.rest());
            list.is_cut
        });
        (Bytes::from_owner(self), is_cut)
    }
}

impl AsRef<[u8]> for Body {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

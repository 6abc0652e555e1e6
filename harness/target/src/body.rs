//! The body of a response, in bounded memory.

use bytes::Bytes;
use model::{Cut, Request, Response};

use crate::item_scan::ItemCount;
use crate::long_list::LongList;
use crate::memory::{Reservation, TooLarge};

/// The length of the longest body, in bytes.
const LARGEST: usize = 32 << 20;

/// A longer body gets room for the longest at once. Room that grows is copied again and again, and leaves holes.
const LARGE: usize = 1 << 20;

/// The kept length of a body that nobody can judge, in bytes: the evidence shows less of it.
const KEPT: usize = 64 << 10;

/// The received part of a body, with the reservation of its memory.
pub(crate) struct Body {
    bytes: Vec<u8>,
    reservation: Reservation,
    list: Option<LongList>,
    count: Option<ItemCount>,
    too_large: Option<TooLargeBody>,
    cut: Option<Cut>,
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
        let (list, count) = (LongList::of(request, response), ItemCount::of(request, response));
        Self { bytes: Vec::new(), reservation, list, count, too_large: None, cut: None }
    }

    /// Adds a received chunk. Whether the rest matters: not that of a list with more items than it may have.
    ///
    /// Waits for memory when that of all scenarios is used up. A list that has a limit is counted even if it is too large
    /// to be kept: then [`Body::end`] gives the error.
    pub(crate) async fn add(&mut self, chunk: &[u8]) -> Result<bool, TooLargeBody> {
        if self.count.as_mut().is_some_and(|count| !count.add(chunk)) {
            self.shorten();
            self.cut = Some(Cut::TooManyItems);
            return Ok(false);
        }
        if self.too_large.is_some() {
            return Ok(true);
        }
        match self.keep(chunk).await {
            Err(too_large) if self.count.is_some() => {
                self.shorten();
                self.too_large = Some(too_large);
                Ok(true)
            }
            kept => kept.map(|()| true),
        }
    }

    async fn keep(&mut self, chunk: &[u8]) -> Result<(), TooLargeBody> {
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

    fn shorten(&mut self) {
        self.list = None;
        self.bytes.truncate(KEPT);
        self.bytes.shrink_to_fit();
        self.reservation.end();
    }

    /// The body, and why it is incomplete, if it is.
    pub(crate) fn end(mut self) -> Result<(Bytes, Option<Cut>), TooLargeBody> {
        if self.cut.is_none()
            && let Some(too_large) = self.too_large.take()
        {
            return Err(too_large);
        }
        self.end_list();
        let cut = self.cut;
        Ok((Bytes::from_owner(self), cut))
    }

    fn end_list(&mut self) {
        let Some(list) = self.list.take() else { return };
        self.bytes.extend_from_slice(list.rest());
        self.cut = list.is_cut.then_some(Cut::OthersLeftOut);
    }
}

impl AsRef<[u8]> for Body {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

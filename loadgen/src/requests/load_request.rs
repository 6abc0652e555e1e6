//! One request, how its response is read, and its outcome.

use std::time::{Duration, Instant};

use bytes::Bytes;
use http::StatusCode;

use crate::scan::Items;
use crate::stamp::Stamp;
use crate::wire::{Call, RequestError, StreamPermit, StreamedResponse};

/// More of a body than this is not kept.
const MOST_KEPT: usize = 4 << 20;

/// One request to be sent.
#[derive(Debug, Clone)]
pub struct LoadRequest {
    /// The request.
    pub call: Call,
    /// Which of the workload's operations it belongs to.
    pub operation: usize,
    /// How its response is read.
    pub reading: Reading,
    /// Timeout for the whole response.
    pub within: Duration,
    /// What the write carries, if it is one that watches are to see.
    pub stamp: Option<Stamp>,
    /// Anything by which its source recognises it.
    pub token: u64,
}

/// How the body of a response is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reading {
    /// It is counted, and nothing of it kept.
    Discard,
    /// Its items are counted; thoroughly if so wished, see [`Items`].
    Items {
        /// Whether every byte is read as well.
        thorough: bool,
    },
    /// It is kept: it is small, and something in it is needed.
    Keep,
}

/// The outcome of a request.
#[derive(Debug, Default)]
pub struct Outcome {
    /// The response's status; `None` without a response.
    pub status: Option<StatusCode>,
    /// Why the response is missing or incomplete.
    pub request_error: Option<RequestError>,
    /// How many bytes its body has.
    pub bytes: u64,
    /// When the first byte of the body arrived.
    pub first_byte: Option<Instant>,
    /// When the first item of a list arrived.
    pub first_item: Option<Instant>,
    /// The items of a list.
    pub items: u64,
    /// A list's resourceVersion, and where it goes on.
    pub page: Option<Page>,
    /// Whether items were counted in two ways, and the ways did not agree.
    pub misread: Option<bool>,
    /// What was kept of the body.
    pub body: Bytes,
}

/// The metadata of a list.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Page {
    /// Its resourceVersion.
    pub version: Option<String>,
    /// The token of the next page.
    pub goes_on: Option<String>,
}

impl Outcome {
    /// Whether it is of the requested kind.
    pub fn is_success(&self) -> bool {
        self.request_error.is_none() && self.status.is_some_and(|status| status.is_success())
    }
}

/// Sends a request and reads its response to the end.
pub(super) async fn exchange(permit: &StreamPermit, load_request: &LoadRequest) -> Outcome {
    let mut outcome = Outcome::default();
    let read = async {
        let response = permit.send(&load_request.call).await?;
        read(response, load_request.reading, &mut outcome).await
    };
    let ended = tokio::time::timeout(load_request.within, read).await;
    outcome.request_error = ended.unwrap_or(Err(RequestError::Late)).err();
    outcome
}

async fn read(
    mut response: StreamedResponse,
    reading: Reading,
    outcome: &mut Outcome,
) -> Result<(), RequestError> {
    outcome.status = Some(response.status);
    // The body of a refusal says why.
    let reading = if response.status.is_success() { reading } else { Reading::Keep };
    let mut items = match reading {
        Reading::Items { thorough } => Some(Items::new(thorough)),
        _ => None,
    };
    let mut kept = Vec::new();
    while let Some(piece) = response.body.next().await? {
        outcome.bytes += piece.len() as u64;
        outcome.first_byte.get_or_insert_with(Instant::now);
        if let Some(items) = &mut items {
            items.take(&piece);
            if items.count() > 0 {
                outcome.first_item.get_or_insert_with(Instant::now);
            }
        }
        if reading == Reading::Keep && kept.len() + piece.len() <= MOST_KEPT {
            kept.extend_from_slice(&piece);
        }
    }
    outcome.body = kept.into();
    if let Some(items) = items {
        outcome.items = items.sure_count();
        outcome.misread = items.misread();
        outcome.page = Some(Page { version: items.version(), goes_on: items.goes_on() });
    }
    Ok(())
}

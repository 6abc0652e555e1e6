//! One request, the reading of its response, and its outcome.

use std::time::{Duration, Instant};

use bytes::Bytes;
use http::StatusCode;

use crate::scan::Items;
use crate::stamp::Stamp;
use crate::wire::{Call, RequestError, StreamPermit, StreamedResponse};

/// The maximum length of a kept body, in bytes.
const MOST_KEPT: usize = 4 << 20;

/// A request.
#[derive(Debug, Clone)]
pub struct LoadRequest {
    /// The request.
    pub call: Call,
    /// The index of its operation in the workload.
    pub operation: usize,
    /// How to read the response.
    pub reading: Reading,
    /// Timeout for the whole response.
    pub within: Duration,
    /// The stamp of a write that watches expect.
    pub stamp: Option<Stamp>,
    /// An identifier for its source.
    pub token: u64,
}

/// How to read the body of a response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reading {
    /// Count its bytes.
    Discard,
    /// Count its items; see [`Items`].
    Items {
        /// Whether a second count reads every byte.
        thorough: bool,
    },
    /// Keep it: for small bodies.
    Keep,
}

/// The outcome of a request.
#[derive(Debug, Default)]
pub struct Outcome {
    /// The response's status; `None` without a response.
    pub status: Option<StatusCode>,
    /// Why the response is missing or incomplete.
    pub request_error: Option<RequestError>,
    /// The length of the body.
    pub bytes: u64,
    /// When the first byte of the body arrived.
    pub first_byte: Option<Instant>,
    /// When the first item of a list arrived.
    pub first_item: Option<Instant>,
    /// The items of a list.
    pub items: u64,
    /// The metadata of a list.
    pub page: Option<Page>,
    /// Whether the two counts of items differ; `None` without a second count.
    pub misread: Option<bool>,
    /// The kept part of the body.
    pub body: Bytes,
}

/// The metadata of a list.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Page {
    /// Its resourceVersion.
    pub version: Option<String>,
    /// The continue token of the next page.
    pub goes_on: Option<String>,
}

impl Outcome {
    /// Whether the status is 2xx and the response is complete.
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
    // The body of an error has its reason.
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

//! One request, the reading of its response, and its outcome.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::Bytes;
use http::StatusCode;

use super::body::Body;
use crate::scan::{Collection, ListedObject};
use crate::stamp::Stamp;
use crate::wire::{Call, RequestError, StreamPermit, StreamedResponse};

/// How long a server keeps the version of a list in pages, at least: kube-apiserver by default 5 minutes, but its operator
/// may choose less.
const KEPT_FOR: Duration = Duration::from_mins(1);

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
    /// The version of a write that was acknowledged before, which the response must show; 0 if none is known.
    pub not_older_than: u64,
    /// When the first page of a list was read, if the request is for a later one.
    pub list_began: Option<Instant>,
    /// An identifier for its source.
    pub token: u64,
}

/// How to read the body of a response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reading {
    /// Count its bytes.
    Discard,
    /// Expect an object.
    Object(ExpectedObject),
    /// Expect this object, which is deleted, or a Status of success.
    Deletion(ExpectedObject),
    /// Expect a list or a table, and count its items; see [`Items`](crate::scan::Items).
    Items {
        /// The kind of the list, if the request asks for one.
        kind: Option<&'static str>,
        /// Whether a second count reads every byte.
        thorough: bool,
        /// The name of an object that the list, or a later page of it, must have.
        sought: Option<String>,
        /// What the list can still have.
        room: Room,
        /// The names on the earlier pages, if every page is read.
        earlier: Option<BTreeSet<String>>,
    },
    /// Keep it: for small bodies.
    Keep,
}

/// The object that a response must have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExpectedObject {
    /// Its name.
    pub name: String,
    /// What it has in common with the others of its collection.
    pub collection: Arc<Collection>,
    /// The minimum length of the data that it was written with, in bytes.
    pub padding: u64,
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
    /// When the last byte had arrived, before the generator reads the body again to check it.
    pub ended: Option<Instant>,
    /// The items of a list.
    pub items: u64,
    /// The metadata of a list.
    pub page: Option<Page>,
    /// The resourceVersion of the object or list, if it is a number and known.
    pub version: Option<u64>,
    /// The stamp of the object's last write, if it has one and is parsed.
    pub stamp: Option<Stamp>,
    /// The UID of the object, if it has one and is parsed.
    pub uid: Option<String>,
    /// Whether the two counts of items differ; `None` without a second count.
    pub misread: Option<bool>,
    /// The items of a list, if they were counted twice and are read.
    pub listed: Option<Vec<ListedObject>>,
    /// Whether the response is a refusal that the source of the request explains: a conflict, or an expired version.
    pub is_right_refusal: bool,
    /// Whether the object in the body of a 2xx response is another than the expected one; `None` if it is not parsed, or is no
    /// object.
    pub is_other: Option<bool>,
    /// Whether the body of a 2xx response cannot be what was asked.
    pub is_invalid: bool,
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
    /// Whether it lacks the object that it, or a later page, must have.
    pub lacks_sought: bool,
    /// Its items, by the quick count.
    pub items: u64,
    /// What it takes of [`Room::most`]: its items, if their count is certain, and at least 1.
    pub size: u64,
}

/// What a list in pages can still have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Room {
    /// The number of items that are expected. Without any left, only a certain count shows a list without an end.
    pub expected: u64,
    /// The maximum number of items and empty pages.
    pub most: u64,
}

impl Room {
    /// Without a limit.
    pub const UNKNOWN: Self = Self { expected: u64::MAX, most: u64::MAX };

    /// Behind a page, of a list that has no more than another room.
    pub fn behind(self, page: &Page, whole: Self) -> Self {
        Self {
            expected: self.expected.min(whole.expected).saturating_sub(page.items),
            most: self.most.min(whole.most).saturating_sub(page.size),
        }
    }

    /// Whether it is too small for a page and the pages behind it.
    pub fn is_exceeded_by(self, page: &Page) -> bool {
        page.size > self.most || (page.size == self.most && page.goes_on.is_some())
    }
}

impl LoadRequest {
    /// Whether a 410 is right: the list began so long ago that the server need not have its version any more.
    pub fn may_be_expired(&self) -> bool {
        self.list_began.is_some_and(|began| began.elapsed() >= KEPT_FOR)
    }
}

impl Outcome {
    /// Whether the status is 2xx, and the response is complete and can be what was asked.
    pub fn is_success(&self) -> bool {
        self.is_complete() && !self.is_invalid
    }

    /// Whether the server rejected the request: the status is 4xx, and the response is complete.
    pub fn is_rejected(&self) -> bool {
        self.request_error.is_none() && self.status.is_some_and(|status| status.is_client_error())
    }

    /// Whether the status is 2xx and the response is complete.
    pub fn is_complete(&self) -> bool {
        self.request_error.is_none() && self.status.is_some_and(|status| status.is_success())
    }
}

/// Sends a request and reads its response to the end.
pub(super) async fn exchange(permit: &StreamPermit, load_request: &LoadRequest) -> Outcome {
    let mut outcome = Outcome::default();
    let read = async {
        let response = permit.send(&load_request.call).await?;
        read(response, &load_request.reading, &mut outcome).await
    };
    let ended = tokio::time::timeout(load_request.within, read).await;
    outcome.request_error = ended.unwrap_or(Err(RequestError::Late)).err();
    outcome
}

async fn read(
    mut response: StreamedResponse,
    reading: &Reading,
    outcome: &mut Outcome,
) -> Result<(), RequestError> {
    outcome.status = Some(response.status);
    let is_success = response.status.is_success();
    let mut body = if is_success { Body::new(reading, &response.headers) } else { Body::of_error() };
    while let Some(piece) = response.body.next().await? {
        outcome.bytes += piece.len() as u64;
        outcome.first_byte.get_or_insert_with(Instant::now);
        if body.take(&piece) > 0 {
            outcome.first_item.get_or_insert_with(Instant::now);
        }
    }
    outcome.ended = Some(Instant::now());
    body.end(outcome);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_later_page_of_a_list_that_began_long_ago_may_be_expired() {
        let call = Call::get("/api/v1/configmaps".parse().unwrap());
        let page = |list_began| LoadRequest {
            call: call.clone(),
            operation: 0,
            reading: Reading::Discard,
            within: Duration::ZERO,
            stamp: None,
            not_older_than: 0,
            list_began,
            token: 0,
        };
        let now = Instant::now();
        assert!(!page(None).may_be_expired() && !page(Some(now)).may_be_expired());
        assert!(page(now.checked_sub(KEPT_FOR)).may_be_expired());
    }
}

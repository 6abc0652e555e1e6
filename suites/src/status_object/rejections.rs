//! Invalid requests whose rejection is a Status.

use std::iter::repeat_n;

use crate::invalid_requests::{self, InvalidRequest};
use crate::prelude::*;
use crate::rejections::rejected;

pub(super) fn rows() -> Vec<Row> {
    vec![
        rejected("status-object-badrequest-permanent", &[400], |stored: &StoredObject| {
            repeated(invalid_requests::bad_requests(stored))
        })
        .reason("BadRequest")
        .response_only()
        .row(),
        rejected("status-object-methodnotallowed-permanent", &[405], |stored: &StoredObject| {
            repeated(invalid_requests::not_allowed(stored))
        })
        .reason("MethodNotAllowed")
        .response_only()
        .row()
        .with_status(),
        rejected("status-object-methodnotallowed", &[405], |Outdated(stored, _): &Outdated| {
            let invalid = invalid_requests::not_allowed(stored).into_iter();
            invalid.map(|invalid| invalid.request).collect::<Vec<_>>()
        })
        .reason("MethodNotAllowed")
        .response_only()
        .row()
        .with_status(),
    ]
}

/// Each request ten times.
fn repeated(invalid: Vec<InvalidRequest>) -> Vec<Request> {
    invalid.into_iter().flat_map(|invalid| repeat_n(invalid.request, 10)).collect()
}

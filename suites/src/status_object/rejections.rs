//! Invalid requests whose rejection is a Status.

use crate::invalid_requests::{self, InvalidRequest};
use crate::prelude::*;
use crate::rejections::rejected;

pub(super) fn rows() -> Vec<Row> {
    vec![
        permanent("status-object-badrequest-permanent", invalid_requests::bad_requests),
        permanent("status-object-methodnotallowed-permanent", invalid_requests::not_allowed).with_status(),
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

/// How often a request is sent whose rejection is permanent.
const TIMES: usize = 10;

/// The response to an invalid request stays the same. A single outage between the responses tells nothing about it.
fn permanent(clause: &str, invalid: fn(&StoredObject) -> Vec<InvalidRequest>) -> Row {
    harness::row(clause, move |cx| async move {
        let stored = StoredObject::create(&cx).await?;
        for InvalidRequest { code, reason, request } in invalid(&stored) {
            let mut responses = Vec::new();
            for _ in 0..TIMES {
                responses.push(cx.send(request.clone()).await?);
            }
            let outages = responses.iter().filter(|response| response.status() >= 500).count();
            for response in &responses {
                if outages > 1 {
                    response.judged();
                }
                response.expect_error(&[code], &[reason])?;
            }
        }
        Ok(())
    })
}

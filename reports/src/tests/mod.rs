//! What all reports promise together.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod agreement;
mod example;
mod files;
mod hostile;
mod junit;
mod layout;
mod recording;
mod terminal;

use harness::Event;

use crate::record::Record;
use crate::{AtEnd, Format, Reporter};

/// What a reporter that writes into a buffer makes of the events.
fn rendered(format: Format, events: &[Event]) -> String {
    let mut bytes = Vec::new();
    let mut reporter = Box::new(AtEnd::new(format, &mut bytes));
    events.iter().for_each(|event| reporter.report(event).unwrap());
    reporter.finish().unwrap();
    String::from_utf8(bytes).unwrap()
}

fn record(events: &[Event]) -> Record {
    let mut record = Record::default();
    events.iter().for_each(|event| record.add(event));
    record
}

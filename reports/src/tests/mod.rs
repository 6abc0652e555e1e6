//! What all reports promise together.

mod agreement;
mod causes;
mod evidence;
mod example;
mod files;
mod github;
mod hostile;
pub(crate) mod junit;
mod known_failures;
mod layout;
pub(crate) mod markup;
mod pages;
mod recording;
pub(crate) mod schema;
mod script;
mod tap;
mod terminal;

use model::Event;

use crate::record::Record;
use crate::{AtEnd, Format, Options, Reporter, Terminal};

fn feed(reporter: &mut dyn Reporter, events: &[Event]) {
    for event in events {
        reporter.report(event).unwrap();
    }
}

/// All that a terminal shows: progress and results.
fn shown(events: &[Event], options: Options) -> (String, String) {
    let (mut progress, mut results) = (Vec::new(), Vec::new());
    let mut terminal = Box::new(Terminal::new(&mut progress, &mut results, options));
    feed(&mut *terminal, events);
    terminal.finish().unwrap();
    (String::from_utf8(progress).unwrap(), String::from_utf8(results).unwrap())
}

/// What a reporter that writes into a buffer makes of the events.
fn rendered(format: Format, events: &[Event]) -> String {
    let mut bytes = Vec::new();
    let mut reporter = Box::new(AtEnd::new(vec![(format, &mut bytes)]));
    feed(&mut *reporter, events);
    reporter.finish().unwrap();
    String::from_utf8(bytes).unwrap()
}

fn record(events: &[Event]) -> Record {
    let mut record = Record::default();
    for event in events {
        record.add(event);
    }
    record
}

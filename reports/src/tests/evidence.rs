//! Every report that explains a failure shows the timeline of a watch, and the difference between two objects.

use model::{Event, Outcome, RecordedRequest, RecordedStep, Request};
use serde_json::json;

use super::example::{Example, clause, failed, transcript};
use super::{rendered, shown};
use crate::{Format, Look, Options, Verbosity};

const MAPS: &str = "/api/v1/namespaces/n/configmaps";

fn step(at: usize, request: &Request, stream: bool, version: Option<&str>) -> RecordedStep {
    let recorded = RecordedRequest::of(Some(at), request).unwrap();
    let version = version.map(str::to_owned);
    RecordedStep::Request(Box::new(RecordedRequest { stream, status: Some(200), version, ..recorded }))
}

fn run(outcome: Outcome) -> Vec<Event> {
    let mut run =
        Example::new(vec![clause("watch", "watch-create-added", "must", "A watch shows a create.")]);
    run.start(1);
    let finished = run.add("watch-create-added", 1, outcome);
    finished.steps = vec![
        step(0, &Request::get(MAPS).query("watch", 1), true, None),
        step(1, &Request::post(MAPS, &json!({ "metadata": { "name": "a" } })), false, Some("18")),
    ];
    let request = format!("GET {MAPS}?watch=1");
    finished.evidence = vec![transcript(&request, "HTTP/1.1 200 OK\ncontent-type: application/json", 1)];
    run.end(&[]);
    run.events
}

/// The reports that explain failures, each without its escapes.
fn reports(events: &[Event]) -> Vec<(String, String)> {
    let look = Look { width: 150, colour: false };
    let terminal =
        |verbosity| shown(events, Options { verbosity, interactive: false, progress: look, results: look }).1;
    let files = [Format::Junit, Format::Html, Format::StepSummary, Format::Tap, Format::Annotations];
    let files = files.map(|format| (format!("{format:?}"), rendered(format, events)));
    let screens = [Verbosity::Normal, Verbosity::Verbose].map(|one| (format!("{one:?}"), terminal(one)));
    let plain = |text: String| text.replace("&quot;", "\"").replace("\\\"", "\"");
    files.into_iter().chain(screens).map(|(name, text)| (name, plain(text))).collect()
}

#[test]
fn a_failed_watch_has_a_timeline_in_each_report() {
    for (name, report) in reports(&run(failed("ADDED a", "no event"))) {
        assert!(report.contains("wrote    POST a at 18: no event"), "{name}: {report}");
    }
}

#[test]
fn unequal_objects_have_a_difference_in_each_report() {
    for (name, report) in reports(&run(failed(r#"{"data":{"a":"1"}}"#, r#"{"data":{"a":"2"}}"#))) {
        assert!(report.contains(r#"data.a: expected "1", actual "2""#), "{name}: {report}");
    }
}

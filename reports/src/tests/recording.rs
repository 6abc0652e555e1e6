//! A recording is read as it was written, and an invalid one is an error.

use std::io::{self, Read};

use model::{Event, EventKind, Outcome};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;

use crate::tests::example::{Example, clause, everything};
use crate::tests::{feed, hostile, rendered};
use crate::{EventReader, EventWriter, Format, ReadError, Reporter};

fn written(events: &[Event]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut writer = Box::new(EventWriter::new(&mut bytes));
    feed(&mut *writer, events);
    writer.finish().unwrap();
    bytes
}

fn read(bytes: &[u8]) -> Result<(Vec<Event>, Option<String>), ReadError> {
    let mut reader = EventReader::new(bytes);
    let events = reader.by_ref().collect::<Result<_, _>>()?;
    Ok((events, reader.note()))
}

fn lost_results(events: &[Event]) -> usize {
    let bytes = written(events);
    let mut reader = EventReader::new(&*bytes);
    assert_eq!(reader.by_ref().flatten().count(), events.len());
    reader.lost_results()
}

fn complaint(bytes: &[u8]) -> String {
    read(bytes).unwrap_err().to_string()
}

#[test]
fn a_cut_off_last_line_is_left_out_with_a_note() {
    let bytes = written(&everything());
    let first = bytes.iter().position(|byte| *byte == b'\n').unwrap() + 1;
    for end in (first..bytes.len()).step_by(7) {
        let (events, note) = read(&bytes[..end]).unwrap();
        assert_eq!(everything()[..events.len()], events);
        let whole = bytes[..end].ends_with(b"\n") || bytes[end..].starts_with(b"\n");
        assert_eq!(note.is_none(), whole, "{note:?}");
    }
}

#[test]
fn a_lost_line_makes_the_run_inconclusive() {
    let mut run = Example::new(vec![clause("health", "health-livez", "must", "/livez responds.")]);
    run.start(2);
    run.add("health-livez", 3, Outcome::Passed);
    run.end(&[]);
    assert_eq!(lost_results(&run.events), 1);
    let summary: serde_json::Value = serde_json::from_str(&rendered(Format::Summary, &run.events)).unwrap();
    assert_eq!(
        (&summary["conclusion"], &summary["run"]["lost_results"]),
        (&"inconclusive".into(), &1.into())
    );
    assert_eq!(summary["because"], "the recording has lost the results of 1 scenario");
    // Of a run that stopped early, no result is lost, and nobody knows what is left.
    if let Some(EventKind::RunFinished(finished)) = run.events.last_mut().map(|event| &mut event.kind) {
        finished.stopped = Some("Ctrl-C".to_owned());
        finished.leftovers = vec!["/api/v1/namespaces/a".to_owned()];
    }
    assert_eq!(lost_results(&run.events), 0);
    let summary: serde_json::Value = serde_json::from_str(&rendered(Format::Summary, &run.events)).unwrap();
    assert_eq!(summary["because"], "the run stopped early: Ctrl-C; 1 object may be left");
}

#[test]
fn a_line_that_is_cut_inside_of_a_character_is_only_cut_off() {
    let mut events = everything();
    events.truncate(1);
    let mut bytes = written(&events);
    bytes.extend_from_slice(b"{\"at\":\"\xf0\x9f");
    let (events, note) = read(&bytes).unwrap();
    assert_eq!(events.len(), 1);
    assert_eq!(note.unwrap(), "line 2, the last, is cut off and was left out: the run did not end");
}

#[test]
fn a_damaged_recording_names_the_line() {
    let mut events = everything();
    events.truncate(1);
    let good = written(&events);
    let with = |line: &[u8]| complaint(&[&good, line].concat());
    assert_eq!(complaint(b""), "the recording is empty");
    assert!(complaint(b"hello").starts_with("line 1 is no event: expected value"));
    assert!(with(b"{\"at\":1}\n").starts_with("line 2 is no event:"));
    let at = r#"{"at":"2026-01-01T00:00:00Z","event":"#;
    for (line, what) in [
        ("[]\n".to_owned(), "expected an object, not a list"),
        ("{\"at\":\n".to_owned(), "it ends too early at column 6"),
        ("{\"at\":\"\0\"}\n".to_owned(), "a string has a control character, such as a NUL byte at column "),
        ("7\n".to_owned(), "expected an object, not integer `7`"),
        ("{\"at\":\"2x26-01-01T00:00:00Z\"}\n".to_owned(), "\"2x26-01-01T00:00:00Z\" is no time (RFC 3339)"),
        (format!("{at}\"run_begun\"}}\n"), "unknown value `run_begun`, expected one of `run_started`"),
        (
            format!("{at}\"run_finished\",\"elapsed_ms\":1,\"fixtures\":\"x\"}}\n"),
            "expected a whole number, not string \"x\"",
        ),
    ] {
        let why = with(line.as_bytes());
        assert!(why.starts_with(&format!("line 2 is no event: {what}")), "{why}");
    }
    assert_eq!(with(&good), "a second run starts on line 2; a recording holds one run");
    let headless = written(&everything()[1..]);
    assert_eq!(
        complaint(&headless),
        "line 1 is not the start of a run: the recording has lost its beginning"
    );
}

#[test]
fn lines_without_a_text_are_left_out_and_counted() {
    let lines = written(&everything());
    let lines = std::str::from_utf8(&lines).unwrap();
    let spaced = format!("\n \r\n{}\n", lines.replace('\n', "\n\n"));
    assert_eq!(read(spaced.as_bytes()).unwrap(), (everything(), None));
    let joined = complaint(format!("{lines}\n\n{lines}").as_bytes());
    let second = everything().len() + 3;
    assert_eq!(joined, format!("a second run starts on line {second}; a recording holds one run"));
    for blank in ["\n", " \r\n\n", "\u{feff}\n"] {
        assert_eq!(complaint(blank.as_bytes()), "the recording is empty");
    }
}

#[test]
fn a_recording_with_very_many_values_is_refused() {
    let start = written(&everything()[..1]);
    let line = |values: usize| format!("{{\"notes\":[{}\"\"]}}\n", "\"\",".repeat(values)).into_bytes();
    let long = complaint(&[start.clone(), line(500_000)].concat());
    assert_eq!(long, "line 2 has more than 500000 values: no run writes as many");
    let added = format!("{{\"added\":[{}0],", "0,".repeat(400_000));
    let event = [added.as_bytes(), &written(&everything()[1..2])[1..]].concat();
    let many = complaint(&[start.clone(), event.repeat(5)].concat());
    assert_eq!(many, "the recording has more than 2000000 values: no run writes as many");
    assert_eq!(read(&[start, event.repeat(4)].concat()).unwrap().0.len(), 5);
}

#[test]
fn a_byte_order_mark_is_no_part_of_the_first_event() {
    let bytes = [b"\xEF\xBB\xBF".as_slice(), &written(&everything())].concat();
    assert_eq!(read(&bytes).unwrap().0, everything());
    assert_eq!(complaint(b"\xEF\xBB\xBF"), "the recording is empty");
}

#[test]
fn a_recording_without_end_does_not_fill_our_memory() {
    let start = written(&everything()[..1]);
    let mut padded = vec![b' '; 1 << 20];
    padded.extend(written(&everything()[1..2]));
    for endless in [vec![b' '; 1 << 20], padded] {
        let endless = io::BufReader::new(Repeated { bytes: endless, at: 0 });
        let mut reader = EventReader::new(start.chain(endless));
        let why = reader.by_ref().find_map(Result::err).unwrap().to_string();
        assert_eq!(why, "the recording has more than 64 MB: no run writes as much");
        assert!(reader.next().is_none());
    }
}

/// The same bytes again and again.
struct Repeated {
    bytes: Vec<u8>,
    at: usize,
}

impl Read for Repeated {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let read = (&self.bytes[self.at..]).read(to)?;
        self.at = (self.at + read) % self.bytes.len();
        Ok(read)
    }
}

#[test]
fn a_later_format_is_refused_before_it_is_misunderstood() {
    let later = b"{\"at\":\"2030-01-01T00:00:00Z\",\"event\":\"run_started\",\"format\":9,\"planets\":[]}\n";
    assert!(complaint(later).contains("has format 9, and this kube-assay reads format 2; hint: use a newer"));
}

#[test]
fn an_earlier_format_is_refused_with_its_other_words() {
    let earlier = b"{\"at\":\"2026-01-01T00:00:00Z\",\"event\":\"run_started\",\"format\":1}\n";
    assert!(
        complaint(earlier).contains("has format 1, and this kube-assay reads format 2; hint: repeat the run")
    );
}

#[test]
fn a_replayed_run_gives_the_same_reports() {
    let (replayed, _) = read(&written(&everything())).unwrap();
    for (format, _) in Format::FILES {
        assert_eq!(rendered(format, &everything()), rendered(format, &replayed));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn what_is_read_is_written_again_byte_by_byte(events in hostile::run()) {
        let bytes = written(&events);
        let (back, note) = read(&bytes).unwrap();
        prop_assert_eq!(&back, &events);
        prop_assert_eq!(note, None);
        prop_assert_eq!(written(&back), bytes);
        prop_assert!(matches!(back[0].kind, EventKind::RunStarted(_)));
    }

    #[test]
    fn a_recording_with_changed_bytes_is_read_or_refused(
        events in hostile::run(),
        changes in vec((any::<Index>(), any::<u8>()), 1..6),
    ) {
        let mut bytes = written(&events);
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        match read(&bytes) {
            Ok((back, _)) => prop_assert_eq!(&read(&written(&back)).unwrap().0, &back),
            Err(error) => prop_assert!(!error.to_string().is_empty()),
        }
    }
}

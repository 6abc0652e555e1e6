//! Full evidence, and the replay without a server.

use std::fs;
use std::io::Write;
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::Value;

use crate::support::evidence::{edit, evidence, lines, recorded, without_an_exchange};
use crate::support::{Ended, Reference, kube_assay};

/// Areas with plain requests, watches, chunks, patches, `WebSockets` and requests on bare connections.
const AREAS: [&str; 20] = [
    "--area",
    "watch",
    "--area",
    "pagination",
    "--area",
    "apply-merge",
    "--area",
    "patch",
    "--area",
    "dry-run",
    "--area",
    "streaming-subresources",
    // Concurrent clients, whose order decides what each does next.
    "--area",
    "concurrency",
    "--area",
    "history",
    // What one scenario defines for all others.
    "--area",
    "cel-libraries",
    "--area",
    "deprecation",
];

fn replay(evidence: &Path, code: i32) -> Ended {
    kube_assay(&["replay", evidence.to_str().unwrap()]).end().ended_with(code)
}

#[test]
fn a_replay_without_a_server_has_the_recorded_verdicts() {
    let reference = Reference::right();
    let run = recorded(&reference, &AREAS, 0);
    assert!(!lines(&evidence(&run)).contains(reference.token()));
    drop(reference);

    let replayed = replay(&run.reports(), 0);

    assert!(replayed.out.contains("clauses have the recorded verdict"), "{}", replayed.out);
}

#[test]
fn the_failures_of_a_wrong_server_are_replayed() {
    let reference = Reference::wrong(&["watch-delete-deleted"]);
    let run = recorded(&reference, &["--clause", "watch-delete-*", "--event-timeout", "3s"], 1);
    drop(reference);
    replay(&evidence(&run), 0);

    edit(&evidence(&run), |lines| lines.replace("\"outcome\":\"failed\"", "\"outcome\":\"passed\""));
    let refused = replay(&evidence(&run), 1);
    let difference = "watch-delete-deleted: recorded passed; replayed failed";
    assert!(refused.out.contains(difference), "{}", refused.out);
}

#[test]
fn a_request_that_the_record_lacks_is_named() {
    let run = recorded(&Reference::right(), &["--area", "dry-run"], 0);
    edit(&evidence(&run), |lines| lines.replace("dryRun=All", "dryRun=Some"));
    let replayed = replay(&evidence(&run), 3);
    assert!(
        replayed.out.contains("?dryRun=All") && replayed.out.contains("?dryRun=Some"),
        "{}",
        replayed.out
    );
}

/// However short, each takes memory.
#[test]
fn a_record_of_very_many_lines_is_refused() {
    let run = recorded(&Reference::right(), &["--area", "dry-run"], 0);
    edit(&evidence(&run), |lines| {
        let (first, rest) = lines.split_once('\n').unwrap();
        format!("{first}\n{}{rest}", "{\"body\":{\"text\":\"\"}}\n".repeat(1_000_000))
    });
    let refused = replay(&evidence(&run), 2);
    assert!(refused.error().contains("it has more than 1000000 lines"), "{}", refused.err);
}

#[test]
fn a_damaged_or_shortened_record_is_refused() {
    let run = recorded(&Reference::right(), &["--area", "dry-run"], 0);
    let whole = fs::read(evidence(&run)).unwrap();

    fs::write(evidence(&run), &whole[..whole.len() / 2]).unwrap();
    let cut = replay(&evidence(&run), 2).error();
    assert!(cut.contains(": it is cut off (") && cut.contains("hint: copy all of it again"), "{cut}");

    // A byte of the checksum, and one of the lines.
    let (checksum, middle) = (whole.len() - 8, whole.len() / 2);
    for place in [checksum, middle] {
        let mut changed = whole.clone();
        changed[place] ^= 1;
        fs::write(evidence(&run), &changed).unwrap();
        let damaged = replay(&evidence(&run), 2).error();
        assert!(place == middle || damaged.contains(": it is damaged (corrupt "), "{damaged}");
        assert!(damaged.contains(" again, ") && damaged.contains("or repeat the run"), "{damaged}");
    }

    let mut endless = GzEncoder::new(Vec::new(), Compression::fast());
    let zeros = vec![b'0'; 1 << 20];
    (0..300).for_each(|_| endless.write_all(&zeros).unwrap());
    fs::write(evidence(&run), endless.finish().unwrap()).unwrap();
    let refused = replay(&evidence(&run), 2);
    assert!(refused.error().contains("a line of it is longer than a run writes"), "{}", refused.err);

    let missing = kube_assay(&["replay", "evidence.jsonl.gz"]).end();
    assert!(missing.error().contains("hint: name the evidence"), "{}", missing.err);
}

#[test]
fn a_file_in_the_place_of_the_evidence_is_named() {
    let packed = |text: &str| {
        let mut packer = GzEncoder::new(Vec::new(), Compression::fast());
        packer.write_all(text.as_bytes()).unwrap();
        packer.finish().unwrap()
    };
    let recording = "{\"at\":\"2026-01-01T00:00:00Z\",\"event\":\"run_started\"}\n";
    let begins_otherwise = "it does not begin as full evidence does";
    for (content, cause) in [
        (packed(recording), begins_otherwise),
        (packed("\n\n"), begins_otherwise),
        (packed(""), begins_otherwise),
        (recording.into(), "it is the recording of a run"),
        (b"\n".to_vec(), "it is empty"),
        (b"hello\n".to_vec(), "it is no JSON"),
        // What a copy as text makes of the first bytes.
        ("\u{1f}\u{fffd}\u{8}\0\0\0\0\0".into(), "it is no gzip file"),
    ] {
        let program = kube_assay(&["replay", "file"]);
        fs::write(program.folder().join("file"), content).unwrap();
        let hint = "hint: name the evidence of `kube-assay run --evidence full`";
        let binary = if cause == "it is no gzip file" { ", or copy it again, in binary mode" } else { "" };
        let expected = format!("exit 2, error: failed to read the evidence file: {cause}; {hint}{binary}");
        assert_eq!(program.end().error(), expected);
    }
}

#[test]
fn a_line_with_very_many_values_is_refused() {
    let run = recorded(&Reference::right(), &["--area", "dry-run"], 0);
    let headers = format!("\"headers\":[{}", r#"["",""],"#.repeat(400_000));
    edit(&evidence(&run), |lines| lines.replacen("\"headers\":[", &headers, 1));
    let refused = replay(&evidence(&run), 2);
    assert!(refused.error().contains("it has more than 1000000 values in a line"), "{}", refused.err);
}

#[test]
fn a_removed_exchange_is_noticed() {
    let run = recorded(&Reference::right(), &["--area", "dry-run"], 0);
    edit(&evidence(&run), |lines| without_an_exchange(&lines));
    replay(&evidence(&run), 2);
}

#[test]
fn the_evidence_matches_its_schema() {
    let run = recorded(&Reference::right(), &["--clause", "watch-delete-*"], 0);
    let schema = serde_json::from_str(include_str!("../../reports/schema/evidence.json")).unwrap();
    let schema = jsonschema::validator_for(&schema).unwrap();
    for line in lines(&evidence(&run)).lines() {
        let line = serde_json::from_str(line).unwrap();
        schema.validate(&line).unwrap_or_else(|why| panic!("{why}: {line}"));
    }
}

/// A scenario that fails ends earlier, perhaps before the server is known to remove namespaces: then the sweep asks for the
/// removal instead of the scenario, and the requests differ as well.
#[test]
fn a_changed_response_changes_the_verdict() {
    let run = recorded(&Reference::right(), &["--clause", "watch-delete-deleted"], 0);
    edit(&evidence(&run), |lines| lines.replace(r#"\"type\":\"DELETED\""#, r#"\"type\":\"MODIFIED\""#));
    let refused = kube_assay(&["replay", run.reports().to_str().unwrap()]).end();
    assert!(matches!(refused.code, Some(1 | 3)), "{}", refused.out);
    let difference = "watch-delete-deleted: recorded passed; replayed failed";
    assert!(refused.out.contains(difference), "{}", refused.out);
}

#[test]
fn watch_events_in_another_order_change_the_verdict() {
    let run = recorded(&Reference::right(), &["--clause", "watch-update-modified"], 0);
    edit(&evidence(&run), |lines| {
        lines.lines().map(|line| with_first_pieces_exchanged(line) + "\n").collect()
    });
    let refused = replay(&evidence(&run), 3);
    let difference = "watch-update-modified: recorded passed; replayed failed";
    assert!(refused.out.contains(difference), "{}", refused.out);
}

/// A line of the evidence, in which the first two pieces of a body have each other's bytes.
fn with_first_pieces_exchanged(line: &str) -> String {
    let mut line: Value = serde_json::from_str(line).unwrap();
    let pieces = line.pointer_mut("/exchange/pieces").and_then(Value::as_array_mut);
    if let Some([first, second, ..]) = pieces.map(Vec::as_mut_slice) {
        std::mem::swap(&mut first["body"], &mut second["body"]);
    }
    line.to_string()
}

/// Other programs read all members of a gzip file, and so would show more than was judged.
#[test]
fn what_is_behind_the_record_is_damage() {
    let reference = Reference::right();
    let run = recorded(&reference, &["--clause", "rv-list-nomatch-*"], 0);
    let whole = fs::read(evidence(&run)).unwrap();
    let mut packer = GzEncoder::new(whole.clone(), Compression::fast());
    packer.write_all(b"{}\n").unwrap();
    for (more, words) in [
        (packer.finish().unwrap(), "or repeat the run"),
        ([&whole[..], &whole[..]].concat(), "hint: name the evidence of one run alone"),
        ([&whole[..], b"more than a header"].concat(), "hint: copy it again, in binary mode"),
    ] {
        fs::write(evidence(&run), more).unwrap();
        let refused = replay(&run.reports(), 2).error();
        assert!(refused.contains(words), "{refused}");
    }
    fs::write(evidence(&run), whole).unwrap();
    replay(&run.reports(), 0);
}

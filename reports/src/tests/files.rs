//! The files in the output folder.

use std::collections::HashSet;
use std::fs;

use model::{Area, Catalogue};

use crate::tests::example::{clause, everything};
use crate::tests::rendered;
use crate::{Coverage, Directory, Format, Reporter};

#[test]
fn the_summary_reads_well() {
    insta::assert_snapshot!(rendered(Format::Summary, &everything()));
}

#[test]
fn the_coverage_reads_well() {
    insta::assert_snapshot!(rendered(Format::Coverage, &everything()));
}

#[test]
fn a_catalogue_has_a_coverage_without_any_run() {
    let clauses = vec![clause("watch", "a", "must", "s"), clause("watch", "b", "may", "s")];
    let area = Area { name: "watch".to_owned(), complete: false, clauses };
    let catalogue = Catalogue::new(vec![area]).unwrap();
    let coverage = Coverage::of_catalogue(&catalogue, &HashSet::from(["b".into()]));
    assert_eq!((coverage.total.all.with_scenario, coverage.total.all.percent()), (1, 50));
    assert_eq!(coverage.areas[0].without_scenario, ["a".into()]);
}

#[test]
fn the_folder_holds_every_report_and_the_events_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("new/out");
    let mut directory = Box::new(Directory::create(&path).unwrap());
    let events = everything();
    for (number, event) in events.iter().enumerate() {
        directory.report(event).unwrap();
        let lines = fs::read_to_string(path.join("events.jsonl")).unwrap().lines().count();
        assert_eq!(lines, number + 1);
    }
    directory.finish().unwrap();
    for (format, name) in Format::FILES {
        assert_eq!(fs::read_to_string(path.join(name)).unwrap(), rendered(format, &events));
    }
}

#[test]
fn events_that_were_emptied_during_the_run_are_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let mut directory = Directory::create(folder.path()).unwrap();
    let events = everything();
    directory.report(&events[0]).unwrap();
    fs::write(folder.path().join("events.jsonl"), "").unwrap();
    events[1..].iter().for_each(|event| directory.report(event).unwrap());
    let why = Box::new(directory).finish().unwrap_err().to_string();
    assert!(why.contains("another program removed, replaced or changed it"), "{why}");
}

/// The whole folder, or the events in it.
#[test]
fn files_that_were_removed_during_the_run_are_written_again() {
    for removed in ["", "events.jsonl"] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("report");
        let mut directory = Box::new(Directory::create(&path).unwrap());
        let events = everything();
        directory.report(&events[0]).unwrap();
        fs::rename(path.join(removed), folder.path().join("elsewhere")).unwrap();
        events[1..].iter().for_each(|event| directory.report(event).unwrap());
        directory.finish().unwrap();
        let lines = fs::read_to_string(path.join("events.jsonl")).unwrap().lines().count();
        assert_eq!(lines, events.len());
        assert!(Format::FILES.iter().all(|(_, name)| path.join(name).exists()));
    }
}

#[test]
fn a_folder_that_cannot_be_made_again_is_an_error_about_all_files() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("report");
    let directory = Box::new(Directory::create(&path).unwrap());
    fs::remove_dir_all(&path).unwrap();
    fs::write(&path, "in the way").unwrap();
    let why = directory.finish().unwrap_err().to_string();
    assert!(why.starts_with("failed to write ") && why.contains("report/junit.xml: "), "{why}");
    assert!(why.ends_with("(and 4 more files)"), "{why}");
}

#[test]
fn the_reports_of_one_earlier_run_are_kept_apart() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    assert_eq!(Directory::create(folder.path()).unwrap().previous(), None);
    fs::write(file("junit.xml"), "green").unwrap();
    fs::write(file("mine.txt"), "kept").unwrap();
    let directory = Directory::create(folder.path()).unwrap();
    assert_eq!(directory.previous(), Some(&*file("previous")));
    assert_eq!(fs::read_to_string(file("previous/junit.xml")).unwrap(), "green");
    assert!(file("mine.txt").exists() && !file("junit.xml").exists());
    drop(directory);
    fs::write(file("events.jsonl"), "of a run").unwrap();
    drop(Directory::create(folder.path()).unwrap());
    assert!(!file("previous/junit.xml").exists(), "only one run is kept");
    assert!(file("previous/events.jsonl").exists());
}

#[test]
fn an_error_has_action_path_cause_and_hint() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    fs::write(&path, "").unwrap();
    let error = Directory::create(&path.join("out")).unwrap_err().to_string();
    assert!(error.starts_with("failed to make the output folder "), "{error}");
    assert!(
        error.contains("out: Not a directory") && error.contains("hint: choose another folder"),
        "{error}"
    );
}

//! `history`: a store that loses nothing, and a check that fails for regressions alone.

use std::fs;
use std::path::{Path, PathBuf};

use harness::load::{DurationKind, LoadRun, Phase, PhaseName, Scope, Series, SeriesKey, Workload};
use reports::load::LoadFormat;

use serde_json::json;

use crate::load::loading;
use crate::support::browser::Browser;
use crate::support::{Ended, Program, Reference, kube_assay};

/// A nightly result: LIST becomes 20 % slower with result 16.
fn run(number: u64) -> LoadRun {
    let workload = Workload { name: "crud-mix".to_owned(), digest: "5f70".to_owned(), ..Workload::default() };
    let began =
        jiff::Timestamp::from_second(1_792_980_000 + 86_400 * i64::try_from(number).unwrap()).unwrap();
    let target = harness::TargetInfo::default();
    let mut run = LoadRun::new("kube-assay 0.1.0", &format!("r{number}"), workload, target, began);
    run.labels = [("commit".to_owned(), format!("c{number:02}"))].into();
    run.phases = vec![Phase { name: PhaseName::Measure, from_ms: 0, to_ms: 10_000 }];
    let median = if number < 16 { 3_000 } else { 3_600 } + number * 7_919 % 61;
    let key = SeriesKey::new("LIST", "configmaps", Scope::Namespace, DurationKind::Latency, "");
    let mut list = Series::new(key);
    (0..1_200).for_each(|at| list.record(median / 2 + median * at / 1_200));
    run.series = vec![list];
    run
}

/// Writes summary.json of results into a folder, and returns the paths.
fn results(folder: &Path, numbers: impl IntoIterator<Item = u64>) -> Vec<String> {
    let write = |number| {
        let path = folder.join(format!("{number}.json"));
        LoadFormat::Summary.write(&run(number), &mut fs::File::create(&path).unwrap()).unwrap();
        path.display().to_string()
    };
    numbers.into_iter().map(write).collect()
}

/// The program with a store in a folder that outlives the call.
fn history(action: &str, store: &Path) -> Program {
    kube_assay(&["history", action, "--store", &store.display().to_string()])
}

fn add(store: &Path, results: &[String]) -> Program {
    history("add", store).with(&results.iter().map(String::as_str).collect::<Vec<_>>())
}

/// A folder with a store of the first results.
fn stored(numbers: u64) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("store");
    add(&store, &results(folder.path(), 0..numbers)).end().ended_with(0);
    (folder, store)
}

/// The files of results in a store.
fn files(store: &Path) -> Vec<PathBuf> {
    let folders = fs::read_dir(store).into_iter().flatten().flatten();
    let files = folders.flat_map(|folder| fs::read_dir(folder.path()).into_iter().flatten().flatten());
    let mut files: Vec<PathBuf> = files.map(|file| file.path()).filter(|path| !is_hidden(path)).collect();
    files.sort();
    files
}

fn is_hidden(path: &Path) -> bool {
    path.file_name().unwrap().to_string_lossy().starts_with('.')
}

fn contents(store: &Path) -> Vec<Vec<u8>> {
    files(store).iter().map(|file| fs::read(file).unwrap()).collect()
}

#[test]
fn a_folder_without_results_is_no_history() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("page.html");
    for program in [
        history("show", folder.path()),
        history("check", folder.path()),
        history("page", folder.path()).with(&["-o", &page.display().to_string()]),
    ] {
        let ended = program.end().ended_with(3);
        assert!(ended.error().contains("found no result in "), "{}", ended.error());
    }
    assert!(!page.exists());
}

#[test]
fn a_real_result_is_kept_once() {
    let reference = Reference::right();
    let small = ["--objects", "20", "--rate", "100", "--duration", "1s", "--label", "commit=1f2e"];
    let measured = loading("crud-mix", &reference).with(&small).end().ended_with(0);
    let store = measured.folder().join("store");
    let result = [measured.reports().display().to_string()];
    let added = add(&store, &result).end().ended_with(0);
    assert!(added.out.starts_with("added "), "{}", added.out);
    let again = add(&store, &result).end().ended_with(0);
    assert!(again.out.starts_with("already in "), "{}", again.out);
    assert_eq!(files(&store).len(), 1);
    let shown = history("show", &store).end().ended_with(0);
    assert!(shown.out.contains("1, 1f2e of 20"), "{}", shown.out);
    assert!(!fs::read_to_string(&files(&store)[0]).unwrap().contains(&reference.url()));
}

#[test]
fn a_regression_ends_in_1_and_names_the_commit() {
    let (folder, store) = stored(30);
    let junit = folder.path().join("junit.xml");
    let check = |flags: &[&str]| history("check", &store).with(flags).end();
    let slower = check(&["--junit", &junit.display().to_string()]).ended_with(1);
    for text in ["LIST configmaps namespace, latency p50 is 20 % slower", "since c16", "before is c15"] {
        assert!(slower.out.replace("\n        ", " ").contains(text), "no {text:?} in {}", slower.out);
    }
    assert_eq!(fs::read_to_string(&junit).unwrap().matches("<failure ").count(), 2);
    check(&["--max-regression", "30%"]).ended_with(0);
    check(&["--since", "2026-11-12T00:00:00Z"]).ended_with(0);
    check(&["--since", "2026-11-11T00:00:00Z"]).ended_with(1);
    let annotated = history("check", &store).env("GITHUB_ACTIONS", "true").end().ended_with(1);
    assert_eq!(annotated.out.matches("::error title=").count(), 2, "{}", annotated.out);
}

#[test]
fn what_cannot_be_judged_ends_in_3() {
    let (_folder, store) = stored(12);
    let few = history("check", &store).end().ended_with(3);
    assert!(few.out.contains("has 12 results"), "{}", few.out);
    let none = history("check", &store).with(&["--label", "branch=main"]).end().ended_with(3);
    assert!(none.out.contains("no number could be judged"), "{}", none.out);
    let one = history("show", &store).with(&["--label", "commit=c03"]).end().ended_with(0);
    assert!(one.out.contains("results   1, c03"), "{}", one.out);
}

#[test]
fn wrong_usage_ends_in_2() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("store");
    let missing = history("check", &store).end().ended_with(2);
    assert!(missing.err.contains("`kube-assay history add` makes the store"), "{}", missing.err);
    let program = kube_assay(&["history", "add", "other.json", "--store", "s"]);
    program.file("other.json", "{\"clauses\":[]}");
    assert!(program.end().ended_with(2).err.contains("summary of a conformance run"));
    let mut partial = run(1);
    partial.partial = Some("interrupted".to_owned());
    let mut old = run(1);
    old.workload.digest.clear();
    for (run, text) in [(partial, "the run is partial (interrupted)"), (old, "no digest of its workload")] {
        let path = folder.path().join("summary.json");
        LoadFormat::Summary.write(&run, &mut fs::File::create(&path).unwrap()).unwrap();
        // One result that cannot be kept, and none is.
        let all = [results(folder.path(), [0]), vec![folder.path().display().to_string()]].concat();
        let refused = add(&store, &all).end().ended_with(2);
        assert!(refused.err.contains(text), "{}", refused.err);
    }
    assert!(!store.exists());
}

#[test]
fn concurrent_writers_lose_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("store");
    let all = results(folder.path(), 0..40);
    // Every result has two writers; some of the calls make the store.
    let calls = all.chunks(5).chain(all.chunks(8)).map(|results| add(&store, results).start());
    for call in calls.collect::<Vec<_>>() {
        call.end().ended_with(0);
    }
    assert_eq!(files(&store).len(), 40);
    history("show", &store).end().ended_with(0);
}

#[test]
fn a_killed_writer_loses_nothing_that_was_kept() {
    let (folder, store) = stored(10);
    let before = contents(&store);
    let more = results(folder.path(), 10..80);
    let mut cut = 0;
    for kill_after in [0, 1, 5, 20, 60] {
        let mut writer = add(&store, &more).start();
        let enough = || files(&store).len() >= 10 + kill_after;
        while !enough() && !writer.has_ended() {
            std::thread::yield_now();
        }
        writer.signal("KILL");
        writer.end();
        cut += usize::from(files(&store).len() < 80);
        // Whatever was written before is as it was, and each file of a result is whole.
        assert_eq!(contents(&store)[..10], before);
        history("show", &store).end().ended_with(0);
    }
    assert!(cut > 0, "no writer was killed in the middle");
    add(&store, &more).end().ended_with(0);
    assert_eq!(files(&store).len(), 80);
}

#[test]
fn a_full_disk_loses_nothing_that_was_kept() {
    let (folder, store) = stored(2);
    let before = contents(&store);
    // No file may grow beyond 512 bytes, as on a disk without room for more.
    let full = add(&store, &results(folder.path(), [2])).after("trap '' XFSZ; ulimit -f 1").end();
    let full = full.ended_with(3);
    assert!(full.err.contains("failed to write ") && full.err.contains("make room"), "{}", full.err);
    assert_eq!(contents(&store), before);
    let hidden =
        fs::read_dir(store.join("2026-10")).unwrap().flatten().filter(|file| is_hidden(&file.path()));
    assert_eq!(hidden.count(), 0);
}

#[test]
fn a_store_that_cannot_be_made_has_a_hint() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    let link = folder.path().join("link");
    std::os::unix::fs::symlink(folder.path().join("nowhere"), &link).unwrap();
    for (store, there) in [(file.clone(), &file), (file.join("store"), &file), (link.clone(), &link)] {
        let refused = add(&store, &results(folder.path(), [0])).end().ended_with(3).err;
        let attempted = format!("failed to make the folder {}/2026-10: ", store.display());
        let hint =
            format!("; hint: {} is no folder: choose another folder with --store DIR", there.display());
        assert!(refused.contains(&attempted) && refused.contains(&hint), "{refused}");
    }
    assert_eq!(fs::read(&file).unwrap(), b"");
}

#[test]
fn a_torn_result_is_reported_and_the_others_are_read() {
    let (_folder, store) = stored(30);
    let torn = files(&store).swap_remove(7);
    let whole = fs::read(&torn).unwrap();
    fs::write(&torn, &whole[..whole.len() / 2]).unwrap();
    let shown = history("show", &store).end().ended_with(3);
    assert!(shown.err.contains("it is cut off or damaged") && shown.err.contains(torn.to_str().unwrap()));
    assert!(shown.out.contains("results   29, "), "{}", shown.out);
    // A regression is one without it as well.
    history("check", &store).end().ended_with(1);
    // The same result again makes the store whole.
    fs::write(&torn, &whole).unwrap();
    history("show", &store).end().ended_with(0);
}

#[test]
fn a_page_is_one_file() {
    let (folder, store) = stored(30);
    let page = folder.path().join("history.html");
    let written: Ended =
        history("page", &store).with(&["-o", &page.display().to_string()]).end().ended_with(0);
    assert_eq!(written.out, "");
    let page = fs::read_to_string(page).unwrap();
    assert!(page.starts_with("<!DOCTYPE html>") && page.contains("at c16 of 2026-11-11"));
    let failed = history("page", &store).with(&["-o", "/dev/full"]).end().ended_with(3);
    assert!(failed.err.contains("failed to write /dev/full"), "{}", failed.err);
}

#[test]
fn a_chart_of_the_page_names_results_to_keys_and_fits_a_phone() {
    let Some(browser) = Browser::find() else { return };
    let (folder, store) = stored(30);
    let page = folder.path().join("history.html");
    history("page", &store).with(&["-o", &page.display().to_string()]).end().ended_with(0);
    browser.open(&page);
    browser.press("svg", "\u{e010}");
    let shown = browser.value("document.querySelector('svg + .values').textContent");
    assert_eq!(shown, "2026-11-24 02:00: c29, p50 3.64 ms, p99 5.43 ms");
    browser.command(
        "Emulation.setDeviceMetricsOverride",
        &json!({ "width": 360, "height": 780, "deviceScaleFactor": 2, "mobile": true }),
    );
    assert_eq!(browser.value("document.documentElement.scrollWidth"), 360);
}

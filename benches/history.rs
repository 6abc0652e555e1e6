//! The cost of a history: `cargo bench --bench history`.
//!
//! The program reads a store and writes the page, for 1,000 and for 10,000 results in turn. A ratio of 10 means that the
//! cost is linear in the results.
#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a benchmark prints its results, and ends at an error"
)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use harness::TargetInfo;
use harness::load::history::HistoryEntry;
use harness::load::{DurationKind, LoadRun, Phase, PhaseName, Scope, Series, SeriesKey, Workload};
use jiff::{SignedDuration, Timestamp};
use reports::load::write_entry;

/// Pairs of calls: one with few results, one with many.
const PAIRS: usize = 5;

const FEW: usize = 1_000;
const MANY: usize = 10_000;

/// The requests of crud-mix.
const VERBS: [&str; 6] = ["GET", "LIST", "POST", "PUT", "PATCH", "DELETE"];

fn main() {
    let folder = tempfile::tempdir().unwrap();
    let [few, many] = [FEW, MANY].map(|results| store(folder.path(), results));
    let mut pairs: Vec<[f64; 2]> = (0..PAIRS).map(|_| [few.as_path(), many.as_path()].map(seconds)).collect();
    pairs.sort_by(|one, other| (one[1] / one[0]).total_cmp(&(other[1] / other[0])));
    let [of_few, of_many] = pairs[PAIRS / 2];
    let size = fs::metadata(page(&many)).unwrap().len();
    println!("history page, {MANY} results: {of_many:.2} s, {size} bytes; {FEW} results: {of_few:.2} s");
    let ratios = [0, PAIRS / 2, PAIRS - 1].map(|at| pairs[at][1] / pairs[at][0]);
    println!("history page, {MANY} ÷ {FEW} results: {:.1} ({:.1}..{:.1})", ratios[1], ratios[0], ratios[2]);
}

fn page(store: &Path) -> PathBuf {
    store.with_extension("html")
}

fn seconds(store: &Path) -> f64 {
    let began = Instant::now();
    let mut program = Command::new(env!("CARGO_BIN_EXE_kube-assay"));
    program.args(["history", "page", "--store"]).arg(store).arg("-o").arg(page(store));
    assert!(program.status().unwrap().success());
    began.elapsed().as_secs_f64()
}

/// A store of results an hour apart; from the middle on they are slower.
fn store(folder: &Path, results: usize) -> PathBuf {
    let store = folder.join(results.to_string());
    let nights: Vec<HistoryEntry> = (0..64).map(result).collect();
    for number in 0..results {
        let began = Timestamp::UNIX_EPOCH + SignedDuration::from_hours(i64::try_from(number).unwrap());
        let night = number % 32 + if number < results / 2 { 0 } else { 32 };
        let entry = HistoryEntry { began, ..nights[night].clone() };
        let month = store.join(began.strftime("%Y-%m").to_string());
        fs::create_dir_all(&month).unwrap();
        write_entry(&entry, &mut fs::File::create(month.join(format!("{number}.json"))).unwrap()).unwrap();
    }
    store
}

fn result(number: u64) -> HistoryEntry {
    let workload = Workload { name: "crud-mix".to_owned(), digest: "5f70".to_owned(), ..Workload::default() };
    let mut run = LoadRun::new("bench", "r", workload, TargetInfo::default(), Timestamp::UNIX_EPOCH);
    run.labels = [("commit".to_owned(), format!("{number:040x}"))].into();
    run.phases = vec![Phase { name: PhaseName::Measure, from_ms: 0, to_ms: 10_000 }];
    let kinds = [DurationKind::Latency, DurationKind::Service, DurationKind::SendError];
    let keys = VERBS
        .iter()
        .flat_map(|verb| kinds.map(|kind| SeriesKey::new(verb, "configmaps", Scope::Resource, kind, "")));
    run.series = (0..).zip(keys).map(|(at, key)| series(number + at, number >= 32, key)).collect();
    HistoryEntry::of(&run)
}

fn series(seed: u64, is_slower: bool, key: SeriesKey) -> Series {
    let median = if is_slower { 2_400 } else { 2_000 } + seed * 7_919 % 61;
    let mut series = Series::new(key);
    (0..2_000).for_each(|at| series.record(median / 2 + median * at / 2_000));
    series
}

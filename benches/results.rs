//! The cost of many results: `cargo bench --bench results`.
//!
//! The program writes the page of a history of 1,000 and of 10,000 results in turn, and exports 20 and 200 results. A ratio
//! of 10 means that the cost is linear in the results.
#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a benchmark prints its results, and ends at an error"
)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use harness::TargetInfo;
use harness::load::history::HistoryEntry;
use harness::load::{DurationKind, LoadRun, Phase, PhaseName, Scope, Series, SeriesKey, Workload};
use jiff::{SignedDuration, Timestamp};
use reports::load::{write_entry, write_summary};

/// The pairs of calls: one with few results, one with many.
const PAIRS: usize = 5;

/// The requests of crud-mix.
const VERBS: [&str; 6] = ["GET", "LIST", "POST", "PUT", "PATCH", "DELETE"];

fn main() {
    let folder = tempfile::tempdir().unwrap();
    let stores = [1_000, 10_000].map(|results| store(folder.path(), results));
    compare("history page of 10,000 ÷ 1,000 results", stores.each_ref().map(|store| page(store)));
    let size = fs::metadata(page_of(&stores[1])).unwrap().len();
    println!("history page of 10,000 results: {size} bytes");
    let summary = summary(folder.path());
    compare("export of 200 ÷ 20 results", [20, 200].map(|results| export(&summary, results)));
}

/// Runs both commands in turn, and prints the median ratio of their times.
fn compare(what: &str, mut commands: [Command; 2]) {
    let mut pairs: Vec<[f64; 2]> = (0..PAIRS).map(|_| commands.each_mut().map(seconds)).collect();
    pairs.sort_by(|one, other| (one[1] / one[0]).total_cmp(&(other[1] / other[0])));
    let ratios = [0, PAIRS / 2, PAIRS - 1].map(|at| pairs[at][1] / pairs[at][0]);
    let [few, many] = pairs[PAIRS / 2];
    println!("{what}: {:.1} ({:.1}..{:.1}), {many:.2} s and {few:.2} s", ratios[1], ratios[0], ratios[2]);
}

fn seconds(command: &mut Command) -> f64 {
    let began = Instant::now();
    assert!(command.status().unwrap().success());
    began.elapsed().as_secs_f64()
}

fn page(store: &Path) -> Command {
    let mut program = Command::new(env!("CARGO_BIN_EXE_kube-assay"));
    program.args(["history", "page", "--store"]).arg(store).arg("-o").arg(page_of(store));
    program
}

fn page_of(store: &Path) -> PathBuf {
    store.with_extension("html")
}

fn export(summary: &Path, results: usize) -> Command {
    let mut program = Command::new(env!("CARGO_BIN_EXE_kube-assay"));
    program.args(["export", "--format", "otava"]).args(vec![summary; results]).stdout(Stdio::null());
    program
}

fn summary(folder: &Path) -> PathBuf {
    let file = folder.join("summary.json");
    write_summary(&run(0), &mut fs::File::create(&file).unwrap()).unwrap();
    file
}

/// A store of results an hour apart; from the middle on they are slower.
fn store(folder: &Path, results: usize) -> PathBuf {
    let store = folder.join(results.to_string());
    let nights: Vec<HistoryEntry> = (0..64).map(|number| HistoryEntry::of(&run(number))).collect();
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

fn run(number: u64) -> LoadRun {
    let workload = Workload { name: "crud-mix".to_owned(), digest: "5f70".to_owned(), ..Workload::default() };
    let mut run = LoadRun::new("bench", "r", workload, TargetInfo::default(), Timestamp::UNIX_EPOCH);
    run.labels = [("commit".to_owned(), format!("{number:040x}"))].into();
    run.phases = vec![Phase { name: PhaseName::Measure, from_ms: 0, to_ms: 10_000 }];
    let kinds = [DurationKind::Latency, DurationKind::Service, DurationKind::SendError];
    let keys = VERBS
        .iter()
        .flat_map(|verb| kinds.map(|kind| SeriesKey::new(verb, "configmaps", Scope::Resource, kind, "")));
    run.series = (0..).zip(keys).map(|(at, key)| series(number + at, number >= 32, key)).collect();
    run
}

fn series(seed: u64, is_slower: bool, key: SeriesKey) -> Series {
    let median = if is_slower { 2_400 } else { 2_000 } + seed * 7_919 % 61;
    let mut series = Series::new(key);
    (0..2_000).for_each(|at| series.record(median / 2 + median * at / 2_000));
    series
}

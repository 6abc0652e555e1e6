//! What people see of a comparison.

use harness::load::comparison::{changes, paired_changes};
use harness::load::{LoadRun, Series};

use super::example::{calm, tail};
use crate::load::{write_comparison, write_paired};
use crate::terminal::Look;

/// The same run, in which everything that is one number takes so many hundredths of the time.
fn times(hundredths: u64) -> LoadRun {
    let mut run = calm();
    run.run = format!("k{hundredths}");
    for (at, base, count) in [(0, 4_000, 1_200), (7, 10_500, 12_000)] {
        let mut series = Series::new(run.series[at].key.clone());
        tail(base, count).for_each(|value| series.record(value * hundredths / 100));
        run.series[at] = series;
    }
    run
}

#[test]
fn two_runs_and_what_is_worse() {
    let mut new = times(125);
    new.series.remove(5);
    let mut bytes = Vec::new();
    let look = Look { width: 100, colour: false };
    let base = calm();
    write_comparison((&base, &new), &changes(&base, &new), Some(0.1), look, &mut bytes).unwrap();
    insta::assert_snapshot!(String::from_utf8(bytes).unwrap());
}

#[test]
fn pairs_and_how_sure_they_are() {
    let pairs: Vec<(LoadRun, LoadRun)> =
        (0..10).map(|pair| (times(98 + pair % 3), times(124 + pair % 4))).collect();
    let shown = |pairs: &[(LoadRun, LoadRun)]| {
        let mut bytes = Vec::new();
        let look = Look { width: 120, colour: false };
        write_paired(&paired_changes(pairs), 0.1, look, &mut bytes).unwrap();
        String::from_utf8(bytes).unwrap()
    };
    insta::assert_snapshot!(format!("{}\n{}", shown(&pairs), shown(&pairs[..3])));
}

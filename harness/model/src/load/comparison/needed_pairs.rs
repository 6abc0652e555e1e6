//! Estimates how many pairs of runs a comparison needs, from their spread.

use super::ratios::{MOST_PAIRS, Ratios, left_out};
use super::several::{FALSE_ALARMS, Finding, PairedChange, error_share};

/// The longest run that is suggested, as a multiple.
const LONGEST: u32 = 64;

/// The pairs and run length that decide on which side of a limit every number lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Needed {
    /// The number of pairs.
    pub pairs: usize,
    /// The length of each run, as a multiple.
    pub times_as_long: u32,
}

/// The shares of the averages outside the interval for a number of pairs.
struct Cut {
    pairs: usize,
    below: f64,
    above: f64,
}

/// The least that decides the unclear numbers; `None` if nothing is unclear, or no reasonable number would do.
///
/// The averages of these pairs stand for those of more pairs, of which a smaller part lies outside the interval.
/// Runs of four times the length are assumed to scatter half as much.
pub(super) fn needed(changes: &[PairedChange], limit: f64) -> Option<Needed> {
    let unclear = changes.iter().filter(|change| change.finding(limit) == Finding::Unclear);
    let unclear: Vec<&Ratios> = unclear.filter_map(|change| change.ratios.as_ref()).collect();
    let measured = changes.iter().find_map(|change| change.paired)?.pairs;
    let cuts = cuts(measured, changes);
    let lengths = (0..).map(|power| 1_u32 << power).take_while(|times| *times <= LONGEST);
    let decides = |cut: &Cut, times: u32| unclear.iter().all(|ratios| decides(ratios, cut, times, limit));
    let least = lengths.flat_map(|times| cuts.iter().map(move |cut| (cut, times)));
    least
        .filter(|_| !unclear.is_empty())
        .find(|(cut, times)| decides(cut, *times))
        .map(|(cut, times_as_long)| Needed { pairs: cut.pairs, times_as_long })
}

/// The cuts for at least the measured pairs. Half as many again are a reserve, as the next ones may scatter more.
fn cuts(measured: usize, changes: &[PairedChange]) -> Vec<Cut> {
    let wrong = error_share(changes.len());
    let cut = |pairs: usize| {
        let (below, above) = (left_out(pairs, wrong)?, left_out(pairs, FALSE_ALARMS)?);
        Some(Cut { pairs: (pairs * 3).div_ceil(2), below, above })
    };
    (measured..=MOST_PAIRS * 2 / 3).filter_map(cut).collect()
}

fn decides(ratios: &Ratios, cut: &Cut, times_as_long: u32, limit: f64) -> bool {
    let middle = ratios.quantile(0.5);
    let narrower = |share: f64| middle + (ratios.quantile(share) - middle) / f64::from(times_as_long).sqrt();
    let border = (1.0 + limit).ln();
    narrower(cut.below) > border || narrower(1.0 - cut.above) <= border
}

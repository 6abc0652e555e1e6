//! Estimates how many pairs of runs a comparison needs, from their spread.

use super::ratios::{MOST_PAIRS, Ratios, left_out};
use super::several::{FALSE_ALARMS, Finding, PairedChange, share};

/// Longer runs than so many times the length are not suggested.
const LONGEST: u32 = 64;

/// What would tell on which side of a limit every number lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Needed {
    /// How many pairs.
    pub pairs: usize,
    /// How many times as long each run measures.
    pub times_as_long: u32,
}

/// The shares of the averages that so many pairs leave out.
struct Cut {
    pairs: usize,
    below: f64,
    above: f64,
}

/// The least that would tell of the unclear numbers; `None` if nothing is unclear, or no reasonable number would do.
///
/// The averages of these pairs stand for those of more pairs, of which a smaller part lies outside of the interval.
/// Runs that are four times as long are taken to scatter half as much.
pub(super) fn needed(changes: &[PairedChange], limit: f64) -> Option<Needed> {
    let unclear = changes.iter().filter(|change| change.finding(limit) == Finding::Unclear);
    let unclear: Vec<&Ratios> = unclear.filter_map(|change| change.ratios.as_ref()).collect();
    let seen = changes.iter().find_map(|change| change.paired)?.pairs;
    let cuts = cuts(seen, changes);
    let lengths = (0..).map(|power| 1_u32 << power).take_while(|times| *times <= LONGEST);
    let tells = |cut: &Cut, times: u32| unclear.iter().all(|ratios| tells(ratios, cut, times, limit));
    let least = lengths.flat_map(|times| cuts.iter().map(move |cut| (cut, times)));
    least
        .filter(|_| !unclear.is_empty())
        .find(|(cut, times)| tells(cut, *times))
        .map(|(cut, times_as_long)| Needed { pairs: cut.pairs, times_as_long })
}

/// For as many pairs as there are or more; half as many again are a reserve, as the next ones may scatter more.
fn cuts(seen: usize, changes: &[PairedChange]) -> Vec<Cut> {
    let wrong = share(changes.len());
    let cut = |pairs: usize| {
        let (below, above) = (left_out(pairs, wrong)?, left_out(pairs, FALSE_ALARMS)?);
        Some(Cut { pairs: (pairs * 3).div_ceil(2), below, above })
    };
    (seen..=MOST_PAIRS * 2 / 3).filter_map(cut).collect()
}

fn tells(ratios: &Ratios, cut: &Cut, times_as_long: u32, limit: f64) -> bool {
    let middle = ratios.quantile(0.5);
    let narrower = |share: f64| middle + (ratios.quantile(share) - middle) / f64::from(times_as_long).sqrt();
    let border = (1.0 + limit).ln();
    narrower(cut.below) > border || narrower(1.0 - cut.above) <= border
}

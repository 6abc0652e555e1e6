//! When a comparison is judged: once after its last pair, or also earlier, to stop as soon as the result is clear.
//!
//! Each look may be wrong. The looks share the error probability of the comparison (Bonferroni), so that all of them
//! together are wrong as seldom as one look at a fixed number of pairs.

use super::ratios::MOST_PAIRS;
use super::several::{Finding, PairedChange, pairs_to_judge};

/// The number of looks of a comparison that may stop early. More looks stop sooner, but each of them needs more pairs.
const LOOKS: usize = 4;

/// Without a number of the user's, a comparison may take this many times the pairs of its first look.
const PATIENCE: usize = 3;

/// The numbers of pairs after which a comparison is judged, ascending.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Looks(Vec<usize>);

impl Looks {
    /// One look after a fixed number of pairs.
    pub fn at_end(pairs: usize) -> Self {
        Self(vec![pairs])
    }

    /// Looks at even distances, from the fewest pairs that can judge this many series to the most. `None` if the most
    /// are too few, see [`Looks::fewest_pairs`].
    pub fn early(series: usize, most: Option<usize>) -> Option<Self> {
        let first = Self::fewest_pairs(series);
        let most = most.unwrap_or_else(|| (first * PATIENCE).min(MOST_PAIRS));
        let distance = most.checked_sub(first)?;
        let mut looks: Vec<usize> = (0..LOOKS).map(|look| first + distance * look / (LOOKS - 1)).collect();
        looks.dedup();
        Some(Self(looks))
    }

    /// The number of pairs before the first of several looks.
    pub fn fewest_pairs(series: usize) -> usize {
        pairs_to_judge(series, LOOKS)
    }

    /// How many looks share the error probability.
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// The number of pairs after which the comparison ends in any case.
    pub fn most(&self) -> usize {
        self.0.last().copied().unwrap_or_default()
    }

    /// Whether the comparison is judged after this many pairs, and may end there.
    pub fn is_due(&self, pairs: usize) -> bool {
        self.0.contains(&pairs)
    }
}

/// Whether no further pair is needed: every number is worse or not worse than the limit, or has no value in some pair.
pub fn is_decided(changes: &[PairedChange], limit: f64) -> bool {
    changes.iter().all(|change| change.finding(limit) != Finding::Unclear)
}

#[cfg(test)]
mod tests {
    use super::super::Measure;
    use super::super::several::ErrorShares;
    use super::super::tests::{key, pairs};
    use super::*;

    const SERIES: usize = 1;

    /// A simulated comparison of two servers, of which the new one takes `times` as long, per number: the pairs that it takes, and its
    /// finding.
    fn compare(
        random: &mut fastrand::Rng,
        looks: &Looks,
        scatter: f64,
        times: &[f64],
        limit: f64,
    ) -> (usize, Finding) {
        let values = times.iter().map(|times| pairs(random, looks.most(), scatter, *times));
        let values: Vec<_> = values.collect();
        let shares = ErrorShares::of(times.len(), looks.count());
        for at in (1..=looks.most()).filter(|at| looks.is_due(*at)) {
            let change = |values: &Vec<(f64, f64)>| {
                PairedChange::of_values(key(), Measure::Percentile(50.0), &values[..at], at, shares)
            };
            let changes: Vec<PairedChange> = values.iter().map(change).collect();
            if is_decided(&changes, limit) || at == looks.most() {
                return (at, gravest(&changes, limit));
            }
        }
        unreachable!("the last look ends the comparison");
    }

    /// As a comparison concludes, without its advice.
    fn gravest(changes: &[PairedChange], limit: f64) -> Finding {
        let findings: Vec<Finding> = changes.iter().map(|change| change.finding(limit)).collect();
        [Finding::Worse, Finding::Unclear]
            .into_iter()
            .find(|finding| findings.contains(finding))
            .unwrap_or(Finding::NotWorse)
    }

    /// Simulates comparisons and counts those with the finding; also the number of pairs that all took.
    fn count(
        looks: &Looks,
        experiments: usize,
        (scatter, times, limit): (f64, &[f64], f64),
        counted_finding: Finding,
    ) -> (usize, usize) {
        let mut random = fastrand::Rng::with_seed(11);
        let (mut counted, mut taken) = (0, 0);
        for _ in 0..experiments {
            let (pairs, finding) = compare(&mut random, looks, scatter, times, limit);
            counted += usize::from(finding == counted_finding);
            taken += pairs;
        }
        (counted, taken)
    }

    #[test]
    fn looks_lie_between_the_fewest_and_the_most_pairs() {
        assert_eq!(Looks::early(6, Some(40)), Some(Looks(vec![13, 22, 31, 40])));
        assert_eq!(Looks::early(6, Some(14)), Some(Looks(vec![13, 14])));
        assert_eq!(Looks::early(6, Some(12)), None);
        assert_eq!(Looks::early(6, None).map(|looks| looks.most()), Some(39));
        assert_eq!(Looks::early(100_000, None).map(|looks| looks.most() <= MOST_PAIRS), Some(true));
        assert_eq!((Looks::at_end(11).count(), Looks::at_end(11).most()), (1, 11));
    }

    #[test]
    fn equal_servers_are_called_worse_as_seldom_as_without_early_looks() {
        let looks = Looks::early(SERIES, Some(19)).unwrap();
        // Without a limit every comparison is at the border: this is the worst case.
        let (alarms, _) = count(&looks, 3_000, (0.2, &[1.0], 0.0), Finding::Worse);
        assert!(alarms <= 30, "{alarms} false alarms of 3,000");
    }

    #[test]
    fn a_worse_server_is_called_not_worse_as_seldom_as_without_early_looks() {
        let looks = Looks::early(SERIES, Some(19)).unwrap();
        let (missed, _) = count(&looks, 3_000, (0.2, &[1.1001], 0.1), Finding::NotWorse);
        assert!(missed <= 30, "{missed} of 3,000");
    }

    #[test]
    fn a_clear_result_takes_the_fewest_pairs() {
        let looks = Looks::early(SERIES, None).unwrap();
        let fewest = Looks::fewest_pairs(SERIES);
        for (times, finding) in [(1.5, Finding::Worse), (0.98, Finding::NotWorse)] {
            let (found, taken) = count(&looks, 200, (0.02, &[times; 2], 0.1), finding);
            assert_eq!((found, taken), (200, 200 * fewest), "{times} times as long");
        }
        // A change at the border takes all pairs.
        let (_, taken) = count(&looks, 50, (0.2, &[1.1; 2], 0.1), Finding::Worse);
        assert!(taken > 40 * looks.most(), "{taken} pairs");
    }
}

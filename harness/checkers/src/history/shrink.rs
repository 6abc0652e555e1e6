//! Reduces a history to the few operations that show a violation.

use super::bounds::Bounds;
use super::finding::{HistoryFinding, Kept};
use super::rule::HistoryRule;
use super::violation::Violation;
use super::write_order::WriteOrder;
use super::writes::chained;
use super::{reads, refusals, watchers, writes};

/// A violation of a rule in a minimal set of operations: without any one of them no violation is left.
///
/// An omitted operation does not vanish, or states would have no origin: the order of the writes and the states of the
/// objects stay, but not the time of its call and its sightings.
pub(super) fn smallest(write_order: &WriteOrder<'_>, rule: HistoryRule) -> Option<Violation> {
    let all = write_order.history.len();
    let mut found = check(write_order, rule, &Kept::all(all))?;
    let mut chunk = found.operations.len();
    while chunk > 0 {
        let kept = found.operations.clone();
        let rests = (0..kept.len()).step_by(chunk).map(|start| {
            let end = (start + chunk).min(kept.len());
            [&kept[..start], &kept[end..]].concat()
        });
        match rests.into_iter().find_map(|rest| check(write_order, rule, &Kept::only(all, &rest))) {
            Some(smaller) => found = smaller,
            None => chunk /= 2,
        }
    }
    let operations =
        found.operations.iter().map(|operation| write_order.history[*operation].clone()).collect();
    Some(Violation { rule, expected: found.expected, actual: found.actual, operations })
}

/// A violation of a rule that the kept operations show.
fn check(write_order: &WriteOrder<'_>, rule: HistoryRule, kept: &Kept) -> Option<HistoryFinding> {
    let same_finding = |finding: &&HistoryFinding| {
        finding.rule == rule && finding.operations.iter().all(|operation| kept.has(*operation))
    };
    let known = write_order.findings.iter().find(same_finding).cloned();
    known.or_else(|| {
        let bounds = || Bounds::of(write_order, kept);
        match rule {
            HistoryRule::WritesOrdered => writes::ordered(write_order, &bounds(), kept),
            HistoryRule::ReadsLinearizable => reads::linearizable(write_order, &bounds(), kept),
            HistoryRule::CachedReadsWhole => None,
            HistoryRule::ListsSnapshot => reads::snapshots(write_order, kept),
            HistoryRule::WatchersAgree => watchers::agree(write_order, &bounds(), kept),
            HistoryRule::RefusalsWithoutTrace => refusals::reasoned(write_order, &bounds(), kept),
            HistoryRule::UnknownOutcomes => chained(write_order, kept, HistoryRule::UnknownOutcomes),
        }
    })
}

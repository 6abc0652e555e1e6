//! From a whole history to the few operations that show what is wrong.

use super::bounds::Bounds;
use super::finding::{HistoryFinding, Kept};
use super::rule::HistoryRule;
use super::violation::Violation;
use super::write_order::WriteOrder;
use super::writes::chained;
use super::{reads, refusals, watchers, writes};

/// What breaks a rule, in as few operations as can be: without any of them nothing is wrong.
///
/// What is left out is not unknown, or else what is shown would have come from nowhere: the order of the writes and the
/// objects' states stay, but not when they were called and who saw them.
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

/// What breaks a rule, as far as the operations that count show it.
fn check(write_order: &WriteOrder<'_>, rule: HistoryRule, kept: &Kept) -> Option<HistoryFinding> {
    let same_finding = |finding: &&HistoryFinding| {
        finding.rule == rule && finding.operations.iter().all(|operation| kept.has(*operation))
    };
    let seen = write_order.findings.iter().find(same_finding).cloned();
    seen.or_else(|| {
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
